"""States merge into the same in any order; rows become states, and states rows."""

import json

from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.model import Note, Revision, Session
from modicum.memory.sync.chunks import (
    canonical_json,
    record_of,
    state_of,
    stored_state,
    stored_text,
)
from modicum.memory.sync.local import edge_state, edge_to_show, gone_session, note_state, session_state
from modicum.memory.sync.state import (
    MOST_TURNS,
    Register,
    SyncState,
    after,
    changed,
    delta,
    merge,
    one_of_topic,
    version,
    with_texts,
    without_texts,
)

T0, T1, T2 = (f"2026-01-0{day}T00:00:00.000Z" for day in (1, 2, 3))
TIMES = st.sampled_from([T0, T1, T2])
TURNS = st.integers(0, 2)
VERSIONS = st.builds(version, TIMES, TURNS, TIMES, st.tuples(*[st.sampled_from(["a", "b"])] * 3, st.just("")))
STATES = st.builds(
    SyncState,
    st.just("note"),
    st.just("k"),
    st.sampled_from([False] * 7 + [True]),
    st.fixed_dictionaries({}, optional={"born": st.tuples(TIMES, st.sampled_from("st"), st.integers(0, 1))}),
    st.fixed_dictionaries(
        {}, optional={"duplicates": st.tuples(st.integers(1, 3)), "updated_at": st.tuples(TIMES)}
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "pinned": st.builds(Register, TIMES, TURNS, st.tuples(st.integers(0, 1))),
            "deleted": st.builds(Register, TIMES, TURNS, st.tuples(st.sampled_from(["", T1]))),
        },
    ),
    st.lists(VERSIONS, max_size=3).map(
        lambda found: tuple(sorted({each.mark: each for each in found}.values()))
    ),
    st.just({}),
).map(lambda state: SyncState(state.kind, state.key, dead=True) if state.dead else state)


@given(STATES, STATES, STATES)
def test_merging_is_the_same_in_any_order_and_any_number_of_times(a, b, c):
    assert merge(a, b) == merge(b, a)
    assert merge(merge(a, b), c) == merge(a, merge(b, c))
    assert merge(a, a) == a
    assert merge(merge(a, b), b) == merge(a, b)


@given(STATES, STATES)
def test_what_goes_beyond_is_all_that_need_travel(a, b):
    news = delta(a, b)

    assert merge(a, news) == merge(a, b)
    assert delta(b, b).empty


@given(STATES)
def test_a_state_is_kept_and_travels_without_loss(state):
    assert stored_state("note", "k", stored_text(state)) == state
    assert state_of(json.loads(canonical_json(record_of(state)))) == state
    assert with_texts(without_texts(state), [each.text for each in state.versions]) == state


@given(STATES, TIMES)
def test_a_later_edit_is_always_above(state, time):
    for earlier in (*state.registers.values(), *state.versions):
        assert after(earlier, time) > (earlier.time, earlier.turn)


def test_an_edit_on_the_last_possible_turn_stays_there():
    last = Register(T2, MOST_TURNS, (1,))

    assert after(last, T1) == (T2, MOST_TURNS)
    assert (
        state_of({"kind": "note", "key": "k", "set": {"pinned": [T2, MOST_TURNS, [1]]}}).registers["pinned"]
        == last
    )


def test_what_says_the_same_is_no_edit():
    known = Register(T0, 0, (1,))

    assert changed(known, T1, (1,), (0,)) is known
    assert changed(None, T1, (0,), (0,)) is None
    assert changed(None, T1, (1,), (0,)) == Register(T1, 0, (1,))


NOTE = Note(1, "k", "s", "manual", "t", "c", last_seen_at=T0, created_at=T0, updated_at=T0)


def test_the_same_note_on_two_machines_that_never_met_is_the_same_state():
    assert note_state(NOTE, [], SyncState("note", "k"), now=T1) == note_state(
        NOTE, [], SyncState("note", "k"), now=T2
    )


