"""Normalises names of projects, scopes, topics and sessions to the one form that memory keeps; words public ids of notes. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from modicum.base.named_tuple import NamedTuple
from modicum.base.plain_words import is_plain

PROJECT, PERSONAL, GLOBAL = "project", "personal", "global"
SCOPES = (PROJECT, PERSONAL, GLOBAL)

LONGEST_TOPIC = 120  # bytes
_USUAL_NAME = 100  # letters; longer ones are not kept in mind
LONGEST_NAME = 600  # bytes: three of them fit into one entry of an index
# A public id is the same on every machine. Nobody mistakes one of its letters for another.
PUBLIC_MARK = "n-"
ALL_LETTERS, SHOWN_LETTERS, FEWEST_LETTERS = 12, 6, 4
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTER_BITS = 5
_PUBLIC_BITS = ALL_LETTERS * _LETTER_BITS
MOST_AMOUNT = 1_000_000_000  # of anything that is counted: every database can count further

CASE, SUBSTRING, TYPO = "case-insensitive", "substring", "levenshtein"
_SHORTEST_SUBSTRING = 3
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"
# A name is one line that can be shown: without what moves the cursor, colours a terminal or begins a new line.
_ONE_LINE = dict.fromkeys((*range(32), *range(127, 160)), _UNKNOWN) | dict.fromkeys(map(ord, _BLANKS), " ")


class Similar(NamedTuple):
    """A project name in memory that may be meant instead of another, and how the names differ."""

    name: str
    kind: str
    distance: int = 0


def storable(text: str) -> str:
    """Returns a name with a mark for each character that no database keeps: NUL, half surrogate pairs."""
    if text.isascii() and "\0" not in text:
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = "".join(_UNKNOWN if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    return text.replace("\0", _UNKNOWN)


def public_line(text: str) -> str:
    """Returns a name of any length as memory may keep it: one line without private parts or likely secrets."""
    if "<" not in text and is_plain(text):  # as names mostly are: then a hook need not load the patterns
        return storable(text).translate(_ONE_LINE)
    from modicum.memory.redact import redact

    return redact(text).translate(_ONE_LINE)


def public_name(text: str) -> str:
    """Returns a name as memory may keep it: one line without secrets, and of at most 600 bytes."""
    return _public_name(text) if len(text) <= _USUAL_NAME else _bounded(public_line(text))


@lru_cache(maxsize=1024)  # an import has the same few names many times
def _public_name(text: str) -> str:
    return _bounded(public_line(text))


def _bounded(name: str) -> str:
    """The name, or the beginning of a long one with its hash: two that differ stay two, and each is found again."""
    size = len(name.encode())
    if size <= LONGEST_NAME:
        return name
    from hashlib import sha256  # loads OpenSSL, which such a name alone needs

    return f"{clip(name, LONGEST_NAME - 17)}~{sha256(name.encode()).hexdigest()[:16]}"


def project_name(text: str) -> str:
    """Normalises the name of a project: lower case, with runs of "-" or "_" as one."""
    name = public_name(text).strip().lower()
    for mark in "-_":
        while mark * 2 in name:
            name = name.replace(mark * 2, mark)
    return _bounded(name)  # some letters are longer in lower case


def scope_name(text: str) -> str:
    """Normalises the name of a scope: any name that is not a known scope becomes `project`."""
    name = text.strip().lower()
    return name if name in SCOPES else PROJECT


def topic_name(text: str) -> str:
    """Normalises the name of a topic: lower case, with "-" for blanks, of at most 120 bytes."""
    return clip("-".join(public_name(text).lower().split()), LONGEST_TOPIC)


def clip(text: str, size: int) -> str:
    """Cuts a name that memory keeps to its first `size` bytes or less, never within a character."""
    return text.encode()[:size].decode(errors="ignore")


def default_session(project: str) -> str:
    """Returns the name of a project's default session, for what is saved outside of any session."""
    return _bounded(f"manual-save-{project}") if project else "manual-save"


def public_number(sync_id: str) -> int:
    """Returns the public id of a note as a number of 60 bits, from the name that all copies of the note share."""
    from modicum.base.hashes import sha256  # a hook reads the number from the database

    digest = sha256(sync_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - _PUBLIC_BITS)


def public_id(number: int, letters: int = SHOWN_LETTERS) -> str:
    """Returns the public id of a note in letters, as pages name the note: `n-7kq2m4`."""
    ends = range(_PUBLIC_BITS - _LETTER_BITS, _PUBLIC_BITS - _LETTER_BITS * (letters + 1), -_LETTER_BITS)
    return PUBLIC_MARK + "".join([_LETTERS[number >> end & 31] for end in ends])


def public_ids(numbers: Mapping[int, int], letters: int = SHOWN_LETTERS) -> dict[int, str]:
    """Returns the public id of each of some notes in memory, by their local numbers: names that differ from one another.

    Two that share the letters of one are named in twelve; two that share all of them by their local numbers.
    """
    names = {local: public_id(number, letters) for local, number in numbers.items()}
    alike = Counter(names.values())
    if len(alike) == len(names):
        return names
    numbered = {local: f"#{local}" for local in numbers}
    longer = public_ids(numbers, ALL_LETTERS) if letters < ALL_LETTERS else numbered
    return {local: name if alike[name] == 1 else longer[local] for local, name in names.items()}


def public_range(word: str) -> tuple[int, int] | None:
    """Returns the least and the greatest number of the public ids that begin with a name; None if it is no such name."""
    letters = word.strip().lower().removeprefix(PUBLIC_MARK)
    known = letters.isascii() and all(letter in _LETTERS for letter in letters)
    if len(letters) == len(word.strip()) or not known or not FEWEST_LETTERS <= len(letters) <= ALL_LETTERS:
        return None
    rest = _LETTER_BITS * (ALL_LETTERS - len(letters))
    start = 0
    for letter in letters:
        start = start << _LETTER_BITS | _LETTERS.index(letter)
    return start << rest, (start + 1 << rest) - 1


def similar_projects(name: str, existing: Iterable[str], *, slips: int = 3) -> tuple[Similar, ...]:
    """Returns the project names that a name may be another spelling of, the likeliest first."""
    wanted = name.strip().lower()
    slips = min(slips, max(1, len(wanted) // 2))
    compared = (_compared(wanted, other, slips) for other in existing if other != name)
    found = [similar for similar in compared if similar]
    order = (CASE, SUBSTRING, TYPO)
    return tuple(sorted(found, key=lambda similar: (order.index(similar.kind), similar.distance)))


def _compared(wanted: str, other: str, slips: int) -> Similar | None:
    folded = other.strip().lower()
    if wanted == folded:
        return Similar(other, CASE)
    if len(wanted) >= _SHORTEST_SUBSTRING and folded and (wanted in folded or folded in wanted):
        return Similar(other, SUBSTRING)
    distance = _distance(wanted, folded) if abs(len(wanted) - len(folded)) <= slips else slips + 1
    return Similar(other, TYPO, distance) if distance <= slips else None


def _distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, row = row, [i]
        for j, wanted in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != wanted)))
    return row[-1]
