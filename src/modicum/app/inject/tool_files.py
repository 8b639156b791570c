"""The files that an adapter names as destinations of an inject: instruction files, exports and the clipboard."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from modicum.app.inject.destination import Condition, Conditions, Destination, InjectRequest, root_of
from modicum.base.config import Config
from modicum.base.value import replace
from modicum.engine.page import Detail
from modicum.engine.views import parse_detail
from modicum.targets.change import TargetFile
from modicum.targets.detect import expanded
from modicum.targets.globs import file_name, for_globs
from modicum.targets.loaders.ignored import ignored_files, lines_against
from modicum.targets.model import (
    Adapter,
    Target,
    limits_of,
    verbosity_of,
)

_LONGEST_STEM = 70


def destinations_of(
    config: Config, adapter: Adapter, request: InjectRequest, conditions: Conditions
) -> Iterator[Destination]:
    if adapter.type != "file-inject":
        if (
            request.exports
            and (request.scope == "global" or request.tools)
            and not unset_path(config, adapter, request)
        ):
            yield from _exports(config, adapter, request)
        return
    targets = [t for t in adapter.targets if t.scope == request.scope and filled_path(config, t.path)]
    conditional = [target for target in targets if target.globs] if adapter.fit == "thin" else []
    for target in targets:
        if not target.globs:
            yield from _files(config, adapter, target, request, separate=bool(conditional))
    for target in conditional:
        for name, condition in named_apart(conditions(adapter.format)):
            single = for_globs(target, name=name, globs=condition[1])
            yield replace(file_destination(config, adapter, single, request), only=condition)


def named_apart(conditions: Iterable[Condition]) -> Iterator[tuple[str, Condition]]:
    """Yields each condition (the paths that a pack is for) with a name, so that each gets a file of the tool's with a name of its own."""
    taken: set[str] = set()
    for condition in conditions:
        name, number = condition[0], 1
        while file_name(name) in taken:
            number += 1
            name = f"{file_name(condition[0])[:_LONGEST_STEM]} {number}"
        taken.add(file_name(name))
        yield name, condition


def _files(
    config: Config, adapter: Adapter, target: Target, request: InjectRequest, *, separate: bool
) -> Iterator[Destination]:
    file = replace(file_destination(config, adapter, target, request), separate=separate)
    if target.mode == "import":
        imported = file_destination(
            config, adapter, replace(target, path=target.import_path, mode="replace-file"), request
        )
        yield replace(imported, separate=separate, importers=(file.place,) if file.place else ())
    yield file


def file_destination(config: Config, adapter: Adapter, target: Target, request: InjectRequest) -> Destination:
    root = root_of(config, target.scope)
    place = TargetFile(
        path=str(Path(root, filled_path(config, target.path))),
        mode="import" if target.mode == "refer" else target.mode,
        section=target.section,
        preamble=target.preamble,
        root=root,
        reference=target.import_path,
        is_home=target.scope == "global",
        is_foreign=adapter.is_foreign,
    )
    return Destination(
        adapters=(adapter,),
        scope=target.scope,
        place=place,
        shown_path=target.path,
        detail=request.detail or parse_detail(verbosity_of(adapter, target)),
        limits=limits_of(adapter, target),
        format=adapter.format,
        whole_packs=adapter.fit == "whole",
    )


def filled_path(config: Config, path: str) -> str:
    """Returns the path of a tool's file that inject writes, with its variables filled in; "" if one is not set here, as those of another system are not."""
    if "$" in path or "%" in path or path.startswith("~"):
        return expanded(path, {**config.environment, "HOME": str(config.home)}) or ""
    return path


def _exports(config: Config, adapter: Adapter, request: InjectRequest) -> Iterator[Destination]:
    """With an export file that one, whole and in full; then the clipboard's page within the limit."""
    if adapter.type == "file-export":
        target = Target(scope="global", path=adapter.export_path, mode="replace-file")
        file = file_destination(config, adapter, target, request)
        yield replace(file, detail=Detail.FULL, limits=(), format="markdown", whole_packs=False)
    yield Destination(
        adapters=(adapter,),
        scope="global",
        place=None,
        shown_path="clipboard",
        detail=request.detail or parse_detail(adapter.verbosity),
        limits=limits_of(adapter),
        format=adapter.format,
        whole_packs=adapter.fit == "whole",
        guidance=adapter.export_path,
    )


def unset_path(config: Config, adapter: Adapter, request: InjectRequest) -> str:
    """Returns which of a tool's files inject cannot name, as a variable in its path is not set here; "" if there is none."""
    paths = (adapter.export_path, *(t.path for t in adapter.targets if t.scope == request.scope))
    return next((path for path in paths if path and not filled_path(config, path)), "")


def committed(config: Config, found: Iterable[Destination]) -> Iterator[Destination]:
    """Yields the destinations of an inject that are committed, or outside of the project: others would miss a page that git ignores."""
    every = [*found]
    inside = [each.shown_path for each in every if each.place and each.scope == "project"]
    ignored = ignored_files(str(config.in_git), inside, config.environment) if inside else {}
    yield from (each for each in every if each.scope != "project" or not ignored.get(each.shown_path))


def why_ignored(adapter: Adapter, ignored: Mapping[str, str]) -> str:
    """Returns why inject cannot write a tool's files: git ignores them, and which lines end that; "" if that is not why."""
    own = [t.path for t in adapter.targets if t.scope == "project" and not t.globs and ignored.get(t.path)]
    if not own:
        return ""
    path = min(own, key=lambda each: each.count("/"))
    lines = " ".join(lines_against(path, ignored[path]))
    return f"git ignores {path} ({ignored[path]} in a .gitignore), so that nobody else would get the page; to keep it in git, add to .gitignore: {lines}"


def why_idle(config: Config, adapter: Adapter, request: InjectRequest, ignored: Mapping[str, str]) -> str:
    if path := unset_path(config, adapter, request):
        return f"a variable in its path is not set here: {path}"
    if adapter.type != "file-inject":
        return f"only when asked for: modicum inject --tool {adapter.id}"
    if request.scope == "project" and (why := why_ignored(adapter, ignored)):
        return why
    if any(target.scope == request.scope for target in adapter.targets):
        return f"no place for a page beside your own files: modicum see {adapter.id}"
    if request.scope == "project":
        return "has no file in a project: modicum inject --global"
    return "has no file in your home folder: modicum inject --here"
