// The inbox, and verdicts about pairs of notes; everything can be taken back.
import { load, sayDone, send, watch } from "./page.js";

const lists = document.getElementById("lists");
const audit = document.getElementById("audit");
const form = document.getElementById("review-project");
const address = (part) => `/web/review?${new URLSearchParams({ project: form.elements.project.value, part })}`;

async function show() {
  const held = document.activeElement.closest?.(".pair")?.getAttribute("aria-label");
  await Promise.all([load(lists, address("1")), load(audit, address("audit"))]);
  if (held && document.activeElement === document.body) lists.querySelector(`[aria-label="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

async function act(item, path, value) {
  const at = [...lists.querySelectorAll(".pair")].indexOf(item);
  const done = await send(path, value);
  if (!done) return;
  await show();
  if (at >= 0) [...lists.querySelectorAll(".pair")].slice(0, at + 1).pop()?.focus();
  sayDone(done, show);
}

function edit(item, isOpen) {
  const fields = item.querySelector("form");
  fields.hidden = !isOpen;
  if (!isOpen) fields.reset();
  for (const each of item.querySelectorAll(".body, .verdicts")) each.hidden = isOpen;
  (isOpen ? fields.elements.content : item).focus();
}

function run(item, key) {
  const { number, newer, older } = item.dataset;
  if (newer) act(item, "/web/review/settle", { newer: Number(newer), older: Number(older), verdict: key });
  else if (key === "edit") edit(item, true);
  else act(item, `/web/review/${key}`, { ids: [Number(number)] });
}

lists.addEventListener("click", (event) => {
  const item = event.target.closest(".pair");
  const button = event.target.closest("[data-key]");
  if (button) run(item, button.dataset.key);
  if (event.target.matches("[data-stop]")) edit(item, false);
  if (event.target.matches("[data-accept-all]")) {
    const ids = [...lists.querySelectorAll("[data-number]")].map((each) => Number(each.dataset.number));
    act(null, "/web/review/accept", { ids });
  }
});
lists.addEventListener("submit", (event) => {
  event.preventDefault();
  const item = event.target.closest(".pair");
  const { title, type, content } = event.target.elements;
  act(item, "/web/review/accept", { ids: [Number(item.dataset.number)], title: title.value, type: type.value, content: content.value });
});
lists.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest("form")) edit(event.target.closest(".pair"), false);
});
audit.addEventListener("click", (event) => {
  if (event.target.id === "apply") act(null, "/web/memory/delete", { ids: event.target.dataset.numbers.split(",").map(Number) });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const item = document.activeElement.closest?.(".pair");
  const button = item?.querySelectorAll("[data-key]")["1234".indexOf(event.key)];
  if (button && !button.disabled) {
    event.preventDefault();
    run(item, button.dataset.key);
  }
});
form.addEventListener("change", () => {
  history.replaceState(null, "", `/web/review?project=${encodeURIComponent(form.elements.project.value)}`);
  show();
});
watch(() => (lists.querySelector("form:not([hidden])") ? undefined : show()));
load(audit, address("audit"));
