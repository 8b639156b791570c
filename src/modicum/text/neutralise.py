"""Neutralises foreign text that a model reads as data: no tag of a harness, no hidden character, no order. Pure."""

import re
from functools import cache

from modicum.text.hidden import HIDDEN
from modicum.text.orders.quote import is_turn, quote_orders

# Seen nowhere, and needed by emoji and by several scripts: these only go where they follow plain ASCII.
_JOINERS = "\u034f\u17b4\u17b5\u180b-\u180f\u200c\u200d\ufe00-\ufe0f"
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
# What is kept is in the group: flags of regions, and variants of Chinese characters.
_UNSEEN = (
    rf"({_FLAG}|[{_IDEOGRAPHS}][\U000e0100-\U000e01ef])"
    rf"|\x1b\[[0-?]{{0,40}}[ -/]{{0,8}}[@-~]|(?![{_JOINERS}])[{HIDDEN}]"
)
_JOINING_NOTHING = rf"(?<![^\x00-\x7f])(?!(?<=[0-9#*])\ufe0f\u20e3)[{_JOINERS}]+"

# Names by which programs and models know their own words from those of others. Not "<T>", HTML or JSX, nor what C++ includes.
_NAMES = (
    r"antml:|modicum-memory|invoke\b|(?:[a-z]{1,20}:)(?:invoke|parameter)\b",
    r"sys(?:tem)?(?![\w.-]|/\w)|system[-_](?!error>)|(?:extremely|very)[-_]important|important[-_]",
    r"(?:function|tool)[-_](?:calls?|uses?|results?|outputs?|response|code|declarations?)\b",
    r"env(?=\s{0,4}/?>)|turn[-_](?:aborted|context|started|ended)|collaboration[-_]mode|[a-z]{1,20} instructions\s{0,4}/?>",
    r"[\w-]{1,40}[-_](?:hook|context|reminder|instructions?|notification|caveat|of_turn|snapshot)\b",
    r"user[-_](?:prompt|query|info|memory|action|shell|message|input|rules)",
    r"(?:hook|environment|command|bash|ide|local-command)[-_][a-z]",
    # Words that may also be the parameter of a type: List<Reminder>.
    r"(?<!\w<)(?:parameter|assistant|human|instructions?|reminder|(?:ant)?think(?:ing)?|bos|eos)\b",
)
_TAG = rf"<(?=[|｜]\w|(?:\s{{0,4}}/\s{{0,4}})?(?i:{'|'.join(_NAMES)})"
# With a blank before the name it is a comparison, unless nothing but the name is in it.
_TAG += rf"|(?<!\w<)\s{{1,4}}(?=[\w:.-]{{2,60}}\s{{0,4}}/?>)(?i:{'|'.join(_NAMES)}))"

# Other characters that look like the first bracket of a tag; what follows is folded before it is compared.
_BRACKETS = "\uff1c\ufe64\u02c2\u1438\u276e\u27e8\u2329\u3008"
_LOOKS_LIKE_TAG = rf"[<{_BRACKETS}]"
_TAG_LENGTH = 90  # characters
# Letters of other alphabets that look like Latin ones, which folding leaves alone.
_LOOKALIKES = dict(zip(map(ord, "аеорсухѕіјԁһѵАВЕКМНОРСТХЅІЈ"), "aeopcyxsijdhvABEKMHOPCTXSIJ", strict=True))
_ODD_LINE = r"(?m)^[ \t]{0,8}(?=[*# ]{0,8}[^\x00-\x7f])"


def neutralise(text: str, origin: str = "") -> str:
    """Neutralises a text, so that it may stand among a model's instructions: without hidden and control characters, with "‹"
    for the "<" of each tag that programs or models use for their own words, and with orders to a model quoted, as words
    of their `origin`. All else stays."""
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = _unseen().sub(lambda found: found[1] or "", text)
        text = _joining_nothing().sub("", text)
        text = _without_lookalikes(text)
    text = _tag().sub("‹", text) if "<" in text else text
    return quote_orders(text, origin)


def _without_lookalikes(text: str) -> str:
    """The text with "‹" for the bracket of each tag that is one only once it is folded, and with folded turns quoted."""

    def bracket(found: re.Match[str]) -> str:
        at = found.start()
        return "‹" if _tag().match("<" + _folded(text[at + 1 : at + _TAG_LENGTH])) else found[0]

    def turn(found: re.Match[str]) -> str:
        return found[0] + ("> " if is_turn(_folded(text[found.end() : found.end() + _TAG_LENGTH])) else "")

    text = _looks_like_tag().sub(bracket, text)
    return _odd_line().sub(turn, text)


def _folded(text: str) -> str:
    from unicodedata import normalize

    return text if text.isascii() else normalize("NFKC", text).translate(_LOOKALIKES)


# Compiled when they are first needed: most texts need none of them, and a hook has no time.
@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(_UNSEEN)


@cache
def _joining_nothing() -> re.Pattern[str]:
    return re.compile(_JOINING_NOTHING)


@cache
def _looks_like_tag() -> re.Pattern[str]:
    return re.compile(_LOOKS_LIKE_TAG)


@cache
def _odd_line() -> re.Pattern[str]:
    return re.compile(_ODD_LINE)


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(_TAG)
