"""modicum pack"""

import subprocess
import sys

import pytest


def test_packs_are_listed_in_order_with_their_tiers(world) -> None:
    world.pack(
        "heavy", "core\n<!-- verbosity:detail -->\nmore", header="weight: 500\nname: 'A [bold]name[/bold]'\n"
    )
    rows = world.modicum("pack", "list", "--json").json["packs"]

    assert rows[0]["id"] == "heavy"
    assert rows[0]["bytes"] == {"core": 5, "detail": 4, "extended": 0}
    assert "A [bold]name[/bold]" in world.modicum("pack", "list").out


def test_a_new_pack_is_valid_and_in_force(world) -> None:
    assert world.modicum("pack", "new", "billing").code == 0
    assert world.modicum("pack", "validate", ".modicum/packs/billing").code == 0
    assert "billing" in world.modicum("pack", "list").out
    assert "is there already" in world.modicum("pack", "new", "billing").err
    assert world.modicum("pack", "new", "../x").code == world.modicum("pack", "new", "").code == 2


def test_the_template_of_a_new_pack_is_odd_until_it_is_written_over(world) -> None:
    world.modicum("pack", "new", "billing")
    odd = "billing: still the template in context.md and constraints.md: write your own text over it"

    assert world.modicum("pack", "validate").out == f"odd    {odd}\n1 pack: nothing wrong, 1 odd.\n"
    assert world.inject("--tool", "codex").json["warnings"] == [odd]
    world.write(".modicum/packs/billing/context.md", "## Billing\n\nPrices are in cents.\n")
    assert "template in constraints.md:" in world.modicum("pack", "validate").out
    world.write(".modicum/packs/billing/constraints.md", "1. Never round a price.\n")
    assert world.modicum("pack", "validate").out == "1 pack: nothing wrong, nothing odd.\n"


def test_a_new_pack_tells_which_pack_of_its_name_it_replaces(world) -> None:
    world.write("~/.config/modicum/packs/ours/pack.yaml", "id: ours\n")
    said = world.modicum("pack", "new", "git")

    assert said.out.endswith(
        "\nIt replaces the starter pack git, which comes with modicum: choose another name to have both.\n"
    )
    assert "replaces your own pack ours here:" in world.modicum("pack", "new", "ours").out
    assert (
        "replaces" not in world.modicum("pack", "new", "git", "--user").out
    )  # the project's stays before it
    assert world.modicum("pack", "new", "testing", "--json").json["replaces"] == "built-in"


def test_a_new_pack_repeats_no_starter_pack(world) -> None:
    world.starters()
    world.modicum("pack", "new", "billing")

    assert world.modicum("lint", "--tool", "codex").out == "Nothing found in what 1 tool may read here.\n"


def test_validate_finds_what_is_wrong_and_what_is_odd(world) -> None:
    world.pack("bad", "hid\u200bden\n<!-- verbosity:often -->\nx", header="overlaps: [light]\nweight: 5\n")
    world.pack("light", header="weight: 1\n")
    world.pack("worse", "x", header="weight: heavy\n")
    said = world.modicum("pack", "validate")

    assert said.code == 1
    assert "packs/worse/pack.yaml:2:" in said.out
    assert "context.md:1: hidden character" in said.out
    assert 'unknown verbosity level "often"' in said.out
    assert "bad: overlaps light, which matters no more" in said.out
    assert "light: has neither context.md nor constraints.md" in said.out


def test_validate_calls_a_pack_empty_only_if_it_shows_nothing(world) -> None:
    world.pack("base", header="base: true\n")
    world.pack("rows")
    world.pack("lost")
    world.write(".modicum/packs/base/preamble.md", "Be kind.")
    world.write(".modicum/packs/rows/samples.yaml", "- {id: a, label: A, url: u}\n")
    world.write(".modicum/packs/lost/preamble.md", "Be kind.")
    said = world.modicum("pack", "validate")

    assert said.code == 0
    assert said.out.count("\n") == 2
    assert 'lost: has a preamble.md, which is shown only with "base: true" in pack.yaml' in said.out


