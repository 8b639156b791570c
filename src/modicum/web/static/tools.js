// Fetches what our hook and tools cost, which takes seconds, after the rest is shown.
import { load } from "./page.js";

const tools = document.getElementById("tools");
if (tools?.dataset.costs) load(tools, `/${tools.dataset.costs}`);
