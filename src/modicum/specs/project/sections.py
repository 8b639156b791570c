"""The facts that a scan of a project found as sections of a page. Pure."""

from modicum.engine.page import Block, Detail, Section
from modicum.specs.project.facts import ProjectFacts, ProjectFile
from modicum.specs.project.manifests import named_dependencies

FULL_FOLDERS = 40


def scan_sections(facts: ProjectFacts) -> tuple[Section, ...]:
    """Returns the facts that a scan of a project found as sections of a page, by topic, in three lengths."""
    groups = (
        (
            "## Manifests",
            [_file_block(file, "manifest", about=named_dependencies(file)) for file in facts.manifests],
        ),
        ("## Conventions", [_file_block(file, "convention") for file in facts.conventions]),
        ("## Decisions", [_file_block(file, "decision") for file in facts.decisions]),
        ("## Settings", [_file_block(file, "setting") for file in facts.settings]),
        ("## Layout", _folder_blocks(facts)),
        ("## Tests", _test_blocks(facts)),
    )
    return tuple(Section(tuple(blocks), (lead,), "\n") for lead, blocks in groups if blocks)


def _file_block(file: ProjectFile, kind: str, about: str = "") -> Block:
    line = f"- {file.path} ({file.size:,} bytes)"
    forms = {Detail.SUMMARY: f"- {file.path}", Detail.STANDARD: line + about}
    if file.text.strip():
        forms[Detail.FULL] = f"{line}\n\n{file.text.strip()}\n"
    return Block(f"{kind}:{file.path}", forms)


def _folder_blocks(facts: ProjectFacts) -> list[Block]:
    return [
        Block(
            f"folder:{path}",
            {Detail.SUMMARY: f"- {path}/", Detail.STANDARD: f"- {path}/ ({count} source files)"},
            at,
        )
        for at, (path, count) in enumerate(facts.folders[:FULL_FOLDERS], 1)
    ]


def _test_blocks(facts: ProjectFacts) -> list[Block]:
    if not facts.tests:
        return []
    count = len(facts.tests)
    brief = f"- {count} file{'s' * (count != 1)}"
    line = f"{brief}, such as {facts.tests[0]}"
    listed = "\n".join(f"- {path}" for path in facts.tests)
    return [
        Block(
            "tests:",
            {Detail.SUMMARY: brief, Detail.STANDARD: line, Detail.FULL: listed},
            1,
        )
    ]
