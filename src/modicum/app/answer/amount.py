"""How much a reader wants, in the words of every door."""

from typing import NamedTuple

from modicum.base.errors import ModicumError
from modicum.engine.page import Budget, Detail, Order, Pointer, View
from modicum.engine.tokens import MEASURES, measure
from modicum.engine.views import DETAIL_NAMES, budget, parse_detail

TOKENIZER = "o200k_base"

# Hardly an item takes less, so that a budget says how many can be on a page.
_LEAST = {"bytes": 48, "chars": 48}
_LEAST_TOKENS = 16


class Amount(NamedTuple):
    """How each item is worded, and the most there may be of all: in one unit, or in several at once."""

    detail: Detail = Detail.STANDARD
    limits: tuple[tuple[str, int], ...] = ()
    pointer: Pointer | None = None
    floor: Detail = Detail.SUMMARY  # the least that is told of an item, if it is told of at all

    @property
    def unit(self) -> str:
        return self.limits[0][0] if self.limits else TOKENIZER

    @property
    def limit(self) -> int | None:
        return self.limits[0][1] if self.limits else None

    def view(self, order: Order) -> View:
        """The view; without a limit, sizes are told in tokens."""
        bounds = budget(self.limits) if self.limits else Budget(None, measure(self.unit))
        return View(self.detail, self.floor, bounds, order, pointer=self.pointer)

    def items(self, usual: int) -> int:
        """As many items as may fit, or the usual number if there is no limit."""
        fitting = [most // _LEAST.get(unit, _LEAST_TOKENS) for unit, most in self.limits]
        return max(usual, min(fitting)) if fitting else usual


def parse_amount(
    *, detail: str = "", max_tokens: str = "", max_bytes: str = "", tokenizer: str = ""
) -> Amount:
    """The amount in a reader's words; an empty word asks for nothing."""
    unit = tokenizer or TOKENIZER
    if unit not in MEASURES:
        raise ModicumError(
            f'there is no tokenizer "{unit[:40]}"', remedy=f"use one of: {', '.join(MEASURES)}"
        )
    words = ((unit, "max_tokens", max_tokens), ("bytes", "max_bytes", max_bytes))
    limits = tuple((unit, whole_number(name, word)) for unit, name, word in words if word)
    return Amount(_detail(detail) if detail else Detail.STANDARD, limits)


def whole_number(name: str, word: str, least: int = 0) -> int:
    """A number that somebody wrote."""
    if not (word.isascii() and word.isdigit() and len(word) <= 18 and int(word) >= least):
        raise ModicumError(f'{name} is "{word[:40]}"', remedy=f"give a whole number from {least} on")
    return int(word)


def _detail(word: str) -> Detail:
    try:
        return parse_detail(word)
    except ValueError:
        raise ModicumError(
            f'there is no detail "{word[:40]}"', remedy=f"use one of: {', '.join(DETAIL_NAMES)}"
        ) from None
