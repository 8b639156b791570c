"""The amount that a reader asks for (detail, limits, cursor), parsed by one function for every door."""

from typing import NamedTuple

from modicum.base.errors import WrongUsage
from modicum.engine.page import Budget, Detail
from modicum.engine.tokens import MEASURES, measure
from modicum.engine.views import budget, parse_detail

TOKENIZER = "o200k_base"
MOST_TOKENS = 25_000  # of a page that asks for everything and says no limit; the cursor goes on behind it

# Hardly an item takes less, so that a budget says how many can be on a page.
_LEAST = {"bytes": 48, "chars": 48}
_LEAST_TOKENS = 16
_DIGITS = 18


class Amount(NamedTuple):
    """The amount a reader asks for: detail, limits in tokens, bytes or items, and the cursor of the page."""

    detail: Detail = Detail.STANDARD
    limits: tuple[tuple[str, int], ...] = ()
    most_items: int = 0  # items that a page looks at; 0: as many as usual
    cursor: str = ""

    @property
    def unit(self) -> str:
        return self.limits[0][0] if self.limits else TOKENIZER

    @property
    def limit(self) -> int | None:
        return self.limits[0][1] if self.limits else None

    @property
    def budget(self) -> Budget:
        """Returns the limits of the amount as one budget; without a limit, sizes are in tokens."""
        return budget(self.limits) if self.limits else Budget(None, measure(self.unit))

    def items(self, usual: int) -> int:
        """Returns how many items the amount lets a page look at: the limit asked for, else the usual."""
        if self.most_items:
            return self.most_items
        fitting = [most // _LEAST.get(unit, _LEAST_TOKENS) for unit, most in self.limits]
        return max(usual, min(fitting)) if fitting else usual


def bounded(amount: Amount) -> Amount:
    """Returns an amount for a program: at full detail and without a limit of its own, a page of bounded size."""
    if amount.detail is not Detail.FULL or amount.limits:
        return amount
    return amount._replace(limits=((amount.unit, MOST_TOKENS),))


def parse_amount(
    *,
    detail: str = "",
    max_tokens: str = "",
    max_bytes: str = "",
    tokenizer: str = "",
    limit: str = "",
    cursor: str = "",
    usual: Detail = Detail.STANDARD,
) -> Amount:
    """Returns the amount from a reader's words (detail, limits, cursor); an empty word sets nothing."""
    unit = tokenizer or TOKENIZER
    if unit not in MEASURES:
        raise WrongUsage(f'there is no tokenizer "{unit[:40]}"', remedy=f"use one of: {', '.join(MEASURES)}")
    words = ((unit, "max_tokens", max_tokens), ("bytes", "max_bytes", max_bytes))
    limits = tuple((unit, whole_number(name, word)) for unit, name, word in words if word)
    most = whole_number("limit", limit) if limit else 0
    return Amount(detail_named(detail) if detail else usual, limits, most, cursor.strip())


def whole_number(name: str, word: str, least: int = 0) -> int:
    """Returns the whole number in a word of an amount; the error names the field."""
    if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS and int(word) >= least):
        raise WrongUsage(
            f'{name} is "{word[:40]}"',
            remedy=f"give a whole number from {least} on, of at most {_DIGITS} digits",
        )
    return int(word)


def detail_named(word: str) -> Detail:
    """Returns the detail of an amount that a reader names; any other word is an error, the same at every door."""
    try:
        return parse_detail(word)
    except ValueError:
        raise WrongUsage(
            f'there is no detail "{word[:40]}"', remedy="use summary, standard or full"
        ) from None
