"""The gate for notes at the doors: what programs save is judged first, and is kept, put into the inbox or refused."""

from contextlib import suppress
from typing import NamedTuple

from modicum.app.session.seen_notes import latest_seen
from modicum.app.session.start_text import PROTOCOL
from modicum.base.bounded import read_bounded
from modicum.base.config import Config
from modicum.memory.gate.judge import KEPT, GateContext, Outcome, Verdict, judge
from modicum.memory.model import NoteDraft, Query, Refused, Saved
from modicum.memory.names import project_name, scope_name
from modicum.memory.origins import is_person, rights_of
from modicum.memory.store import Store

DOUBTFUL, INBOX, OFF = "doubtful", "inbox", "off"
ALL_WAIT = "all notes of agents wait here first"
NEIGHBOURS = 6
SHOWN = 16  # of the notes that hooks have shown to the session: the last ones
CORE = "core"  # the folder with what hooks tell of the packs, a file for each tool
_LONGEST_QUESTION = 2_000  # characters of a draft that are searched for
# Files that agents are handed when a session begins, below the project.
INSTRUCTION_FILES = (
    *("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", ".cursorrules", ".windsurfrules"),
    ".github/copilot-instructions.md",
)


class Admission(NamedTuple):
    """What became of a note that a door handed to the gate: where it was saved, and what the gate thought of it."""

    saved: Saved
    verdict: Verdict = KEPT


def admit(store: Store, draft: NoteDraft, config: Config | None, *, known_session: bool = False) -> Admission:
    """Saves a note that may pass the gate; puts a doubtful one into the inbox, and refuses clear junk of agents."""
    if store.repeats(draft):
        return Admission(store.save(draft, known_session=known_session))
    verdict = verdict_on(store, draft, config)
    if verdict.outcome is Outcome.REFUSED and not is_person(store.origin):
        raise Refused(f"not saved: {verdict.reason}", remedy=verdict.remedy)
    return _kept(store, draft, config, verdict, known_session=known_session)


def admit_quietly(
    store: Store, draft: NoteDraft, config: Config | None, *, known_session: bool = False
) -> Saved:
    """Saves a note through the gate for programs that know no gate: what would be refused goes into the inbox."""
    if store.repeats(draft):
        return store.save(draft, known_session=known_session)
    verdict = verdict_on(store, draft, config)
    if verdict.outcome is Outcome.REFUSED and not is_person(store.origin):
        return _waiting(store, draft, verdict, known_session=known_session)
    return _kept(store, draft, config, verdict, known_session=known_session).saved


def _kept(
    store: Store, draft: NoteDraft, config: Config | None, verdict: Verdict, *, known_session: bool
) -> Admission:
    setting = config.gate if config else OFF
    is_program = rights_of(store.origin).is_judged and not is_person(store.origin)
    if is_program and (setting == INBOX or (setting == DOUBTFUL and verdict.outcome is Outcome.INBOX)):
        held = verdict if verdict.reason else verdict._replace(outcome=Outcome.INBOX, reason=ALL_WAIT)
        return Admission(_waiting(store, draft, held, known_session=known_session), held)
    return Admission(store.save(draft, known_session=known_session), verdict)


def _waiting(store: Store, draft: NoteDraft, verdict: Verdict, *, known_session: bool) -> Saved:
    return store.save_waiting(draft, verdict.kept_reason, said_by=verdict.note, known_session=known_session)


def verdict_on(store: Store, draft: NoteDraft, config: Config | None) -> Verdict:
    """Returns the verdict of the gate on what comes through a door; from hooks and imports all passes, and everything if it is off."""
    store.who.check(project_name(draft.project), scope_name(draft.scope))
    if not rights_of(store.origin).is_judged or config is None or config.gate == OFF:
        return KEPT
    return judge(draft, _surroundings(store, draft, config))


def _surroundings(store: Store, draft: NoteDraft, config: Config) -> GateContext:
    project = project_name(draft.project)
    words = f"{draft.title}\n{draft.content}"[:_LONGEST_QUESTION]
    hits = store.search(words, Query(project=project, limit=NEIGHBOURS)).items
    near = {hit.note.id: hit.note for hit in hits if not hit.nearby}
    shown = latest_seen(str(config.data), draft.session_id, SHOWN)
    told = (store.get(number) for number in shown if number not in near)
    prompts = store.prompts(Query(project=project, session=draft.session_id, limit=1)).items
    return GateContext(
        [*near.values(), *filter(None, told)],
        _handed(config),
        prompts[0].content if prompts else "",
    )


def _handed(config: Config) -> list[str]:
    """The texts that an agent was handed at its start: files of the project, and what hooks tell beside notes."""
    texts = [PROTOCOL]
    told = (config.data / CORE).glob("*.md")
    for file in (*(config.root / name for name in INSTRUCTION_FILES), *told):
        with suppress(OSError, ValueError):
            texts.append(read_bounded(file).decode("utf-8"))
    return texts
