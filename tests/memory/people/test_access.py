"""Several people share one store: what is personal is seen by its owner alone, and every write has a name."""

import itertools
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.memory.model import Archive, Changes, Forbidden, NoteDraft, NotFound, Query, Refused, Revision
from modicum.memory.people import tokens
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.memory.tables.audit import AuditRecord

NOW = "2026-11-15T10:00:00.000Z"
MIA, BEN = Person("mia"), Person("ben")
ALL = Query(limit=500)


@pytest.fixture
def mia(store):
    return store.seen_by(MIA)


@pytest.fixture
def ben(store):
    return store.seen_by(BEN)


def saved(store, title="walrus", scope="personal", project="shop", **more):
    return store.save(NoteDraft(title, f"{title} of the sea", project=project, scope=scope, **more)).id


def everything(store: Store):
    """The titles that come out of a store, by whatever way."""
    shown = [
        *store.recent(ALL).items,
        *store.pinned(ALL).items,
        *store.context(ALL, pinned=50).notes,
        *(hit.note for hit in store.search("walrus sea #1 #2 #3 #4", ALL).items),
        *store.export().notes,
        *store.stale(Query(limit=200)),
        *(each for session in store.sessions(ALL).items for each in store.of_session(session.id)),
    ]
    for number in range(1, 20):
        shown += filter(None, [store.get(number), store.get(number, deleted=True)])
        for ask in (store.timeline, store.graph, store.history):
            try:
                found = ask(number)
            except NotFound:
                continue
            shown += [found.focus, *found.before, *found.after] if ask == store.timeline else ()
            shown += [each.note for each in found] if ask == store.graph else ()
            shown += found if ask == store.history else ()
    return {each.title for each in shown}


def test_a_personal_note_is_seen_by_its_owner_alone(mia, ben):
    mine, other = saved(mia), saved(mia, "seal")
    shared = saved(mia, "gull", scope="project")
    mia.relate(mine, shared, note="secret")
    mia.relate(mine, other)
    mia.pin(mine)
    mia.update(other, Changes(content="seal again"))
    saved(ben, "crab")

    assert everything(mia) == {"walrus", "seal", "gull"}
    assert everything(ben) == {"gull", "crab"}
    assert [each.relations(shared) != () for each in (mia, ben)] == [True, False]
    assert [each.stats().notes for each in (mia, ben)] == [3, 2]
    assert [each.count(Query(scope="personal")) for each in (mia, ben)] == [2, 1]
    assert ben.search("walrus").total == 0
    assert ben.export().revisions == ben.export().relations == ()


def test_a_word_that_only_others_have_changes_no_answer(mia, ben):
    saved(ben, "falconry")
    before = [[hit.note.title for hit in ben.search(word).items] for word in ("falcon", "falconrz")]
    for word in ("falcon", "falconrz"):
        saved(mia, word)

    after = [[hit.note.title for hit in ben.search(word).items] for word in ("falcon", "falconrz")]
    assert before == after == [["falconry"], ["falconry"]]


def test_a_personal_note_is_changed_by_its_owner_alone(mia, ben):
    mine, other = saved(mia), saved(mia, "seal")
    (edge,) = mia.relate(mine, saved(mia, "gull", scope="project"))
    for work in (
        lambda: ben.unrelate(edge.id),
        lambda: ben.update(mine, Changes(title="x")),
        lambda: ben.pin(mine),
        lambda: ben.relate(mine, other),
        lambda: ben.history(mine),
        lambda: ben.timeline(mine),
    ):
        with pytest.raises(NotFound):
            work()

    assert (ben.delete(mine), ben.delete(mine, hard=True)) == (False, False)
    assert mia.relations(mine) == (edge,)
    assert ben.compact([mine, other], Query()).skipped == (mine, other)
    assert mia.delete(mine)
    with pytest.raises(NotFound):
        ben.restore(mine)
    assert mia.restore(mine).title == "walrus"


