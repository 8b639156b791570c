"""Asks about the adapters of projects and sources, on a terminal, before a command uses them; `--trust HASH` agrees without one."""

from collections.abc import Iterable, Sequence

from modicum.base.config import Config
from modicum.cli import output
from modicum.cli.questions import says_yes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.targets.bounds.model import WaitingAdapter


def settle_adapters(config: Config, hashes: Sequence[str], *, may_ask: bool, layer: str = "") -> Config:
    """Agrees to the adapters with these hashes, and on a terminal asks about each other one (of a layer); returns the new configuration."""
    from modicum.app.packs.adapter_agreements import agree_to_adapters, trusted_adapters, waiting_adapters

    waiting = waiting_adapters(config)
    if not (waiting or hashes):
        return config
    agreed = [*trusted_adapters(config, waiting, hashes)]
    for adapter in waiting if may_ask else ():
        if adapter not in agreed and layer in ("", adapter.layer) and _says_yes(adapter):
            agreed.append(adapter)
    return agree_to_adapters(config, agreed)


def say_waiting(adapters: "Iterable[WaitingAdapter]") -> None:
    """Prints one line for each adapter that is not in force, with where it would write and how to agree to it."""
    for adapter in adapters:
        output.warn(adapter.in_one_line())


def waiting_as_json(adapters: "Iterable[WaitingAdapter]") -> list[dict[str, object]]:
    """Returns the adapters that are not in force as JSON, for those who agree to them by a program."""
    return [
        {"id": each.id, "of": each.layer, "file": each.file, "hash": each.hash, "writes": [*each.writes]}
        for each in adapters
    ]


def _says_yes(adapter: "WaitingAdapter") -> bool:
    output.warn(
        f'{adapter.whose} has an adapter "{adapter.id}" ({adapter.file}), and you have not agreed to it.'
    )
    output.warn(
        "It says what is written for an AI tool, and where:" if adapter.writes else "It names no file."
    )
    for line in adapter.writes:
        output.warn(f"  {line}")
    where = "for all your projects" if adapter.place == "everywhere" else "for this project"
    return says_yes(f"Agree to it {where}, as long as the file stays as it is ({adapter.hash})?")
