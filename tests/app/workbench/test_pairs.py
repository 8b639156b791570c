"""Pairs of notes that wait for a verdict."""

import pytest

from modicum.app.workbench.pairs import PairVerdict, open_pairs, settle
from modicum.memory.model import NoteDraft, NotFound, Refused
from modicum.memory.people.access import Person


def save(store, title: str, content: str, project: str = "shop", scope: str = "project") -> int:
    return store.save(NoteDraft(title, content, project=project, scope=scope)).id


def pairs(store, project: str = "shop") -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    found = open_pairs(store, project)
    return tuple([(pair.newer.id, pair.older.id) for pair in some] for some in found)


@pytest.fixture
def opposed(store) -> tuple[int, int]:
    older, newer = save(store, "a", "Round each line."), save(store, "b", "Round the sum once.")
    store.relate(older, newer, "contradicts")
    return newer, older


def test_notes_that_contradict_each_other_or_say_the_same_wait(store, opposed) -> None:
    first = save(store, "c", "The queue keeps the order of articles in the stock.")
    same = save(store, "d", "the queue keeps the order\nof articles in the stock.")
    near = save(store, "e", "The queue keeps the order of articles in the stock, always.")
    save(store, "f", "The queue keeps the order of articles in the stock.", project="api")

    contradictions, duplicates = pairs(store)

    assert contradictions == [opposed]
    assert (same, first) in duplicates
    assert (near, same) in duplicates or (near, first) in duplicates
    assert pairs(store, "api") == ([], [])
    assert pairs(store, "")[0] == [opposed]


@pytest.mark.parametrize(
    ("verdict", "left", "relation"),
    [
        (PairVerdict.KEEP_NEWER, "newer", "supersedes"),
        (PairVerdict.KEEP_OLDER, "older", "supersedes"),
        (PairVerdict.SUPERSEDES, "both", "supersedes"),
        (PairVerdict.BOTH, "both", "relates_to"),
    ],
)
def test_a_verdict_settles_a_pair(store, opposed, verdict: PairVerdict, left: str, relation: str) -> None:
    newer, older = opposed

    settle(store, newer, older, verdict)

    alive = {"newer": store.get(newer), "older": store.get(older)}
    assert {name for name, note in alive.items() if note} == (
        {"newer", "older"} if left == "both" else {left}
    )
    assert [each.type for each in store.relations(newer)] == [relation]
    assert pairs(store) == ([], [])


def test_what_specs_keep_in_memory_is_no_duplicate(store) -> None:
    for number, text in (("001", "Jobs wait in a table."), ("002", "Jobs wait in a table!")):
        draft = NoteDraft(f"ADR {number}", text, "decision", "shop", topic_key=f"adr/shop/{number}")
        store.save(draft)
    save(store, "Jobs", "Jobs wait in a table.")

    assert pairs(store) == ([], [])


def test_duplicates_that_both_hold_are_not_shown_again(store) -> None:
    older, newer = save(store, "a", "The same text."), save(store, "b", "The same text.")
    assert pairs(store)[1] == [(newer, older)]

    settle(store, newer, older, PairVerdict.BOTH)
    settle(store, newer, older, PairVerdict.BOTH)

    assert pairs(store) == ([], [])


def test_a_verdict_wants_two_notes_that_are_there(store, opposed) -> None:
    with pytest.raises(Refused):
        settle(store, opposed[0], opposed[0], PairVerdict.BOTH)
    with pytest.raises(NotFound):
        settle(store, opposed[0], 99, PairVerdict.KEEP_NEWER)


def test_a_person_sees_only_pairs_of_which_they_see_both(store, opposed) -> None:
    own = save(store, "x", "Secret of bert, in the same words.", scope="personal")
    other = store.seen_by(Person("anna"))
    save(other, "y", "Secret of bert, in the same words.")
    save(store, "z", "Round it up.", project="hidden")

    assert own not in {number for some in pairs(other, "") for pair in some for number in pair}
    assert pairs(store.seen_by(Person("carl", projects=("hidden",))), "") == ([], [])
    assert pairs(other)[0] == [opposed]


@pytest.mark.parametrize("verdict", PairVerdict)
def test_a_verdict_is_one_change_that_goes_back_whole(store, opposed, verdict: PairVerdict) -> None:
    together = store.in_one_batch("verdict")
    said = settle(together, *opposed, verdict)

    assert all(f'"{title}"' in said for title in "ab")
    store.undo(together.joined_number)
    assert pairs(store) == ([opposed], [])
