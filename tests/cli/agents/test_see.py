"""modicum see: the table of all tools, the exact text of one, JSON, and exit codes."""

import pytest

LINE = "A rule of the user's that takes some room.\n"
START = "<!-- modicum:start:modicum -->"


def rows(out: str) -> dict[str, list[str]]:
    """The rows of the table by the name of the tool; columns are at least two blanks apart."""
    lines = (line.split("  ") for line in out.splitlines()[2:] if line)
    cells = ([cell.strip() for cell in line if cell.strip()] for line in lines)
    return {row[0]: row[1:] for row in cells}


def test_the_table_tells_what_is_the_users_and_what_is_ours(world) -> None:
    world.rule()
    world.write("AGENTS.md", "mine\n")
    world.modicum("inject", "--tool", "codex", "--tool", "amp")
    size = len(world.read("AGENTS.md").encode())
    said = world.modicum("see")

    assert said.code == 0
    own, ours, lost, doubled, limit = rows(said.out)["Codex (AGENTS.md)"]
    assert int(own) + int(ours.replace(",", "")) == size
    assert int(own) < 10
    assert (lost, doubled, limit) == ("0", "0", f"{size:,} of 32,768 bytes")
    assert "Amp" in said.out


def test_without_a_tool_the_way_to_see_one_is_named(world) -> None:
    said = world.modicum("see")

    assert said.code == 0
    assert said.out.startswith("No AI tool was found here. Name yours, as in: modicum see codex")


def test_all_tools_have_a_row_and_those_that_nobody_knows_a_line(world) -> None:
    world.adapter(
        "odd",
        "name: Odd\ntype: file-inject\n",
        "targets: [{scope: project, path: ODD.md, mode: replace-file}]\n",
    )
    said = world.modicum("see", "--all-tools")

    assert "Claude Code" in said.out
    assert "Odd: nobody has written down what it reads" in said.out


def test_a_chat_box_reads_no_files_and_the_program_of_its_name_is_told(world) -> None:
    world.rule()
    gemini, chatgpt = (world.modicum("see", tool) for tool in ("gemini", "chatgpt"))

    assert gemini.out == (
        "Gemini is a chat box, which reads no files here; modicum inject --tool gemini makes a text to paste. "
        "The program Gemini CLI is gemini-cli: modicum see gemini-cli\n"
    )
    assert chatgpt.out.endswith("modicum inject --tool chatgpt makes a text to paste\n")
    assert "gemini-cli" in world.modicum("inject", "--tool", "gemini").out


def test_the_text_of_a_tool_is_exact_and_says_where_it_is_from(world) -> None:
    world.write("CLAUDE.md", "first line\n@docs/more.md\n<!-- never read -->\n")
    world.write("docs/more.md", "imported line\n")
    said = world.modicum("see", "claude-code")

    assert said.code == 0
    assert "── CLAUDE.md ──\nfirst line\n@docs/more.md\n" in said.out
    assert "── docs/more.md, imported by CLAUDE.md ──\nimported line\n" in said.out
    assert "never read" not in said.out
    assert "Claude Code reads" in said.err


def test_what_does_not_arrive_is_told_and_the_exit_is_one(world) -> None:
    world.write("AGENTS.md", LINE * 1000 + "the last rule\n")
    said = world.modicum("see", "codex")
    lost = len(LINE) * 1000 + 14 - 32_768

    assert said.code == 1
    assert "the last rule" not in said.out
    assert f"── AGENTS.md: {lost:,} bytes do not arrive: it is behind the 32,768 bytes" in said.out


def test_lines_that_arrive_twice_are_told_and_the_exit_is_one(world) -> None:
    world.write("AGENTS.md", LINE)
    world.write("CLAUDE.md", "@AGENTS.md\n")
    said = world.modicum("see", "copilot")

    assert said.code == 1
    assert f"1 line arrives more than once, the first: {LINE.strip()}" in said.err


