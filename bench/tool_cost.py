"""Measures what our tools cost in the first request of real agent programs: python bench/tool_cost.py codex=PATH gemini=PATH …

Each program is started twice in a home of its own, without and with our MCP server, with a model on loopback that says one word. Nothing
leaves the machine. Printed are the tokens (o200k_base) by which the requests before the first answer differ, which of our tools they hold,
and what `modicum doctor` says. The figures are the source of `tool_list` in the adapters.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from modicum.engine.tokens import count

MODICUM = str(Path(sys.executable).parent / "modicum")
SECONDS = 200
IDS = {"claude": "claude-code", "gemini": "gemini-cli"}


class Model(BaseHTTPRequestHandler):
    """Keeps every request, and says one word in the protocol that it was asked in."""

    requests: list[dict[str, Any]]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send("application/json", [json.dumps({"data": [{"id": "stub", "context_length": 200_000}]})])

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if "ountTokens" in self.path or "count_tokens" in self.path:
            return self._send(
                "application/json", [json.dumps({"input_tokens": 9, "totalTokens": 9, "total_tokens": 9})]
            )
        self.requests.append(body)
        for word, speak in (("messages", anthropic), ("responses", responses), ("enerateContent", gemini)):
            if word in self.path:
                kind = "text/event-stream" if "treamGen" in self.path or word != "enerateContent" else "json"
                return self._send(kind if "/" in kind else "application/json", speak(kind == "json"))
        return self._send("text/event-stream", chat())

    def _send(self, kind: str, lines: Iterable[str]) -> None:
        data = "".join(lines).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def anthropic(_: bool) -> Iterator[str]:
    def event(kind: str, **data: object) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "stub", "content": []}
    yield event(
        "message_start", message={**message, "usage": usage, "stop_reason": None, "stop_sequence": None}
    )
    yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": "done"})
    yield event("content_block_stop", index=0)
    yield event(
        "message_delta",
        delta={"stop_reason": "end_turn", "stop_sequence": None},
        usage={"output_tokens": 1},
    )
    yield event("message_stop")


def responses(_: bool) -> Iterator[str]:
    def event(kind: str, **data: object) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    item = {"type": "message", "role": "assistant", "id": "i", "status": "completed"}
    item["content"] = [{"type": "output_text", "text": "done", "annotations": []}]  # type: ignore[assignment]
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    yield event("response.created", response={"id": "r"})
    yield event("response.output_item.done", output_index=0, item=item)
    yield event("response.completed", response={"id": "r", "usage": usage, "output": [item]})


def gemini(whole: bool) -> Iterator[str]:
    part = {"content": {"role": "model", "parts": [{"text": "done"}]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    text = json.dumps({"candidates": [part], "usageMetadata": usage})
    yield text if whole else f"data: {text}\n\n"


def chat() -> Iterator[str]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    for choice in (
        {"index": 0, "delta": {"role": "assistant", "content": "done"}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    ):
        yield f"data: {json.dumps({**head, 'choices': [choice]})}\n\n"
    yield "data: [DONE]\n\n"


def claude(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del home
    return ["-p", "say a word"], {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "stub",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "MCP_CONNECTION_NONBLOCKING": "false",
        # Where the address is not Anthropic's own, deferring is off unless it is asked for.
        "ENABLE_TOOL_SEARCH": "true",
    }


def codex(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del home
    provider = f'{{name="stub",base_url="{url}/v1",env_key="STUB_KEY",wire_api="responses"}}'
    told = [
        "exec",
        "-m",
        os.environ.get("CODEX_MODEL", "stub"),
        "--skip-git-repo-check",
        "-c",
        'model_provider="stub"',
    ]
    return [*told, "-c", f"model_providers.stub={provider}", "say a word"], {
        "STUB_KEY": "stub",
    }


def gemini_cli(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    (home / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings))
    return ["-m", "gemini-2.5-pro", "-p", "say a word", "--yolo", "--skip-trust"], {
        "GEMINI_API_KEY": "stub",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }


def qwen(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del home
    return ["-p", "say a word", "--yolo", "--auth-type", "openai"], {
        "OPENAI_API_KEY": "stub",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_MODEL": "stub",
    }


def opencode(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    provider = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"{url}/v1", "apiKey": "stub"}}
    settings = {"provider": {"stub": {**provider, "models": {"stub": {}}}}, "model": "stub/stub"}
    (home / "project" / "opencode.json").write_text(json.dumps(settings))
    return ["run", "--model", "stub/stub", "say a word"], {}


def copilot(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    del home
    return ["-p", "say a word", "--allow-all-tools"], {
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_OFFLINE": "true",
        "COPILOT_MODEL": "stub",
        "COPILOT_PROVIDER_API_KEY": "stub",
    }


def kimi(home: Path, url: str) -> tuple[list[str], dict[str, str]]:
    (home / ".kimi-code").mkdir(exist_ok=True)
    (home / ".kimi-code" / "config.toml").write_text(
        f'default_model = "stub"\n[providers.stub]\ntype = "openai"\nbase_url = "{url}/v1"\napi_key = "stub"\n'
        '[models.stub]\nprovider = "stub"\nmodel = "stub"\nmax_context_size = 200000\n'
    )
    return ["-p", "say a word"], {}


PROGRAMS = {
    "claude": claude, "codex": codex, "gemini": gemini_cli, "qwen": qwen,
    "opencode": opencode, "copilot": copilot, "kimi": kimi,
}  # fmt: skip


def add_server(name: str, home: Path) -> None:
    """Puts our server into the program's settings as `modicum setup` does, without the hooks, rules and skills."""
    from modicum.app.agents import setup
    from modicum.app.inject.load import load_knowledge
    from modicum.base.config import load_config
    from modicum.base.value import replace

    environment = {"HOME": str(home), "MODICUM_HOME": str(home / "modicum"), "PATH": os.environ["PATH"]}
    config = load_config(environment, home / "project")
    knowledge = load_knowledge(config)
    whole = knowledge.adapters[IDS.get(name, name)]
    only = replace(whole, hooks=(), hook_files=(), skills=(), permissions=(), contract=None, targets=())
    setup.perform_setup(config, knowledge, [only], "global", setup.Launcher(MODICUM))


