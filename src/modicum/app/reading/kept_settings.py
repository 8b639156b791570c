"""Keeps the settings that were tried for an AI tool in the project's files, and takes the last ones back."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from modicum.app.config_file import edit_config
from modicum.app.inject import run
from modicum.app.inject.load import choose_packs, choose_profile, load_knowledge, load_library
from modicum.app.packs.adapter_agreements import agree_to_adapters, waiting_adapters
from modicum.app.packs.turn_on import skip_packs, use_packs
from modicum.app.reading.tried_settings import VERBOSITIES, TriedSettings, request_for, try_settings
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.targets.disk import held, refuse_read_only, write_own
from modicum.targets.settings.editing import remove_entry, set_entry

_PATIENCE_SECONDS = 10


class KeptFile(msgspec.Struct):
    """A file in which settings were kept: its text before (None: no file) and after."""

    path: str
    before: str | None
    after: str


def keep_settings(config: Config, tried: TriedSettings) -> list[str]:
    """Keeps settings that were tried in the project's files: the tool's adapter and the lists of packs. Returns their paths."""
    try_settings(config, load_knowledge(config), tried)  # complains before anything is written
    adapter = config.project / "adapters" / f"{tried.tool}.yaml"
    files = [adapter, config.project_file]
    before = [_text(file) for file in files]
    if tried.detail is not None or tried.max_bytes is not None or tried.no_bound:
        _edit_adapter(config, adapter, tried)
    if tried.packs is not None:
        _choose_packs(config, tried.packs)
    kept = [KeptFile(str(f), old, _text(f) or "") for f, old in zip(files, before, strict=True)]
    kept = [file for file in kept if file.before != file.after and (file.before or file.after)]
    if kept:
        write_own(_record(config, tried.tool), msgspec.json.encode(kept), private=True)
    return [Path(file.path).relative_to(config.root).as_posix() for file in kept]


def _edit_adapter(config: Config, file: Path, tried: TriedSettings) -> None:
    """Writes the keys into the project's adapter, and agrees to the result: it was in force before, or is new."""
    if waiting := [each for each in waiting_adapters(config) if each.file == str(file)]:
        raise ModicumError(
            f"{file} is not in force, because you have not agreed to it",
            remedy=f"modicum inject --trust {waiting[0].hash}",
        )
    edit_config(config, file, lambda text: _with_keys(text, tried))
    agree_to_adapters(config, [each for each in waiting_adapters(config) if each.file == str(file)])


def write_pages(config: Config, tool: str) -> list[str]:
    """Writes the pages of one tool as the settings that are kept want them; returns the files that were written."""
    done = run.perform(run.prepare(config, request_for(TriedSettings(tool))))
    if done.troubles:
        raise ModicumError(done.troubles[0], remedy="mend it, then inject again")
    changed = [file for file in done.outcomes if file.change and file.change.changed]
    return [file.destination.shown_path for file in changed]


def can_undo(config: Config, tool: str) -> bool:
    """Returns True if the settings that were kept last for a tool can be taken back."""
    return any(_text(Path(file.path)) == file.after for file in _kept(config, tool))


def undo_settings(config: Config, tool: str) -> list[str]:
    """Puts the project's files back to what they were before settings of a tool were kept. Returns their paths."""
    kept = _kept(config, tool)
    if not kept:
        raise ModicumError(f"nothing was kept for {tool}", remedy="change a setting and keep it first")
    with held(config.state / "locks" / "config", "undo", wait_seconds=_PATIENCE_SECONDS):
        for file in kept:
            if _text(Path(file.path)) != file.after:
                raise ModicumError(
                    f"{file.path} was changed since", remedy="mend it by hand; nothing was taken back"
                )
        _put_back(kept, config.state / "aside")
        _record(config, tool).unlink()
    return [Path(file.path).relative_to(config.root).as_posix() for file in kept]


def _put_back(kept: Iterable[KeptFile], aside: Path) -> None:
    for file in kept:
        path = Path(file.path)
        refuse_read_only(path)
        if file.before is None:
            path.unlink()
        else:
            write_own(path, file.before.encode("utf-8", "surrogateescape"), private=False, aside=aside)


def _with_keys(text: str, tried: TriedSettings) -> str:
    keys: dict[str, object] = {"id": tried.tool}
    if tried.detail is not None:
        keys["verbosity"] = VERBOSITIES[tried.detail - 1]
    if tried.max_bytes is not None:
        keys["max_bytes"] = tried.max_bytes
    for key, value in keys.items():
        text = set_entry(text, "yaml", (key,), value).text
    return remove_entry(text, "yaml", ("max_bytes",)) if tried.no_bound else text


def _choose_packs(config: Config, wanted: Iterable[str]) -> None:
    """Turns packs on and off in the project, so that these are in force and no others."""
    now = _packs_in_force(config)
    if more := [name for name in wanted if name not in now]:
        use_packs(config, more)
    if fewer := [name for name in now if name not in {*wanted}]:
        skip_packs(load_config(config.environment, config.here), fewer)


def _packs_in_force(config: Config) -> list[str]:
    """Returns the packs that are in force before settings are kept, in reading order."""
    library = load_library(config)
    packs, _ = choose_packs(library, choose_profile(library, config.profile))
    return [pack.id for pack in packs]


def _kept(config: Config, tool: str) -> list[KeptFile]:
    file = _record(config, tool)
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[KeptFile])
    except (FileNotFoundError, msgspec.MsgspecError):
        return []


def _record(config: Config, tool: str) -> Path:
    from modicum.base.hashes import sha256

    name = sha256(f"{config.root}\n{tool}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return config.state / "kept" / f"{name}.json"


def _text(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return None
