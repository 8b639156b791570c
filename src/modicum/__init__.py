"""modicum gives every AI tool the right amount of context.

As a library, it is one function: `fit(sections, view)` makes a page that is never over its budget. See docs/python.md.
"""

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than a hook may take
if TYPE_CHECKING:
    from modicum.engine.page import Block, Budget, Detail, Fate, Order, Page, Section, View, fit
    from modicum.engine.tokens import measure

__version__ = "0.1.0"
__all__ = ["Block", "Budget", "Detail", "Fate", "Order", "Page", "Section", "View", "fit", "measure"]


def __getattr__(name: str) -> object:
    """Imports a name of the library when it is first used: commands and hooks start without it."""
    if name not in __all__:
        raise AttributeError(f"module 'modicum' has no attribute {name!r}")
    from modicum.engine import page, tokens

    found: object = getattr(tokens if name == "measure" else page, name)
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
