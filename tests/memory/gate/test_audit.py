"""What an audit finds among notes, and what its plan deletes."""

from modicum.memory.gate.audit import audit
from modicum.memory.model import Note, Relation

LONG_AGO, NOW = "2025-01-01T00:00:00.000Z", "2026-11-16T00:00:00.000Z"


def note(number: int, content: str, **fields: object) -> Note:
    given = {"project": "p", "updated_at": NOW, "origin": "agent:codex", **fields}
    return Note(number, f"obs-{number}", "s", "discovery", f"title {number}", content, **given)


def found(*notes: Note, relations: tuple[Relation, ...] = ()) -> list[tuple[int, str, bool]]:
    findings = audit(notes, relations, untouched_since="2026-06-01")
    assert all(finding.reason and finding.title for finding in findings)
    return [(finding.number, finding.kind, finding.delete) for finding in findings]


QUEUE = "The queue moved from Redis to SQLite because jobs were lost on restart."
POOL = "The pool of the booking nodes is 24, since the database allows 400 sessions."


def test_nothing_is_found_among_good_notes():
    assert found(note(1, QUEUE), note(2, POOL)) == []
    assert found() == []


def test_the_later_of_two_that_say_the_same_goes_unless_a_person_or_a_pin_holds_it():
    assert found(note(1, QUEUE), note(2, QUEUE), note(3, QUEUE)) == [
        (2, "duplicate", True),
        (3, "duplicate", True),
    ]
    assert found(note(1, QUEUE), note(2, QUEUE, origin="person")) == [(1, "duplicate", True)]
    assert found(note(1, QUEUE), note(2, QUEUE, pinned=1)) == [(1, "duplicate", True)]
    assert found(note(1, QUEUE, pinned=1), note(2, QUEUE, pinned=1)) == [(2, "duplicate", False)]


def test_what_only_seems_to_be_replaced_is_shown_and_stays():
    guessed = Relation(1, 2, 1, "replaces")

    assert found(note(1, QUEUE), note(2, POOL), relations=(guessed,)) == [(1, "superseded", False)]


def test_two_for_different_readers_are_no_duplicates():
    assert found(note(1, QUEUE), note(2, QUEUE, project="q")) == []
    assert found(note(1, QUEUE), note(2, QUEUE, scope="personal", owner="mia")) == []


def test_the_junk_of_a_person_is_only_shown():
    junk = "All 412 tests pass now."

    assert found(note(1, junk), note(2, "Build is green again.", origin="person")) == [
        (1, "junk", True),
        (2, "junk", False),
    ]
    assert found(note(1, junk)._replace(type="session_summary")) == []


def test_what_is_superseded_goes_and_what_is_contradicted_is_shown():
    replaced = Relation(1, 2, 1, "supersedes")
    against = Relation(2, 1, 2, "contradicts")

    assert found(note(1, QUEUE), note(2, POOL), relations=(replaced,)) == [(1, "superseded", True)]
    assert found(note(1, QUEUE, origin="person"), note(2, POOL), relations=(replaced,)) == [
        (1, "superseded", False)
    ]
    assert found(note(1, QUEUE), note(2, POOL), relations=(against,)) == [(2, "contradicted", False)]
    assert found(note(1, QUEUE), note(2, POOL, origin="person"), relations=(against,)) == [
        (1, "contradicted", False)
    ]
    assert found(note(1, QUEUE), relations=(replaced,)) == []


def test_what_nobody_has_touched_for_long_is_shown():
    old = note(1, QUEUE, updated_at=LONG_AGO)

    assert found(old) == [(1, "never read", False)]
    assert found(old._replace(pinned=1)) == found(old._replace(revision_count=2)) == []
    assert found(old, note(2, POOL), relations=(Relation(1, 1, 2),)) == []
    for name in (1, old.public_id):  # what an agent was handed lately is read
        assert audit((old,), (), untouched_since="2026-06-01", read={name}) == ()


def test_what_is_left_out_is_no_finding_but_stands_against_others():
    replaced, own = Relation(1, 1, 2, "supersedes"), Relation(2, 2, 1, "supersedes")
    same = [note(1, QUEUE), note(2, "Done."), note(3, QUEUE)]

    def numbers(*relations: Relation, left_out: set[int]) -> list[int]:
        findings = audit(same, relations, untouched_since=NOW, left_out=left_out)
        return [each.number for each in findings]

    assert numbers(own, left_out={1, 2}) == []
    assert numbers(replaced, left_out={1}) == [2]
