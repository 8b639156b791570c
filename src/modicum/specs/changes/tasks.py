"""Parses the tasks of a change in Markdown (ids, dependencies, files, ticks), and plans them in waves. Pure.

- [ ] T1: Refuse large files (FR-001; files: src/importer.py)
- [x] T2: Tell the limit (after: T1; files: docs/import.md)

### TASK-003: Measure it
- **Depends on**: T1, T2
- **Files**: `bench/import.py`
- [ ] run it three times
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from modicum.text.markdown import Scanner

_BOX = re.compile(r"(?P<indent>\s*)[-*+] \[(?P<tick>[ xX])\]\s+(?P<text>.*)")
_BULLET = re.compile(r"(?P<indent>\s*)(?:[-*+]|\d{1,4}[.)])\s+(?P<text>.*)")
_HEADING = re.compile(r"#{2,6}\s++(?P<text>(?>(?:[^\s#]++|\s++(?!#*+\Z)|#++(?!\Z))*))")
_ID = re.compile(
    r"[*_`\[]{0,3}(?P<id>T-?\d+(?:\.\d+)*|[A-Z][A-Z0-9]{0,9}-\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*|\d+(?=[.)]\s))[*_`\]]{0,3}"
    r"(?:[:.)\]]|\s+[-–—]|(?=\s))\**\s*"
)
_TASK_HEADING = re.compile(r"[*_`\[]{0,3}(?:T-?\d|TASK[- ]?\d)", re.IGNORECASE)
_DEPENDS = r"depends(?: on)?|dependencies|dep|deps|after|needs|requires|blocked by|abhängig von|nach|depende de|dépend de|依赖|依存"
_FILES = r"files?|touches|paths?|dateien|archivos|fichiers|文件|ファイル"
_ATTRIBUTE = re.compile(
    rf"(?:\(|\[|;|；|（|^|,\s)\s*[*_]{{0,2}}(?:(?P<depends>{_DEPENDS})|(?P<files>{_FILES}))[*_]{{0,2}}\s*[:：]\s*[*_]{{0,2}}",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"T-?\d+(?:\.\d+)*|[A-Z][A-Z0-9]{0,9}-\d+(?:\.\d+)*|\d+(?:\.\d+)*")
_DANGLING = re.compile(r"(?<!\s)\s*+[(\[][^()\[\]]*+\Z")
MOST_NAMED = 12  # tasks in one sentence
_NONE = frozenset(("", "none", "-", "–", "—", "n/a", "no", "keine", "ninguna", "无", "なし"))


class Task(NamedTuple):
    """A task of a change. `done` is None where there is no box to tick."""

    id: str
    title: str
    line: int
    depends: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    done: bool | None = None
    text: str = ""  # everything that is said of it, for ids of requirements


class Waves(NamedTuple):
    """The tasks of a change by waves, those of one wave may run at the same time; and problems of the plan."""

    waves: tuple[tuple[str, ...], ...]
    problems: tuple[str, ...] = ()


class Ticks(NamedTuple):
    """How many tasks of a change are ticked, how many have a box, and the ids of the open ones."""

    done: int
    total: int
    open: tuple[str, ...] = ()


class _Draft:
    """A task while its lines are read."""

    def __init__(
        self, line: int, depth: int, text: str, *, ticked: bool | None, headed: bool = False
    ) -> None:
        self.line, self.depth, self.headed = line, depth, headed
        self.boxes: list[bool] = [] if ticked is None else [ticked]
        self.lines = [text]
        found = _ID.match(text)
        self.id = found["id"] if found else ""
        words, self.depends, self.files = _attributes(text[found.end() :] if found else text)
        self.title = _DANGLING.sub("", words).strip(" *_`:-–—") or self.id

    def add(self, text: str) -> None:
        """Adds a line below the task: attributes, or more words."""
        self.lines.append(text)
        _, depends, files = _attributes(text)
        self.depends += depends
        self.files += files

    def task(self, number: int) -> Task:
        return Task(
            self.id or str(number),
            self.title,
            self.line,
            tuple(dict.fromkeys(self.depends)),
            tuple(dict.fromkeys(self.files)),
            all(self.boxes) if self.boxes else None,
            "\n".join(self.lines),
        )


def parse_tasks(text: str) -> tuple[Task, ...]:
    """Parses the tasks of a document: headings that are tasks, or list items with a box, or all list items."""
    lines = list(_prose(text))
    drafts = _drafts(lines, headed=any(_is_task_heading(line) for _, line in lines))
    if not drafts:
        bullets = ((at, _BULLET.match(line)) for at, line in lines)
        drafts = [
            _Draft(at, 0, found["text"], ticked=None)
            for at, found in bullets
            if found and not found["indent"]
        ]
    return tuple(draft.task(number) for number, draft in enumerate(drafts, 1))


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Yields lines with their numbers; those in code fences and comments are left out."""
    scanner = Scanner()
    for number, line in enumerate(text.splitlines(), 1):
        quoted = scanner.leaf.name in ("FENCE", "COMMENT")
        scanner.read(line)
        opens = line.lstrip().startswith(("```", "~~~", "<!--"))
        if not quoted and not opens:
            yield number, line


def _is_task_heading(line: str) -> bool:
    found = _HEADING.match(line)
    return bool(found and _TASK_HEADING.match(found["text"]))


