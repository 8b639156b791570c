"""Audits notes that are there: finds duplicates, junk, what is contradicted, and what nobody has touched. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.memory.disputes import CONTRADICTS, SUPERSEDES
from modicum.memory.gate.standing import TELLS_STATE, doubt_about
from modicum.memory.model import REPLACES, Note, Relation
from modicum.memory.origins import is_person, outranks
from modicum.text.alike import find_alike, wording_of

DUPLICATE, JUNK, SUPERSEDED, CONTRADICTED, NEVER_READ = (
    "duplicate",
    "junk",
    "superseded",
    "contradicted",
    "never read",
)


class AuditFinding(NamedTuple):
    """A finding of an audit of notes: which note, what is wrong with it, and whether the plan deletes it."""

    id: str
    number: int
    title: str
    kind: str
    reason: str
    delete: bool


def audit(
    notes: Sequence[Note],
    relations: Sequence[Relation],
    *,
    untouched_since: str,
    read: Collection[int | str] = (),
    left_out: Collection[int] = (),
) -> tuple[AuditFinding, ...]:
    """Returns the findings of an audit of notes, at most one for each note, in the order of their ids.

    `read` has the numbers or public ids of the notes that agents were handed lately; `left_out` has the numbers of notes
    that are no findings, whatever they say. The plan deletes neither pinned notes nor the junk of people.
    """
    judged = [note for note in notes if note.id not in left_out]
    looks = (
        _disputed({note.id: note for note in notes}, relations),
        _duplicates(sorted(judged, key=lambda note: note.id)),
        _junk(judged),
        _never_read(
            [note for note in judged if not {note.id, note.public_id} & set(read)], relations, untouched_since
        ),
    )
    found: dict[int, AuditFinding] = {}
    for finding in (each for look in looks for each in look):
        found.setdefault(finding.number, finding)
    return tuple(found[number] for number in sorted(found) if number not in left_out)


def _finding(note: Note, kind: str, reason: str, *, delete: bool) -> AuditFinding:
    return AuditFinding(note.public_id, note.id, note.title, kind, reason, delete and not note.pinned)


def _disputed(notes: Mapping[int, Note], relations: Iterable[Relation]) -> Iterator[AuditFinding]:
    for edge in relations:
        one, other = notes.get(edge.from_id), notes.get(edge.to_id)
        if not one or not other:
            continue
        if edge.type == SUPERSEDES:
            delete = not outranks(other.origin, one.origin)
            yield _finding(other, SUPERSEDED, f"{one.public_id} supersedes it", delete=delete)
        elif edge.type == REPLACES:  # a guess, by which nothing goes
            yield _finding(other, SUPERSEDED, f"{one.public_id} seems to replace it", delete=False)
        elif edge.type == CONTRADICTS:
            weaker, stronger = (one, other) if outranks(other.origin, one.origin) else (other, one)
            yield _finding(weaker, CONTRADICTED, f"{stronger.public_id} contradicts it", delete=False)


def _duplicates(notes: Sequence[Note]) -> Iterator[AuditFinding]:
    """Yields what is said twice for the same readers. What goes is never kept for another one that goes."""
    gone: set[int] = set()
    for one, other, how in find_alike([wording_of(note.content) for note in notes]):
        kept, extra = notes[one], notes[other]
        if kept.id in gone or extra.id in gone or _readers(kept) != _readers(extra):
            continue
        if outranks(extra.origin, kept.origin) or (extra.pinned and not kept.pinned):
            kept, extra = extra, kept
        gone.add(extra.id)
        yield _finding(extra, DUPLICATE, f"{kept.public_id} says {how}", delete=True)


def _readers(note: Note) -> tuple[str, str, str, str]:
    return note.project, note.scope, note.owner, note.namespace


def _junk(notes: Iterable[Note]) -> Iterator[AuditFinding]:
    for note in notes:
        reason = "" if note.type in TELLS_STATE else doubt_about(note.content)
        if reason:
            yield _finding(note, JUNK, reason, delete=not is_person(note.origin))


def _never_read(notes: Iterable[Note], relations: Iterable[Relation], since: str) -> Iterator[AuditFinding]:
    """Yields what was saved long ago and then neither changed, saved again, pinned nor related."""
    related = {number for edge in relations for number in (edge.from_id, edge.to_id)}
    for note in notes:
        alone = note.revision_count == note.duplicate_count == 1 and not note.pinned
        if alone and note.id not in related and note.updated_at < since:
            reason = f"nobody has changed it since {note.updated_at[:10]}, and no agent was handed it lately"
            yield _finding(note, NEVER_READ, reason, delete=False)
