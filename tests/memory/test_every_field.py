"""No field of anything that is kept holds a secret, and what is kept is found by the name that was given."""

from modicum.memory.model import Changes, NoteDraft, Query
from modicum.memory.people.access import Person

TOKEN = "ghp_" + "a1" * 18


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
