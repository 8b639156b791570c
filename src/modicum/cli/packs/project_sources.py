"""Brings the sources that a project names, before a command uses them; asks once, on a terminal, for each location."""

import shlex

from modicum.base.config import OWN, Config
from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.questions import says_yes


def bring_sources(config: Config, *, may_ask: bool) -> Config:
    """Fetches missing sources of the project before a command runs, asking at the terminal; returns the configuration with what was agreed to.

    Raises ModicumError if the user has not agreed, and cannot be asked or says no.
    """
    if not config.sources:
        return config  # almost always: nothing more is imported
    from modicum.app.packs.sources import agree, fetch_sources, sources_to_agree_to

    for source, why in sources_to_agree_to(config):
        if not may_ask or not _says_yes(source.name, source.location, source.ref):
            word = shlex.quote(source.location)
            remedy = f"agree once: modicum source agree {word}; in CI: {OWN['agreed_sources']}={word}"
            raise ModicumError(why, remedy=remedy)
        config = agree(config, [source.location])
    for report in fetch_sources(config):
        for sentence in (*map(str, report.problems), *report.remarks):
            output.warn(f"{report.source.name}: {sentence}")
    return config


def _says_yes(name: str, location: str, ref: str) -> bool:
    at = f" at {ref}" if ref else ""
    output.warn(
        f'this project takes packs from {location}{at}, as "{name}". They become instructions for AI tools.'
    )
    return says_yes("Fetch them, now and later?")
