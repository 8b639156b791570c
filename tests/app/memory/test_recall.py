"""Recall, search and timeline as pages, on a real store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.app.answer.amount import Amount, parse_amount
from modicum.app.answer.answer import Answer, ItemList, Rest, answer, answer_as_json
from modicum.app.memory.lists import ReadItems, list_sessions
from modicum.app.memory.recall import RecallCounts, recall, search, timeline
from modicum.engine.page import Detail
from modicum.engine.tokens import count
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store

ANY = Query(limit=0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield found
    found.close()


def test_a_list_of_sessions_goes_on_behind_the_longest_id(store) -> None:
    for number in range(3):
        store.start_session("x" * 700 + str(number), project="shop")
    first = answer_of(list_sessions(store, Query(project="shop")), Amount(most_items=2))

    rest = answer_of(list_sessions(store, Query(project="shop")), Amount(most_items=2, cursor=first.next))

    assert (len(first.shown), len(rest.shown), rest.next) == (2, 1, "")


def answer_of(read: ReadItems, amount: Amount) -> Answer:
    return answer(read(amount), amount)


def test_a_recall_considers_as_many_notes_as_its_budget_may_hold(store: Store) -> None:
    store.save_all([NoteDraft(f"Note {number}", "Short.") for number in range(31)])
    amount = parse_amount(max_tokens="3000")

    page = answer(recall(store, ANY, amount), amount)
    usual = answer(recall(store, ANY, Amount()), Amount())

    assert (len(page.shown), page.total, page.omitted, page.next) == (32, 32, 0, "")  # and their session
    assert len([key for key in usual.shown if key.startswith("note:")]) == 20


def shown(answer: Answer) -> list[str]:
    return [key for key, fate in answer.page.fates.items() if fate in ("shown", "shortened")]


def closing(rest: Rest) -> str:
    return f"({rest.left} left)"


def pages(read: Callable[[Amount], ItemList], amount: Amount) -> list[Answer]:
    answers = [answer(read(amount), amount)]
    while cursor := answers[-1].next:
        amount = amount._replace(cursor=cursor)
        answers.append(answer(read(amount), amount))
        assert len(answers) < 1000
    return answers


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
    amount = Amount(detail, (("chars", most),), limit)
    reads: list[Callable[[Amount], ItemList]] = [
        lambda amount: recall(store, ANY, amount),
        lambda amount: search(store, "word", ANY, amount),
        lambda amount: timeline(store, 1, amount, after=limit),
    ]

    for read in reads:
        answers = pages(read, amount)
        keys = [key for each in answers for key in shown(each)]
        assert all(len(each.page.text) <= most for each in answers)
        assert len(keys) == len(set(keys))
        assert answers[-1].omitted == answers[0].total - len(keys)
    store.close()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.text(max_size=30), st.text(max_size=300)), min_size=1, max_size=12),
    st.integers(0, 400),
    st.integers(0, 100),
    st.sampled_from(Detail),
)
def test_a_larger_budget_never_shows_fewer_items(
    tmp_path, notes, most: int, more: int, detail: Detail
) -> None:
    store = Store(SqliteDatabase(_fresh(tmp_path)))
    store.save_all([NoteDraft(title, f"word {content}", session_id="s") for title, content in notes])
    reads: list[Callable[[Amount], ItemList]] = [
        lambda amount: recall(store, ANY, amount),
        lambda amount: search(store, "word", ANY, amount._replace(most_items=10)),
        lambda amount: timeline(store, 1, amount),
    ]

    for read in reads:
        small, large = (Amount(detail, (("chars", limit),)) for limit in (most, most + more))
        fewer, further = (shown(answer(read(amount), amount, closing)) for amount in (small, large))
        assert set(fewer) <= set(further)
    store.close()


def _fresh(folder: Path) -> Path:
    return folder / f"{len(list(folder.iterdir()))}.db"


def test_what_does_not_fit_even_alone_is_passed_over_and_counted(store: Store) -> None:
    store.save_all([NoteDraft("a title that is far too long", "x"), NoteDraft("b", "b")])
    amount = Amount(Detail.SUMMARY, (("chars", 29),))

    answers = pages(lambda amount: search(store, "b x", ANY, amount), amount)

    assert sum(len(shown(answer)) for answer in answers) == 1
    assert answers[-1].omitted == 1


def test_a_long_way_through_a_list_keeps_cursors_short(store: Store) -> None:
    store.save_all([NoteDraft(f"note {n}", f"word {n}") for n in range(900)])
    amount = Amount(Detail.SUMMARY, (("chars", 900),), 500)
    answers = pages(lambda amount: search(store, "word", ANY, amount), amount)
    keys = [key for each in answers for key in shown(each)]

    assert all(len(each.next) < 100 for each in answers)
    assert len(keys) == len(set(keys)) == 900


def test_new_notes_do_not_disturb_the_pages_that_follow(store: Store) -> None:
    store.save_all([NoteDraft(f"note {n}", f"word {n}") for n in range(30)])
    amount = Amount(Detail.SUMMARY, (("chars", 150),), 10)
    first = answer(recall(store, ANY, amount), amount)
    store.save(NoteDraft("late", "late word"))
    later = pages(lambda amount: recall(store, ANY, amount), amount._replace(cursor=first.next))
    keys = [*shown(first), *(key for each in later for key in shown(each))]

    assert len(keys) == len(set(keys))
    assert {f"note:{name}" for name in store.names(range(1, 31)).values()} <= set(keys)


def test_an_answer_has_the_one_shape_of_a_page(store: Store) -> None:
    store.save(NoteDraft("Title", "Some text about caching."))

    amount = parse_amount(detail="full", max_tokens="50")
    page = answer_as_json(answer(search(store, "caching", ANY, amount), amount))
    (item,) = page["items"]
    name = store.names([1])[1]

    assert page == {
        "text": f"{name} {item['date'][:10]} Title\nSome text about caching.",
        "used": count(page["text"]),
        "limit": 50,
        "unit": "o200k_base",
        "shown": 1,
        "total": 1,
        "omitted": 0,
        "next": None,
        "items": [
            {
                "key": f"note:{name}", "id": name, "number": 1, "title": "Title", "type": "manual", "date": item["date"], "project": "",
                "score": item["score"], "why": item["why"], "nearby": False,
                "fate": "shown", "size": item["size"], "reason": None,
            }
        ],
    }  # fmt: skip


def test_what_stands_beside_can_be_left_out(store: Store) -> None:
    store.save(NoteDraft("a", "b"))
    store.add_prompt("c")

    found = answer(recall(store, ANY, Amount(), RecallCounts(0, 0, 0)), Amount())

    assert (shown(found), found.total) == ([f"note:{store.names([1])[1]}"], 1)


def test_a_summary_has_no_prompts(store: Store) -> None:
    store.save(NoteDraft("a", "b"))
    store.add_prompt("c")
    kinds = {
        detail: {
            key.split(":")[0] for key in shown(answer(recall(store, ANY, Amount(detail)), Amount(detail)))
        }
        for detail in Detail
    }

    assert "prompt" not in kinds[Detail.SUMMARY]
    assert "prompt" in kinds[Detail.STANDARD] & kinds[Detail.FULL]
