"""A function of 40 lines is a lot, and one of 60 fails here; so does a module of 400. The exceptions only shrink."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "modicum"
LONGEST_FUNCTION = 60
LONGEST_MODULE = 400
EXCEPTIONS: dict[str, str] = {}  # "module.py" or "module.py:function": the reason


def too_long(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(SOURCE).as_posix()
    found = [name] if text.count("\n") > LONGEST_MODULE else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            found += [f"{name}:{node.name}"] if length > LONGEST_FUNCTION else []
    return found


def test_functions_and_modules_are_short() -> None:
    found = [name for path in sorted(SOURCE.rglob("*.py")) for name in too_long(path)]

    assert sorted(found) == sorted(EXCEPTIONS)
