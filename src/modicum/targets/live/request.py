"""Takes an agent's request to a model apart, and finds the lines of known files in it. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from modicum.targets.live.model import (
    AgentRequest,
    ArrivedPassage,
    Attribution,
    Disagreement,
    RequestPart,
    UnseenLines,
)

# A line that stands more often than this, in a file or in a part of the request, tells nothing about where it comes from.
MOST_REPEATED = 20
TELLING_LETTERS = 6
MOST_OFTEN = 3  # copies of a file that count when it is asked which file was found less often
LINES_TO_A_NAME = 4  # a program writes a file's path at most this far above its text


_Ranked = tuple[int, bool, int, int, int, int, int, ArrivedPassage]  # the best first


def taken_apart(body: Mapping[str, object], *, without: str = "") -> AgentRequest:
    """Returns the texts and tools of a request in any of the four protocols; `without` is removed from each text."""
    system = body.get("system") or body.get("instructions")
    texts = [RequestPart("system", text) for text in _texts(system)]
    instruction = body.get("systemInstruction") or body.get("system_instruction")
    texts += [RequestPart("system", text) for text in _texts(instruction)]
    for number, message in enumerate(_messages(body)):
        role = message.get("role") or message.get("type") or "message"
        content = message.get("content") or message.get("parts")
        texts += [RequestPart(f"{number} {role}", text) for text in _texts(content)]
    parts = (RequestPart(each.place, each.text.replace(without, "")) if without else each for each in texts)
    return AgentRequest(tuple(parts), tuple(_tools(body.get("tools"))))


def _messages(body: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    found = body.get("messages") or body.get("input") or body.get("contents")
    for each in found if isinstance(found, list) else ():
        if isinstance(each, dict):
            yield each


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for each in content:
            yield from _texts(each)
    elif isinstance(content, dict):
        inner = content.get("text", content.get("parts"))
        if inner is None:
            yield json.dumps(content, ensure_ascii=False)
        yield from _texts(inner)


def _tools(tools: object) -> Iterator[tuple[str, str]]:
    for each in tools if isinstance(tools, list) else ():
        for tool in each.get("functionDeclarations", [each]) if isinstance(each, dict) else ():
            inner = tool.get("function", tool)
            name = inner.get("name") or inner.get("type") or "?"
            yield str(name), json.dumps(inner, ensure_ascii=False, separators=(",", ":"))


def attributed(parts: Sequence[RequestPart], files: Mapping[str, str]) -> Attribution:
    """Returns which lines of the files stand where in a request.

    A line of the request belongs to one file at most: to the longest run of equal lines, then to the file whose path
    is written above, then to the one that was found less often so far, then to the first.
    """
    lines = {path: _lines(text) for path, text in files.items()}
    found = [run for number, part in enumerate(parts) for run in _runs(number, part, lines)]
    arrived = tuple(_chosen(found, parts, lines))
    return Attribution(arrived, tuple(_unseen(arrived, parts, lines)))


def disagreements(
    found: Attribution, files: Mapping[str, str], told: Iterable[str]
) -> tuple[Disagreement, ...]:
    """Returns the lines that stand in a live request more or less often than in the texts that a tool was said to read.

    A line that was cut, and lines without words, are not compared.
    """
    lines = {path: _lines(text) for path, text in files.items()}
    expected = Counter(line for text in told for line in _lines(text))
    arrived = Counter(
        line for run in found.arrived for line in lines[run.path][run.first - 1 : run.last - run.cut]
    )
    cut = {lines[run.path][run.last - 1] for run in found.arrived if run.cut}
    first: dict[str, tuple[str, int]] = {}
    for path, own in lines.items():
        for number, line in enumerate(own, 1):
            if _telling(line) and line not in cut:
                first.setdefault(line, (path, number))
    return tuple(
        Disagreement(*place, line, expected[line], arrived[line])
        for line, place in first.items()
        if expected[line] != arrived[line]
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.replace("\ufeff", "").split("\n")]


def _runs(number: int, part: RequestPart, files: Mapping[str, Sequence[str]]) -> Iterator[ArrivedPassage]:
    theirs = _lines(part.text)
    places = _positions(theirs)
    for path, lines in files.items():
        yield from _runs_of(path, lines, number, part.place, theirs, places)


def _runs_of(
    path: str,
    lines: Sequence[str],
    number: int,
    place: str,
    theirs: Sequence[str],
    places: Mapping[str, Sequence[int]],
) -> Iterator[ArrivedPassage]:
    seen: set[tuple[int, int]] = set()  # pairs of equal lines that are in a run already
    for text, own in _positions(lines).items():
        at = places.get(text, ())
        if max(len(own), len(at)) > MOST_REPEATED or not _telling(text):
            continue
        for mine in own:
            for other in at:
                if (mine, other) not in seen:
                    start, end = _widest(lines, theirs, mine, other)
                    seen |= {(mine + step, other + step) for step in range(start - mine, end - mine)}
                    cut = _cut_line(lines, theirs, end, other + end - mine)
                    line = other + start - mine + 1
                    yield ArrivedPassage(path, start + 1, cut or end, place, line, number, cut > 0)


def _telling(line: str) -> bool:
    return sum(map(str.isalnum, line)) >= TELLING_LETTERS


def _positions(lines: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        if line:
            found.setdefault(line, []).append(number)
    return found


def _widest(lines: Sequence[str], theirs: Sequence[str], mine: int, other: int) -> tuple[int, int]:
    """The longest run of equal lines around a pair, without blank lines at its ends."""
    start, end, shift = mine, mine + 1, other - mine
    while start > 0 and start + shift > 0 and lines[start - 1] == theirs[start + shift - 1]:
        start -= 1
    while end < len(lines) and end + shift < len(theirs) and lines[end] == theirs[end + shift]:
        end += 1
    while not lines[start]:
        start += 1
    while not lines[end - 1]:
        end -= 1
    return start, end


def _cut_line(lines: Sequence[str], theirs: Sequence[str], mine: int, other: int) -> int:
    """The number of the line after a run of which only the beginning is there; 0 if there is none."""
    while mine < len(lines) and other < len(theirs) and lines[mine] == theirs[other] == "":
        mine, other = mine + 1, other + 1
    if mine >= len(lines) or other >= len(theirs):
        return 0
    beginning = theirs[other].rstrip("\ufffd")
    return mine + 1 if _telling(beginning) and lines[mine].startswith(beginning) else 0


def _chosen(
    found: Iterable[ArrivedPassage], parts: Sequence[RequestPart], files: Mapping[str, Sequence[str]]
) -> list[ArrivedPassage]:
    order = {path: number for number, path in enumerate(files)}
    theirs = [_lines(part.text) for part in parts]
    often = dict.fromkeys(files, 0)
    taken: set[tuple[int, int]] = set()
    chosen: list[ArrivedPassage] = []

    def ranked(run: ArrivedPassage) -> _Ranked:
        key = (run.first - run.last, not _is_named(run, theirs[run.part]), often[run.path], order[run.path])
        return *key, run.part, run.line, run.first, run

    heap = [ranked(run) for run in found]
    heapify(heap)
    while heap:
        best = heappop(heap)
        run = best[-1]
        pieces = list(_free(run, taken))
        if pieces != [run] or best[2] != often[run.path]:
            for piece in pieces:
                heappush(heap, ranked(piece))
            continue
        chosen.append(run)
        often[run.path] = min(often[run.path] + 1, MOST_OFTEN)
        taken |= {(run.part, run.line + step) for step in range(run.last - run.first + 1)}
    return sorted(chosen, key=lambda each: (each.part, each.line))


def _is_named(run: ArrivedPassage, theirs: Sequence[str]) -> bool:
    start = max(0, run.line - 1 - LINES_TO_A_NAME)
    return any(run.path in line for line in theirs[start : run.line - 1])


def _free(run: ArrivedPassage, taken: set[tuple[int, int]]) -> Iterator[ArrivedPassage]:
    """The pieces of a run that nobody has taken."""
    start: int | None = None
    size = run.last - run.first + 1
    for step in range(size + 1):
        free = step < size and (run.part, run.line + step) not in taken
        if free and start is None:
            start = step
        if not free and start is not None:
            yield ArrivedPassage(
                run.path, run.first + start, run.first + step - 1, run.place,
                run.line + start, run.part, run.cut and step == size,
            )  # fmt: skip
            start = None


def _unseen(
    arrived: Sequence[ArrivedPassage], parts: Sequence[RequestPart], files: Mapping[str, Sequence[str]]
) -> Iterator[UnseenLines]:
    there = {line for part in parts for line in _lines(part.text)}
    seen: dict[str, set[int]] = {path: set() for path in files}
    owners: dict[str, str] = {}  # of the lines that arrived
    for run in arrived:
        seen[run.path].update(range(run.first, run.last + 1))
        owners |= dict.fromkeys(files[run.path][run.first - 1 : run.last], run.path)
    for path, lines in files.items():
        missing = [n for n, line in enumerate(lines, 1) if line and n not in seen[path]]
        telling = [n for n in missing if lines[n - 1] not in there or _telling(lines[n - 1])]
        for first, last in _stretches(telling, lines):
            twins = {owners.get(line, "") for line in lines[first - 1 : last] if line}
            yield UnseenLines(path, first, last, twins.pop() if len(twins) == 1 else "")


def _stretches(numbers: Sequence[int], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Runs of line numbers; blank lines between two of them do not end a run."""
    start = last = 0
    for number in numbers:
        if start and any(lines[last : number - 1]):
            yield start, last
            start = 0
        start, last = start or number, number
    if start:
        yield start, last
