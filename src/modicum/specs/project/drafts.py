"""Drafts the first documents of a project from a scan, and lists what the scan found as sections. Pure."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping

from modicum.engine.page import Block, Detail, Section
from modicum.specs.project.facts import ProjectFacts, ProjectFile

_RULE = re.compile(
    r"\b(?:must|never|always|do not|don't|shall|only|required|forbidden|should)\b", re.IGNORECASE
)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*\S)\s*$")
_FEATURES = re.compile(
    r"^#{1,4}\s++.*\b(?:features?|what it does|capabilities|highlights|usage)\b", re.IGNORECASE
)
_MOST = 30
FULL_FOLDERS = 40


def drafted_fields(facts: ProjectFacts) -> dict[str, dict[str, str]]:
    """Drafts the parts of a project's first documents, by stage; parts without known facts are left out."""
    found = {
        "specify": {"must_have": _must_have(facts)},
        "business-rules": {"constraints": _rules(facts)},
        "design": {
            "architecture_overview": _layout(facts),
            "tech_stack": _stack(facts),
            "components": _components(facts),
            "quality_analysis": _tests(facts),
        },
    }
    filled = {stage: {key: text for key, text in parts.items() if text} for stage, parts in found.items()}
    return {stage: parts for stage, parts in filled.items() if parts}


def _must_have(facts: ProjectFacts) -> str:
    """Returns the features that the README lists, each with an id."""
    readme = next((file for file in facts.conventions if file.path == "README.md"), None)
    promised = list(_promises(readme.text))[:_MOST] if readme else []
    return "\n".join(f"- **FR-{number:03}**: {text}" for number, text in enumerate(promised, 1))


def _promises(text: str) -> Iterator[str]:
    within = False
    for line in text.splitlines():
        if line.startswith("#"):
            within = bool(_FEATURES.match(line))
        elif within and (item := _ITEM.match(line)):
            yield item[1]


def _rules(facts: ProjectFacts) -> str:
    lines = []
    for file in facts.conventions:
        for number, line in enumerate(file.text.splitlines(), 1):
            item = _ITEM.match(line)
            if item and _RULE.search(item[1]):
                lines.append(f"- {item[1]} ({file.path}:{number})")
    return "\n".join(lines[:_MOST])


def _files(number: int) -> str:
    return f"{number} file{'s' * (number != 1)}"


def _layout(facts: ProjectFacts) -> str:
    if not facts.folders:
        return ""
    kinds = ", ".join(f"{count} .{ending}" for ending, count in facts.languages[:6])
    return f"{_files(facts.files)}, of them {kinds}. Decisions so far: {len(facts.decisions)}."


def _components(facts: ProjectFacts) -> str:
    return "\n".join(f"- `{path}/`: {count} source files" for path, count in facts.folders[:_MOST])


def _tests(facts: ProjectFacts) -> str:
    folders = sorted({path.rpartition("/")[0] or "." for path in facts.tests})
    return (
        f"{len(facts.tests)} test files in {', '.join(f'`{each}`' for each in folders[:8])}."
        if facts.tests
        else ""
    )


def _stack(facts: ProjectFacts) -> str:
    lines = [f"- `{file.path}`{_named(file)}" for file in facts.manifests]
    lines += [f"- `{file.path}`" for file in facts.settings]
    return "\n".join(lines[:_MOST])


def _named(file: ProjectFile) -> str:
    names = list(dependencies(file))
    return f": {', '.join(names[:20])}{', …' if len(names) > 20 else ''}" if names else ""


def dependencies(file: ProjectFile) -> Iterator[str]:
    """Yields the dependencies in a project's manifest, for the drafts, if its format is known."""
    name = file.path.rpartition("/")[2]
    try:
        if name == "package.json":
            yield from _keys(json.loads(file.text), "dependencies")
        elif name == "Cargo.toml":
            yield from _keys(tomllib.loads(file.text), "dependencies")
        elif name == "pyproject.toml":
            listed = tomllib.loads(file.text).get("project", {}).get("dependencies", [])
            yield from (re.split(r"[\s<>=!~;\[]", str(each), maxsplit=1)[0] for each in listed)
        elif name == "requirements.txt":
            lines = (line.split("#")[0].strip() for line in file.text.splitlines())
            yield from (
                re.split(r"[\s<>=!~;\[]", line, maxsplit=1)[0] for line in lines if line[:1].isalnum()
            )
    except (ValueError, AttributeError, TypeError, RecursionError):
        return


def _keys(value: object, key: str) -> Iterator[str]:
    inner = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(inner, Mapping):
        yield from (str(each) for each in inner)


# The scan as blocks.


def scan_sections(facts: ProjectFacts) -> tuple[Section, ...]:
    """Returns what a scan of a project found, by topic, as sections beside the drafts, in three lengths."""
    groups = (
        ("## Manifests", [_file_block(file, "manifest", about=_named(file)) for file in facts.manifests]),
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
    line = f"- {_files(len(facts.tests))}, such as {facts.tests[0]}"
    listed = "\n".join(f"- {path}" for path in facts.tests)
    return [
        Block(
            "tests:",
            {Detail.SUMMARY: f"- {_files(len(facts.tests))}", Detail.STANDARD: line, Detail.FULL: listed},
            1,
        )
    ]
