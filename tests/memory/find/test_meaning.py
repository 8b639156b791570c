"""Notes are found by meaning where there is a sentence model: the same for everybody's own notes, and never others'."""

import sys

import pytest

from modicum.memory.find.meaning import Meaning
from modicum.memory.find.meaning_index import embed_some
from modicum.memory.model import Changes, NoteDraft, Query
from modicum.memory.people.access import Person
from modicum.memory.tables import vectors

QUESTION = "shopper charge"
FakeModel = sys.modules["fake_model"].FakeModel


@pytest.fixture
def model():
    return FakeModel()


@pytest.fixture
def searched(store, model):
    """A store that finds by meaning, with three notes that have their vectors."""
    for title, text in (
        ("Refund", "The customer got the money back"),
        ("Postgres", "An index on the table of rows"),
        ("Rollout", "We deploy to production on Monday"),
    ):
        store.save(NoteDraft(title, text, project="shop"))
    embed_all(store, model)
    store.meaning = Meaning(model)
    return store


def embed_all(store, model) -> int:
    made = 0
    while some := embed_some(store.database, model):
        made += some
    return made


def titles(results) -> list[str]:
    return [hit.note.title for hit in results.items]


def held(store, model) -> int:
    with store.database.reading() as tx:
        return vectors.count(tx, model.name)


def test_finds_a_note_that_shares_no_word(searched):
    found = searched.search(QUESTION)
    assert titles(found) == ["Refund"]
    assert found.items[0].reasons == ("close in meaning",)
    assert not found.items[0].nearby
    assert found.total == 1


def test_without_a_model_words_alone_decide(searched):
    searched.meaning = None
    assert not searched.search(QUESTION).items


def test_words_and_meaning_add_up(searched):
    words = searched.search("Monday").items[0]
    both = searched.search("Monday rollout").items[0]
    assert words.note.title == both.note.title == "Rollout"
    assert both.score > words.score
    assert "close in meaning" in both.reasons
    assert any("'monday'" in reason for reason in both.reasons)


def test_what_stands_in_quotes_is_meant_to_the_letter(searched):
    assert not searched.search('"shopper charge"').items


def test_a_query_narrows_what_is_compared(searched, model):
    searched.save(NoteDraft("Elsewhere", "payment of a customer", project="attic"))
    searched.save(NoteDraft("Everywhere", "payment of a customer", project="attic", scope="global"))
    embed_all(searched, model)
    assert set(titles(searched.search(QUESTION, Query(project="attic")))) == {"Elsewhere", "Everywhere"}
    assert set(titles(searched.search(QUESTION, Query(project="shop", everywhere=True)))) == {
        "Refund",
        "Everywhere",
    }
    assert not searched.search(QUESTION, Query(type="decision")).items


def test_equal_ones_are_ordered_by_time_then_id(searched, model, clock):
    for number in range(5):
        searched.save(NoteDraft(f"same {number}", f"payment {number}", project="shop"))
    embed_all(searched, model)
    first = titles(searched.search(QUESTION))
    assert first == titles(searched.search(QUESTION))
    assert sorted(first[1:]) == first[1:] or sorted(first[:-1]) == first[:-1]


def test_pages_go_on_where_the_last_one_ended(searched, model):
    for number in range(7):
        searched.save(NoteDraft(f"same {number}", f"payment {number}", project="shop"))
    embed_all(searched, model)
    whole = titles(searched.search(QUESTION, Query(limit=50)))
    paged, cursor = [], ""
    while len(paged) <= len(whole):
        page = searched.search(QUESTION, Query(limit=3, cursor=cursor))
        paged, cursor = paged + titles(page), page.next
        if not cursor:
            break
    assert paged == whole
    assert len(whole) == 8


# Vectors go with what they were made of


def test_a_changed_note_loses_its_vector_until_it_is_made_anew(searched, model):
    number = searched.search(QUESTION).items[0].note.id
    searched.update(number, Changes(title="Orchids", content="a flower for the garden"))
    assert held(searched, model) == 2
    assert not searched.search(QUESTION).items
    assert embed_all(searched, model) == 1
    assert titles(searched.search("plant")) == ["Orchids"]


def test_a_topic_that_is_saved_again_gets_another_vector(searched, model):
    searched.save(NoteDraft("Topic", "the money of a customer", topic_key="t", project="shop"))
    embed_all(searched, model)
    searched.save(NoteDraft("Topic", "a flower in the garden", topic_key="t", project="shop"))
    assert held(searched, model) == 3
    embed_all(searched, model)
    assert titles(searched.search("plant")) == ["Topic"]


