"""Checks YAML files against a table of fields; what does not fit is reported with its file and line.

    PACK = Record({"id": text(required=True), "weight": whole(), "tags": list_of(text())}, ignored={"profiles"})
    value, problems = check(path.read_bytes(), PACK, "cap/pack.yaml")

The value is plain data: str, int, bool, tuple and dict. It is None if any problem is fatal. A forgiving record leaves out
the keys that are wrong, and a list the forgiving records that are; such problems are not fatal.
Text is taken as written, so `version: 1.10` and `tags: [no]` mean what their author sees.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from modicum.base.named_tuple import NamedTuple
from modicum.base.near_words import nearest
from modicum.base.typing_names import Any, Protocol
from modicum.base.value import Value
from modicum.base.yaml.nodes import PLAIN, QUOTED, UnreadableError, YamlNode, compose, decoded, nothing

_STRING_TAG = "tag:yaml.org,2002:str"
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WHOLE = r"(?a)[-+]?\d{1,15}\Z"
_SEPARATORS = str.maketrans("", "", "-_ ")


class YamlProblem(Value):
    """A problem that the YAML check found at a line (0: whole file); a fatal one makes its record unusable."""

    file: str
    line: int
    message: str
    fatal: bool = True

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


class Checked(NamedTuple):
    """The value of a checked YAML file (None if it is unusable), and the problems in it."""

    value: Any
    problems: tuple[YamlProblem, ...]


class CheckPosition(Value):
    """The place in a YAML file that is being checked, and all problems of the file so far."""

    file: str
    problems: list[YamlProblem]
    path: str = ""

    def within(self, key: str) -> "CheckPosition":
        return CheckPosition(self.file, self.problems, f"{self.path}.{key}" if self.path else key)

    def complain(self, line: int, message: str) -> None:
        self.problems.append(YamlProblem(self.file, line, message))

    def forgive(self, since: int, what: str = "it") -> bool:
        """Makes the fatal problems of a YAML check, from a number on, warnings that say what follows; returns True if there were any."""
        fatal = [at for at in range(since, len(self.problems)) if self.problems[at].fatal]
        for at in fatal:
            found = self.problems[at]
            message = f"{found.message}: {what} is left out"
            self.problems[at] = YamlProblem(found.file, found.line, message, fatal=False)
        return bool(fatal)

    def refuse(self, node: YamlNode, wanted: str, remedy: str = "") -> None:
        ending = f" ({remedy})" if remedy else ""
        self.complain(_line(node), f"{self.subject} must be {wanted}, not {_shown(node)}{ending}")

    @property
    def subject(self) -> str:
        return f'"{self.path}"' if self.path else "the file"


class Shape(Protocol):
    """The shape that a YAML value must have; `read` checks and returns the value, or reports and returns the default."""

    @property
    def required(self) -> bool: ...

    @property
    def default(self) -> Any: ...

    def read(self, node: YamlNode, place: CheckPosition) -> Any: ...


def check(source: bytes | str, shape: Shape, file: str) -> Checked:
    """Checks one YAML document against a shape; returns it as plain data, with the problems."""
    problems: list[YamlProblem] = []
    place = CheckPosition(file, problems)
    try:
        node = compose(decoded(source))
    except UnreadableError as error:
        return Checked(None, (YamlProblem(file, error.line, error.message),))
    value = _read(shape, node or nothing("~"), place)
    return Checked(None if any(problem.fatal for problem in problems) else value, tuple(problems))


Check = Callable[[bytes | str, Shape, str], Checked]


class Text(Value):
    """The shape of a YAML value that is any single value, as it is written."""

    required: bool = False
    default: str | None = ""
    complaint: Callable[[str], str] | None = None

    def read(self, node: YamlNode, place: CheckPosition) -> str | None:
        if node.id != "scalar":
            place.refuse(node, "text")
            return self.default
        value = str(node.value)
        if self.required and not value.strip():
            place.complain(_line(node), f"{place.subject} is empty")
        elif self.complaint and (complaint := self.complaint(value)):
            place.complain(_line(node), f"{place.subject} {complaint}")
        return value


class WholeNumber(Value):
    """The shape of a YAML value that is a whole number."""

    required: bool = False
    default: int | None = 0
    least: int | None = None

    def read(self, node: YamlNode, place: CheckPosition) -> int | None:
        looks_right = node.id == "scalar" and re.match(_WHOLE, node.value)
        if looks_right and node.tag == PLAIN:
            number = int(node.value)
            if self.least is None or number >= self.least:
                return number
            place.refuse(node, f"{self.least} or more")
        else:
            place.refuse(node, "a whole number", "remove the quotes" if looks_right else "")
        return self.default


class Flag(Value):
    """The shape of a YAML value that is true or false."""

    required: bool = False
    default: bool | None = False

    def read(self, node: YamlNode, place: CheckPosition) -> bool | None:
        value = _FLAGS.get(node.value.lower()) if node.id == "scalar" else None
        if value is None or node.tag != PLAIN:
            place.refuse(node, "true or false", "" if value is None else "remove the quotes")
            return self.default
        return value


class Choice(Value):
    """The shape of a YAML value that is one of a few words or `spellings`; `loose` ignores case, "-" and "_"."""

    words: tuple[str, ...]
    required: bool = False
    default: str | None = ""
    loose: bool = False
    spellings: Mapping[str, str] = MappingProxyType({})

    def read(self, node: YamlNode, place: CheckPosition) -> str | None:
        known = {self._folded(word): word for word in self.words}
        known |= {self._folded(word): meant for word, meant in self.spellings.items()}
        word = str(node.value) if node.id == "scalar" else ""
        if (found := known.get(self._folded(word))) is not None:
            return found
        near = nearest(word, self.words)
        place.refuse(node, _either(self.words), f'did you mean "{near}"?' if near else "")
        return self.default

    def _folded(self, word: str) -> str:
        return word.translate(_SEPARATORS).lower() if self.loose else word


class List(Value):
    """The shape of a YAML list with entries of one shape; with `unique`, values under that key must differ."""

    entry: Shape
    required: bool = False
    unique: str = ""

    @property
    def default(self) -> tuple[Any, ...]:
        return ()

    def read(self, node: YamlNode, place: CheckPosition) -> tuple[Any, ...]:
        if node.id != "sequence":
            place.refuse(node, "a list", f"write [{node.value}]" if node.id == "scalar" else "")
            return ()
        first: dict[str, int] = {}
        entries = []
        for item in node.value:
            if _is_null(item):
                place.complain(_line(item), f"{place.subject} has an empty entry")
                continue
            before = len(place.problems)
            entry = _read(self.entry, item, place)
            if self.unique and (mark := entry.get(self.unique)) and _seen(mark, item, first):
                place.complain(
                    _line(item), f'{self.unique} "{mark}" is given twice (first on line {first[mark]})'
                )
            if not (getattr(self.entry, "forgiving", False) and place.forgive(before, "the entry")):
                entries.append(entry)
        return tuple(entries)


class Map(Value):
    """The shape of a YAML mapping with any keys, and values of one shape."""

    entry: Shape
    required: bool = False

    @property
    def default(self) -> dict[str, Any]:
        return {}

    def read(self, node: YamlNode, place: CheckPosition) -> dict[str, Any]:
        pairs = _pairs(node, place)
        return {key.value: _read(self.entry, item, place.within(key.value)) for key, item in pairs}


class Record(Value):
    """The shape of a YAML mapping with known keys, each of its own shape; absent ones get their default.

    Ignored keys are accepted in silence. A forgiving record does without keys that are unknown or wrong, unless they are
    required. With `bare`, a single value stands for a record with that key alone.
    `complaint` looks at the whole record and says what is wrong with it, or nothing.
    """

    fields: Mapping[str, Shape]
    ignored: Collection[str] = ()
    required: bool = False
    sparse: bool = False
    bare: str = ""
    forgiving: bool = False
    complaint: Callable[[Mapping[str, Any]], str] | None = None

    @property
    def default(self) -> dict[str, Any]:
        return {} if self.sparse else {name: shape.default for name, shape in self.fields.items()}

    def read(self, node: YamlNode, place: CheckPosition) -> dict[str, Any]:
        if self.bare and node.id == "scalar":
            return self.default | {self.bare: _read(self.fields[self.bare], node, place.within(self.bare))}
        before = len(place.problems)
        given, meant = self._given(node, place)
        row = self.default | given
        if node.id == "mapping":
            self._complain_of_missing({*given, *meant}, node, place)
        if len(place.problems) == before and self.complaint and (complaint := self.complaint(row)):
            place.complain(_line(node), complaint)
        return row

    def _given(self, node: YamlNode, place: CheckPosition) -> tuple[dict[str, Any], list[str]]:
        """The values by their keys, and the keys that were probably meant by unknown ones."""
        given: dict[str, Any] = {}
        meant: list[str] = []
        for key, value in _pairs(node, place, forgiving=self.forgiving):
            before, shape = len(place.problems), self.fields.get(key.value)
            if not shape:
                meant.append(self._unknown(key, place))
                shape = self.fields.get(meant[-1])
            elif not _is_null(value):
                given[key.value] = _read(shape, value, place.within(key.value))
            if self.forgiving and not (shape and shape.required) and place.forgive(before):
                given.pop(key.value, None)
        return given, meant

    def _complain_of_missing(self, present: set[str], node: YamlNode, place: CheckPosition) -> None:
        for name, shape in self.fields.items():
            if shape.required and name not in present:
                place.complain(_line(node), f"{place.within(name).subject} is missing")

    def _unknown(self, key: YamlNode, place: CheckPosition) -> str:
        """Complains about an unknown key; returns the key that was probably meant."""
        if key.value in self.ignored:
            return ""
        near = nearest(key.value, self.fields)
        remedy = f'did you mean "{near}"?' if near else f"known are {', '.join(self.fields)}"
        place.complain(_line(key), f"unknown key {place.within(key.value).subject} ({remedy})")
        return near


def choice(
    *words: str,
    required: bool = False,
    default: str | None = "",
    loose: bool = False,
    spellings: Mapping[str, str] | None = None,
) -> Choice:
    """Returns the shape of a YAML value that is one of these words."""
    return Choice(words, required, default, loose, spellings or {})


text, whole, flag, list_of, map_of = Text, WholeNumber, Flag, List, Map


def _read(shape: Shape, node: YamlNode, place: CheckPosition) -> Any:
    if node.tag not in (PLAIN, QUOTED, _STRING_TAG):
        place.complain(_line(node), f"{place.subject} has the tag {node.tag} (remove it)")
        return shape.default
    if _is_null(node):
        # An empty file is a record without keys: what it requires is missing.
        empty_file = isinstance(shape, Record) and not place.path
        return shape.read(nothing("{}"), place) if empty_file else shape.default
    return shape.read(node, place)


def _pairs(
    node: YamlNode, place: CheckPosition, *, forgiving: bool = False
) -> Iterator[tuple[YamlNode, YamlNode]]:
    if node.id != "mapping":
        place.refuse(node, "keys with values")
        return
    first: dict[str, int] = {}
    for key, value in node.value:
        before = len(place.problems)
        if key.id != "scalar":
            place.complain(_line(key), f"a key must be text, not {_shown(key)}")
        elif _seen(key.value, key, first):
            subject = place.within(key.value).subject
            place.complain(_line(key), f"{subject} is given twice (first on line {first[key.value]})")
        else:
            yield key, value
            continue
        if forgiving:
            place.forgive(before)


def _seen(word: str, node: YamlNode, first: dict[str, int]) -> bool:
    if word in first:
        return True
    first[word] = _line(node)
    return False


def _is_null(node: YamlNode) -> bool:
    return node.id == "scalar" and node.tag == PLAIN and node.value in _NULLS


def _line(node: YamlNode) -> int:
    return int(node.start_mark.line) + 1


def _shown(node: YamlNode) -> str:
    if node.id != "scalar":
        return "a list" if node.id == "sequence" else "keys with values"
    value = " ".join(node.value.split())
    short = value if len(value) <= 40 else value[:39] + "…"
    return f'the text "{short}"' if node.tag == QUOTED else f'"{short}"'


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
