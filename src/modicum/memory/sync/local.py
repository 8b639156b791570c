"""Turns the local rows of this machine into states of a sync, with marks for new edits, and back. Pure."""

import json
from collections.abc import Mapping, Sequence, Set

from modicum.memory.model import GLOBAL, PROJECT, Note, Relation, Revision, Session
from modicum.memory.names import public_name, topic_name
from modicum.memory.origins import CLAIMED, SYNC, claimed_elsewhere, told_origin
from modicum.memory.redact import redact
from modicum.memory.sync.chunks import canonical_json, edge_ends
from modicum.memory.sync.state import (
    ATTRIBUTED,
    AUTHOR,
    EDGE,
    HELD,
    NOTE,
    PIN_ON,
    SESSION,
    Register,
    SyncState,
    Value,
    Version,
    after,
    changed,
    digest_of,
    is_trusted,
    merge,
    speakers_of,
    version,
)

NOWHERE: Value = (PROJECT, "", "", "")
UNPINNED: Value = (0,)
LIVE: Value = ("",)
UNTOLD: Value = (SYNC,)  # a chunk that does not say who said so
NO_END: Value = ("", "")
NO_EDGE: Value = (0, "", "")


def text_of(row: Note | Revision) -> tuple[str, str, str, str]:
    """Returns type, title, content and tool of a local note without secrets, as sync may send them."""
    return (public_name(row.type), redact(row.title), redact(row.content), public_name(row.tool_name))


def new_state(row: Note, revisions: Sequence[Revision], others: SyncState) -> SyncState:
    """Returns the sync state of a local note that was never shared: what others agreed on counts as later."""
    found = note_state(row, revisions, SyncState(NOTE, row.sync_id), now=row.created_at)
    marks = {each.digest: each for each in others.versions}
    versions = (marks.get(each.digest, each) for each in found.versions)
    return found._replace(versions=tuple(sorted(set(versions))))


def note_state(row: Note, revisions: Sequence[Revision], known: SyncState, *, now: str) -> SyncState:
    """Returns the sync state of a local note: what is agreed on, and what changed on this machine since."""
    place = _place(row, known)
    deleted_at = row.deleted_at or row.updated_at
    moved_at = row.updated_at if known.complete else row.created_at
    registers = {
        "place": changed(known.registers.get("place"), moved_at, place, NOWHERE),
        "pinned": changed(known.registers.get("pinned"), now, _pinned(row, known), UNPINNED),
        "deleted": changed(known.registers.get("deleted"), deleted_at, _deleted(row, known), LIVE),
        "into": known.registers.get("into"),
        "origin": changed(known.registers.get("origin"), row.updated_at, _origin(row, known), UNTOLD),
    }
    versions = _versions(row, revisions, known.versions)
    present = {name: register for name, register in registers.items() if register}
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
        present,
        versions,
        _by(row, known, present, versions),
    )


def _place(row: Note, known: SyncState) -> Value:
    """Where a note is. What another machine has put into every project is agreed on, whether it is in force here or not."""
    scope = str(known.value("place", NOWHERE)[0]) if row.scope == known.by.get(HELD) else row.scope
    place = (scope, topic_name(row.topic_key), public_name(row.namespace))
    agreed = known.value("place", NOWHERE)
    is_held = row.author == known.by.get(AUTHOR) and place == agreed[:3]
    return (*place, agreed[3] if is_held else public_name(row.author))


def held_back(state: SyncState, row: Note | None, known: SyncState, trusted: Set[str]) -> SyncState:
    """Returns the sync state of a note, for which only a confirmed machine puts it into every project or says whose words it is.

    Else it is shown in its own project, and with the author that it had here.
    """
    by = {name: each for name, each in state.by.items() if name not in (HELD, AUTHOR)}
    scope, _, _, author = state.value("place", NOWHERE)
    if not is_trusted(by.get("place", ""), trusted):
        by |= {HELD: PROJECT} if scope == GLOBAL else {}
        shown = _author_here(row, known)
        by |= {AUTHOR: shown} if shown != author else {}
    return state._replace(by=by) if by != state.by else state


def _author_here(row: Note | None, known: SyncState) -> str:
    """The author of a note here, unless that is what another machine said."""
    if AUTHOR in known.by:
        return known.by[AUTHOR]
    return row.author if row and "place" not in known.by else ""


