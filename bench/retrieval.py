"""How well the first page answers: `python bench/retrieval.py`, tables on standard output."""

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean

import splintr

from modicum.question import parse_question
from modicum.rank import CONSTANTS, Hit, rank
from retrieval_index import Index
from retrieval_sets import Asked, Case, guard, locomo, notes

HERE = Path(__file__).parent
LOCOMO = HERE.parent.parent / "shared" / "data" / "locomo-dev.json"
PAGE_TOKENS = (250, 500, 1000, 2000, 4000)
ITEM_TOKENS = 5  # what a note costs besides its text


@dataclass(frozen=True, slots=True)
class Found:
    """What one way of searching gave for one question."""

    case: str
    asked: Asked
    order: tuple[int, ...]
    hits: tuple[Hit, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)


def search_plain(case: Case, index: Index) -> list[Found]:
    return [Found(case.name, asked, tuple(index.plain(asked.text))) for asked in case.questions]


def search_ranked(case: Case, index: Index) -> list[Found]:
    return [_ranked(case, index, asked) for asked in case.questions]


def _ranked(case: Case, index: Index, asked: Asked) -> Found:
    started = time.perf_counter()
    question = parse_question(asked.text, today=case.today)
    respelt = index.respelt(question, index.collection(question))
    collection = index.collection(respelt)
    candidates = index.candidates(respelt, collection)
    gathered = time.perf_counter()
    hits = rank(respelt, candidates, collection)
    times = (gathered - started, time.perf_counter() - gathered)
    return Found(case.name, asked, tuple(hit.id for hit in hits), hits, times)


# Measures


def recall(found: Found, depth: int) -> float:
    return len(found.asked.answers & set(found.order[:depth])) / len(found.asked.answers)


def ndcg(found: Found, depth: int = 10) -> float:
    gain = sum(1 / math.log2(i + 2) for i, n in enumerate(found.order[:depth]) if n in found.asked.answers)
    return gain / sum(1 / math.log2(i + 2) for i in range(min(depth, len(found.asked.answers))))


@lru_cache(maxsize=1)
def _encode() -> Callable[[str], list[int]]:
    return splintr.Tokenizer.from_pretrained("o200k_base").encode_ordinary


def sizes(case: Case) -> dict[int, int]:
    return {p.id: len(_encode()(f"{p.title} {p.body}".strip())) + ITEM_TOKENS for p in case.passages}


def on_page(found: Found, tokens_of: dict[int, int], limit: int) -> float:
    """The share of the evidence on a page that is filled with whole notes, skipping those that do not fit."""
    left, shown = limit, set()
    for number in found.order:
        if tokens_of[number] <= left:
            left -= tokens_of[number]
            shown.add(number)
    return len(found.asked.answers & shown) / len(found.asked.answers)


# Tables


