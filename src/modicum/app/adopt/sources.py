"""Finds the instruction files of a project that can be adopted: whose they are, for which files they hold, and which stay. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from modicum.base.git_names import leads_into_git
from modicum.base.value import Value, replace
from modicum.targets.bounds.paths import is_text_in_project
from modicum.targets.loaders.files import ProjectFiles, folder_of, joined
from modicum.targets.loaders.front_matter import front_matter_end, globs_in, is_read_at_start, values_of
from modicum.targets.loaders.imports import imports_in
from modicum.targets.loaders.model import Loader, ReadRule
from modicum.targets.loaders.walk import StartFolder, walk
from modicum.targets.plan import OURS
from modicum.text.markdown import BOM, LINE_END

# How the tools spell "only for these files" in front matter.
_MARKDOWN = (".md", ".mdc", ".markdown")
_ONLY_TITLE = re.compile(r"# [^\n]*+|[^\n]++\n=++[ \t]*+")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")
_NO_UTF8 = re.compile("[\ud800-\udfff]")
NOBODY_HERE = "no tool that is named or found here reads it"
ON_REQUEST = "it is read only when the model or a person asks for it, which a pack cannot say"


class AdoptSource(Value):
    """A source of an adoption: an instruction file that is taken apart, with LF line ends and our own regions blanked.

    `globs` are the files that it holds for, none if for all; `importer` is the file that imports one that no tool reads
    by itself, which then stays where it is. `imported_by` is a file that imports it in any case.
    """

    path: str
    text: str
    globs: tuple[str, ...] = ()
    title: str = ""  # of what holds for some files only
    importer: str = ""
    imported_by: str = ""
    folder: str = ""  # the sub folder that it is for


class LeftFile(NamedTuple):
    """An instruction file that is no source of an adoption, and why it is left alone."""

    path: str
    why: str


class FoundFiles(Value):
    """The sources found for an adoption: the instruction files to adopt, in their order, and those left alone."""

    sources: tuple[AdoptSource, ...]
    left: tuple[LeftFile, ...]
    elsewhere: frozenset[str] = frozenset()  # what tools read that are not here


class _Named(NamedTuple):
    rules: tuple[ReadRule, ...]
    folder: str
    readers: int


def find_sources(
    files: ProjectFiles,
    loaders: Sequence[Loader],
    folders: Sequence[str],
    ours: Mapping[str, list[tuple[int, int]]],
    others: Sequence[Loader] = (),
) -> FoundFiles:
    """Finds the sources of an adoption, the instruction files below the project; `ours` are the spans of our own text by path.

    What only the `others` read, loaders of tools that are not here, is left.
    """
    named = _named(files, loaders, folders)
    elsewhere = _named(files, others, folders)
    order = sorted(named, key=lambda path: (path.count("/"), -named[path].readers, path))
    sources, left = list[AdoptSource](), list[LeftFile]()
    for path in order:
        text = files.texts[path]
        if not _below(path) or text.rstrip().endswith(OURS):
            continue
        if why := _why_no_text(path, files) or _why_left(path, text) or _on_request(text, named[path]):
            left.append(LeftFile(path, why))
        elif _says_something(blanked(text, ours.get(path, []))):
            sources.append(_source(path, blanked(text, ours.get(path, [])), named[path]))
    sources += [*_imported(files, sources, left, elsewhere)]
    left += _of_nobody_here(files, elsewhere, {*named, *(each.path for each in sources)}, ours)
    importers = {path: each.path for each in reversed(sources) for path in imported_paths(each, files)}
    sources = [replace(each, imported_by=importers.get(each.path, "")) for each in sources]
    by_globs = tuple(sorted(sources, key=lambda each: bool(each.globs)))
    return FoundFiles(by_globs, tuple(left), frozenset(elsewhere))


def without_inner(found: FoundFiles) -> FoundFiles:
    """Returns the found files of an adoption without sources in sub folders: a tool that is started there reads them at its
    start, which no rule for some files does.
    """
    inner = {source.path: source.folder for source in found.sources if source.folder}
    for source in found.sources:  # an importer comes before what it imports
        if source.importer in inner:
            inner.setdefault(source.path, inner[source.importer])
    left = (LeftFile(path, f"it is read at the start in {folder}") for path, folder in inner.items())
    sources = (source for source in found.sources if source.path not in inner)
    return replace(found, sources=tuple(sources), left=(*found.left, *left))


def _of_nobody_here(
    files: ProjectFiles,
    elsewhere: Iterable[str],
    known: Collection[str],
    ours: Mapping[str, list[tuple[int, int]]],
) -> Iterator[LeftFile]:
    for path in sorted({*elsewhere} - {*known}):
        text = files.texts[path]
        is_theirs = _below(path) and not text.rstrip().endswith(OURS)
        if is_theirs and _says_something(blanked(text, ours.get(path, []))):
            yield LeftFile(path, NOBODY_HERE)


def _named(files: ProjectFiles, loaders: Sequence[Loader], folders: Sequence[str]) -> dict[str, _Named]:
    """The files that loaders name, with their rules, the nearest of the folders, and how many loaders name them."""
    found: dict[str, _Named] = {}
    for folder in folders:
        for loader in loaders:
            seen = walk(StartFolder(loader, folder, loader.versions[-1]), files)
            rules = {each.path: each.rule for each in seen.named}
            # What another file hides is not read.
            late = (each.path for each in seen.unread if each.kind not in ("hidden", "excluded"))
            later = {path: _rule_of(loader, path) for path in late}
            for path, rule in {**later, **rules}.items():
                real = files.real(path)
                known = found.get(real)
                # The root comes first among the folders: what is named there holds for the whole project.
                before = known or _Named((), folder if _is_in(real, folder) else "", 0)
                found[real] = before._replace(
                    rules=(*before.rules, rule), readers=before.readers + (folder == "")
                )
    return found


def _rule_of(loader: Loader, path: str) -> ReadRule:
    """The rule whose conditions keep a file from being read at the start; any of the loader's if none has."""
    fitting = [
        rule for rule in loader.rules if rule.conditional and any(_fits(path, name) for name in rule.files)
    ]
    return fitting[0] if fitting else ReadRule("root")


