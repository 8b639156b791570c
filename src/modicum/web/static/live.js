// Shows what agents are handed as it happens. The event only tells that the log has grown; the page then asks for what
// came behind the place that it has, so a page that was asleep catches up in the same way.

const live = document.getElementById("live");
const state = document.getElementById("state");
const find = (id) => document.getElementById(id);
let source = null;
let isAsking = false;
let isBehind = false;

function local(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.valueOf())) time.textContent = `${at.toLocaleDateString("sv")} ${at.toLocaleTimeString("sv")}`;
  }
}

async function more() {
  if (isAsking) return;
  isAsking = true;
  try {
    while (isBehind) {
      isBehind = false; // another event may come while we ask
      const reply = await fetch(`/web/live?${new URLSearchParams({ part: "1", after: find("days").dataset.place })}`);
      if (reply.status === 401) location.reload();
      if (!reply.ok) break;
      put(new DOMParser().parseFromString(await reply.text(), "text/html"));
    }
  } catch {
    // The connection is gone; it is told when the events end.
  } finally {
    isAsking = false;
  }
}

function put(found) {
  local(found);
  const rows = find("rows");
  const fresh = [...found.querySelectorAll("#rows > li")];
  for (const row of fresh) row.classList.add("fresh");
  rows.prepend(...fresh);
  while (rows.children.length > Number(live.dataset.most)) rows.lastElementChild.remove();
  find("days").replaceWith(found.getElementById("days"));
  find("none").hidden = rows.children.length > 0;
}

function listen() {
  if (source) return;
  source = new EventSource(live.dataset.events);
  source.onopen = () => (state.textContent = "Live.");
  source.onmessage = (event) => {
    isBehind ||= event.data !== find("days").dataset.place;
    more();
  };
  source.onerror = () => {
    state.textContent = "The server does not answer; trying again.";
    if (source.readyState !== EventSource.CLOSED) return;
    source = null;
    setTimeout(listen, 30000);
  };
}

// A browser has few connections for one server, so a page that nobody sees gives its own back.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return listen();
  source?.close();
  source = null;
});

local(document);
if (!document.hidden) listen();