def test_a_wording_that_is_not_the_one_agreed_on_counts_as_new():
    known = note_state(NOTE, [], SyncState("note", "k"), now=T1)
    revised = NOTE._replace(content="other", updated_at=T0, revision_count=2)
    state = note_state(revised, [Revision(1, 1, "manual", "t", "was never agreed on", "", T0)], known, now=T1)

    assert [each.content for each in state.versions] == ["was never agreed on", "other"]
    assert all(each.mark > known.versions[0].mark for each in state.versions)


def test_history_that_is_missing_keeps_its_numbers():
    old = NOTE._replace(revision_count=5)

    assert note_state(old, [], SyncState("note", "k"), now=T1).least["born"] == (T0, "s", 4)


def test_sessions_end_come_back_and_go():
    row = Session("s", "shop", namespace="n", started_at=T1, ended_at=T2, summary="done")
    state = session_state(row, SyncState("session", "s"), home="shop", now=T2)
    assert state.registers == {"end": Register(T2, 0, (T2, "done")), "namespace": Register(T1, 0, ("n",))}

    gone = gone_session(state, now=T2)
    assert gone.value("gone", (0,)) == (1,)
    assert gone_session(gone, now=T2) == gone
    assert session_state(row, gone, home="shop", now=T1).value("gone", (1,)) == (0,)
    foreign = session_state(row, gone, home="elsewhere", now=T2)
    assert foreign.registers["end"] == state.registers["end"]
    assert session_state(row, SyncState("session", "s"), home="elsewhere", now=T2).registers == {}


def test_an_edge_that_never_was_has_no_state():
    assert edge_state(None, SyncState("edge", "k"), now=T1).empty


def test_the_oldest_of_one_topic_takes_the_wordings_of_the_others():
    states = [
        SyncState(
            "note",
            key,
            least={"born": (time, "s", 0)},
            versions=(version(time, 0, time, ("m", key, key, "")),),
        )
        for key, time in (("b", T1), ("a", T1), ("c", T2))
    ]
    whole, *hidden = one_of_topic(states)

    assert (whole.key, [each.title for each in whole.versions]) == ("a", ["b", "c"])
    assert [(op.key, op.value("deleted", ()), op.value("into", ())) for op in hidden] == [
        ("b", (T2,), ("a",)), ("c", (T2,), ("a",))
    ]  # fmt: skip
    assert one_of_topic(states[::-1]) == (whole._replace(versions=whole.versions), *hidden)


WORDS = st.builds(
    Register, TIMES, TURNS, st.tuples(st.sampled_from([0, 1]), st.sampled_from("ab"), st.just(T0))
)
SPEAKERS = ("edge", "edge m-a", "edge m-b", "edge m-a m-b", "edge m-a m-b m-c")
EDGES = st.builds(
    lambda words: SyncState("edge", "k", registers=words), st.dictionaries(st.sampled_from(SPEAKERS), WORDS)
)


@given(EDGES, EDGES, EDGES)
def test_the_words_of_machines_on_a_relation_merge_into_the_same_in_any_order(one, two, three):
    both = merge(one, two)

    assert both == merge(two, one) == merge(both, two) == merge(both, both)
    assert merge(both, three) == merge(one, merge(two, three))


@given(EDGES, EDGES, st.frozensets(st.sampled_from(["m-a", "m-b", "m-c"])))
def test_a_word_on_a_relation_that_is_left_out_changes_nothing_whoever_is_confirmed(one, two, trusted):
    names = one.registers.keys() | two.registers.keys()
    words = {
        name: max(each.registers[name] for each in (one, two) if name in each.registers) for name in names
    }
    whole = SyncState("edge", "k", registers=words)

    assert edge_to_show(merge(one, two), trusted) == edge_to_show(whole, trusted)


@given(EDGES, EDGES, EDGES)
def test_words_of_others_on_a_relation_change_nothing_that_is_so_here(one, two, three):
    own = SyncState("edge", "k", registers={"edge": Register(T1, 0, (1, "mine", T0))})
    others = {
        name: each for state in (one, two, three) for name, each in state.registers.items() if name != "edge"
    }

    assert edge_to_show(merge(own, SyncState("edge", "k", registers=others)), frozenset()) == (
        "",
        (1, "mine", T0),
    )
