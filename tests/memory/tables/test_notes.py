"""Observations are kept whole, once, with their history, and can be taken back."""

import pytest

from modicum.memory.model import Changes, NoteDraft, NotFound, Query, Refused, Saved, SaveOutcome


def titles(store, **query):
    return [each.title for each in store.recent(Query(**query)).items]


def test_a_note_comes_back_as_it_was_saved(store):
    saved = store.save(
        NoteDraft(
            "Chose JWT", "because of the mobile app", "decision", "Shop", scope="personal", author="mia"
        )
    )

    note = store.get(saved.id)
    assert saved == Saved(note.id, SaveOutcome.CREATED)
    assert (note.title, note.content, note.type, note.project) == (
        "Chose JWT",
        "because of the mobile app",
        "decision",
        "shop",
    )
    assert (note.scope, note.author, note.session_id) == ("personal", "mia", "manual-save-shop")
    assert note.created_at == note.updated_at == note.last_seen_at == "2027-01-15T08:00:00.000Z"
    assert (note.revision_count, note.duplicate_count, note.deleted_at) == (1, 1, "")
    assert note.sync_id.startswith("obs-")


def test_a_first_save_needs_no_session(store):
    store.save(NoteDraft("a", "b", project="shop"))

    session = store.session("manual-save-shop")
    assert (session.project, session.notes) == ("shop", 1)


def test_an_unknown_session_is_made_unless_it_must_be_known(store):
    store.save(NoteDraft("a", "b", session_id="new"))
    with pytest.raises(NotFound, match='there is no session "other"'):
        store.save(NoteDraft("a", "c", session_id="other"), known_session=True)

    assert store.session("new").notes == 1
    assert store.stats().notes == 1


@pytest.mark.slow
def test_ten_megabytes_are_kept_whole(store):
    content = "0123456789" * 1_048_576

    saved = store.save(NoteDraft("long", content))

    assert store.get(saved.id).content == content


def test_a_note_without_content_is_refused_and_one_without_title_gets_one(store):
    with pytest.raises(Refused, match="content is empty"):
        store.save(NoteDraft("title", "  "))

    assert (
        store.get(store.save(NoteDraft("", "the first words\nmake a title")).id).title
        == "the first words make a title"
    )


def test_private_text_is_never_written(store):
    saved = store.save(
        NoteDraft(
            "Private <private>secret</private> title", "<private>a<private>b</private>leak</private> rest"
        )
    )

    note = store.get(saved.id)
    assert (note.title, note.content) == ("Private [REDACTED] title", "[REDACTED] rest")
    assert store.search("leak").items == ()


def test_the_same_note_within_a_quarter_of_an_hour_is_counted_once(store, clock):
    first = store.save(NoteDraft("T", "Normalized tokenizer panic on edge case", "bugfix", "p"))
    clock.pass_(minutes=14)
    again = store.save(NoteDraft("T", "normalized   tokenizer panic on EDGE case", "bugfix", "p"))

    note = store.get(first.id)
    assert again == Saved(first.id, SaveOutcome.DUPLICATE)
    assert (note.duplicate_count, note.revision_count, note.last_seen_at) == (
        2,
        1,
        "2027-01-15T08:14:00.000Z",
    )
    clock.pass_(minutes=2)
    assert (
        store.save(NoteDraft("T", "normalized tokenizer panic on edge case", "bugfix", "p")).outcome
        is SaveOutcome.CREATED
    )


@pytest.mark.parametrize(
    "other",
    [{"title": "U"}, {"type": "bugfix"}, {"project": "q"}, {"scope": "personal"}, {"namespace": "agent/a"}],
)
def test_what_differs_in_more_than_content_is_no_duplicate(store, other):
    draft = NoteDraft("T", "same", project="p")
    first = store.save(draft)

    assert store.save(draft._replace(**other)).id != first.id


def test_a_topic_is_revised_and_keeps_its_history(store, clock):
    first = store.save(NoteDraft("Auth", "sessions", "decision", "p", topic_key="architecture auth model"))
    clock.pass_(days=1)
    again = store.save(
        NoteDraft(
            "Auth 2", "tokens", "architecture", "p", topic_key="ARCHITECTURE   AUTH  MODEL", session_id="s2"
        )
    )

    note = store.get(first.id)
    assert again == Saved(first.id, SaveOutcome.UPDATED)
    assert (note.topic_key, note.title, note.content, note.type) == (
        "architecture-auth-model",
        "Auth 2",
        "tokens",
        "architecture",
    )
    assert (note.revision_count, note.session_id) == (2, "manual-save-p")
    assert (note.created_at[:10], note.updated_at[:10]) == ("2027-01-15", "2027-01-16")
    assert [(r.number, r.title, r.content, r.saved_at[:10]) for r in store.history(first.id)] == [
        (2, "Auth 2", "tokens", "2027-01-16"),
        (1, "Auth", "sessions", "2027-01-15"),
    ]
    assert store.search("sessions").items == ()
    assert store.search("tokens").items[0].note == note


@pytest.mark.parametrize(
    "other", [{"topic_key": "b"}, {"project": "q"}, {"scope": "personal"}, {"namespace": "n"}]
)
def test_a_topic_is_one_per_project_scope_and_namespace(store, other):
    draft = NoteDraft("T", "same", project="p", topic_key="a")
    first = store.save(draft)

    assert store.save(draft._replace(**other)).id != first.id


