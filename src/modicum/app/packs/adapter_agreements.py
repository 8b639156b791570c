"""Agreements of the user to adapters that a project or a source brings: who waits for one, and keeping it in the user's config."""

from collections.abc import Iterable, Sequence

from modicum.app.config_file import edit_config
from modicum.app.inject.load import load_knowledge, may_bring_adapters
from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.base.value import replace
from modicum.targets.bounds.model import WaitingAdapter
from modicum.targets.settings.editing import add_item


def waiting_adapters(config: Config) -> tuple[WaitingAdapter, ...]:
    """Returns the adapters that a project or a source brings and that are not in force until their user agrees to them."""
    return load_knowledge(config, tools_only=True).waiting if may_bring_adapters(config) else ()


def trusted_adapters(
    config: Config, waiting: Iterable[WaitingAdapter], hashes: Iterable[str]
) -> tuple[WaitingAdapter, ...]:
    """Returns the waiting adapters that have one of the hashes; raises WrongUsage for a hash that none has or had."""
    found = [*waiting]
    known = {each.hash for each in found} | {each.partition(" ")[0] for each in config.agreed_adapters}
    for code in hashes:
        if code not in known:
            hint = ", ".join(f"{each.id} has {each.hash}" for each in found) or "there is none to agree to"
            raise WrongUsage(f'no adapter here has the hash "{code[:64]}"', remedy=hint)
    wanted = {*hashes}
    return tuple(each for each in found if each.hash in wanted)


def agree_to_adapters(config: Config, adapters: Sequence[WaitingAdapter]) -> Config:
    """Keeps agreements to adapters in the user's own config; returns the new configuration, with which they are in force."""
    if not adapters:
        return config
    lines = [each.agreement for each in adapters]

    def edit(text: str) -> str:
        for line in lines:
            text = add_item(text, "yaml", ("agreed_adapters",), line).text
        return text

    edit_config(config, config.user_file, edit)
    return replace(config, agreed_adapters=(*config.agreed_adapters, *lines))
