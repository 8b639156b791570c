"""modicum adr"""

ADR = ("--context", "Redis lost some.", "--decision", "A table.", "--rationale", "One thing less.")


def test_decisions_are_written_listed_shown_and_superseded(world) -> None:
    assert world.modicum("adr", "list").out == "There are no decisions.\n"
    first = world.modicum("adr", "new", "Keep", "sessions", "in", "Postgres", *ADR)
    second = world.modicum("adr", "supersede", "1", "Keep sessions in Redis", *ADR, "--json")

    assert first.out == "001 Keep sessions in Postgres: docs/adrs/001-keep-sessions-in-postgres.md\n"
    assert second.json["number"] == "002"
    assert world.modicum("adr", "list").out == (
        "001  Keep sessions in Postgres  (superseded by 002)\n002  Keep sessions in Redis  (accepted)\n"
    )
    assert world.modicum("adr", "show", "1").out.startswith(
        "# 001. Keep sessions in Postgres\n\n- Status: superseded by"
    )
    assert 'no decision "9"' in world.modicum("adr", "show", "9").err
    assert "ADR 002" in world.modicum("search", "sessions", "redis").out