@pytest.mark.parametrize("path", ["nowhere", "."])
def test_validate_says_where_packs_would_be(world, path: str) -> None:
    said = world.modicum("pack", "validate", path)

    assert said.code == 4
    assert said.err.count("\n") == 1


# On and off


CONFIG = "# mine\r\nlanguage: de  # of the shop\r\n\r\nskip: [shop,   other]\r\nscope: project\r\n"


def in_force(world, *arguments: str) -> list[str]:
    return [row["id"] for row in world.modicum("pack", "list", "--json", *arguments).json["packs"]]


def test_packs_are_turned_on_and_off_in_the_projects_config(world) -> None:
    world.pack("shop", "Prices are in cents.")
    on = world.modicum("pack", "use", "git", "testing", "shop")
    assert on.out == (
        f"Turned on: git, testing ({world.project}/.modicum/config.yaml). Run modicum inject to tell the tools.\n"
        "Turned on already: shop.\n"
    )
    assert world.read(".modicum/config.yaml") == "use:\n  - git\n  - testing\n"
    assert in_force(world) == ["testing", "git", "shop"]

    off = world.modicum("pack", "skip", "testing", "shop", "reviews", "--json").json
    assert (off["changed"], off["unchanged"]) == (["testing", "shop"], ["reviews"])
    assert world.read(".modicum/config.yaml") == "use:\n  - git\nskip:\n  - shop\n"
    assert in_force(world) == ["git"]

    world.modicum("pack", "use", "shop")
    world.modicum("pack", "skip", "git")
    assert world.read(".modicum/config.yaml") == ""
    assert in_force(world) == ["shop"]


def test_what_is_turned_on_or_off_once_more_changes_no_byte(world) -> None:
    world.modicum("pack", "use", "git")
    file = world.path(".modicum/config.yaml")
    before = file.stat()

    assert world.modicum("pack", "use", "git", "git").out == "Turned on already: git.\n"
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert world.modicum("pack", "skip", "testing").out == "Turned off already: testing.\n"
    assert file.stat().st_mtime_ns == before.st_mtime_ns


def test_comments_order_and_line_ends_of_the_config_stay(world) -> None:
    world.pack("shop", "Prices are in cents.")
    world.pack("other", "Text.")
    world.write(".modicum/config.yaml", CONFIG.encode())
    world.modicum("pack", "use", "shop", "git")

    assert world.path(".modicum/config.yaml").read_bytes().decode() == (
        "# mine\r\nlanguage: de  # of the shop\r\n\r\nskip: [other]\r\nscope: project\r\nuse:\r\n  - git\r\n"
    )
    world.modicum("pack", "skip", "shop")
    world.modicum("pack", "skip", "git")
    assert "skip: [other, shop]\r\n" in world.path(".modicum/config.yaml").read_bytes().decode()


@pytest.mark.parametrize("verb", ["use", "skip"])
@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("gti", 'did you mean "git"?'),
        ("xyzzy", "modicum pack list shows them"),
        ("包", "modicum pack list shows them"),
    ],
)
def test_a_name_that_no_pack_has_is_one_line_and_changes_nothing(
    world, verb: str, name: str, remedy: str
) -> None:
    said = world.modicum("pack", verb, "git", name)

    assert (said.code, said.out) == (2, "")
    assert said.err == f'modicum: there is no pack "{name}" ({remedy})\n'
    assert not world.path(".modicum/config.yaml").exists()


def test_what_is_gone_can_be_taken_out_of_the_config(world) -> None:
    world.write(".modicum/config.yaml", "use: [gone, git]\n")
    said = world.modicum("inject", "--tool", "codex")

    assert (said.code, said.err) == (
        0,
        'modicum: "use" in the config names what no layer has: the pack "gone"\n',
    )
    assert world.modicum("pack", "skip", "gone").out.startswith("Turned off: gone (")
    assert world.read(".modicum/config.yaml") == "use: [git]\n"


