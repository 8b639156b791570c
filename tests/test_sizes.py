"""A function of 40 lines is a lot, and one of 60 fails here; so does a module of 400, a folder of 16 modules, and a class
name with two meanings. The exceptions only shrink."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "modicum"
LONGEST_FUNCTION = 60
LONGEST_MODULE = 400
LARGEST_FOLDER = 15
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


def test_no_folder_has_more_modules_than_one_can_look_through() -> None:
    folders = [folder for folder in (SOURCE, *SOURCE.rglob("*")) if folder.is_dir()]
    modules = {folder: len([*folder.glob("[!_]*.py")]) for folder in folders}

    assert [folder.name for folder, count in modules.items() if count > LARGEST_FOLDER] == []


def test_a_public_class_name_has_one_meaning() -> None:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py"))
    classes = [node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    names = Counter(name for name in classes if not name.startswith("_"))

    assert [name for name, count in names.items() if count > 1] == []
