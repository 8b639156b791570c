"""One thing at a time: what is here, what is agreed on and what has arrived become one, in one transaction."""

from modicum.memory.model import PERSONAL, Note, Revision
from modicum.memory.redact import redact
from modicum.memory.sync import rows as rows
from modicum.memory.sync import tables as tables
from modicum.memory.sync.chunks import edge_ends, spell
from modicum.memory.sync.local import (
    NO_EDGE,
    edge_state,
    gone_session,
    new_state,
    note_state,
    session_state,
    text_of,
    withdrawn,
)
from modicum.memory.sync.state import (
    EDGE,
    NOTE,
    PROMPT,
    SESSION,
    Register,
    SyncState,
    after,
    bare,
    delta,
    merge,
    unified,
    worded,
)
from modicum.memory.sync.tables import EDGES, SyncTransaction
from modicum.memory.tables.notes import mint


def settle(
    desk: SyncTransaction, kind: str, key: str, arrived: SyncState | None = None, *, mine: bool = False
) -> None:
    """Take over what has arrived, and have travel what was done here; `mine` has not travelled yet either."""
    news = arrived or SyncState(kind, key)
    if kind == NOTE:
        _settle_note(desk, news, mine=mine)
    elif kind == SESSION:
        _settle_session(desk, news)
    elif kind == PROMPT:
        _settle_prompt(desk, news)
    elif kind == EDGE:
        _settle_edge(desk, news)
    else:
        _settle_edges(desk, key)
    desk.clear(kind, key)


# Notes


def _settle_note(desk: SyncTransaction, news: SyncState, *, mine: bool) -> None:
    row, known = rows.note_row(desk, news.key), desk.state(NOTE, news.key)
    past = rows.revisions_of(desk, row.id) if row else []
    if row and _elsewhere(desk, row, known):
        return
    if row and not _shared(desk, row, known):
        if known.empty and news.empty:
            return
        local, row, past = _detached(desk, row, past, known), None, []
    else:
        local = _local(desk, row, past, known, news)
    merged = merge(local, news)
    if merged.empty:
        return
    desk.keep(bare(merged) if merged.complete else merged)
    _show(desk, merged, row, past, first=known.empty)
    desk.send(delta(known if mine else merge(known, news), merged))
    _forward(desk, merged)


def _elsewhere(desk: SyncTransaction, row: Note, known: SyncState) -> bool:
    """Whether a note is here in another project, in which this one has no say."""
    return row.project != desk.home and known.empty


def _shared(desk: SyncTransaction, row: Note, known: SyncState) -> bool:
    """Whether a note may leave. A personal one only if its owner asks for it, or if it was shared as such before."""
    asked = desk.wishes.personal and desk.wishes.owns(row.owner)
    agreed = known.value("place", ("",))[0] == PERSONAL
    return row.project == desk.home and (row.scope != PERSONAL or asked or agreed)


def _local(
    desk: SyncTransaction, row: Note | None, past: list[Revision], known: SyncState, news: SyncState
) -> SyncState:
    if row and known.complete:
        return note_state(row, past, known, now=desk.now)
    if row:
        return merge(new_state(row, past, merge(known, news)), known)
    removed = known.complete and not known.dead
    return SyncState(NOTE, known.key, dead=True) if removed else known


def _detached(desk: SyncTransaction, row: Note, past: list[Revision], known: SyncState) -> SyncState:
    """The note here goes on under a name of its own; what the others have of it is withdrawn."""
    desk.tx.run(rows.RENAME, {"id": row.id, "fresh": mint("obs")})
    if not known.complete:
        return known
    return withdrawn(worded(known, [*map(text_of, past), text_of(row)]), now=desk.now)


def _show(
    desk: SyncTransaction, state: SyncState, row: Note | None, past: list[Revision], *, first: bool
) -> None:
    if state.dead:
        rows.bury_note(desk, row)
        desk.tx.run(tables.FORGET_EDGES, {"home": desk.home, "key": state.key})
        desk.tx.run(tables.UNQUEUE_KEY, {"home": desk.home, "kind": NOTE, "key": state.key})
        return
    if not state.complete:
        return
    number = rows.show_note(desk, state, row, past)
    if row is None or first:
        _join(desk, state, number)


def _join(desk: SyncTransaction, state: SyncState, number: int) -> None:
    """A note that is new here, or new to the others: its session and its edges come along."""
    session_id = state.least["born"][1]
    if desk.state(SESSION, session_id).empty:
        desk.mark(SESSION, session_id)
    desk.mark(EDGES, state.key)
    desk.tx.run(tables.MARK_EDGES_TO, {"home": desk.home, "id": number})
    for edge in desk.edges(state.key):
        rows.show_edge(desk, edge)