def test_a_list_that_is_none_is_one_line_with_a_remedy(world) -> None:
    world.write(".modicum/config.yaml", "use: git\n")
    said = world.modicum("pack", "use", "testing")

    assert said.code == 4
    assert 'config.yaml:1: "use" must be a list, not' in said.err
    assert "write [git]" in said.err
    assert world.read(".modicum/config.yaml") == "use: git\n"


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("use: &shared [git]\n", 0o644, "use is a value that is shared"),
        ("use: [git]\n", 0o444, "read-only"),
    ],
)
def test_a_config_that_cannot_be_edited_is_named_and_stays(world, text: str, mode: int, words: str) -> None:
    file = world.write(".modicum/config.yaml", text)
    file.chmod(mode)
    said = world.modicum("pack", "use", "testing")

    assert said.code == 4
    assert said.err.startswith(f"modicum: {file}: ")
    assert words in said.err
    assert file.read_text() == text


def test_a_pack_that_the_profile_leaves_out_is_turned_on(world) -> None:
    world.pack("shop", "Prices are in cents.")
    world.pack("other", "Text.")
    world.write(".modicum/profiles/web.yaml", "id: web\ninclude: [other]\n")
    world.write(".modicum/config.yaml", "profile: web\n")
    assert in_force(world) == ["other"]
    world.modicum("pack", "use", "shop")

    assert world.read(".modicum/config.yaml") == "profile: web\nuse:\n  - shop\n"
    assert in_force(world) == ["other", "shop"]
    assert world.modicum("profile", "show", "web", "--json").json["packs"] == [
        {"id": "other", "weight": 0, "base": False}
    ]
    keys = world.inject("--tool", "codex", "--profile", "web").page("codex")["items"]
    assert not any(item["key"].startswith("pack:shop") for item in keys)


def test_the_user_chooses_for_all_projects_unless_a_project_says_otherwise(world) -> None:
    world.modicum("pack", "use", "git", "testing", "--user")
    assert world.read("~/.config/modicum/config.yaml") == "use:\n  - git\n  - testing\n"
    assert not world.path(".modicum").exists()
    assert in_force(world) == ["testing", "git"]
    assert "pack:git/" in world.inject("--global", "--tool", "codex").out

    world.modicum("pack", "skip", "git")
    assert world.read(".modicum/config.yaml") == "skip:\n  - git\n"
    assert in_force(world) == ["testing"]
    assert world.modicum("pack", "skip", "git", "--user").out.startswith("Turned off: git (")
    assert world.modicum("pack", "use", "testing", "--user").out == "Turned on already: testing.\n"

    world.write(".modicum/config.yaml", "profile: minimal\n")
    assert in_force(world) == []


def test_two_runs_at_once_lose_no_choice(world) -> None:
    environment = {"HOME": str(world.home), "PATH": "/nonexistent"}
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "modicum.cli.main", "pack", "use", name],
            cwd=world.project,
            env=environment,
        )
        for name in ("git", "modicum", "reviews", "testing")
    ]

    assert [run.wait(60) for run in runs] == [0] * 4
    assert sorted(in_force(world)) == ["git", "modicum", "reviews", "testing"]


@pytest.mark.parametrize(
    "config", ["", "profile: minimal\n", "skip: [billing]\n", "profile: web\nskip: [git]\n"]
)
def test_a_new_pack_shows_in_the_next_inject(world, config: str) -> None:
    world.write(".modicum/profiles/web.yaml", "id: web\ninclude: [git]\n")
    world.write(".modicum/config.yaml", config)
    said = world.modicum("pack", "new", "billing")
    world.write(".modicum/packs/billing/context.md", "Prices are in cents.\n")
    page = world.inject("--tool", "chatgpt", "--tool", "codex").page("codex")

    assert said.code == 0, said.err
    assert ("turns it on" in said.out) == bool(config)
    assert "Prices are in cents." in page["text"]
    assert world.modicum("inject", "--check", "--tool", "codex").code == 0