def test_what_two_people_say_alike_is_two_notes(mia, ben, store):
    assert saved(mia) != saved(ben)
    assert saved(mia, topic_key="me/editor") != saved(ben, topic_key="me/editor")
    assert saved(mia, scope="project", topic_key="k") == saved(ben, scope="project", topic_key="k")
    assert ben.capture("## Key Learnings\n- walrus of the sea is a large animal").saved
    assert store.stats().notes == 6


def test_prompts_are_seen_by_whoever_typed_them(mia, ben):
    mine = mia.add_prompt("why does the walrus swim", project="shop").id

    assert [len(each.prompts(ALL).items) for each in (mia, ben)] == [1, 0]
    assert [len(each.search_prompts("walrus")) for each in (mia, ben)] == [1, 0]
    assert [each.stats().prompts for each in (mia, ben)] == [1, 0]
    assert ben.context().prompts == ben.export().prompts == ()
    assert [each.prompt(mine) is not None for each in (mia, ben)] == [True, False]
    assert not ben.delete_prompt(mine)
    assert mia.delete_prompt(mine)


def test_only_its_owner_makes_a_note_personal(mia, ben):
    number = saved(mia, scope="project")

    with pytest.raises(Forbidden, match="mia"):
        ben.update(number, Changes(scope="personal"))
    assert mia.update(number, Changes(scope="personal")).owner == "mia"
    assert (ben.get(number), ben.stats().notes, mia.stats().notes) == (None, 0, 1)


def test_what_nobody_owned_belongs_to_whoever_makes_it_personal(store, mia, ben):
    number = saved(store, scope="project")
    ben.update(number, Changes(scope="personal"))

    assert (mia.get(number), ben.get(number).owner) == (None, "ben")


@pytest.mark.parametrize(
    "person",
    [Person("mia", read_only=True), Person("mia", ("docs",)), Person("mia", reads=("shop",)), Person("mia", scopes=("global",))],
    ids=["read-only", "another project", "only reads it", "another scope"],
)  # fmt: skip
def test_nobody_writes_where_they_may_not(store, person):
    number = saved(store, scope="project", topic_key="k")
    other = saved(store, "seal", scope="project", project="attic")
    prompt = store.add_prompt("hm", project="shop").id
    store.start_session("s", project="shop")
    before = store.export()
    limited = store.seen_by(person)
    for work in (
        lambda: saved(limited, scope="project"),
        lambda: saved(limited, scope="project", topic_key="k"),
        lambda: limited.capture("## Key Learnings\n- a walrus is a large animal of the sea", project="shop"),
        lambda: limited.update(number, Changes(title="x")),
        lambda: limited.update(other, Changes(project="shop")),
        lambda: limited.delete(number),
        lambda: limited.delete(number, hard=True),
        lambda: limited.pin(number),
        lambda: limited.relate(number, other),
        lambda: limited.compact([number], Query(project="shop"), title="t", content="c"),
        lambda: limited.take_in(before._replace(notes=before.notes[:1])),
        lambda: limited.delete_prompt(prompt),
    ):
        with suppress(Forbidden, NotFound):
            assert work() in (False, None)  # a prompt that is not theirs is not there
    for work in (
        lambda: limited.start_session("t", project="shop"),
        lambda: limited.end_session("s"),
        lambda: limited.add_prompt("x", project="shop"),
        lambda: limited.put_progress("shop", "{}"),
        lambda: limited.merge_projects(["attic"], "shop"),
        lambda: limited.rename_project("attic", "shop2"),
        lambda: limited.remove_project("shop"),
        lambda: limited.delete_session("s"),
    ):
        if person.scopes:
            continue  # these have no scope
        with suppress(Forbidden):
            assert work() in (None, False)

    if not person.scopes:
        assert store.export() == before
    assert store.export().notes == before.notes


