"""Values: frozen, compared by what they hold, built whole and changed with `replace`, as frozen dataclasses are.

A dataclass writes and compiles source text for every class at every start; a value does without.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, dataclass_transform

NOTHING: Mapping[str, Any] = MappingProxyType({})  # a mapping to start from


@dataclass_transform(frozen_default=True)
class Value:
    """A subclass names its fields by annotations, as a dataclass does. A default must not be mutable."""

    _names: ClassVar[tuple[str, ...]] = ()
    _known: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[dict[str, object]] = {}

    def __init_subclass__(cls) -> None:
        cls._names = tuple(cls.__annotations__)
        cls._known = frozenset(cls._names)
        cls._defaults = {name: vars(cls)[name] for name in cls._names if name in vars(cls)}

    def __init__(self, *given: object, **named: object) -> None:
        names, held = self._names, self.__dict__
        held.update(self._defaults)
        held.update(zip(names, given, strict=False))
        held.update(named)
        if held.keys() != self._known or not named.keys().isdisjoint(names[: len(given)]):
            raise TypeError(f"{type(self).__name__} takes each of these once: {', '.join(names)}")
        if len(given) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} fields, not {len(given)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} keeps its {name}: replace() makes another one")

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(map(self.__dict__.__getitem__, self._names)))

    def __repr__(self) -> str:
        held = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._names)
        return f"{type(self).__name__}({held})"


V = TypeVar("V", bound=Value)  # not bound by name: to read that takes longer than all the rest here


def replace(value: V, /, **changes: Any) -> V:  # noqa: ANN401 (each field has a type of its own)
    """The value with some of its fields changed."""
    return type(value)(**{**value.__dict__, **changes})


def as_dict(value: Value) -> dict[str, Any]:
    """The fields of a value by name, in their order."""
    return {name: value.__dict__[name] for name in value._names}
