"""The base class of named tuples, as `typing.NamedTuple` is, but a class costs little to define.

To a type checker it is `typing.NamedTuple`. That one writes and compiles a constructor for each class whenever Python starts, which takes
longer than all the rest of the class.
"""

from collections.abc import Iterable
from types import MappingProxyType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter as _field

    _new = tuple.__new__

    class _NamedTupleType(type):
        """Makes named tuple classes whose values have no `__dict__`, as tuples have none."""

        def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, object]) -> type:
            return super().__new__(cls, name, bases, {"__slots__": (), **members})

    class NamedTuple(tuple, metaclass=_NamedTupleType):
        """The base class of a named tuple: annotations name its fields, in their order; those with a default come last."""

        _fields = ()
        _field_defaults = MappingProxyType({})
        _size = 0
        _ends = ()  # the defaults alone

        def __init_subclass__(cls) -> None:
            if NamedTuple not in cls.__bases__:  # one that inherits its fields
                return
            own = vars(cls)
            names = tuple(cls.__annotations__)
            cls._fields = cls.__match_args__ = names
            cls._field_defaults = {name: own[name] for name in names if name in own}
            cls._size, cls._ends = len(names), tuple(cls._field_defaults.values())
            for at, name in enumerate(names):
                setattr(cls, name, _field(at, name))

        def __new__(cls, *given: object, **named: object) -> "NamedTuple":
            missing = cls._size - len(given)
            if not named and 0 <= missing <= len(cls._ends):
                return _new(cls, given + cls._ends[-missing:] if missing else given)
            rest = {**cls._field_defaults, **named}
            left = cls._fields[len(given) :]
            values = tuple([rest[name] for name in left if name in rest])
            if len(given) + len(values) != cls._size or not named.keys() <= set(left):
                raise TypeError(f"{cls.__name__} takes each of these once: {', '.join(cls._fields)}")
            return _new(cls, given + values)

        @classmethod
        def _make(cls, values: Iterable[object]) -> "NamedTuple":
            made = _new(cls, values)
            if len(made) != cls._size:
                raise TypeError(f"{cls.__name__} has {cls._size} fields, not {len(made)}")
            return made

        def _replace(self, **changes: object) -> "NamedTuple":
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"{type(self).__name__} has no {', '.join(changes)}")
            return made

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            held = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({held})"
