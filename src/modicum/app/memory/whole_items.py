"""Whole items of memory: a note, session, prompt or progress document as a text that is shown whole, with all its fields."""

from collections.abc import Mapping

from modicum.app.answer.whole import Data, WholeText
from modicum.app.counted import counted
from modicum.app.memory.notes import find_note, look
from modicum.memory.model import PROJECT, Note, NotFound, Prompt, Relation, Session
from modicum.memory.sections import minute, prompt_key, session_key, title_of
from modicum.memory.store import Store

NAMED_RELATIONS = 20


def whole_item(store: Store, key: int | str) -> WholeText:
    """Returns one whole item of memory: a note by its id, a session or prompt by key; or raises NotFound."""
    kind, colon, name = str(key).strip().partition(":")
    if not colon or kind == "note":
        return _whole_note(store, find_note(store, key).id)
    if kind == "session" and (session := store.session(name)):
        return _whole_session(session)
    if kind == "prompt" and name.isascii() and name.isdigit() and (prompt := store.prompt(int(name[:18]))):
        return _whole_prompt(prompt)
    remedy = "give the id of a note, such as n-7kq2m4"
    raise NotFound(f'there is nothing behind "{str(key)[:60]}"', remedy=remedy)


def progress_text(store: Store, project: str, namespace: str) -> WholeText | None:
    """Returns the progress document of a project as one whole text; None if there is none."""
    found = store.progress(project, namespace)
    if found is None:
        return None
    head = f"Progress of {project}, {minute(found.updated_at)}, revision {found.revision_count}"
    return WholeText(head, found.content, {"project": project, "updated_at": found.updated_at})


def _whole_note(store: Store, number: int) -> WholeText:
    found = look(store, number)
    note, ends = found.note, {end for each in found.relations for end in (each.from_id, each.to_id)}
    names = store.names(ends)
    scope = "" if note.scope == PROJECT else note.scope
    about = (
        note.type,
        note.project,
        scope,
        minute(note.updated_at),
        note.topic_key,
        f"session {note.session_id}",
        note.origin,
    )
    marks = (
        "pinned" if note.pinned and not note.pinned_by else "",
        f"pinned on {note.pinned_by}" if note.pinned_by else "",
        f"revision {note.revision_count}" if note.revision_count > 1 else "",
    )
    links = [_link(note, relation, names) for relation in found.relations]
    head = [f"{note.public_id} {title_of(note)}", " · ".join(filter(None, (*about, *marks)))]
    if links:
        more = f" and {len(links) - NAMED_RELATIONS} more" if len(links) > NAMED_RELATIONS else ""
        head.append(f"Relations: {'; '.join(links[:NAMED_RELATIONS])}{more}")
    long_title = f"{note.title}\n\n" if " ".join(note.title.split()) != title_of(note) else ""
    return WholeText("\n".join(head), long_title + note.content, _note_fields(note, links))


def _note_fields(note: Note, links: list[str]) -> Data:
    names = ("type", "project", "scope", "topic_key", "session_id", "origin", "created_at", "updated_at")
    told: Data = {"id": note.public_id, "number": note.id, "title": title_of(note)}
    told |= {name: value for name in names if (value := getattr(note, name))}
    return told | ({"relations": links[:NAMED_RELATIONS]} if links else {})


def _link(note: Note, relation: Relation, names: Mapping[int, str]) -> str:
    arrow, other = ("→", relation.to_id) if relation.from_id == note.id else ("←", relation.from_id)
    about = f": {relation.note}" if relation.note else ""
    return f"{arrow} {names[other]} {relation.type} (relation {relation.id}){about[:200]}"


def _whole_session(session: Session) -> WholeText:
    times = f"{minute(session.started_at)} to {minute(session.ended_at) or 'now'}"
    head = f"{session_key(session)} {session.project} {times}\n{counted(session.notes, 'note')}, session_id={session.id}"
    told: Data = {
        "id": session_key(session),
        "project": session.project,
        "notes": session.notes,
    }
    return WholeText(head, session.summary or "(no summary)", told)


def _whole_prompt(prompt: Prompt) -> WholeText:
    head = f"{prompt_key(prompt)} {prompt.project} {minute(prompt.created_at)}"
    return WholeText(head, prompt.content, {"id": prompt_key(prompt), "project": prompt.project})
