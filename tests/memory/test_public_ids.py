"""A note has one name on every machine, and the first letters of it are enough where they are clear."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.app.memory.notes import find_note
from modicum.base.errors import ModicumError
from modicum.memory.model import Archive, Note, NoteDraft, NotFound, Refused
from modicum.memory.names import ALL_LETTERS, public_id, public_ids, public_number, public_range
from modicum.memory.people.access import Person

SYNC_IDS = st.text(st.characters(codec="utf-8"), max_size=40)


def alike() -> tuple[str, str]:
    """Two sync ids whose public ids share their first four letters and no more."""
    seen: dict[int, str] = {}
    for number in range(10_000):
        sync_id = f"obs-{number}"
        known = seen.setdefault(public_number(sync_id) >> 40, sync_id)
        if known != sync_id and public_number(known) >> 35 != public_number(sync_id) >> 35:
            return known, sync_id
    raise AssertionError("there are none")


def planted(store, *sync_ids: str, scope: str = "project") -> list[Note]:
    """Notes with these sync ids, as an import brings them."""
    at = "2026-01-01T00:00:00.000Z"
    store.take_in(
        Archive(
            notes=tuple(
                Note(number, each, "s", "manual", f"Title {each}", each, project="shop", scope=scope,
                     created_at=at, updated_at=at, last_seen_at=at)
                for number, each in enumerate(sync_ids, 1)
            )
        )
    )  # fmt: skip
    every = store.of_public_id(0, 2**60)
    return [next(note for note in every if note.sync_id == each) for each in sync_ids]


@given(sync_id=SYNC_IDS, letters=st.integers(4, ALL_LETTERS))
def test_letters_stand_for_the_numbers_that_begin_so(sync_id: str, letters: int) -> None:
    number = public_number(sync_id)
    word = public_id(number, letters)
    least, greatest = public_range(word) or (0, 0)

    assert 0 <= least <= number <= greatest < 2**60
    assert greatest - least + 1 == 2 ** (5 * (ALL_LETTERS - letters))
    assert public_range(f" {word.upper()} ") == (least, greatest)
    assert public_id(least, letters) == public_id(greatest, letters) == word


def test_a_public_id_never_changes() -> None:
    assert public_id(public_number("obs-0123456789abcdef"), ALL_LETTERS) == "n-s31drt3tse1p"


@pytest.mark.parametrize(
    "word", ["", "n-", "n-abc", "n-7kq2m4xdabcde", "n-7kqi", "n-7kql", "n-7kqo", "n-7kqu", "7kq2m4xd", "n-٤٤٤٤", "N_7kq2"]
)  # fmt: skip
def test_other_words_are_no_public_ids(word: str) -> None:
    assert public_range(word) is None


@given(st.dictionaries(st.integers(1, 99), st.sampled_from([0, 1, 2, 1 << 30, 1 << 58]), max_size=8))
def test_the_names_of_a_page_differ(numbers: dict[int, int]) -> None:
    names = public_ids(numbers)

    assert len(set(names.values())) == len(names) == len(numbers)


def test_every_note_is_found_by_its_public_id_and_by_its_number(store) -> None:
    store.save_all([NoteDraft(f"Title {n}", f"text {n}", project="shop") for n in range(9)])

    for note in store.recent().items:
        whole = public_id(public_number(note.sync_id), ALL_LETTERS)
        names = (
            whole,
            whole[:10],
            whole[:6].upper(),
            f"note:{whole}",
            note.id,
            f"#{note.id}",
            f"note:{note.id}",
        )
        assert {find_note(store, name) for name in names} == {note}
    assert store.names([1, 99]) == {1: store.get(1).public_id, 99: "#99"}


def test_letters_that_fit_several_notes_are_refused_with_all_of_them(store) -> None:
    one, other = planted(store, *alike())
    whole = [public_id(public_number(each.sync_id), ALL_LETTERS) for each in (one, other)]

    with pytest.raises(Refused) as caught:
        find_note(store, one.public_id[:6])

    for name, note in zip(whole, (one, other), strict=True):
        assert f'{name} "{note.title}"' in str(caught.value)
    assert find_note(store, one.public_id[:7]) == one


def test_of_two_that_fit_the_one_that_is_not_deleted_is_meant_or_the_deleted_one_to_restore(store) -> None:
    one, other = planted(store, *alike())
    store.delete(one.id)

    assert find_note(store, one.public_id[:6]) == other
    assert find_note(store, one.public_id[:6], deleted=True).id == one.id
    assert find_note(store, one.public_id).id == one.id


def test_a_note_that_a_person_may_not_see_neither_fits_nor_makes_ambiguous(store) -> None:
    mia, ben = (store.seen_by(Person(name)) for name in ("mia", "ben"))
    first, second = alike()
    (hidden,) = planted(mia, first, scope="personal")
    (own,) = planted(ben, second)

    assert find_note(ben, own.public_id[:6]) == own
    for name in (hidden.public_id, str(hidden.id)):
        with pytest.raises(NotFound):
            find_note(ben, name)
    assert ben.names([hidden.id]) == {hidden.id: f"#{hidden.id}"}
    with pytest.raises(Refused):
        find_note(mia, own.public_id[:6])


@pytest.mark.parametrize(
    "word", ["", "#", "-3", "n-abc", "中文", "C:\\n-7kq2", "7kq2m4xd", "a\nb", "x" * 10_000]
)
def test_what_is_no_name_of_a_note_is_one_sentence_with_a_remedy(store, word: str) -> None:
    with pytest.raises(ModicumError) as caught:
        find_note(store, word)

    assert caught.value.message.endswith('" is no note')
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("word", ["n-0000", "0", "9" * 400, 10**30])
def test_a_note_that_is_not_there_is_not_found(store, word: str | int) -> None:
    with pytest.raises(NotFound, match="there is no note") as caught:
        find_note(store, word)

    assert len(caught.value.message) < 100


def test_a_search_finds_a_note_by_its_public_id(store) -> None:
    store.save_all([NoteDraft(f"Title {n}", f"text {n}", project="shop") for n in range(9)])
    wanted = store.get(4)

    for words in (wanted.public_id, f"what about {wanted.public_id}?", wanted.public_id.upper()):
        assert store.search(words).items[0].note == wanted
    assert "is named" in store.search(wanted.public_id).items[0].reasons


def test_the_column_says_what_the_sync_id_says_after_every_way_in(store, make_store) -> None:
    store.save(NoteDraft("Saved", "text", project="shop"))
    store.capture("## Key Learnings\n\n1. The cache is emptied by every deploy we make.\n", project="shop")
    store.take_in(make_store("other").export())
    planted(store, "obs-x", "中文")
    numbers = {note.id: public_number(note.sync_id) for note in store.of_public_id(0, 2**60)}

    with store.reading() as tx:
        assert dict(tx.rows("SELECT id, public_id FROM notes")) == numbers
    assert len(numbers) == 4
