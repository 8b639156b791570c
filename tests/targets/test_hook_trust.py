"""Which of our hooks Codex skips. The digests are those that Codex 0.166.0 itself lists (`hooks/list` of its app server)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modicum.targets.hook_trust import is_trusted_project, untrusted_hooks

FILE = "/home/me/.codex/hooks.json"
START = "/opt/modicum/bin/modicum hook session-start --harness codex"
END = "/opt/modicum/bin/modicum hook session-end --harness codex"
DIGEST = "sha256:db2a8d4738e2d41083bb96f96aaa3f33b09267137f6a7bc2002b5040a50bd855"
DIGEST_WITH_MATCHER = "sha256:5df39477817fab39074e58ad647c43be8b94701ab5dc02dfc27d2f8d9dd8335a"
DIGEST_OF_END = "sha256:8d0ab620c24d0b70b3db0b0feb2e72da3842a355765e713534ec60cf4d314708"
DIGEST_OF_LONG_END = "sha256:f98594a9796d7d1daf078cd7df8d21be2a5a03392fff709819924bffedc20551"


def hooks(
    command: str = START, event: str = "SessionStart", group: Any = None, **more: Any
) -> dict[str, Any]:
    handler = {"type": "command", "command": command, **more}
    return {"hooks": {event: [{"hooks": [handler], **(group or {})}]}}


def state(digest: str, place: str = "session_start:0:0", **more: Any) -> dict[str, Any]:
    return {"hooks": {"state": {f"{FILE}:{place}": {"trusted_hash": digest, **more}}}}


def skipped(written: dict[str, Any], settings: dict[str, Any]) -> tuple[str, ...]:
    return untrusted_hooks(written, settings, (FILE,), "--harness codex")


def test_a_hook_without_an_entry_is_skipped() -> None:
    assert skipped(hooks(), {}) == ("SessionStart",)
    assert skipped(hooks(), state(DIGEST, "stop:0:0")) == ("SessionStart",)


def test_a_hook_that_was_trusted_as_it_is_runs() -> None:
    assert skipped(hooks(), state(DIGEST)) == ()
    assert skipped(hooks(group={"matcher": "startup"}, timeout=7), state(DIGEST_WITH_MATCHER)) == ()
    assert skipped(hooks(END, "SessionEnd"), state(DIGEST_OF_END, "session_end:0:0")) == ()
    assert skipped(hooks(END, "SessionEnd", timeout=7), state(DIGEST_OF_LONG_END, "session_end:0:0")) == ()


def test_a_hook_that_was_changed_or_switched_off_is_skipped() -> None:
    assert skipped(hooks(START.replace("/opt", "/usr")), state(DIGEST)) == ("SessionStart",)
    assert skipped(hooks(timeout=8), state(DIGEST)) == ("SessionStart",)
    assert skipped(hooks(), state(DIGEST, enabled=False)) == ("SessionStart",)


def test_hooks_of_others_are_their_own_matter() -> None:
    assert skipped(hooks("echo"), {}) == ()
    assert skipped({"hooks": {"SessionStart": [{"hooks": ["--harness codex"]}, "x"], "Stop": 5}}, {}) == ()


def test_a_project_counts_once_it_is_trusted() -> None:
    settings = {"projects": {"/shop": {"trust_level": "trusted"}, "/toys": {"trust_level": "untrusted"}}}

    assert is_trusted_project(settings, ("/link", "/shop"))
    assert not is_trusted_project(settings, ("/toys",))
    assert not is_trusted_project({}, ("/shop",))


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(("hooks", "state", "projects", "SessionEnd", "timeout")), inner)
    ),
)


@given(junk, junk)
def test_whatever_the_files_hold_there_is_an_answer(written: Any, settings: Any) -> None:
    found = skipped({"hooks": written}, {"hooks": settings, "projects": settings})

    assert isinstance(found, tuple)
    assert not is_trusted_project({"projects": settings}, ("/shop",))
