// Tells OpenCode's sessions what modicum remembers. `modicum setup` has put this here; `modicum setup --remove` takes it away.
import { spawn } from "node:child_process"

const COMMAND = ["modicum"]
const DEADLINE_MS = 3000

// Answers with nothing where modicum is gone, or too slow.
function hook(event, told) {
  return new Promise((resolve) => {
    const [program, ...first] = COMMAND
    const words = [...first, "hook", event, "--harness", "opencode"]
    let child, timer
    const done = (text) => {
      clearTimeout(timer)
      resolve(text)
    }
    try {
      child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"] })
    } catch {
      return done("")
    }
    const chunks = []
    timer = setTimeout(() => child.kill(), DEADLINE_MS)
    child.on("error", () => done(""))
    child.on("close", () => done(Buffer.concat(chunks).toString("utf8")))
    child.stdout?.on("data", (chunk) => chunks.push(chunk))
    child.stdin?.on("error", () => {})
    child.stdin?.end(JSON.stringify(told))
  })
}

export const Modicum = async ({ directory }) => {
  const resumed = new Set() // sessions whose first prompt in this process has come
  const inner = new Set() // sessions of sub-agents, which are not told anything
  const about = (session) => ({ session_id: session, cwd: directory })

  // A part of the user's own message: it stays in the history, and the system prompt is the same at every turn.
  function add(parts, text) {
    const last = parts.at(-1)
    if (!text || !last) return
    const { sessionID, messageID } = last
    parts.push({ id: `${last.id}m`, sessionID, messageID, type: "text", text, synthetic: true })
  }

  return {
    event: async ({ event }) => {
      const info = event.properties?.info
      if (event.type === "session.created" && info?.parentID) inner.add(info.id)
      if (event.type !== "session.deleted" || !info || inner.delete(info.id)) return
      resumed.delete(info.id)
      await hook("session-end", about(info.id))
    },
    "chat.message": async (input, output) => {
      const session = input.sessionID
      if (inner.has(session)) return
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part) => part.text).join("\n")
      // Which sessions are new is known to modicum: OpenCode says nothing when one is resumed.
      if (!resumed.has(session)) await hook("session-start", { ...about(session), source: "resume" })
      resumed.add(session)
      add(output.parts, await hook("prompt-submit", { ...about(session), prompt }))
    },
    "experimental.session.compacting": async (input) => {
      await hook("pre-compact", about(input.sessionID))
    },
    "tool.execute.after": async (input, output) => {
      if (input.tool !== "task" || !output.output) return
      await hook("subagent-stop", { ...about(input.sessionID), last_assistant_message: output.output })
    },
  }
}
