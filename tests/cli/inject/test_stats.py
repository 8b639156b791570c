"""`modicum inject --stats` shows what a tool reads in all beside its limit, not our share alone."""

import pytest

from modicum.engine.tokens import count

pytestmark = pytest.mark.usefixtures("starters")

OWN = "A line of the user's own.\n" * 200


def total(world, tool: str, *flags: str) -> dict:
    rows = world.inject("--stats", "--tool", tool, *flags).json["totals"]
    (row,) = [row for row in rows if row["tool"] == tool]
    return row


def test_the_total_is_everything_that_counts_for_the_limit(world) -> None:
    world.write("AGENTS.md", OWN)
    before = total(world, "codex", "--dry-run")
    after = total(world, "codex")

    assert after == {
        "tool": "codex",
        "used": len(world.read("AGENTS.md").encode()),
        "most": 32_768,
        "unit": "bytes",
        "tokens": count(world.read("AGENTS.md"), "o200k_base"),
        "directives": after["directives"],
    }
    assert before == after


def test_a_limit_that_the_run_raises_is_the_limit_of_a_dry_run(world) -> None:
    world.write("AGENTS.md", OWN * 8)
    before = total(world, "codex", "--dry-run")
    after = total(world, "codex")

    assert before == after
    assert after["most"] > 32_768
    assert after["used"] == len(world.read("AGENTS.md").encode())


def test_files_at_home_count_where_the_tool_reads_them(world) -> None:
    world.write("~/.gemini/GEMINI.md", "At home, in a file of the user's.\n")
    row = total(world, "gemini-cli", "--include", "git")
    (seen,) = world.modicum("see", "gemini-cli", "--json").json["tools"]

    assert row["most"] is None
    assert seen["own"] >= len("At home, in a file of the user's.")
    assert row["used"] == seen["own"] + seen["ours"]


def test_a_global_page_counts_too(world) -> None:
    before = total(world, "gemini-cli", "--global", "--dry-run")
    row = total(world, "gemini-cli", "--global")
    (seen,) = world.modicum("see", "gemini-cli", "--json").json["tools"]

    assert row["used"] == seen["ours"] > 1_000
    assert before == row


def test_the_table_has_the_total_beside_the_share(world) -> None:
    world.write("AGENTS.md", OWN)
    heard = world.modicum("inject", "--stats", "--tool", "codex")
    used = len(world.read("AGENTS.md").encode())

    assert "Reads in all" in heard.out
    assert f"{used:,}/32,768 bytes" in heard.out


def test_directives_are_counted_over_everything_that_a_tool_reads(world) -> None:
    world.pack("own", "- Use tabs.\n- Never push.\n\nTabs are nice.\n")
    world.write("AGENTS.md", "- Run the tests.\n- The tests are slow.\n")
    flags = ("--tool", "codex", *world.only("own"))

    # The fourth is ours: "Edit the packs, not this text."
    assert world.inject("--stats", "--dry-run", *flags).json["totals"][0]["directives"] == 4
    heard = world.modicum("explain", *flags)
    assert "Codex (AGENTS.md) reads 4 directives in all; agents usually follow about 150 well." in heard.out


def test_more_directives_than_agents_follow_are_told(world) -> None:
    world.write("AGENTS.md", "".join(f"- Use tool number {number}.\n" for number in range(150)))
    world.pack("own", "- Never push.\n")
    flags = ("--tool", "codex", *world.only("own"))

    sentence = "codex reads 152 directives, and agents usually follow about 150 well"
    assert sentence in world.modicum("inject", "--stats", *flags).err
    assert sentence in world.modicum("explain", *flags).err
    assert any(sentence in each for each in world.modicum("explain", "--json", *flags).json["warnings"])


def test_the_table_of_a_dry_run_comes_with_the_diff_and_says_that_nothing_was_written(world) -> None:
    world.pack("own", "- Never push.\n")
    said = world.modicum("inject", "--dry-run", "--stats", "--tool", "codex", *world.only("own")).out

    assert "+- Never push." in said
    assert "Codex (AGENTS.md)  AGENTS.md" in said
    assert said.endswith("would change. Nothing was written.\n")


def test_a_limit_without_room_for_anything_of_the_packs_is_warned_of(world) -> None:
    world.pack("own", "word " * 300)
    for fit in ("thin", "whole"):
        world.adapter("codex", f"max_bytes: 400\nfit: {fit}\n")
        said = world.modicum("inject", "--dry-run", "--tool", "codex", *world.only("own"))

        sentence = "nothing fits into the limit of Codex (AGENTS.md)"
        assert sentence in said.err
        json = world.inject("--dry-run", "--tool", "codex", *world.only("own")).json
        assert any(sentence in each for each in json["warnings"])


def test_of_several_limits_the_table_shows_the_fullest(world) -> None:
    heard = world.modicum("inject", "--stats", "--tool", "windsurf", "--include", "git")

    assert "/12,000 chars" in heard.out
    assert "0/6,000 chars" not in heard.out
