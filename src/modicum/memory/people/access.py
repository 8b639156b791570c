"""The access of a person: the rules for what they may write. The database limits what they see."""

from modicum.base.named_tuple import NamedTuple
from modicum.memory.model import PERSONAL, SCOPES, Archive, Changes, Forbidden, Note, Refused
from modicum.memory.names import project_name, scope_name

LONGEST_PERSON = 100  # characters of a name
OWN = "@"  # before the name of the only person who may see something


class Person(NamedTuple):
    """A person and their access: projects, scopes, read or write. Empty lists mean all projects or scopes."""

    name: str = ""
    projects: tuple[str, ...] = ()  # read and written
    reads: tuple[str, ...] = ()  # only read
    scopes: tuple[str, ...] = ()
    read_only: bool = False
    token: int = 0
    purpose: str = ""  # of the token: as whom it speaks

    @property
    def is_limited(self) -> bool:
        """Returns True if the person's access is limited: others' personal notes are hidden at least."""
        return bool(self.name)

    @property
    def seen_projects(self) -> tuple[str, ...]:
        """Returns the projects that the person has access to; none means all of them."""
        return (*self.projects, *self.reads)

    @property
    def audiences(self) -> tuple[str, ...]:
        """Returns the audiences whose notes the person has access to: all in a scope, or the person."""
        scopes = self.scopes or SCOPES
        shared = tuple(scope for scope in scopes if scope != PERSONAL)
        return (*shared, OWN + self.name) if PERSONAL in scopes else shared

    def sees(self, project: str, scope: str, owner: str) -> bool:
        """Returns True if the person has access to a note of a project, scope and owner, as the database decides it.

        It is asked only of notes that are no longer in the database.
        """
        if not self.is_limited:
            return True
        audience = OWN + owner if scope == PERSONAL else scope
        return audience in self.audiences and (not self.seen_projects or project in self.seen_projects)

    def check(self, project: str, scope: str = "") -> None:
        """Raises Forbidden if the person has no access to write in a project or scope."""
        if self.read_only:
            raise Forbidden(f"{self.name} may only read", remedy="ask for a token that may write")
        if self.seen_projects and project not in self.projects:
            named = f'project "{project}"' if project else "what has no project"
            raise Forbidden(f"{self.name} may not write to {named}", remedy="ask for a token that may")
        if scope and self.scopes and scope not in self.scopes:
            raise Forbidden(
                f'{self.name} may not write in scope "{scope}"', remedy="ask for a token that may"
            )

    def check_move(self, note: Note, changes: Changes) -> None:
        """Raises Forbidden if the person has no access to where changes would bring a note.

        Nobody may make somebody else's note personal.
        """
        if changes.project is None and changes.scope is None:
            return
        project = note.project if changes.project is None else project_name(changes.project)
        scope = note.scope if changes.scope is None else scope_name(changes.scope)
        if scope == PERSONAL and note.owner not in ("", self.name):
            raise Forbidden(f"note #{note.id} is {note.owner}'s", remedy="save a personal note of your own")
        self.check(project, scope)

    def claim(self, archive: Archive) -> Archive:
        """Returns an archive with all of it owned by the person who takes it in; refuses parts to which they have no access to write."""
        if not self.is_limited:
            return archive
        for each in archive.notes:
            self.check(each.project, each.scope)
        projects = {each.project for each in archive.sessions} | {each.project for each in archive.prompts}
        for project in sorted(projects | {each.project for each in archive.progress}):
            self.check(project)
        mine = tuple(each._replace(owner=self.name) for each in archive.notes)
        typed = tuple(each._replace(owner=self.name) for each in archive.prompts)
        return archive._replace(notes=mine, prompts=typed)


ANYBODY = Person()


def person_named(name: str) -> Person:
    """Returns the person with a name and access to everything shared; refuses a name that cannot be shown."""
    if len(name) > LONGEST_PERSON or not name.isprintable():
        what = f"the name of a person has at most {LONGEST_PERSON} characters, and no line break or control character"
        raise Refused(what, remedy='give a short one, such as "mia"')
    return Person(name)
