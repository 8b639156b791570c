"""Finds what a name stands for: a note, session, pack or part of a pack, notice, decision, …"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from modicum.app.counted import counted
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import load_knowledge, load_library
from modicum.app.inject.pages import load_page_maker
from modicum.app.local_times import local_time
from modicum.app.memory.notes import find_note, look, note_fields, relation_fields
from modicum.app.packs.notices import find_notice
from modicum.app.packs.one_part import part_keys, part_sections
from modicum.app.remedies import plain_wording
from modicum.app.specs import sections as spec_sections
from modicum.app.specs.pages import named_specs, whole_spec
from modicum.app.whose import project_of
from modicum.base.config import Config
from modicum.base.errors import Advice, ModicumError, Remedy
from modicum.base.near_words import nearest
from modicum.engine.page import Block, Detail, Section, View, fit
from modicum.memory.model import Note, NotFound, Query, Revision
from modicum.memory.names import public_range, topic_name
from modicum.memory.sections import note_key, prompt_key, session_key
from modicum.memory.store import Store
from modicum.text.snippets import snippet

SNIPPET = 300  # characters
_NUMBER = re.compile(r"#?[0-9]{1,18}")
_REVISION = re.compile(r"revision:([^/]{1,20})/([0-9]{1,9})")
_REQUIREMENT = re.compile(r"[A-Z]{2,}-[0-9]+")

OpenMemory = Callable[[], Store]


class Named(NamedTuple):
    """The thing that a name stands for: the sections of its page, and all its fields for JSON."""

    sections: tuple[Section, ...]
    fields: Mapping[str, object]


def find_named(config: Config, memory: OpenMemory, name: str) -> Named:
    """Finds the thing that a name stands for: note, session, pack, decision …; raises NotFound if none."""
    if _NUMBER.fullmatch(name):
        return _note(config, memory, name)
    kind, colon, _ = name.partition(":")
    if colon and kind in _KINDS:
        readers: tuple[_Reader, ...] = (_KINDS[kind],)
    else:
        readers = (_lettered, _pack, _spec, _page_block, _requirement, _session, _topic, _scanned)
    for reader in readers:
        if named := reader(config, memory, name):
            return named
    raise NotFound(f'there is nothing named "{name[:60]}"', remedy=_remedy(config, name))


def history_sections(name: str, revisions: tuple[Revision, ...]) -> tuple[Section, ...]:
    """Returns, for `modicum show`, every earlier wording of the named note as sections of a page."""
    return (Section(tuple(_revision_block(f"revision:{name}/{each.number}", each) for each in revisions)),)


# What is in memory.

_Reader = Callable[[Config, OpenMemory, str], Named | None]


def _note(config: Config, memory: OpenMemory, name: str) -> Named:
    return _whole_note(memory(), find_note(memory(), name).id)


def _lettered(config: Config, memory: OpenMemory, name: str) -> Named | None:
    """The note whose public id begins so. Other things may be called like one, as a pack "n-gram" is."""
    ends = public_range(name)
    return _note(config, memory, name) if ends and memory().of_public_id(*ends) else None


def _whole_note(store: Store, number: int) -> Named:
    found = look(store, number)
    note, head = found.note, _head(found.note)
    title = head.partition("\n")[0]
    forms = _forms(title, f"{head}\n\n{snippet(note.content, SNIPPET)}", f"{head}\n\n{note.content}")
    edges, key = relation_fields(store, found.relations), note_key(note.public_id)
    blocks = (Block(key, forms), *map(_relation_block, edges))
    return Named((Section(blocks, gap="\n"),), {"key": key, **note_fields(note), "relations": edges})


def _relation_block(edge: Mapping[str, object]) -> Block:
    because = f" ({edge['note']})" if edge["note"] else ""
    line = f"  {edge['from_id']} {edge['type']} {edge['to_id']}{because}"
    return Block(f"relation:{edge['id']}", {Detail.SUMMARY: line})


def _head(note: Note) -> str:
    scope = note.scope if note.scope != "project" else ""
    about = (note.type, note.project, scope, note.topic_key, local_time(note.updated_at), note.origin)
    pinned = " · pinned" if note.pinned and not note.pinned_by else ""
    pinned += f" · pinned on {note.pinned_by}" if note.pinned_by else ""
    return f"{note.public_id} {note.title}\n{' · '.join(filter(None, about))}{pinned}"


def _revision(config: Config, memory: OpenMemory, name: str) -> Named | None:
    parts = _REVISION.fullmatch(name)
    revisions = memory().history(find_note(memory(), parts[1]).id) if parts else ()
    found = next((each for each in revisions if parts and each.number == int(parts[2])), None)
    if found is None:
        return None
    return Named((Section((_revision_block(name, found),)),), {"key": name, **found._asdict()})


def _revision_block(key: str, revision: Revision) -> Block:
    head = f"{revision.number}. {local_time(revision.saved_at)}  {revision.title}"
    forms = _forms(head, f"{head}\n{snippet(revision.content, SNIPPET)}", f"{head}\n{revision.content}")
    return Block(key, forms)


def _session(config: Config, memory: OpenMemory, name: str) -> Named | None:
    found = memory().session(name.removeprefix("session:"))
    if found is None:
        return None
    ended = f" to {local_time(found.ended_at)}" if found.ended_at else ""
    made = counted(found.notes, "note")
    head = f"Session {found.id} of {found.project}, {local_time(found.started_at)}{ended} ({made})"
    return _text(session_key(found), head, found.summary or "(no summary)", found._asdict())


def _prompt(config: Config, memory: OpenMemory, name: str) -> Named | None:
    word = name.removeprefix("prompt:")
    found = memory().prompt(int(word[:18])) if word.isascii() and word.isdigit() else None
    if found is None:
        return None
    head = f"Prompt {found.id} of {found.project}, {local_time(found.created_at)}"
    return _text(prompt_key(found), head, found.content, found._asdict())


def _topic(config: Config, memory: OpenMemory, name: str) -> Named | None:
    """The note of this project that has the name as its topic."""
    store = memory()
    hits = store.search(name, Query(project=project_of(store, config), limit=5)).items
    topic = topic_name(name)
    found = next((hit.note.id for hit in hits if topic and hit.note.topic_key == topic), 0)
    return _whole_note(store, found) if found else None


# What is in packs and on pages.


def _pack(config: Config, memory: OpenMemory, name: str) -> Named | None:
    key = name if ":" in name else f"pack:{name}"
    sections = part_sections(load_library(config), key)
    return _of_sections(key, sections) if sections else None


def _notice(config: Config, memory: OpenMemory, name: str) -> Named | None:
    word = name.removeprefix("notice:")
    found = find_notice(config, int(word)) if word.isascii() and word.isdigit() else None
    return _text(name, "", found.text) if found else None


def _page_block(config: Config, memory: OpenMemory, name: str) -> Named | None:
    """A block of a page that is of no pack: its header, its profile, what is new."""
    try:
        maker, _, _ = load_page_maker(config, load_knowledge(config), InjectRequest())
    except ModicumError:  # a profile that is gone is told by the commands that are about packs
        return None
    around = maker.surrounding("markdown", maker.news())
    return _block_in((*around.above, *around.below), name)


# What is in specs.


def _spec(config: Config, memory: OpenMemory, name: str) -> Named | None:
    try:
        found = whole_spec(config, name)
    except ModicumError:
        if name.partition(":")[0] in _KINDS:
            raise
        return None
    return _text(str(found.fields["key"]), found.head, found.body, found.fields)


def _requirement(config: Config, memory: OpenMemory, name: str) -> Named | None:
    kind, _, word = name.rpartition(":")
    if not _REQUIREMENT.fullmatch(word):
        return None
    sections = spec_sections.requirements(config)
    keys = (name,) if kind else (f"requirement:{word}", f"phantom:{word}")
    return next(filter(None, (_block_in(sections, key) for key in keys)), None)


def _project(config: Config, memory: OpenMemory, name: str) -> Named | None:
    return _block_in(spec_sections.standing(config, plain_wording), name)


def _scanned(config: Config, memory: OpenMemory, name: str) -> Named | None:
    """A file or folder as `modicum spec scan` lists it."""
    sections = spec_sections.contents(config)
    keys = [name] if name.partition(":")[0] in _KINDS else [f"{kind}:{name.rstrip('/')}" for kind in _SCANNED]
    return next(filter(None, (_block_in(sections, key) for key in keys)), None)


_SCANNED = ("manifest", "convention", "decision", "setting", "folder", "tests")
_KINDS: Mapping[str, _Reader] = {
    "note": _note,
    "revision": _revision,
    "session": _session,
    "prompt": _prompt,
    "notice": _notice,
    "news": _page_block,
    **dict.fromkeys(("pack", "sample", "learning", "error"), _pack),
    **dict.fromkeys(("artifact", "change", "adr", "file"), _spec),
    **dict.fromkeys(("requirement", "phantom"), _requirement),
    **dict.fromkeys(_SCANNED, _scanned),
    "project": _project,
}


# As sections.


def _forms(*texts: str) -> dict[Detail, str]:
    return dict(zip(Detail, texts, strict=True))


def _text(key: str, head: str, body: str, fields: Mapping[str, object] | None = None) -> Named:
    brief, whole = (f"{head}\n\n{text}" if head else text for text in (snippet(body, SNIPPET), body))
    block = Block(key, _forms(head or brief, brief, whole.rstrip("\n")))
    return Named((Section((block,)),), {"key": key, **({"text": body} | dict(fields or {}))})


def _block_in(sections: tuple[Section, ...], key: str) -> Named | None:
    blocks = chain.from_iterable(section.blocks for section in sections)
    found = next((block for block in blocks if block.key == key), None)
    return _of_sections(key, (Section((found,)),)) if found else None


def _of_sections(key: str, sections: tuple[Section, ...]) -> Named:
    return Named(sections, {"key": key, "text": fit(sections, View(Detail.FULL)).text})


def _remedy(config: Config, name: str) -> Advice:
    near = nearest(name, sorted(_known(config, bare=":" not in name)))
    if near:
        return f'did you mean "{near}"?'
    return Remedy("names.list")


def _known(config: Config, *, bare: bool) -> Iterator[str]:
    keys = (*part_keys(load_library(config)), *(f"{kind}:{name}" for kind, name, _ in named_specs(config)))
    return (key.partition(":")[2] if bare else key for key in keys)
