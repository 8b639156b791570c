"""The gates of a change: checks on a document's text that must pass before its stage is finished. Pure.

An error keeps a gate shut, a warning does not. No score that the caller gives opens a gate by itself.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from modicum.base.near_words import nearest
from modicum.specs.changes.tasks import Task, plan_waves, progress, some_of
from modicum.specs.model import Complaint, Severity

REQUIREMENT = re.compile(r"\b(?:N?FR|REQ|BRC?|US)-\d{1,5}\b")
_DEFINITION = re.compile(
    r"^[^\S\n]*+(?:(?:[-*+]|\d++[.)])\s++(?:\[[ xX]\]\s++)?|#{1,6}\s++|\|\s*+)[*_`]{0,3}(?P<id>(?:N?FR|REQ|BRC?|US)-\d{1,5})[*_`]{0,3}"
    r"(?:\s*+[:.|)]|\s++[-–—]|\s*+\*\*)[*_`]{0,3}\s*+(?P<text>(?>(?:[^\s|]++|[^\S\n]++(?!\|?[^\S\n]*+$)|\|(?![^\S\n]*+$))*))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^(?P<mark>```+|~~~+).*?(?:^(?P=mark)|\Z)", re.DOTALL | re.MULTILINE)
_MARKUP = re.compile(
    r"^[^\S\n]*+(?:#{1,6}(?:[^\S\n].*+)?|[-*_=]{3,}+[^\S\n]*+|[-*+|>][^\S\n]*+)$", re.MULTILINE
)
_GAP = re.compile(r"\n{3,}+")
_PLACEHOLDER = re.compile(
    r"\b(?:TBD|TBA|TODO|FIXME|XXX)\b|(?<![^\W_])(?i:lorem ipsum|to be (?:defined|determined|extracted from)|not yet defined)(?![^\W_])"
    r"|\[NEEDS CLARIFICATION[^\[\]]*+\]|<(?:fill|insert|your)\b[^<>]*+>"
)
_EMPTY_PART = re.compile(
    r"^(?P<mark>#{2,6})[ \t]++(?P<title>\S(?>(?:\S++|[^\S\n]++(?=\S))*))[^\S\n]*+\n(?=\s*+(?:\Z|(?P=mark)[ \t]|#{1,2}[ \t]))",
    re.MULTILINE,
)
_VERDICT = re.compile(
    r"^(?>(?:[#>*_-]|[^\S\n])*)verdict[*_\s]*+[:：]?[>*_\s-]*+(?P<word>PASS_WITH_WARNINGS|PASS|FAIL)\b",
    re.IGNORECASE | re.MULTILINE,
)

MOST_HINTS = 12  # ids that nobody defined, for which the nearest one is looked for
VERDICTS = ("PASS", "PASS_WITH_WARNINGS", "FAIL")

# Wording that nobody can test. Each is a hint to the author and never shuts a gate.
SMELLS: Mapping[str, re.Pattern[str]] = {
    "vague": re.compile(
        r"\b(?:fast|quick(?:ly)?|slow|easy|easily|simple|simply|user[- ]friendly|intuitive(?:ly)?|robust|flexible|efficient(?:ly)?"
        r"|appropriate(?:ly)?|adequate(?:ly)?|reasonable|reasonably|seamless(?:ly)?|smooth(?:ly)?|modern|nice|clean|good|better|best"
        r"|normal(?:ly)?|usual(?:ly)?|generally|typically|sufficient(?:ly)?|significant(?:ly)?|if (?:possible|needed|necessary)"
        r"|as (?:needed|required|appropriate)|where (?:possible|applicable)|state[- ]of[- ]the[- ]art|performant|scalable)\b",
        re.IGNORECASE,
    ),
    "open-ended": re.compile(
        r"\betc\b|\band so on\b|\band/or\b|\bor similar\b|\bsuch as\b[^\n…]{0,300}…|\.\.\.|…", re.IGNORECASE
    ),
    "unbounded": re.compile(
        r"\b(?:some|several|many|few|lots? of|a number of|various|numerous|unlimited|any number of|as many as possible|as much as possible"
        r"|as (?:fast|soon|little|low|high) as possible|minimal|maximal|large|small|huge|often|frequently|rarely|regularly)\b",
        re.IGNORECASE,
    ),
    "passive": re.compile(
        r"\b(?:is|are|be|been|being|was|were)\s+(?:\w{1,40}ly\s+)?(?:\w{2,40}ed|sent|shown|kept|made|built|written|read|told|given|taken|stored|found)\b"
        r"(?!\s+by\b)(?![^.;]{0,200}\bby\s+(?:the|an?|our|its|each)?\s*\w)",
        re.IGNORECASE,
    ),
}
_HINTS = {
    "vague": "say how much, or how one would see it",
    "open-ended": "name all of them",
    "unbounded": "give a number",
    "passive": "say who does it",
}


class Requirement(NamedTuple):
    """A requirement that the gates of a change found in a document, with the file and line where it is defined."""

    id: str
    text: str
    file: str
    line: int


class GateDocument(NamedTuple):
    """A document of a change that a gate checks: the name and the text of its file."""

    file: str
    text: str


def bare(text: str) -> str:
    """Returns what an author wrote into a document, which a gate looks at: no comments, code, headings and rules."""
    return _MARKUP.sub("", _without_quotes(text)).strip()


def written_parts(text: str) -> str:
    """Returns what a gate of a change reads in a document: without its title, its comments, and the parts that count as empty."""
    told = _GAP.sub("\n\n", _EMPTY_PART.sub("", _COMMENT.sub("", text))).strip()
    first, _, rest = told.partition("\n")
    return (rest if first.startswith("# ") else told).strip()


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _without_quotes(text: str) -> str:
    return _FENCE.sub(_blank, _COMMENT.sub(_blank, text))


def _numbered(
    pattern: re.Pattern[str], text: str, group: str | int = 0
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yields every match with the line of its group. The text is gone through once, however many there are."""
    line, at = 1, 0
    for found in pattern.finditer(text):
        line += text.count("\n", at, found.start(group))
        at = found.start(group)
        yield line, found


