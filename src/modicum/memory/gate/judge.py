"""Judges what an agent wants to save, with a reason that the agent can act on. Pure: the same draft gets the same verdict."""

import re
from collections.abc import Sequence
from enum import StrEnum

from modicum.base.named_tuple import NamedTuple
from modicum.memory.gate.content import Emptiness, emptiness_of, length_of
from modicum.memory.gate.novelty import facts_of, share_said
from modicum.memory.model import COMPACTION_SUMMARY, SESSION_SUMMARY, Note, NoteDraft
from modicum.memory.redact import REDACTED, redact
from modicum.text.directives import forbids

LONGEST = 12_000  # characters of a note: what is longer belongs into a file
SAID, LIKELY_SAID = 0.6, 0.42  # of what it says is in notes that are there: nothing new, or likely nothing
COPIED = 0.75  # of what it says is in what the agent was handed
RESTATED, ASKED = 0.75, 0.5  # of its words are in the prompt; in one that begins "the user wants"
LEFT = 6  # words that must be left beside a secret
FEW = 2  # words, too few to compare

_ASKS = re.compile(
    r"(?i)\A\W*(?:(?:the |a |our )?(?:user|customer|client|human|they)(?:['’]s)? (?:\w+ )?(?:want|ask|request|report|need|wish|would like|said|say|told|complain|prompt|message)"
    r"|(?:i(?:['’]ve| have| was)|we (?:were|are)) (?:been )?(?:asked|told|requested)|(?:the )?(?:goal|task|aim|request|requirement)(?: of (?:this|the) \w+)?(?: is|:| was)"
    r"|(?:der |die )?(?:nutzer|benutzer|anwender|kunde)(?:in)? (?:möchte|fragt|will|wünscht|bittet|meldet)|(?:ziel|aufgabe|auftrag)(?: ist|:)"
    r"|(?:el |la )?(?:usuari[oa]|cliente) (?:quiere|pide|pregunta|solicita|reporta)|用户(?:要求|想|希望|需要|问|反馈))"
)
_CORRECTS = re.compile(
    r"(?i)\b(?:no longer|not any ?more|any ?more|outdated|obsolete|(?:was|is|were) wrong|ignore the|superse\w+|used to|formerly|previously|"
    r"nicht mehr|veraltet|ya no|antes|obsolet[oa])\b|不再|过时"
)
# Words by which a wish holds for good, and not for the task at hand.
_STANDING = re.compile(
    r"(?i)\b(?:always|never|every|by default|from now on|in (?:the )?future|prefers?|only|no longer|all \w+s|immer|nie|jede[rsnm]?|künftig|siempre|nunca|cada)\b"
    r"|总是|每次|永远|以后|不要"
)
# What its own kind is for: to say how far the work has come.
TELLS_STATE = (SESSION_SUMMARY, COMPACTION_SUMMARY)


class Outcome(StrEnum):
    """What becomes of a draft at the gate."""

    KEPT = "kept"
    INBOX = "inbox"  # in doubt: a person decides
    REFUSED = "refused"


class Verdict(NamedTuple):
    """The verdict of the gate on a draft: what becomes of it, why, what to do, and the note that says it already."""

    outcome: Outcome
    reason: str = ""
    remedy: str = ""
    note: int = 0
    untitled: str = ""  # the reason without the title of that note, which not everybody may see

    @property
    def kept_reason(self) -> str:
        """Returns the reason of the gate's verdict as the inbox keeps it, for all who may read the draft."""
        return self.untitled or self.reason


class GateContext(NamedTuple):
    """What the gate knows beside a draft: like notes that are there, texts that the agent was handed, the last prompt."""

    neighbours: Sequence[Note] = ()
    injected: Sequence[str] = ()
    prompt: str = ""


KEPT = Verdict(Outcome.KEPT)
_REMEDY = "say what later sessions should know: what, where, why"
_EMPTY = {
    Emptiness.NOTHING: Verdict(Outcome.REFUSED, "it names nothing in particular", _REMEDY),
    Emptiness.STATUS: Verdict(
        Outcome.REFUSED,
        "it only says what was done or that it works",
        "say what was learned or decided, and why; what was done belongs into a note of type session_summary",
    ),
    Emptiness.PLAN: Verdict(
        Outcome.REFUSED,
        "it is a plan for the next minutes",
        "do it, and save what came of it; an agreed plan needs its reason",
    ),
    Emptiness.LOG: Verdict(
        Outcome.REFUSED, "it is the output of a program", "say what it shows, and the cause, in a sentence"
    ),
}


