"""Packs the texts of a passage for SQLite: one value for its title, marks and body, about half as large as the texts."""

import zlib

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PARTS = {"title": 0, "marks": 1, "body": 2}
# What most passages have: usual stems of English notes, the marks of usual types and of the usual scope. It never changes, since
# what was packed with it cannot be unpacked without it.
COMMON = """
option class method function modul string object number kei field user session project note server client token cach queri databas
tabl column row page request respons messag log level handler test fail run build deploi branch commit path file name line text
word list dict tupl byte int type valu argument paramet default set get add remov delet updat chang creat open close read write
send call return rais except error timeout not no but all ani each other same new old first last on two after befor becaus so
than then when where which while if els into out can will should must mai do doe done have had ha been were wa ar is be by from
with or and of to in that it for as at thi an a the
ǂp ǂs2fb3d0ee ǂt74995efa ǂs2fb3d0ee ǂtd48a2f7c ǂs2fb3d0ee ǂta3bcfc8e ǂs2fb3d0ee ǂtcf05a4c2 ǂs2fb3d0ee ǂt76effdcf
ǂs2fb3d0ee ǂt5d69b053 ǂs2fb3d0ee ǂtdcf0e439 ǂs2fb3d0ee ǂt54380c2f ǂe ǂs2fb3d0ee ǂtc5863185 ǂe ǂs2fb3d0ee ǂt84acbe48 ǂe
ǂs2fb3d0ee ǂt10dbbec4 ǂe
""".replace("\n", " ").encode()
MOST_PACKED = 100_000  # characters: a giant is kept as it is, which is quicker
# A window of 4 kB and little memory: most passages are shorter, and what zlib makes ready costs more than the packing.
_LEVEL, _WINDOW, _MEMORY = 6, -12, 4
_LOST = ("",) * len(PARTS)


def packed(title: str, marks: str, body: str) -> bytes | str:
    """Returns the texts of a passage as one value for SQLite; only the body may have line ends."""
    texts = "\n".join((title, marks, body))
    if len(texts) > MOST_PACKED:
        return texts
    packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=COMMON)
    return packing.compress(texts.encode()) + packing.flush()


class Unpacking:
    """Unpacks the texts of passages in SQLite; keeps the last ones, since several of one passage are asked for in a row."""

    def __init__(self) -> None:
        self._last: bytes | str | None = None
        self._texts = _LOST

    def part(self, texts: bytes | str, name: str) -> str:
        """Returns one of the texts that SQLite keeps packed, the `title`, the `marks` or the `body`; "" if they are damaged."""
        if texts != self._last:
            self._last, self._texts = texts, _parts(texts)
        return self._texts[PARTS[name]]


def is_whole(texts: bytes, kind: str) -> bool:
    """Returns False if the texts of a passage in SQLite are damaged; so they are if all three are empty.

    They are given as bytes, with the type that the value has in SQLite: "text" is not packed.
    """
    try:
        return any(_parts(texts.decode() if kind == "text" else texts))
    except UnicodeDecodeError:
        return False


def _parts(texts: bytes | str) -> tuple[str, ...]:
    parts = tuple(_plain(texts).split("\n", len(PARTS) - 1))
    return parts if len(parts) == len(PARTS) else _LOST


def _plain(texts: bytes | str) -> str:
    """The texts as one; "" if they are damaged: the notes stay readable, and the index can be made anew from them."""
    try:
        plain = texts if isinstance(texts, str) else _inflated(texts)
    except (zlib.error, UnicodeDecodeError, TypeError):  # TypeError: it is a number
        return ""
    # No stem has these letters, and the triggers cannot split a text that has one.
    return "" if '"' in plain or "\\" in plain or "\0" in plain else plain


def _inflated(blob: bytes) -> str:
    unpacking = zlib.decompressobj(_WINDOW, COMMON)
    plain = unpacking.decompress(blob).decode()
    return plain if unpacking.eof and not unpacking.unused_data else ""


def add_functions(connection: apsw.Connection) -> None:
    """Gives a connection the SQL functions that the schema of SQLite needs, `packed` and `unpacked`, and `is_whole` for checks."""
    functions: dict[str, tuple[Callable[..., bytes | str | bool], int]] = {
        "packed": (packed, 3),
        "unpacked": (Unpacking().part, 2),
        "is_whole": (is_whole, 2),
    }
    for name, (function, arguments) in functions.items():
        connection.create_scalar_function(name, function, arguments, deterministic=True)
