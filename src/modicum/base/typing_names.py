"""Names of `typing` for modules that a hook loads. To a type checker they are those of `typing`; at run time they do nothing.

To import `typing` takes a hook longer than to save a prompt.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Any
    from typing import Generic as Generic
    from typing import Protocol as Protocol
    from typing import TypeVar as TypeVar
else:
    Any = object

    class Protocol:
        """Stands for `typing.Protocol`: a base class that says only that a class is an interface."""

    class Generic:
        """Stands for `typing.Generic`: a base class that says only that a class is made for items of any type."""

        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            return cls

    def TypeVar(_: str) -> type:  # noqa: N802 - as in `typing`
        """Returns the type that everything has."""
        return object
