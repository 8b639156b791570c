"""What the options of all commands are made of."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
