"""modicum adr"""

import json

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


def test_one_undo_takes_a_superseding_decision_out_of_memory_and_leaves_the_files(world) -> None:
    world.modicum("adr", "new", "Keep sessions in Postgres", *ADR)
    before = json.loads(world.modicum("export").out)
    world.modicum("adr", "supersede", "1", "Keep sessions in Redis", *ADR)
    world.modicum("undo")

    after = json.loads(world.modicum("export").out)
    assert [(each["title"], each["content"]) for each in after["notes"]] == [
        (each["title"], each["content"]) for each in before["notes"]
    ]
    assert not after["relations"]
    assert "superseded by 002" in world.modicum("adr", "list").out


def test_an_undo_that_finds_nothing_to_take_back_can_be_tried_again(world) -> None:
    world.modicum("adr", "new", "Keep sessions in Postgres", *ADR)
    world.modicum("adr", "supersede", "1", "Keep sessions in Redis", *ADR)

    assert "Nothing of it can be taken back" in world.modicum("undo", "1").out
    world.modicum("undo", "2")
    assert world.modicum("undo", "1").code == 0
    assert json.loads(world.modicum("export").out)["notes"] == []


def test_everything_that_a_decision_lacks_is_named_at_once(world) -> None:
    see = "(see: modicum adr new --help)\n"

    assert world.modicum("adr", "new").err == (
        f"modicum: Missing TITLE..., --context, --decision and --rationale. {see}"
    )
    assert world.modicum("adr", "new", "Keys", "--decision", "d").err == (
        f"modicum: Missing --context and --rationale. {see}"
    )
    assert (
        world.modicum("adr", "new", "Keys", *ADR[:4]).err == f"modicum: Missing option '--rationale'. {see}"
    )
    empty = world.modicum("adr", "new", "Keys", "--context", "", "--decision", " ", "--rationale", "r")
    assert empty.err == (
        "modicum: a decision needs its context and decision (modicum adr new --help has an example)\n"
    )


def test_a_number_that_no_decision_can_have_is_not_found(world) -> None:
    world.modicum("adr", "new", "Keys", *ADR)
    for word in ("9" * 5_000, "²", "00000", "x" * 5_000):
        said = world.modicum("adr", "show", word)

        assert said.code == 4
        assert said.err.startswith('modicum: there is no decision "')
        assert len(said.err) < 120
    assert world.modicum("adr", "show", "0001").code == 0