def _pinned(row: Note, known: SyncState) -> Value:
    """Whether a note is pinned. What another machine has pinned is agreed on, whether it is in force here or not."""
    return known.value("pinned", UNPINNED) if row.pinned_by else (row.pinned,)


def _origin(row: Note, known: SyncState) -> Value:
    """The origin of a note. One that is shown as a claim from elsewhere is still the one that was agreed on."""
    agreed = str(known.value("origin", UNTOLD)[0])
    told = row.origin or SYNC
    return (agreed if told in (told_origin(agreed), claimed_elsewhere(told_origin(agreed))) else told,)


def _by(
    row: Note, known: SyncState, registers: Mapping[str, Register], versions: Sequence[Version]
) -> Mapping[str, str]:
    """From which machines the parts of a local note are: those that were changed here since are from here."""
    if not known.by and not (known.versions and row.pinned):
        return {}
    newest = versions[-1].digest
    own = {name for name in ATTRIBUTED if registers.get(name) != known.registers.get(name)}
    if newest not in {each.digest for each in known.versions}:
        own.add("origin")
    found = {name: machine for name, machine in known.by.items() if name not in own}
    if row.pinned and not row.pinned_by:
        found.pop("pinned", None)
        found |= {PIN_ON: newest} if {newest, PIN_ON, "deleted"} & found.keys() else {}
    return found


def shown_origin(state: SyncState, trusted: Set[str]) -> str:
    """Returns the origin of a note as it is shown here, by its sync state: a claim if its text is from a machine that is not confirmed."""
    origin = told_origin(str(state.value("origin", UNTOLD)[0]))
    speakers = (state.by.get("origin", ""), state.by.get(state.versions[-1].digest, ""), _back_by(state))
    if all(is_trusted(each, trusted) for each in speakers):
        return origin
    return claimed_elsewhere(origin)


def shown_pin(state: SyncState, trusted: Set[str]) -> tuple[int, str]:
    """Returns whether a note is pinned here, by its sync state, and the machine that pinned it or wrote what is pinned, if another."""
    if not state.value("pinned", UNPINNED)[0]:
        return 0, ""
    newest = state.versions[-1].digest
    pinned_by, text_by = state.by.get("pinned", ""), state.by.get(newest, "") or _back_by(state)
    if state.by.get(PIN_ON) == newest and not pinned_by:
        text_by = ""
    if is_trusted(pinned_by, trusted) and is_trusted(text_by, trusted):
        return 1, pinned_by
    return 0, pinned_by or text_by


def _back_by(state: SyncState) -> str:
    """Which machine has brought a note back that was deleted, if another one has."""
    return state.by.get("deleted", "") if state.value("deleted", LIVE) == LIVE else ""


def _deleted(row: Note, known: SyncState) -> Value:
    """The time at which a note was deleted. If the agreed time is later, it is that one: here it was only shown bounded."""
    return (max(row.deleted_at, *known.value("deleted", LIVE)),) if row.deleted_at else LIVE


def _versions(row: Note, revisions: Sequence[Revision], known: Sequence[Version]) -> tuple[Version, ...]:
    """All wordings of a note in order; those that nobody agreed on yet get marks above the others."""
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
    """Returns the sync state of a local session; of one that belongs to another project, only its start."""
    mine = row.project == home
    agreed = known.value("end", NO_END)
    end = (row.ended_at and max(row.ended_at, agreed[0]), redact(row.summary)) if mine else agreed
    namespace = (public_name(row.namespace),) if mine else known.value("namespace", LIVE)
    registers = {
        "end": changed(known.registers.get("end"), row.ended_at or now, end, NO_END),
        "namespace": changed(known.registers.get("namespace"), row.started_at, namespace, LIVE),
        "gone": changed(known.registers.get("gone"), now, (0,), (0,)),
    }
    started = {"started_at": min((row.started_at,), known.least.get("started_at", (row.started_at,)))}
    present = {name: each for name, each in registers.items() if each}
    is_known = present.get("end") == known.registers.get("end")
    return SyncState(SESSION, row.id, False, started, {}, present, by=known.by if is_known else {})


def gone_session(known: SyncState, *, now: str) -> SyncState:
    """Returns the sync state of a local session that was removed."""
    gone = changed(known.registers.get("gone"), now, (1,), (0,))
    return known._replace(registers={**known.registers, **({"gone": gone} if gone else {})})


