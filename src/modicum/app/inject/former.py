"""What former injects have written: recorded pages and settings, and pages that other machines wrote."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from modicum.app.inject.destination import READING, Destination, InjectRequest, root_of, spot_of
from modicum.app.inject.load import Knowledge, choose_tools
from modicum.app.inject.readers import (
    Surroundings,
    look_around,
)
from modicum.app.inject.tool_files import destinations_of
from modicum.base.config import Config
from modicum.base.typing_names import Any
from modicum.targets.change import FileRecord, TargetFile
from modicum.targets.loaders.carriers import SETTING
from modicum.targets.model import (
    Adapter,
)
from modicum.targets.records import RecordedPart, recorded

NOBODY = Adapter("modicum", "modicum", "file-inject")  # where no record tells for which tools a page was


def pages_written(config: Config, scope: str) -> list[RecordedPart]:
    """Returns our records of the pages that former injects wrote in this project or in the home folder."""
    root = root_of(config, scope)
    return [part for part in recorded(config.state) if part.place.root == root and is_page(part)]


def page_sections(knowledge: Knowledge) -> frozenset[str]:
    """Returns the names of the regions in which former injects may have written pages."""
    return frozenset(target.section for adapter in knowledge.adapters.values() for target in adapter.targets)


def is_page(part: RecordedPart) -> bool:
    return "told" in part.record.extra


def reading_wires(config: Config, records: Iterable[RecordedPart]) -> Iterator[dict[str, Any]]:
    """Yields the settings that a former inject has changed so that tools read a page."""
    for part in records:
        rows = part.record.extra.get("wires")
        for row in rows if isinstance(rows, list) else ():
            if any(str(tool).startswith(READING) for tool in row["tools"]):
                yield {**row, "file": Path(os.path.relpath(part.place.path, config.root)).as_posix()}


def not_created(config: Config, records: Iterable[RecordedPart]) -> frozenset[str]:
    """Returns the files that were there, perhaps empty, before a former inject put a page into a region of theirs."""
    regions = (part for part in records if part.place.mode == "replace-section" and not part.record.created)
    return frozenset(_path_for_readers(config, part.place) for part in regions)


def _path_for_readers(config: Config, place: TargetFile) -> str:
    """The path by which readers know the file that a place means, also through a link."""
    path = Path(os.path.relpath(spot_of(place)[0], os.path.realpath(place.root))).as_posix()
    return f"~/{path}" if place.root == str(config.home) else path


def leftovers(
    config: Config,
    knowledge: Knowledge,
    found: Iterable[Destination],
    written: Iterable[RecordedPart],
    around: Surroundings,
) -> Iterator[Destination]:
    """Yields the destinations of former injects that hold something of ours and that no page goes to any more."""
    spots = {destination.spot for destination in found}
    for part in written:
        # A tool that is not known may only be out of order for the moment.
        if spot_of(part.place) not in spots and set(part.record.tools) <= set(knowledge.adapters):
            spots.add(spot_of(part.place))
            yield former_destination(config, knowledge, part)
    for part in unrecorded(config, around):
        if spot_of(part.place) not in spots:
            yield former_destination(config, knowledge, part)


def unrecorded(config: Config, around: Surroundings) -> Iterator[RecordedPart]:
    """Yields what a former inject on another machine wrote, which is ours by its marks."""
    for carrier in around.present:
        if carrier.kind == SETTING:
            continue
        at_home = carrier.path.startswith("~/")
        root = str(config.home if at_home else config.root)
        path = str(Path(root, carrier.path.removeprefix("~/")))
        place = TargetFile(path, carrier.mode, carrier.section or "modicum", root=root, is_home=at_home)
        yield RecordedPart(place, FileRecord(created=True))


def former_destination(config: Config, knowledge: Knowledge, part: RecordedPart) -> Destination:
    """Returns the destination of a page that a former inject wrote, for any tool."""
    tools = part.record.tools
    adapters = tuple(knowledge.adapters.get(name, Adapter(name, name, "file-inject")) for name in tools)
    at_home = part.place.root == str(config.home)
    return Destination(
        adapters=adapters or (NOBODY,),
        scope="global" if at_home else "project",
        place=part.place,
        shown_path=os.path.relpath(part.place.path, part.place.root),
        is_over=True,
    )


def every_destination(config: Config, knowledge: Knowledge, request: InjectRequest) -> Iterator[Destination]:
    """Yields every place where a former inject may have written a page for the tools, whether it is recorded or not."""
    tools = choose_tools(config, knowledge, request.tools, every=request.all_tools)
    for adapter in tools:
        yield from destinations_of(config, adapter, request, lambda _: ())
    if not request.tools:
        yield from (
            former_destination(config, knowledge, part)
            for part in unrecorded(
                config, look_around(config, tools, request.scope, page_sections(knowledge))
            )
        )