PEOPLE = ["", "mia", "ben"]
NOTE = st.tuples(
    st.sampled_from(PEOPLE),
    st.sampled_from(["project", "personal", "global"]),
    st.sampled_from(["", "shop", "docs"]),
)
LIMITS = st.builds(
    Person,
    st.sampled_from(["mia", "ben"]),
    st.sampled_from([(), ("shop",), ("docs",)]),
    st.sampled_from([(), ("docs",)]),
    st.sampled_from([(), ("project",), ("personal", "global")]),
)
turns = itertools.count()


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(notes=st.lists(NOTE, min_size=1, max_size=8), person=LIMITS)
def test_everybody_sees_exactly_what_they_may(store, notes, person):
    turn = f"turn{next(turns)}"
    expected = set()
    for at, (owner, scope, project) in enumerate(notes):
        title = f"{turn} {at}"
        saved(store.seen_by(Person(owner)), title, scope, project, type=turn)
        seen = (*person.projects, *person.reads)
        if (scope != "personal" or owner == person.name) and (not seen or project in seen):
            expected |= {title} if not person.scopes or scope in person.scopes else set()
    limited = store.seen_by(person)
    asked = Query(type=turn, limit=100)

    assert {each.title for each in limited.recent(asked).items} == expected
    assert {hit.note.title for hit in limited.search(turn, asked).items} == expected
    assert limited.search(turn, asked).total == limited.count(asked) == len(expected)
    assert {each.title for each in limited.export().notes if each.type == turn} == expected
    assert {
        entry.title for entry in limited.audit(Query(limit=1000)).items if entry.title.startswith(f"{turn} ")
    } <= expected


def test_every_write_has_a_name(mia, ben, store):
    number = saved(mia, scope="project")
    saved(ben, scope="project")
    saved(mia, "seal")
    ben.update(number, Changes(title="gull"))
    ben.pin(number)
    mia.delete(number)
    assert not mia.delete(number)
    ben.restore(number)
    saved(store, "nobody's", scope="project")
    told = [(e.person, e.action, e.item, e.project, e.title) for e in reversed(mia.audit().items)]

    gull, seal = mia.names((1, 2)).values()
    assert told == [
        ("mia", "saved", gull, "shop", "gull"),
        ("ben", "saved again", gull, "shop", "gull"),
        ("mia", "saved", seal, "shop", "seal"),
        ("ben", "changed", gull, "shop", "gull"),
        ("ben", "pinned", gull, "shop", "gull"),
        ("mia", "deleted", gull, "shop", "gull"),
        ("ben", "restored", gull, "shop", "gull"),
    ]
    assert [entry.item for entry in ben.audit(person="mia").items] == [gull, gull]
    assert mia.get(number).owner == "mia"


def test_the_audit_list_is_read_in_pages(mia):
    for number in range(5):
        saved(mia, f"walrus {number}", project=f"p{number % 2}", scope="project")
    first = mia.audit(Query(limit=2))
    rest = mia.audit(Query(limit=10, cursor=first.next))

    names = mia.names(range(1, 6))
    assert [entry.item for entry in (*first.items, *rest.items)] == [names[n] for n in (5, 4, 3, 2, 1)]
    assert rest.next == ""
    assert [entry.item for entry in mia.audit(Query(project="P1")).items] == [names[4], names[2]]
    assert mia.audit(Query(limit=0)).items == ()
    assert isinstance(first.items[0], AuditRecord)


def test_what_is_deleted_for_good_leaves_no_words_behind(mia):
    number = saved(mia, "walrus", scope="project")
    mia.delete(number, hard=True)

    assert [(entry.action, entry.title) for entry in mia.audit().items] == [
        ("deleted for good", ""),
        ("saved", ""),
    ]


def test_whoever_imports_owns_what_comes(mia, ben, store):
    saved(store, scope="personal")
    mia.take_in(
        Archive(notes=tuple(o._replace(sync_id="new", id=0, owner="ben") for o in store.export().notes))
    )

    assert [len(each.recent().items) for each in (mia, ben)] == [1, 0]


