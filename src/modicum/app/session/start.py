"""Session start: what a session is told when it starts, is resumed or is compacted, and with which event."""

from itertools import takewhile

from modicum.app.session import seen_notes
from modicum.app.session.events import SessionAgent, SessionEvent, SessionPlace, text_of
from modicum.app.session.sizes import choices_in, limit_of, measure_of, session_start_size
from modicum.app.session.start_text import (
    SINCE,
    ComposedText,
    SessionFacts,
    looked_at,
    notes_text,
    session_start_text,
)
from modicum.app.specs.change_names import docs_in, open_changes
from modicum.base.paths import branch_of
from modicum.memory.brief.lines import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.memory.brief.lines import Brief, BriefNote

CORE = "core"
PAGE_MARKS = (
    "<!-- modicum:start:",
    "<!-- written by modicum -->",
)  # as pages have them; targets are too much to load
RESUME, COMPACT, MANUAL = "resume", "compact", "manual"  # why a session starts, or why it compacts
# Words of branches and changes that say nothing of what they are about.
NEVER = frozenset(
    ("feature", "main", "master", "develop", "release", "hotfix", "bugfix", "chore", "docs", "open", "change")
)


def session_start(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Starts a session or goes on with one; returns what it is told now: everything, or only the news if it is resumed."""
    known = seen_notes.is_known(place.data, event.session)
    resumed = event.source == RESUME and known and not agent.forgets
    if agent.starts_at_prompt and event.session:
        _put_off(event, place, resumed=resumed)
        return ComposedText()
    return tell_news(event, agent, place) if resumed else tell_everything(event, agent, place)


def _put_off(event: SessionEvent, place: SessionPlace, *, resumed: bool) -> None:
    """Leaves it to the next prompt to tell what a session is due."""
    if event.source == COMPACT:
        seen_notes.set_due(place.data, event.session, seen_notes.AGAIN)
    elif not resumed:
        seen_notes.forget_seen(place.data, event.session)
    elif not seen_notes.due(place.data, event.session):  # else a compaction was announced, and more is due
        seen_notes.set_due(place.data, event.session, seen_notes.NEWS)


def pre_compact(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Makes everything due again, as the agent is about to compact; returns it if the agent takes it now."""
    if _is_idle(event, agent):
        return ComposedText()
    if agent.listens:
        return tell_everything(event, agent, place)
    seen_notes.set_due(place.data, event.session, seen_notes.AGAIN)
    return ComposedText()


def _is_idle(event: SessionEvent, agent: SessionAgent) -> bool:
    """Whether an agent that announces a compaction at every turn is not going to compact now."""
    if not agent.compacts_at or event.source == MANUAL:
        return False
    from modicum.app.session.transcript import last_input_tokens

    return last_input_tokens(event.transcript) < agent.compacts_at


def tell_everything(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Returns the whole session-start text, also after a compaction; remembers its notes as seen."""
    configs = place.configs()
    size = session_start_size(place.environment, choices_in(configs))
    branch = branch_of(place.root)
    change = open_changes(place.root, branch, docs_in(*configs.values()))
    about = words_of(" ".join((branch, *change[:1]))) - NEVER
    core = _core(place)
    recalled = place.memory.recalled(place.keys, looked_at(size, about))
    is_compacted = event.source == COMPACT or seen_notes.due(place.data, event.session) == seen_notes.AGAIN
    facts = SessionFacts(recalled, place.project, core, change, about, is_compacted)
    limit = limit_of(size, agent, len(core.encode()))
    found = session_start_text(facts, size, measure_of(agent, limit), limit)
    # An agent that forgets this when it resumes has the notes of prompts all the same.
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=event.source != RESUME)
    seen_notes.settle(place.data, event.session)
    return found


def tell_news(event: SessionEvent, agent: SessionAgent, place: SessionPlace) -> ComposedText:
    """Returns the notes that came after what a resumed session was told; remembers them as seen."""
    size = session_start_size(place.environment, choices_in(place.configs()))
    seen = seen_notes.seen_in(place.data, event.session)
    notes = _unseen(place.memory.recalled(place.keys, size.lines), seen)
    limit = limit_of(size, agent)
    found = notes_text(notes, place.project, SINCE, size, measure_of(agent, limit), limit)
    seen_notes.remember_seen(place.data, event.session, found.shown, anew=False)
    return found


def _unseen(recalled: "Brief", seen: frozenset[int]) -> "tuple[BriefNote, ...]":
    """Pins that were not shown, and the notes that are newer than any that was; none where a source gives no ids."""
    pinned = (noted for noted in recalled.pinned if noted.id and noted.id not in seen)
    newer = takewhile(lambda noted: noted.id and noted.id not in seen, recalled.notes)
    return (*pinned, *newer)


def _core(place: SessionPlace) -> str:
    """The core of the packs, where `modicum setup` has put it because the agent has no instruction file for it."""
    head, _, text = text_of(f"{place.data}/{CORE}/{place.harness}.md").partition("\n")
    files = head.removeprefix("unless ").split()
    # A file of the user's alone, such as AGENTS.md, tells nothing of the packs.
    told = any(mark in text_of(f"{place.root}/{file}") for file in files for mark in PAGE_MARKS)
    return "" if told else text.strip()
