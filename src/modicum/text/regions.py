"""Our named regions in somebody else's text: finds them, puts them in and takes them out without a trace."""

import re
from functools import lru_cache
from itertools import zip_longest

from modicum.base.value import Value
from modicum.text.markdown import BOM, LINE_END, Scanner, markdown_start

_NAME = r"[A-Za-z0-9 ._/-]+"
_MARK = re.compile(rf"<!-- modicum:(start|end):({_NAME}) -->(?=[\r\n]|\Z)")
# Without one of these there is nothing in which a marker could be quoted.
_QUOTING = re.compile("```|~~~|<!--")
_LOOSE = {
    "start": 'region "{name}" has no end: delete this line, or add the line "<!-- modicum:end:{name} -->"',
    "end": 'region "{name}" has no start: delete this line, or add the line "<!-- modicum:start:{name} -->"',
}
_LOOKALIKE = r"(?m)^<!--(?=[ \t]*modicum:(?:start|end):)"


class Region(Value):
    """A region of ours in a host text, from the start of its first marker line to the end of its last."""

    name: str
    line: int
    start: int
    end: int
    body: str


class Orphan(Value):
    """A region in a host text whose markers do not fit together: where, what is wrong, and the remedy."""

    name: str
    line: int
    message: str


class RegionError(ValueError):
    """The error for a host text whose region markers do not fit together, so that an edit is not safe."""

    def __init__(self, orphan: Orphan) -> None:
        super().__init__(f"line {orphan.line}: {orphan.message}")
        self.orphan = orphan


def region_of(host: str, name: str) -> Region | Orphan | None:
    """Returns the region of this name in a host text, or what is wrong with its markers, or None."""
    return _pick(_walk(host).parts, name)


def region_names(host: str) -> tuple[str, ...]:
    """Returns the names of all our regions in a host text, orphans included, each once and in order."""
    return tuple(dict.fromkeys(part.name for part in _walk(host).parts))


def put_region(host: str, name: str, body: str, *, top: bool = False) -> str:
    """Returns the host text with this region: replaced where it is, otherwise added at the end.

    It goes to the top instead with `top`, or if a fence or a comment is open at the end and would swallow it.
    """
    eol, walk = _eol(host), _walk(host)
    region, block = _sound(_pick(walk.parts, name)), _block(name, body, eol)
    if region:
        return host[: region.start] + block + host[region.end :]
    if host in ("", BOM):
        return host + block + eol
    if walk.top < len(host) and (
        top or walk.scanner.swallows
    ):  # else front matter is all there is, perhaps without a line end
        return host[: walk.top] + block + eol + eol + host[walk.top :]
    # Whether the host ended in a line end is told by whether the block does, so that taking out is exact.
    if host.endswith(("\r", "\n")):
        return host + eol + block + eol
    return host + eol + eol + block


def is_on_top(host: str, region: Region) -> bool:
    """Returns True if there is nothing above a region of a host text but front matter."""
    return not host[_top(host, _marks(host)) : region.start].strip()


def take_region(host: str, name: str) -> str:
    """Returns the host text without this region and the blank line that came with it."""
    region, eol = _sound(region_of(host, name)), _eol(host)
    if not region:
        return host
    before, after = host[: region.start], host[region.end :]
    if not after:
        return before.removesuffix(eol).removesuffix(eol)
    if after != eol:
        return before + after.removeprefix(eol).removeprefix(eol)
    original = before.removesuffix(eol)
    return original if original.endswith(("\r", "\n")) else before


def take_regions(host: str) -> str:
    """Returns the host text without any region; one whose markers do not fit together stays."""
    for name in region_names(host):
        host = host if isinstance(region_of(host, name), Orphan) else take_region(host, name)
    return host


def _eol(host: str) -> str:
    found = LINE_END.search(host)
    return found[0] if found else "\n"


def _block(name: str, body: str, eol: str) -> str:
    text = body.rstrip().replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(_LOOKALIKE, "&lt;!--", text) if "modicum:" in text else text
    inner = text.replace("\n", eol) + eol if text else ""
    return f"<!-- modicum:start:{name} -->{eol}{inner}<!-- modicum:end:{name} -->"


def _sound(found: Region | Orphan | None) -> Region | None:
    if isinstance(found, Orphan):
        raise RegionError(found)
    return found


def _pick(parts: list[Region | Orphan], name: str) -> Region | Orphan | None:
    if not re.fullmatch(_NAME, name):
        raise ValueError(f'region name "{name}": use letters, digits, spaces and the signs . _ / - only')
    named = [part for part in parts if part.name == name]
    orphan = next((part for part in named if isinstance(part, Orphan)), None)
    if orphan or len(named) < 2:
        return orphan or next(iter(named), None)
    return Orphan(name, named[1].line, f'a second region "{name}": delete one of the two')


class _Walk:
    """One walk over the host, past every region; what a region holds opens no fence outside of it."""

    def __init__(self, host: str, top: int) -> None:
        self.host, self.top = host, top  # a region at the top goes there
        self.at, self.line = 0, 1
        self.scanner = Scanner()
        self.parts: list[Region | Orphan] = []

    def skip_to(self, end: int) -> None:
        feeds, returns, both = (self.host.count(sign, self.at, end) for sign in ("\n", "\r", "\r\n"))
        self.line += feeds + returns - both
        self.at = end

    def read_to(self, end: int) -> None:
        if self.at < end and self.scanner.is_idle and not _QUOTING.search(self.host, self.at, end):
            self.skip_to(end)
        while self.at < end:
            line = self.scanner.ahead(self.host, self.at, end)
            self.scanner.read(line)
            self.skip_to(self.at + len(line))

    def meet(self, mark: re.Match[str], follower: re.Match[str] | None) -> None:
        kind, name = mark.groups()
        # A body never holds a marker line: with another marker in between, text of the host may be there too.
        if kind == "start" and follower and follower.groups() == ("end", name):
            body = self.host[self._line_after(mark) : follower.start()].rstrip("\r\n")
            self.parts.append(Region(name, self.line, mark.start(), follower.end(), body))
            self.skip_to(self._line_after(follower))
            self.scanner = Scanner()
        else:
            self.parts.append(Orphan(name, self.line, _LOOSE[kind].format(name=name)))

    def _line_after(self, mark: re.Match[str]) -> int:
        line_end = LINE_END.match(self.host, mark.end())
        return line_end.end() if line_end else mark.end()


@lru_cache(maxsize=4)  # one file is asked about several times in a row
def _walk(host: str) -> _Walk:
    marks = _marks(host)
    walk = _Walk(host, _top(host, marks))
    walk.skip_to(walk.top)
    for mark, follower in zip_longest(marks, marks[1:]):
        walk.read_to(mark.start())
        if walk.at == mark.start() and not walk.scanner.quotes(mark[0]):
            walk.meet(mark, follower)
    walk.read_to(len(host))
    return walk


def _marks(host: str) -> list[re.Match[str]]:
    first = len(BOM) if host.startswith(BOM) else 0
    return [m for m in _MARK.finditer(host) if m.start() == first or host[m.start() - 1] in "\r\n"]


def _top(host: str, marks: list[re.Match[str]]) -> int:
    start = markdown_start(host)
    if marks and marks[0].start() < start:
        # Dashes in a region below are no end of front matter.
        return len(BOM) if host.startswith(BOM) else 0
    return start