def test_what_others_keep_to_themselves_is_in_the_way_and_not_lost(mia, ben, store):
    ben.start_session("s", project="shop")
    saved(mia, session_id="s")
    mia.add_prompt("why", session_id="s", project="attic")

    for work in (
        lambda: ben.delete_session("s"),
        lambda: ben.remove_project("shop"),
        lambda: ben.rename_project("docs", "shop"),
    ):
        with pytest.raises(Refused):
            work()
    with pytest.raises(Forbidden, match="prompts"):
        ben.remove_project("attic")
    assert [len(items) for items in (mia.recent().items, mia.prompts().items)] == [1, 1]
    assert mia.remove_project("attic").prompts == 1
    ben.rebuild_index()
    assert mia.search("walrus").total == 1
    assert store.problems() == ()


def test_an_import_neither_takes_the_number_nor_the_history_of_what_it_cannot_see(mia, ben, store):
    hidden = saved(mia)
    other = saved(ben, "crab", scope="project")
    archive = store.export()
    mine = archive.notes[0]._replace(title="gull", content="another", sync_id="new", project="docs")
    stolen = archive.notes[0]._replace(title="x", scope="project")
    history = store.history(hidden)

    ben.take_in(Archive(notes=(mine,)))
    ben.take_in(archive._replace(notes=(stolen,), revisions=(Revision(hidden, 7, "t", "fake", "fake"),)))

    assert store.history(hidden) == history
    assert sorted(each.title for each in store.export().notes) == ["crab", "gull", "walrus"]
    assert len({each.id for each in store.export().notes}) == 3
    assert mia.get(hidden).title == "walrus"
    assert ben.get(other).title == "crab"
    assert store.problems() == ()


# Tokens


def test_only_a_hash_of_a_token_is_kept(store):
    secret, kept = tokens.new_token(
        store.database, " mia ", now=NOW, projects=["Shop--A"], reads=["docs"], read_only=True
    )

    assert tokens.person_of(store.database, secret) == Person(
        "mia", ("shop-a",), ("docs",), (), True, kept.id, "agent"
    )
    assert secret not in repr(tokens.tokens(store.database))
    assert len(secret) > 40
    for wrong in ("", secret[:-1], secret + "x", kept.hash, "\ud800"):
        assert tokens.person_of(store.database, wrong) is None


def test_a_token_is_taken_back_by_name_or_number(store):
    database = store.database
    secrets = [tokens.new_token(database, name, now=NOW)[0] for name in ("mia", "mia", "ben")]
    assert tokens.needs_token(database)
    assert tokens.tokens_in_use(database) == (3, 2)
    assert [each.id for each in tokens.revoke(database, "3", now=NOW)] == [3]
    assert len(tokens.revoke(database, "mia", now=NOW)) == 2

    assert [tokens.person_of(database, secret) for secret in secrets] == [None] * 3
    assert [each.revoked_at for each in tokens.tokens(database)] == [NOW] * 3
    assert tokens.tokens_in_use(database) == (0, 0)
    assert tokens.needs_token(database) is database.is_shared
    for which in ("mia", "9", "", "9" * 30):
        with pytest.raises(NotFound):
            tokens.revoke(database, which, now=NOW)


@pytest.mark.parametrize(("name", "scopes"), [("", ()), ("a\nb", ()), ("x" * 101, ()), ("mia", ("all",))])
def test_a_token_needs_a_name_and_known_scopes(store, name, scopes):
    with pytest.raises(Refused):
        tokens.new_token(store.database, name, now=NOW, scopes=scopes)


def test_a_change_to_a_token_is_a_change(store):
    before = store.version()
    tokens.new_token(store.database, "mia", now=NOW)

    assert store.version() > before


@pytest.mark.parametrize(
    "who", [Person("mia"), Person("mia", ("shop",)), Person("mia", scopes=("global",)), Person()]
)
def test_what_is_gone_is_judged_as_the_database_judges_what_is_there(store, who):
    for owner in ("mia", "ben"):
        for project in ("shop", "attic"):
            for scope in ("project", "personal", "global"):
                title = f"{owner} {project} {scope}"
                store.seen_by(Person(owner)).save(NoteDraft(title, title, project=project, scope=scope))

    seen = {each.title for each in store.seen_by(who).export().notes}
    everything = store.export().notes
    assert {each.title for each in everything if who.sees(each.project, each.scope, each.owner)} == seen
    assert len(everything) == 12
