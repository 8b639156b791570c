"""Random pages in bytes, characters and tokens, counting those over their limit: python bench/random_pages.py [HOW_MANY]"""

import random
import sys

from modicum.engine.page import Block, Budget, Detail, LeftOut, Order, Section, View, fit
from modicum.engine.tokens import MEASURES, measure

PIECES = (
    "word",
    "Zwölf",
    "東京都",
    "🇩🇪",
    "👩‍🚀",
    "\n- item",
    "`code()`",
    "  ",
    "…",
    "x" * 40,
    "1.000.000",
    "\t",
    "مرحبا",
    "\n\n",
    "| a | b |",
)


def text(chance: random.Random) -> str:
    return " ".join(chance.choices(PIECES, k=chance.randint(0, 12)))


def document(chance: random.Random) -> list[Section]:
    numbers = iter(range(1000))
    sections = []
    for _ in range(chance.randint(0, 5)):
        blocks = tuple(block(chance, next(numbers)) for _ in range(chance.randint(0, 5)))
        leads = tuple(chance.sample(["# A", "## B", "### C 東"], k=chance.randint(0, 3)))
        sections.append(Section(blocks, leads, chance.choice(["\n\n", "\n", ""])))
    return sections


def block(chance: random.Random, number: int) -> Block:
    forms = {detail: text(chance) for detail in Detail if chance.random() < 0.7}
    names = frozenset(f"b{chance.randint(0, 20)}" for _ in range(chance.randint(0, 2)))
    return Block(f"b{number}", forms, chance.randint(0, 3), pinned=chance.random() < 0.1, covered_by=names)


def view(chance: random.Random, name: str) -> View:
    return View(
        detail=chance.choice(list(Detail)),
        floor=chance.choice(list(Detail)),
        budget=Budget(chance.choice([0, 1, chance.randint(0, 60), chance.randint(0, 900)]), measure(name)),
        order=chance.choice(list(Order)),
        strict=chance.random() < 0.3,
        pointer=chance.choice([None, pointer]),
    )


def pointer(left: LeftOut) -> str:
    return f"Left out: {', '.join(left.cut[:3])} and {len(left.cut)} in all, {len(left.shortened)} shortened."


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    chance = random.Random(20260101)
    over = dict.fromkeys(MEASURES, 0)
    for number in range(pages):
        name = MEASURES[number % len(MEASURES)]
        wanted = view(chance, name)
        over[name] += fit(document(chance), wanted).size > (wanted.budget.limit or 0)
    print(f"{pages:,} random pages")
    for name, count in over.items():
        print(f"  over budget in {name:<12} {count}")


if __name__ == "__main__":
    main()
