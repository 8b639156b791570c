// The context check: what bears on a sentence is asked for while one types.
import { load } from "./page.js";

const form = document.getElementById("check");
const sentence = form.elements.q;
const found = document.getElementById("found");
const address = (path) => `${path}?${new URLSearchParams({ q: sentence.value.trim() })}`;
let asked = sentence.value.trim();
let waiting;

async function check() {
  clearTimeout(waiting);
  const words = sentence.value.trim();
  if (words === asked) return;
  asked = words;
  history.replaceState(null, "", words ? address("/web/changes") : "/web/changes");
  await load(found, address("/web/changes/check"));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
sentence.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(check, 250);
});

// A link to a decision opens it.
function unfold() {
  const row = document.getElementById(location.hash.slice(1));
  const details = row?.querySelector("details");
  if (!details) return;
  details.open = true;
  row.focus();
}
addEventListener("hashchange", unfold);
unfold();
