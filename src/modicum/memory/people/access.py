"""Who may see and write what: a person, and the rules for what they write. What they see is held by the database."""

from typing import NamedTuple

from modicum.memory.model import PERSONAL, SCOPES, Archive, Forbidden

OWN = "@"  # before the name of the only person who may see something


class Person(NamedTuple):
    """Somebody with a name. No projects and no `reads` are all of them, and no scopes are all of those."""

    name: str = ""
    projects: tuple[str, ...] = ()  # read and written
    reads: tuple[str, ...] = ()  # only read
    scopes: tuple[str, ...] = ()
    read_only: bool = False
    token: int = 0

    @property
    def is_limited(self) -> bool:
        """True if there is anything that they may not see: what is personal to others at least."""
        return bool(self.name)

    @property
    def seen_projects(self) -> tuple[str, ...]:
        """The projects that they may see; none: all of them."""
        return (*self.projects, *self.reads)

    @property
    def audiences(self) -> tuple[str, ...]:
        """Whom a note must be for, so that they may see it: everybody in a scope, or themselves."""
        scopes = self.scopes or SCOPES
        shared = tuple(scope for scope in scopes if scope != PERSONAL)
        return (*shared, OWN + self.name) if PERSONAL in scopes else shared

    def check(self, project: str, scope: str = "") -> None:
        """Refuses to write where they may not."""
        if self.read_only:
            raise Forbidden(f"{self.name} may only read", remedy="ask for a token that may write")
        if self.seen_projects and project not in self.projects:
            named = f'project "{project}"' if project else "what has no project"
            raise Forbidden(f"{self.name} may not write to {named}", remedy="ask for a token that may")
        if scope and self.scopes and scope not in self.scopes:
            raise Forbidden(
                f'{self.name} may not write in scope "{scope}"', remedy="ask for a token that may"
            )

    def claim(self, archive: Archive) -> Archive:
        """Returns an archive that they bring, with all of it theirs; refuses what is where they may not write."""
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
