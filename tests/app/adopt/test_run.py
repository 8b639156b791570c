"""An adoption writes what it previewed, keeps the originals, and can be undone byte for byte."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from modicum.app.adopt import journal, preview, run
from modicum.app.adopt.journal import AdoptionFolder
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.text.directives import Sentence, directives

CLAUDE = (
    "# CLAUDE.md\n\n@docs/style.md\n\n## Rules\n\n- Never push to the main branch.\n- Keep functions short.\n"
)
AGENTS = "# Shop\n\n## Rules\n\n- Do not push to the main branch.\n- Use `pnpm`, not `npm`.\n"
RULE = "---\ndescription: Charts\nglobs: src/charts/**\nalwaysApply: false\n---\n\n- Charts must render without data.\n"
STYLE = "# Style\n\n- Use tabs in `src/`.\n"


def lay_out(world, **more: str | bytes) -> dict[str, bytes]:
    texts = {
        "CLAUDE.md": CLAUDE,
        "AGENTS.md": AGENTS,
        ".cursor/rules/charts.mdc": RULE,
        "docs/style.md": STYLE,
        **more,
    }
    for path, text in texts.items():
        world.write(path, text)
    return state_of(world)


def state_of(world) -> dict[str, bytes]:
    """Every file of the project, and what modicum remembers of those that it wrote."""
    files = world.files(state=True)
    return {
        path: data for path, data in files.items() if path.startswith("project/") or "/state/targets/" in path
    }


def test_a_preview_writes_nothing_into_the_project(world) -> None:
    before = lay_out(world)
    found = run.make_preview(load_config())

    assert state_of(world) == before
    assert found.changes["CLAUDE.md"] is None or b"modicum:start" in found.changes["CLAUDE.md"]


def test_what_is_written_is_what_was_previewed_and_undo_gives_back_the_same_bytes(world) -> None:
    before = lay_out(world)
    config = load_config()
    found = run.make_preview(config)
    _, done = run.apply(config)
    after = {path.removeprefix("project/"): data for path, data in state_of(world).items()}

    assert {path: after.get(path) for path in found.changes} == dict(found.changes)
    assert sorted(done.changed) == sorted(found.changes)
    assert (Path(done.originals) / "CLAUDE.md").read_text() == CLAUDE
    assert after["docs/style.md"].decode() == STYLE  # it is not an instruction file by itself

    run.undo(config)
    assert state_of(world) == before


def test_no_tool_loses_an_instruction_and_others_gain_what_they_did_not_read(world) -> None:
    lay_out(world)
    found = run.make_preview(load_config(), ("claude-code", "codex", "cursor"))
    tools = {tool.adapter.id: tool for tool in found.tools}

    assert not any(tool.losses for tool in tools.values())
    assert "Use `pnpm`, not `npm`." in tools["claude-code"].gains
    assert "Use tabs in `src/`." in tools["codex"].gains


def test_a_rule_for_some_files_stays_one(world) -> None:
    lay_out(world)
    (world.project / "AGENTS.md").unlink()
    run.apply(load_config())

    context = world.read(".modicum/packs/project/context.md")
    assert "## Charts\n<!-- globs: src/charts/** -->\n\n- Charts must render without data." in context
    assert "globs: src/charts/**" in world.read(".cursor/rules/modicum-project-charts.mdc")
    assert not (world.project / ".cursor/rules/charts.mdc").exists()


def test_a_rule_that_its_tool_would_read_always_stays_where_it_is(world) -> None:
    lay_out(world)  # Cursor reads AGENTS.md, too, where no file can be told from another
    world.write("pkg/AGENTS.md", "- Do not push to the main branch.\n- Keep the parser small.\n")
    tools = "codex", "cursor"
    units = {unit.text: unit for unit in run.make_preview(load_config(), tools).proposal.units}
    run.apply(load_config(), tools)

    assert units["- Charts must render without data."].fate == "keep"
    assert (
        "it holds for src/charts/** only, and Codex (AGENTS.md) would read it always"
        in units["- Charts must render without data."].reason
    )
    assert world.read(".cursor/rules/charts.mdc").endswith("\n\n- Charts must render without data.\n")
    assert world.read("pkg/AGENTS.md") == "- Do not push to the main branch.\n- Keep the parser small.\n"


def test_a_second_adoption_adds_to_the_pack_and_is_undone_first(world) -> None:
    lay_out(world)
    config = load_config()
    tools = "claude-code", "codex", "cursor", "gemini-cli"
    run.apply(config, tools)
    first = state_of(world)
    world.write("GEMINI.md", "- Never push to the main branch.\n- Always answer in English.\n")
    with_gemini = state_of(world)
    run.apply(config, tools)
    context = world.read(".modicum/packs/project/context.md")

    assert context.startswith(first["project/.modicum/packs/project/context.md"].decode().rstrip())
    assert context.count("push to the main branch") == 2  # what is letter by letter the same is said once
    assert "Always answer in English." in context

    run.undo(config)
    assert state_of(world) == with_gemini
    (world.project / "GEMINI.md").unlink()
    run.undo(config)
    assert not (world.project / ".modicum").exists()


def test_pages_from_before_come_back_with_their_records(world) -> None:
    world.pack("own", "## Own\n\nOur own rule.\n")
    lay_out(world)
    assert world.modicum("inject", "--tool", "codex", "--tool", "claude-code").code == 0
    before = state_of(world)
    config = load_config()
    run.apply(config)
    assert state_of(world) != before

    run.undo(config)
    assert state_of(world) == before
    assert world.modicum("status", "--tool", "codex", "--tool", "claude-code").code == 0


def test_inject_after_an_adoption_does_not_stand_in_the_way_of_undo(world) -> None:
    before = lay_out(world)
    config = load_config()
    run.apply(config)
    assert world.modicum("notice", "add", "Freeze until Monday.").code == 0
    world.modicum("inject")

    run.undo(config)
    assert {path: data for path, data in state_of(world).items() if path in before} == before


def test_undo_is_the_way_back_after_uninstall_too(world) -> None:
    before = lay_out(world)
    config = load_config()
    run.apply(config)
    assert world.modicum("uninstall").code == 0

    run.undo(config)
    assert state_of(world) == before


@pytest.mark.parametrize(
    "text", [CLAUDE.replace("\n", "\r\n"), "\ufeff" + CLAUDE, CLAUDE.rstrip("\n"), "- Use tabs"]
)
def test_line_ends_and_byte_order_marks_come_back(world, text: str) -> None:
    before = lay_out(world, **{"CLAUDE.md": text})
    config = load_config()
    run.apply(config)
    assert "\r" not in world.read(".modicum/packs/project/context.md")

    run.undo(config)
    assert state_of(world) == before


def test_rights_and_empty_folders_come_back(world) -> None:
    lay_out(world)
    (world.project / ".cursor/rules/charts.mdc").chmod(0o640)
    config = load_config()
    run.apply(config)
    run.undo(config)

    assert (world.project / ".cursor/rules/charts.mdc").stat().st_mode & 0o777 == 0o640
    assert not (world.project / ".modicum").exists()
    assert sorted(path.name for path in (world.project / ".cursor/rules").iterdir()) == ["charts.mdc"]


def test_a_file_whose_name_a_folder_takes_comes_back(world) -> None:
    before = lay_out(world, **{".clinerules": "- Always answer in English.\n"})
    (world.project / ".cursor/rules/charts.mdc").unlink()
    before.pop("project/.cursor/rules/charts.mdc")
    config = load_config()
    run.apply(config)
    run.undo(config)

    assert state_of(world) == before


def test_a_link_stays_and_the_file_that_it_means_is_adopted_once(world) -> None:
    world.write("AGENTS.md", AGENTS)
    (world.project / "CLAUDE.md").symlink_to("AGENTS.md")
    config = load_config()
    proposal = run.make_proposal(config, run.look(config)).proposal
    run.apply(config)

    assert [source.path for source in proposal.sources] == ["AGENTS.md"]
    assert (world.project / "CLAUDE.md").is_symlink()
    run.undo(config)
    assert world.read("CLAUDE.md") == AGENTS


def test_a_link_out_of_the_project_is_left_alone(world) -> None:
    world.write("~/shared.md", AGENTS)
    (world.project / "AGENTS.md").symlink_to(world.home / "shared.md")
    world.write("CLAUDE.md", "- Never push to the main branch.\n")
    config = load_config()

    assert [source.path for source in run.make_proposal(config, run.look(config)).proposal.sources] == [
        "CLAUDE.md"
    ]


@pytest.mark.parametrize(
    ("data", "why"),
    [("\ufeff- Use tabs\n".encode("utf-16"), "UTF-16"), (b"- Use \0\n", "zero bytes")],
)
def test_what_is_no_text_is_left_alone_and_told(world, data: bytes, why: str) -> None:
    lay_out(world, **{"GEMINI.md": data})
    config = load_config()
    left = run.make_proposal(config, run.look(config, ("claude-code", "gemini-cli"))).proposal.left

    assert [why in each.why for each in left if each.path == "GEMINI.md"] == [True]


@pytest.mark.parametrize("text", ["", "\n", "---\nalwaysApply: true\n---\n"])
def test_files_without_text_have_nothing_to_adopt(world, text: str) -> None:
    world.write("AGENTS.md", text)

    with pytest.raises(ModicumError, match="no instruction file here"):
        run.make_preview(load_config())


def test_our_own_pages_are_not_adopted(world) -> None:
    world.pack("own", "## Own\n\nNever touch our own rule.\n")
    assert world.modicum("inject", "--tool", "codex", "--tool", "cursor").code == 0

    with pytest.raises(ModicumError, match="no instruction file here"):
        run.make_preview(load_config())


@pytest.mark.skipif(os.geteuid() == 0 and sys.platform == "win32", reason="rights")
def test_a_read_only_file_stops_everything_before_it_begins(world) -> None:
    before = lay_out(world)
    (world.project / "CLAUDE.md").chmod(0o444)

    with pytest.raises(ModicumError, match=r"CLAUDE.md: the file is read-only"):
        run.apply(load_config())
    assert state_of(world) == before


def test_a_file_that_changed_since_the_preview_is_not_touched(world) -> None:
    lay_out(world)
    config = load_config()
    run.make_preview(config)
    world.write("AGENTS.md", AGENTS + "- Always answer in English.\n")
    before = state_of(world)

    with pytest.raises(ModicumError, match=r"AGENTS.md has changed since it was previewed"):
        run.apply(config)
    assert state_of(world) == before
    run.make_preview(config)
    run.apply(config)


def test_a_file_that_changes_while_it_is_adopted_is_not_overwritten(world, monkeypatch) -> None:
    before = lay_out(world)
    config = load_config()
    write = run.write_own

    def write_and_edit(path: Path, data: bytes, *, private: bool = True, aside: Path | None = None) -> None:
        write(path, data, private=private)
        if path.name == "context.md":
            world.write("CLAUDE.md", "edited meanwhile\n")

    monkeypatch.setattr(run, "write_own", write_and_edit)
    with pytest.raises(ModicumError, match="has changed while it was adopted"):
        run.apply(config)
    monkeypatch.undo()
    assert world.read("CLAUDE.md") == "edited meanwhile\n"

    with pytest.raises(ModicumError, match="interrupted"):
        run.make_preview(config)
    with pytest.raises(ModicumError, match=r"CLAUDE.md has changed since"):
        run.undo(config)
    run.undo(config, force=True)
    assert state_of(world) == before
    kept = AdoptionFolder(config.state, config.root).folder / "replaced" / "CLAUDE.md"
    assert kept.read_text() == "edited meanwhile\n"


def test_undo_does_not_take_away_what_was_written_since(world) -> None:
    lay_out(world)
    config = load_config()
    run.apply(config)
    pack = world.project / ".modicum/packs/project/context.md"
    pack.write_text(pack.read_text() + "\nAlways answer in English.\n")

    with pytest.raises(ModicumError, match="has changed since it was adopted"):
        run.undo(config)
    done = run.undo(config, force=True)
    assert "kept in" in done.warnings[0]
    assert world.read("CLAUDE.md") == CLAUDE


def test_undo_without_an_adoption_says_so(world) -> None:
    with pytest.raises(ModicumError, match="nothing was adopted here"):
        run.undo(load_config())


def test_two_adoptions_at_once_are_refused(world) -> None:
    lay_out(world)
    config = load_config()
    folder = AdoptionFolder(config.state, config.root)

    with (
        run.held(folder.lock, "x", wait_seconds=0),
        pytest.raises(ModicumError, match="another run has been busy"),
    ):
        run.apply(config)


KILLED = """
import os, signal, sys
from modicum.app.adopt import run, journal
from modicum.base.config import load_config
from modicum.targets import apply
at, count = int(sys.argv[1]), 0
def killing(function):
    def call(*given, **named):
        global count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)
    return call
