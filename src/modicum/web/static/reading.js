// The controls of the screen of a reading: every change is tried on the server at once.
import { load, say, send } from "./page.js";

const form = document.getElementById("settings");
const text = document.getElementById("text");
const find = (id) => document.getElementById(id);
const detail = find("detail");
const budget = find("budget");
const packs = [...form.querySelectorAll("[name=pack]")];
const most = Number(form.dataset.budget);
const start = form.dataset; // what is kept now, whatever the controls show
const chosen = () => packs.filter((each) => each.checked).map((each) => each.value);
const number = new Intl.NumberFormat("en");

function tried() {
  const found = { tool: form.dataset.tool };
  if (detail && detail.value !== start.detail) found.detail = Number(detail.value);
  if (budget && budget.value !== start.bound) {
    if (Number(budget.value) < most) found.max_bytes = Number(budget.value);
    else found.no_bound = true;
  }
  if (chosen().sort().join() !== start.packs) found.packs = chosen();
  return found;
}

const isChanged = () => Object.keys(tried()).length > 1;

function address(isPart) {
  const given = tried();
  const query = new URLSearchParams({ tool: given.tool, folder: form.elements.folder.value });
  query.set("view", form.elements.view.value);
  if (given.detail) query.set("detail", detail.dataset.words.split(",")[given.detail - 1]);
  if (given.max_bytes !== undefined) query.set("max_bytes", given.max_bytes);
  if (given.no_bound) query.set("max_bytes", "none");
  if (given.packs) query.set("packs", given.packs.join(","));
  if (isPart) query.set("part", "1");
  return `/web/reading?${query}`;
}

function show() {
  if (detail) find("detail-shown").textContent = detail.dataset.words.split(",")[detail.value - 1];
  if (budget) {
    const bound = Number(budget.value);
    const words = bound < most ? `${number.format(bound)} bytes` : "no bound";
    find("budget-shown").textContent = words;
    budget.setAttribute("aria-valuetext", words);
    detail.setAttribute("aria-valuetext", find("detail-shown").textContent);
    find("keep").disabled = !isChanged();
    find("reset").hidden = !isChanged();
    find("inject").textContent = isChanged() ? "Keep and inject" : "Inject";
  }
}

function refit() {
  if (isChanged()) form.elements.view.value = "after";
  show();
  const isOpen = text.querySelector("details")?.open;
  return load(text, address(true)).then(() => {
    const diffs = text.querySelector("details");
    if (diffs && isOpen) diffs.open = true;
  });
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target.matches("#tool, #folder")) location.assign(`/web/reading?${new URLSearchParams({ tool: form.elements.tool.value, folder: event.target.id === "tool" ? "" : form.elements.folder.value })}`);
  else refit();
});

async function act(path, value, words) {
  const done = await send(path, value);
  if (!done) return;
  sessionStorage.setItem("modicum-said", words(done));
  location.assign(`/web/reading?${new URLSearchParams({ tool: form.dataset.tool, folder: form.elements.folder.value, view: form.elements.view.value })}`);
}

const list = (files) => files.join(", ") || "nothing";
find("keep")?.addEventListener("click", () => act("/web/reading/keep", tried(), (done) => `Kept in ${list(done.files)}`));
find("inject")?.addEventListener("click", () => act("/web/reading/inject", tried(), (done) => (done.written.length ? `Written: ${list(done.written)}` : "Nothing had to be written")));
find("undo")?.addEventListener("click", () => act("/web/reading/undo", { tool: form.dataset.tool }, (done) => `Taken back: ${list(done.files)}`));
find("reset")?.addEventListener("click", () => location.assign(`/web/reading?${new URLSearchParams({ tool: form.dataset.tool, folder: form.elements.folder.value })}`));

const said = sessionStorage.getItem("modicum-said");
if (said) {
  sessionStorage.removeItem("modicum-said");
  say(said);
}
show();
