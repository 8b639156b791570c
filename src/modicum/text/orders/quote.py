"""Quotes orders to a model in foreign text, so that they are shown and marked as what somebody wrote. Pure."""

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

SHORT = 2_000  # characters of a text that is remembered

# Of which each text with an order, a turn or a sign in brackets has one, in small letters: most texts have none.
ASCII_SIGNS = (
    *("ignor", "disregard", "forget", "override", "bypass", "neglect", "vergiss", "vergess", "missachte"),
    *("oubli", "olvid", "omite", "desconsidere", "dimentica", "negeer", "vergeet"),
    *("human", "assistant", "system:", "system :", "system**", "developer:", "inst]", "_prompt]"),
)
OTHER_SIGNS = (
    "esqueça",
    *("игнор", "забудь", "忽略", "无视", "無視", "忘记", "忘記", "忘掉", "忘れ", "무시", "잊"),
)


def may_order(text: str) -> bool:
    """Returns False if a text certainly has no order to a model: none of the words by which these are known."""
    return _remembered(text) if len(text) <= SHORT else _has_sign(text)


def _has_sign(text: str) -> bool:
    small = text.lower()
    signs = ASCII_SIGNS if small.isascii() else ASCII_SIGNS + OTHER_SIGNS
    return any(sign in small for sign in signs)


_remembered = lru_cache(maxsize=512)(_has_sign)  # a server shows the same notes again and again


def quote_orders(text: str, origin: str = "") -> str:
    """Returns a text in which orders to a model are quoted and marked, with where the text is from; all else stays."""
    if not may_order(text):
        return text
    whence = f" from {origin}" if origin else ""
    order, turn, bracket = _patterns()
    text = order.sub(lambda found: found[1] or f"[quoted{whence}, not an order: {found[0]}]", text)
    return bracket.sub("‹", turn.sub(r"\1> ", text))


def is_turn(text: str) -> bool:
    """Returns True if a text begins as a turn of a conversation with a model: `SYSTEM: …`."""
    return may_order(text) and _patterns()[1].match(text) is not None


def first_order(text: str) -> tuple[str, int]:
    """Returns the first order to a model in a text, in one line, and the number of its line; ("", 0) if there is none."""
    every = _patterns()[0].finditer(text) if may_order(text) else ()
    found = next((each for each in every if not each[1]), None)
    return (" ".join(found[0].split()), text.count("\n", 0, found.start()) + 1) if found else ("", 0)


# Imported and compiled when they are first needed (`re` keeps them): hardly any text needs them, and a hook has no time.
def _patterns() -> "tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]":
    import re

    from modicum.text.orders.phrases import BRACKET, ORDER, TURN

    return re.compile(ORDER), re.compile(TURN), re.compile(BRACKET)
