"""Finds hidden characters that a model reads: zero-width, bidirectional, tags, selectors, controls. Pure."""

import re
from collections.abc import Iterator
from functools import cache

# What an eye does not see. Line ends and tabs are no control characters here.
HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)

# What no reader can know the meaning of: for private use, no characters at all, and orders to lay out hieroglyphs.
_UNKNOWN = "\ue000-\uf8ff\U000f0000-\U0010ffff\ufdd0-\ufdef\ufffe\uffff\U00013430-\U0001345f" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0xF0000, 0x10000)
)
# More accents than any language puts on one letter: in general ones and those of Thai and Lao, and in others, which have more.
_FEW = "\u0300-\u034e\u0350-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
_MORE = (
    "\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u0711\u0730-\u074a\u0900-\u0902\u093c\u0941-\u0948\u094d\u0951-\u0957\u0981\u09bc\u09c1-\u09c4\u09cd\ua8e0-\ua8f1"
)
_STACK = rf"[{_FEW}{_MORE}][{_FEW}{_MORE}]{{4,400}}"  # a search for one class of characters is fast
_FEWEST, _FEWEST_OF_ALL = rf"[{_FEW}]{{5}}", 8

_PICTURES = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2934\u2935\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Arabic and its kin, the scripts of India and South-East Asia, Tibetan, Mongolian, Adlam.
_JOINED_SCRIPTS = (
    "\u0600-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefe"
    "\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
# Where such characters have a meaning of their own: in emoji, and in scripts that need them.
_LEGITIMATE = (
    rf"(?<=[{_PICTURES}])[\ufe0e\ufe0f]",
    r"(?<=[0-9#*])\ufe0f(?=\u20e3)",
    rf"(?<=[{_PICTURES}\ufe0f])\u200d(?=[{_PICTURES}])",
    r"(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",  # a flag
    rf"(?<=[{_JOINED_SCRIPTS}])[\u200c\u200d](?![\u200c\u200d])",
    rf"(?<=[{_IDEOGRAPHS}])[\ufe00-\ufe02\U000e0100-\U000e01ef]",
    r"(?<=[\u2200-\u22ff\u2a00-\u2aff\u1000-\u109f\uaa60-\uaa7f\ua840-\ua87f])\ufe00",
    r"(?<=[\u1820-\u18aa])[\u180b-\u180f]",
    r"(?<=[\u0590-\u05ff])\u034f",
    r"(?<=[\u2801-\u28ff])\u2800",  # a blank in Braille
    r"(?<![\s\S])\ufeff",
    r"(?<=[\U00013000-\U0001342f\U00013430-\U0001345f])[\U00013430-\U0001345f]",
)


def hidden_characters(text: str) -> Iterator[tuple[int, str]]:
    """Yields the index of each hidden character in a text, and a sentence; not those that emoji and scripts need.

    Stacks of accents, under which other text disappears, come after them.
    """
    past = 0
    for found in _hidden().finditer(text):
        at = found.start()
        if at < past:
            continue
        if legitimate := _legitimate().match(text, at):
            past = legitimate.end()
            continue
        kind = "control" if found[0] <= "\x9f" else "hidden"
        yield at, f"{kind} character U+{ord(found[0]):04X} ({_name(found[0])}): delete it"
    for found in () if text.isascii() else _stack().finditer(text):
        if len(found[0]) >= _FEWEST_OF_ALL or _few().search(found[0]):
            yield (
                found.start(),
                f"{len(found[0])} accents on one letter (from U+{ord(found[0][0]):04X} on): delete them",
            )


@cache
def _stack() -> re.Pattern[str]:
    return re.compile(_STACK)


@cache
def _few() -> re.Pattern[str]:
    return re.compile(_FEWEST)


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(f"[{HIDDEN}{_UNKNOWN}]")


@cache
def _legitimate() -> re.Pattern[str]:
    return re.compile("|".join(_LEGITIMATE))  # hardly any text needs it


def _name(character: str) -> str:
    from unicodedata import name as name_of

    if character == "\x1b":
        return "escape, which begins a terminal sequence"
    return name_of(character, "it has no name").lower()
