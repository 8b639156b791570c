"""modicum adopt as a person runs it."""

import re
import sys

CLAUDE = "# CLAUDE.md\n\n- Never push to the main branch.\n- Keep functions short.\n"
GEMINI = "- Never push to the main branch.\n- Always answer in English.\n"
TOOLS = "--tool", "claude-code,gemini-cli"


def lay_out(world) -> None:
    world.write("CLAUDE.md", CLAUDE)
    world.write("GEMINI.md", GEMINI)


def test_adopt_shows_what_would_happen_applies_and_undoes_it(world) -> None:
    lay_out(world)
    shown = world.modicum("adopt", *TOOLS)

    assert shown.code == 0
    assert "Said elsewhere" in shown.out
    assert "Claude Code" in shown.out
    assert "Nothing was written." in shown.out
    assert world.read("CLAUDE.md") == CLAUDE

    done = world.modicum("adopt", "--apply", *TOOLS)
    assert done.code == 0
    assert "modicum adopt --undo" in done.out
    assert "Always answer in English." in world.read(".modicum/packs/project/context.md")
    assert world.modicum("pack", "validate").code == 0

    back = world.modicum("adopt", "--undo")
    assert back.code == 0
    assert re.search(r"^  CLAUDE\.md +as it was$", back.out, re.MULTILINE)
    assert (world.read("CLAUDE.md"), world.read("GEMINI.md")) == (CLAUDE, GEMINI)


def test_adopt_as_json(world) -> None:
    lay_out(world)
    shown = world.modicum("adopt", "--json", *TOOLS).json
    blocks = {block["text"]: block for block in shown["blocks"]}

    assert shown["applied"] is False
    assert [file["path"] for file in shown["files"]] == ["CLAUDE.md", "GEMINI.md"]
    assert blocks["- Keep functions short."]["reason"] == "advice or how-to, without a must"
    twins = [block for block in shown["blocks"] if block["same_as"]]
    assert [block["choice"] for block in twins] == ["same"]
    assert all(tool["losses"] == [] for tool in shown["tools"])

    done = world.modicum("adopt", "--apply", "--json", *TOOLS).json
    assert done["applied"] is True
    assert done["originals"]
    assert "CLAUDE.md" in world.modicum("adopt", "--undo", "--json").json["restored"]


def test_review_opens_an_editor_and_what_is_changed_there_counts(world) -> None:
    lay_out(world)
    script = world.write(
        "~/edit.py",
        "import sys; p = sys.argv[1]; t = open(p).read(); open(p, 'w').write(t.replace('detail ', 'drop   '))",
    )
    world.patch.setenv("EDITOR", f"{sys.executable} {script}")
    shown = world.modicum("adopt", "--review")

    assert shown.code == 0
    assert "would no longer read: - Keep functions short." in shown.err


def test_review_without_an_editor_names_the_file(world) -> None:
    lay_out(world)
    shown = world.modicum("adopt", "--review")

    assert shown.out.splitlines()[0].endswith("review.txt")
    assert world.modicum("adopt", "--review", "--json").json["review"] == shown.out.splitlines()[0]


def test_wrong_words_in_a_review_are_named_with_a_remedy(world) -> None:
    lay_out(world)
    path = world.modicum("adopt", "--review").out.splitlines()[0]
    for wrong, words in (("cor ", 'did you mean "core"'), ("same ", "choose drop"), ("xyz ", "use one of")):
        with open(path) as file:  # noqa: PTH123 (a path in words)
            text = file.read()
        line = next(line for line in text.splitlines() if "Keep functions" in line)
        world.write(path, text.replace(line, wrong + line.split(None, 1)[1]))
        said = world.modicum("adopt")
        assert said.code == 4
        assert words in said.err
        world.write(path, text)


def test_one_step_at_a_time(world) -> None:
    said = world.modicum("adopt", "--apply", "--undo")

    assert said.code == 2
    assert "one of them at a time" in said.err


def test_left_files_are_told(world) -> None:
    lay_out(world)
    world.write("CLAUDE.local.md", "- Never show this.\n")
    world.write(
        ".cursor/rules/asked.mdc", "---\ndescription: Only when asked\nalwaysApply: false\n---\n- Be brief.\n"
    )
    out = world.modicum("adopt").out

    assert "CLAUDE.local.md is left as it is: it is yours alone" in out
    assert ".cursor/rules/asked.mdc is left as it is: it is read only when the model or a person asks" in out


def test_nothing_to_adopt_is_said(world) -> None:
    said = world.modicum("adopt")

    assert said.code == 4
    assert "no instruction file here has text" in said.err
