"""A property that is computed once and kept."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801 - a decorator
        """As `functools.cached_property`, which in Python 3.11 lets one thread at a time ask any instance."""

        def __init__(self, find: Callable[[Any], object]) -> None:
            self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

        def __get__(self, instance: object, owner: type) -> object:
            found = vars(instance)[self.name] = self.find(instance)
            return found


__all__ = ("once",)
