"""Finds rules that name a path or a command which the repository does not have. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from modicum.base.value import NOTHING, Value
from modicum.text.rules.findings import LintFinding, LintKind, PlacedText
from modicum.text.rules.repository.manifests import NODE, CommandNames
from modicum.text.rules.repository.mentions import PATH, Mention


class RepositoryContent(Value):
    """What a repository has, to find what is missing in it: its files and folders, and the commands of its manifests."""

    paths: frozenset[str] = frozenset()  # without a stroke at the end
    commands: Mapping[str, CommandNames] = NOTHING  # by program; one that is not here is not known

    def has_path(self, path: str, folder: str = "") -> bool:
        """Returns False if a path is missing in the repository: not at its root, not in a folder, nor anywhere below."""
        plain = path.rstrip("/")
        near = f"{folder}/{plain}".lstrip("/")
        return (
            plain in self.paths
            or near in self.paths
            or any(each.endswith(f"/{plain}") for each in self._named(plain))
        )

    def _named(self, path: str) -> list[str]:
        return self._by_name.get(path.rpartition("/")[2], [])

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found


def missing(found: Iterable[Mention], content: RepositoryContent) -> Iterator[LintFinding]:
    """Yields a finding for each path and command that rules speak of and that is missing in the repository."""
    for mention in found:
        if mention.kind == PATH:
            if not _may_be(mention, content):
                why = f"there is no {mention.name} here"
                yield _finding(mention, why, "correct the path, or delete the rule")
        elif _lacks(content.commands.get(mention.kind), mention):
            why = f"there is no `{mention.shown}` here"
            yield _finding(mention, why, "correct the command, or add it")


def _may_be(mention: Mention, content: RepositoryContent) -> bool:
    folder = mention.place.source.rpartition("/")[0]
    if content.has_path(mention.name, folder):
        return True
    first, _, rest = mention.name.partition("/")
    plain = not rest or mention.name.endswith("/") or "." in mention.name.rpartition("/")[2][1:]
    # Words with a stroke between them are a path if they begin like one.
    return not plain and first not in content.paths


def _lacks(known: CommandNames | None, mention: Mention) -> bool:
    if known is None or mention.name in known.names:
        return False
    is_run = mention.kind != NODE or " run " in mention.shown
    return is_run or mention.name not in known.installed


def _finding(mention: Mention, why: str, remedy: str) -> LintFinding:
    return LintFinding(LintKind.MISSING, (PlacedText(mention.place, mention.text),), why, remedy)
