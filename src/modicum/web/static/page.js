// What every screen has: theme, keyboard, messages, and requests that change something.

const isTyping = (target) => target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]");

// Shows a message; `action` is a button in it, with a label and what to run.
export function say(text, isBad = false, action = undefined) {
  const said = document.getElementById("said");
  said.textContent = text;
  if (action) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = action.label;
    button.addEventListener("click", action.run);
    said.append(button);
  }
  said.className = isBad ? "shown bad" : "shown";
  clearTimeout(say.timer);
  say.timer = setTimeout(() => (said.className = ""), action ? 20000 : isBad ? 8000 : 4000);
}

// Says what was done, with a button that takes it back; `after` shows the page anew.
export function sayDone(done, after) {
  const run = async () => {
    const undone = await send("/web/memory/undo", { batch: done.batch });
    if (!undone) return;
    await after();
    sayDone(undone, after);
  };
  say(done.said, false, done.batch ? { label: done.label ?? "Undo", run } : undefined);
}

// Runs `after` when memory was changed, by another window or an agent: soon if the page is seen, else when one comes back.
let known; // the version of memory that the page shows
export function watch(after) {
  async function look() {
    if (document.visibilityState !== "visible") return;
    try {
      const reply = await fetch("/web/memory/version");
      const { version } = reply.ok ? await reply.json() : {};
      if (version !== undefined && known !== undefined && version !== known) await after();
      known = version ?? known;
    } catch {
      // The server is away; the next action says so.
    }
  }
  look();
  setInterval(look, 3000);
  document.addEventListener("visibilitychange", look);
}

// What this page was told when it was opened, beside the cookie, which browsers send to every port of a machine.
function word() {
  try {
    return localStorage.getItem("modicum-word") ?? "";
  } catch {
    return "";
  }
}

// Sends JSON; returns the reply's JSON, or null after it has said what is wrong.
export async function send(path, value, headers = {}) {
  let reply;
  try {
    reply = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Modicum-Page": word(), ...headers },
      body: JSON.stringify(value),
    });
  } catch {
    say("The server does not answer. Is it still running?", true);
    return null;
  }
  if (reply.status === 401) location.reload();
  const kind = reply.headers.get("Content-Type") ?? "";
  const found = kind.includes("json") ? await reply.json() : problemIn(await reply.text());
  if (found.version !== undefined) known = found.version;
  if (reply.ok) return found;
  say([found.detail ?? "That did not work", found.remedy].filter(Boolean).join(": "), true);
  return null;
}

// What the server words as a page before it knows the route: a body that is too large, too many requests, a bug.
function problemIn(html) {
  const title = new DOMParser().parseFromString(html, "text/html").querySelector("main h1");
  return { detail: title?.textContent, remedy: title?.nextElementSibling?.textContent };
}

// Fetches a part of a page as HTML and puts it in place; the latest request wins.
const latest = new WeakMap();
export async function load(into, address) {
  const mine = {};
  latest.set(into, mine);
  into.setAttribute("aria-busy", "true");
  try {
    const reply = await fetch(address);
    const html = await reply.text();
    if (latest.get(into) !== mine) return false;
    if (reply.status === 401) location.reload();
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const found = reply.ok ? parsed.body : (parsed.querySelector("main") ?? parsed.body);
    into.replaceChildren(...found.childNodes);
    return reply.ok;
  } catch {
    if (latest.get(into) === mine) say("The server does not answer. Is it still running?", true);
    return false;
  } finally {
    if (latest.get(into) === mine) into.setAttribute("aria-busy", "false");
  }
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem("modicum-theme", root.dataset.theme);
  } catch {
    // It holds for this page.
  }
}

const actions = {
  theme: toggleTheme,
  help: () => document.getElementById("keys").showModal(),
  "sign-out": async () => (await send("/web/logout", {})) && location.assign("/"),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button && actions[button.dataset.action]) actions[button.dataset.action]();
});

function move(step) {
  const items = [...document.querySelectorAll("[data-items] [data-item]")];
  const here = items.indexOf(document.activeElement.closest?.("[data-item]"));
  const next = items[Math.min(items.length - 1, Math.max(0, here < 0 ? 0 : here + step))];
  if (!next) return;
  const link = next.querySelector("a[href]") ?? next;
  link.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

let isGoing = false;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (isGoing) {
    isGoing = false;
    const link = document.querySelector(`nav [data-letter="${CSS.escape(event.key)}"]`);
    if (link) link.click();
    return;
  }
  const keys = {
    "?": actions.help,
    "/": () => (document.querySelector("[data-search]") ?? document.querySelector("main input, main select"))?.focus(),
    j: () => move(1),
    k: () => move(-1),
    g: () => {
      isGoing = true;
      setTimeout(() => (isGoing = false), 1500);
    },
  };
  if (Object.hasOwn(keys, event.key)) {
    event.preventDefault();
    keys[event.key]();
  }
});
