"""Which module may import which, and which are pure. Run as a script: the pure ones as coverage patterns."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "modicum"

PURE = (
    "value",
    "page",
    "layout",
    "offers",
    "text",
    "regions",
    "prose",
    "screen",
    "cuts",
    "yamlcheck",
    "yamlnodes",
    *(
        f"memory.{name}"
        for name in ("model", "redact", "names", "topics", "learnings", "sections", "compat", "lines")
    ),
    *(f"memory.{name}" for name in ("pages", "sync_state", "sync_records", "sync_local")),
    *(f"memory.imports.{name}" for name in ("found", "rows", "markdown")),
    "packs.model",
    "packs.merge",
    "packs.sections",
    "packs.fetch",
    "packs.fields",
    "packs.webtext",
    "packs.tips",
    *(
        f"specs.{name}"
        for name in (
            "model",
            "table",
            "flow",
            "tasks",
            "gates",
            "pieces",
            "conflicts",
            "findings",
            "sections",
        )
    ),
    *(f"specs.{name}" for name in ("documents", "decisions", "drafts", "facts", "explore")),
    "rank",
    "signals",
    "spoken",
    "question",
    "terms",
    "targets.model",
    "targets.globs",
    "targets.detect",
    "targets.wiring",
    "targets.rewire",
    "targets.plan",
    *(
        f"targets.{name}"
        for name in ("documents", "edits", "spans", "jsonc", "tomlscan", "tomltext", "yamlscan", "yamltext")
    ),
)

# A module may import modules of its own row (within a domain) and of the rows named behind it.
ENGINE = (
    *("value", "page", "layout", "offers", "text", "regions", "prose", "tokens", "views", "screen", "cuts"),
    *("errors", "places", "files", "yamlcheck", "yamlnodes", "remembered"),
    *("rank", "terms", "question", "signals", "spoken"),
)
DOMAINS = ("packs", "memory", "specs", "targets")
DOORS = ("cli", "http", "mcp", "hooks", "web")

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


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


if __name__ == "__main__":
    print(",".join(f"*/modicum/{name.replace('.', '/')}.py" for name in PURE))