def test_an_update_changes_what_is_given_and_is_a_revision(store, clock):
    number = store.save(NoteDraft("T", "C", project="p", topic_key="k")).id
    clock.pass_(seconds=1)
    changed = store.update(
        number, Changes(title="New <private>x</private>", scope="personal", project="", topic_key="")
    )

    assert changed == store.get(number)
    assert (changed.title, changed.content, changed.scope) == ("New [REDACTED]", "C", "personal")
    assert (changed.project, changed.topic_key, changed.revision_count) == ("", "", 2)
    assert store.count(Query(project="p")) == 0
    assert [r.title for r in store.history(number)] == ["New [REDACTED]", "T"]


def test_an_update_must_change_something_and_empty_nothing(store):
    number = store.save(NoteDraft("T", "C")).id

    with pytest.raises(Refused, match="nothing to change"):
        store.update(number, Changes())
    with pytest.raises(Refused, match="content would be empty"):
        store.update(number, Changes(content=" "))
    with pytest.raises(NotFound, match="#99 not found"):
        store.update(99, Changes(title="x"))


def test_a_deleted_note_is_gone_until_it_is_restored(store):
    number = store.save(NoteDraft("T", "findable words", session_id="s")).id
    other = store.save(NoteDraft("U", "other", session_id="s")).id

    assert store.delete(number)
    assert store.get(number) is None
    assert store.get(number, deleted=True).deleted_at
    assert titles(store) == ["U"]
    assert store.search("findable").items == ()
    assert store.timeline(other).before == ()
    assert store.session("s").notes == 1
    with pytest.raises(NotFound):
        store.timeline(number)
    assert not store.delete(number)

    assert store.restore(number).deleted_at == ""
    assert store.search("findable").items[0].note.id == number
    assert store.session("s").notes == 2
    with pytest.raises(Refused, match="is not deleted"):
        store.restore(number)
    with pytest.raises(NotFound, match="not found"):
        store.restore(number + 99)


def test_a_hard_delete_is_for_good_also_after_a_soft_one(store):
    one, two = (store.save(NoteDraft(t, "findable words " + t, topic_key=t)).id for t in "ab")
    store.save(NoteDraft("a2", "findable again", topic_key="a"))
    store.delete(two)

    assert store.delete(one, hard=True)
    assert store.delete(two, hard=True)
    assert not store.delete(two, hard=True)
    assert store.get(one, deleted=True) is None
    with pytest.raises(NotFound):
        store.history(one)
    assert store.search("findable").items == ()
    assert store.stats().notes == 0
    assert store.problems() == ()


def test_a_note_can_be_pinned(store):
    number = store.save(NoteDraft("T", "C", project="p")).id
    store.save(NoteDraft("U", "D", project="p"))

    store.pin(number)
    assert [each.id for each in store.pinned(Query(project="p")).items] == [number]
    assert store.context(Query(project="p"), pinned=5).pinned[0].pinned == 1
    store.pin(number, pinned=False)
    assert store.pinned().items == ()
    with pytest.raises(NotFound):
        store.pin(99)


def test_several_are_saved_all_or_none(store):
    with pytest.raises(Refused):
        store.save_all([NoteDraft("a", "b"), NoteDraft("c", "")])

    assert store.stats().notes == 0
    assert [saved.id for saved in store.save_all([NoteDraft("a", "b"), NoteDraft("c", "d")])] == [1, 2]


def test_learnings_are_captured_once_per_project(store, clock):
    text = "## Key Learnings:\n1. the first thing that is worth keeping\n2. the second thing that is worth keeping\n3. no\n"
    store.save(NoteDraft("known", "The first thing   that is worth KEEPING", "decision", "p"))
    clock.pass_(days=30)

    captured = store.capture(text, project="p", session_id="s", source="subagent-stop")

    note = store.get(captured.saved[0])
    assert (captured.extracted, len(captured.saved), captured.duplicates) == (2, 1, 1)
    assert (note.type, note.tool_name, note.session_id) == ("passive", "subagent-stop", "s")
    assert note.content == note.title == "the second thing that is worth keeping"
    assert store.capture(text, project="p", session_id="s").duplicates == 2
    assert len(store.capture(text, project="q", session_id="s").saved) == 2
    assert store.capture("nothing", project="p").extracted == 0
    with pytest.raises(NotFound):
        store.capture(text, session_id="unknown", known_session=True)


def test_every_change_has_a_new_version(store):
    seen = {store.version()}
    number = store.save(NoteDraft("a", "b")).id
    for change in (lambda: store.pin(number), lambda: store.delete(number), lambda: store.restore(number)):
        seen.add(store.version())
        change()

    assert len(seen | {store.version()}) == 5
    assert store.version() == store.version()


def test_a_name_that_is_no_text_is_still_a_name(store):
    odd = "half \ud800 \0"
    number = store.save(
        NoteDraft(odd, odd, odd, odd, odd, topic_key=odd, namespace=odd, tool_name=odd, author=odd)
    ).id

    assert store.get(number).session_id.startswith("half \N{REPLACEMENT CHARACTER}")
    assert store.session(odd).notes == 1
    assert [hit.note.id for hit in store.search("half", Query(project=odd, namespace=odd)).items] == [number]
    assert store.recent(Query(project=odd)).items[0].id == number
    assert store.save(NoteDraft("x", "y", odd, odd, odd, topic_key=odd, namespace=odd)).id == number
