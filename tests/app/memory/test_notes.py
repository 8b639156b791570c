"""Keeping, looking at and recalling notes, on a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.app.answer.amount import Amount, parse_amount, whole_number
from modicum.app.answer.answer import Answer, answer_as_json
from modicum.app.answer.cursor import PagePosition, mark, read_place, write_place
from modicum.app.memory.notes import look, open_store, save
from modicum.app.memory.recall import RecallCounts, recall, search, timeline
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, NotFound, Query, SaveOutcome
from modicum.memory.store import Store

ANY = Query(limit=0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield found
    found.close()


def shown(answer: Answer) -> list[str]:
    return [key for key, fate in answer.page.fates.items() if fate in ("shown", "shortened")]


def test_a_store_is_opened_where_modicum_keeps_its_data(tmp_path: Path) -> None:
    config = load_config({"MODICUM_HOME": str(tmp_path / "m"), "HOME": str(tmp_path)}, tmp_path)
    store = open_store(config)
    store.save(NoteDraft("a", "b"))
    store.close()

    assert (tmp_path / "m" / "memory.db").exists()


def test_a_note_is_kept_with_advice(store: Store) -> None:
    kept = save(store, NoteDraft("Auth Model", "We use JWT.", "architecture", "Engram"))

    assert (kept.saved.id, kept.saved.outcome) == (1, SaveOutcome.CREATED)
    assert kept.suggested_topic == "architecture/auth-model"
    assert kept.remarks == ('The project "Engram" is kept as "engram".',)


@pytest.mark.parametrize("text", ["password: Hunter2hunter2hunter2", "<private>mine</private> and yours"])
def test_what_was_taken_out_of_a_note_is_told(store: Store, text: str) -> None:
    assert save(store, NoteDraft("a", text)).remarks == (
        "What is private or looks like a secret was taken out.",
    )
    assert save(store, NoteDraft("b", "It said [REDACTED].")).remarks == ()


def test_a_new_project_that_looks_like_another_is_remarked_on_once(store: Store) -> None:
    save(store, NoteDraft("a", "b", project="engram"))

    assert save(store, NoteDraft("c", "d", project="engam")).remarks == (
        '"engam" is a new project. Did you mean "engram"?',
    )
    assert save(store, NoteDraft("e", "f", project="engam", topic_key="t")) == ((3, "created"), "", ())


def test_a_look_shows_all_that_hangs_on_a_note(store: Store) -> None:
    store.save_all([NoteDraft("a", "b", topic_key="t"), NoteDraft("c", "d")])
    store.save(NoteDraft("a2", "b2", topic_key="t"))
    store.relate(1, 2)

    found = look(store, 1, depth=1)

    assert (found.note.title, [revision.title for revision in found.history]) == ("a2", ["a2", "a"])
    assert [near.note.id for near in found.neighbours] == [2]
    assert look(store, 1).neighbours == ()
    with pytest.raises(NotFound):
        look(store, 9)


def test_an_amount_is_read_from_words() -> None:
    assert parse_amount() == Amount()
    assert parse_amount(detail="concise", max_tokens="7", max_bytes="9", tokenizer="cl100k_base") == Amount(
        Detail.SUMMARY, (("cl100k_base", 7), ("bytes", 9))
    )
    assert (Amount().unit, Amount().limit) == ("o200k_base", None)


@pytest.mark.parametrize("word", ["-1", "1.5", "many", "٣", "", "9" * 30])
def test_what_is_no_whole_number_is_refused(word: str) -> None:
    with pytest.raises(ModicumError):
        whole_number("limit", word)


def test_a_budget_says_how_many_items_may_fit() -> None:
    assert Amount().items(10) == 10
    assert Amount(limits=(("o200k_base", 4000),)).items(10) == 250
    assert Amount(limits=(("o200k_base", 4000), ("bytes", 4800))).items(10) == 100


@given(
    st.from_regex(r"([\w-]{2,})?", fullmatch=True, alphabet=st.characters(codec="ascii")),
    st.sets(st.integers(0, 2**40) | st.integers(0, 50)),
    st.none() | st.lists(st.text().map(mark)),
    st.integers(0, 999),
)
def test_a_place_can_be_written_and_read(
    cursor: str, seen: set[int], aside: list[str] | None, number: int
) -> None:
    place = PagePosition(cursor, tuple(sorted(seen)), None if aside is None else tuple(aside), number)

    assert read_place(write_place(place)) == place


def test_a_place_in_a_list_is_a_short_word() -> None:
    assert len(write_place(PagePosition("", tuple(range(1000, 1200)), (), 200))) < 16
    assert len(write_place(PagePosition("", tuple(range(0, 9000, 180)), (), 50))) < 150


@pytest.mark.parametrize(
    "word",
    [
        "x",
        "é",
        "1.~._",
        "1.!!.~._",
        "1.gA.~._",
        "1.AA.x._",
        "1.AQD_____.~._",
        "1.AQA.~._",
        f"1.{'-' * 100_001}.~._",
    ],
)
def test_what_is_no_place_is_refused(word: str) -> None:
    with pytest.raises(ModicumError, match="no cursor"):
        read_place(word)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.text(max_size=30), st.text(max_size=300)), min_size=1, max_size=12),
    st.integers(12, 300),
    st.sampled_from(Detail),
    st.integers(1, 7),
)
def test_pages_are_never_over_and_show_everything_once(
    tmp_path, notes, most: int, detail: Detail, limit: int
) -> None:
    store = Store(SqliteDatabase(_fresh(tmp_path)))
    store.save_all([NoteDraft(title, f"word {content}", session_id="s") for title, content in notes])
    store.add_prompt("what?", session_id="s")
    store.pin(1)
    amount, query = Amount(detail, (("chars", most),)), Query(limit=limit)

    def pages(*, found: str) -> list[Answer]:
        ask = {
            "recall": lambda cursor: recall(store, query, amount, cursor=cursor),
            "search": lambda cursor: search(store, "word", query, amount, cursor=cursor),
            "timeline": lambda cursor: timeline(store, 1, amount, after=limit, cursor=cursor),
        }[found]
        answers = [ask("")]
        while answers[-1].next:
            answers.append(ask(answers[-1].next))
            assert len(answers) < 100
        return answers

    for found in ("recall", "search", "timeline"):
        answers = pages(found=found)
        keys = [key for answer in answers for key in shown(answer)]
        assert all(len(answer.page.text) <= most for answer in answers)
        assert len(keys) == len(set(keys))
        assert answers[-1].omitted == answers[0].total - len(keys)
    store.close()


def _fresh(folder: Path) -> Path:
    return folder / f"{len(list(folder.iterdir()))}.db"


def test_what_does_not_fit_even_alone_is_passed_over_and_counted(store: Store) -> None:
    store.save_all([NoteDraft("a title that is far too long", "x"), NoteDraft("b", "b")])
    amount = Amount(Detail.SUMMARY, (("chars", 20),))

    answers = [search(store, "b x", ANY, amount)]
    while answers[-1].next:
        answers.append(search(store, "b x", ANY, amount, cursor=answers[-1].next))

    assert sum(len(shown(answer)) for answer in answers) == 1
    assert answers[-1].omitted == 1


def test_a_long_way_through_a_list_keeps_cursors_short(store: Store) -> None:
    store.save_all([NoteDraft(f"note {n}", f"word {n}") for n in range(900)])
    amount, keys, cursor = Amount(Detail.SUMMARY, (("chars", 900),)), [], ""
    while True:
        answer = search(store, "word", Query(limit=500), amount, cursor=cursor)
        keys += shown(answer)
        cursor = answer.next
        assert len(cursor) < 3000
        if not cursor:
            break

    assert len(keys) == len(set(keys)) == 900


def test_new_notes_do_not_disturb_the_pages_that_follow(store: Store) -> None:
    store.save_all([NoteDraft(f"note {n}", f"word {n}") for n in range(30)])
    amount = Amount(Detail.SUMMARY, (("chars", 150),))
    first = recall(store, Query(limit=10), amount)
    store.save(NoteDraft("late", "late word"))
    keys, cursor = shown(first), first.next
    while cursor:
        answer = recall(store, Query(limit=10), amount, cursor=cursor)
        keys += shown(answer)
        cursor = answer.next

    assert len(keys) == len(set(keys))
    assert {f"note:{n}" for n in range(1, 31)} <= set(keys)


def test_an_answer_has_the_one_shape_of_a_page(store: Store) -> None:
    store.save(NoteDraft("Title", "Some text about caching."))

    answer = answer_as_json(search(store, "caching", ANY, parse_amount(detail="full", max_tokens="50")))

    assert answer == {
        "text": "#1 Title\nSome text about caching.",
        "used": 9,
        "limit": 50,
        "unit": "o200k_base",
        "shown": 1,
        "total": 1,
        "omitted": 0,
        "next": None,
        "items": [
            {
                "key": "note:1", "id": 1, "fate": "shown", "size": 9, "reason": None,
                "score": answer["items"][0]["score"], "why": answer["items"][0]["why"],
            }
        ],
    }  # fmt: skip


def test_what_stands_beside_can_be_left_out(store: Store) -> None:
    store.save(NoteDraft("a", "b"))
    store.add_prompt("c")

    answer = recall(store, ANY, Amount(), beside=RecallCounts(0, 0, 0))

    assert (shown(answer), answer.total) == (["note:1"], 1)
