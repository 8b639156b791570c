"""Settings of AI tools that inject changes so that they read our page: planned, written and taken out again."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from modicum.app.agents.wiring import (
    Wiring,
    carried_out,
    looking,
    ours,
    removals,
    settings_jobs,
    writing,
)
from modicum.app.inject.destination import READING, InjectRequest
from modicum.app.inject.load import Knowledge
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.targets.loaders.carriers import Carrier
from modicum.targets.loaders.model import ReadingSetting
from modicum.targets.model import Adapter
from modicum.targets.settings.editing import read
from modicum.targets.wiring.entries import Wanted


def apply_settings(
    config: Config,
    knowledge: Knowledge,
    scope: str,
    settings: Sequence[tuple[Adapter, Carrier]],
    *,
    left: Collection[str] = (),
    dry: bool,
) -> Wiring:
    """Brings the settings that concern reading to what a placement wants, and takes out what it no longer wants.

    Those of the tools in `left` stay as they are.
    """
    wanted = [_wanted(adapter, carrier) for adapter, carrier in settings if adapter.id not in left]
    parts = [part for part in ours(config, scope) if any(map(_is_ours, part.record.tools))]
    tools = frozenset(tool for part in parts for tool in part.record.tools if _is_ours(tool))
    tools |= {tool for each in wanted for tool in each.tools}
    tools -= {READING + tool for tool in left}
    jobs = [*settings_jobs(config, scope, wanted, tools)]
    busy = {job.place.path for job in jobs}
    idle = [part for part in parts if part.place.path not in busy]
    request = InjectRequest(scope=scope)
    carry_out = looking(config) if dry else writing(config)
    return carried_out(knowledge, [*jobs, *removals(idle, request, tools)], carry_out)


def why_unreadable(config: Config, settings: Iterable[ReadingSetting]) -> Iterator[str]:
    """Yields a sentence for each settings file about reading that cannot be read itself: where, why, and what to do."""
    for path, format in dict.fromkeys((setting.path, setting.format) for setting in settings):
        try:
            read((config.root / path).read_text(encoding="utf-8"), format)
        except (OSError, ValueError, ModicumError) as error:
            yield f"{config.root / path}: {error}"


def _is_ours(tool: str) -> bool:
    return tool.startswith(READING)


def _wanted(adapter: Adapter, carrier: Carrier) -> Wanted:
    settings = adapter.reads.settings if adapter.reads else ()
    setting = next(s for s in settings if s.path == carrier.path and s.keys == carrier.keys)
    is_item = bool(carrier.text)  # there is a list already
    value = carrier.text if is_item else carrier.value
    name = f"{adapter.name}: {'.'.join(carrier.keys)}"
    return Wanted(carrier.path, setting.format, carrier.keys, value, is_item, name, (READING + adapter.id,))
