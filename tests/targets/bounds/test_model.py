"""What a person is told of an adapter that waits for an agreement."""

from modicum.base.yaml.check import check
from modicum.targets.bounds.model import WaitingAdapter, is_agreed, moved_agreements, writes_of
from modicum.targets.load import ADAPTER

EVERYTHING = """\
id: x
type: file-export
export_path: ~/modicum-x.md
targets:
- {scope: project, path: X.md, mode: import, import_path: docs/x.md}
- {scope: project, path: X.md, mode: append}
mcp: [{scope: project, path: .mcp.json, key: mcpServers}]
hook_config: {path: .claude/settings.json, key: hooks.Stop}
permissions: [{scope: project, path: .claude/settings.json, key: permissions.allow, items: ["Bash(*)"]}]
hook_files: [{scope: project, path: .clinerules/hooks/TaskStart, event: session-start}]
skill_config: {path: .agents/skills}
reads: {source: s, settings: [{path: opencode.json, format: json, key: instructions, add: X.md}]}
"""


def test_every_place_and_what_is_put_there_is_told_once() -> None:
    assert [*writes_of(check(EVERYTHING, ADAPTER, "adapters/x.yaml").value)] == [
        "X.md",
        "docs/x.md",
        "~/modicum-x.md",
        ".mcp.json (servers, which are programs)",
        ".claude/settings.json (permissions: Bash(*))",
        ".claude/settings.json (commands that the tool runs)",
        ".clinerules/hooks/TaskStart (a program that the tool runs)",
        ".agents/skills (skills)",
        "opencode.json (setting instructions)",
    ]


def test_the_line_counts_what_it_does_not_name() -> None:
    many = WaitingAdapter("x", "team", "everywhere", "x.yaml", "0" * 32, tuple("abcdefghijklmn"))
    none = WaitingAdapter("x", "project", "/p", "x.yaml", "0" * 32, ())

    assert 'of the source "team" is not in force' in many.in_one_line()
    assert "a, b, c, d, e, f, g, h, i, j, k, l and 2 more" in many.in_one_line()
    assert "of this project" in none.in_one_line()
    assert "names no file" in none.in_one_line()


def test_an_agreement_is_for_a_name_a_hash_and_a_place() -> None:
    agreed = ("h x /p",)

    assert is_agreed(agreed, code="h", name="x", place="/p")
    assert not is_agreed(agreed, code="h", name="y", place="/p")
    assert not is_agreed(agreed, code="h", name="x", place="/p/q")
    assert not is_agreed(agreed, code="i", name="x", place="/p")
    assert is_agreed(("h",), code="h", name="x", place="/p")  # as a variable of CI gives it
    assert moved_agreements(("h x /p", "h y /q"), "/p", "/copy") == ("h x /copy", "h y /q")


def test_an_adapter_that_names_no_more_than_a_file_has_one_line() -> None:
    one = check(
        "id: x\ntype: file-inject\ntargets: [{scope: project, path: X.md, mode: append}]\n", ADAPTER, "x.yaml"
    )

    assert [*writes_of(one.value)] == ["X.md"]


def test_an_agreement_names_the_hash_the_adapter_and_the_place() -> None:
    assert (
        WaitingAdapter("x", "team", "everywhere", "x.yaml", "0" * 32, ()).agreement
        == f"{'0' * 32} x everywhere"
    )
