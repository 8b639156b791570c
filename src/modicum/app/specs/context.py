"""The spec context: opens the specs of a project (folders, flows, branch, current change) for use cases."""

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
    """The context of a specs use case: a project's folders, flows, git branch and name in memory."""

    workspace: Workspace
    flows: Flows
    branch: str
    project: str  # as memory knows it

    def changes(self) -> ChangeList:
        return read_changes(self.workspace)

    def change(self, name: str = "") -> Change:
        """Returns the named change of the specs, else the current one; raises ModicumError if none."""
        return find_change(self.changes().changes, name, self.branch)

    def current_change(self, name: str = "") -> Change | None:
        """Returns the named or current change, or None; an unknown name raises ModicumError."""
        if name:
            return self.change(name)
        try:
            return self.change()
        except ModicumError:
            return None


def open_specs(config: Config) -> SpecContext:
    """Opens the spec context of the project that the user is in."""
    workspace = Workspace(config.root, _docs(config), config.state / "locks")
    flows = read_flows(BUILT_IN, workspace, config.project)
    return SpecContext(workspace, flows, current_branch(config.root), project_name(config.name))


def _docs(config: Config) -> Path:
    return find_docs(config.here or config.root, config.root, config.docs)


def now() -> str:
    """Returns the current time as spec files write it: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
