"""Chunks are the same bytes for the same states, and are read with distrust."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.memory.foreign_json import WrongShape
from modicum.memory.sync.chunks import (
    DAMAGED,
    HEAD,
    UNNAMED,
    Chunk,
    canonical_json,
    chunk_of,
    decode,
    edge_ends,
    lines_of,
    name_of,
    split_by_size,
    state_of,
)
from modicum.memory.sync.state import (
    SyncState,
    said_by,
)

T0, T1, T2 = (f"2026-01-0{day}T00:00:00.000Z" for day in (1, 2, 3))


def lines(*records: object) -> Chunk:
    data = "".join(f"{canonical_json(each)}\n" for each in (HEAD, *records)).encode()
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
    assert decode(one).states == tuple(said_by(state, UNNAMED) for state in states)


def test_portions_hold_at_least_one_line():
    assert list(split_by_size(["a" * 10, "b", "c" * 10], 5)) == [["a" * 10], ["b"], ["c" * 10]]
    assert list(split_by_size(["a", "b"], 5)) == [["a", "b"]]
    assert list(split_by_size([], 5)) == []


TOKEN = "ghp_" + "a1" * 18
BORN = {"kind": "note", "key": "k", "least": {"born": [T0, "s", 0]}}
VERSION = {"time": T0, "turn": 0, "saved_at": T0, "type": "", "title": "t", "content": "c", "tool_name": ""}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ([], "expected a record, got a list"),
        ({"kind": "spell", "key": "k"}, "its kind is unknown"),
        ({"kind": ["note"], "key": "k"}, "its kind is unknown"),
        ({"kind": "note"}, "there is no field `key`"),
        ({"kind": "note", "key": ""}, "a name is empty"),
        ({"kind": "note", "key": "k" * 2000}, "a name has more than 600 bytes"),
        (
            {"kind": "edge", "key": json.dumps(["a", "b", "t" * 700], separators=(",", ":"))},
            "a name has more than 600 bytes",
        ),
        (
            {"kind": "session", "key": "s", "set": {"namespace": [T0, 0, ["n" * 700]]}},
            "a name has more than 600 bytes",
        ),
        ({"kind": "edge", "key": "k"}, "key: it is no edge"),
        ({"kind": "edge", "key": '["a","b"]'}, "key: it is no edge"),
        ({"kind": "edge", "key": '["a", "b", "c"]'}, "key: it is no edge"),
        ({"kind": "edge", "key": "[" * 900}, "key: it is no edge"),
        ({**BORN, "least": []}, "least: expected a record, got a list"),
        ({**BORN, "least": {"born": [T0, "s"]}}, "note.least.born: expected a list of length 3, got 2"),
        ({**BORN, "least": {"born": "x"}}, "note.least.born: expected a list, got text"),
        ({**BORN, "least": {"born": ["soon", "s", 0]}}, 'note.least.born: "soon" is no time such as 2026-'),
        ({**BORN, "least": {"born": ["2026-99-01T00:00:00.000Z", "s", 0]}}, "is no time"),
        ({**BORN, "least": {"born": [5, "s", 0]}}, "note.least.born[0]: expected text, got a whole number"),
        ({**BORN, "least": {"born": [T0, "", 0]}}, "note.least.born: a name is empty"),
        ({**BORN, "least": {"born": [T0, "s", -1]}}, "note.least.born[2]: expected a whole number >= 0"),
        (
            {**BORN, "least": {"born": [T0, "s", True]}},
            "note.least.born[2]: expected a whole number, got true or false",
        ),
        ({**BORN, "least": {"born": [T0, "s", 10**30]}}, "note.least.born[2]: expected a whole number <="),
        ({**BORN, "least": {"pinned": [1]}}, "note.least.pinned is unknown"),
        ({**BORN, "set": {"born": [T0, 0, [T0, "s", 0]]}}, "note.set.born is unknown"),
        ({**BORN, "set": {"pinned": [1]}}, "note.set.pinned: expected a list of length 3, got 1"),
        ({**BORN, "set": {"pinned": {"a": 1}}}, "note.set.pinned: expected a list, got a record"),
        ({**BORN, "set": {"pinned": ["x", 0, [1]]}}, 'note.set.pinned: "x" is no time'),
        ({**BORN, "versions": {}}, "versions: expected a list, got a record"),
        ({**BORN, "versions": [5]}, "versions[0]: expected a record, got a whole number"),
        (
            {**BORN, "versions": [{**VERSION, "content": 5}]},
            "versions[0].content: expected text, got a whole number",
        ),
        ({**BORN, "versions": [{**VERSION, "time": "x"}]}, 'versions[0]: "x" is no time'),
        ({"kind": "note", "key": "a\x1bb"}, "key: it looks like a secret, or has characters that no id has"),
        (
            {"kind": "note", "key": "ghp_" + "a1" * 18},
            "key: it looks like a secret, or has characters that no id has",
        ),
    ],
)
def test_an_odd_line_is_named_and_the_others_come(record, reason):
    found = decode(lines(record, BORN))

    assert [state.key for state in found.states] == ["k"]
    assert len(found.problems) == 1
    assert found.problems[0].startswith("line 2: ")
    assert reason in found.problems[0]
    with pytest.raises(WrongShape):
        state_of(record)


def test_what_comes_in_is_cleaned():
    secret = f"token {TOKEN}"
    note = state_of(
        {**BORN, "versions": [{**VERSION, "content": secret, "title": "a\0b\ud800", "tool_name": TOKEN}], "most": {"duplicates": [10**12]},
         "set": {"place": [T0, 0, ["EVERYONE", "Some  Topic", TOKEN, TOKEN]], "deleted": [T0, 0, [""]]}}
    )  # fmt: skip
    session = state_of({"kind": "session", "key": "s", "set": {"end": [T0, 0, ["", secret]]}})

    assert (note.versions[0].type, note.versions[0].content) == ("manual", "token [REDACTED]")
    assert note.versions[0].tool_name == "[REDACTED]"
    assert note.versions[0].title == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    assert note.value("place", ()) == ("project", "some-topic", "[REDACTED]", "[REDACTED]")
    assert note.most["duplicates"] == (1_000_000_000,)
    assert session.value("end", ())[1] == "token [REDACTED]"
    assert edge_ends(canonical_json(["a", "b", "c"])) == ("a", "b", "c")


def test_chunks_of_others_are_told_apart():
    def named(data: bytes) -> Chunk:
        return Chunk(name_of(data), data)

    assert decode(named(b"")).problems == ("it is no chunk of modicum",)
    assert decode(named(b'{"modicum":"memory","version":2}\n')).problems == (
        "it was written by a newer modicum: update, then sync again",
    )
    assert decode(named(canonical_json(HEAD).encode() + b"\n{half\n")).problems == (
        "line 2: it is no JSON that can be read",
    )
    deep = canonical_json(HEAD).encode() + b"\n" + b"[" * 100_000 + b"\n"
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
