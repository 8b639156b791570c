"""Reads the transcript of a session, a file that the agent writes: its last message, and how full its window is."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TAIL_BYTES = 262_144  # of a transcript: the last message is near its end


def last_message(path: str) -> str:
    """Returns the agent's last message in a transcript file; "" if there is none."""
    return next(filter(None, map(_said, reversed(_tail(path).splitlines()))), "")


def last_input_tokens(path: str) -> int:
    """Returns how many tokens the last answer in a transcript had as its input; 0 if unknown."""
    _, found, rest = _tail(path).rpartition('"tokens":{"input":')
    number = rest[:12].partition(",")[0]
    return int(number) if found and number.isascii() and number.isdigit() else 0


def _tail(path: str) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            return file.read(_TAIL_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _said(line: str) -> str:
    import json

    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    message = entry.get("message", entry) if isinstance(entry, dict) else {}
    if not isinstance(message, dict) or message.get("role", entry.get("type")) != "assistant":
        return ""
    return _text_of(message.get("content"))


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    parts: Sequence[object] = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
