"""The Markdown text of decisions (ADRs): writes our files, and parses those of other tools. Pure."""

import re
from collections.abc import Iterable

from modicum.base.errors import ModicumError, Remedy
from modicum.specs.file_names import title_slug
from modicum.specs.model import STATUSES, Decision, DecisionDraft
from modicum.text.snippets import snippet

PARTS = {
    "context": "Context",
    "decision": "Decision",
    "rationale": "Rationale",
    "alternatives_rejected": "Alternatives Rejected",
}
REQUIRED = ("title", "context", "decision", "rationale")

_NUMBER = re.compile(r"(?:adr[-_ ]?)?(\d{1,6})", re.IGNORECASE)
_TITLE = re.compile(
    r"^#[ \t]++(?:(?:ADR|Decision)[-_ ]?)?(?:\d{1,6}\s*+[.:)–—-]?\s*+)?[:.–—-]?\s*+(\S(?>(?:[^\s#]++|[^\S\n]++(?!#*+$)|#++(?!$))*))",
    re.MULTILINE | re.IGNORECASE,
)
_STATUS = re.compile(
    r"^(?P<lead>[ \t>*_|-]*+status\**+\s*+[:|]\s*+\**+[ \t]*+|##++[ \t]*+status[ \t]*+\n++[ \t*_]*+)(?P<status>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"proposed|accepted|deprecated|superseded|rejected|draft", re.IGNORECASE)
_BY = re.compile(
    r"(?:superseded|replaced)[ \t]++by\**+[ \t]*+:?\**+[ \t]*+(?:the[ \t]++)?\[?(?:adr[-_ ]?)?#?(\d{1,6})",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"^[ \t>*_-]*+change\**+\s*+:\s*+\**+\s*+`?\[?([\w-]+)", re.IGNORECASE | re.MULTILINE)


def check_draft(draft: DecisionDraft) -> None:
    """Raises ModicumError if the draft of a decision (ADR) lacks a required part, or has none of the four statuses."""
    missing = [name for name in REQUIRED if not getattr(draft, name).strip()]
    if missing:
        names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        raise ModicumError(f"a decision needs its {names}", remedy=Remedy("adr.parts"))
    if draft.status not in STATUSES:
        raise ModicumError(
            f'there is no status "{draft.status}"', remedy=f"use one of: {', '.join(STATUSES)}"
        )


def next_number(files: Iterable[str]) -> str:
    """Returns the number of the next decision (ADR): one more than the highest; gaps stay gaps."""
    numbers = [int(found[1]) for name in files if (found := _NUMBER.match(name))]
    return f"{max(numbers, default=0) + 1:03}"


def file_name(number: str, title: str) -> str:
    return f"{number}-{title_slug(title)}.md"


def decision_text(draft: DecisionDraft, number: str, day: str, supersedes: Decision | None = None) -> str:
    """Returns the Markdown text of a decision's file (ADR)."""
    facts = [f"- Status: {draft.status}", f"- Date: {day}"]
    facts += [f"- Change: {draft.change}"] if draft.change else []
    if supersedes:
        facts.append(f"- Supersedes: [{supersedes.number}]({supersedes.file.rpartition('/')[2]})")
    parts = [(heading, getattr(draft, name).strip()) for name, heading in PARTS.items()]
    body = [f"## {heading}\n\n{text}" for heading, text in parts if text]
    title = " ".join(draft.title.split())
    return "\n\n".join((f"# {number}. {title}", "\n".join(facts), *body)) + "\n"


def parse_decision(file: str, text: str) -> Decision:
    """Parses the Markdown text of a decision's file (ADR), in whatever way it is written."""
    name = file.replace("\\", "/").rpartition("/")[2].removesuffix(".md")
    number, title = _NUMBER.match(name), _TITLE.search(text)
    status = _STATUS.search(text)
    word = _WORD.search(status["status"]) if status else None
    by = _BY.search(text)
    state = word[0].lower() if word else "accepted"
    change = _CHANGE.search(text[: text.find("\n## ")])
    return Decision(
        number=number[1] if number else name,
        title=title[1] if title else name,
        status="superseded" if by and state == "accepted" and _at_head(text, by) else state,
        file=file,
        change=change[1] if change else "",
        superseded_by=by[1] if by and (state == "superseded" or _at_head(text, by)) else "",
        text=text,
    )


def _at_head(text: str, found: re.Match[str]) -> bool:
    """Returns True if the match stands above the first part, where the facts about a decision are."""
    body = text.find("\n## ")
    return body < 0 or found.start() < body


def superseded_text(text: str, by: Decision) -> str:
    """Returns the text of a decision's file with its status changed to "superseded by" another one."""
    link = f"superseded by [{by.number}]({by.file.rpartition('/')[2]})"
    if found := _STATUS.search(text):
        start, end = found.span("status")
        return f"{text[:start]}{link}{text[end:]}"
    head, newline, rest = text.partition("\n")
    return f"{head}{newline or chr(10)}\n- Status: {link}\n{rest}"


def find_decision(decisions: Iterable[Decision], word: str) -> Decision:
    """Returns the decision (ADR) with this number (with or without zeros) or file name."""
    wanted = word.strip().removesuffix(".md")
    listed = list(decisions)
    for each in listed:
        stem = each.file.rpartition("/")[2].removesuffix(".md")
        same = wanted.isdecimal() and wanted.lstrip("0") == each.number.lstrip("0")
        if same or wanted in (each.number, stem):
            return each
    raise ModicumError(f'there is no decision "{snippet(word, 60)}"', remedy=Remedy("adr.list"))
