"""Settles one note, session, prompt or relation in a sync: merges local row, agreed state and news."""

from collections.abc import Sequence

from modicum.memory.model import PERSONAL, Note, Prompt, Revision
from modicum.memory.names import public_number
from modicum.memory.origins import CLAIMED
from modicum.memory.redact import redact_inside
from modicum.memory.sync import rows as rows
from modicum.memory.sync import tables as tables
from modicum.memory.sync.chunks import canonical_json, edge_ends
from modicum.memory.sync.local import (
    edge_state,
    gone_session,
    held_back,
    new_state,
    note_state,
    session_state,
    text_of,
    withdrawn,
)
from modicum.memory.sync.state import (
    DEAD,
    EDGE,
    HELD,
    NOTE,
    PROMPT,
    SESSION,
    Register,
    SyncState,
    after,
    combined,
    delta,
    is_trusted,
    merge,
    one_of_topic,
    vouched,
    with_texts,
    without_texts,
)
from modicum.memory.sync.tables import EDGES, INTO, SyncTransaction
from modicum.memory.tables.notes import mint


def settle(
    sync: SyncTransaction, kind: str, key: str, arrived: SyncState | None = None, *, mine: bool = False
) -> None:
    """Settles one item of a sync: merges what a chunk says with local changes, and queues these to be sent.

    With `mine`, the state in `arrived` is queued, too.
    """
    news = arrived or SyncState(kind, key)
    if kind == NOTE:
        _settle_note(sync, news, mine=mine)
    elif kind == SESSION:
        _settle_session(sync, news)
    elif kind == PROMPT:
        _settle_prompt(sync, news)
    elif kind == EDGE:
        _settle_edge(sync, news)
    elif kind == INTO:
        _forward(sync, [key])
    else:
        _settle_edges(sync, key)
    sync.clear(kind, key)


def settle_marked(sync: SyncTransaction, marked: Sequence[tuple[str, str]]) -> None:
    """Settles what is marked as changed in a sync. What goes into one note goes there at once, and the note is settled once."""
    for kind, key in marked:
        if kind != INTO:
            settle(sync, kind, key)
    _forward(sync, [key for kind, key in marked if kind == INTO])
    for kind, key in marked:
        if kind == INTO:
            sync.clear(INTO, key)


# Notes


def _settle_note(sync: SyncTransaction, news: SyncState, *, mine: bool) -> None:
    row, known = rows.note_row(sync, news.key), vouched(sync.state(NOTE, news.key), news, sync.trusted)
    past = rows.revisions_of(sync, row.id) if row else []
    if row and _elsewhere(sync, row, known):
        return
    if row and not _shared(sync, row, known):
        if known.empty and news.empty:
            return
        local, row, past = _detached(sync, row, past, known), None, []
    else:
        local = _local(sync, row, past, known, news)
    merged = held_back(merge(local, news), row, known, sync.trusted)
    if merged.empty:
        return
    sync.keep(without_texts(merged) if merged.complete else merged)
    if merged.dead:
        _bury(sync, row, known, can_come_back=not is_trusted(merged.by.get(DEAD, ""), sync.trusted))
    else:
        _show(sync, merged, row, past, first=known.empty)
    sync.send(delta(known if mine else merge(known, news), merged)._replace(by=merged.by))
    changes = delta(known, merged)
    if merged.value("into", ("",))[0] and (changes.versions or "into" in changes.registers):
        sync.mark(INTO, news.key)


def _elsewhere(sync: SyncTransaction, row: Note, known: SyncState) -> bool:
    """Whether a note belongs to another project here and was never shared with this one."""
    return row.project != sync.home and known.empty


def _shared(sync: SyncTransaction, row: Note, known: SyncState) -> bool:
    """Whether a note is shared. A personal one only if its owner asks for it, or if it was shared as such before."""
    chosen = sync.choices.personal and sync.choices.owns(row.owner)
    agreed = known.value("place", ("",))[0] == PERSONAL
    return row.project == sync.home and (row.scope != PERSONAL or chosen or agreed)


def _local(
    sync: SyncTransaction, row: Note | None, past: list[Revision], known: SyncState, news: SyncState
) -> SyncState:
    if row and known.complete:
        return note_state(row, past, known, now=sync.now)
    if row:
        return merge(new_state(row, past, merge(known, news)), known)
    removed = known.complete and not known.dead
    return SyncState(NOTE, known.key, dead=True) if removed else known


