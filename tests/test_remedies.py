"""Every action that a remedy names has words at every door, and no domain speaks the language of one."""

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from modicum.app.remedies import PLAIN_WORDS
from modicum.base.errors import Caution, ModicumError, Remedy, wording
from modicum.cli.commands import COMMANDS
from modicum.cli.remedies import COMMANDS_BY_ACTION
from modicum.http.remedies import ROUTES_BY_ACTION
from modicum.mcp.remedies import CALLS_BY_ACTION

SOURCE = Path(__file__).parent.parent / "src" / "modicum"
TABLES = {
    "cli": COMMANDS_BY_ACTION,
    "mcp": CALLS_BY_ACTION,
    "http": ROUTES_BY_ACTION,
    "plain": PLAIN_WORDS,
}
_SLOT = re.compile(r"{(\w+)}")
_SPOKEN_AT_A_DOOR = re.compile(rf"\bmodicum (?:{'|'.join(COMMANDS)})\b|\bsdd_|\bmem_|/v1/")


@cache
def remedies() -> Mapping[str, set[str]]:
    """Every action in the source, with the names of its arguments."""
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Remedy":
                (action,) = node.args
                assert isinstance(action, ast.Constant)
                found.setdefault(str(action.value), set()).update(str(each.arg) for each in node.keywords)
    return found


@pytest.mark.parametrize("door", TABLES)
def test_every_action_has_words_and_no_words_are_without_an_action(door: str) -> None:
    assert set(TABLES[door]) == set(remedies())


@pytest.mark.parametrize("door", TABLES)
def test_words_ask_for_no_argument_that_is_not_given(door: str) -> None:
    given = remedies()

    wrong = {
        action: words
        for action, words in TABLES[door].items()
        if not set(_SLOT.findall(words)) <= given[action]
    }
    assert wrong == {}


def test_http_names_only_routes_that_there_are() -> None:
    from modicum.http.v1.routes import V1

    named = {route for words in ROUTES_BY_ACTION.values() for route in re.findall(r"[A-Z]+ /v1[\w/]*", words)}

    assert named == {
        *("GET /v1/specs", "GET /v1/specs/check", "GET /v1/packs", "GET /v1/search"),
        *("GET /v1/log", "POST /v1/undo", "GET /v1/inbox", "GET /v1/projects"),
    }
    assert named <= {f"{route.method} {route.path}" for route in V1.routes}


def test_http_names_a_route_or_the_command_of_the_command_line() -> None:
    for action, words in ROUTES_BY_ACTION.items():
        command = re.search(r"modicum [a-z]+ [a-z]+", words)
        if (
            command and action != "stage.replace"
        ):  # the command line is there already, and names the option only
            assert command[0] in COMMANDS_BY_ACTION[action]
        assert command or "/v1/" in words or action == "stage.write"


@pytest.mark.parametrize("action", sorted(ROUTES_BY_ACTION))
def test_the_commands_that_http_names_exist(action: str, world) -> None:
    for command in re.findall(r"modicum ([a-z]+ [a-z]+)", ROUTES_BY_ACTION[action]):
        assert world.modicum(*command.split(), "--help").code == 0


# What only the command line reaches, and so speaks its language.
OF_THE_COMMAND_LINE = {
    "memory/engines/copy.py": "modicum team migrate",
    "memory/engines/sqlite_backup.py": "modicum backup",
    "app/memory/engram_data.py": "modicum serve, at its start",
    "app/memory/upkeep/backup.py": "modicum backup",
    "app/memory/upkeep/meaning.py": "modicum memory index and doctor",
}


@pytest.mark.parametrize("room", ["specs", "app/specs", "memory", "app/memory", "app/browse"])
def test_domains_do_not_speak_of_commands_or_tools(room: str) -> None:
    for path in (SOURCE / room).rglob("*.py"):
        if path.relative_to(SOURCE).as_posix() in OF_THE_COMMAND_LINE:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        documented = [ast.get_docstring(node, clean=False) for node in ast.walk(tree) if _has_docstring(node)]
        words = [text for text in texts if _SPOKEN_AT_A_DOOR.search(text)]

        assert [text for text in words if text not in documented] == []


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)


def test_an_error_and_a_caution_are_worded_alike() -> None:
    word = wording({"change.reopen": "reopen {id}!"})
    remedy = Remedy("change.reopen", id="x")

    assert ModicumError("it is done", remedy=remedy).worded(word) == "it is done (reopen x!)"
    assert Caution("it is done", remedy).worded(word) == "it is done (reopen x!)"
    assert ModicumError("it is done", remedy="wait").worded(word) == "it is done (wait)"
    assert Caution("it is done").worded(word) == "it is done"


def test_what_a_table_does_not_know_is_told_by_its_name() -> None:
    remedy = Remedy("change.reopen", id="x")

    assert wording({})(remedy) == str(remedy) == "change.reopen id=x"
    assert remedy == Remedy("change.reopen", id="x") != Remedy("change.reopen", id="y")
    assert len({remedy, Remedy("change.reopen", id="x")}) == 1
    assert repr(remedy) == "Remedy('change.reopen id=x')"


def test_each_door_words_the_same_remedy_in_its_own_language(world) -> None:
    from modicum.http.replies import problem_of
    from modicum.mcp.sets import choose_tools

    said = world.modicum("change", "archive", "nope")

    assert said.err == 'modicum: there is no change "nope" (modicum change list --all)\n'
    assert choose_tools(["specs"]).word(Remedy("change.list")) == "sdd_change_status all=true"
    error = ModicumError("x", remedy=Remedy("change.list"))
    assert problem_of(error).remedy == (
        "GET /v1/specs lists the open ones; on the command line: modicum change list --all"
    )


def test_a_caution_of_a_change_names_a_command_at_the_shell(world) -> None:
    begun = world.modicum("change", "new", "Login fails")

    assert begun.err.endswith("has little to go by (modicum spec bootstrap drafts them from a scan)\n")
    assert world.modicum("spec", "context").out.startswith(
        "project: no project was begun here (modicum spec init NAME DESCRIPTION)"
    )
