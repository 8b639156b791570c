// The log of memory: takes changes back.
import { load, sayDone, send, watch } from "./page.js";

const log = document.getElementById("log");
const show = () => load(log, "/web/memory/log?part=1");

log.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-undo]");
  if (!button) return;
  const done = await send("/web/memory/undo", { batch: Number(button.dataset.undo) });
  if (!done) return;
  await show();
  sayDone(done, show);
});
watch(show);
