"""What specs keep in memory is known by type and topic, in Python and in SQL alike."""

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.model import Note
from modicum.memory.spec_topics import NO_SPEC_NOTE, TYPES, is_spec_note

PARTS = st.lists(st.sampled_from(("adr", "change", "spec", "shop", "001", "")), max_size=4)


@given(kind=st.sampled_from((*TYPES.values(), "manual")), parts=PARTS)
def test_sql_and_python_agree(kind: str, parts: list[str]) -> None:
    topic = "/".join(parts)
    note = Note(1, "", "", kind, "T", "text", topic_key=topic)
    rows = sqlite3.connect(":memory:").execute(
        f"SELECT {NO_SPEC_NOTE} FROM (SELECT ? AS type, ? AS topic_key)", (note.type, topic)
    )

    assert rows.fetchone() == (not is_spec_note(note),)