def edge_state(relation: Relation | None, known: SyncState, *, now: str) -> SyncState:
    """Returns the sync state of a local relation, or of one that was removed, if that was done on this machine since it was shown."""
    who = shown_claim(known)
    is_claim = relation is not None and relation.type == claim_type(edge_ends(known.key)[2], who)
    here = canonical_json([who if is_claim else "", redact(relation.note)]) if relation else ""
    if here == known.by.get(HELD, ""):
        return known
    latest = max(known.registers.values(), default=None)
    agreed_at = latest.value[2] if latest else ""
    value = (
        (1, redact(relation.note), max(relation.created_at, agreed_at)) if relation else (0, "", agreed_at)
    )
    time = relation.created_at if relation and not latest else now
    said = SyncState(EDGE, known.key, registers={EDGE: Register(*after(latest, time), value)})
    return merge(known, said)._replace(by=known.by)


def claim_type(kind: str, machines: str) -> str:
    """Returns the type under which a relation is shown here that only machines say that sync does not believe."""
    return f"{CLAIMED}{machines} {kind}" if machines else kind


def shown_claim(state: SyncState) -> str:
    """Returns by whose claim a relation is shown here, as its sync state tells; "" if it counts or is not shown."""
    return str(json.loads(state.by[HELD])[0]) if HELD in state.by else ""


def edge_to_show(state: SyncState, trusted: Set[str]) -> tuple[str, Value]:
    """Returns how a relation is to be shown by its sync state: by whose claim, "" if it counts here, and its value.

    What is said here or by a confirmed machine holds, however late others take it back or say it in other words.
    """
    believed = [each for name, each in state.registers.items() if is_trusted(speakers_of(name), trusted)]
    agreed = max(believed).value if believed else NO_EDGE
    latest = max(state.registers.values(), default=None)
    if agreed[0] or latest is None or not latest.value[0] or latest in believed:
        return "", agreed
    claims = (speakers_of(name) for name, each in state.registers.items() if each == latest)
    return min(claims, key=lambda machines: (len(machines.split()), machines)), latest.value


def withdrawn(known: SyncState, *, now: str) -> SyncState:
    """Returns the sync state of a local note that is no longer shared: deleted for others, restorable."""
    deleted = Register(*after(known.registers.get("deleted"), now), (now,))
    return known._replace(registers={**known.registers, "deleted": deleted})


def bounded(time: str, latest: str, present: str = "") -> str:
    """Returns a time that sync got from another machine if not later than `latest`, else the local one, or `latest`.

    Only what is shown is bounded. What is agreed on stays as it is, since no two clocks would bound it alike.
    """
    if time <= latest:
        return time
    return present if "" < present <= latest else latest


def row_of_state(state: SyncState, row: Note, *, latest: str, trusted: Set[str]) -> Note:
    """Returns a note as it is to be in the local database, with the fields of its sync state; fields that no sync shares stay as they are in `row`."""
    born, newest = state.least["born"], state.versions[-1]
    saved_at = (newest.saved_at,)
    scope, topic_key, namespace, author = state.value("place", NOWHERE)
    pinned, pinned_by = shown_pin(state, trusted)
    return row._replace(
        session_id=born[1],
        type=newest.type,
        title=newest.title,
        content=newest.content,
        tool_name=newest.tool_name,
        author=state.by.get(AUTHOR, author),
        scope=state.by.get(HELD, scope),
        topic_key=topic_key,
        namespace=namespace,
        pinned=pinned,
        pinned_by=pinned_by,
        revision_count=born[2] + len(state.versions),
        duplicate_count=max(1, state.most.get("duplicates", (1,))[0]),
        last_seen_at=bounded(state.most.get("seen_at", saved_at)[0], latest, row.last_seen_at),
        created_at=bounded(born[0], latest, row.created_at),
        updated_at=bounded(state.most.get("updated_at", saved_at)[0], latest, row.updated_at),
        deleted_at=bounded(state.value("deleted", LIVE)[0], latest, row.deleted_at),
        origin=shown_origin(state, trusted),
    )


def revisions_of_state(
    state: SyncState, past: Sequence[Revision], *, number: int, latest: str
) -> tuple[Revision, ...]:
    """Returns the earlier wordings in a note's sync state as local rows; `past` are the present rows."""
    base = state.least["born"][2]
    known = {each.number: each.saved_at for each in past}
    return tuple(
        Revision(number, at, *each.text, bounded(each.saved_at, latest, known.get(at, "")))
        for at, each in enumerate(state.versions[:-1], base + 1)
    )
