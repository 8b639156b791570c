"""Words the warnings of an inject: about suspicious packs, odd texts, and limits that were too small."""

from collections.abc import Iterable, Iterator, Mapping

from modicum.app.inject.destination import Placement, SeenFiles
from modicum.app.inject.former import NOBODY
from modicum.app.inject.load import Knowledge, version_here
from modicum.app.inject.pages import PageMaker, lacks_content
from modicum.app.inject.plan import PlannedFile
from modicum.app.inject.readers import counts_for
from modicum.app.inject.tool_files import why_ignored
from modicum.base.cache import cached_findings
from modicum.base.config import Config
from modicum.engine.page import Fate
from modicum.packs.model import Pack
from modicum.targets.change import Position
from modicum.targets.loaders.carriers import Violation
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import Loader, version_key
from modicum.targets.loaders.reading import measured, reading
from modicum.targets.loaders.walk import Unread
from modicum.targets.model import Adapter
from modicum.text.regions import take_regions
from modicum.text.secrets import findings

_USUAL = {name.lower(): name for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md")}
UNITS = {"bytes": "bytes", "chars": "characters"}


def suspicious(config: Config, maker: PageMaker) -> list[str]:
    """Returns an inject warning for each hidden character and likely secret in packs and notices."""
    notices = ((f"notice {notice.id}", notice.text) for notice in maker.notices)
    pieces = (*(piece for pack in maker.packs for piece in _pieces(pack)), *notices)
    return cached_findings(
        config.data / "cache" / "clean",
        (text for _, text in pieces),
        lambda: [f"{file}:{each.line}: {each.message}" for file, text in pieces for each in findings(text)],
    )


def _pieces(pack: Pack) -> Iterator[tuple[str, str]]:
    """All that a pack may bring onto a page, by where it is from."""
    yield from ((text.file, text.text) for text in (*pack.preamble, *pack.constraints, *pack.context))
    rows = {
        "pack.yaml": pack.changelog,
        "samples.yaml": [field for row in pack.samples for field in (row.label, row.description, row.url)],
        "learning.yaml": [field for row in pack.learning for field in (row.title, row.url)],
        "known_errors.yaml": [f for row in pack.known_errors for f in (row.pattern, row.cause, row.fix)],
    }
    yield from ((f"{pack.id}/{file}", "\n".join(fields)) for file, fields in rows.items() if fields)


def unreached(placement: Placement, knowledge: Knowledge) -> Iterator[str]:
    """Yields a warning for each AI tool that no place was found for."""
    odd = ((path, _USUAL.get(path.lower(), path)) for path in placement.seen.files.texts)
    hint = "".join(
        f" Rename {path} to {usual}, as most tools spell it." for path, usual in odd if path != usual
    )
    for violation in placement.violations:
        if violation.kind == "missing" and not violation.case:
            adapter = knowledge.adapters[violation.tool]
            name, why = adapter.name, why_ignored(adapter, placement.ignored)
            yield (
                f"{name} gets nothing: {why}"
                if why
                else (
                    f"{name} gets nothing: no file that it reads has room for a page beside your own text, or a page "
                    f"there would hide a file of yours from another tool.{hint}{_unset(adapter, placement.ignored)} See: modicum see {violation.tool}"
                )
            )


def _unset(adapter: Adapter, ignored: Mapping[str, str]) -> str:
    """What a tool's settings could do if git did not ignore their file."""
    settings = adapter.reads.settings if adapter.reads else ()
    path = next((setting.path for setting in settings if ignored.get(setting.path)), "")
    return f" A setting in {path} might help, but git ignores that file." if path else ""


def cut_off(seen: SeenFiles, files: Iterable[PlannedFile]) -> Iterator[str]:
    """Yields a warning for each text of the user's that a tool does not read because of its limit, with our pages."""
    bounded = [
        (adapter, adapter.reads) for adapter in seen.adapters if adapter.reads and adapter.reads.limits
    ]
    if not (seen.files.texts and bounded):
        return
    after = _with_pages(seen, files)
    for adapter, loader in bounded:
        for lost in reading(loader, after, "", loader.versions[-1]).unread:
            if lost.is_cut and (lost.path in seen.files.texts):
                yield cut_off_sentence(adapter, lost, after.texts[lost.path])


def _with_pages(seen: SeenFiles, files: Iterable[PlannedFile]) -> ProjectFiles:
    after = seen.files
    for planned in files:
        if planned.change and planned.change.after is not None and planned.destination.scope == "project":
            after = after.with_text(planned.destination.shown_path, planned.change.after)
    return after


def beyond_features(seen: SeenFiles, files: Iterable[PlannedFile]) -> Iterator[str]:
    """Yields the warnings about files that one feature of a tool does not read to their end, once pages are written."""
    after = _with_pages(seen, files)
    for adapter in seen.adapters:
        yield from beyond_feature(adapter, after.texts)


def beyond_feature(adapter: Adapter, texts: Mapping[str, str]) -> Iterator[str]:
    """Yields a warning for each file that is too long for one feature of a tool; everything else reads it whole."""
    loader = adapter.reads or Loader()
    for limit in (limit for limit in loader.limits if limit.feature):
        for path, text in texts.items():
            size = measured(text, limit.unit)
            if size > limit.most and counts_for(loader, limit.name, path):
                unit = UNITS[limit.unit]
                yield (
                    f"{adapter.name}: its {limit.feature} reads the first {limit.most:,} of the {size:,} {unit} "
                    f"of {path}; everything else of it reads the file whole"
                )


def cut_off_sentence(adapter: Adapter, lost: Unread, text: str) -> str:
    """Returns the warning that a tool does not read a file to its end: how much of it, below which heading, and why."""
    part = take_regions(text[lost.start : lost.end])
    size = len(part.encode("utf-8", "surrogateescape"))
    before = text[: lost.start].rpartition("<!-- modicum:end:")[2]  # not the headings of our page
    headings = [line for line in before.splitlines() if line.startswith("#")]
    where = (headings[-1] if headings else part.strip().split("\n", 1)[0])[:60]
    return (
        f'{adapter.name} does not read the last {size:,} bytes of your {lost.path}, in "{where}": {lost.why}'
    )


def conflicts(config: Config, placement: Placement, knowledge: Knowledge) -> Iterator[str]:
    """Yields a warning for each conflict between pages and the user's files that no placement solves.

    What falls off below a page that is above it is told apart, by heading and size.
    """
    high = [d for d in placement.destinations if d.place and d.place.position is Position.ABOVE]
    cut = [v for v in placement.violations for d in high if v.path == d.shown_path and v.tool in d.known_by]
    for violation in placement.violations:
        if violation in cut or (violation.kind == "missing" and not violation.case):
            continue
        told = _told(config, knowledge.adapters[violation.tool], violation)
        if told:
            yield told


def _told(config: Config, adapter: Adapter, violation: Violation) -> str:
    """What is told of a violation: of older versions in sub folders only if such a version is installed here."""
    name, case, newer, what = adapter.name, violation.case, violation.older_than, _what(violation)
    if not newer:
        return f"{name}, started {case}, {what}" if case else f"{name} {what}"
    if case.endswith(newer):
        return f"{name} {case} {what}"
    version = version_here(config, adapter)
    if () < version_key(version) < version_key(newer):
        return f"in sub folders, {name} {version}, which is installed here, {what}: update it to {newer}"
    return ""


def _what(violation: Violation) -> str:
    match violation.kind:
        case "lost":
            return f"will no longer read {violation.path}, because of the file that has our page"
        case "doubled":
            return f"will read {violation.path} more than once"
        case "gained":
            return f"will read {violation.path}, which it did not read before"
        case "missing":
            return "will not read our page"
    return f"will read our page {violation.times} times, the last in {violation.path}"


def beside_private_files(placement: Placement, knowledge: Knowledge) -> Iterator[str]:
    """Yields a warning for each conflict of pages with files that are not committed: they never move a page."""
    for violation in placement.private:
        name = knowledge.adapters[violation.tool].name
        what = {
            "lost": f"will not read {violation.path} beside our page",
            "missing": "will not read our page here",
        }.get(violation.kind) or _what(violation)
        yield f"{name} {what}: files of yours that are not committed do not decide where a page goes"


def needed_for_settings(placement: Placement) -> Iterator[str]:
    """Yields a warning for each setting of a placement that counts only under a condition which files cannot tell."""
    for adapter, carrier in placement.settings:
        if carrier.needs:
            key = ".".join(carrier.keys)
            yield f"{adapter.name} reads its page by {key} in {carrier.path}, which counts only if {carrier.needs}"


def of_nobody_here(config: Config, files: Iterable[PlannedFile]) -> Iterator[str]:
    """Yields an inject warning about each page of a project that goes though no record tells for which tools it was made."""
    for planned in files if not config.tools else ():
        place, change = planned.destination, planned.change
        if place.adapters == (NOBODY,) and place.scope == "project" and change and change.changed:
            yield (
                f"{place.shown_path} has a page of which no record here tells for which tools it was made, and that none needs here: it goes. "
                "If others need it, name the tools of this project: modicum config set tools NAME,NAME --here"
            )


def about_packs(maker: PageMaker) -> list[str]:
    """Returns the inject warnings about odd texts of packs, such as a line with an unknown marker, or the template."""
    compositions = maker.compositions.values()
    odd = [f"{file}:{remark.line}: {remark.message}" for c in compositions for file, remark in c.remarks]
    return [*odd, *maker.unwritten]


def without_room(files: Iterable[PlannedFile]) -> Iterator[str]:
    """Yields a sentence about each page of an inject into whose limit nothing fits, so that its tools get nothing."""
    for planned in files:
        if not planned.page.text and planned.destination.limits and lacks_content(planned.page):
            yield f"nothing fits into the limit of {_whose(planned)}: raise it, or ask for less detail"


def _whose(planned: PlannedFile) -> str:
    """The tool whose limit is the tightest for a page, or all that read it."""
    names = ", ".join(adapter.name for adapter in planned.destination.adapters)
    return planned.destination.owners.get(planned.size[2], names)


def about_pages(files: Iterable[PlannedFile]) -> Iterator[str]:
    """Yields the inject warnings about pages: a preamble for which a limit leaves no room."""
    for planned in files:
        yield from _lost_preambles(planned, _whose(planned))


def _lost_preambles(planned: PlannedFile, names: str) -> Iterator[str]:
    for key, fate in planned.page.fates.items():
        if fate is Fate.CUT and planned.page.text and key.startswith("pack:") and "/preamble" in key:
            yield f"{key} does not fit into the limit of {names}: shorten it, or raise the limit"
