"""Which module may import which, and which are pure. Run as a script: the pure ones as coverage patterns."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "modicum"

PURE = (
    "base.git_names",
    "base.hashes",
    "base.named_tuple",
    "base.near_words",
    "base.plain_words",
    "base.typing_names",
    "base.value",
    "base.yaml.check",
    "base.yaml.nodes",
    *(f"engine.{name}" for name in ("page", "layout", "offers", "late_line")),
    *(
        f"text.{name}"
        for name in (
            "answering",
            "markdown",
            "regions",
            "prose",
            "hidden",
            "secrets",
            "pieces",
            "graphemes",
            "neutralise",
            "directives",
            "snippets",
            "paragraphs",
            "tiers",
            "tier_marks",
            "alike",
        )
    ),
    *(
        f"text.rules.{name}"
        for name in (
            *(
                "words",
                "statements",
                "scopes",
                "rules",
                "findings",
                "index",
                "opposites",
                "intents",
                "repeats",
            ),
            *("rivals", "rival_table", "vague", "lint"),
        )
    ),
    *(f"text.orders.{name}" for name in ("phrases", "quote")),
    *(f"text.secret_kinds.{name}" for name in ("announced", "connections", "services")),
    *(f"text.rules.repository.{name}" for name in ("manifests", "mentions", "missing")),
    *(
        f"search.{name}"
        for name in (
            "rank",
            "features",
            "speakers",
            "question",
            "dates",
            "neighbours",
            "spread",
            "terms",
            "word_lists",
            "marking",
        )
    ),
    *(
        f"memory.{name}"
        for name in ("model", "redact", "names", "topics", "learnings", "sections", "foreign_json")
    ),
    *(f"memory.{name}" for name in ("origins", "disputes", "types")),
    *(f"memory.gate.{name}" for name in ("audit", "standing")),
    "memory.brief.lines",
    "memory.projects.keys",
    "memory.projects.shown",
    "memory.undo.model",
    "memory.undo.plan",
    "memory.find.wordpiece",
    "memory.exchange.markdown",
    *(f"memory.sync.{name}" for name in ("state", "chunks", "local")),
    *(f"memory.exchange.imports.{name}" for name in ("model", "import_contents", "foreign_rows", "markdown")),
    *(
        f"packs.{name}"
        for name in ("model", "merge", "sections", "surrounding", "tables", "fields", "tips", "foreign")
    ),
    *(f"packs.web.{name}" for name in ("fetch_markers", "html_text")),
    *(f"specs.{name}" for name in ("model", "documents", "decisions", "explore", "file_names")),
    *(f"specs.changes.{name}" for name in ("flows", "moves", "tasks", "gates")),
    *(f"specs.check.{name}" for name in ("passages", "findings", "sections")),
    *(f"specs.project.{name}" for name in ("drafts", "facts", "manifests", "sections")),
    *(
        f"targets.{name}"
        for name in ("model", "globs", "detect", "change", "plan", "agent_facts", "hook_trust")
    ),
    *(f"targets.bounds.{name}" for name in ("closed_lists", "foreign", "model", "paths")),
    *(
        f"targets.loaders.{name}"
        for name in ("model", "load", "files", "front_matter", "code_lines", "comments")
    ),
    *(
        f"targets.loaders.{name}"
        for name in ("imports", "dropped_text", "walk", "reading", "carriers", "placement")
    ),
    *(f"targets.wiring.{name}" for name in ("entries", "wires", "commands")),
    *(f"targets.live.{name}" for name in ("model", "programs", "request")),
    *(f"targets.settings.{name}" for name in ("editing", "undo", "spans", "jsonc")),
    *(f"targets.settings.{name}" for name in ("toml_tables", "yaml_scan", "yaml_edit")),
    *(
        f"app.adopt.{name}"
        for name in ("unit", "sources", "repeated_units", "propose", "pack_text", "review", "comparison")
    ),
    *(f"compat.engram.{name}" for name in ("context_text", "context_reader")),
)

# A module may import modules of its own row (within a domain) and of the rows named behind it.
GROUND = ("engine", "text", "search", "base")
DOMAINS = ("packs", "memory", "specs", "targets")
DOORS = ("cli", "http", "mcp", "hooks", "web")

# What a door may import beside itself: use cases, the ground, and of the domains only the values: every module `model`,
# and these, which have values and what words them.
OF_A_DOOR = (
    "app",
    "engine",
    "base",
    "targets.change",
    "memory.brief.lines",
    "memory.projects.keys",
    "text.rules.findings",
)
STARTS_DOORS = ("cli.main", "cli.agents")  # and only these import other doors

# Other systems' words: the types of the doors that they are registered with, and who registers them.
TYPES_FOR_COMPAT = (
    *("http.replies", "http.request", "http.routes", "hooks.http_client"),
    *(f"mcp.{name}" for name in ("tool", "family", "arguments", "schema", "reply", "pages")),
)
# The workbench is registered with the HTTP server, in the same way.
TYPES_FOR_WEB = tuple(f"http.{name}" for name in ("replies", "request", "body", "routes", "guard"))
REGISTERS_COMPAT = ("cli.agents.serve", "cli.memory.export", "mcp.sets", "hooks.servers")

IMPURE = (
    "os",
    "sqlite3",
    "apsw",
    "socket",
    "logging",
    "time",
    "random",
    "pathlib",
    "subprocess",
    "tempfile",
)


def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name below the package."""
    paths = sorted(SOURCE.rglob("*.py"))
    return {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }


def imports(path: Path) -> Iterator[str]:
    """What a file imports at any depth, except for the type checker alone."""
    for node in _walk(ast.parse(path.read_text(encoding="utf-8"))):
        yield from _imported_by(node)


def type_imports(path: Path) -> Iterator[str]:
    """What a file imports for the type checker alone, except for `Store`, which every use case is handed."""
    for node in filter(_is_for_types, ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        for inner in ast.walk(node):
            if not (isinstance(inner, ast.ImportFrom) and _is_store(inner)):
                yield from _imported_by(inner)


def _is_store(node: ast.ImportFrom) -> bool:
    return node.module == "modicum.memory.store" and [alias.name for alias in node.names] == ["Store"]


def _imported_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from _imported_from(node.module or "", [alias.name for alias in node.names])


def _imported_from(module: str, names: list[str]) -> Iterator[str]:
    """The modules among what is imported from a package, or the module itself."""
    folder = SOURCE.parent / module.replace(".", "/")
    inner = [name for name in names if (folder / f"{name}.py").exists() or (folder / name).is_dir()]
    yield from (f"{module}.{name}" for name in inner)
    if len(inner) < len(names):
        yield module


def _is_store(node: ast.ImportFrom) -> bool:
    """Says whether an import is that of the type that every use case is handed."""
    return node.module == "modicum.memory.store" and [alias.name for alias in node.names] == ["Store"]


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and _is_for_types(node):
        for other in node.orelse:
            yield from _walk(other)
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


if __name__ == "__main__":
    print(",".join(f"*/modicum/{name.replace('.', '/')}.py" for name in PURE))