def _detached(sync: SyncTransaction, row: Note, past: list[Revision], known: SyncState) -> SyncState:
    """Gives the note here an id of its own; returns the state that withdraws it from the others."""
    fresh = mint("obs")
    sync.tx.run(rows.RENAME, {"id": row.id, "fresh": fresh, "public_id": public_number(fresh)})
    if not known.complete:
        return known
    return withdrawn(with_texts(known, [*map(text_of, past), text_of(row)]), now=sync.now)


def _bury(sync: SyncTransaction, row: Note | None, known: SyncState, *, can_come_back: bool) -> None:
    """Removes a note that was deleted for good, its edges, and what waits to be sent of it.

    If a machine says so that nobody here has confirmed, an undo can bring it back, as another note.

    Once it is dead, what waits is the news of its death, and that must go out however many late edits still arrive.
    """
    rows.remove_note(sync, row, can_come_back=can_come_back)
    sync.tx.run(tables.FORGET_EDGES, {"home": sync.home, "key": known.key})
    if not known.dead:
        sync.tx.run(tables.UNQUEUE_KEY, {"home": sync.home, "kind": NOTE, "key": known.key})


def _show(
    sync: SyncTransaction, state: SyncState, row: Note | None, past: list[Revision], *, first: bool
) -> None:
    if not state.complete:
        return
    number = rows.show_note(sync, state, row, past)
    if row is None or first:
        _join(sync, state, number)


def _join(sync: SyncTransaction, state: SyncState, number: int) -> None:
    """Marks the session and the relations of a note that is new here or new to the others."""
    session_id = state.least["born"][1]
    if sync.state(SESSION, session_id).empty:
        sync.mark(SESSION, session_id)
    sync.mark(EDGES, state.key)
    sync.tx.run(tables.MARK_EDGES_TO, {"home": sync.home, "id": number})
    for edge in sync.edges(state.key):
        _put_edge(sync, edge._replace(by={}), SyncState(EDGE, edge.key))


def _forward(sync: SyncTransaction, keys: Sequence[str]) -> None:
    """Adds the wordings of notes that were merged into others to those, whenever they arrive: to the last of a chain, at once."""
    ends = _Ends(sync)
    wordings: dict[str, list[SyncState]] = {}
    for key in keys:
        if (target := ends.of(key)) != key:
            whole = _whole(sync, key)
            by = {each.digest: whole.by.get(each.digest, "") for each in whole.versions}
            part = SyncState(NOTE, target, versions=whole.versions, by={n: m for n, m in by.items() if m})
            wordings.setdefault(target, []).append(part)
    for target, parts in sorted(wordings.items()):
        (news,) = combined(parts)
        held = sync.state(NOTE, target)
        if held.complete and not held.dead and delta(held, news).versions:
            settle(sync, NOTE, target, news, mine=True)


class _Ends:
    """The notes in which chains of merged notes end; each note of a chain is looked at once. Of a ring, the least is the end."""

    def __init__(self, sync: SyncTransaction) -> None:
        self.sync, self.known = sync, dict[str, str]()

    def of(self, key: str) -> str:
        passed: dict[str, None] = {}
        while key not in self.known and key not in passed:
            passed[key] = None
            key = str(self.sync.state(NOTE, key).value("into", (key,))[0]) or key
        path = [*passed]
        ring = path[path.index(key) :] if key in passed else [key]
        end = self.known.get(key, min(ring))
        self.known |= dict.fromkeys(path, end)
        return end


def join_topic(sync: SyncTransaction, key: str) -> None:
    """Settles notes of one topic in a sync: merges all shared notes with this topic into the oldest."""
    row = rows.note_row(sync, key)
    keys = rows.same_topic(sync, row) if row and row.topic_key and not row.deleted_at else []
    if len(keys) > 1:
        for op in one_of_topic([_whole(sync, each) for each in keys]):
            settle(sync, NOTE, op.key, op, mine=True)


def _whole(sync: SyncTransaction, key: str) -> SyncState:
    """The agreed state of a note, with its texts."""
    row, known = rows.note_row(sync, key), sync.state(NOTE, key)
    if row is None or not known.complete:
        return known
    return with_texts(known, [*map(text_of, rows.revisions_of(sync, row.id)), text_of(row)])


def state_with_texts(sync: SyncTransaction, state: SyncState) -> SyncState:
    """Returns the sync state to settle with its texts filled in, if it is the state of a note."""
    return _whole(sync, state.key) if state.kind == NOTE else state