def check_text(document: GateDocument, template: str = "") -> Iterator[Complaint]:
    """Gate of a change: yields complaints about a document without words, empty parts, and placeholders."""
    written = bare(document.text)
    if not written and not _FENCE.search(document.text):
        yield Complaint(Severity.ERROR, "has nothing but its headings: write it first", document.file)
        return
    if template and "{" not in template and written == bare(template):
        yield Complaint(Severity.ERROR, "is still the template: write it first", document.file)
    plain = _without_quotes(document.text)
    for line, found in _numbered(_EMPTY_PART, plain, "title"):
        message = f'"{found["title"]}" has nothing below it: write it, or take the heading out'
        yield Complaint(Severity.WARNING, message, document.file, line)
    for line, found in _numbered(_PLACEHOLDER, plain):
        message = f'"{found[0]}" stands where something is still to be written'
        yield Complaint(Severity.ERROR, message, document.file, line)


def requirements(document: GateDocument) -> tuple[Requirement, ...]:
    """Returns the requirements that a gate finds in a document: an id that starts an item, heading or row."""
    plain = _without_quotes(document.text)
    return tuple(
        Requirement(found["id"], found["text"], document.file, line)
        for line, found in _numbered(_DEFINITION, plain, "id")
    )


def check_requirements(document: GateDocument) -> Iterator[Complaint]:
    """Gate of a change: yields complaints about ids that are defined twice, and wording nobody can test."""
    found = requirements(document)
    first: dict[str, int] = {}
    for each in found:
        if each.id in first:
            message = f"{each.id} is defined twice (first on line {first[each.id]}): give one another id"
            yield Complaint(Severity.ERROR, message, each.file, each.line)
        first.setdefault(each.id, each.line)
        yield from _smells(each)
    if not found:
        message = 'no requirement has an id, so that nothing can be traced: write "- **FR-001**: …"'
        yield Complaint(Severity.WARNING, message, document.file)


def _smells(each: Requirement) -> Iterator[Complaint]:
    for name, pattern in SMELLS.items():
        if found := pattern.search(each.text):
            message = f'{each.id}: "{found[0]}" is {name} ({_HINTS[name]})'
            yield Complaint(Severity.WARNING, message, each.file, each.line)


def mentioned(document: GateDocument) -> dict[str, int]:
    """Returns every requirement id that a gate finds in a document, with the first line that has it."""
    plain = _without_quotes(document.text)
    found: dict[str, int] = {}
    for line, each in _numbered(REQUIREMENT, plain):
        found.setdefault(each[0], line)
    return found


def check_coverage(
    document: GateDocument, wanted: Sequence[Requirement], known: Iterable[Requirement] = ()
) -> Iterator[Complaint]:
    """Gate of a change: yields complaints about wanted ids not mentioned, and mentioned ids that are unknown."""
    named = mentioned(document)
    for each in wanted:
        if each.id not in named:
            place = f"{each.file}:{each.line}"
            yield Complaint(
                Severity.ERROR, f"{each.id} ({place}) is not covered: say what serves it", document.file
            )
    defined = dict.fromkeys(sorted(each.id for each in (*wanted, *known, *requirements(document))))
    strangers = [name for name in named if name not in defined] if defined else []
    for at, name in enumerate(strangers):
        # A name is compared with every other one, so only the first of many are.
        near = nearest(name, defined) if at < MOST_HINTS else ""
        hint = f'did you mean "{near}"?' if near else "define it, or leave it out"
        yield Complaint(Severity.ERROR, f"{name} is defined nowhere ({hint})", document.file, named[name])


