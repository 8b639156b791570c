"""What must hold when things go wrong, for a moment each: the cases of bench/chaos.py, which tries them for longer."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

BENCH = str(Path(__file__).parents[1] / "bench")
SECONDS = 0.5


@pytest.fixture(autouse=True)
def with_the_benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCH)


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be forked or killed so")
@pytest.mark.parametrize("name", ["http", "imports", "inject", "requests", "tools", "sync"])
def test_nothing_is_lost_or_wrong(name: str) -> None:
    from chaos import CASES
    from chaos_cases.runs import Pace

    outcome = CASES[name](Pace(Random(name), SECONDS))

    assert outcome.wrong == []
    assert outcome.cases


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be killed so")
def test_what_was_acknowledged_stays_though_connections_to_postgres_end(
    empty_schema: Callable[[str], str],
) -> None:
    from chaos_cases.runs import Pace
    from chaos_cases.writes import writes_on

    outcome = writes_on(empty_schema("chaos"), Pace(Random("postgres"), SECONDS))

    assert outcome.wrong == []
    assert outcome.cases
    assert outcome.kills
