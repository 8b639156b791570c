"""The audit of specs: which requirements the documents define, and which of them the code mentions."""

from modicum.app.specs.open_specs import OpenedSpecs
from modicum.engine.page import Block, Detail, Section
from modicum.specs.changes.gates import GateDocument, mentioned, requirements
from modicum.specs.project.scan import mentions, scanned_folder


def audit_sections(specs: OpenedSpecs, path: str = "") -> tuple[Section, ...]:
    """Returns the audit of requirements as sections: undefined, not seen in the code, seen in the code."""
    folder = scanned_folder(specs.workspace, path)
    documents = list(_documents(specs))
    defined = {each.id: each for document in documents for each in requirements(document)}
    named: dict[str, list[str]] = {}
    for document in documents:
        for word in mentioned(document):
            named.setdefault(word, []).append(document.file)
    inside = mentions(folder, frozenset(named))
    blocks = [_audited(word, named[word], inside[word], defined[word].text) for word in sorted(defined)]
    phantoms = [
        Block(f"phantom:{word}", {Detail.SUMMARY: f"- {word}: {', '.join(files)}"})
        for word, files in sorted(named.items())
        if word not in defined
    ]
    sections = (
        Section(tuple(phantoms), ("## Defined nowhere",), "\n"),
        Section(tuple(block for block, seen in blocks if not seen), ("## Not seen in the code",), "\n"),
        Section(tuple(block for block, seen in blocks if seen), ("## Seen in the code",), "\n"),
    )
    return tuple(section for section in sections if section.blocks)


def _documents(specs: OpenedSpecs) -> list[GateDocument]:
    files = [stage.file for stage in specs.flows.project if stage.file]
    texts = ((file, specs.workspace.document(file)) for file in files)
    return [GateDocument(file, text) for file, text in texts if text]


def _audited(word: str, files: list[str], inside: list[str], text: str) -> tuple[Block, bool]:
    others = ", ".join(dict.fromkeys(files))
    code = f"; {', '.join(inside[:5])}" if inside else ""
    forms = {
        Detail.SUMMARY: f"- {word}",
        Detail.STANDARD: f"- {word} ({others}{code})",
        Detail.FULL: f"- {word}: {text} ({others}{'; ' + ', '.join(inside) if inside else ''})",
    }
    return Block(f"requirement:{word}", forms), bool(inside)