def _drafts(lines: Sequence[tuple[int, str]], *, headed: bool) -> list[_Draft]:
    drafts: list[_Draft] = []
    current: _Draft | None = None
    for number, line in lines:
        box, heading = _BOX.match(line), _HEADING.match(line)
        if headed and heading:
            current = (
                _Draft(number, 0, heading["text"], ticked=None, headed=True)
                if _is_task_heading(line)
                else None
            )
            drafts += [current] if current else []
        elif heading:
            current = None
        elif box and not (headed and current):
            current = _boxed(drafts, current, number, box)
        elif current and line.strip():
            if box:
                current.boxes.append(box["tick"] != " ")
            current.add(box["text"] if box else _words(line))
    return drafts


def _boxed(drafts: list[_Draft], current: _Draft | None, number: int, box: re.Match[str]) -> _Draft:
    """Returns a new task; or the one above, if the item is indented below it and has no id."""
    depth, ticked = len(box["indent"].expandtabs(4)), box["tick"] != " "
    draft = _Draft(number, depth, box["text"], ticked=ticked)
    if current and depth > current.depth and not draft.id:
        current.boxes.append(ticked)
        current.add(box["text"])
        return current
    drafts.append(draft)
    return draft


def _words(line: str) -> str:
    found = _BULLET.match(line)
    return found["text"] if found else line.strip()


def _attributes(text: str) -> tuple[str, list[str], list[str]]:
    """Returns the words of a line, the tasks that it depends on, and the files that it names."""
    found = list(_ATTRIBUTE.finditer(text))
    if not found:
        return text, [], []
    depends: list[str] = []
    files: list[str] = []
    ends = [*(match.start() for match in found[1:]), len(text)]
    for match, end in zip(found, ends, strict=True):
        value = re.split(r"[;；)）\]]", text[match.end() : end], maxsplit=1)[0]
        if match["depends"]:
            depends += _REFERENCE.findall(value) if value.strip(" .*_`").lower() not in _NONE else []
        else:
            files += list(_paths(value))
    return text[: found[0].start()], depends, files


def _paths(value: str) -> Iterator[str]:
    for part in re.split(r"[,、，]|(?<!\s)\s++(?:and|und|y|et)\s+", value):
        path = part.strip(" *_`\"'").rstrip(".").replace("\\", "/").removeprefix("./")
        if path.lower() not in _NONE:
            yield path


def some_of(names: Sequence[str]) -> str:
    """Returns the ids of the first tasks in one text, and how many more tasks there are."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def progress(tasks: Iterable[Task]) -> Ticks:
    """Returns how many tasks of a change are ticked."""
    boxed = [task for task in tasks if task.done is not None]
    return Ticks(
        sum(bool(task.done) for task in boxed), len(boxed), tuple(task.id for task in boxed if not task.done)
    )


def plan_waves(tasks: Sequence[Task]) -> Waves:
    """Plans tasks in waves: each in the first wave after its dependencies; files in two tasks are a problem."""
    problems = [*_twice(tasks), *_strangers(tasks)]
    known = {task.id: task for task in tasks}
    needs = {task.id: [each for each in task.depends if each in known] for task in known.values()}
    waves = _ordered(needs)
    placed = {name for wave in waves for name in wave}
    if len(placed) < len(needs):
        problems.append(_circle({name: needs[name] for name in needs if name not in placed}))
    problems += [problem for number, wave in enumerate(waves, 1) for problem in _shared(known, wave, number)]
    return Waves(waves, tuple(problems))


def _ordered(needs: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Returns the waves, without the tasks that wait for one another. Each dependency is looked at once."""
    place = {name: at for at, name in enumerate(needs)}
    waiting = {name: len(before) for name, before in needs.items()}
    after: dict[str, list[str]] = {name: [] for name in needs}
    for name, before in needs.items():
        for each in before:
            after[each].append(name)
    waves, ready = list[tuple[str, ...]](), [name for name in needs if not waiting[name]]
    while ready:
        waves.append(tuple(ready))
        for name in (each for done in waves[-1] for each in after[done]):
            waiting[name] -= 1
        freed = {name for done in ready for name in after[done] if not waiting[name]}
        ready = sorted(freed, key=place.__getitem__)
    return tuple(waves)


def _twice(tasks: Sequence[Task]) -> Iterator[str]:
    lines: dict[str, int] = {}
    for task in tasks:
        if task.id in lines:
            yield f"two tasks are called {task.id} (lines {lines[task.id]} and {task.line}): give one another id"
        lines.setdefault(task.id, task.line)


def _strangers(tasks: Sequence[Task]) -> Iterator[str]:
    known = {task.id for task in tasks}
    for task in tasks:
        for name in task.depends:
            if name not in known:
                yield f"{task.id} (line {task.line}) comes after {name}, which is no task here"


def _circle(needs: Mapping[str, Sequence[str]]) -> str:
    """Returns a sentence that names one circle among tasks that wait for one another."""
    path: dict[str, None] = {}
    name = next(iter(needs))
    while name not in path:
        path[name] = None
        name = next(each for each in needs[name] if each in needs)
    names = list(path)
    circle = names[names.index(name) :]
    more = ("…",) if len(circle) > MOST_NAMED else ()
    return f"tasks wait for one another: {' → '.join((*circle[:MOST_NAMED], *more, name))}"


def _shared(known: Mapping[str, Task], wave: Sequence[str], number: int) -> Iterator[str]:
    owners: dict[str, list[str]] = {}
    for name in wave:
        for file in known[name].files:
            owners.setdefault(file, []).append(name)
    for file, names in owners.items():
        if len(names) > 1:
            who = f"{' and '.join(names)} both" if len(names) == 2 else f"{some_of(names)} all"
            yield f"{who} touch {file} in wave {number}: let one come after the other"
