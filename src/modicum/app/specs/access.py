"""Access to specs: who may read and write the spec files of the project that is served."""

from modicum.app.whose import project_of
from modicum.base.config import Config
from modicum.memory.model import Forbidden
from modicum.memory.store import Store


def check_spec_access(config: Config, store: Store, *, writing: bool) -> None:
    """Checks access to specs: raises Forbidden if a person may not read or change the specs of a project."""
    who, project = store.who, project_of(store, config)
    if writing and who.is_limited:
        who.check(project)
    elif who.seen_projects and project not in who.seen_projects:
        raise Forbidden(f'{who.name} may not read "{project}"', remedy="ask for a token that may")
