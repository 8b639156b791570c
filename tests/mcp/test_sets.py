"""Which tools are offered, and that what is said beside them names no others."""

import re
import subprocess
import sys
from itertools import combinations

import pytest

from modicum.base.errors import Remedy
from modicum.compat.engram.mcp import ADMIN
from modicum.compat.engram.mcp import TOOLS as ENGRAM
from modicum.compat.hoofy.family import TOOLS as HOOFY
from modicum.mcp.remedies import CALLS_BY_ACTION
from modicum.mcp.sets import OURS, choose_tools
from modicum.mcp.tool import Domain, Tool

NAMED = re.compile(r"mem_\w+|sdd_\w+|pack_\w+")
OUR_NAMES = tuple(choose_tools(["all"]).tools)
CHOICES = [
    *((",".join(names),) for size in range(1, len(OURS)) for names in combinations(OURS, size)),
    *((name,) for name in OUR_NAMES),
    *(("core", name) for name in OUR_NAMES),
    *((*pair,) for pair in combinations(OUR_NAMES[:12], 2)),
    ("engram",),
    ("engram", "agent"),
    ("engram", "admin"),
    *(("engram", tool.name) for tool in ENGRAM),
    ("hoofy",),
    *(("hoofy", tool.name) for tool in HOOFY),
]


@pytest.mark.parametrize(
    "tool", [*choose_tools(["all"]).tools.values(), *ENGRAM, *HOOFY], ids=lambda tool: tool.name
)
def test_the_tools_of_specs_are_those_that_are_called_so(tool: Tool) -> None:
    domains = {"sdd": Domain.SPECS, "mem": Domain.MEMORY, "pack": Domain.PACKS}

    assert tool.domain is domains[tool.name.partition("_")[0]]


@pytest.mark.parametrize("words", CHOICES, ids=" ".join)
def test_instructions_and_prompts_name_only_tools_that_are_offered(words: tuple[str, ...]) -> None:
    offered = choose_tools(words)
    texts = [offered.instructions, *(offered.prompt_text(each) for each in offered.prompts.values())]

    assert all(text.strip() for text in texts)
    assert {name for text in texts for name in NAMED.findall(text)} <= set(offered.tools)


@pytest.mark.parametrize("words", [("core",), ("all",), ("engram",), ("hoofy",)], ids=" ".join)
def test_instructions_say_when_to_save_search_and_recall(words: tuple[str, ...]) -> None:
    assert {"mem_save", "mem_search", "mem_context"} <= set(NAMED.findall(choose_tools(words).instructions))


@pytest.mark.parametrize("system", ["engram", "hoofy"])
def test_other_systems_are_told_to_sum_up_and_nothing_of_cursors_and_packs(system: str) -> None:
    told = choose_tools([system]).instructions

    assert "mem_session_summary" in told
    assert "cursor" not in told
    assert "pack" not in told


def test_the_admin_of_engram_is_told_of_no_tool_that_it_has_not() -> None:
    assert set(choose_tools(["engram,admin"]).tools) == set(ADMIN)
    assert NAMED.findall(choose_tools(["engram,admin"]).instructions) == []


@pytest.mark.parametrize("words", [("core",), ("packs",), ("memory",), ("engram",), ("hoofy",), ("specs",)])
def test_remedies_name_only_tools_that_are_offered(words: tuple[str, ...]) -> None:
    offered = choose_tools(words)
    given = {"id": "x", "text": "t", "does": "d", "stage": "s", "first": "f"}
    for action in CALLS_BY_ACTION:
        told = offered.word(Remedy(action, **given))

        assert told
        assert "modicum " not in told
        assert set(NAMED.findall(told)) <= set(offered.tools)


def test_a_remedy_is_a_call_where_the_tool_is_offered_and_plain_words_elsewhere() -> None:
    reopen = Remedy("change.reopen", id="login-fails")

    assert choose_tools(["specs"]).word(reopen) == "sdd_change action=reopen change_id=login-fails"
    assert choose_tools(["core"]).word(reopen) == "reopen login-fails"
    assert choose_tools(["core"]).word("mend it") == "mend it"


def test_our_own_tools_start_without_those_of_other_systems() -> None:
    code = (
        "import sys, modicum.mcp.server; from modicum.mcp.sets import choose_tools; choose_tools(['all']);"
        "print([name for name in sys.modules if name.startswith('modicum.compat')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert found.stdout == "[]\n"


@pytest.mark.parametrize("words", [("all",), ("engram",), ("hoofy",)], ids=" ".join)
def test_every_argument_has_one_plain_type(words: tuple[str, ...]) -> None:
    for tool in choose_tools(words).tools.values():
        schema = tool.described()["inputSchema"]
        types = [argument["type"] for argument in schema["properties"].values()]  # type: ignore[index]

        assert set(map(type, types)) <= {str}, tool.name
        assert set(types) <= {"string", "integer", "boolean", "array"}