def test_deleting_takes_the_vector_away_and_restoring_makes_it_anew(searched, model):
    number = searched.search(QUESTION).items[0].note.id
    searched.delete(number)
    assert held(searched, model) == 2
    searched.restore(number)
    assert embed_all(searched, model) == 1
    searched.delete(number, hard=True)
    assert held(searched, model) == 2
    assert not searched.search(QUESTION).items


def test_moving_and_pinning_keep_the_vector(searched, model):
    number = searched.search(QUESTION).items[0].note.id
    searched.pin(number)
    searched.update(number, Changes(project="attic"))
    searched.rename_project("attic", "cellar")
    assert titles(searched.search(QUESTION, Query(project="cellar"))) == ["Refund"]
    assert embed_all(searched, model) == 0


def test_a_note_that_is_changed_meanwhile_gets_no_vector_of_its_old_words(searched, model):
    number = searched.save(NoteDraft("Old", "payment", project="shop")).id

    class Slow(FakeModel):
        def embed(self, text: str) -> bytes:
            searched.update(number, Changes(content="an orchid"))
            return super().embed(text)

    embed_some(searched.database, Slow())
    assert held(searched, model) == 3
    embed_all(searched, model)
    assert "Old" in titles(searched.search("garden"))


def test_imported_notes_wait_for_their_vectors(searched, model, make_store):
    other = make_store("other")
    other.take_in(searched.export())
    assert held(other, model) == 0
    assert embed_all(other, model) == 3


def test_vectors_of_another_model_are_made_anew(searched):
    other = FakeModel()
    other.name = "another"
    searched.meaning = Meaning(other)
    assert not searched.search(QUESTION).items
    assert embed_all(searched, other) == 3
    assert titles(searched.search(QUESTION)) == ["Refund"]


# What is embedded


def test_names_of_speakers_are_taken_out(store, model):
    store.save(NoteDraft("", "Hey Mia, the refund came", session_id="s", author="Ben Brown", project="shop"))
    store.save(NoteDraft("", "Ben's flower is from Mia", session_id="s", author="Mia", project="shop"))
    embed_all(store, model)
    assert model.texts == ["Hey the refund came", "flower is from"]
    store.meaning = Meaning(model)
    store.search("what did Mia pay")
    assert model.texts[-1] == "what did pay"


def test_a_giant_note_is_embedded_by_its_beginning(store, model):
    store.save(NoteDraft("Giant", "refund " * 500_000, project="shop"))
    assert embed_all(store, model) == 1
    assert len(model.texts[0]) < 10_000


# Who may see what


def test_what_others_have_changes_no_answer(searched, model):
    eve = searched.seen_by(Person("eve", ("garden",)))
    eve.save(NoteDraft("Mine", "money for a customer", project="garden"))
    embed_all(searched, model)
    before = eve.search(QUESTION)
    assert titles(before) == ["Mine"]
    mia = searched.seen_by(Person("mia"))
    for number in range(60):  # more than are taken for their meaning
        mia.save(
            NoteDraft(f"Hidden {number}", "refund payment charge customer", project="shop", scope="personal")
        )
    embed_all(searched, model)
    after = eve.search(QUESTION)
    assert [(hit.note.id, hit.score) for hit in after.items] == [
        (hit.note.id, hit.score) for hit in before.items
    ]
    assert after.total == before.total


def test_kept_vectors_are_those_of_one_person(searched, model):
    mia, eve = searched.seen_by(Person("mia")), searched.seen_by(Person("eve"))
    mia.save(NoteDraft("Hers", "payment of a customer", project="shop", scope="personal"))
    embed_all(searched, model)
    assert set(titles(mia.search(QUESTION))) == {"Refund", "Hers"}
    assert titles(eve.search(QUESTION)) == ["Refund"]
    assert set(titles(mia.search(QUESTION))) == {"Refund", "Hers"}


def test_nobody_reads_the_vectors_of_others(searched, model):
    eve = Person("eve", ("garden",))
    with searched.database.reading(eve) as tx:
        assert tx.rows("SELECT id, vector FROM vectors") == []


def test_only_some_vectors_are_kept_and_none_of_an_older_state(searched):
    if searched.database.place.startswith("postgresql"):
        return  # there the server compares them
    for number in range(9):
        searched.search(QUESTION, Query(project=f"p{number}"))
    assert len(searched.meaning._kept) == 4
    searched.save(NoteDraft("New", "payment", project="shop"))
    searched.search(QUESTION)
    assert len(searched.meaning._kept) == 1


def test_a_question_of_names_alone_is_compared_with_nothing(store, model):
    store.save(NoteDraft("", "Hey Mia", session_id="s", author="Ben", project="shop"))
    store.save(NoteDraft("", "Hey Ben", session_id="s", author="Mia", project="shop"))
    embed_all(store, model)
    store.meaning, asked = Meaning(model), len(model.texts)
    assert store.search("Ben Mia").items
    assert len(model.texts) == asked
