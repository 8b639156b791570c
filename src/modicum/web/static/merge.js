// Sends the text of two merged notes.
import { send } from "./page.js";

const form = document.getElementById("merged");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { keep, other, revisions } = form.dataset;
  const done = await send("/web/memory/merge", {
    keep: Number(keep),
    other: Number(other),
    revisions: revisions.split(",").map(Number),
    title: form.elements.title.value,
    content: form.elements.content.value,
  });
  if (!done) return;
  sessionStorage.setItem("modicum-done", JSON.stringify(done));
  location.assign(`/web/memory?project=*&note=${done.id}`);
});
