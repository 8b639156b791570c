"""Sessions are filled, never emptied."""

import pytest

from modicum.memory.model import NoteDraft, NotFound, Query, Refused


@pytest.mark.parametrize(
    ("before", "after", "is_then"),
    [
        (("", ""), ("p", "/d"), ("p", "/d")),
        (("p", ""), ("q", "/d"), ("p", "/d")),
        (("", "/d"), ("q", "/e"), ("q", "/d")),
        (("p", "/d"), ("q", "/e"), ("p", "/d")),
    ],
)
def test_starting_again_fills_only_gaps(store, before, after, is_then):
    store.start_session("s", project=before[0], directory=before[1])
    again = store.start_session("s", project=after[0], directory=after[1])

    assert (again.project, again.directory) == is_then
    assert store.session("s") == again


def test_a_session_needs_an_id(store):
    with pytest.raises(Refused, match="needs an id"):
        store.start_session(" ", project="p")


def test_ending_keeps_a_summary_that_is_not_replaced(store):
    store.start_session("s", project="p")
    ended = store.end_session("s", "has summary, <private>not this</private>")
    again = store.end_session("s")

    assert (ended.summary, bool(ended.ended_at)) == ("has summary, [REDACTED]", True)
    assert again.summary == ended.summary
    assert store.end_session("unknown") is None
    assert store.end_session("unknown", "x") is None
    store.start_session("t")
    assert store.end_session("t").summary == ""


def test_the_session_with_the_latest_note_comes_first(store, clock):
    for name in ("old", "new"):
        store.start_session(name, project="p")
        clock.pass_(minutes=1)
    number = store.save(NoteDraft("a", "b", session_id="old", project="p")).id

    assert [(s.id, s.notes) for s in store.sessions(Query(project="P", limit=5)).items] == [
        ("old", 1),
        ("new", 0),
    ]
    page = store.sessions(Query(limit=1))
    assert [s.id for s in store.sessions(Query(limit=1, cursor=page.next)).items] == ["new"]
    store.delete(number)
    assert [s.id for s in store.sessions().items] == ["new", "old"]


def test_a_session_is_removed_only_when_it_is_empty(store):
    store.start_session("s", project="p")
    number = store.save(NoteDraft("a", "b", session_id="s")).id
    store.delete(number)

    with pytest.raises(Refused, match="still holds"):
        store.delete_session("s")
    store.delete(number, hard=True)
    assert store.delete_session("s")
    assert not store.delete_session("s")
    assert store.stats().sessions == 0


def test_a_prompt_keeps_its_blanks_and_lines(store):
    typed = "\n\n    def f():\n        pass\n\n  "

    assert store.add_prompt(typed).content == typed
    assert store.prompt(1).content == typed


def found(store, words):
    return [each.id for each in store.search_prompts(words)]


def test_a_giant_prompt_is_kept_once_and_found_by_its_first_part(store):
    words = [f"word{number}" for number in range(120_000)]
    giant = "zebra " + " ".join(words) + " quagga"
    number = store.add_prompt(giant).id

    assert len(giant) > 1_000_000
    assert store.prompt(number).content == giant
    assert found(store, "zebra") == [number]
    assert found(store, "quagga") == []
    if not store.database.is_shared:  # its words would take as much again
        with store.reading() as tx:
            pages, size = (tx.rows(f"PRAGMA {name}")[0][0] for name in ("page_count", "page_size"))
        assert pages * size < 1.5 * len(giant)
    store.delete_prompt(number)
    assert found(store, "zebra") == []


def test_prompts_are_redacted_and_newest_first(store):
    for text in ("first", "second <private>x</private>"):
        store.add_prompt(text, session_id="s", project="P")

    found = store.prompts(Query(project="p")).items
    assert [(p.content, p.project, p.session_id) for p in found] == [
        ("second [REDACTED]", "p", "s"),
        ("first", "p", "s"),
    ]
    assert found[0].sync_id.startswith("prompt-")
    assert store.delete_prompt(found[0].id)
    assert not store.delete_prompt(found[0].id)
    assert store.stats().prompts == 1
    with pytest.raises(Refused, match="empty"):
        store.add_prompt(" ")
    with pytest.raises(NotFound):
        store.add_prompt("x", session_id="unknown", known_session=True)


@pytest.mark.parametrize("text", ['"', "", "   ", "a AND (", "*", "nothing like it", "日本"])
def test_searching_prompts_never_fails(store, text):
    store.add_prompt("why does login fail on empty tokens?", project="p")

    assert store.search_prompts(text) == ()


def test_prompts_are_found_by_their_words(store):
    number = store.add_prompt("why does login fail on empty tokens?", project="p").id
    store.add_prompt("other", project="p")

    assert [p.id for p in store.search_prompts("token failing", project=" P ")] == [number]
    assert store.search_prompts("token", project="q") == ()
    assert store.search_prompts("token", limit=0) == ()
