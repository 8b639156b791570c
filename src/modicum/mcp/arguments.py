"""Parses the arguments of an MCP tool call; what is read as another type is remarked on."""

import json
from collections.abc import Mapping, Sequence

from modicum.base.errors import ModicumError

LARGEST_NUMBER = 2**63 - 1
LEAST_NUMBER = -(2**63)
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


class Arguments:
    """The arguments of one call of an MCP tool; `remarks` lists converted values and unknown names."""

    def __init__(self, arguments: Mapping[str, object], known: Sequence[str] = ()) -> None:
        self.arguments = {name: value for name, value in arguments.items() if value is not None}
        self.remarks: list[str] = []
        for name in self.arguments if known else ():
            if name not in known:
                self._remark_unknown(name, known)

    def _remark_unknown(self, name: str, known: Sequence[str]) -> None:
        from modicum.base.near_words import nearest

        near = nearest(name, known)
        hint = f", did you mean {near}?" if near else ""
        self.remarks.append(f"there is no argument {_quoted(name)}{hint}")

    def text(self, name: str, usual: str = "") -> str:
        """Returns an argument of an MCP tool call as a text; of a number or a boolean, its JSON."""
        value = self.arguments.get(name, usual)
        if isinstance(value, str):
            return value
        if isinstance(value, bool | int | float):
            return json.dumps(value)
        raise _wrong(name, value, "a text")

    def needed(self, name: str) -> str:
        """Returns a required text among the arguments of an MCP tool call; raises ModicumError if there is none."""
        found = self.text(name)
        if not found.strip():
            raise ModicumError(f"{name} is missing", remedy=f"call again with {name}, a text")
        return found

    def number(self, name: str, usual: int | None = None, *, least: int = 0) -> int | None:
        """Returns an argument of an MCP tool call as a whole number, also from a text; `usual` if there is none."""
        value = self.arguments.get(name)
        if value is None or value == "":
            return usual
        found = _whole(value)
        if found is None or not least <= found <= LARGEST_NUMBER:
            raise _wrong(name, value, f"a whole number from {least} on")
        if not isinstance(value, int | float):
            self.remarks.append(f"{name}: {_quoted(value)} was read as {found}")
        return found

    def amount(self, name: str, usual: int) -> int:
        """Returns an argument of an MCP tool call as a number above zero; `usual` if it is none."""
        return max(self.number(name, least=LEAST_NUMBER) or 0, 0) or usual

    def key(self, name: str = "id") -> str:
        """Returns an argument of an MCP tool call as the id of a note, also from a number, or as another key, such as session:s1."""
        value = self.arguments.get(name)
        if value is None or value == "":
            raise ModicumError(f"{name} is missing", remedy=f"call again with {name}, such as n-7kq2m4")
        return self._keys(name, [value])[0]

    def keys(self, name: str) -> list[str]:
        """Returns an argument of an MCP tool call as ids of notes, from a list or a text such as "n-7kq2m4, 42"."""
        return self._keys(name, self._listed(name))

    def _keys(self, name: str, values: object) -> list[str]:
        some = values if isinstance(values, list) else [None]
        found = [each.strip(' "') if isinstance(each, str) else _whole(each) for each in some]
        if any(each is None for each in found):
            raise _wrong(name, values, "the id of a note, such as n-7kq2m4 or 42")
        return [str(each) for each in found]

    def flag(self, name: str) -> bool:
        """Returns an argument of an MCP tool call as a boolean, also from a text; False if there is none."""
        value = self.arguments.get(name, False)
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word not in (*_TRUE, *_FALSE):
            raise _wrong(name, value, "true or false")
        self.remarks.append(f"{name}: {_quoted(value)} was read as {str(word in _TRUE).lower()}")
        return word in _TRUE

    def numbers(self, name: str) -> list[int]:
        """Returns an argument of an MCP tool call as numbers, from a list or a text such as "3,4" or "[3,4]"."""
        value = self._listed(name)
        found = [_whole(each) for each in value] if isinstance(value, list) else [None]
        if any(number is None for number in found):
            raise _wrong(name, value, "a list of numbers, such as [3, 4]")
        return [number for number in found if number is not None]

    def _listed(self, name: str) -> object:
        value = self.arguments.get(name, [])
        if not isinstance(value, str):
            return value
        return [word for word in value.strip().strip("[]").split(",") if word.strip()]

    def choice(self, name: str, choices: Sequence[str], usual: str = "") -> str:
        """Returns an argument of an MCP tool call that is one of some words; raises ModicumError for any other."""
        word = self.text(name, usual).strip().lower()
        if word not in choices and not (word == usual == ""):
            raise _wrong(name, word, f"one of: {', '.join(choices)}")
        return word


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        word = value.strip().removeprefix("#")
        return int(word) if word.isascii() and word.lstrip("-").isdigit() and len(word) < 20 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def _wrong(name: str, value: object, wanted: str) -> ModicumError:
    return ModicumError(f"{name} is {_quoted(value)}", remedy=f"give {wanted}")


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"
