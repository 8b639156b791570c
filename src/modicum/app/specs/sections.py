"""Specs of a project as sections for a page: its overview, one document, its requirements, its contents."""

from modicum.app.specs.audit import audit_sections
from modicum.app.specs.open_specs import open_specs
from modicum.app.specs.overview import context_sections
from modicum.app.specs.pages import whole_spec
from modicum.base.config import Config
from modicum.base.errors import Wording
from modicum.engine.page import Block, Detail, Section
from modicum.specs.project.scan import scan
from modicum.specs.project.sections import scan_sections

Sections = tuple[Section, ...]


def standing(config: Config, word: Wording) -> Sections:
    """Returns the state of a project's specs as sections for a page: documents, open changes and decisions."""
    return context_sections(open_specs(config), word)


def document(config: Config, stage: str) -> Sections:
    """Returns the spec document of one project stage as a section, whole."""
    found = whole_spec(config, f"artifact:{stage}")
    return (Section((Block(str(found.fields["key"]), {Detail.SUMMARY: found.body}),)),)


def requirements(config: Config, path: str = "") -> Sections:
    """Returns all requirements as sections for a page, with where each is mentioned in a project or folder."""
    return audit_sections(open_specs(config), path)


def contents(config: Config, path: str = "") -> Sections:
    """Returns what a scan of a project, or of a folder in it, finds, as sections for a page."""
    return scan_sections(scan(open_specs(config).workspace, path))
