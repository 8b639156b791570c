"""What AI tools read in all with the pages of an inject: everything that counts for a limit, tokens, directives."""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from modicum.app.counted import counted
from modicum.app.inject.destination import Destination, Placement, SeenFiles
from modicum.app.inject.plan import Injection
from modicum.base.config import Config
from modicum.base.value import replace
from modicum.engine.tokens import count
from modicum.targets.loaders.collect import collect
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import Loader
from modicum.targets.loaders.reading import limit_in_force, measured, reading
from modicum.targets.model import TOKENIZERS
from modicum.text.directives import USUAL_BOUND, directives


class TotalRead(NamedTuple):
    """The total that an AI tool reads: what counts for its limit and the limit, or all of it and None."""

    tool: str
    used: int
    most: int | None
    unit: str
    tokens: int  # of everything that it reads
    directives: int  # how many instructions that has


def totals_read(config: Config, seen: SeenFiles, injection: Injection) -> list[TotalRead]:
    """Returns the total that each tool of an inject reads, once its pages are written: yours, ours, and at home."""
    adapters = {a.id: a for o in injection.outcomes for a in o.destination.adapters if a.reads}
    loaders = {name: adapter.reads or Loader() for name, adapter in adapters.items()}
    files = collect(config.root, config.home, [*loaders.values()])
    files = with_planned_files(config, files, seen, injection)
    return [total for name, loader in loaders.items() for total in _totals(name, loader, files)]


def about_limits(
    config: Config, placement: Placement, injection: Injection, totals: Iterable[TotalRead]
) -> tuple[str, ...]:
    """Returns what is to be said of limits beside the pages of an inject: changed, passed, too many directives, left out."""
    from modicum.app.inject.load import about_own_packs
    from modicum.app.inject.warnings import beyond_features

    own = about_own_packs(config) if placement.scope == "project" else ""
    beyond = beyond_features(placement.seen, injection.outcomes)
    return (*injection.changed_limits, *beyond, *too_many_directives(totals), *filter(None, (own,)))


def with_planned_files(
    config: Config, files: ProjectFiles, seen: SeenFiles, injection: Injection
) -> ProjectFiles:
    """Returns the files that tools read in total, once an inject has written its pages and settings."""
    # The settings of a dry run are not in their files.
    files = replace(files, settings={**files.settings, **seen.files.settings})
    for planned in injection.outcomes:
        if planned.change and planned.destination.place:
            path = path_in_reading(config, planned.destination, planned.destination.place.path)
            files = files.with_text(path, planned.change.after or "")
    return files


def path_in_reading(config: Config, destination: Destination, place: str) -> str:
    """Returns the path of an injected file as a reading has it: below the project, or behind ~/ at home."""
    at_home = destination.scope == "global"
    path = Path(os.path.relpath(place, config.home if at_home else config.root)).as_posix()
    return f"~/{path}" if at_home else path


def _totals(tool: str, loader: Loader, files: ProjectFiles) -> Iterator[TotalRead]:
    found = reading(loader, files, "", loader.versions[-1])
    texts = [(files.text(each.path) or "")[each.start : each.end] for each in found.passages]
    in_all = (sum(count(text, TOKENIZERS[0]) for text in texts), sum(map(count_directives, texts)))
    limits = [limit for limit in loader.limits if not (limit.feature or limit.whole)]
    for limit in limits:
        used = found.used.get(limit.name, 0)
        yield TotalRead(tool, used, limit_in_force(files, limit), limit.unit, *in_all)
    if not limits:
        yield TotalRead(tool, sum(measured(text, "bytes") for text in texts), None, "bytes", *in_all)


def directives_in_words(number: int) -> str:
    """Returns in words the total of instructions that an AI tool reads, with the usual bound beside it."""
    return f"{counted(number, 'directive')} in all; agents usually follow about {USUAL_BOUND} well"


def too_many_directives(totals: Iterable[TotalRead]) -> Iterator[str]:
    """Yields a sentence for each AI tool that reads a larger total of instructions than agents usually follow well."""
    for tool, number in {total.tool: total.directives for total in totals}.items():
        if number > USUAL_BOUND:
            yield (
                f"{tool} reads {number:,} directives, and agents usually follow about {USUAL_BOUND} well: "
                f"modicum lint finds what is said twice, less detail leaves out details"
            )


@lru_cache(maxsize=256)  # several tools read the same files
def count_directives(text: str) -> int:
    """Counts the instructions in a text, for the totals that `inject --stats` tells of an AI tool."""
    return len(directives(text))
