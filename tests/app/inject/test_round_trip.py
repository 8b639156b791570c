"""Inject, then uninstall: the same bytes, whatever was there, whoever ran it, however often."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.app.agents.wiring import remove_wiring
from modicum.app.inject import run
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import load_knowledge
from modicum.base.config import load_config
from modicum.base.value import replace
from modicum.engine.page import Detail
from modicum.text.regions import Region, region_of

START, END = "<!-- modicum:start:modicum -->", "<!-- modicum:end:modicum -->"

PIECES = st.sampled_from(
    [
        *(
            "\n",
            "\r\n",
            "\r",
            "\n\n",
            " ",
            "\t",
            "text",
            "# Mine\n",
            "```\n",
            "~~~\n",
            "<!--",
            "-->\n",
            "\ufeff",
        ),
        *(
            "\x00",
            "\x0b",
            "\u2028",
            "中文",
            f"```\n{START}\nquoted\n{END}\n```\n",
            f"> {START}\n",
            "---\n",
            "a: b\n",
        ),
        *(
            f"    {START}\n",
            "<!-- modicum:start:other -->\nx\n<!-- modicum:end:other -->\n",
            "\\",
            "x" * 5000,
        ),
    ]
)


def has_no_region(data: bytes) -> bool:
    """A region of ours that is there already counts as ours, whoever put it there."""
    return not isinstance(region_of(data.decode("utf-8", "surrogateescape"), "modicum"), Region)


LINES = st.lists(PIECES, max_size=8).map(lambda found: "".join(found).encode())
CONTENT = st.one_of(st.binary(max_size=60), LINES).filter(has_no_region)
TOOLS = st.lists(st.sampled_from(("codex", "claude-code", "amp", "cursor", "aider")), min_size=1, unique=True)


class Place:
    """A home and a project that are made anew for every example."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "home" / "p"
        (self.project / ".modicum").mkdir(parents=True)
        config = load_config({"HOME": str(self.home), "PATH": ""}, self.project)
        self.config = replace(config, own_use=("git", "modicum", "reviews", "testing"))

    def inject(self, tools: list[str], detail: Detail) -> None:
        run.perform(run.prepare(self.config, InjectRequest(tools=tuple(tools), detail=detail)))

    def uninstall(self, *tools: str) -> None:
        request = InjectRequest(tools=tools)
        run.remove(self.config, request)
        remove_wiring(self.config, load_knowledge(self.config), request)

    def files(self) -> dict[str, bytes]:
        return {p.name: p.read_bytes() for p in self.project.rglob("*") if p.is_file()}


@settings(max_examples=60)
@given(
    content=st.dictionaries(st.sampled_from(("AGENTS.md", "CLAUDE.md", "CONVENTIONS.md")), CONTENT),
    tools=TOOLS,
    again=TOOLS,
)
def test_everything_comes_back(
    tmp_path_factory, content: dict[str, bytes], tools: list[str], again: list[str]
) -> None:
    place = Place(tmp_path_factory.mktemp("world"))
    for name, data in content.items():
        (place.project / name).write_bytes(data)
    place.inject(tools, Detail.SUMMARY)
    place.inject(again, Detail.STANDARD)
    place.uninstall()

    assert place.files() == content


NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".rules", "AGENTS.override.md")
MORE_TOOLS = ("codex", "claude-code", "gemini-cli", "zed", "cline", "opencode", "kilo")


@settings(max_examples=40)
@given(
    content=st.dictionaries(st.sampled_from(NAMES), st.sampled_from((b"", b" \n", b"# Mine\n")), max_size=3),
    links=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), max_size=1),
    tools=st.lists(st.sampled_from(MORE_TOOLS), min_size=1, max_size=4, unique=True),
)
def test_a_second_run_changes_nothing(
    tmp_path_factory, content: dict[str, bytes], links: dict[str, str], tools: list[str]
) -> None:
    """Also where the user's files are empty, and where a link leads to a file that inject makes."""
    place = Place(tmp_path_factory.mktemp("world"))
    links = {name: target for name, target in links.items() if name not in content and name != target}
    for name, target in links.items():
        (place.project / name).symlink_to(target)
    for name, data in content.items():
        (place.project / name).write_bytes(data)
    before = place.files()
    place.inject(tools, Detail.STANDARD)
    once = place.files()
    place.inject(tools, Detail.STANDARD)

    assert place.files() == once
    place.uninstall()
    assert place.files() == before
    assert all((place.project / name).is_symlink() for name in links)


@settings(max_examples=25)
@given(
    content=CONTENT, tools=TOOLS, order=st.permutations(("codex", "claude-code", "amp", "cursor", "aider"))
)
def test_everything_comes_back_tool_by_tool(
    tmp_path_factory, content: bytes, tools: list[str], order: list[str]
) -> None:
    place = Place(tmp_path_factory.mktemp("world"))
    (place.project / "AGENTS.md").write_bytes(content)
    place.inject(tools, Detail.SUMMARY)
    for tool in order:
        place.uninstall(tool)

    assert place.files() == {"AGENTS.md": content}


def test_a_shared_file_stays_for_the_others(world) -> None:
    world.rule()
    world.write("AGENTS.md", "mine\n")
    world.modicum("inject", "--tool", "codex", "--tool", "amp", "--tool", "cursor")
    first = world.modicum("uninstall", "--tool", "codex")
    with_amp = world.read("AGENTS.md")
    world.modicum("uninstall", "--tool", "amp", "--tool", "cursor")

    assert "stays, because it is for amp, cursor too" in first.err
    assert first.code == 0  # what was asked for is done
    assert START in with_amp
    assert world.read("AGENTS.md") == "mine\n"


