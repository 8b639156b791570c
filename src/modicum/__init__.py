"""modicum gives every AI tool the right amount of context.

As a library, it is one function: `fit(sections, view)` makes a page that is never over its budget. See docs/python.md.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from modicum.engine.page import Block, Budget, Detail, Fate, Order, Page, Section, View, fit
    from modicum.engine.tokens import measure

__version__ = "0.1.0"
__all__ = ["Block", "Budget", "Detail", "Fate", "Order", "Page", "Section", "View", "fit", "measure"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    """Imports a name of the library when it is first used: commands and hooks start without it."""
    if name not in __all__:
        raise AttributeError(f"module 'modicum' has no attribute {name!r}")
    from modicum.engine import page, tokens

    return getattr(tokens if name == "measure" else page, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