def test_a_new_pack_of_the_users_shows_in_every_project(world) -> None:
    world.modicum("profile", "set", "minimal")
    world.modicum("pack", "new", "mine", "--user")
    world.write("~/.config/modicum/packs/mine/context.md", "Prices are in cents.\n")

    assert world.read("~/.config/modicum/config.yaml") == "profile: minimal\nuse:\n  - mine\n"
    assert "Prices are in cents." in world.inject("--tool", "codex").page("codex")["text"]
    assert not world.path(".modicum").exists()


def test_a_profile_that_is_gone_is_told_before_a_pack_is_written(world) -> None:
    world.write(".modicum/config.yaml", "profile: gone\n")
    said = world.modicum("pack", "new", "billing")

    assert (said.code, said.err) == (
        2,
        'modicum: there is no profile "gone" (modicum profile list shows them)\n',
    )
    assert not world.path(".modicum/packs").exists()


def test_an_empty_list_is_a_sentence_and_a_full_one_names_the_unit_of_its_sizes(world) -> None:
    assert world.modicum("pack", "list").out.startswith(
        "No pack is in force. Write one: modicum pack new NAME"
    )
    world.pack("shop", "Prices are in cents.")

    assert "Core bytes" in world.modicum("pack", "list").out


def test_the_list_has_what_is_turned_off_with_its_size(world) -> None:
    world.pack("shop", "Prices are in cents.")
    world.modicum("pack", "skip", "shop")
    said = world.modicum("pack", "list")
    off = {row["id"]: row for row in world.modicum("pack", "list", "--json").json["off"]}

    assert {*off} == {"git", "modicum", "reviews", "testing", "shop"}
    assert off["shop"] == {"id": "shop", "description": "", "layer": "project", "tokens": 5}
    assert f"  git      {off['git']['tokens']:,} tokens  Commits," in said.out


def test_a_name_that_is_too_long_for_a_folder_is_refused_in_a_sentence(world) -> None:
    heard = world.modicum("pack", "new", "a" * 300)

    assert heard.code == 2
    assert "is no name for a pack (use at most 64 small letters, digits and hyphens)" in heard.err
    assert world.modicum("pack", "new", "a" * 64).out


@pytest.mark.parametrize("none", ["null", "~", "", " # none yet", "null  # none yet"])
def test_a_list_that_says_none_is_an_empty_one(world, none: str) -> None:
    world.write(".modicum/config.yaml", f"# ours\r\nuse: {none}\r\nskip: {none}\r\n")
    on, off = world.modicum("pack", "use", "git"), world.modicum("pack", "skip", "git")

    assert (on.code, off.code) == (0, 0)
    assert world.read(".modicum/config.yaml").startswith("# ours\r\n")
    assert world.modicum("pack", "use", "git", "testing").code == 0
    assert {pack["id"] for pack in world.modicum("pack", "list", "--json").json["packs"]} >= {
        "git",
        "testing",
    }


@pytest.mark.parametrize(
    "command", ["inject", "status", "see", "init", "pack list", "source list", "setup", "lint"]
)
def test_a_home_that_is_a_file_is_told_in_a_sentence(world, tmp_path, command: str) -> None:
    file = tmp_path / "file"
    file.write_text("")
    world.patch.setenv("HOME", str(file))
    said = world.modicum(*command.split())

    assert (said.code, "bug" in said.err) == (4, False)
    assert "a part of the path is a file: move it away" in said.err


def test_a_pack_that_a_profile_names_without_a_weight_keeps_its_own(world) -> None:
    world.pack("light", context="- One.", header="weight: 3\n")
    world.pack("heavy", context="- Two.", header="weight: 7\n")
    world.write(".modicum/profiles/mine.yaml", "id: mine\npacks: [light, {id: heavy, weight: null}]\n")
    world.write(".modicum/config.yaml", "profile: mine\n")

    listed = world.modicum("pack", "list", "--json").json["packs"]
    assert [(pack["id"], pack["weight"]) for pack in listed] == [("heavy", 7), ("light", 3)]
