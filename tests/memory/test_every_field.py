"""No field of anything that is kept holds a secret, and what is kept is found by the name that was given."""

import pytest

from modicum.memory.exchange.archive import read_document
from modicum.memory.model import Changes, NoteDraft, Query, Refused
from modicum.memory.people.access import Person, person_named
from modicum.memory.people.tokens import new_token

TOKEN = "sk-ant-" + "api03-" + "a1" * 40


def held(store) -> list[str]:
    """Every text that memory holds."""
    rows = [row for rows in store.export()[1:] for row in rows]
    audit = [str(each) for each in store.audit().items]
    return [value for row in rows for value in row._asdict().values() if isinstance(value, str)] + audit


def test_nothing_that_is_kept_holds_a_secret(store):
    person = store.seen_by(Person("mia"))
    person.start_session(TOKEN, project=TOKEN, directory=f"/{TOKEN}", namespace=TOKEN)
    draft = NoteDraft(*[f"words {TOKEN}"] * len(NoteDraft._fields))
    one, two = person.save(draft).id, person.save(NoteDraft("other", "words")).id
    person.update(two, Changes(type=TOKEN, project=TOKEN, topic_key=TOKEN, namespace=TOKEN, title=TOKEN))
    person.relate(one, two, TOKEN, note=TOKEN)
    person.add_prompt(f"why {TOKEN}?", session_id=TOKEN, project=TOKEN, namespace=TOKEN)
    person.capture(
        f"## Key Learnings:\n\n1. It is all about {TOKEN} and nothing else\n", project=TOKEN, session_id=TOKEN
    )
    person.put_progress(TOKEN, '{"a": 1}', TOKEN)
    person.end_session(TOKEN, f"done {TOKEN}")
    person.save(NoteDraft("moved", "words", project="elsewhere"))
    person.merge_projects(["elsewhere"], TOKEN)

    assert held(store)
    assert [text for text in held(store) if "a1a1" in text.lower()] == []


def test_what_is_kept_is_found_by_the_name_that_was_given(store):
    store.start_session(TOKEN, project=TOKEN)
    number = store.save(
        NoteDraft("title", "walrus", TOKEN, TOKEN, TOKEN, namespace=TOKEN, topic_key=TOKEN)
    ).id
    store.add_prompt("why?", session_id=TOKEN, project=TOKEN)
    store.put_progress(TOKEN, '{"a": 1}', TOKEN)

    query = Query(project=TOKEN, type=TOKEN, namespace=TOKEN, session=TOKEN)
    assert [note.id for note in store.recent(query).items] == [number]
    assert [hit.note.id for hit in store.search("walrus", query).items] == [number]
    assert [note.id for note in store.of_session(TOKEN)] == [number]
    assert store.prompts(Query(project=TOKEN, session=TOKEN)).items
    assert store.progress(TOKEN, TOKEN)
    assert store.end_session(TOKEN).project == store.session(TOKEN).project == "[redacted]"
    assert (
        store.save(NoteDraft("title", "again", project=TOKEN, topic_key=TOKEN, namespace=TOKEN)).id == number
    )


ODD = ("a\x1b[31mb\nc\ud800\x9b", "wörter " * 1000)


@pytest.mark.parametrize("name", ODD)
def test_a_name_of_any_kind_is_kept_as_one_short_line_and_found_by_what_was_given(store, name):
    store.start_session(name, project=name, namespace=name)
    draft = NoteDraft(
        "title", "walrus", name, name, name, topic_key=name, namespace=name, tool_name=name, author=name
    )
    number = store.save(draft).id
    other = store.save(NoteDraft("other", "text", project=name, session_id="")).id
    store.relate(number, other, name)
    store.add_prompt("why?", session_id=name, project=name, namespace=name)
    store.put_progress(name, '{"a": 1}', name)

    query = Query(project=name, type=name, namespace=name, session=name)
    assert [note.id for note in store.recent(query).items] == [number]
    assert store.end_session(name)
    assert store.prompts(Query(project=name, session=name)).items
    assert store.progress(name, name)
    assert [text for text in held(store) if not text.isprintable() or len(text.encode()) > 700] == []


@pytest.mark.parametrize("name", ODD)
def test_an_import_brings_no_id_and_no_owner_that_cannot_be_shown(store, name):
    note = {
        "sync_id": name[:500],
        "session_id": "s",
        "title": "t",
        "content": "c",
        "owner": name,
        "author": name,
    }
    typed = {"sync_id": name[:500], "session_id": "s", "content": "c", "owner": name}
    archive, problems = read_document({"notes": [note], "prompts": [typed]})
    store.take_in(archive)
    store.take_in(archive)

    assert (problems, store.stats().notes, store.stats().prompts) == ((), 1, 1)
    assert [text for text in held(store) if not text.isprintable() or len(text.encode()) > 600] == []


@pytest.mark.parametrize("name", [*ODD, "a\u202eb"])
def test_the_name_of_a_person_is_a_short_line(store, name):
    for act in (lambda: new_token(store.database, name, now="2026"), lambda: person_named(name)):
        with pytest.raises(Refused, match=r"name of a person has at most 100 characters.*such as"):
            act()


def test_a_token_for_a_project_with_a_line_break_is_for_no_other(store):
    _, token = new_token(store.database, "mia", now="2026", projects=["a\nb"])

    assert token.person.projects == ("a b",)
