"""Lists are newest first and go on where they stopped."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.memory.filters.model import ItemKind
from modicum.memory.model import Listing, NoteDraft, NotFound, Query, Refused

admitted = sys.modules["filter_oracle"].admitted


def fill(store, count, **fields):
    return [store.save(NoteDraft(f"obs-{i}", f"body {i}", **fields)).id for i in range(count)]


def walk(read, query):
    found, cursor = [], ""
    while True:
        page = read(query._replace(cursor=cursor))
        assert len(page.items) <= query.limit
        found += [each.id for each in page.items]
        cursor = page.next
        if not cursor:
            return found


def test_what_is_of_one_moment_comes_highest_id_first(store):
    numbers = fill(store, 6)

    assert [each.id for each in store.recent(Query(limit=2)).items] == numbers[:-3:-1]


def test_pages_are_the_whole_without_duplicates_though_notes_are_added(store, clock):
    for _ in range(3):
        fill(store, 4)
        clock.pass_(minutes=20)
    whole = [each.id for each in store.recent(Query(limit=100)).items]
    first = store.recent(Query(limit=5))
    fill(store, 1, project="new")

    rest = store.recent(Query(limit=100, cursor=first.next))

    assert whole == sorted(whole, reverse=True)
    assert [each.id for each in (*first.items, *rest.items)] == whole
    assert rest.next == ""
    assert walk(store.recent, Query(limit=1))[1:] == whole


@pytest.mark.parametrize("limit", [0, -1])
def test_no_items_are_no_items(store, limit):
    fill(store, 1)

    assert store.recent(Query(limit=limit)) == Listing()


@pytest.mark.parametrize("cursor", ["x", "äöü", "AAAA", "====", "e30"])
def test_a_cursor_of_something_else_is_refused(store, cursor):
    with pytest.raises(Refused, match="cursor"):
        store.recent(Query(cursor=cursor))


def test_a_cursor_of_another_list_is_refused(store):
    fill(store, 3)
    cursor = store.recent(Query(limit=1)).next

    with pytest.raises(Refused, match="cursor"):
        store.sessions(Query(cursor=cursor))


@pytest.fixture
def varied(store, clock):
    for project in ("p", "q"):
        for scope in ("project", "personal", "global"):
            for kind in ("bugfix", "decision"):
                for namespace in ("", "agent/a"):
                    store.with_origin(f"agent:{kind}" if namespace else "person").save(
                        NoteDraft(
                            f"{project} {scope} {kind} {namespace}", "body", kind, project, f"s-{project}",
                            scope, namespace=namespace,
                        )
                    )  # fmt: skip
                    clock.pass_(minutes=1)
            store.add_prompt(f"why {scope}?", session_id=f"s-{project}", project=project, namespace="agent/a")
    return store


FIELDS = {
    "project": st.sampled_from(["", "p", " P ", "nowhere"]),
    "scope": st.sampled_from(["", "personal", "Global"]),
    "type": st.sampled_from(["", "bugfix"]),
    "namespace": st.sampled_from(["", "agent/a"]),
    "session": st.sampled_from(["", "s-q"]),
    "since": st.sampled_from(["", "2027-01-15T08:05:00.000Z"]),
    "until": st.sampled_from(["", "2027-01-15T08:15:00.000Z"]),
    "origin": st.sampled_from(["", "agent", "agent:bugfix", "person", "sync"]),
}


def test_filters_narrow_and_counts_agree(varied):
    every = Query(limit=100)
    everything = {
        ItemKind.NOTE: varied.recent(every).items,
        ItemKind.SESSION: varied.sessions(every).items,
        ItemKind.PROMPT: varied.prompts(every).items,
    }
    assert [len(each) for each in everything.values()] == [24, 2, 6]

    @settings(max_examples=60)
    @given(st.builds(Query, **FIELDS, limit=st.integers(1, 9), everywhere=st.just(False)))  # fmt: skip
    def check(query):
        lists = {
            ItemKind.NOTE: varied.recent,
            ItemKind.SESSION: varied.sessions,
            ItemKind.PROMPT: varied.prompts,
        }
        for kind, read in lists.items():
            wanted = [each.id for each in admitted(query, everything[kind])]
            assert walk(read, query) == wanted
            assert varied.count(query, kind) == len(wanted)

    check()


def test_a_revised_topic_stays_in_its_place(store, clock):
    first = store.save(NoteDraft("a", "b", topic_key="k")).id
    clock.pass_(minutes=1)
    second = store.save(NoteDraft("c", "d")).id
    clock.pass_(minutes=1)
    store.save(NoteDraft("a", "new", topic_key="k"))

    assert [each.id for each in store.recent().items] == [second, first]


def test_a_timeline_shows_the_neighbours_in_the_session(store):
    numbers = fill(store, 5, session_id="s", project="p")
    fill(store, 1, session_id="other", project="x")

    found = store.timeline(numbers[2], before=1, after=9)

    assert found.focus.id == numbers[2]
    assert [each.id for each in found.before] == [numbers[1]]
    assert [each.id for each in found.after] == numbers[3:]
    assert (found.session.id, found.total) == ("s", 5)
    assert store.timeline(numbers[2], before=0, after=0).before == ()
    assert [each.id for each in store.timeline(numbers[4], before=2).before] == numbers[2:4]
    with pytest.raises(NotFound, match="#99 not found"):
        store.timeline(99)


def test_the_notes_of_a_session_come_oldest_first(store):
    numbers = fill(store, 3, session_id="s")

    assert [each.id for each in store.of_session("s")] == numbers
    assert [each.id for each in store.of_session("s", limit=2)] == numbers[:2]


def test_context_has_all_parts_and_what_notes_alone_have_leaves_out_the_others(store):
    store.start_session("s", project="p")
    store.add_prompt("why?", session_id="s", project="p")
    mine = store.save(NoteDraft("mine", "x", project="p", scope="personal", session_id="s")).id
    fill(store, 3, project="p", session_id="s")
    fill(store, 1, project="q")

    query = Query(project="p", scope="personal")
    narrow, found = store.context(query), store.context(query, beside=Query(project="p"))

    assert [each.id for each in narrow.notes] == [each.id for each in found.notes] == [mine]
    assert narrow.sessions == narrow.prompts == ()
    assert [each.content for each in found.prompts] == ["why?"]
    assert [(each.id, each.notes) for each in found.sessions] == [("s", 4)]
    assert not any(store.context(Query(project="nothing")))


def test_a_namespace_keeps_its_sessions_and_prompts_apart(store):
    for name in ("agent/a", "agent/b"):
        store.add_prompt(f"of {name}", session_id=name, namespace=name)

    found = store.context(Query(namespace="agent/a"))

    assert [each.id for each in found.sessions] == ["agent/a"]
    assert [each.content for each in found.prompts] == ["of agent/a"]


def test_stats_name_projects_by_their_latest_note(store, clock):
    for project in ("old", "new", "old"):
        fill(store, 1, project=project, type=project)
        clock.pass_(minutes=30)
    fill(store, 1, project="")
    store.add_prompt("hi", project="only-prompts")

    assert store.stats() == (4, 4, 1, ("old", "new"))
    assert {(p.name, p.notes, p.sessions, p.prompts) for p in store.projects()} == {
        ("old", 2, 1, 0), ("new", 1, 1, 0), ("", 1, 1, 0), ("only-prompts", 0, 1, 1),
    }  # fmt: skip


def test_deleted_notes_are_listed_the_latest_first_without_those_that_wait(store, clock):
    numbers = fill(store, 5, project="p")
    for number in (numbers[3], numbers[0], numbers[4]):
        clock.pass_(minutes=1)
        store.delete(number)
    store.save_waiting(NoteDraft("Doubtful", "text", project="p"), "why")

    gone = [numbers[4], numbers[0], numbers[3]]
    assert walk(store.deleted, Query(limit=2)) == walk(store.deleted, Query(project="p", limit=50)) == gone
    assert store.deleted(Query(project="q")).items == ()
    store.restore(numbers[0])
    assert walk(store.deleted, Query()) == [numbers[4], numbers[3]]