def check_tasks(document: GateDocument, tasks: Sequence[Task]) -> Iterator[Complaint]:
    """Gate of a change: yields complaints if there are no tasks, or if they cannot be put in order."""
    if not tasks:
        yield Complaint(Severity.ERROR, 'has no task: write "- [ ] T1: what is to be done"', document.file)
    for problem in plan_waves(tasks).problems:
        yield Complaint(Severity.ERROR, problem, document.file)
    if tasks and all(task.done is None for task in tasks):
        message = 'no task has a box, so that progress cannot be seen: write "- [ ] T1: …"'
        yield Complaint(Severity.WARNING, message, document.file)


def verdict_of(text: str) -> str:
    """Returns the last verdict (such as PASS or FAIL) that a gate finds in a document; "" if there is none."""
    found = [match["word"].upper() for match in _VERDICT.finditer(_without_quotes(text))]
    return found[-1] if found else ""


def check_verify(document: GateDocument, tasks: Sequence[Task], tasks_file: str) -> Iterator[Complaint]:
    """Gate of a change: yields complaints about tasks that are not ticked, and a verdict of FAIL or none."""
    ticks = progress(tasks)
    if ticks.open:
        lines = [f"{task.id} (line {task.line})" for task in tasks if task.done is False]
        message = f"{ticks.done} of {ticks.total} tasks are ticked; finish and tick {some_of(lines)}"
        yield Complaint(Severity.ERROR, message, tasks_file)
    verdict = verdict_of(document.text)
    if verdict == "FAIL":
        message = "the verdict is FAIL, so the stage is not finished: go back, or mend it and verify again"
        yield Complaint(Severity.ERROR, message, document.file)
    elif not verdict:
        yield Complaint(Severity.WARNING, 'has no verdict: add a line "Verdict: PASS"', document.file)


def is_shut(complaints: Iterable[Complaint]) -> bool:
    return any(complaint.severity is Severity.ERROR for complaint in complaints)


# Clarity: how well the requirements are understood, by the caller's own judgement and by what can be seen in them.

DIMENSIONS: Mapping[str, int] = {
    "target_users": 8,
    "core_functionality": 10,
    "data_model": 7,
    "integrations": 6,
    "edge_cases": 8,
    "security": 7,
    "scale_performance": 5,
    "scope_boundaries": 9,
}
THRESHOLDS = {"guided": 70, "expert": 50}
COVERED = 30
FEWEST_WORDS = 5


def weighted_score(pairs: Iterable[tuple[int, int]]) -> int:
    """Returns the weighted mean of clarity scores for a gate, rounded down; 0 if there are none."""
    listed = list(pairs)
    whole = sum(weight for weight, _ in listed)
    return sum(weight * score for weight, score in listed) // whole if whole else 0


def parse_scores(text: str) -> dict[str, int]:
    """Parses clarity scores for a gate from `name:number,…`, each 0 to 100; unreadable ones are left out."""
    found: dict[str, int] = {}
    for pair in text.split(","):
        name, _, number = pair.partition(":")
        if name.strip() in DIMENSIONS and re.fullmatch(r"\s*-?\d{1,9}\s*", number):
            found[name.strip()] = min(100, max(0, int(number)))
    return found


def clarity(scores: Mapping[str, int]) -> int:
    """Returns the clarity score that a gate compares; a dimension without a score counts as 0."""
    return weighted_score((weight, scores.get(name, 0)) for name, weight in DIMENSIONS.items())


def uncovered(scores: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name in DIMENSIONS if scores.get(name, 0) <= COVERED)


def threshold(mode: str) -> int:
    return THRESHOLDS.get(mode, THRESHOLDS["guided"])


def check_clarity(
    score: int, mode: str, answers: str, documents: Iterable[GateDocument]
) -> Iterator[Complaint]:
    """Gate of a change: yields complaints if the clarity is too low, or the answers are too short."""
    if score < threshold(mode):
        message = (
            f"the clarity score is {score} of the {threshold(mode)} that {mode} mode asks for: "
            f"say how clear each of these is, from 0 to 100: {', '.join(DIMENSIONS)}"
        )
        yield Complaint(Severity.ERROR, message)
    if len(bare(answers).split()) < FEWEST_WORDS:
        yield Complaint(Severity.ERROR, "the answers say next to nothing: a score alone does not pass")
    for document in documents:
        yield from (each for each in check_text(document) if each.severity is Severity.ERROR)
        yield from (each for each in check_requirements(document) if each.severity is Severity.ERROR)
