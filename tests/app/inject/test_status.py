"""Status, check, and the JSON of every command."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("starters")

START, END = "<!-- modicum:start:modicum -->", "<!-- modicum:end:modicum -->"
PAGE = {
    *("tool", "scope", "path", "state", "changed", "prefix", "limit_of", "detail", "format", "status"),
    *("text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"),
}


def state(world, *arguments: str) -> str:
    (row,) = world.modicum("status", "--json", "--tool", "codex", *arguments).json["files"]
    found: str = row["state"]
    return found


def test_a_file_is_absent_then_current_then_stale_then_edited(world) -> None:
    assert state(world) == "absent"
    world.modicum("inject", "--tool", "codex")
    assert state(world) == "current"
    world.pack("mine", "Something else.")
    assert state(world) == "stale"
    world.modicum("inject", "--tool", "codex")
    world.write("AGENTS.md", world.read("AGENTS.md").replace("Something else", "My edit"))
    assert state(world) == "edited"


def test_a_file_without_a_region_is_absent_and_keeps_its_text(world) -> None:
    world.write("AGENTS.md", "mine\n")

    assert state(world) == "absent"
    assert world.read("AGENTS.md") == "mine\n"


@pytest.mark.parametrize("text", [f"{START}\nx\n", f"x\n{END}\n", f"{END}\n{START}\n"])
def test_a_marker_without_its_other_is_orphaned(world, text: str) -> None:
    world.write("AGENTS.md", text)
    said = world.modicum("status", "--tool", "codex")

    assert said.code == 1
    assert "AGENTS.md  Codex (AGENTS.md)  orphaned marker: inject would leave it alone\n" in said.out
    assert "delete this line" in said.err
    assert world.modicum("inject", "--tool", "codex").code == 1
    assert world.read("AGENTS.md") == text


def test_a_file_of_somebody_else_is_foreign(world) -> None:
    world.write(".cursor/rules/modicum.mdc", "somebody's\n")
    said = world.modicum("status", "--tool", "cursor")

    assert said.code == 1
    assert "foreign file: not written by modicum, so inject would leave it alone" in said.out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (None, "current"),
        ("pack", "stale: modicum inject would bring it up to date"),
        ("edit", "edited by you: modicum inject would replace the edit (and keep a backup)"),
        ("delete", "absent: modicum inject would write it"),
    ],
)
def test_status_says_what_inject_would_do(world, change: str | None, words: str) -> None:
    world.modicum("inject", "--tool", "codex")
    match change:
        case "pack":
            world.pack("mine", "new")
        case "edit":
            world.write("AGENTS.md", world.read("AGENTS.md").replace("Never", "Ever"))
        case "delete":
            world.path("AGENTS.md").unlink()
    said = world.modicum("status", "--tool", "codex")

    assert said.out == f"  AGENTS.md  Codex (AGENTS.md)  {words}\n"
    assert said.code == (0 if words == "current" else 1)


def test_status_says_of_an_edit_what_would_happen_to_it(world) -> None:
    world.modicum("inject", "--tool", "codex")
    world.write("AGENTS.md", world.read("AGENTS.md").replace("Never", "Ever"))
    edited = world.read("AGENTS.md")

    assert world.modicum("status", "--tool", "codex").err == (
        "modicum: AGENTS.md: your edit of the region would be replaced, and kept in a backup\n"
    )
    assert world.read("AGENTS.md") == edited
    said = world.modicum("inject", "--tool", "codex").err
    assert said.startswith("modicum: AGENTS.md: what was there is kept in a backup: ")
    assert Path(said.strip().rpartition(": ")[2]).read_text() == edited


def test_a_page_into_whose_limit_nothing_fits_is_a_trouble(world) -> None:
    world.adapter("codex", "max_chars: 1\n")
    said = world.modicum("status", "--tool", "codex")

    assert "absent: there is nothing for it" in said.out
    assert "nothing fits into the limit of Codex" in said.err
    assert said.code == 1


def test_rows_are_by_tool_and_scope(world) -> None:
    rows = world.modicum("status", "--json", "--all-tools", "--global").json["files"]

    assert {row["scope"] for row in rows} == {"global"}
    assert "claude-ai" not in {row["tool"] for row in rows}
    assert {"tool", "scope", "path", "state", "current", "note"} == set(rows[0])


def test_one_broken_place_hides_no_row(world) -> None:
    world.path("AGENTS.md").mkdir()
    said = world.modicum("status", "--tool", "codex", "--tool", "claude-code")

    assert said.code == 1
    assert "AGENTS.md" in said.out
    assert "CLAUDE.md" in said.out


def test_check_is_one_until_everything_is_current_and_writes_nothing(world) -> None:
    assert world.modicum("inject", "--check", "--tool", "codex").code == 1
    assert not world.path("AGENTS.md").exists()
    world.modicum("inject", "--tool", "codex")
    assert world.modicum("inject", "--check", "--tool", "codex").code == 0
    world.write("AGENTS.md", world.read("AGENTS.md").replace("Never", "Ever"))
    assert world.modicum("inject", "--check", "--tool", "codex").code == 1
    world.write("AGENTS.md", f"{START}\n")
    assert world.modicum("inject", "--check", "--tool", "codex").code == 1


@pytest.mark.parametrize("flags", [(), ("--dry-run",), ("--check",)])
def test_pages_have_one_shape(world, flags: tuple[str, ...]) -> None:
    said = world.inject("--tool", "chatgpt", "--tool", "codex", *flags)

    assert set(said.json) == {"pages", "settings", "idle", "warnings"}
    for page in said.json["pages"]:
        assert set(page) == PAGE
        assert page["next"] is None
        assert page["total"] == len(page["items"])
        assert page["used"] == len(page["text"].encode())
        assert page["shown"] + page["omitted"] <= page["total"]
        assert all(set(item) == {"key", "fate", "size", "reason"} for item in page["items"])


def test_the_text_of_a_page_is_what_is_in_the_file(world) -> None:
    page = world.inject("--tool", "cursor").page("cursor")

    assert world.read(".cursor/rules/modicum.mdc") == page["text"]
    assert page["path"] == str(world.path(".cursor/rules/modicum.mdc"))


def test_explain_has_every_block_with_its_reason(world) -> None:
    page = world.modicum("explain", "--tool", "antigravity", "--json").page("antigravity")
    said = world.modicum("explain", "--tool", "antigravity").out

    assert page["omitted"] > 0
    assert all(item["reason"] for item in page["items"] if item["fate"] != "shown")
    assert all(item["key"] in said for item in page["items"])


def test_every_key_that_is_left_out_can_be_shown(world) -> None:
    world.pack(
        "mine", "## A b\n\nfirst\n\n## A-B\n\nsecond", samples="- {id: s, label: l, url: u, inject: true}\n"
    )
    page = world.modicum("explain", "--tool", "antigravity", "--json").page("antigravity")
    keys = [
        item["key"] for item in page["items"] if ":" in item["key"] and not item["key"].startswith("news:")
    ]

    assert all(world.modicum("show", key).code == 0 for key in keys)
    assert "second" in world.modicum("show", "pack:mine/a-b.2").out
    assert "first" in world.modicum("show", "mine").out
    assert "| l |" in world.modicum("show", "pack:mine").out
    assert 'did you mean "pack:mine"?' in world.modicum("show", "pack:mne").err