def percent(values: Iterable[float]) -> str:
    return f"{100 * fmean(values):5.1f}"


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{' --- |' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()


def main_row(name: str, found: Sequence[Found]) -> list[str]:
    shares = [percent(recall(f, depth) for f in found) for depth in (5, 10)]
    return [name, str(len(found)), *shares, percent(map(ndcg, found))]


def by_category(found: Sequence[Found]) -> list[str]:
    categories = sorted({f.asked.category for f in found})
    return [percent(recall(f, 10) for f in found if f.asked.category == name) for name in categories]


def show_set(title: str, ways: dict[str, list[Found]]) -> None:
    categories = sorted({f.asked.category for found in ways.values() for f in found})
    head = ["", "questions", "R@5", "R@10", "nDCG@10", *(f"R@10 {name}" for name in categories)]
    table(title, head, [main_row(name, found) + by_category(found) for name, found in ways.items()])


def show_pages(cases: Sequence[Case], ways: dict[str, list[Found]]) -> None:
    measured = {case.name: sizes(case) for case in cases}
    rows = [
        [name, *(percent(on_page(f, measured[f.case], limit) for f in found) for limit in PAGE_TOKENS)]
        for name, found in ways.items()
    ]
    table("Evidence on a page, by o200k tokens", ["", *map(str, PAGE_TOKENS)], rows)


def show_times(found: Sequence[Found]) -> None:
    halves = zip(("candidates", "rank"), zip(*(f.seconds for f in found), strict=True), strict=True)
    rows = [
        [name, *(f"{1000 * sorted(t)[int(q * (len(t) - 1))]:.1f}" for q in (0.5, 0.95))] for name, t in halves
    ]
    count = f"{fmean(len(f.order) for f in found):.0f}"
    table(f"Milliseconds ({count} candidates on average)", ["", "median", "95 %"], rows)


def show(title: str, cases: Sequence[Case]) -> dict[str, list[Found]]:
    ways: dict[str, list[Found]] = {"plain FTS5 porter, OR, stop words": [], "modicum": []}
    for case in cases:
        index = Index(case.passages)
        for found, way in zip(ways.values(), (search_plain, search_ranked), strict=True):
            found.extend(way(case, index))
    show_set(title, ways)
    show_times(ways["modicum"])
    return ways


# Each conversation with constants that were fitted without it


def weighed(found: Found, constants: dict[str, float]) -> Found:
    scores = {
        hit.id: sum(constants[name] * value for name, value in hit.signals.items()) for hit in found.hits
    }
    order = sorted(scores, key=lambda number: (-scores[number], -number))
    return Found(found.case, found.asked, tuple(order))


def goodness(found: Iterable[Found], constants: dict[str, float]) -> float:
    again = [weighed(f, constants) for f in found]
    return fmean(recall(f, 10) for f in again) + fmean(map(ndcg, again)) / 2


def fitted(found: Sequence[Found]) -> dict[str, float]:
    """The constants after one round of trying each larger and smaller."""
    best = dict(CONSTANTS)
    reached = goodness(found, best)
    for name in ("answer", "nearness", "asks", "substance", "author", "date", "shape"):
        for factor in (0.0, 0.5, 0.75, 1.5, 2.0):
            tried = best | {name: CONSTANTS[name] * factor}
            if (value := goodness(found, tried)) > reached + 1e-4:
                best, reached = tried, value
    return best


def show_left_out(cases: Sequence[Case], found: Sequence[Found]) -> None:
    rows, together = [], []
    for case in sorted({f.case for f in found}):
        left_out = [f for f in found if f.case == case]
        constants = fitted([f for f in found if f.case != case])
        again = [weighed(f, constants) for f in left_out]
        changed = ", ".join(f"{k} {v:g}" for k, v in constants.items() if v != CONSTANTS[k])
        rows.append([*main_row(case, again), percent(recall(f, 10) for f in left_out), changed])
        together += again
    rows.append([*main_row("all four", together), percent(recall(f, 10) for f in found), ""])
    head = [
        "left out",
        "questions",
        "R@5",
        "R@10",
        "nDCG@10",
        "R@10 with ours",
        "what the others would change",
    ]
    table("Constants fitted on the other conversations", head, rows)
    show_pages(cases, {"left out, all four": together})


def show_without(cases: Sequence[Case], names: Iterable[str]) -> None:
    rows = []
    indexes = [(case, Index(case.passages)) for case in cases]
    found = [f for case, index in indexes for f in search_ranked(case, index)]
    for name in ("nothing", *names):
        constants = {**CONSTANTS, name: 0.0}
        rows.append(main_row(name, [weighed(f, constants) for f in found]))
    table("Taken away", ["", "questions", "R@5", "R@10", "nDCG@10"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--locomo", type=Path, default=LOCOMO, help="LoCoMo, reshaped; never part of the repository"
    )
    parser.add_argument("--quick", action="store_true", help="only the first tables")
    options = parser.parse_args()
    if options.locomo.exists():
        cases = list(locomo(options.locomo))
        ways = show("LoCoMo, four conversations", cases)
        show_pages(cases, ways)
        if not options.quick:
            show_without(cases, ("answer", "nearness", "asks", "substance", "author", "date", "shape"))
            show_left_out(cases, ways["modicum"])
    show("Guard: the standard library, no sessions, authors or dates", [guard()])
    own = notes(HERE / "notes")
    for title, kinds in (("that share words with the answer", False), ("that share next to none", True)):
        asked = tuple(q for q in own.questions if (q.category == "hard") is kinds)
        case = replace(own, questions=asked)
        show_pages([case], show(f"Our notes of coding sessions, questions {title}", [case]))


if __name__ == "__main__":
    main()
