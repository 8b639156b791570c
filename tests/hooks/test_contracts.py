"""The table that hooks read in place of the adapters, and how it is put to use."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import modicum
from modicum.app.session.events import EVENTS, SessionEvent
from modicum.hooks.contracts import CONTRACTS, Contract
from modicum.hooks.payload import event_of
from modicum.hooks.replies import SHAPES, reply_of
from modicum.targets import model
from modicum.targets.load import load_adapters

ROOT = Path(__file__).parent.parent.parent
ADAPTERS = load_adapters([("built-in", Path(modicum.__file__).parent / "data")]).adapters


def test_the_table_is_what_the_adapters_say() -> None:
    said = {
        each.id: Contract(*(getattr(each.contract, name) for name in Contract._fields))
        for each in ADAPTERS
        if each.contract
    }

    assert said == CONTRACTS
    assert (
        subprocess.run([sys.executable, ROOT / "scripts" / "contracts", "--check"], check=False).returncode
        == 0
    )


def test_the_manual_says_what_each_agent_does_not_allow() -> None:
    manual = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")

    assert [
        limit.what for each in ADAPTERS if each.contract for limit in each.cannot if limit.what not in manual
    ] == []


def test_both_sides_know_the_same_events_and_shapes() -> None:
    assert tuple(EVENTS) == model.MOMENTS
    assert set(SHAPES) == set(model.REPLY_SHAPES)


@pytest.mark.parametrize(
    ("harness", "told", "event"),
    [
        (
            "claude-code",
            {"session_id": "s", "cwd": "/p", "prompt": "why", "source": "clear", "hook_event_name": "UserPromptSubmit"},
            SessionEvent("prompt-submit", "s", "/p", "why", source="clear", name="UserPromptSubmit"),
        ),
        ("cursor", {"conversation_id": "c", "workspace_roots": ["/a", "/b"]}, SessionEvent("prompt-submit", "c", "/a")),
        (
            "cline",
            {"taskId": "t", "workspaceRoots": ["/w"], "userPromptSubmit": {"prompt": "hi"}, "hookName": "UserPromptSubmit"},
            SessionEvent("prompt-submit", "t", "/w", "hi", name="UserPromptSubmit"),
        ),
        ("codex", {"session_id": 7, "cwd": None, "prompt": ["x"]}, SessionEvent("prompt-submit")),
        ("copilot", [1, 2], SessionEvent("prompt-submit")),
        ("cursor", {"workspace_roots": [], "hook_event_name": "x" * 50}, SessionEvent("prompt-submit")),
    ],
)  # fmt: skip
def test_what_an_agent_tells_is_read_by_its_contract(harness: str, told: object, event: SessionEvent) -> None:
    assert event_of("prompt-submit", told, CONTRACTS[harness]) == event


def test_each_agent_gets_its_own_words() -> None:
    said = {shape: reply_of(shape, 'a "b"\n中', "session-start", "sessionStart") for shape in SHAPES}

    assert said["text"] == 'a "b"\n中'
    assert json.loads(said["claude"]) == {
        "hookSpecificOutput": {"hookEventName": "sessionStart", "additionalContext": 'a "b"\n中'}
    }
    assert json.loads(said["cursor"]) == {"additional_context": 'a "b"\n中'}
    assert json.loads(said["cline"]) == {"cancel": False, "contextModification": 'a "b"\n中'}
    assert json.loads(said["copilot"])["additionalContext"] == 'a "b"\n中'
    assert json.loads(said["copilot"])["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_nothing_to_say_is_nothing_unless_an_agent_waits_for_an_answer() -> None:
    assert {shape: reply_of(shape, "", "session-end") for shape in SHAPES} == {
        **dict.fromkeys(SHAPES, ""),
        "cline": '{"cancel":false}',
    }
