"""Drafts the first documents of a project from a scan. Pure."""

import re
from collections.abc import Iterator

from modicum.specs.project.facts import ProjectFacts
from modicum.specs.project.manifests import named_dependencies

_RULE = re.compile(
    r"\b(?:must|never|always|do not|don't|shall|only|required|forbidden|should)\b", re.IGNORECASE
)
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*\S)\s*$")
_FEATURES = re.compile(
    r"^#{1,4}\s++.*\b(?:features?|what it does|capabilities|highlights|usage)\b", re.IGNORECASE
)
_MOST = 30


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
    lines = [f"- `{file.path}`{named_dependencies(file)}" for file in facts.manifests]
    lines += [f"- `{file.path}`" for file in facts.settings]
    return "\n".join(lines[:_MOST])
