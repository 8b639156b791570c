"""The tools of specs: what they answer, in which amount, and that what they say is true."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.whose import enter_folder, with_origin

from modicum.base.config import Config, load_config
from modicum.base.value import replace
from modicum.engine.tokens import count
from modicum.mcp import resources
from modicum.mcp.server import call
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext
from modicum.memory.model import NoteDraft
from modicum.memory.people.access import Person

EXAMPLES = int(os.environ.get("MODICUM_EXAMPLES", "20"))
TOOLS = choose_tools(["all"])
LEVELS = ("summary", "standard", "full")
READERS: dict[str, dict[str, Any]] = {
    "sdd_context_check": {"change_description": "use Redis for sessions"},
    "sdd_suggest_context": {"task_description": "use Redis for sessions"},
    "sdd_review": {"change_description": "use Redis for sessions"},
    "sdd_get_context": {},
    "sdd_change_status": {"all": True},
    "sdd_audit": {},
    "sdd_scan": {},
}
WORDS = st.text(alphabet=st.sampled_from('ab cdé中文😀\n\r#*`-."\\'), max_size=60)
TEXT = st.one_of(WORDS, st.tuples(WORDS, st.integers(1, 90)).map(lambda pair: f"{pair[0]} Redis. " * pair[1]))
TEXTS = st.lists(TEXT, min_size=1, max_size=9)
BUDGETS = st.one_of(st.integers(20, 300), st.integers(20, 3_000), st.integers(20, 20_000))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    home = tmp_path / "home"
    own = home / "shop" / ".modicum"
    own.mkdir(parents=True)
    (own / "config.yaml").write_text("profile: minimal\n", encoding="utf-8")
    (home / "shop" / ".git").mkdir()
    return load_config({"MODICUM_HOME": str(home / "modicum"), "HOME": str(home)}, home / "shop")


@pytest.fixture
def project(config: Config) -> Path:
    return Path(config.root)


def write(root: Path, texts: list[str]) -> None:
    """A project with documents, decisions, changes and conventions from some texts."""
    files = (
        "AGENTS.md",
        "docs/requirements.md",
        "docs/design.md",
        "docs/adrs/001-a.md",
        "docs/adrs/002-b.md",
        "docs/changes/one/describe.md",
        "docs/changes/two/spec.md",
        "src/main.py",
        "README.md",
    )
    for file in files:
        (root / file).unlink(missing_ok=True)
    for number, (file, text) in enumerate(zip(files, texts, strict=False)):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        body = f"# Text {number}\n\n- **FR-{number:03}**: use sessions\n\n{text}\n"
        (root / file).write_text(body, encoding="utf-8", newline="")
    for name in ("one", "two"):
        folder = root / "docs" / "changes" / name
        if folder.is_dir():
            steps = [{"name": "describe", "status": "in_progress"}, {"name": "verify"}]
            record = {"id": name, "type": "fix", "size": "small", "description": "sessions", "stages": steps}
            (folder / "change.json").write_text(json.dumps({**record, "branch": name}), encoding="utf-8")


def told_by(desk: ToolContext, name: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    result: Any = call(desk, TOOLS, name, arguments)
    assert not result.get("isError"), result
    return result["content"][0]["text"], result.get("structuredContent", {})


def pages(desk: ToolContext, name: str, arguments: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = [told_by(desk, name, arguments)]
    while following := _next(*found[-1]):
        assert len(found) < 200, "there is no end"
        found.append(told_by(desk, name, {**arguments, "cursor": following}))
    return found


def _next(text: str, data: dict[str, Any]) -> str:
    """The cursor to go on with; a page with little room is only text."""
    found = None if data else re.search(r"cursor=(\S+)$", text)
    return found[1] if found else data.get("next") or ""


def check_page(text: str, data: dict[str, Any], most: int) -> None:
    assert count(text) <= most
    if not data:
        return  # with so little room there is one item, and only its text
    assert count(json.dumps(data, ensure_ascii=False, separators=(",", ":"))) <= most
    assert (data["text"], data["used"], data["limit"]) == (text, count(text), most)
    assert data["shown"] == len(data["items"]) <= data["total"]
    if data["next"]:
        counts = re.match(r"(\d+) of (\d+) shown(?:.*?, (\d+) left)?", text.rsplit("\n", 1)[-1])
        assert counts is not None
        assert [int(part or 0) for part in counts.groups()] == [data["shown"], data["total"], data["omitted"]]


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    TEXTS,
    BUDGETS,
    st.sampled_from(LEVELS),
    st.sampled_from(sorted(READERS)),
    st.none() | st.integers(1, 5),
)
def test_replies_are_never_over_and_pages_tell_of_everything_once(
    project: Path, desk: ToolContext, texts: list[str], most: int, level: str, name: str, limit: int | None
) -> None:
    write(project, texts)
    arguments = {**READERS[name], "detail_level": level, "max_tokens": most} | (
        {"limit": limit} if limit else {}
    )
    told: list[Any] = []
    for text, data in pages(desk, name, arguments):
        check_page(text, data, most)
        told += [*data.get("items", ()), *([data["too_large"]] if "too_large" in data else [])]
    assert len(told) == len(set(told))
    assert not data or len(told) == data["total"] or most < 200


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(READERS))
def test_a_larger_budget_never_shows_fewer_findings(
    project: Path, desk: ToolContext, name: str, level: str
) -> None:
    write(project, [f"Sessions live in Redis, number {number}." for number in range(9)])
    arguments = {**READERS[name], "detail_level": level, "limit": 5}
    replies = [told_by(desk, name, {**arguments, "max_tokens": most}) for most in range(100, 700, 40)]
    numbers = [data["shown"] for _, data in replies if data]

    assert numbers == sorted(numbers)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_every_handle_fetches_what_it_stands_for(project: Path, desk: ToolContext, texts: list[str]) -> None:
    write(project, texts)
    desk.store.save(NoteDraft("Redis", "Redis keeps sessions.", "decision", "shop"))
    for name in ("sdd_context_check", "sdd_get_context", "sdd_change_status"):
        brief = {**READERS[name], "detail_level": "summary"}
        for key in told_by(desk, name, brief)[1]["items"]:
            if key.startswith("n-"):
                assert told_by(desk, "mem_get", {"id": key})[1]["id"] == key
            elif key.startswith("pack:"):
                assert told_by(desk, "pack_read", {"key": key})[0]
            elif key != "project:":
                assert told_by(desk, "sdd_get_context", {"stage": key})[1]["key"] == key


def test_a_document_is_whole_by_pages_too(project: Path, desk: ToolContext) -> None:
    text = "".join(f"- **FR-{number:03}**: The shop keeps {number} orders.\n" for number in range(400))
    (project / "docs").mkdir()
    (project / "docs" / "requirements.md").write_text(text, encoding="utf-8")

    found = pages(desk, "sdd_get_context", {"stage": "requirements", "max_tokens": 900})

    assert len(found) > 5
    assert "".join(data["content"] for _, data in found) == text
    assert all(count(page) <= 900 for page, _ in found)


def test_without_an_amount_there_is_the_usual_one(project: Path, desk: ToolContext) -> None:
    write(project, ["Redis. " * 3_000] * 9)

    text, data = told_by(desk, "sdd_context_check", {**READERS["sdd_context_check"], "detail_level": "full"})
    brief, _ = told_by(desk, "sdd_get_context", {})

    assert count(text) <= data["limit"] == 6_000
    assert "- [x] requirements.md\n" in brief  # a summary, unless more is asked for


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("sdd_get_context", {"stage": "requirement"}, "specify, business-rules, clarify, design"),
        ("sdd_get_context", {"stage": "adr:9"}, 'there is no decision "9"'),
        ("sdd_get_context", {"stage": "file:../secret"}, 'there is no "../secret"'),
        ("sdd_get_context", {"detail_level": "all"}, "summary, standard or full"),
        ("sdd_get_context", {"cursor": "7"}, "this is no cursor of ours"),
        ("sdd_context_check", {}, "say what you want to change"),
        (
            "sdd_context_check",
            {"change_description": "x", "cursor": "7"},
            "this is no cursor of ours",
        ),
        ("sdd_change", {"action": "dance"}, "new, advance, back, reopen, resize, cancel, archive"),
        (
            "sdd_change",
            {"action": "new", "type": "hotfix", "size": "small"},
            "fix, feature, refactor, enhancement",
        ),
        ("sdd_change", {"action": "new", "type": "fix", "size": "xl"}, "there are: small, medium, large"),
        ("sdd_change", {"action": "advance"}, "sdd_change action=new type=fix"),
        ("sdd_change", {"action": "archive"}, "sdd_change_status all=true"),
        ("sdd_change_status", {"change_id": "nope"}, "sdd_change_status all=true"),
        ("sdd_project", {"action": "write"}, "sdd_project action=init"),
        ("sdd_adr", {"title": "Keys"}, "a decision needs its context, decision and rationale (call again"),
        ("sdd_scan", {"path": "../.."}, "is outside of the project"),
        ("sdd_audit", {"path": "x" * 5_000}, "… is no folder (name a folder in "),
        ("sdd_audit", {"path": "a\0b"}, "is no folder (name a folder in "),
        ("sdd_get_context", {"stage": "a\0b/c"}, 'there is no stage "'),
        ("sdd_change_status", {"change_id": "x" * 5_000}, '…" (sdd_change_status all=true)'),
        ("sdd_bootstrap", {}, "there is nothing to write a draft from"),
    ],
)
def test_what_is_wrong_says_what_is_right(
    project: Path, ask, name: str, arguments: dict[str, Any], said: str
) -> None:
    answer = ask(name, **arguments)

    assert answer.failed
    assert said in answer.text
    assert "modicum " not in answer.text  # commands are for people at a shell


def test_a_change_is_worked_on_in_lines(project: Path, ask) -> None:
    begun = ask("sdd_change", action="new", type="fix", size="small", description="Login fails")
    assert begun.text.startswith(
        "change:login-fails is at describe. Next: write docs/changes/login-fails/describe.md and call "
        "action=advance, or call it with content. Stages: describe,"
    )
    assert begun.data["id"] == "change:login-fails"
    assert ask("sdd_change", action="advance", content="Nobody gets in.").data["stage"] == "context-check"
    assert ask("sdd_change", action="back").data["stage"] == "describe"
    for text in (None, None):
        ask("sdd_change", action="advance", **({"content": text} if text else {}))

    shut = ask("sdd_change", action="advance", content="none")

    assert not shut.failed
    assert not shut.data["advanced"]
    assert shut.text.startswith(
        "change:login-fails stays at tasks. The text is kept in docs/changes/login-fails/tasks.md. "
        "Edit docs/changes/login-fails/tasks.md and call again without content."
    )
    assert "error: docs/changes/login-fails/tasks.md: has no task" in shut.text
    assert all("\n" not in each.text for each in (begun, shut))
    assert ask("sdd_change", action="advance", content="- [x] T1: mend it").data["stage"] == "verify"
    assert "- wave 1: T1" in ask("sdd_change_status", change_id="login-fails").text
    assert "completed" in ask("sdd_change", action="advance", content="Verdict: PASS").text
    assert ask("mem_search", query="login-fails").data["total"] == 1
    assert ask("sdd_change_status").text == "No change is open. sdd_change begins one."
    assert "login-fails" in ask("sdd_change_status", all=True).text
    assert ask("sdd_change", action="archive", change_id="login-fails").data["status"] == "archived"


def test_decisions_thoughts_and_documents_in_lines(project: Path, ask) -> None:
    parts = {"context": "c", "decision": "Never use Redis.", "rationale": "r"}
    first = ask("sdd_adr", title="No Redis", **parts)
    second = ask("sdd_adr", title="Use Redis", **{**parts, "decision": "Use Redis."}, supersedes="1")
    thought = ask("sdd_explore", title="Cache", goals="a quick fix")

    assert first.text == "adr:001 is accepted (docs/adrs/001-no-redis.md)."
    assert second.text.endswith("It supersedes 1.")
    assert "small fix" in thought.text
    assert ask("mem_get", id=thought.data["id"]).data["topic_key"] == "explore/cache"
    assert ask("sdd_project", action="init", name="Shop", description="Books").text.endswith(
        "at principles. Next: write docs/principles.md and call action=write, or call it with content."
    )
    assert ask("sdd_project", action="write", content="- Cents are whole.").data["stage"] == "charter"
    assert ask("sdd_project", action="back", stage="principles").text == (
        "Shop is at principles again. Next: write docs/principles.md and call action=write, or call it with content."
    )
    assert "of the 70 that guided mode asks for" in ask("sdd_project", action="clarify").text


def test_specs_are_resources(project: Path, desk: ToolContext) -> None:
    from modicum.mcp import resources

    write(project, ["Redis"] * 9)
    listed = [str(each["uri"]) for each in resources.listed(desk)]

    assert "modicum://artifact/requirements.md" in listed
    assert {"modicum://adr/001", "modicum://adr/002", "modicum://change/one"} <= set(listed)
    for uri in listed:
        assert resources.read(desk, uri)
    assert "# Text 5" in resources.read(desk, "modicum://change/one/describe")


def test_the_default_set_costs_little() -> None:
    tools = [tool.described() for tool in choose_tools(["core"]).tools.values()]

    assert count(json.dumps({"tools": tools}, ensure_ascii=False)) < 2_000


def test_a_start_without_specs_does_not_read_them() -> None:
    code = (
        "import sys; from modicum.mcp.sets import choose_tools; choose_tools(['core']);"
        "print([name for name in sys.modules if name.startswith('modicum.specs')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert found.stdout == "[]\n"


def test_whoever_may_not_see_the_project_sees_no_specs_of_it(desk):
    tools = choose_tools(["all"])

    def said(person: Person, name: str, **arguments: str) -> Any:
        theirs = replace(desk, store=desk.store.seen_by(person))
        return call(theirs, tools, name, arguments)

    with_origin(desk.config.root, "https://github.com/acme/shop")
    enter_folder(desk.store, desk.config.root, desk.config.environment)
    begin = {"action": "new", "type": "fix", "size": "small", "description": "Login fails"}
    mia, guest, reader = Person("mia"), Person("guest", ("other",)), Person("reader", read_only=True)

    assert not said(mia, "sdd_change", **begin).get("isError")
    assert 'guest may not read "shop"' in str(said(guest, "sdd_change_status"))
    assert said(guest, "sdd_change", **begin)["isError"]
    assert "reader may only read" in str(said(reader, "sdd_change", **begin))
    assert "Login fails" in str(said(reader, "sdd_change_status"))
    status = tools.tools["sdd_change_status"]
    renamed = tools._replace(tools={"open_changes": status._replace(name="open_changes")})
    theirs = replace(desk, store=desk.store.seen_by(guest))
    assert 'guest may not read "shop"' in str(call(theirs, renamed, "open_changes", {}))

    with_git = replace(desk, config=replace(desk.config, project_use=("git",)))
    listed = [each["uri"] for each in resources.listed(replace(with_git, store=desk.store.seen_by(guest)))]
    assert listed
    assert not any("change/" in uri for uri in listed)
