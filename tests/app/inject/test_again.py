"""A second run changes nothing, whatever was there before; and files change their roles in one run."""

import pytest

RULE = "Never frobnicate the ledger.\n"


def tools(*names: str) -> list[str]:
    return [word for name in names for word in ("--tool", name)]


def settled(world, *named: str) -> dict[str, bytes]:
    """The files after an inject that two more runs leave as they are."""
    world.pack("shop", RULE)
    assert world.inject(*tools(*named)).code == 0
    files = world.files()
    for _ in range(2):
        assert world.inject(*tools(*named)).code == 0
        assert world.files() == files
    return files


@pytest.mark.parametrize("text", ["", " \n", "\t"])
@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("AGENTS.override.md", ["codex"]),
        (".rules", ["zed"]),
        ("CLAUDE.md", ["claude-code", "codex", "grok"]),
        ("CLAUDE.md", ["claude-code", "zed"]),
        ("GEMINI.md", ["gemini-cli", "claude-code", "kilo"]),
    ],
)
def test_an_empty_file_of_the_users_does_not_make_pages_move(
    world, path: str, text: str, named: list[str]
) -> None:
    world.write(path, text)
    settled(world, *named)

    assert world.modicum("uninstall").code == 0
    assert world.read(path) == text


@pytest.mark.parametrize(
    ("link", "target", "named"),
    [
        ("CLAUDE.md", "AGENTS.md", ["claude-code", "codex", "roo", "copilot", "gemini-cli"]),
        (".claude/rules/agents.md", "../../AGENTS.md", ["claude-code", "codex"]),
        ("GEMINI.md", "AGENTS.md", ["gemini-cli", "cline"]),
        ("AGENTS.md", "CLAUDE.md", ["claude-code", "codex", "opencode"]),
        ("AGENTS.md", "CLAUDE.md", ["cline", "codex", "opencode", "gemini-cli"]),
        (
            "AGENTS.md",
            "docs/absent/AGENTS.md",
            ["antigravity", "kilo", "claude-code", "kimi", "cline", "zed"],
        ),
    ],
)
def test_a_link_to_a_file_that_inject_makes_is_one_file_with_it(
    world, link: str, target: str, named: list[str]
) -> None:
    world.path(link).parent.mkdir(parents=True, exist_ok=True)
    world.path(link).symlink_to(target)
    settled(world, *named)

    assert all(world.modicum("see", name).code == 0 for name in named)
    assert world.modicum("uninstall").code == 0
    assert world.path(link).is_symlink()
    assert not world.path(link).exists()


@pytest.mark.parametrize("target", ["nowhere/../../../x.md", "/nowhere/x.md", "CLAUDE.md"])
def test_a_link_that_leads_out_or_to_itself_is_told(world, target: str) -> None:
    world.path("CLAUDE.md").symlink_to(target)
    said = world.modicum("inject", "--tool", "claude-code")

    assert "bug" not in said.err
    assert world.path("CLAUDE.md").is_symlink()


def test_an_own_line_beside_a_page_that_others_import_moves_all_of_them(world) -> None:
    named = tools("claude-code", "copilot", "gemini-cli", "grok", "zed")
    world.pack("shop", RULE)
    world.inject(*named)
    world.write("GEMINI.md", world.read("GEMINI.md") + "more\n")

    assert world.inject(*named).code == 0
    files = world.files()
    assert world.inject(*named).code == 0
    assert world.files() == files


def test_what_imported_a_page_becomes_the_page_in_one_run(world) -> None:
    rules = ".claude/rules/modicum.md"
    world.pack("shop", RULE)
    world.write("AGENTS.md", "# Mine\n")
    world.write(".modicum/config.yaml", "tools: [codex, claude-code]\n")
    world.inject()
    assert "@../../AGENTS.md" in world.read(rules)
    world.write(".modicum/config.yaml", "tools: [claude-code]\n")

    stated = world.modicum("status")
    assert (stated.err, "foreign" in stated.out) == ("", False)
    assert world.inject().code == 0
    assert RULE.strip() in world.read(rules)
    assert world.read("AGENTS.md") == "# Mine\n"
    assert world.modicum("inject", "--check").code == 0


def test_words_of_the_users_in_a_file_of_ours_stay_when_it_goes(world) -> None:
    rules = ".claude/rules/modicum.md"
    world.pack("shop", RULE)
    world.write("AGENTS.md", "# Mine\n")
    world.inject(*tools("claude-code", "codex"))
    world.write(rules, world.read(rules) + "my own words\n")

    assert world.modicum("uninstall").code == 0
    assert world.read(rules) == "my own words\n"
    again = world.modicum("uninstall")
    assert (again.code, again.out) == (0, "Nothing of modicum's was found here.\n")


def test_a_file_in_another_encoding_holds_nothing_of_ours(world) -> None:
    world.write("CLAUDE.md", "# Mine".encode("utf-16"))

    said = world.modicum("uninstall")

    assert (said.code, said.out, said.err) == (0, "Nothing of modicum's was found here.\n", "")
