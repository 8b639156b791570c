"""What agent programs read is copied under the same paths, and nothing else."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from modicum.targets.live.programs import Launch
from modicum.targets.live.throwaway import ThrowawayCopy, copied, in_the_way, prepare_home


@pytest.fixture
def world(tmp_path: Path) -> Path:
    write(
        tmp_path, {"home/u/src/shop/.git/HEAD": "ref: refs/heads/x\n", "home/u/src/shop/pkg/code.py": "1\n"}
    )
    return tmp_path.resolve()


def write(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")


def copy(world: Path, *, servers: bool = False, **environment: str) -> ThrowawayCopy:
    top = world / "copy"
    top.mkdir()
    return copied(world / "home/u/src/shop/pkg", world / "home/u", top, environment, servers=servers)


def names(world: Path, found: ThrowawayCopy) -> set[str]:
    """The copied files, as they are in the copy."""
    place = found.top / world.relative_to(world.anchor)
    files = (path for path in place.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(place).as_posix() for path in files}


def test_instruction_files_on_the_way_down_and_of_the_home_are_copied(world: Path) -> None:
    wanted = {
        "home/u/CLAUDE.md": "a", "home/u/.codex/AGENTS.md": "b", "home/u/.claude/rules/x/y.md": "c",
        "home/u/src/shop/AGENTS.md": "d", "home/u/src/shop/.github/instructions/a.instructions.md": "e",
        "home/u/src/shop/pkg/gemini.md": "f",
    }  # fmt: skip
    write(world, {**wanted, "home/u/src/shop/README.md": "g", "home/u/src/shop/pkg/below/AGENTS.md": "h"})

    found = copy(world)

    assert names(world, found) == set(wanted)
    assert found.files == {str(world / name): text for name, text in wanted.items()}
    assert found.root.name == "shop"
    assert (found.root / ".git" / "HEAD").is_file()


def test_imported_files_are_copied_too(world: Path) -> None:
    files = {
        "home/u/src/shop/CLAUDE.md": "See @docs/a.md, and @./b.md#part @missing.md @~/h.md\n",
        "home/u/src/shop/docs/a.md": "@c.md\n@a.md\n",
    }
    others = {"home/u/src/shop/b.md": "b", "home/u/src/shop/docs/c.md": "c", "home/u/h.md": "h"}
    write(world, {**files, **others})

    assert names(world, copy(world)) == {*files, *others}


def test_only_settings_that_concern_reading_are_copied(world: Path) -> None:
    write(
        world,
        {
            "home/u/.claude/settings.json": '{"env": {"ANTHROPIC_API_KEY": "secret"}, "hooks": {"x": []}, // c\n'
            '"claudeMdExcludes": ["**/x"]}',
            "home/u/.claude/.credentials.json": "secret",
            "home/u/src/shop/.codex/config.toml": 'project_doc_max_bytes = 5\nproject_doc_fallback_filenames = ["RULES.md"]\n'
            '[mcp_servers.s]\ncommand = "x"\n',
            "home/u/src/shop/RULES.md": "rules",
            "home/u/src/shop/opencode.json": "broken {",
            "home/u/src/shop/.mcp.json": '{"mcpServers": {"s": {"command": "x"}}}',
        },
    )

    found = copy(world)

    assert json.loads((found.home / ".claude/settings.json").read_text()) == {"claudeMdExcludes": ["**/x"]}
    assert tomllib.loads((found.root / ".codex/config.toml").read_text()) == {
        "project_doc_max_bytes": 5,
        "project_doc_fallback_filenames": ["RULES.md"],
    }
    assert (found.root / "RULES.md").read_text() == "rules"
    assert "secret" not in "".join(path.read_text() for path in found.top.rglob("*") if path.is_file())
    assert not (found.root / ".mcp.json").exists()


def test_servers_and_hooks_are_copied_if_asked_for(world: Path) -> None:
    write(
        world,
        {
            "home/u/src/shop/.mcp.json": '{"mcpServers": {"s": {"command": "x"}}}',
            "home/u/.codex/config.toml": '[mcp_servers.s]\ncommand = "x"\nargs = ["a"]\n',
        },
    )

    found = copy(world, servers=True)

    assert json.loads((found.root / ".mcp.json").read_text()) == {"mcpServers": {"s": {"command": "x"}}}
    assert tomllib.loads((found.home / ".codex/config.toml").read_text()) == {
        "mcp_servers": {"s": {"command": "x", "args": ["a"]}}
    }


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_stays_a_link(world: Path) -> None:
    write(world, {"home/u/src/shop/CLAUDE.md": "rules", "out.md": "outside"})
    (world / "home/u/src/shop/AGENTS.md").symlink_to("CLAUDE.md")
    (world / "home/u/src/shop/GEMINI.md").symlink_to(world / "out.md")
    (world / "home/u/src/shop/QWEN.md").symlink_to("nowhere.md")

    found = copy(world)

    assert (found.root / "AGENTS.md").readlink() == Path("CLAUDE.md")
    assert (found.root / "GEMINI.md").read_text() == "outside"
    assert (found.root / "GEMINI.md").resolve().is_relative_to(found.top)
    assert not (found.root / "QWEN.md").exists()
    assert set(found.files.values()) == {"rules", "outside"}


def test_a_folder_that_was_moved_by_a_variable_is_copied_to_the_home(world: Path) -> None:
    write(world, {"elsewhere/AGENTS.md": "moved", "home/u/.codex/AGENTS.md": "not read"})

    found = copy(world, CODEX_HOME=str(world / "elsewhere"))

    assert (found.home / ".codex/AGENTS.md").read_text() == "moved"


def test_what_a_program_needs_is_merged_into_the_home(world: Path) -> None:
    write(world, {"home/u/.gemini/settings.json": '{"context": {"fileName": "A.md"}, "theme": "x"}'})
    found = copy(world)

    prepare_home(
        found, Launch((), {}, {".gemini/settings.json": {"context": {"b": 1}}}, {".codex/c.toml": "x = 1\n"})
    )

    assert json.loads((found.home / ".gemini/settings.json").read_text()) == {
        "context": {"fileName": "A.md", "b": 1}
    }
    assert (found.home / ".codex/c.toml").read_text() == "x = 1\n"


def test_large_and_unreadable_things_are_left_out(world: Path) -> None:
    write(world, {"home/u/src/shop/AGENTS.md": "x" * (4 * 1024 * 1024 + 1)})
    (world / "home/u/src/shop/CLAUDE.md").mkdir()

    assert copy(world).files == {}


@pytest.mark.parametrize("name", ["CLAUDE.md", "agents.md", ".git", ".claude/CLAUDE.md"])
def test_what_lies_above_the_copy_is_noticed(name: str, tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert in_the_way(below) is None

    write(tmp_path, {name: "read too"})

    assert in_the_way(below) == tmp_path.resolve() / name
