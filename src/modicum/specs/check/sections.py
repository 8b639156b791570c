"""The findings of a context check as sections of a page: a name, the matching passages, or all text. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence

from modicum.engine.page import Block, Detail, Section
from modicum.specs.changes.gates import REQUIREMENT
from modicum.specs.check.findings import Finding, FindingKind, PassageMatch, kinds_of
from modicum.text.snippets import snippet

LINE = "\n"
NAME, LONGEST, WINDOW = 72, 420, 300  # characters
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*\s*")

LEADS: Mapping[FindingKind, str] = {
    FindingKind.CONFLICT: "## Possible conflicts",
    FindingKind.SUPERSEDED: "## Superseded",
    FindingKind.DECISION: "## Decisions",
    FindingKind.RULE: "## Rules",
    FindingKind.REQUIREMENT: "## Requirements",
    FindingKind.ATTEMPT: "## Earlier attempts",
    FindingKind.NOTE: "## Notes",
}

Whole = Callable[[Finding], str]


OTHERS = "Without any of these words:"


def finding_sections(findings: Sequence[Finding], whole: Whole) -> tuple[Section, ...]:
    """Returns the findings of a check as sections of a page by kind, best first; `whole` gives a finding's
    text.

    A finding that has none of the words is only named; these stand on one line.
    """
    ranks = {finding.key: rank for rank, finding in enumerate(findings)}
    telling = [finding for finding in findings if finding.matches or whole(finding)]
    sections = [
        Section(
            tuple(_block(each, ranks[each.key], whole) for each in telling if each.kind is kind),
            (LEADS[kind],),
            LINE,
        )
        for kind in kinds_of(telling)
    ]
    named_only = tuple(
        Block(each.key, {Detail.SUMMARY: handle(each)}, ranks[each.key])
        for each in findings
        if not (each.matches or whole(each))
    )
    return (*sections, *([Section(named_only, (OTHERS,), " ")] if named_only else []))


def handle(finding: Finding) -> str:
    """Returns the shortest name by which a reader of the check's sections can ask for a finding."""
    return finding.key.removeprefix("artifact:")


def _block(finding: Finding, rank: int, whole: Whole) -> Block:
    text = whole(finding)
    head = f"- **{named(finding)}**{_status(finding)}"
    forms = {Detail.SUMMARY: brief(finding)}
    if finding.matches:
        forms[Detail.STANDARD] = f"{head}: {finding.why}\n{passages(finding)}"
    if text:
        forms[Detail.FULL] = f"{head}: {finding.why}\n{text}"
    return Block(finding.key, forms, rank)


def brief(finding: Finding) -> str:
    """Returns a finding of the context check in one line of a section: its name, and the ids of the requirements that match."""
    ids = list(dict.fromkeys(found for match in finding.matches for found in REQUIREMENT.findall(match.text)))
    listed = f": {', '.join(ids[:6])}" if ids and finding.key.startswith("artifact:") else ""
    against = next((match.against for match in finding.matches if match.against), "")
    said = f': "{snippet(against, NAME)}"' if finding.kind is FindingKind.CONFLICT and against else listed
    return f"- {snippet(named(finding), NAME)}{_status(finding)}{said}"


def named(finding: Finding) -> str:
    """Returns the name of a finding as the sections of a check print it."""
    note = finding.key.removeprefix("note:")
    return f"{note} {finding.name}" if note != finding.key else finding.name


def _status(finding: Finding) -> str:
    return f" ({snippet(finding.status, NAME)})" if finding.status else ""


def passages(finding: Finding) -> str:
    """Returns the matching passages of a finding as text of a section, each with its file and line."""
    return LINE.join(_passage(match) for match in finding.matches)


def _passage(match: PassageMatch) -> str:
    place = f"{match.file}:{match.line}" if match.file else ""
    heading = f" ({snippet(match.heading, NAME)})" if match.heading else ""
    where = f"  {place}{heading}\n" if place or heading else ""
    return where + LINE.join(f"  > {line}" for line in shortened(match).splitlines())


def shortened(match: PassageMatch) -> str:
    """Returns a passage for a section; of a long one, the sentences around its matching words."""
    text = match.text.strip()
    if len(text) <= LONGEST:
        return text
    sentences = [found[0] for found in _SENTENCE.finditer(text)]
    wanted = [word.lower() for word in match.words]
    hits = [sum(word[:5] in sentence.lower() for word in wanted) for sentence in sentences]
    against = [
        bool(match.against) and match.against[:40] in " ".join(sentence.split()) for sentence in sentences
    ]
    best = max(range(len(sentences)), key=lambda at: (against[at], hits[at], -at))
    shown = snippet(sentences[best], LONGEST)
    for following in sentences[best + 1 :]:
        if len(shown) + len(following) > WINDOW:
            break
        shown = f"{shown} {' '.join(following.split())}"
    return f"{'… ' if best else ''}{shown}{' …' if best + 1 < len(sentences) else ''}"


# Other ways to read the same findings.


def to_review(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Returns the findings of a check that a change is reviewed against: rules, requirements and decisions."""
    return tuple(finding for finding in findings if finding.matches and finding.kind is not FindingKind.NOTE)


def review_sections(findings: Sequence[Finding], whole: Whole) -> tuple[Section, ...]:
    """Returns the findings of a context check as sections of a page for a review: a list to tick."""
    reviewed = to_review(findings)
    ranks = {finding.key: rank for rank, finding in enumerate(reviewed)}
    sections = []
    for kind in kinds_of(reviewed):
        blocks = tuple(_tick(each, ranks[each.key], whole) for each in reviewed if each.kind is kind)
        sections.append(Section(blocks, (LEADS[kind],), LINE))
    return tuple(sections)


def _tick(finding: Finding, rank: int, whole: Whole) -> Block:
    box = f"- [ ] **{snippet(named(finding), NAME)}**{_status(finding)}"
    text = whole(finding)
    best = finding.matches[0]
    place = f" ({best.file}:{best.line})" if best.file else ""
    standard = f"{box}: {snippet(best.text, WINDOW)}{place}"
    forms = {
        Detail.SUMMARY: box,
        Detail.STANDARD: standard,
        Detail.FULL: f"{box}\n{text or passages(finding)}",
    }
    return Block(finding.key, forms, rank)
