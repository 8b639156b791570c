"""The specs of a project as sections, for a page of any amount: where it stands, its requirements, what is in it."""

from modicum.app.specs.audit import audit_sections
from modicum.app.specs.context import open_specs
from modicum.app.specs.overview import context_sections
from modicum.app.specs.pages import whole_spec
from modicum.base.config import Config
from modicum.base.errors import Wording
from modicum.engine.page import Block, Detail, Section
from modicum.specs.project.drafts import scan_sections
from modicum.specs.project.scan import scan

Sections = tuple[Section, ...]


def standing(config: Config, word: Wording) -> Sections:
    """The documents of the project, its open changes and its decisions."""
    return context_sections(open_specs(config), word)


def document(config: Config, stage: str) -> Sections:
    """The document of one stage, whole."""
    found = whole_spec(config, f"artifact:{stage}")
    return (Section((Block(str(found.fields["key"]), {Detail.SUMMARY: found.body}),)),)


def requirements(config: Config, path: str = "") -> Sections:
    """Every requirement with where it is mentioned, in the project or in a folder of it."""
    return audit_sections(open_specs(config), path)


def contents(config: Config, path: str = "") -> Sections:
    """What is in the project, or in a folder of it."""
    return scan_sections(scan(open_specs(config).workspace, path))