def _fits(path: str, name: str) -> bool:
    return path.endswith(name.rpartition("*")[2] or name) and name.split("/")[0].strip("*") in path


def _is_in(path: str, folder: str) -> bool:
    return bool(folder) and path.startswith(f"{folder}/")


def _below(path: str) -> bool:
    return not path.startswith(("~/", "../", "/"))


def _why_no_text(path: str, files: ProjectFiles) -> str:
    """A clone may hold AGENTS.md as a link to a program; what is adopted is taken out of the file behind the link."""
    if leads_into_git(path):
        return "it is git's own"
    is_behind_link = path in files.links.values()
    return (
        "a link leads to it, and it is no text for AI tools"
        if is_behind_link and not is_text_in_project(path)
        else ""
    )


def _why_left(path: str, text: str) -> str:
    if ".local." in path.rpartition("/")[2]:
        return "it is yours alone and not the project's"
    if text.startswith(_UTF16):
        return "it is in UTF-16: save it as UTF-8 to have it adopted"
    return "it has zero bytes, and is no text" if "\0" in text else ""


def is_utf8(text: str) -> bool:
    """Returns True if a part of an instruction file can be adopted as UTF-8 text; what cannot, stays in its file."""
    return not _NO_UTF8.search(text)


def _on_request(text: str, named: _Named) -> str:
    if _holds_always(text, named) or globs_in(text):
        return ""
    return ON_REQUEST


def _holds_always(text: str, named: _Named) -> bool:
    return any(is_read_at_start(text, rule.conditional) for rule in named.rules)


def _source(path: str, text: str, named: _Named) -> AdoptSource:
    folder = named.folder
    globs = () if _holds_always(text, named) else globs_in(text)
    if folder:
        globs = tuple(joined(folder, glob.removeprefix("/")) for glob in globs) or (f"{folder}/**",)
    return AdoptSource(path, text, globs, _title(path, text, folder) if globs else "", folder=folder)


def _title(path: str, text: str, folder: str) -> str:
    described = values_of(text[: front_matter_end(text)], "description")
    name = path.rpartition("/")[2].partition(".")[0]
    words = folder if folder and name.isupper() else re.sub(r"[-_]+", " ", name).strip()
    return (described[0] if described else "") or words[:1].upper() + words[1:] or path


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Returns the text of a source of an adoption with our own regions emptied, so that line numbers stay; line ends are LF."""
    for start, end in reversed([*spans]):
        inner = text[start:end]
        text = text[:start] + "\n" * len(LINE_END.findall(inner)) + text[end:]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _says_something(text: str) -> bool:
    """Whether a text has more than a title, which stays above our page."""
    body = text[front_matter_end(text) :].strip(BOM + " \t\n")
    return bool(body) and not _ONLY_TITLE.fullmatch(body)


def _imported(
    files: ProjectFiles,
    sources: Sequence[AdoptSource],
    left: list[LeftFile],
    elsewhere: Collection[str],
) -> Iterator[AdoptSource]:
    """The Markdown files that adopted files import, and those that they import.

    One that other tools read by itself is an instruction file like others.
    """
    known = {source.path for source in sources} | {each.path for each in left}
    queue = [*sources]
    for source in queue:  # it grows
        for path in imported_paths(source, files):
            if path in known:
                continue
            known.add(path)
            if why := (
                _why_no_text(path, files) or _why_import_stays(path) or _why_left(path, files.texts[path])
            ):
                left.append(LeftFile(path, why))
                continue
            text = blanked(files.texts[path], ())
            title = source.title if source.globs else ""
            importer = "" if path in elsewhere else source.path
            queue.append(AdoptSource(path, text, source.globs, title, importer))
            yield queue[-1]


def imported_paths(source: AdoptSource, files: ProjectFiles) -> Iterator[str]:
    """Yields the files of the project that an instruction file imports, for they are adopted with it."""
    for mention in imports_in(source.text):
        path = files.real(joined(folder_of(source.path), mention.path))
        if path in files.texts and _below(path):
            yield path


def _why_import_stays(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    if name.startswith("readme") or not name.endswith(_MARKDOWN):
        return "it is imported, and written for people or programs: the line that imports it stays"
    return ""
