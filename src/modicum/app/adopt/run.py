"""The use cases of adoption: propose, review, apply and undo. Only apply and undo write into the project."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from modicum.app.adopt.best_preview import preview_best
from modicum.app.adopt.here import Surveyed, stand_ins, tools_here
from modicum.app.adopt.journal import AdoptionFolder, Journal, Neutral, digest
from modicum.app.adopt.preview import NO_CHOICES, Preview, is_whole, unchosen_losses
from modicum.app.adopt.propose import ChosenFate, Proposal, propose
from modicum.app.adopt.review import parse_review, review_text
from modicum.app.adopt.sources import find_sources, without_inner
from modicum.app.adopt.unit import PACK
from modicum.app.inject.former import page_sections
from modicum.app.inject.load import load_knowledge
from modicum.app.inject.plan import Injection
from modicum.app.inject.readers import without_our_part
from modicum.app.inject.run import perform, prepare, survey
from modicum.app.reading.tool_reading import our_spans
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.files import in_words, resolve
from modicum.base.value import Value, replace
from modicum.targets.apply import update
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.disk import held, refuse_read_only, write_own
from modicum.targets.loaders.collect import collect, folders_with_instructions
from modicum.targets.loaders.files import ProjectFiles
from modicum.text.markdown import TIERS

NOTHING_HERE = "no instruction file here has text that could be adopted"
_INTERRUPTED = "an adoption was interrupted here"


class Adoption(Value):
    """The result of running an adoption: the files that it changed, and where the originals are."""

    changed: tuple[str, ...]
    originals: str
    warnings: tuple[str, ...] = ()


def look(config: Config, tools: Sequence[str] = ()) -> Surveyed:
    """Returns what the AI tools read before an adoption runs, in the project's root and in the folders with instruction files.

    Without named tools it is for those that are found here.
    """
    knowledge = load_knowledge(config)
    loaders = [adapter.reads for adapter in knowledge.adapters.values() if adapter.reads]
    folders = ("", *folders_with_instructions(config.root, loaders))
    seen = Surveyed(collect(config.root, config.home, loaders, folders), folders, knowledge)
    return replace(seen, tools=tools_here(config, knowledge, tools) or stand_ins(seen))


def make_proposal(
    config: Config,
    seen: Surveyed,
    chosen: Mapping[int, ChosenFate] = NO_CHOICES,
    *,
    may_delete: bool = True,
    force: bool = False,
) -> Preview:
    """Returns the proposal of the rules for a project with some choices otherwise, and what it would do."""
    here = [adapter.reads for adapter in seen.tools if adapter.reads]
    adapters = seen.knowledge.adapters.values()
    others = [adapter.reads for adapter in adapters if adapter.reads and adapter not in seen.tools]
    ours = {path: our_spans(text) for path, text in seen.files.texts.items()}
    found = without_inner(find_sources(seen.files, here, seen.folders, ours, others))
    seen = replace(seen, elsewhere=found.elsewhere)
    pack = _text(config.root / PACK / "context.md")
    if not found.sources:
        why = [f"{each.path}: {each.why}" for each in found.left]
        raise ModicumError(NOTHING_HERE, remedy="; ".join(why) or "modicum see tells what tools read here")
    return preview_best(
        config, seen, partial(propose, found, seen.files, pack), chosen, may_delete=may_delete, force=force
    )


def _reviewed(config: Config, seen: Surveyed, *, may_delete: bool = True, force: bool = False) -> Preview:
    """The proposal with the choices of the review, if there is one."""
    proposed = make_proposal(config, seen, may_delete=may_delete, force=force)
    review = AdoptionFolder(config.state, config.root).review
    if not review.exists():
        return proposed
    chosen, gone = parse_review(_text(review), proposed.proposal)
    if gone:
        raise ModicumError(
            f"{gone[0]} has changed since the review", remedy="look again: modicum adopt --review"
        )
    if not chosen:
        return proposed
    together = {**proposed.chosen, **chosen}
    return make_proposal(config, seen, together, may_delete=may_delete, force=force)


def _text(path: Path) -> str:
    with in_words(str(path)):
        return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n") if path.exists() else ""


def make_preview(config: Config, tools: Sequence[str] = ()) -> Preview:
    """Returns the preview of an adoption of this project, and remembers the files that it was made of."""
    folder = AdoptionFolder(config.state, config.root)
    _refuse_interrupted(folder)
    seen = look(config, tools)
    found = _reviewed(config, seen)
    write_own(folder.seen, json.dumps(_digests(seen.files, found.proposal), indent=1).encode())
    return found


def _digests(files: ProjectFiles, proposal: Proposal) -> dict[str, str]:
    texts = ((source.path, files.texts[source.path]) for source in proposal.sources)
    return {path: digest(text.encode("utf-8", "surrogateescape")) for path, text in texts}


def _refuse_interrupted(folder: AdoptionFolder) -> None:
    last = folder.last()
    if last and not last.is_done:
        raise ModicumError(_INTERRUPTED, remedy="put the originals back first: modicum adopt --undo")


def write_review(config: Config, tools: Sequence[str] = ()) -> tuple[Path, tuple[str, ...]]:
    """Writes the review of the present proposal to its file, with earlier choices; returns the path and what is gone."""
    folder = AdoptionFolder(config.state, config.root)
    _refuse_interrupted(folder)
    seen = look(config, tools)
    proposal = make_proposal(config, seen).proposal
    text = review_text(proposal)
    gone: tuple[str, ...] = ()
    if folder.review.exists():
        chosen, gone = parse_review(_text(folder.review), proposal)
        text = _with_choices(text, proposal, chosen)
    write_own(folder.review, text.encode())
    return folder.review, gone


def _with_choices(text: str, proposal: Proposal, chosen: Mapping[int, ChosenFate]) -> str:
    """The review with the first words of some lines changed."""
    fates = {
        block.key: chosen[block.units[0]].fate for block in proposal.blocks() if block.units[0] in chosen
    }
    lines = []
    for line in text.splitlines():
        words = line.split(None, 2)
        fate = fates.get(words[1], "") if len(words) > 1 and not line.startswith("#") else ""
        lines.append(f"{fate:<9}{line[9:]}" if fate else line)
    return "\n".join(lines) + "\n"


def apply(
    config: Config,
    tools: Sequence[str] = (),
    *,
    may_delete: Callable[[Preview], bool] = lambda _: True,
    force: bool = False,
) -> tuple[Preview, Adoption]:
    """Runs an adoption: writes the pack, replaces the adopted text by our region and keeps the originals.

    Nothing is written if a file has changed since it was previewed, or if a tool would lose lines; `force` takes
    such a loss. `may_delete` is asked about a preview in which files would be deleted, or those of a single tool no longer
    hold their text; if it says no, they stay as they are.
    """
    folder = AdoptionFolder(config.state, config.root)
    with held(folder.lock, "modicum adopt", wait_seconds=0):
        _refuse_interrupted(folder)
        seen = look(config, tools)
        found = _reviewed(config, seen, force=force)
        if found.moved and not may_delete(found):
            found = _reviewed(config, seen, may_delete=False, force=force)
        _refuse_idle(found)
        _refuse_changed(folder, _digests(seen.files, found.proposal))
        for tool, lost in () if force else unchosen_losses(found):
            raise ModicumError(
                f"{tool.adapter.name} would no longer read: {lost[0]}",
                remedy="modicum adopt tells more; --force adopts all the same",
            )
        _refuse_unwritable(config, found.changes)
        journal = folder.new()
        journal.add(found.changes, _neutral(seen))
        warnings = _write_all(config, seen, found, journal)
        journal.finish(_neutral(seen))
        folder.review.unlink(missing_ok=True)
        folder.seen.unlink(missing_ok=True)
        return found, Adoption(tuple(journal.entries), str(journal.originals), warnings)


def _refuse_idle(found: Preview) -> None:
    if not any(unit.fate in TIERS for unit in found.proposal.units if unit.path != PACK):
        why = "; ".join(f"{path}: {why}" for path, why in found.kept.items())
        raise ModicumError("nothing can be adopted without a loss", remedy=why)


def _refuse_changed(folder: AdoptionFolder, now: Mapping[str, str]) -> None:
    if not folder.seen.exists():
        return
    before: dict[str, str] = json.loads(folder.seen.read_bytes())
    changed = [path for path in {**before, **now} if before.get(path) != now.get(path)]
    if changed:
        raise ModicumError(
            f"{changed[0]} has changed since it was previewed, and nothing was touched",
            remedy="look again: modicum adopt",
        )


def _refuse_unwritable(config: Config, changes: Iterable[str]) -> None:
    for path in changes:
        with in_words(path):
            if (config.root / path).is_file():
                refuse_read_only(config.root / path)


def _neutral(seen: Surveyed) -> Neutral:
    """The function that takes our own text out of a file, because that may change without the user."""
    sections = page_sections(seen.knowledge)

    def neutral(path: str, data: bytes | None) -> bytes:
        text = (data or b"").decode("utf-8", "surrogateescape")
        rest, _ = (text, []) if path.startswith(PACK) else without_our_part(path, text, sections)
        return rest.strip().encode("utf-8", "surrogateescape")

    return neutral


def _write_all(config: Config, seen: Surveyed, found: Preview, journal: Journal) -> tuple[str, ...]:
    """Writes the pack, the adopted files, and all pages; returns warnings."""
    for name in ("pack.yaml", "context.md"):
        if (data := found.changes.get(f"{PACK}/{name}")) is not None:
            file = config.root / PACK / name
            resolve(str(file.parent), str(config.root))  # a clone may have a link there that leads out
            write_own(file, data, private=False, aside=config.state / "aside")
    for source in found.proposal.sources:
        if source.path in found.changes and not is_whole(found.proposal, source.path):
            _replace(config, source.path, seen.files.texts[source.path], found.changes[source.path])
    run = prepare(config, found.request)
    journal.add(_coming(config, survey(run)), _neutral(seen))
    done = perform(run)
    return (*done.warnings, *done.troubles)


def _replace(config: Config, path: str, before: str, after: bytes | None) -> None:
    """Writes one adopted file, if it is still what it was when it was read."""
    text = None if after is None else after.decode("utf-8", "surrogateescape")
    place = TargetFile(str(config.root / path), "replace-section", root=str(config.root))

    def make(existing: Existing, record: FileRecord | None) -> FileChange:
        if existing.text not in (before, text):
            raise ModicumError(
                f"{path} has changed while it was adopted", remedy="put the rest back: modicum adopt --undo"
            )
        return FileChange(place, existing.text, text, FileState.ABSENT, record)

    update(place, make, config.state)


def _coming(config: Config, injection: Injection) -> dict[str, bytes | None]:
    """The files of the project that an inject is about to change, with their new bytes."""
    wired = injection.settings.wired if injection.settings else ()
    changes = (*(each.change for each in injection.outcomes), *(each.change for each in wired))
    return {
        Path(os.path.relpath(each.path, config.root)).as_posix(): (
            None if each.after is None else each.after.encode("utf-8", "surrogateescape")
        )
        for each in changes
        if each and each.changed
    }


def undo(config: Config, *, force: bool = False) -> Adoption:
    """Undoes the last adoption: puts the same bytes back. With `force` also where somebody has changed a file since."""
    folder = AdoptionFolder(config.state, config.root)
    with held(folder.lock, "modicum adopt", wait_seconds=0):
        journal = folder.last()
        if journal is None:
            raise ModicumError("nothing was adopted here", remedy="modicum adopt shows what could be")
        seen = look(config)
        changed = journal.changed_since(_neutral(seen))
        if changed and not force:
            raise ModicumError(
                f"{changed[0]} has changed since it was adopted, and nothing was put back",
                remedy=f"modicum adopt --undo --force does so and keeps yours; the originals are in {journal.originals}",
            )
        done = journal.put_back()
        journal.forget()
        kept = [f"{path}: what it held is kept in {folder.folder / 'replaced'}" for path in changed]
        return Adoption(tuple(done), "", tuple(kept))
