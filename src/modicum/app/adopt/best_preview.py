"""Finds the adoption that takes over most and breaks no law, by trying."""

from collections.abc import Mapping

from modicum.app.adopt.here import Surveyed
from modicum.app.adopt.pack_text import titles_that_stay
from modicum.app.adopt.preview import (
    NO_CHOICES,
    AdoptPlan,
    Preview,
    Propose,
    preview_of,
    section_in,
    unchosen_losses,
)
from modicum.app.adopt.propose import ChosenFate, Proposal
from modicum.app.adopt.unit import PACK, SAME
from modicum.base.config import Config
from modicum.base.value import replace
from modicum.text.markdown import TIERS

_MOST_TRIES = 8  # each keeps more files than the one before
_MOST_HOSTS = 3


def preview_best(
    config: Config,
    seen: Surveyed,
    propose: Propose,
    chosen: Mapping[int, ChosenFate] = NO_CHOICES,
    *,
    may_delete: bool = True,
    force: bool = False,
) -> Preview:
    """Returns the preview of a proposal that breaks no law: what cannot be moved without a loss stays in its file.

    Which files these are is found by trying. Unless `may_delete`, files that would be deleted stay, too. With `force` nothing is
    kept for the sake of a law.
    """
    proposal = propose(chosen)
    hosts = _hosts(seen, proposal)
    copied = [source.path for source in proposal.sources if source.imported_by and not source.importer]
    plans = [AdoptPlan({}, hosts)]
    if force:
        return preview_of(config, seen, propose, chosen, plans[0], may_delete=may_delete)
    # A page may have to be in one of the files alone, or for what imports a file.
    plans += [AdoptPlan({}, [host]) for host in hosts[:_MOST_HOSTS] if len(hosts) > 1]
    plans += [AdoptPlan({}, [host for host in hosts if host not in copied], copied)] if copied else []
    titles = titles_that_stay(replace(proposal, hosts=frozenset(hosts)))
    if untitled := [host for host in hosts if not titles.get(host)]:
        plans.append(AdoptPlan({}, hosts, (), untitled))
    if len(hosts) > 1:
        plans.append(AdoptPlan({}, hosts, are_equal=True))
    best = _lawful(config, seen, propose, chosen, plans[0], may_delete=may_delete)
    for plan in plans[1:]:
        if not _stays(best) and not best.moved:
            break
        found = _lawful(config, seen, propose, chosen, plan, may_delete=may_delete)
        best = found if _worth(found) > _worth(best) else best
    return best


def _hosts(seen: Surveyed, proposal: Proposal) -> list[str]:
    """The adopted files in which a tool has its page, the largest first."""
    sources = sorted(proposal.sources, key=lambda each: (-len(each.text), each.path))
    return [each.path for each in sources if not each.importer and section_in(seen, each.path)]


def _stays(found: Preview) -> bool:
    globs = {source.path for source in found.proposal.sources if source.globs}
    return bool({*found.kept} - globs)


def _worth(found: Preview) -> tuple[int, int, int]:
    units = [unit for unit in found.proposal.units if unit.path != PACK]
    # A line that only imports what is adopted is nothing that is taken over.
    taken = (unit.text for unit in units if unit.fate in TIERS or (unit.fate == SAME and unit.same_as >= 0))
    lost = sum(len(lines) for _, lines in unchosen_losses(found))
    doubled = max((sum(map(len, tool.doubled)) for tool in found.tools), default=0)
    return -lost - len(found.reasons), sum(map(len, taken)) - 2 * doubled, -len(found.moved)


def _lawful(
    config: Config,
    seen: Surveyed,
    propose: Propose,
    chosen: Mapping[int, ChosenFate],
    plan: AdoptPlan,
    *,
    may_delete: bool,
) -> Preview:
    """The preview with pages in some of the adopted files, in which what would break a law stays in its file."""
    found = preview_of(config, seen, propose, chosen, plan, may_delete=may_delete)
    for tried in range(_MOST_TRIES):
        if not found.reasons:
            break
        more = _fewest(found) if tried < _MOST_TRIES // 2 else found.reasons
        plan = plan._replace(kept={**plan.kept, **more})
        found = preview_of(config, seen, propose, chosen, plan, may_delete=may_delete)
    return found


def _fewest(found: Preview) -> Mapping[str, str]:
    """The files that are kept next: those for some files only, then all but the largest, because one often moves the others."""
    sources = {source.path: source for source in found.proposal.sources}
    scoped = {path: why for path, why in found.reasons.items() if sources[path].globs}
    if scoped:
        return scoped
    largest = max(found.reasons, key=lambda path: len(sources[path].text))
    return {path: why for path, why in found.reasons.items() if path != largest} or found.reasons
