"""The sizes of packs for lists: the bytes of each tier, and the tokens on a page with room for all."""

from modicum.base.value import Value
from modicum.engine.page import Detail, View, fit
from modicum.engine.tokens import count
from modicum.packs.model import Pack
from modicum.packs.sections import STARTS, compose
from modicum.text.markdown import split_tiers


class TierBytes(Value):
    """The size of a pack in a list: the number of bytes in each tier of its context and constraints."""

    pack: Pack
    tiers: dict[str, int]


def token_count(pack: Pack) -> int:
    """Returns the size of a pack in tokens, on a page that has room for all of it."""
    return count(fit(compose([pack], "markdown").whole(), View(Detail.FULL)).text)


def tier_bytes(pack: Pack) -> TierBytes:
    """Returns the size of a pack in bytes: those of each tier."""
    tiers = dict.fromkeys(STARTS, 0)
    for text in (*pack.context, *pack.constraints):
        for run in split_tiers(text.text).runs:
            tiers[run.tier] += count(run.text, "bytes")
    return TierBytes(pack, tiers)
