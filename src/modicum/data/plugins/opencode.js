// Tells OpenCode's sessions what modicum remembers. `modicum setup` has put this here; `modicum setup --remove` takes it away.
import { spawn } from "node:child_process"

const COMMAND = ["modicum"]
const DEADLINE_MS = 3000
const TITLES = "You are a title generator" // it needs no memory

function hook(event, told) {
  return new Promise((resolve) => {
    const [program, ...first] = COMMAND
    const child = spawn(program, [...first, "hook", event, "--harness", "opencode"], {
      stdio: ["pipe", "pipe", "ignore"],
    })
    const chunks = []
    const timer = setTimeout(() => child.kill(), DEADLINE_MS)
    child.stdout.on("data", (chunk) => chunks.push(chunk))
    child.on("error", () => resolve(""))
    child.stdin.on("error", () => {})
    child.on("close", () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).toString("utf8"))
    })
    child.stdin.end(JSON.stringify(told))
  })
}

export const Modicum = async ({ directory }) => {
  const openings = new Map() // by session: what it was told at its start
  const additions = new Map() // by session: what its latest prompt called for
  const inner = new Set() // sessions of sub-agents, which are not told anything
  const about = (session) => ({ session_id: session, cwd: directory })

  function opening(session) {
    if (!openings.has(session)) {
      openings.set(session, hook("session-start", { ...about(session), source: "startup" }))
    }
    return openings.get(session)
  }

  return {
    event: async ({ event }) => {
      const info = event.properties?.info
      if (event.type === "session.created" && info?.parentID) inner.add(info.id)
      if (event.type !== "session.deleted" || !info || inner.delete(info.id)) return
      openings.delete(info.id)
      additions.delete(info.id)
      await hook("session-end", about(info.id))
    },
    "chat.message": async (input, output) => {
      if (inner.has(input.sessionID)) return
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = texts.map((part) => part.text).join("\n")
      await opening(input.sessionID) // or a note in it would be told twice
      additions.set(input.sessionID, await hook("prompt-submit", { ...about(input.sessionID), prompt }))
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input.sessionID
      if (!session || inner.has(session) || output.system[0]?.startsWith(TITLES)) return
      const texts = [await opening(session), additions.get(session)].filter(Boolean)
      // Some models take one system message only, so this goes to the end of the last one.
      const last = output.system.pop()
      if (texts.length || last !== undefined) output.system.push([last, ...texts].filter(Boolean).join("\n\n"))
    },
    "experimental.session.compacting": async (input, output) => {
      const text = await hook("pre-compact", about(input.sessionID))
      openings.delete(input.sessionID)
      if (text) output.context.push(text)
    },
    "tool.execute.after": async (input, output) => {
      if (input.tool !== "task" || !output.output) return
      await hook("subagent-stop", { ...about(input.sessionID), last_assistant_message: output.output })
    },
  }
}
