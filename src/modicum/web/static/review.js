// Verdicts about pairs of notes; what was deleted can be taken back.
import { load, say, send } from "./page.js";

const lists = document.getElementById("lists");
const form = document.getElementById("review-project");
const address = () => `/web/review?${new URLSearchParams({ project: form.elements.project.value, part: "1" })}`;

async function settle(pair, verdict) {
  const places = [...lists.querySelectorAll(".pair")];
  const at = places.indexOf(pair);
  const done = await send("/web/review/settle", { newer: Number(pair.dataset.newer), older: Number(pair.dataset.older), verdict });
  if (!done) return;
  await load(lists, address());
  lists.querySelectorAll(".pair")[Math.min(at, places.length - 2)]?.focus();
  say(done.said, false, done.ids.length ? { label: "Undo", run: () => restore(done.ids) } : undefined);
}

async function restore(ids) {
  const done = await send("/web/memory/restore", { ids });
  if (!done) return;
  await load(lists, address());
  say(done.said);
}

lists.addEventListener("click", (event) => {
  const button = event.target.closest("[data-verdict]");
  if (button) settle(button.closest(".pair"), button.dataset.verdict);
});
document.addEventListener("keydown", (event) => {
  const pair = document.activeElement.closest?.(".pair");
  const button = pair && !event.ctrlKey && !event.metaKey && !event.altKey ? pair.querySelectorAll("[data-verdict]")["1234".indexOf(event.key)] : null;
  if (button) settle(pair, button.dataset.verdict);
});
form.addEventListener("change", () => {
  history.replaceState(null, "", `/web/review?project=${encodeURIComponent(form.elements.project.value)}`);
  load(lists, address());
});
