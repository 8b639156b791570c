"""The model on loopback: answers the four protocols with one word, keeps what it was asked, and lets nothing through."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Self

WORD = "done"
OURS = ("127.0.0.1", "localhost")


class StubModel:
    """A model on a free port of 127.0.0.1 that waits for a request with the given prompt.

    It is its own proxy: a program that is sent through a proxy reaches this model and nothing else.
    """

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self.bodies: list[Mapping[str, object]] = []
        self.arrived = Event()
        handler = type("Handler", (_Handler,), {"stub": self})
        self._server = _Server((OURS[0], 0), handler)
        self.port = self._server.server_port

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, body: Mapping[str, object]) -> None:
        """Keeps a request to the stub that carries the prompt; one that offers tools as well is the one that was waited for."""
        if self.prompt in json.dumps(body, ensure_ascii=False):
            self.bodies.append(body)
            if _offers_tools(body):
                self.arrived.set()

    def first(self) -> Mapping[str, object] | None:
        """Returns the request of the stub model's that was meant: the first with the prompt and with tools, else the first with the prompt. What only asks for a title has no tools."""
        return next(filter(_offers_tools, self.bodies), next(iter(self.bodies), None))


def _offers_tools(body: Mapping[str, object]) -> bool:
    """Whether a request offers tools, and does not demand one: titles of sessions are asked for in that way."""
    choice = body.get("tool_choice")
    demanded = isinstance(choice, Mapping) and choice.get("type") in ("function", "tool")
    return bool(body.get("tools")) and not demanded


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing: a program that asked the stub and was ended closes its connection at any time."""


class _Handler(BaseHTTPRequestHandler):
    stub: StubModel
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def do_CONNECT(self) -> None:
        if self.path.rpartition(":")[0] not in OURS:
            return self.send_error(403)
        self.send_response(200)
        self.end_headers()
        self.close_connection = False  # what comes next on this connection is for us
        return None

    def do_GET(self) -> None:
        self._answer(
            "application/json", json.dumps({"data": [{"id": "stub", "object": "model"}], "models": []})
        )

    def do_POST(self) -> None:
        body = _parsed(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        if self.path.startswith("http") and self.path.split("/")[2].partition(":")[0] not in OURS:
            return self.send_error(403)
        self.stub.take(body)
        return self._answer(*reply(self.path, stream=bool(body.get("stream"))))

    def _answer(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _parsed(data: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def reply(path: str, *, stream: bool) -> tuple[str, str]:
    """Returns the type and text of what the stub of a model answers to a call, by its path."""
    table = (
        ("count_tokens", ("application/json", json.dumps({"input_tokens": 1}))),
        ("countTokens", ("application/json", json.dumps({"totalTokens": 1}))),
        ("/messages", ("text/event-stream", _anthropic())),
        ("/responses", ("text/event-stream", _responses())),
        (
            "/chat/completions",
            ("text/event-stream", _chat()) if stream else ("application/json", _chat_whole()),
        ),
        ("streamGenerateContent", ("text/event-stream", f"data: {_gemini()}\n\n")),
        ("generateContent", ("application/json", _gemini())),
    )
    return next((answer for part, answer in table if part in path), ("application/json", "{}"))


def _event(kind: str, **data: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"


def _anthropic() -> str:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "stub",
        "content": [],
        "usage": usage,
    }
    stop = {"stop_reason": None, "stop_sequence": None}
    return "".join(
        (
            _event("message_start", message={**message, **stop}),
            _event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
            _event("content_block_delta", index=0, delta={"type": "text_delta", "text": WORD}),
            _event("content_block_stop", index=0),
            _event("message_delta", delta={**stop, "stop_reason": "end_turn"}, usage={"output_tokens": 1}),
            _event("message_stop"),
        )
    )


def _responses() -> str:
    content = [{"type": "output_text", "text": WORD}]
    item = {"type": "message", "role": "assistant", "id": "i", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return "".join(
        (
            _event("response.created", response={"id": "r"}),
            _event("response.output_item.done", item=item),
            _event("response.completed", response={"id": "r", "usage": usage}),
        )
    )


def _chat() -> str:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    choices: tuple[dict[str, object], ...] = (
        {"index": 0, "delta": {"role": "assistant", "content": WORD}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    )
    chunks = (f"data: {json.dumps({**head, 'choices': [choice]})}\n\n" for choice in choices)
    return "".join((*chunks, "data: [DONE]\n\n"))


def _chat_whole() -> str:
    choice = {"index": 0, "message": {"role": "assistant", "content": WORD}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": "stub"}
    return json.dumps({**head, "choices": [choice], "usage": usage})


def _gemini() -> str:
    answer = {"content": {"role": "model", "parts": [{"text": WORD}]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return json.dumps({"candidates": [answer], "usageMetadata": usage})
