"""Merges the packs of all layers, and puts them in the order that a profile asks for."""

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter

from modicum.base.near_words import nearest
from modicum.base.typing_names import Any
from modicum.base.value import replace
from modicum.packs.model import Library, Pack, PackOrigin, Profile

# What can be replaced entry by entry, and what tells the entries apart.
_ENTRIES = {
    "samples": "id",
    "known_errors": "id",
    "learning": "slug",
    "resources": "id",
    "servers": "id",
    "hooks": "id",
    "skills": "id",
}
_PIECES = ("context", "constraints", "tips")


def merge(packs: Iterable[Pack]) -> tuple[Pack, ...]:
    """Merges packs of all layers, one for each id: a later pack replaces the earlier, or adds if additive."""
    merged: dict[str, Pack] = {}
    for pack in packs:
        earlier = merged.get(pack.id)
        if pack.additive and earlier:
            merged[pack.id] = _added(earlier, pack)
        else:
            settled = not (pack.additive or pack.additive_position)
            merged[pack.id] = pack if settled else replace(pack, additive=False, additive_position="")
    return tuple(merged.values())


def _added(base: Pack, extra: Pack) -> Pack:
    """What else stands in `base` (overlaps, globs, preamble, versions, the base flag) is not for others to change.

    The pack belongs to the nearer of the two layers: somebody there cares for it.
    """
    before = extra.additive_position == "before"
    changes: dict[str, Any] = {
        name: _entries(getattr(base, name), getattr(extra, name), key) for name, key in _ENTRIES.items()
    }
    for name in _PIECES:
        ours, theirs = getattr(base, name), getattr(extra, name)
        changes[name] = (*theirs, *ours) if before else (*ours, *theirs)
    return replace(
        base,
        name=extra.name or base.name,
        description=extra.description or base.description,
        weight=extra.weight or base.weight,
        origin=max(base.origin, extra.origin),
        tags=_union(base.tags, extra.tags),
        changelog=_union(base.changelog, extra.changelog),
        **changes,
    )


def _union(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _entries(base: Sequence[Any], extra: Sequence[Any], key: str) -> tuple[Any, ...]:
    known_by = attrgetter(key)
    return tuple({known_by(entry): entry for entry in (*base, *extra)}.values())


def with_choice(library: Library, *, use: Sequence[str], skip: Sequence[str], kept: Sequence[str]) -> Library:
    """Returns the merged library with packs on and off: after a merge, starters are on only by name, all others unless skipped."""

    def is_on(pack: Pack) -> bool:
        return pack.id not in skip and (pack.origin is not PackOrigin.STARTER or pack.id in use)

    on = tuple(pack for pack in library.every if is_on(pack))
    off = tuple(pack for pack in library.every if not is_on(pack))
    return replace(library, packs=on, off=off, use=tuple(use), skip=tuple(skip), kept=tuple(kept))


def ordered(
    library: Library,
    profile: Profile | None,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> tuple[Pack, ...]:
    """Returns the merged packs that a profile wants in reading order: base packs, starters, those of sources, the user's, the project's.

    What is skipped or kept in the library is so whatever the profile says. A run has the last word: with `include` only
    these packs and the base packs that are turned on; what is in `exclude` never, base packs or not.
    """
    wanted = _run_filter(library, include) if include else _profile_filter(library, profile)
    weights = (
        {entry.id: entry.weight for entry in profile.packs if entry.weight is not None} if profile else {}
    )
    weighed = [
        _weighing(pack, weights.get(pack.id, pack.weight)) for pack in wanted if pack.id not in exclude
    ]
    return tuple(sorted(weighed, key=lambda pack: (not pack.base, pack.origin, -pack.weight, pack.id)))


def _run_filter(library: Library, include: Sequence[str]) -> list[Pack]:
    bases = {pack.id for pack in library.packs if pack.base}
    return [pack for pack in library.every if pack.id in bases or pack.id in include]


def _profile_filter(library: Library, profile: Profile | None) -> list[Pack]:
    if not profile:
        return list(library.packs)
    named = {*profile.include, *(entry.id for entry in profile.packs)}
    choosy = profile.base_only or bool(profile.include)
    on = {pack.id for pack in library.packs} | (
        named - {*library.skip}
    )  # also a starter that the profile names
    return [
        pack
        for pack in library.every
        if pack.id in on and (pack.id in library.kept or _takes(profile, pack, named, choosy=choosy))
    ]


def _takes(profile: Profile, pack: Pack, named: Collection[str], *, choosy: bool) -> bool:
    return pack.id not in profile.exclude and (pack.base or not choosy or pack.id in named)


def _weighing(pack: Pack, weight: int) -> Pack:
    return pack if pack.weight == weight else replace(pack, weight=weight)


def unknown_packs(library: Library, profile: Profile | None) -> tuple[str, ...]:
    """Returns a sentence for the profile, and one for the config, that names packs which are in none of the merged layers of packs."""
    by_profile = (
        (*(entry.id for entry in profile.packs), *profile.include, *profile.exclude) if profile else ()
    )
    named = {f'the profile "{profile.id}"' if profile else "": by_profile, '"use" in the config': library.use}
    known = [pack.id for pack in library.every]
    missing = {who: [n for n in dict.fromkeys(names) if n not in known] for who, names in named.items()}
    return tuple(_unknown(who, names, known) for who, names in missing.items() if names)


def _unknown(who: str, names: Sequence[str], known: Sequence[str]) -> str:
    quoted = ", ".join(f'"{name}"{_hint(name, known)}' for name in names)
    return f"{who} names what no layer has: the pack{'s' * (len(names) > 1)} {quoted}"


def _hint(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    return f' (did you mean "{near}"?)' if near else ""