# Sessions and prompts


def _settle_session(sync: SyncTransaction, news: SyncState) -> None:
    row, known = rows.session_row(sync, news.key), vouched(sync.state(SESSION, news.key), news, sync.trusted)
    if row:
        local = session_state(row, known, home=sync.home, now=sync.now)
    else:
        local = gone_session(known, now=sync.now) if known.least else known
    merged = merge(local, news)
    if not merged.least:
        sync.keep(merged)
        return
    held = row is not None and rows.holds_something(sync, news.key)
    if held and merged.value("gone", (0,)) == (1,):
        back = Register(*after(merged.registers["gone"], sync.now), (0,))
        merged = merged._replace(registers={**merged.registers, "gone": back})
    if merged.value("gone", (0,)) == (1,):
        rows.remove_session(sync, news.key)
    else:
        rows.show_session(sync, merged, row)
    sync.keep(merged)
    sync.send(delta(merge(known, news), merged)._replace(by=merged.by))


def _settle_prompt(sync: SyncTransaction, news: SyncState) -> None:
    row, known = rows.prompt_row(sync, news.key), vouched(sync.state(PROMPT, news.key), news, sync.trusted)
    chosen = sync.choices.prompts and row is not None and sync.choices.owns(row.owner)
    stays = known.empty and news.empty and not chosen
    if stays or (row and row.project != sync.home):
        return
    local = _local_prompt(row, known)
    if local.least and _is_believed(sync, local) and not _is_believed(sync, news):
        news = SyncState(
            PROMPT, news.key, dead=news.dead, by=news.by
        )  # it gives no other words to a known one
    merged = merge(local, news)
    if merged.empty:
        return
    is_shown = bool(merged.least) and _is_believed(sync, merged)
    if row and not is_shown:
        sync.tx.run(rows.REMOVE_PROMPT, {"key": news.key})
    elif is_shown and not row:
        rows.show_prompt(sync, merged)
    held = {} if is_shown or merged.dead else {HELD: PROMPT}
    sync.keep(merged._replace(by={**merged.by, **held}))
    sync.send(delta(merge(known, news), merged)._replace(by=merged.by))


def _local_prompt(row: Prompt | None, known: SyncState) -> SyncState:
    """What is so here of a prompt: it never changes, and one that was shown and is gone was deleted here."""
    if row and not known.least:
        words = (row.created_at, row.session_id, row.namespace, redact_inside(row.content))
        return merge(known, SyncState(PROMPT, known.key, least={"prompt": words}))
    if known.least and not row and HELD not in known.by:
        return SyncState(PROMPT, known.key, dead=True)
    return known._replace(by={name: each for name, each in known.by.items() if name != HELD})


def _is_believed(sync: SyncTransaction, prompt: SyncState) -> bool:
    return is_trusted(prompt.by.get(PROMPT, ""), sync.trusted)


# Edges


def _settle_edge(sync: SyncTransaction, news: SyncState) -> None:
    known = sync.state(EDGE, news.key)
    if not any(sync.state(NOTE, end).dead for end in edge_ends(news.key)[:2]):
        _put_edge(sync, known, news)


def _put_edge(sync: SyncTransaction, known: SyncState, news: SyncState) -> None:
    """Queues what was done here to a relation, and shows it as is agreed."""
    ends = rows.ends_here(sync, known.key)
    local = edge_state(rows.relation_row(sync, ends, known), known, now=sync.now) if ends else known
    sync.send(delta(known, local))
    merged = merge(local, news)
    if merged.empty:
        return
    shown = rows.show_edge(sync, merged._replace(by=local.by))
    if shown != sync.state(EDGE, known.key):
        sync.keep(shown)


def _settle_edges(sync: SyncTransaction, key: str) -> None:
    """Queues what was done here to the relations that lead from a note."""
    row = rows.note_row(sync, key)
    if row is None or sync.state(NOTE, key).empty:
        return
    leaving = rows.leaving(sync, row.id)
    here = {canonical_json([key, *ends]) for ends in leaving if not ends[1].startswith(CLAIMED)}
    agreed = {edge.key: edge for edge in sync.edges_from(key)}
    for edge in sorted(here | agreed.keys()):
        nothing = SyncState(EDGE, edge)
        _put_edge(sync, agreed.get(edge, nothing), nothing)
