"""A small agent program for tests: reads AGENTS.md of its folder and its home, and asks a model, as a real one does.

Its arguments say what it does: `--ask` (default), `--silent`, `--fail`, `--linger`.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HOME = Path(os.environ["HOME"])


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def post(path: str, body: object) -> None:
    data = json.dumps(body).encode()
    asked = urllib.request.Request(os.environ["STUB_URL"] + path, data, {"Content-Type": "application/json"})
    urllib.request.urlopen(asked, timeout=10).read()


def main(prompt: str) -> None:
    here = [text_of(Path("AGENTS.md")), text_of(HOME / ".codex" / "AGENTS.md")]
    left = {name: value for name, value in os.environ.items() if "KEY" in name or "TOKEN" in name}
    title = [{"role": "user", "content": f"a title for {prompt}"}]
    post("/v1/chat/completions", {"messages": title})
    function = {"type": "function", "function": {"name": "title"}}
    post("/v1/chat/completions", {"messages": title, "tools": [function], "tool_choice": function})
    system = "\n".join(("You are an agent.", *here, f"Folder: {Path.cwd()}"))
    messages = [{"role": "system", "content": system}, {"role": "user", "content": [{"text": prompt}]}]
    messages.append({"role": "user", "content": json.dumps(left)})
    tools = [{"type": "function", "function": {"name": "read", "parameters": {}}}]
    post("/v1/chat/completions", {"messages": messages, "tools": tools, "stream": True})
    time.sleep(60)  # until it is ended


if __name__ == "__main__":
    if "--fail" in sys.argv:
        sys.exit("no licence")
    if "--linger" in sys.argv:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path(os.environ["PID_FILE"]).write_text(str(child.pid), encoding="utf-8")
    if "--silent" in sys.argv:
        time.sleep(60)
    main(sys.argv[-1])
