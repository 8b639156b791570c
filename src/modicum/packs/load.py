"""Loads packs and profiles from the folders of all layers; broken ones are reported and skipped."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from modicum.base.typing_names import Any
from modicum.base.value import Value
from modicum.base.yaml.check import Check, YamlProblem, check
from modicum.packs import fields
from modicum.packs.folder import PackFolder
from modicum.packs.merge import merge
from modicum.packs.model import (
    BUILT_IN_PROFILES,
    Hook,
    Journey,
    KnownError,
    Library,
    McpServer,
    Pack,
    PackOrigin,
    PackText,
    Profile,
    Resource,
    Sample,
    Tip,
    Weighted,
)
from modicum.packs.skills import read_skills
from modicum.packs.tips import parse_tips
from modicum.packs.web.fetch_markers import without_fetch_lines

_YAML = (".yaml", ".yml")
_NO_LANGUAGE = frozenset(("", "c", "posix", "en"))


class Layer(Value):
    """A layer to load: a folder that may hold packs and profiles, its name in remarks, and its kind."""

    name: str
    folder: Path
    origin: PackOrigin = PackOrigin.PROJECT


def load_layers(layers: Sequence[Layer], language: str = "", check: Check = check) -> Library:
    """Loads the packs and profiles of all layers, later over earlier, in a language where they have it.

    All packs are turned on; `with_choice` turns some off.
    """
    problems: list[YamlProblem] = []
    tags = languages(language)
    packs = [pack for layer in layers for pack in _packs(layer, tags, problems, check)]
    profiles: dict[str, Profile] = {}
    for layer in layers:
        profiles |= {profile.id: profile for profile in _profiles(layer, problems, check)}
    in_order = (*(profiles[name] for name in sorted(profiles)), *BUILT_IN_PROFILES)
    return Library(merge(packs), in_order, tuple(problems))


def languages(language: str) -> tuple[str, ...]:
    """Returns the language tags to load packs in, best first: `de_AT.UTF-8` gives de-at, then de."""
    parts = language.split(".")[0].split("@")[0].replace("_", "-").lower().split("-")
    tags = ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return tuple(tag for tag in tags if tag not in _NO_LANGUAGE)


def _packs(layer: Layer, tags: Sequence[str], problems: list[YamlProblem], check: Check) -> Iterator[Pack]:
    taken: dict[str, str] = {}
    packs = PackFolder.scan(layer.folder / "packs", layer.folder, problems)
    for name in packs.folders:
        if layer.origin is not PackOrigin.USER and not _is_inside(packs.path / name, layer.folder):
            packs.complain(name, 0, "is a link that leads out of its layer (copy the folder instead)")
            continue
        complaints: list[YamlProblem] = []
        folder = PackFolder.scan(packs.path / name, layer.folder, complaints, check)
        pack = _PackReader(folder, tags).pack(layer)
        if not pack.additive and pack.id in taken:
            message = (
                f'the id "{pack.id}" is taken by {taken[pack.id]} in the same layer (change one of them)'
            )
            folder.complain("pack.yaml", 0, message)
        problems += complaints
        if not any(complaint.fatal for complaint in complaints):
            taken.setdefault(pack.id, name)
            yield _as_shown(pack, problems)


def _as_shown(pack: Pack, problems: list[YamlProblem]) -> Pack:
    """A pack as agents may read it: what a user or a project has written stays as it is."""
    if pack.origin is not PackOrigin.SOURCE:
        return pack
    from modicum.packs.foreign import harmless_pack  # most users have no source

    harmless, found = harmless_pack(pack)
    problems += found
    return harmless


def _profiles(layer: Layer, problems: list[YamlProblem], check: Check) -> Iterator[Profile]:
    folder = PackFolder.scan(layer.folder / "profiles", layer.folder, problems, check)
    if layer.origin is not PackOrigin.USER and not _is_inside(folder.path, layer.folder):
        folder.complain("", 0, "is a link that leads out of its layer (copy the folder instead)")
        return
    for name in folder.files:
        row = folder.rows(name, fields.PROFILE, fatal=True) if name.endswith(_YAML) else {}
        if row.get("id"):
            yield Profile(**row | {"packs": tuple(Weighted(**entry) for entry in row["packs"])})


def _is_inside(folder: Path, layer: Path) -> bool:
    """Whether a folder of a pack is in its layer, links included: a clone may have links to what is not its own."""
    if not (folder.is_symlink() or folder.parent.is_symlink()):
        return True
    return folder.resolve().is_relative_to(layer.resolve())


class _PackReader(Value):
    """Reads one pack from its folder, in the first of the languages that it has."""

    folder: PackFolder
    languages: Sequence[str]

    def pack(self, layer: Layer) -> Pack:
        """Loads one pack as far as its files can be read; the folder's problems say whether it may be used."""
        if "pack.yaml" not in self.folder.files:
            self.folder.complain("pack.yaml", 0, "is missing (every folder of packs needs one)")
            return Pack("")
        return Pack(
            **self._header(),
            **self._lists(),
            layer=layer.name,
            origin=layer.origin,
            context=self._texts(self._localised("context") or self._expanded()),
            constraints=self._texts(self._localised("constraints") or "constraints.md"),
            preamble=self._texts("preamble.md"),
            tips=self._tips(self._localised("tips") or "tips.md"),
        )

    def _header(self) -> dict[str, Any]:
        row: dict[str, Any] = self.folder.rows("pack.yaml", fields.PACK, fatal=True)
        locales = {_tag(name): words for name, words in row.pop("locales").items()}
        best: dict[str, str] = next((locales[tag] for tag in self.languages if tag in locales), {})
        position = (row["additive_position"] or "after") if row["additive"] else ""
        changelog = tuple(entry for entry in row["changelog"] if entry.strip())
        words = {key: value for key, value in best.items() if value}
        return row | words | {"additive_position": position, "changelog": changelog}

    def _lists(self) -> dict[str, Any]:
        lists: dict[str, Any] = {
            name: tuple(entry(**row) for row in self.folder.rows(f"{name}.yaml", shape))
            for name, (entry, shape) in _LISTS.items()
        }
        journeys = self.folder.rows("learning.yaml", fields.LEARNING)["journeys"]
        return lists | {
            "learning": tuple(Journey(**row) for row in journeys),
            "servers": tuple(map(_server, self.folder.rows("mcp.yaml", fields.SERVERS))),
            "hooks": tuple(Hook(**row) for row in self.folder.rows("hook.yaml", fields.HOOKS)),
            "skills": read_skills(self.folder),
        }

    def _localised(self, stem: str) -> str:
        """The name of the file in the best language there is, or ""."""
        if not self.languages:
            return ""
        names = {_tag(name): name for name in self.folder.files}
        return next(
            (names[tag] for tag in (f"{stem}.{tag}.md" for tag in self.languages) if tag in names), ""
        )

    def _expanded(self) -> str:
        return "context.expanded.md" if "context.expanded.md" in self.folder.files else "context.md"

    def _texts(self, name: str) -> tuple[PackText, ...]:
        text = without_fetch_lines(self.folder.text(name))
        return (PackText(str(self.folder.path / name), text),) if text.strip() else ()

    def _tips(self, name: str) -> tuple[Tip, ...]:
        text = self.folder.text(name)
        return parse_tips(text) if text else ()


_LISTS = {
    "samples": (Sample, fields.SAMPLES),
    "known_errors": (KnownError, fields.KNOWN_ERRORS),
    "resources": (Resource, fields.RESOURCES),
}


def _tag(name: str) -> str:
    return name.replace("_", "-").lower()


def _server(row: dict[str, Any]) -> McpServer:
    install = row.pop("install")
    kind = install.pop("type") or ("http" if install["url"] else "stdio")
    return McpServer(**row, **install, type=kind)
