"""`modicum inject --stats` shows what a tool reads in all beside its limit, not our share alone."""

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
