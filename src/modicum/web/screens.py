"""The screens of the workbench, in the order of the navigation, with the letter that goes to each one."""

from typing import NamedTuple


class Screen(NamedTuple):
    """A screen of the workbench: its name, address and title, and the letter that goes to it behind `g`."""

    name: str
    path: str
    title: str
    letter: str


SCREENS = (
    Screen("tools", "/", "Tools", "t"),
    Screen("reading", "/web/reading", "Reading", "r"),
    Screen("memory", "/web/memory", "Memory", "m"),
    Screen("review", "/web/review", "Review", "v"),
    Screen("changes", "/web/changes", "Changes", "c"),
    Screen("live", "/web/live", "Live", "l"),
)
