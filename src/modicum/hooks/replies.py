"""Wraps a hook's text in the JSON reply that each agent expects. Pure."""

import json
from collections.abc import Callable

NAMES = {
    "session-start": "SessionStart",
    "prompt-submit": "UserPromptSubmit",
    "session-end": "SessionEnd",
    "subagent-stop": "SubagentStop",
    "pre-compact": "PreCompact",
}

Shape = Callable[[str, str], str]


def reply_of(shape: str, text: str, kind: str, name: str = "") -> str:
    """Returns the reply a hook prints, in the agent's JSON; empty for no text, unless the agent waits."""
    if not text:
        return SILENCE.get(shape, "")
    return SHAPES[shape](text, name or NAMES[kind])


def _claude(text: str, name: str) -> str:
    return _written({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})


def _cursor(text: str, name: str) -> str:
    return _written({"additional_context": text})


def _copilot(text: str, name: str) -> str:
    # Copilot CLI reads the first, Visual Studio Code the second, and both read these files.
    specific = {"hookEventName": name[:1].upper() + name[1:], "additionalContext": text}
    return _written({"additionalContext": text, "hookSpecificOutput": specific})


def _cline(text: str, name: str) -> str:
    return _written({"cancel": False, "contextModification": text})


def _plain(text: str, name: str) -> str:
    return text


def _written(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


SHAPES: dict[str, Shape] = {
    "claude": _claude,
    "cursor": _cursor,
    "copilot": _copilot,
    "cline": _cline,
    "text": _plain,
}
COPIES = {"copilot": 2}  # how often a reply holds its text, if more than once
SILENCE = {"cline": '{"cancel":false}'}
