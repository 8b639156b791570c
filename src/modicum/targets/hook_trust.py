"""Finds hooks of ours that an agent skips because its user has not trusted them, as Codex records it. Pure.

Codex keeps what was trusted in `config.toml`, by the place of a hook and a digest of what it runs (run on 2026-11-16 with 0.166.0):

    [hooks.state."/home/me/.codex/hooks.json:session_start:0:0"]
    trusted_hash = "sha256:…"
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from modicum.base.hashes import sha256

_SECONDS = 600  # what Codex takes where a hook names no timeout
_SECONDS_AT_THE_END = 1
_MOST_SECONDS_AT_THE_END = 3


def untrusted_hooks(
    hooks: Mapping[str, Any], settings: Mapping[str, Any], paths: Collection[str], mark: str
) -> tuple[str, ...]:
    """Returns the events whose hooks with `mark` in the command are not trusted in their present form.

    `hooks` are those of a hooks file, which Codex may know by any of `paths`; `settings` are those of its user.
    """
    state = _table(_table(settings, "hooks"), "state")
    found = dict.fromkeys(
        event
        for event, group, place, handler in _handlers(_table(hooks, "hooks"))
        if mark in str(handler.get("command", ""))
        and not any(_is_trusted(state, f"{path}:{place}", event, group, handler) for path in paths)
    )
    return tuple(found)


def is_trusted_project(settings: Mapping[str, Any], paths: Collection[str]) -> bool:
    """Returns True if the user of Codex trusts a project, without which no hook in its `.codex` is read at all."""
    projects = _table(settings, "projects")
    return any(_table(projects, path).get("trust_level") == "trusted" for path in paths)


def _handlers(
    hooks: Mapping[str, Any],
) -> Iterator[tuple[str, Mapping[str, Any], str, Mapping[str, Any]]]:
    for event, groups in hooks.items():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else ()
            for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if isinstance(handler, dict):
                    yield event, group, f"{_label(event)}:{at}:{number}", handler


def _is_trusted(
    state: Mapping[str, Any], key: str, event: str, group: Mapping[str, Any], handler: Mapping[str, Any]
) -> bool:
    known = _table(state, key)
    return known.get("enabled") is not False and known.get("trusted_hash") == _digest(event, group, handler)


def _digest(event: str, group: Mapping[str, Any], handler: Mapping[str, Any]) -> str:
    normal = {"async": False, **handler, "timeout": _seconds(event, handler)}
    matcher = {"matcher": group["matcher"]} if group.get("matcher") is not None else {}
    identity = {"event_name": _label(event), "hooks": [normal], **matcher}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _seconds(event: str, handler: Mapping[str, Any]) -> object:
    if event != "SessionEnd":
        return handler.get("timeout", _SECONDS)
    named = handler.get("timeout", _SECONDS_AT_THE_END)
    return min(named, _MOST_SECONDS_AT_THE_END) if isinstance(named, int) else named


def _label(event: str) -> str:
    return re.sub(r"(?<!\A)(?=[A-Z])", "_", event).lower()


def _table(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