def test_a_folder_is_where_the_tool_would_be_started(world) -> None:
    world.write("AGENTS.md", "at the root\n")
    world.write("包/app/AGENTS.md", "in the package\n")
    inside = world.modicum("see", "codex", "--in", "包/app").out
    world.patch.chdir(world.path("包"))

    assert "in the package" not in world.modicum("see", "codex").out
    assert "at the root" in inside
    assert "── 包/app/AGENTS.md ──\nin the package" in inside
    assert world.modicum("see", "codex", "--in", "app").out == inside


@pytest.mark.parametrize(
    ("folder", "message"), [("..", ".. is not below the project"), ("gone", "gone is not a folder")]
)
def test_a_folder_that_is_none_of_the_project_is_refused(world, folder: str, message: str) -> None:
    said = world.modicum("see", "codex", "--in", folder)

    assert said.code == 2
    assert message in said.err
    assert "name a folder of this project" in said.err


def test_a_link_out_of_the_project_is_no_folder_of_it(world) -> None:
    world.path("out").symlink_to(world.home)

    assert "is not below the project" in world.modicum("see", "codex", "--in", "out").err


def test_an_unknown_tool_is_refused_with_the_nearest_one(world) -> None:
    said = world.modicum("see", "codx")

    assert said.code != 0
    assert 'did you mean "codex"' in said.err


def test_json_has_passages_with_their_spans(world) -> None:
    world.write("AGENTS.md", "中文 rule\r\n")
    world.write("~/.codex/AGENTS.md", "at home\n")
    said = world.modicum("see", "codex", "--json")
    (row,) = said.json["tools"]

    assert said.code == 0
    assert [(each["path"], each["text"]) for each in row["passages"]] == [
        ("~/.codex/AGENTS.md", "at home"),
        ("AGENTS.md", "中文 rule\r\n"),
    ]
    assert (row["tool"], row["known"], row["ours"], row["lost"], row["doubled"]) == ("codex", True, 0, 0, 0)
    assert row["own"] == len("at home") + len("中文 rule\r\n".encode())
    assert row["limits"] == [{"name": "project files", "used": 13, "most": 32_768, "unit": "bytes"}]


def test_json_of_a_binary_file_is_json(world) -> None:
    world.write("AGENTS.md", bytes(range(256)))
    said = world.modicum("see", "codex", "--json")

    assert said.json["tools"][0]["own"] == 256
    assert world.modicum("see", "codex").code == 0


def test_a_terminal_is_not_sent_what_a_file_holds(world) -> None:
    world.write("AGENTS.md", "red \x1b[31mtext\x07\n")

    assert "\x1b" not in world.modicum("see", "codex").out


def test_a_package_below_the_root_of_the_repository_reads_what_is_above(world) -> None:
    world.write("AGENTS.md", "of the repository\n")
    world.write("app/.modicum/config.yaml", "")
    world.write("app/AGENTS.md", "of the package\n")
    world.patch.chdir(world.path("app"))
    said = world.modicum("see", "codex").out

    assert said.index("of the repository") < said.index("of the package")


def test_what_an_older_version_does_not_read_is_told(world) -> None:
    world.rule()
    world.write("AGENTS.md", "mine\n")
    said, as_json = world.modicum("see", "claude-code"), world.modicum("see", "claude-code", "--json").json

    sentence = "before version 2.1.281 Claude Code does not read AGENTS.md here"
    assert f"modicum: {sentence}\n" in said.err
    assert as_json["tools"][0]["older"] == [sentence]
    world.modicum("inject", "--tool", "claude-code", "--tool", "codex")
    assert sentence not in world.modicum("see", "claude-code").err
    world.write("src/main.py", "")
    assert sentence in world.modicum("see", "claude-code", "--in", "src").err


def test_conditions_that_files_cannot_tell_are_told(world) -> None:
    world.write("GEMINI.md", "Mine.\n")

    assert "; only if the folder is trusted)" in world.modicum("see", "gemini-cli").err
    assert world.modicum("see", "gemini-cli", "--json").json["tools"][0]["needs"] == ["the folder is trusted"]
    assert world.modicum("see", "codex", "--json").json["tools"][0]["needs"] == []
