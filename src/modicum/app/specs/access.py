"""Who may read and write the specs of the project that a server was started in."""

from modicum.base.config import Config
from modicum.memory.model import Forbidden
from modicum.memory.names import project_name
from modicum.memory.store import Store


def check_project_access(store: Store, config: Config, *, writing: bool) -> None:
    """Raises Forbidden if the person whose store this is may not read, or write, the project of the config."""
    who, project = store.who, project_name(config.name)
    if writing and who.is_limited:
        who.check(project)
    elif who.seen_projects and project not in who.seen_projects:
        raise Forbidden(f'{who.name} may not read "{project}"', remedy="ask for a token that may")
