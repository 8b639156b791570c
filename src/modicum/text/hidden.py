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
)


def hidden_characters(text: str) -> Iterator[tuple[int, str]]:
    """Yields the index of each hidden character in a text, and a sentence; not those that emoji and scripts need."""
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


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(f"[{HIDDEN}]")


@cache
def _legitimate() -> re.Pattern[str]:
    return re.compile("|".join(_LEGITIMATE))  # hardly any text needs it


def _name(character: str) -> str:
    from unicodedata import name as name_of

    if character == "\x1b":
        return "escape, which begins a terminal sequence"
    return name_of(character, "it has no name").lower()