def reason_against(kind: Emptiness) -> str:
    """Returns the reason of the gate against a draft of such a kind."""
    return _EMPTY[kind].reason


def judge(draft: NoteDraft, around: GateContext) -> Verdict:
    """Judges the draft of an agent by the rules of the gate; returns the gate's verdict."""
    content = redact(draft.content)
    if draft.type in TELLS_STATE or not content:  # the store refuses what is empty
        return KEPT
    for look in (_secret, _restated, _empty, _too_long, _injected, _said):
        verdict = look(draft, content, around)
        if verdict.outcome is not Outcome.KEPT:
            return verdict
    return KEPT


def _secret(draft: NoteDraft, content: str, around: GateContext) -> Verdict:
    if content.count(REDACTED) <= draft.content.count(REDACTED):
        return KEPT
    left = length_of(content.replace(REDACTED, " "))
    remedy = "say where the secret is kept, never the secret itself"
    outcome = Outcome.REFUSED if left < LEFT else Outcome.INBOX
    return Verdict(outcome, "it held a secret, which was taken out", remedy)


def _restated(draft: NoteDraft, content: str, around: GateContext) -> Verdict:
    asks = bool(_ASKS.match(content))
    said, asked = facts_of(content), facts_of(around.prompt)
    enough = len(asked.stems) > FEW and bool(said.stems)
    share = len(said.stems & asked.stems) / len(said.stems) if enough else 0.0
    verdict = Verdict(
        Outcome.REFUSED, "it repeats the prompt", "prompts are kept anyway; save what came of it"
    )
    if share >= (ASKED if asks else RESTATED):
        return verdict
    passing = asks and not _STANDING.search(content)
    return (
        verdict._replace(outcome=Outcome.INBOX, reason="it only says what was asked for") if passing else KEPT
    )


def _empty(draft: NoteDraft, content: str, around: GateContext) -> Verdict:
    found = emptiness_of(content)
    if found is Emptiness.NOTHING and draft.type == "preference" and length_of(content) >= LEFT:
        return KEPT
    return _EMPTY[found] if found else KEPT


def _too_long(draft: NoteDraft, content: str, around: GateContext) -> Verdict:
    if len(content) <= LONGEST:
        return KEPT
    reason = f"it has {len(content):,} characters, too long for a note"
    return Verdict(Outcome.INBOX, reason, "save what matters of it, and the path of the file with the rest")


def _injected(draft: NoteDraft, content: str, around: GateContext) -> Verdict:
    if len(facts_of(content).stems) <= FEW or share_said(content, around.injected) < COPIED:
        return KEPT
    remedy = "it is there for every session; save what you found out beside it"
    return Verdict(Outcome.REFUSED, "it copies what you were handed", remedy)


def _said(draft: NoteDraft, content: str, around: GateContext) -> Verdict:
    others = [note for note in around.neighbours if not draft.topic_key or note.topic_key != draft.topic_key]
    if not others or _CORRECTS.search(content):
        return KEPT
    texts = [f"{note.title}\n{note.content}" for note in others]
    share = share_said(content, texts)
    if share < LIKELY_SAID:
        return KEPT
    best = max(range(len(others)), key=lambda at: share_said(content, texts[at : at + 1]))
    # The same words with and without "never" are no repetition, and a rule can be put either way.
    is_sure = share >= SAID and forbids(content) is forbids(texts[best])
    return _same_as(others[best], Outcome.REFUSED if is_sure else Outcome.INBOX)


def _same_as(note: Note, outcome: Outcome) -> Verdict:
    says = "says it already" if outcome is Outcome.REFUSED else "is on the same matter"
    remedy = "update that note with what is new; if it is no longer true, say so, and relate the new one to it: supersedes"
    reason = f'{note.public_id} "{note.title}" {says}'
    return Verdict(outcome, reason, remedy, note.id, f"{note.public_id} {says}")
