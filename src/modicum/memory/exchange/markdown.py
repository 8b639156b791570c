"""Exports notes as Markdown: one file for each note, with its fields as front matter. Pure."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from modicum.memory.model import Archive, Note, Relation
from modicum.memory.names import PUBLIC_MARK, clip, public_ids, public_number

LONGEST_NAME = 80  # bytes
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)\d")  # on Windows, whatever comes behind a dot
NO_PROJECT = "no-project"

_FIELDS = (
    *(
        "title",
        "type",
        "public_id",
        "sync_id",
        "project",
        "scope",
        "topic_key",
        "namespace",
        "author",
        "tool_name",
    ),
    *(
        "pinned",
        "session_id",
        "revision_count",
        "duplicate_count",
        "created_at",
        "updated_at",
        "last_seen_at",
    ),
)
_KEYS = {"public_id": "id"}


class NotePage(NamedTuple):
    """A Markdown file of an export: its path in the folder, and its text."""

    path: str
    text: str


def note_pages(archive: Archive) -> Iterator[NotePage]:
    """Yields the Markdown file of every note in an archive that is not deleted, for an export."""
    keys = {each.id: each.sync_id for each in archive.notes}
    names = public_ids({each.id: public_number(each.sync_id) for each in archive.notes})
    edges: dict[int, list[Relation]] = {}
    for relation in archive.relations:
        edges.setdefault(relation.from_id, []).append(relation)
    for note in archive.notes:
        if not note.deleted_at:
            folder = _slug(note.project) or NO_PROJECT
            folder += "-notes" * bool(_RESERVED.fullmatch(folder))
            letters = names[note.id].removeprefix(PUBLIC_MARK).removeprefix("#")
            name = f"{_slug(note.title) or 'note'}-{letters}.md"
            yield NotePage(f"{folder}/{name}", _page(note, edges.get(note.id, ()), keys))


def _slug(text: str) -> str:
    """A name that every file system takes: letters and digits of any script, joined by "-"."""
    return clip("-".join(re.findall(r"[^\W_]+", text.lower())), LONGEST_NAME)


def _page(note: Note, relations: Sequence[Relation], keys: dict[int, str]) -> str:
    head = [
        f"{_KEYS.get(name, name)}: {_scalar(value)}" for name in _FIELDS if (value := getattr(note, name))
    ]
    edges = [
        {"type": each.type, "to": keys[each.to_id], **({"note": each.note} if each.note else {})}
        for each in relations
        if each.to_id in keys
    ]
    listed = [
        f"  - {{{', '.join(f'{name}: {_scalar(value)}' for name, value in edge.items())}}}" for edge in edges
    ]
    front = "\n".join((*head, *(("relations:", *listed) if listed else ())))
    return f"---\n{front}\n---\n\n# {' '.join(note.title.split())}\n\n{note.content}\n"


def _scalar(value: str | int) -> str:
    """A value as YAML has it: plain where nothing can be misread, else in quotes."""
    text = str(value)
    if isinstance(value, int) or (_PLAIN.fullmatch(text) and text.lower() not in _MEANT):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


_PLAIN = re.compile(r"[^\W\d_](?:[\w ./-]*\w)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_MEANT = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
_ODD = re.compile("[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
