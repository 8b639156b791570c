"""Tells by its type and its topic whether a note is what specs keep in memory: it says what a file says. Pure."""

from modicum.memory.model import Note

TYPES = {
    "change": "change",
    "spec": "spec",
    "adr": "decision",
}  # by what the topic begins with, as in adr/shop/001
NO_SPEC_NOTE = "NOT ({})".format(
    " OR ".join(f"(type = '{kind}' AND topic_key LIKE '{start}/%/%')" for start, kind in TYPES.items())
)


def is_spec_note(note: Note) -> bool:
    """Returns True if specs keep a note in memory, or if its type and topic look like it."""
    start, _, name = note.topic_key.partition("/")
    return TYPES.get(start) == note.type and "/" in name
