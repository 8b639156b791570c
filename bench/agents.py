"""What real agent programs hand to a model when it calls our tools: python bench/agents.py claude=PATH opencode=PATH qwen=PATH

Each program is started with a home of its own, our server, and a model on loopback that calls `mem_context` once. Nothing leaves the
machine. Printed are the tools that the program offered the model, and what the model was told.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODICUM = str(Path(sys.executable).parent / "modicum")
ARGUMENTS = {"detail_level": "summary", "max_tokens": 300}
SECONDS = 120


class Model(BaseHTTPRequestHandler):
    """Calls the tool if it is offered and has not been called, and says a word otherwise."""

    offered: list[str]
    told: list[str]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send("application/json", [json.dumps({"data": []})])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if "count_tokens" in self.path:
            return self._send("application/json", [json.dumps({"input_tokens": 9})])
        speak = anthropic if "messages" in self.path else openai
        names = [
            tool.get("name") or tool.get("function", {}).get("name", "") for tool in body.get("tools", [])
        ]
        ours = [name for name in names if name.endswith("mem_context")]
        self.offered += [name for name in names if "mem_" in name or "pack_" in name]
        heard = [*results(body)]
        self.told += heard
        return self._send("text/event-stream", speak(ours[0] if ours and not heard else ""))

    def _send(self, kind: str, lines: Iterable[str]) -> None:
        data = "".join(lines).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def results(body: dict[str, Any]) -> Iterator[str]:
    """What came back from tools, in either of the two protocols."""
    for message in body.get("messages", []):
        if message.get("role") == "tool":
            yield _text(message.get("content"))
        for part in message["content"] if isinstance(message.get("content"), list) else ():
            if part.get("type") == "tool_result":
                yield _text(part.get("content"))


def _text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def anthropic(tool: str) -> Iterator[str]:
    def event(kind: str, **data: object) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "stub",
        "content": [],
        "usage": usage,
    }
    yield event("message_start", message={**message, "stop_reason": None, "stop_sequence": None})
    if tool:
        block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}
    yield event("content_block_start", index=0, content_block=block)
    yield event("content_block_delta", index=0, delta=delta)
    yield event("content_block_stop", index=0)
    stop = {"stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None}
    yield event("message_delta", delta=stop, usage={"output_tokens": 1})
    yield event("message_stop")


def openai(tool: str) -> Iterator[str]:
    call = {"index": 0, "id": "call_1", "type": "function"}
    call["function"] = {"name": tool, "arguments": json.dumps(ARGUMENTS)}  # type: ignore[assignment]
    delta = {"role": "assistant", **({"tool_calls": [call]} if tool else {"content": "done"})}
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    end = "tool_calls" if tool else "stop"
    for choice in (
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": end},
    ):
        yield f"data: {json.dumps({**head, 'choices': [choice]})}\n\n"
    yield "data: [DONE]\n\n"


def prepare(name: str, home: Path, port: int) -> tuple[list[str], dict[str, str]]:
    """The arguments and the environment of a program, with its settings written."""
    url, server = f"http://127.0.0.1:{port}", {"command": MODICUM, "args": ["mcp", "--project", "shop"]}
    if name == "claude":
        (home / "mcp.json").write_text(json.dumps({"mcpServers": {"modicum": server}}))
        told = ["-p", "go", "--mcp-config", str(home / "mcp.json"), "--strict-mcp-config"]
        return [*told, "--allowedTools", "mcp__modicum__mem_context"], {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "stub",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Else the first request does not wait for servers, and tools are behind a search, which the model here does not use.
            "MCP_CONNECTION_NONBLOCKING": "false",
            "ENABLE_TOOL_SEARCH": "false",
        }
    if name == "qwen":
        (home / ".qwen").mkdir()
        settings = {"mcpServers": {"modicum": {**server, "trust": True}}}
        settings["security"] = {"auth": {"selectedType": "openai"}}  # type: ignore[dict-item]
        (home / ".qwen" / "settings.json").write_text(json.dumps(settings))
        return ["-p", "go", "--yolo"], {
            "OPENAI_API_KEY": "stub",
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_MODEL": "stub",
        }
    provider = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"{url}/v1", "apiKey": "stub"}}
    settings = {
        "provider": {"stub": {**provider, "models": {"stub": {}}}},
        "model": "stub/stub",
        "mcp": {"modicum": {"type": "local", "command": [MODICUM, "mcp", "--project", "shop"]}},
    }
    (home / "project" / "opencode.json").write_text(json.dumps(settings))
    return ["run", "--model", "stub/stub", "go"], {}


def run(name: str, program: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "project").mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "MODICUM_HOME": f"{folder}/modicum"}
        save = [
            MODICUM,
            "save",
            "Use WAL",
            "Readers must not block writers.",
            "--project",
            "shop",
            "--type",
            "decision",
        ]
        subprocess.run(save, env=environment, check=True, stdout=subprocess.DEVNULL)
        handler = type("Handler", (Model,), {"offered": [], "told": []})
        listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        arguments, more = prepare(name, home, listening.server_port)
        try:
            done = subprocess.run(
                [program, *arguments], cwd=home / "project", env={**environment, **more}, timeout=SECONDS,
                capture_output=True, stdin=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            said = done.stdout.strip()[-200:] or done.stderr.strip()[-400:]
        except subprocess.TimeoutExpired:
            said = f"nothing within {SECONDS} s"
        listening.shutdown()
    print(f"== {name}\noffered: {', '.join(dict.fromkeys(handler.offered)) or 'none of ours'}")  # type: ignore[attr-defined]
    for text in dict.fromkeys(handler.told):  # type: ignore[attr-defined]
        print(f"the model was told: {text[:600]}")
    print(f"it said: {said}\n")


if __name__ == "__main__":
    for word in sys.argv[1:]:
        run(*word.split("=", 1))  # type: ignore[call-arg]
