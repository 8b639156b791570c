"""What this machine has, as states: what was edited here since is given its mark. Pure."""

from collections.abc import Sequence

from modicum.memory.model import PROJECT, Note, Relation, Revision, Session
from modicum.memory.redact import redact
from modicum.memory.sync.state import (
    EDGE,
    NOTE,
    SESSION,
    Register,
    SyncState,
    Value,
    Version,
    after,
    changed,
    digest_of,
    version,
)

NOWHERE: Value = (PROJECT, "", "", "")
UNPINNED: Value = (0,)
LIVE: Value = ("",)
NO_END: Value = ("", "")
NO_EDGE: Value = (0, "", "")


def text_of(row: Note | Revision) -> tuple[str, str, str, str]:
    """The wording as it may leave the machine."""
    return (row.type, redact(row.title), redact(row.content), row.tool_name)


def new_state(row: Note, revisions: Sequence[Revision], others: SyncState) -> SyncState:
    """A note that is here and was never shared from here: whatever was agreed on elsewhere is later."""
    found = note_state(row, revisions, SyncState(NOTE, row.sync_id), now=row.created_at)
    marks = {each.digest: each for each in others.versions}
    versions = (marks.get(each.digest, each) for each in found.versions)
    return found._replace(versions=tuple(sorted(set(versions))))


def note_state(row: Note, revisions: Sequence[Revision], known: SyncState, *, now: str) -> SyncState:
    """A note that is here, on top of what is agreed on."""
    place = (row.scope, row.topic_key, row.namespace, row.author)
    deleted_at = row.deleted_at or row.updated_at
    moved_at = row.updated_at if known.complete else row.created_at
    registers = {
        "place": changed(known.registers.get("place"), moved_at, place, NOWHERE),
        "pinned": changed(known.registers.get("pinned"), now, (row.pinned,), UNPINNED),
        "deleted": changed(known.registers.get("deleted"), deleted_at, (row.deleted_at,), LIVE),
        "into": known.registers.get("into"),
    }
    first = revisions[0].number if revisions else row.revision_count
    most = {
        "duplicates": (row.duplicate_count,),
        "seen_at": (row.last_seen_at,),
        "updated_at": (row.updated_at,),
    }
    return SyncState(
        NOTE,
        row.sync_id,
        False,
        known.least or {"born": (row.created_at, row.session_id, max(0, first - 1))},
        {name: max(value, known.most.get(name, value)) for name, value in most.items()},
        {name: register for name, register in registers.items() if register},
        _versions(row, revisions, known.versions),
    )


def _versions(row: Note, revisions: Sequence[Revision], known: Sequence[Version]) -> tuple[Version, ...]:
    """The wordings in their order: those that are agreed on come first, and what follows them is new."""
    newest = row.updated_at if revisions else row.created_at
    saved = [*((each.saved_at, text_of(each)) for each in revisions), (newest, text_of(row))]
    found: list[Version] = []
    last = known[-1] if known else None
    for number, (saved_at, text) in enumerate(saved):
        if number < len(known) and known[number].digest == digest_of(text):
            found.append(version(*known[number].mark[:2], known[number].saved_at, text))
            continue
        last = version(*after(last, saved_at), saved_at, text)
        found.append(last)
    return tuple(sorted(found))


def session_state(row: Session, known: SyncState, *, home: str, now: str) -> SyncState:
    """A session that is here. Of one that belongs to another project, only its beginning is told."""
    mine = row.project == home
    end = (row.ended_at, redact(row.summary)) if mine else known.value("end", NO_END)
    namespace = (row.namespace,) if mine else known.value("namespace", LIVE)
    registers = {
        "end": changed(known.registers.get("end"), row.ended_at or now, end, NO_END),
        "namespace": changed(known.registers.get("namespace"), row.started_at, namespace, LIVE),
        "gone": changed(known.registers.get("gone"), now, (0,), (0,)),
    }
    started = {"started_at": min((row.started_at,), known.least.get("started_at", (row.started_at,)))}
    return SyncState(
        SESSION, row.id, False, started, {}, {name: each for name, each in registers.items() if each}
    )


def gone_session(known: SyncState, *, now: str) -> SyncState:
    """A session that was removed here."""
    gone = changed(known.registers.get("gone"), now, (1,), (0,))
    return known._replace(registers={**known.registers, **({"gone": gone} if gone else {})})


def edge_state(relation: Relation | None, known: SyncState, *, now: str) -> SyncState:
    """An edge that is here, or is no longer."""
    present = (1, redact(relation.note), relation.created_at) if relation else NO_EDGE
    value = present if relation else (0, "", known.value("edge", NO_EDGE)[2])
    time = relation.created_at if relation and not known.registers else now
    register = changed(known.registers.get("edge"), time, value, NO_EDGE)
    return SyncState(EDGE, known.key, registers={"edge": register} if register else {})


def withdrawn(known: SyncState, *, now: str) -> SyncState:
    """A note that is no longer shared: to the others it is deleted, and they may restore it."""
    deleted = Register(*after(known.registers.get("deleted"), now), (now,))
    return known._replace(registers={**known.registers, "deleted": deleted})


def shown(state: SyncState, row: Note) -> Note:
    """The row of a note as its state says it should be; what is no part of the state stays."""
    born, latest = state.least["born"], state.versions[-1]
    scope, topic_key, namespace, author = state.value("place", NOWHERE)
    return row._replace(
        session_id=born[1],
        type=latest.type,
        title=latest.title,
        content=latest.content,
        tool_name=latest.tool_name,
        author=author,
        scope=scope,
        topic_key=topic_key,
        namespace=namespace,
        pinned=state.value("pinned", UNPINNED)[0],
        revision_count=born[2] + len(state.versions),
        duplicate_count=max(1, state.most.get("duplicates", (1,))[0]),
        last_seen_at=state.most.get("seen_at", (latest.saved_at,))[0],
        created_at=born[0],
        updated_at=state.most.get("updated_at", (latest.saved_at,))[0],
        deleted_at=state.value("deleted", LIVE)[0],
    )


def earlier(state: SyncState, *, number: int) -> tuple[Revision, ...]:
    """The wordings before the present one, as rows of this machine."""
    base = state.least["born"][2]
    return tuple(
        Revision(number, base + place, *each.text, each.saved_at)
        for place, each in enumerate(state.versions[:-1], 1)
    )
