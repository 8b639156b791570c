"""How long `fit` takes, in bytes and in tokens: python bench/fit.py"""

import time
from collections.abc import Callable

from modicum.engine.page import Block, Budget, Detail, LeftOut, Section, View, fit
from modicum.engine.tokens import measure

WORDS = [
    "the",
    "page",
    "takes",
    "every",
    "improvement",
    "that",
    "still",
    "fits",
    "and",
    "says",
    "what",
    "was",
    "left",
    "out",
]


def document(blocks: int, *, forms: int) -> list[Section]:
    """Headings over ten blocks each, in `forms` lengths, with ranks all over the place."""
    return [
        Section(
            tuple(block(number, forms) for number in range(start, min(start + 10, blocks))),
            leads=("# Notes", f"## Part {start // 10}"),
        )
        for start in range(0, blocks, 10)
    ]


def block(number: int, forms: int) -> Block:
    text = " ".join(WORDS[(number + word) % len(WORDS)] for word in range(12))
    return Block(
        f"n{number}", {Detail(d): f"{number} {text * d}." for d in range(1, forms + 1)}, rank=number * 7 % 101
    )


def best_of(times: int, work: Callable[[], object]) -> float:
    spans = []
    for _ in range(times):
        started = time.process_time()
        work()
        spans.append(time.process_time() - started)
    return min(spans)


def pointer(left: LeftOut) -> str:
    return f"{len(left.cut)} left out, {len(left.shortened)} shortened: modicum show KEY"


def main() -> None:
    print(f"{'blocks':>7} {'forms':>6} {'measure':>12} {'limit':>12} {'page':>10} {'µs':>10}")
    for blocks in (1, 10, 200, 10_000):
        for forms in (1, 3):
            sections = document(blocks, forms=forms)
            for name in ("bytes", "o200k_base"):
                count = measure(name)
                whole = fit(sections, View(Detail.FULL, budget=Budget(None, count))).size
                for limit in (None, whole // 3):
                    view = View(Detail.FULL, budget=Budget(limit, count), pointer=pointer)
                    size = fit(sections, view).size
                    spent = best_of(7 if blocks > 100 else 500, lambda s=sections, v=view: fit(s, v))  # type: ignore[misc]
                    most = "none" if limit is None else f"{limit:,}"
                    print(f"{blocks:>7,} {forms:>6} {name:>12} {most:>12} {size:>10,} {spent * 1e6:>10.1f}")


if __name__ == "__main__":
    main()
