"""How projects are shown: by their name while it is alone in this memory, else with as much of the owner as tells them apart. Pure."""

from collections.abc import Iterable, Sequence

from modicum.memory.projects.keys import NamedProject


def shown_names(known: Iterable[str], rows: Iterable[NamedProject]) -> dict[str, str]:
    """Returns how each known project is shown, by its id; one without a row is a name that somebody gave."""
    ids = set(known) - {""}
    named = {each.id: each for each in rows if each.id in ids}
    every = [named.get(each) or NamedProject(each, each) for each in sorted(ids)]
    return {each.id: _shown(each, every) for each in every}


def _shown(project: NamedProject, every: Sequence[NamedProject]) -> str:
    others = [each for each in every if each.name == project.name and each.id != project.id]
    if not others:
        return project.name
    parts = project.address.split("/")
    size = project.name.count("/") + 2
    ends = ["/".join(parts[-number:]) for number in range(size, len(parts) + 1)]
    taken = [f"/{each.address}" for each in others]
    return next((end for end in ends if not any(other.endswith(f"/{end}") for other in taken)), project.id)
