"""Opens the specs of a project for the use cases: its folders, its flows, its branch and its changes."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from modicum.app.inject.load import BUILT_IN
from modicum.app.whose import project_of
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.memory.names import project_name
from modicum.memory.store import Store
from modicum.specs.changes.moves import find_change
from modicum.specs.files import ChangeList, Workspace, find_docs, read_changes, read_flows
from modicum.specs.git import current_branch
from modicum.specs.model import Change, Flows


class OpenedSpecs(NamedTuple):
    """The opened specs of a project: its folders, flows and git branch, and its name."""

    workspace: Workspace
    flows: Flows
    branch: str
    project: str  # its name
    config: Config

    def project_in(self, store: Store, *, writing: bool = False) -> str:
        """Returns the project of memory that the opened specs belong to."""
        return project_of(store, self.config, writing=writing)

    def changes(self) -> ChangeList:
        return read_changes(self.workspace)

    def change(self, name: str = "") -> Change:
        """Returns the named change of the opened specs, else the current one; raises ModicumError if there is none."""
        return find_change(self.changes().changes, name, self.branch)

    def current_change(self, name: str = "") -> Change | None:
        """Returns the named or current change of the opened specs, or None; an unknown name raises ModicumError."""
        if name:
            return self.change(name)
        try:
            return self.change()
        except ModicumError:
            return None


def open_specs(config: Config) -> OpenedSpecs:
    """Opens the specs of the project that the user is in: its folders, flows and git branch."""
    workspace = Workspace(config.root, _docs(config), config.state / "locks", config.state / "aside")
    flows = read_flows(BUILT_IN, workspace, config.project)
    return OpenedSpecs(workspace, flows, current_branch(config.root), project_name(config.name), config)


def _docs(config: Config) -> Path:
    return find_docs(config.here or config.root, config.root, config.docs)


def now() -> str:
    """Returns the time at which a door opens or changes specs, as spec files write it: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