def _forward(desk: SyncTransaction, state: SyncState) -> None:
    """Wordings of a note that was made part of another go there, whenever they arrive."""
    target = state.value("into", ("",))[0]
    if not target or target == state.key:
        return
    wordings = SyncState(NOTE, target, versions=state.versions)
    held = desk.state(NOTE, target)
    if held.complete and not held.dead and delta(held, wordings).versions:
        settle(desk, NOTE, target, wordings, mine=True)


def unify(desk: SyncTransaction, key: str) -> None:
    """Make one note of all that have this one's topic."""
    row = rows.note_row(desk, key)
    keys = rows.same_topic(desk, row) if row and row.topic_key and not row.deleted_at else []
    if len(keys) > 1:
        for op in unified([_whole(desk, each) for each in keys]):
            settle(desk, NOTE, op.key, op, mine=True)


def _whole(desk: SyncTransaction, key: str) -> SyncState:
    """What is agreed on a note, with its texts."""
    row, known = rows.note_row(desk, key), desk.state(NOTE, key)
    if row is None or not known.complete:
        return known
    return worded(known, [*map(text_of, rows.revisions_of(desk, row.id)), text_of(row)])


def whole(desk: SyncTransaction, state: SyncState) -> SyncState:
    """A state with its texts, if it has any."""
    return _whole(desk, state.key) if state.kind == NOTE else state


# Sessions and prompts


def _settle_session(desk: SyncTransaction, news: SyncState) -> None:
    row, known = rows.session_row(desk, news.key), desk.state(SESSION, news.key)
    if row:
        local = session_state(row, known, home=desk.home, now=desk.now)
    else:
        local = gone_session(known, now=desk.now) if known.least else known
    merged = merge(local, news)
    if not merged.least:
        desk.keep(merged)
        return
    held = row is not None and rows.holds_something(desk, news.key)
    if held and merged.value("gone", (0,)) == (1,):
        back = Register(*after(merged.registers["gone"], desk.now), (0,))
        merged = merged._replace(registers={**merged.registers, "gone": back})
    if merged.value("gone", (0,)) == (1,):
        rows.remove_session(desk, news.key)
    else:
        rows.show_session(desk, merged, row)
    desk.keep(merged)
    desk.send(delta(merge(known, news), merged))


def _settle_prompt(desk: SyncTransaction, news: SyncState) -> None:
    row, known = rows.prompt_row(desk, news.key), desk.state(PROMPT, news.key)
    asked = desk.wishes.prompts and row is not None and desk.wishes.owns(row.owner)
    stays = known.empty and news.empty and not asked
    if stays or (row and row.project != desk.home):
        return
    local = known
    if row:
        prompt = (row.created_at, row.session_id, row.namespace, redact(row.content))
        local = merge(known, SyncState(PROMPT, news.key, least={"prompt": prompt}))
    elif known.least:
        local = SyncState(PROMPT, news.key, dead=True)
    merged = merge(local, news)
    if merged.empty:
        return
    if merged.dead and row:
        desk.tx.run(rows.REMOVE_PROMPT, {"key": news.key})
    elif merged.least and not row:
        rows.show_prompt(desk, merged)
    desk.keep(merged)
    desk.send(delta(merge(known, news), merged))


# Edges


def _settle_edge(desk: SyncTransaction, news: SyncState) -> None:
    one = edge_ends(news.key)[0]
    _settle_edges(desk, one)
    known = desk.state(EDGE, news.key)
    if any(desk.state(NOTE, end).dead for end in edge_ends(news.key)[:2]):
        return
    merged = merge(known, news)
    if merged != known:
        desk.keep(merged)
        rows.show_edge(desk, merged)


def _settle_edges(desk: SyncTransaction, key: str) -> None:
    """What was done here to the edges that leave a note."""
    row = rows.note_row(desk, key)
    if row is None or desk.state(NOTE, key).empty:
        return
    here = {spell([key, other, kind]): each for (other, kind), each in rows.leaving(desk, row.id).items()}
    agreed = {edge.key: edge for edge in desk.edges(key) if edge_ends(edge.key)[0] == key}
    for edge in sorted(here.keys() | agreed.keys()):
        known = agreed.get(edge, SyncState(EDGE, edge))
        relation = here.get(edge)
        if relation is None and (known.value("edge", NO_EDGE)[0] == 0 or not rows.ends_here(desk, edge)):
            continue
        state = edge_state(relation, known, now=desk.now)
        if news := delta(known, state).registers:
            desk.keep(state)
            desk.send(SyncState(EDGE, edge, registers=news))
