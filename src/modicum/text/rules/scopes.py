"""What an instruction is bound to: a language, a place, an environment, a folder, a file type. Pure.

Two instructions that are bound to different things cannot contradict each other.
"""

import re
from collections.abc import Iterable

# Each kind with its values; a value is written in any of the ways behind it. All words are matched whole, in any number.
# fmt: off
_KINDS: dict[str, dict[str, str]] = {
    "language": {
        "python": "python", "typescript": "typescript|ts|tsx", "javascript": "javascript|js|jsx",
        "go": "golang|go code|in go|go files", "rust": "rust", "java": "java", "kotlin": "kotlin", "swift": "swift",
        "ruby": "ruby", "php": "php", "c++": r"c\+\+|cpp", "c#": "c#|csharp", "sql": "sql", "yaml": "ya?ml",
        "json": "json", "toml": "toml", "markdown": "markdown|prose|md", "html": "html|templates?",
        "css": "s?css|styles? ?sheets?|less", "shell": "shell|bash|shell scripts?", "make": "makefiles?",
        "docker": "dockerfiles?", "protobuf": "proto(?:col buffers?|buf)?", "graphql": "graphql", "elixir": "elixir",
        "lua": "lua", "r": "r scripts", "vue": "vue", "latex": "la?tex", "xml": "xml",
    },
    "place": {
        "frontend": "front-?end|ui|client|browser|web app", "backend": "back-?end|server|api",
        "mobile": "mobile|ios|android|app store", "script": "scripts?|tooling|tools folder",
        "library": "librar(?:y|ies)|sdks?", "docs": "docs|documentation|readmes?|docs site",
        "infrastructure": "infra(?:structure)?|deployments?", "legacy": "legacy|old|older|deprecated|v1",
        "new": "new (?:code|modules?|pages?|files?|services?|features?|components?|tests?)", "generated": "generated",
        "example": "examples?|samples?|demos?", "vendored": "vendor(?:ed)?|third-party", "cli": "cli|command.line",
        "firmware": "firmware|bootloader", "worker": "workers?", "wire": "wire", "sidecar": "sidecar",
        "admin": "admin(?: area| panel)?s?", "page": "pages?", "gpu": "gpu", "storefront": "storefront",
    },
    "environment": {
        "development": "development|dev|local(?:ly)?|locally", "production": "production|prod|live",
        "staging": "staging", "ci": "ci|pipelines?|continuous integration",
        "release": "releases?|release branch(?:es)?|hotfix(?:es)?", "debug": "debug builds?",
    },
    "tests": {
        "unit": "unit", "integration": "integration", "e2e": "e2e|end-to-end|browser tests?|acceptance",
        "load": "load tests?|performance tests?", "test": "tests?|fixtures?|specs?", "snapshot": "snapshots?",
    },
    "text": {
        "commit": "commit (?:messages?|subjects?|bod(?:y|ies)|titles?)|commits?|subject lines?",
        "comment": "comments?|doc-?strings?|doc comments?", "prose": "prose|paragraphs?|markdown",
        "branch": "branch(?:es)?(?: names?)?", "title": "titles?", "log": "logs?|log lines?|log messages?",
        "changelog": "changelogs?", "review": "reviews?",
    },
    "named": {
        "file": "files?|file ?names?", "folder": "folders?|director(?:y|ies)", "component": "components?",
        "variable": "variables?|locals?", "function": "functions?|methods?",
        "class": "class(?:es)?|types?|interfaces?", "constant": "constants?", "column": "columns?|tables?|fields?",
        "environment variable": "environment variables?|env vars?", "endpoint": "endpoints?|routes?|urls?|paths?",
        "key": "keys?|properties", "hook": "hooks?", "event": "events?", "enum": "enums?", "test": "tests?",
        "branch": "branch(?:es)?", "image": "images?", "parameter": "parameters?|arguments?",
        "module": "modules?|packages?",
    },
}
# fmt: on


def _compiled(kind: str) -> re.Pattern[str]:
    values = "|".join(f"(?P<v{at}>{ways})" for at, ways in enumerate(_KINDS[kind].values()))
    return re.compile(rf"(?i)(?<![\w./-])(?:{values})(?![\w/-])")


_PATTERNS = {kind: _compiled(kind) for kind in _KINDS}
_VALUES = {kind: tuple(values) for kind, values in _KINDS.items()}
_FOLDER = re.compile(r"`([\w.@-]+(?:/[\w.@*-]+)*/?)`")
BOUND_BY = ("language", "place", "environment", "tests")


def scope_of(text: str, kinds: Iterable[str] = BOUND_BY) -> frozenset[str]:
    """Returns the scope of a text, what it is bound to by its words, such as `language:python` and `place:server`."""
    return frozenset(
        f"{kind}:{_VALUES[kind][int((found.lastgroup or 'v0')[1:])]}"
        for kind in kinds
        for found in _PATTERNS[kind].finditer(text)
    )


def folders_in(text: str) -> frozenset[str]:
    """Returns the folders and other names in code that bound the scope of a text: "in `legacy/`", "for `core`"."""
    return frozenset(
        f"folder:{found[1].rstrip('/')}" for found in _FOLDER.finditer(text) if _is_place(text, found)
    )


def _is_place(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 24) : found.start()]
    return bool(
        re.search(
            r"(?i)\b(?:in|for|of|under|below|inside|within|outside|to|on|from)\s+(?:the\s+|any\s+)?$", before
        )
    )


def are_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Returns True if two scopes have no place in common: some kind of bound is in both, with other values."""
    for kind in {each.partition(":")[0] for each in one} & {each.partition(":")[0] for each in other}:
        here = {each for each in one if each.startswith(f"{kind}:")}
        there = {each for each in other if each.startswith(f"{kind}:")}
        if not here & there:
            return True
    return False
