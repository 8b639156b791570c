"""Merges the packs of all layers, and puts them in the order that a profile asks for."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from modicum.base.value import replace
from modicum.base.yaml_check import nearest
from modicum.packs.model import Pack, Profile

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
    """What else stands in `base` (overlaps, globs, preamble, versions, the base flag) is not for others to change."""
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
        tags=_union(base.tags, extra.tags),
        changelog=_union(base.changelog, extra.changelog),
        **changes,
    )


def _union(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _entries(base: Sequence[Any], extra: Sequence[Any], key: str) -> tuple[Any, ...]:
    known_by = attrgetter(key)
    return tuple({known_by(entry): entry for entry in (*base, *extra)}.values())


def ordered(
    packs: Iterable[Pack],
    profile: Profile | None,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> tuple[Pack, ...]:
    """Returns the merged packs a profile wants: base packs first, then by the profile's weight, ties by id.

    `include` and `exclude` are this run's own word: only these packs and the base packs, whatever the profile
    leaves out; and never those, base packs or not.
    """
    wanted = _run_filter(packs, include) if include else _profile_filter(packs, profile)
    weights = (
        {entry.id: entry.weight for entry in profile.packs if entry.weight is not None} if profile else {}
    )
    weighed = [
        _weighing(pack, weights.get(pack.id, pack.weight)) for pack in wanted if pack.id not in exclude
    ]
    return tuple(sorted(weighed, key=lambda pack: (not pack.base, -pack.weight, pack.id)))


def _run_filter(packs: Iterable[Pack], include: Sequence[str]) -> list[Pack]:
    return [pack for pack in packs if pack.base or pack.id in include]


def _profile_filter(packs: Iterable[Pack], profile: Profile | None) -> list[Pack]:
    if not profile:
        return list(packs)
    named = {*profile.include, *(entry.id for entry in profile.packs)}
    choosy = profile.base_only or bool(profile.include)
    return [
        pack
        for pack in packs
        if pack.id not in profile.exclude and (pack.base or not choosy or pack.id in named)
    ]


def _weighing(pack: Pack, weight: int) -> Pack:
    return pack if pack.weight == weight else replace(pack, weight=weight)


def unknown_packs(
    packs: Iterable[Pack],
    profile: Profile | None,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> tuple[str, ...]:
    """Returns a sentence for each pack that a profile or run names and that the merge of all layers lacks."""
    known = [pack.id for pack in packs]
    by_profile = (
        (*(entry.id for entry in profile.packs), *profile.include, *profile.exclude) if profile else ()
    )
    owner = f'the profile "{profile.id}"' if profile else ""
    named = [(owner, name) for name in by_profile]
    named += [("include", name) for name in include] + [("exclude", name) for name in exclude]
    return tuple(_unknown(who, name, known) for who, name in dict.fromkeys(named) if name not in known)


def _unknown(who: str, name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    hint = f' (did you mean "{near}"?)' if near else ""
    return f'{who} names the pack "{name}", which no layer has{hint}'