for module, name in ((run, "write_own"), (journal, "write_own"), (apply, "new_content")):
    setattr(module, name, killing(getattr(module, name)))
sys.exit(run.apply(load_config()) is None)
"""


@pytest.mark.parametrize("at", [1, 3, 6, 7, 8, 9, 10, 12, 14])
def test_an_adoption_that_is_killed_leaves_originals_that_undo_puts_back(world, at: int) -> None:
    before = lay_out(world)
    config = load_config()
    code = subprocess.run(
        [sys.executable, "-c", KILLED, str(at)], env=dict(os.environ), check=False
    ).returncode
    assert code in (0, -signal.SIGKILL)

    journal_of = AdoptionFolder(config.state, config.root).last()
    if journal_of is None or not journal_of.entries:
        files = {path: data for path, data in state_of(world).items() if path.startswith("project/")}
        assert files == before
        return
    run.undo(config)
    assert {path: data for path, data in state_of(world).items() if path.startswith("project/")} == before
    run.apply(config)


def test_a_broken_journal_says_where_the_originals_are(world) -> None:
    lay_out(world)
    config = load_config()
    run.apply(config)
    folder = AdoptionFolder(config.state, config.root).folder / "1"
    (folder / "journal.json").write_text("{")

    with pytest.raises(ModicumError, match="cannot be understood") as error:
        run.undo(config)
    assert "originals" in str(error.value)


def turned(world, change: Callable[[str], str]) -> None:
    path, _ = run.write_review(load_config())
    path.write_text(change(path.read_text()))


def line_of(text: str, words: str) -> str:
    return next(line for line in text.splitlines() if words in line)


def test_what_is_changed_in_the_review_counts(world) -> None:
    lay_out(world)

    def change(text: str) -> str:
        short, charts = line_of(text, "Keep functions"), line_of(text, "Charts must")
        for line, fate in ((short, "extended"), (charts, "drop")):
            text = text.replace(line, fate + line[len(line.split()[0]) :])
        return text

    turned(world, change)
    config = load_config()
    found, _ = run.apply(config)
    context = world.read(".modicum/packs/project/context.md")

    assert "<!-- verbosity:extended -->\n\n- Keep functions short." in context
    assert context.count("push to the main branch") == 2
    assert "Charts must" not in context
    assert [tool.losses for tool in found.tools if tool.adapter.id == "cursor"] == [
        ("- Charts must render without data.",)
    ]
    assert not AdoptionFolder(config.state, config.root).review.exists()


def test_what_is_kept_stays_in_its_file_under_its_heading(world) -> None:
    before = lay_out(world)
    turned(
        world,
        lambda text: text.replace(line_of(text, "Use `pnpm`"), "keep" + line_of(text, "Use `pnpm`")[4:]),
    )
    config = load_config()
    run.apply(config)

    kept = world.read("AGENTS.md")
    assert "## Rules\n\n- Use `pnpm`, not `npm`.\n" in kept
    assert "push to the main" not in kept.split("<!-- modicum:start")[0]
    assert "pnpm" not in world.read(".modicum/packs/project/context.md")
    run.undo(config)
    assert state_of(world) == before


def test_a_kept_import_keeps_what_it_imports(world) -> None:
    lay_out(world)
    turned(world, lambda text: text.replace(line_of(text, "@docs"), "keep" + line_of(text, "@docs")[4:]))
    run.apply(load_config())

    assert "@docs/style.md" in world.read("CLAUDE.md")
    assert "Use tabs" not in world.read(".modicum/packs/project/context.md")


@pytest.mark.parametrize("name", ["README.md", "package.json"])
def test_an_import_of_what_people_or_programs_keep_stays_one(world, name: str) -> None:
    before = lay_out(world, **{name: "{}\n", "CLAUDE.md": f"See @{name} first.\n\n- Never guess.\n"})
    config = load_config()
    run.apply(config)

    assert world.read("CLAUDE.md").startswith(f"See @{name} first.\n")
    run.undo(config)
    assert state_of(world) == before


def test_a_review_of_a_file_that_changed_is_asked_for_again(world) -> None:
    lay_out(world)
    path, _ = run.write_review(load_config())
    world.write("AGENTS.md", AGENTS.replace("pnpm", "yarn"))

    with pytest.raises(ModicumError, match="has changed since the review"):
        run.make_preview(load_config())
    _, gone = run.write_review(load_config())
    assert [place.split(":")[0] for place in gone] == ["AGENTS.md"]
    assert "yarn" in path.read_text()


def test_the_choices_of_an_earlier_review_are_kept(world) -> None:
    lay_out(world)
    turned(
        world,
        lambda text: text.replace(
            line_of(text, "Keep functions"), "drop" + line_of(text, "Keep functions")[6:]
        ),
    )
    turned(world, lambda text: text)

    units = run.make_preview(load_config()).proposal.units
    assert [unit.fate for unit in units if "Keep functions" in unit.text] == ["drop"]


def rules_of(size: int) -> str:
    lines = [
        f"- Always name rule {number} of the many rules in `src/r{number}.py`.\n" for number in range(999)
    ]
    return "".join(lines[: size // len(lines[500])])


def test_a_limit_of_one_tool_takes_nothing_from_the_others(world) -> None:
    world.write("AGENTS.md", rules_of(20_000))
    found, _ = run.apply(load_config(), ("claude-code", "codex"))

    # Others read 12,000 characters, of which our heading takes some, and are not here.
    assert [tool.losses for tool in found.tools] == [(), ()]
    assert world.read("AGENTS.md").count("Always name rule") == rules_of(20_000).count("Always name rule")


def test_a_tool_that_is_here_and_would_lose_lines_stops_the_adoption(world) -> None:
    world.write("~/.codeium/windsurf/x", "")
    world.write("AGENTS.md", rules_of(20_000))
    before = state_of(world)

    with pytest.raises(
        ModicumError, match=r"nothing can be adopted without a loss.*would no longer read: - Always name"
    ):
        run.apply(load_config())
    assert state_of(world) == before
    run.apply(load_config(), force=True)


def test_the_journal_is_there_before_anything_is_touched(world, monkeypatch) -> None:
    lay_out(world)
    config = load_config()
    seen = []
    write = run.write_own

    def watch(path: Path, data: bytes, *, private: bool = True, aside: Path | None = None) -> None:
        last = AdoptionFolder(config.state, config.root).last()
        seen.append(sorted(last.entries) if last else [])
        write(path, data, private=private)

    monkeypatch.setattr(run, "write_own", watch)
    found, _ = run.apply(config)

    assert seen
    assert all(entries == sorted(found.changes) for entries in seen)
    data = json.loads((AdoptionFolder(config.state, config.root).folder / "1" / "journal.json").read_text())
    assert data["done"] is True
    assert journal.digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_text_that_many_tools_read_is_counted_once(world, monkeypatch) -> None:
    world.write("AGENTS.md", "# Shop\n\n- Never push.\n- Use tabs.\n")
    counted: list[str] = []

    def noted(text: str) -> tuple[Sentence, ...]:
        counted.append(text)
        return directives(text)

    monkeypatch.setattr(preview, "directives", noted)
    world.modicum("adopt")

    assert 0 < len(counted) == len({*counted})


@pytest.mark.parametrize(
    "tools", ["claude-code, codex, copilot, gemini-cli, opencode, qwen", "claude-code", "codex, cursor"]
)
def test_what_is_adopted_in_a_shared_project_is_what_an_inject_would_write(world, tools: str) -> None:
    world.write(".modicum/config.yaml", f"tools: [{tools}]\n")
    lay_out(world)

    assert world.modicum("adopt", "--apply").code == 0

    assert world.modicum("inject", "--check").code == 0
    assert world.modicum("adopt", "--undo").code == 0


def test_a_file_that_no_tool_of_the_project_reads_is_not_adopted(world) -> None:
    world.write(".modicum/config.yaml", "tools: [codex]\n")
    before = lay_out(world)

    found = run.make_preview(load_config())

    assert {source.path for source in found.proposal.sources} == {"AGENTS.md"}
    assert [change.adapter.id for change in found.tools] == ["codex"]
    assert state_of(world) == before


def test_what_is_behind_a_link_and_no_text_for_tools_is_not_adopted(world) -> None:
    for name, text in (("Makefile", "all:\n\ttrue\n"), (".git/config", "[core]\n")):
        world.write(name, text)
    (world.project / "AGENTS.md").symlink_to("Makefile")
    (world.project / "GEMINI.md").symlink_to(".git/config")
    world.write("CLAUDE.md", "# Style\n\nUse tabs for the indent of every file.\n")

    tools = ("--tool", "claude-code", "--tool", "codex", "--tool", "gemini-cli")
    preview = world.modicum("adopt", *tools)
    world.modicum("adopt", "--apply", *tools)

    assert "no text for AI tools" in preview.out + preview.err
    assert world.read("Makefile") == "all:\n\ttrue\n"
    assert world.read(".git/config") == "[core]\n"
    assert "[core]" not in world.read(".modicum/packs/project/context.md")


LONG = "".join(f"- Never do the thing of number {number}.\n" for number in range(9))
BESIDE = "- Keep functions short.\n- Run `make lint` before each push.\n"


def test_two_files_that_a_tool_reads_and_others_that_are_not_here_get_equal_pages(world) -> None:
    world.write("AGENTS.md", f"# Agents\n\n{LONG}")
    world.write(".github/copilot-instructions.md", f"# Copilot\n\n{BESIDE}")
    before = state_of(world)
    config = load_config()
    tools = "claude-code", "copilot"
    run.apply(config, tools)

    pages = [world.read(path) for path in ("AGENTS.md", ".github/copilot-instructions.md")]
    assert pages[0] == pages[1]
    assert all(
        line in pages[0] for line in (*LONG.splitlines(), *BESIDE.splitlines(), "# Agents", "# Copilot")
    )
    named = [word for tool in tools for word in ("--tool", tool)]
    assert world.modicum("inject", "--check", *named).code == 0
    world.modicum("inject", *named)
    assert [world.read(path) for path in ("AGENTS.md", ".github/copilot-instructions.md")] == pages

    run.undo(config)
    assert {path: data for path, data in state_of(world).items() if path in before} == before


def test_a_page_in_a_file_that_a_line_of_the_users_imports_stays_there(world) -> None:
    world.write("CLAUDE.md", "@AGENTS.md\n")
    world.write("AGENTS.md", f"# Agents\n\n{LONG}")
    world.write("docs/AGENTS.md", "- Write plain English.\n")
    world.write(".github/copilot-instructions.md", BESIDE)
    tools = "claude-code", "copilot"
    run.apply(load_config(), tools)

    assert world.read("CLAUDE.md") == "@AGENTS.md\n"
    assert all(line in world.read("AGENTS.md") for line in LONG.splitlines())
    assert BESIDE in world.read(".github/copilot-instructions.md")
    assert not (world.project / ".claude/CLAUDE.md").exists()
    assert world.modicum("inject", "--check", "--tool", "claude-code", "--tool", "copilot").code == 0


def test_a_file_for_one_tool_that_others_may_read_carries_its_page(world) -> None:
    world.write(".cursorrules", LONG)
    run.apply(load_config(), ("cursor",))

    assert "modicum:start" in world.read(".cursorrules")
    assert all(line in world.read(".cursorrules") for line in LONG.splitlines())
    assert world.modicum("inject", "--check", "--tool", "cursor").code == 0


def test_a_rule_that_one_tool_imports_always_and_another_reads_for_some_files_stays_with_the_line(
    world,
) -> None:
    claude = f"# Shop\n\n## Rules\n\n{LONG}\n## Charts\n\nsee @.cursor/rules/charts.mdc\n"
    lay_out(world, **{"CLAUDE.md": claude})
    run.apply(load_config(), ("claude-code", "cursor"))

    assert world.read(".cursor/rules/charts.mdc") == RULE
    assert "## Charts\n\nsee @.cursor/rules/charts.mdc\n" in world.read("CLAUDE.md")
    assert "- Never do the thing of number 3." in world.read(".modicum/packs/project/context.md")


def test_what_git_ignores_is_known_when_an_adoption_is_tried(git_world) -> None:
    world = git_world
    lay_out(world, **{".gitignore": ".claude/\n"})
    found, _ = run.apply(load_config(), ("claude-code", "cursor"))

    assert not any(path.startswith(".claude/") for path in found.changes)
    assert world.read(".cursor/rules/charts.mdc") == RULE  # Claude Code has no file for a rule
    assert "Charts must render" not in world.read("CLAUDE.md")


def test_a_file_with_bytes_that_are_no_utf8_keeps_them_and_gives_the_rest(world) -> None:
    world.write("CLAUDE.md", b"# Shop\n\n## Caf\xe9\n\n- Never a.\n\n## Rules\n\n- Never b.\n")
    before = state_of(world)
    config = load_config()
    run.apply(config)

    assert b"## Caf\xe9\n\n- Never a.\n" in (world.project / "CLAUDE.md").read_bytes()
    assert "- Never b." in world.read(".modicum/packs/project/context.md")
    assert "Never a" not in world.read(".modicum/packs/project/context.md")

    run.undo(config)
    assert state_of(world) == before


def test_a_file_of_a_single_tool_keeps_its_text_unless_somebody_was_asked(world) -> None:
    world.write("AGENTS.md", f"# Shop\n\n{LONG}")
    world.write("QWEN.md", f"# Mine\n\n{BESIDE}")
    before = state_of(world)
    config = load_config()

    assert world.modicum("adopt", "--apply", "--tool", "codex", "--tool", "qwen").code == 0
    assert world.read("QWEN.md") == f"# Mine\n\n{BESIDE}"
    assert all(line in world.read("AGENTS.md") for line in LONG.splitlines())
    run.undo(config)
    assert state_of(world) == before

    asked = []
    run.apply(config, ("codex", "qwen"), may_delete=lambda found: bool(asked.append(found.moved) or True))
    assert asked == [{"QWEN.md": ("AGENTS.md",)}]
    assert world.read("QWEN.md") == "# Mine\n"
    assert all(line in world.read("AGENTS.md") for line in BESIDE.splitlines())


def test_a_line_that_only_imports_stays_where_the_page_can_be_in_what_it_imports(world) -> None:
    world.write("CLAUDE.md", "@AGENTS.md\n")
    world.write("AGENTS.md", f"# Agents\n\n{LONG}")
    run.apply(load_config(), ("claude-code", "codex", "copilot", "gemini-cli"))

    assert world.read("CLAUDE.md") == "@AGENTS.md\n"
    assert world.read("AGENTS.md").startswith("# Agents\n\n<!-- modicum:start")
