"""Where the specs of a project are, and what is in force there: the table of flows, the branch, the change at hand."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from modicum.app.inject.load import BUILT_IN
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.memory.names import project_name
from modicum.specs.changes.moves import find_change
from modicum.specs.files import ChangeList, Workspace, find_docs, read_changes, read_flows
from modicum.specs.git import current_branch
from modicum.specs.model import Change, Flows


class SpecContext(NamedTuple):
    """What every use case of specs begins with."""

    workspace: Workspace
    flows: Flows
    branch: str
    project: str  # as memory knows it

    def changes(self) -> ChangeList:
        return read_changes(self.workspace)

    def change(self, name: str = "") -> Change:
        """The change that is named, or the one at hand."""
        return find_change(self.changes().changes, name, self.branch)

    def at_hand(self, name: str = "") -> Change | None:
        """The change at hand, if there is one; a name that nobody has is an error."""
        if name:
            return self.change(name)
        try:
            return self.change()
        except ModicumError:
            return None


def open_specs(config: Config) -> SpecContext:
    """The specs of the project that the user is in."""
    workspace = Workspace(config.root, _docs(config), config.state / "locks")
    flows = read_flows(BUILT_IN, workspace, config.project)
    return SpecContext(workspace, flows, current_branch(config.root), project_name(config.name))


def _docs(config: Config) -> Path:
    return find_docs(config.here or config.root, config.root, config.docs)


def now() -> str:
    """The time as the files have it: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
