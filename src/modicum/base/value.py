"""The base class of values: frozen, compared by their fields, and changed with `replace`, as frozen
dataclasses are.

A dataclass writes and compiles source text for every class at every start; a value does without.
"""

from types import MappingProxyType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from inspect import Signature
    from typing import Any, ClassVar, TypeVar, dataclass_transform

    V = TypeVar("V", bound="Value")
else:

    def dataclass_transform(**_: object) -> object:
        """Tells type checkers that a value has the signature of a dataclass, as `dataclass_transform` of `typing` does, which is slow to import; does nothing else."""
        return lambda made: made


NOTHING: "Mapping[str, Any]" = MappingProxyType({})  # a mapping to start from


class _SignatureOfClass:
    """Makes the signature of a value class when somebody asks for it: `inspect` is too large to import at every start."""

    def __get__(self, _: object, cls: "type[Value]") -> "Signature":
        from inspect import Parameter, Signature

        types = {name: kind for base in _values_of(cls) for name, kind in base.__annotations__.items()}
        return Signature(
            [
                Parameter(
                    name,
                    Parameter.POSITIONAL_OR_KEYWORD,
                    default=cls._defaults.get(name, Parameter.empty),
                    annotation=types[name],
                )
                for name in cls.__match_args__
            ]
        )


@dataclass_transform(frozen_default=True)
class Value:
    """The base class of a frozen value: annotations name its fields, as in a dataclass; no mutable defaults."""

    __match_args__: "ClassVar[tuple[str, ...]]" = ()  # the names of the fields, in their order
    __signature__: "ClassVar[Any]" = _SignatureOfClass()
    _known: "ClassVar[frozenset[str]]" = frozenset()
    _defaults: "ClassVar[Mapping[str, object]]" = NOTHING

    def __init_subclass__(cls) -> None:
        fields: dict[str, None] = {}
        defaults: dict[str, object] = {}
        for base in _values_of(cls):
            own = vars(base)
            fields |= dict.fromkeys(base.__annotations__)
            defaults |= {name: own[name] for name in base.__annotations__ if name in own}
        cls.__match_args__ = tuple(fields)  # type: ignore[misc]  # a class is not frozen, its values are
        cls._known = frozenset(fields)
        cls._defaults = defaults

    def __init__(self, *given: object, **named: object) -> None:
        names, held = self.__match_args__, self.__dict__
        if len(given) < len(names):
            held.update(self._defaults)
        if given:
            held.update(zip(names, given, strict=False))
        if named:
            held.update(named)
            once = not given or named.keys().isdisjoint(names[: len(given)])
            complete = once and held.keys() == self._known
        else:
            complete = len(held) == len(names)
        if not complete:
            raise TypeError(f"{type(self).__name__} takes each of these once: {', '.join(names)}")
        if len(given) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} fields, not {len(given)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} keeps its {name}: replace() makes another one")

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(map(self.__dict__.__getitem__, self.__match_args__)))

    def __repr__(self) -> str:
        held = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({held})"


def _values_of(cls: type[Value]) -> list[type[Value]]:
    """The class and the classes that it has its fields from, parents first."""
    return [base for base in reversed(cls.__mro__) if base is not Value and issubclass(base, Value)]


def replace(value: "V", /, **changes: "Any") -> "V":  # noqa: ANN401 (each field has a type of its own)
    """Returns a copy of a value with some of its fields changed."""
    return type(value)(**{**value.__dict__, **changes})


def as_dict(value: Value) -> "dict[str, Any]":
    """Returns the fields of a value by name, in their order."""
    return {name: value.__dict__[name] for name in value.__match_args__}