def first_requests(name: str, program: str, *, served: bool) -> list[dict[str, Any]]:
    """The requests that a program sends for one prompt, with our server or without."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        (home / "project" / ".git").mkdir(parents=True)
        handler = type("Handler", (Model,), {"requests": []})
        listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        arguments, more = PROGRAMS[name](home, f"http://127.0.0.1:{listening.server_port}")
        if served:
            add_server(name, home)
            if name == "codex":  # else it does not wait for our server under load
                arguments = ["-c", "mcp_servers.modicum.required=true", *arguments]
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "MODICUM_HOME": f"{folder}/modicum"}
        try:
            done = subprocess.run(
                [program, *arguments], cwd=home / "project", env={**environment, **more}, timeout=SECONDS,
                capture_output=True, stdin=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            if not handler.requests:  # type: ignore[attr-defined]
                print(f"{name} sent nothing: {(done.stderr or done.stdout).strip()[-600:]}")
        except subprocess.TimeoutExpired:
            print(f"{name}: nothing within {SECONDS} s")
        listening.shutdown()
        return list(handler.requests)  # type: ignore[attr-defined]


def size(requests: list[dict[str, Any]]) -> int:
    """The tokens of the largest request: small ones choose a model or name the session."""
    return max(
        (count(json.dumps(each, ensure_ascii=False, separators=(",", ":"))) for each in requests), default=0
    )


def said_by_doctor(name: str) -> int:
    """What `modicum doctor` says about the cost of our tools for this program."""
    from modicum.app.agents.own_server import ask_server, tool_tokens
    from modicum.app.agents.setup import Launcher
    from modicum.app.inject.load import load_knowledge
    from modicum.base.config import load_config

    with tempfile.TemporaryDirectory() as folder:
        config = load_config({"HOME": folder, "PATH": os.environ["PATH"]}, Path(folder))
        adapter = load_knowledge(config).adapters[IDS.get(name, name)]
        return tool_tokens(adapter, ask_server(Launcher(MODICUM)))


def measure(name: str, program: str) -> None:
    began = time.monotonic()
    bare, served = (first_requests(name, program, served=with_server) for with_server in (False, True))
    if keep := os.environ.get("KEEP_REQUESTS"):
        for word, kept in (("bare", bare), ("served", served)):
            Path(keep, f"{name}-{word}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False))
    cost = size(served) - size(bare)
    print(
        f"{name:10}{cost:8,}{said_by_doctor(name):10,}   {len(bare)} and {len(served)} requests, {time.monotonic() - began:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    print(f"{'program':10}{'measured':>8}{'doctor':>10}")
    for word in sys.argv[1:]:
        measure(*word.split("=", 1))  # type: ignore[call-arg]
