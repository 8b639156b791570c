"""States merge into the same in any order; chunks are read with distrust."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.memory.model import Note, Revision, Session
from modicum.memory.sync.chunks import (
    DAMAGED,
    HEAD,
    BadRecord,
    Chunk,
    chunk_of,
    decode,
    edge_ends,
    kept,
    lines_of,
    name_of,
    portions,
    recall,
    record_of,
    spell,
    state_of,
)
from modicum.memory.sync.local import edge_state, gone_session, note_state, session_state
from modicum.memory.sync.state import (
    MOST_TURNS,
    Register,
    SyncState,
    after,
    bare,
    changed,
    delta,
    merge,
    unified,
    version,
    worded,
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
    assert recall("note", "k", kept(state)) == state
    assert state_of(json.loads(spell(record_of(state)))) == state
    assert worded(bare(state), [each.text for each in state.versions]) == state


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
    whole, *hidden = unified(states)

    assert (whole.key, [each.title for each in whole.versions]) == ("a", ["b", "c"])
    assert [(op.key, op.value("deleted", ()), op.value("into", ())) for op in hidden] == [
        ("b", (T2,), ("a",)), ("c", (T2,), ("a",))
    ]  # fmt: skip
    assert unified(states[::-1]) == (whole._replace(versions=whole.versions), *hidden)


# Chunks


def lines(*records: object) -> Chunk:
    data = "".join(f"{spell(each)}\n" for each in (HEAD, *records)).encode()
    return Chunk(name_of(data), data)


def test_a_chunk_is_the_same_bytes_for_the_same_states():
    states = [SyncState("note", key, dead=True) for key in "abc"]
    one, other = chunk_of(lines_of(states)), chunk_of(lines_of(states[::-1]) * 2)

    assert one == other
    assert one.data == (
        b'{"modicum":"memory","version":1}\n{"dead":true,"key":"a","kind":"note"}\n'
        b'{"dead":true,"key":"b","kind":"note"}\n{"dead":true,"key":"c","kind":"note"}\n'
    )
    assert one.name == "bbd892ca0b76d11a6e5a8e3ca4681493.jsonl"
    assert decode(one).states == tuple(states)


def test_portions_hold_at_least_one_line():
    assert list(portions(["a" * 10, "b", "c" * 10], 5)) == [["a" * 10], ["b"], ["c" * 10]]
    assert list(portions(["a", "b"], 5)) == [["a", "b"]]
    assert list(portions([], 5)) == []


BORN = {"kind": "note", "key": "k", "least": {"born": [T0, "s", 0]}}
VERSION = {"time": T0, "turn": 0, "saved_at": T0, "type": "", "title": "t", "content": "c", "tool_name": ""}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ([], "it is no record"),
        ({"kind": "spell", "key": "k"}, "its kind is unknown"),
        ({"kind": ["note"], "key": "k"}, "its kind is unknown"),
        ({"kind": "note"}, "there is no text"),
        ({"kind": "note", "key": ""}, "there is no name"),
        ({"kind": "note", "key": "k" * 2000}, "a name has more than 600 bytes"),
        (
            {"kind": "edge", "key": json.dumps(["a", "b", "t" * 700], separators=(",", ":"))},
            "a name has more than 600 bytes",
        ),
        (
            {"kind": "session", "key": "s", "set": {"namespace": [T0, 0, ["n" * 700]]}},
            "a name has more than 600 bytes",
        ),
        ({"kind": "edge", "key": "k"}, "its key is no edge"),
        ({"kind": "edge", "key": '["a","b"]'}, "its key is no edge"),
        ({"kind": "edge", "key": '["a", "b", "c"]'}, "its key is no edge"),
        ({"kind": "edge", "key": "[" * 900}, "its key is no edge"),
        ({**BORN, "least": []}, "least: it is no dict"),
        ({**BORN, "least": {"born": [T0, "s"]}}, "wrong shape"),
        ({**BORN, "least": {"born": "x"}}, "wrong shape"),
        ({**BORN, "least": {"born": ["soon", "s", 0]}}, "there is no time"),
        ({**BORN, "least": {"born": ["2026-99-01T00:00:00.000Z", "s", 0]}}, "there is no time"),
        ({**BORN, "least": {"born": [5, "s", 0]}}, "there is no time"),
        ({**BORN, "least": {"born": [T0, "", 0]}}, "there is no name"),
        ({**BORN, "least": {"born": [T0, "s", -1]}}, "there is no number"),
        ({**BORN, "least": {"born": [T0, "s", True]}}, "there is no number"),
        ({**BORN, "least": {"born": [T0, "s", 10**30]}}, "there is no number"),
        ({**BORN, "least": {"pinned": [1]}}, "note.least.pinned is unknown"),
        ({**BORN, "set": {"born": [T0, 0, [T0, "s", 0]]}}, "note.set.born is unknown"),
        ({**BORN, "set": {"pinned": [1]}}, "wrong shape"),
        ({**BORN, "set": {"pinned": {"a": 1}}}, "wrong shape"),
        ({**BORN, "versions": {}}, "versions: it is no list"),
        ({**BORN, "versions": [5]}, "one is no record"),
        ({**BORN, "versions": [{**VERSION, "content": 5}]}, "there is no text"),
        ({**BORN, "versions": [{**VERSION, "time": "x"}]}, "there is no time"),
    ],
)
def test_an_odd_line_is_named_and_the_others_come(record, reason):
    found = decode(lines(record, BORN))

    assert [state.key for state in found.states] == ["k"]
    assert len(found.problems) == 1
    assert found.problems[0].startswith("line 2: ")
    assert reason in found.problems[0]
    with pytest.raises(BadRecord):
        state_of(record)


def test_what_comes_in_is_cleaned():
    secret = "token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
    note = state_of(
        {**BORN, "versions": [{**VERSION, "content": secret, "title": "a\0b\ud800"}], "most": {"duplicates": [10**12]},
         "set": {"place": [T0, 0, ["EVERYONE", "Some  Topic", "", ""]], "deleted": [T0, 0, [""]]}}
    )  # fmt: skip
    session = state_of({"kind": "session", "key": "s", "set": {"end": [T0, 0, ["", secret]]}})

    assert (note.versions[0].type, note.versions[0].content) == ("manual", "token [REDACTED]")
    assert note.versions[0].title == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    assert note.value("place", ()) == ("project", "some-topic", "", "")
    assert note.most["duplicates"] == (1_000_000_000,)
    assert session.value("end", ())[1] == "token [REDACTED]"
    assert edge_ends(spell(["a", "b", "c"])) == ("a", "b", "c")


def test_chunks_of_others_are_told_apart():
    def named(data: bytes) -> Chunk:
        return Chunk(name_of(data), data)

    assert decode(named(b"")).problems == ("it is no chunk of modicum",)
    assert decode(named(b'{"modicum":"memory","version":2}\n')).problems == (
        "it was written by a newer modicum: update, then sync again",
    )
    assert decode(named(spell(HEAD).encode() + b"\n{half\n")).problems == (
        "line 2: it is no JSON that can be read",
    )
    deep = spell(HEAD).encode() + b"\n" + b"[" * 100_000 + b"\n"
    assert decode(named(deep)).problems == ("line 2: it is no JSON that can be read",)
    assert decode(Chunk("0" * 32 + ".jsonl", b"x")).problems == (DAMAGED,)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([T0, "s", "", "k"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*BORN, *VERSION, "born", "pinned"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=80)
@given(st.fixed_dictionaries({"kind": st.sampled_from(["note", "session", "prompt", "edge"]), "key": st.just("k")},
                             optional={"least": JSON, "most": JSON, "set": JSON, "versions": JSON, "dead": JSON}))  # fmt: skip
def test_any_record_is_read_or_refused(record):
    found = decode(lines(record))

    assert len(found.states) + len(found.problems) == 1
