// The screen of memory: search as one types, a note beside the list, and what one does with notes.
import { load, sayDone, send, watch } from "./page.js";

const form = document.getElementById("find");
const list = document.getElementById("list");
const pane = document.getElementById("pane");
const two = document.getElementById("two");
const chosen = new Set();
let cursor = new URLSearchParams(location.search).get("cursor") ?? "";
let open = pane.querySelector(".note")?.dataset.id ?? "";

function asked(more = {}) {
  const found = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) found.set(name, value);
  if (cursor) found.set("cursor", cursor);
  if (open) found.set("note", open);
  for (const [name, value] of Object.entries(more)) found.set(name, value);
  return `/web/memory?${found}`;
}

async function showList() {
  const held = list.contains(document.activeElement) ? document.activeElement : null;
  const id = held?.closest(".row")?.dataset.id;
  if (!(await load(list, asked({ part: "list" })))) return;
  markChosen();
  if (id && document.activeElement === document.body) list.querySelector(`[data-id="${CSS.escape(id)}"] ${held.localName}`)?.focus({ preventScroll: true });
}
const showNote = () => load(pane, asked({ part: "note" }));

// The search

let timer = 0;
function searchSoon() {
  cursor = "";
  clearTimeout(timer);
  timer = setTimeout(() => {
    history.replaceState(null, "", asked());
    showList();
  }, 120);
}
form.addEventListener("input", searchSoon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  searchSoon();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.id === "q" && !event.target.value) event.target.blur();
  if (event.key === "ArrowDown" && event.target.id === "q") {
    event.preventDefault();
    list.querySelector("[data-item] a")?.focus();
  }
});

// What is chosen in the list

function markChosen() {
  for (const box of list.querySelectorAll("[name=chosen]")) box.checked = chosen.has(Number(box.value));
  for (const row of list.querySelectorAll(".row")) row.classList.toggle("is-open", row.dataset.id === open);
  const bar = document.getElementById("chosen");
  if (!bar) return; // the list says what is wrong
  bar.hidden = chosen.size === 0;
  document.getElementById("chosen-count").textContent = `${chosen.size} chosen`;
  document.getElementById("merge").hidden = chosen.size !== 2;
}

async function remove(ids) {
  const done = await send("/web/memory/delete", { ids });
  if (!done) return;
  for (const id of done.ids) chosen.delete(id);
  if (done.ids.includes(number())) show("");
  await showList();
  sayDone(done, showBoth);
}

const showBoth = () => Promise.all([open ? showNote() : undefined, showList()]);

list.addEventListener("change", (event) => {
  if (event.target.name !== "chosen") return;
  const id = Number(event.target.value);
  if (event.target.checked) chosen.add(id);
  else chosen.delete(id);
  markChosen();
});
list.addEventListener("click", (event) => {
  if (event.target.id === "delete") remove([...chosen]);
  if (event.target.id === "merge") {
    const [older, newer] = [...chosen].sort((one, other) => one - other);
    location.assign(`/web/memory/merge?keep=${newer}&other=${older}`);
  }
  if (event.target.id === "choose-none") {
    chosen.clear();
    markChosen();
  }
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  const wanted = new URL(link.href).searchParams;
  if (link.matches("[data-page]")) turn(wanted.get("cursor") ?? "");
  else show(wanted.get("note"));
});

async function turn(next) {
  cursor = next;
  history.pushState(null, "", asked());
  await showList();
  list.scrollIntoView({ block: "nearest" });
  list.querySelector("[data-item] a")?.focus();
}

// The note

async function show(id, isBack = false) {
  if (!isBack && isEdited() && !confirm("Leave the note without saving what you wrote?")) return;
  open = id ?? "";
  two.classList.toggle("has-note", Boolean(open));
  if (!isBack) history.pushState(null, "", asked());
  markChosen();
  await showNote();
  if (open && matchMedia("(max-width: 760px)").matches) pane.querySelector("h2")?.focus();
}

const note = () => pane.querySelector(".note");
const number = () => Number(note()?.dataset.number);
function isEdited() {
  const edit = pane.querySelector("form.edit:not([hidden])");
  return edit ? [...edit.elements].some((each) => "defaultValue" in each && each.value !== each.defaultValue) : false;
}

function stop() {
  const edit = pane.querySelector("form.edit");
  for (const each of [edit, pane.querySelector("form.relate")]) {
    each.hidden = true;
    each.reset();
  }
  pane.querySelector(".body").hidden = false;
  pane.querySelector("[data-act=edit]").focus();
}

const acts = {
  edit() {
    if (pane.querySelector("[data-act=edit]")?.disabled ?? true) return;
    pane.querySelector("form.edit").hidden = false;
    pane.querySelector(".body").hidden = true;
    pane.querySelector("form.edit textarea").focus();
  },
  relate() {
    pane.querySelector("form.relate").hidden = false;
    pane.querySelector("form.relate [name=type]").focus();
  },
  async pin() {
    if (!pane.querySelector("[data-act=pin]")) return;
    await act("/web/memory/pin", { id: number(), pinned: !note().dataset.pinned });
    pane.querySelector("[data-act=pin]")?.focus();
  },
  delete: () => remove([number()]),
  restore: () => act("/web/memory/restore", { ids: [number()] }),
  accept: () => act("/web/review/accept", { ids: [number()] }),
  drop: () => act("/web/review/drop", { ids: [number()] }),
  stop,
};

async function act(path, value) {
  const done = await send(path, value);
  if (!done) return false;
  await showBoth();
  sayDone(done, showBoth);
  return true;
}

pane.addEventListener("click", (event) => {
  const target = event.target.closest("[data-act], [data-open], [data-unrelate], [data-back]");
  if (!target) return;
  const { act: name, open: other, unrelate, back } = target.dataset;
  if (other !== undefined || back !== undefined) {
    event.preventDefault();
    show(other ?? "");
  } else if (unrelate) act("/web/memory/unrelate", { relation: Number(unrelate) });
  else acts[name]();
});
pane.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { elements: fields } = event.target;
  const id = number();
  const done = event.target.matches(".relate")
    ? await act("/web/memory/relate", { id, to: fields.to.value, type: fields.type.value })
    : await act("/web/memory/change", {
        id,
        revision: Number(note().dataset.revision),
        title: fields.title.value,
        content: fields.content.value,
        type: fields.type.value,
        topic_key: fields.topic_key.value,
      });
  if (done) pane.querySelector("[data-act=edit]")?.focus();
});
pane.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest("form") && (!isEdited() || confirm("Drop what you wrote?"))) stop();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select") || document.querySelector("dialog[open]")) return;
  const row = document.activeElement.closest?.(".row");
  if (event.key === "x" && row) row.querySelector("[name=chosen]").click();
  if (event.key === "e" && note()) {
    event.preventDefault();
    acts.edit();
  }
  if (event.key === "p" && note()) acts.pin();
});

watch(async () => {
  await showList();
  if (open && !pane.querySelector("form:not([hidden])")) await showNote();
});
addEventListener("popstate", () => {
  const now = new URLSearchParams(location.search);
  cursor = now.get("cursor") ?? "";
  for (const each of form.elements) if (each.name && each.type !== "checkbox") each.value = now.get(each.name) ?? each.querySelector?.("option")?.value ?? "";
  show(now.get("note") ?? "", true);
  showList();
});

const done = sessionStorage.getItem("modicum-done");
if (done) {
  sessionStorage.removeItem("modicum-done");
  sayDone(JSON.parse(done), showBoth);
}
markChosen();