def test_a_file_in_the_home_folder_is_left_to_a_run_that_is_about_it(world) -> None:
    world.rule()
    world.modicum("inject", "--tool", "codex", "--global")
    world.modicum("inject", "--tool", "codex", "--tool", "chatgpt")
    world.modicum("uninstall")

    assert not world.path("AGENTS.md").exists()
    assert world.path("~/.codex/AGENTS.md").exists()
    assert world.path("~/modicum-chatgpt-context.md").exists()
    world.modicum("uninstall", "--global")
    assert not world.path("~/.codex").exists()
    assert not world.path("~/modicum-chatgpt-context.md").exists()


def test_a_region_of_which_there_is_no_record_is_taken_out(world) -> None:
    world.write("CLAUDE.md", f"mine\n\n{START}\nold\n{END}\n")

    assert world.modicum("uninstall").code == 0
    assert world.read("CLAUDE.md") == "mine\n"


def test_a_tool_that_is_not_known_any_more_is_taken_out_too(world) -> None:
    world.rule()
    world.adapter("x", "type: file-inject\n", "targets: [{scope: project, path: X.md, mode: replace-file}]\n")
    world.modicum("inject", "--tool", "x")
    world.path(".modicum/adapters/x.yaml").unlink()
    world.modicum("inject", "--tool", "codex")

    assert world.path("X.md").exists()
    assert world.modicum("uninstall").code == 0
    assert not world.path("X.md").exists()


def test_uninstall_needs_neither_packs_nor_profiles(world) -> None:
    world.modicum("inject", "--tool", "codex")
    world.write(".modicum/config.yaml", "profile: gone\n")
    world.pack("bad", header="wieght: 3\n")

    assert world.modicum("uninstall").code == 0
    assert not world.path("AGENTS.md").exists()


def test_an_edit_of_a_file_of_ours_is_kept_unless_forced(world) -> None:
    world.rule()
    world.modicum("inject", "--tool", "cursor")
    file = world.path(".cursor/rules/modicum.mdc")
    file.write_text(file.read_text() + "my edit\n")
    said = world.modicum("uninstall")

    assert "left alone" in said.out
    assert said.code == 1
    assert file.exists()
    assert world.modicum("uninstall", "--force").code == 0
    assert not file.exists()


def test_an_edited_skill_is_left_and_told_by_the_exit_code(world) -> None:
    row = "id: tidy, name: Tidy, description: How to tidy, file: skills/tidy/SKILL.md"
    world.pack("p", skills=f"- {{{row}}}\n")
    world.write(".modicum/packs/p/skills/tidy/SKILL.md", "Tidy up.\n")
    world.modicum("inject", "--tool", "claude-code", "--wire")
    file = world.path(".claude/skills/tidy/SKILL.md")
    file.write_text(file.read_text() + "my edit\n")
    said = world.modicum("uninstall")

    assert ".claude/skills/tidy/SKILL.md  Claude Code  left alone" in said.out
    assert said.code == 1
    assert "my edit" in file.read_text()


def test_a_dry_uninstall_shows_what_would_go(world) -> None:
    world.rule()
    world.modicum("inject", "--tool", "codex")
    said = world.modicum("uninstall", "--dry-run")

    assert f"-{START}" in said.out
    assert "would be taken out" in said.out
    assert world.path("AGENTS.md").exists()


def test_what_is_no_file_has_nothing_to_take_out(world) -> None:
    world.path("AGENTS.md").mkdir()
    world.path("CLAUDE.md").symlink_to("CLAUDE.md")
    world.write(".claude", "a file")
    said = world.modicum("uninstall")

    assert (said.code, said.err) == (0, "")
    assert said.out == "Nothing of modicum's was found here.\n"


def test_with_nothing_to_take_out_so_much_is_said(world) -> None:
    assert world.modicum("uninstall").out == "Nothing of modicum's was found here.\n"


def test_an_orphaned_marker_is_told_and_left_alone(world) -> None:
    world.write("AGENTS.md", f"mine\n{START}\ntext\n")
    said = world.modicum("uninstall")

    assert "AGENTS.md: line 2:" in said.err
    assert world.read("AGENTS.md") == f"mine\n{START}\ntext\n"


@pytest.mark.parametrize("size", [10_000_000])
def test_a_file_of_ten_megabytes_comes_back(world, size: int) -> None:
    world.rule()
    line = "word " * 20 + "\n"
    mine = line * (size // len(line))
    world.write("AGENTS.md", mine)
    assert world.modicum("inject", "--tool", "codex", "--dry-run").code == 0
    world.modicum("inject", "--tool", "codex")
    assert START in world.read("AGENTS.md")
    world.modicum("uninstall")

    assert world.read("AGENTS.md") == mine


def test_two_runs_at_once_lose_nothing(world) -> None:
    world.rule()
    world.write("AGENTS.md", "mine\n")
    source = Path(run.__file__).parents[3]
    command = [sys.executable, "-m", "modicum.cli.main", "inject", "--tool", "codex", "--tool", "claude-code"]
    environment = {"HOME": str(world.home), "PYTHONPATH": str(source), "PATH": "/usr/bin:/bin"}
    runs = [
        subprocess.Popen(command, cwd=world.project, env=environment, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    errors = [one.communicate()[1] for one in runs]

    assert [one.returncode for one in runs] == [0] * 4, errors
    assert world.read("AGENTS.md").count(START) == 1
    assert world.modicum("status", "--tool", "codex", "--tool", "claude-code").code == 0
    world.modicum("uninstall")
    assert world.read("AGENTS.md") == "mine\n"
    assert not world.path("CLAUDE.md").exists()
