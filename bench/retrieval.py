"""How well the first page answers: `python bench/retrieval.py`, tables on standard output."""

import argparse
import math
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import fmean
from unittest import mock

import apsw

from engines import ENGINES, Open, opened
from modicum.app.answer.amount import parse_amount
from modicum.app.answer.answer import answer
from modicum.app.memory import recall
from modicum.app.memory.upkeep.meaning import load_sentence_model
from modicum.base.config import load_config
from modicum.engine.page import Fate
from modicum.engine.tokens import count
from modicum.memory.find import search
from modicum.memory.find.meaning import Embedder, Meaning
from modicum.memory.find.meaning_index import embed_some
from modicum.memory.find.meaning_model import NoModel
from modicum.memory.model import NoteDraft, Query, Results
from modicum.memory.sections import note_key
from modicum.memory.store import Store
from modicum.search.rank import CONSTANTS, Hit, rank
from modicum.search.word_lists import STOP_WORDS
from retrieval_sets import Asked, Case, guard, locomo, notes

HERE = Path(__file__).parent
LOCOMO = HERE.parent.parent / "shared" / "data" / "locomo-dev.json"
BUDGETS = (300, 1000, 2000)
LEFT_OUT = (1000, 2000)
DETAILS = ("standard", "full")
FITTED = ("answer", "nearness", "asks", "substance", "author", "date", "shape")

PLAIN = "plain FTS5 porter, OR, stop words"
PRODUCT = "modicum, words alone"
BY_MEANING = "modicum, by meaning"
ADVERSARIAL = "adversarial"  # questions about what nobody said, whose evidence is what comes near to it
RESAMPLES = 1000
PROTOCOL = """
Protocol. Every note is saved through the store, at its own time; questions are asked when the last one was made. R@k: the share of
a question's evidence among the first k hits, averaged over questions; nDCG@10 with one degree of relevance. In brackets: where 95 %
of 1,000 resamples of the questions lie. Evidence in N tokens (o200k): the share whose blocks are on the finished page of that size;
"full" counts only what is there to the last letter. LoCoMo: one note for each turn, one store for each conversation, no hint at
which; without its adversarial questions unless it says so. Constants were fitted on the four conversations of this file and on the
notes in bench/notes: for both, these are figures of the fitted, not of the unseen.
"""

Constants = Mapping[str, float]
Pages = dict[tuple[str, int], float]  # detail and budget, and the share of the evidence on the page


@dataclass(frozen=True, slots=True)
class Found:
    """What one way of searching gave for one question."""

    case: str
    asked: Asked
    order: tuple[int, ...]
    seconds: float = 0.0
    hits: tuple[Hit, ...] = ()
    pages: Pages = field(default_factory=dict)


# The product


class Asking(Store):
    """A store that remembers its last search: pages of two details ask for the same hits."""

    last: tuple[tuple[str, Query], Results] | None = None

    def search(self, text: str, query: Query = Query()) -> Results:  # noqa: B008 - a tuple
        if self.last is None or self.last[0] != (text, query):
            self.last = (text, query), super().search(text, query)
        return self.last[1]


@dataclass(frozen=True, slots=True)
class Filled:
    """A case in a real store, and the ids that its notes got there."""

    case: Case
    store: Asking
    ids: Mapping[int, int]

    def answers(self, asked: Asked) -> frozenset[int]:
        return frozenset(self.ids[number] for number in asked.answers)


@contextmanager
def filled(case: Case, database: Open) -> Iterator[Filled]:
    """Every note saved at its time, those of one moment together; afterwards it is the moment of the last."""
    now = [0.0]
    ids: dict[int, int] = {}
    store = Asking(database(), clock=lambda: now[0])
    for moment, group in groupby(case.notes, lambda note: note.seconds):
        now[0], batch = moment, list(group)
        saved = store.save_all([note.draft for note in batch])
        ids |= {note.number: each.id for note, each in zip(batch, saved, strict=True)}
    now[0] = max(note.seconds for note in case.notes)
    yield Filled(case, store, ids)
    store.close()


def ask(where: Filled, asked: Asked, budgets: Iterable[int] = BUDGETS) -> Found:
    """The hits and the finished pages, each as a caller of the store gets it."""
    asked = replace(asked, answers=where.answers(asked))
    listening = Listening(search.rank)
    with mock.patch.object(search, "rank", listening):
        started = time.perf_counter()
        order = [each.note.id for each in where.store.search(asked.text, Query(limit=10)).items]
        seconds = time.perf_counter() - started
        pages = {(d, most): _on_page(where.store, asked, d, most) for most in budgets for d in DETAILS}
    return Found(where.case.name, asked, tuple(order), seconds, listening.hits or (), pages)


class Listening:
    """Ranks once for all pages of a question, and keeps what it found."""

    def __init__(self, ranking: Callable[..., tuple[Hit, ...]]) -> None:
        self.ranking = ranking
        self.hits: tuple[Hit, ...] | None = None

    def __call__(self, *given: object) -> tuple[Hit, ...]:
        if self.hits is None:
            self.hits = self.ranking(*given)
        return self.hits


def _on_page(store: Store, asked: Asked, detail: str, tokens: int) -> float:
    """The share of the evidence that a page shows; in full only what it shows to the last letter."""
    amount = parse_amount(detail=detail, max_tokens=str(tokens))
    found = answer(recall.search(store, asked.text, Query(limit=0), amount), amount)
    page = found.page
    if count(page.text, amount.unit) > tokens:
        raise AssertionError(f"more than {tokens} tokens on a page: {asked.text}")
    wanted = {note_key(name) for name in store.names(asked.answers).values()}
    fates = (Fate.SHOWN,) if detail == "full" else (Fate.SHOWN, Fate.SHORTENED)
    return sum(page.fates.get(key) in fates for key in wanted) / len(wanted)


# Plain full-text search, to compare with


class Plain:
    """FTS5 porter, any of the words that are not stop words, by bm25; a page of whole notes that fit, in that order."""

    def __init__(self, where: Filled) -> None:
        self.where = where
        self.db = apsw.Connection(":memory:")
        self.db.execute("CREATE VIRTUAL TABLE plain USING fts5(title, body, tokenize='porter unicode61')")
        self.sizes: dict[int, int] = {}
        with self.db:
            for note in where.case.notes:
                self._add(where.ids[note.number], note.draft)

    def _add(self, number: int, draft: NoteDraft) -> None:
        kind = draft.type if draft.title else ""
        row = (number, draft.title, f"{draft.content} {draft.topic_key} {draft.project} {kind}".strip())
        self.db.execute("INSERT OR REPLACE INTO plain (rowid, title, body) VALUES (?, ?, ?)", row)
        lead = f"#{number} {draft.author}: " if draft.author else f"#{number} "
        self.sizes[number] = count(f"{lead}{draft.title}\n{draft.content}\n\n", "o200k_base")

    def ask(self, asked: Asked) -> Found:
        asked = replace(asked, answers=self.where.answers(asked))
        started = time.perf_counter()
        order = self._search(asked.text)
        seconds = time.perf_counter() - started
        pages = {(DETAILS[0], tokens): self._on_page(asked, order, tokens) for tokens in BUDGETS}
        return Found(self.where.case.name, asked, tuple(order), seconds, pages=pages)

    def _search(self, text: str) -> list[int]:
        words = dict.fromkeys(w for w in re.findall(r"[^\W_]+", text.lower()) if w not in STOP_WORDS)
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank, rowid LIMIT 1000"
        return [number for (number,) in self.db.execute(sql, (match,))] if match else []

    def _on_page(self, asked: Asked, order: Iterable[int], left: int) -> float:
        shown = set()
        for number in order:
            if self.sizes[number] <= left:
                left -= self.sizes[number]
                shown.add(number)
        return len(asked.answers & shown) / len(asked.answers)


# Measures and tables


def recalled(found: Found, depth: int = 10) -> float:
    return len(found.asked.answers & set(found.order[:depth])) / len(found.asked.answers)


def ndcg(found: Found, depth: int = 10) -> float:
    gain = sum(1 / math.log2(i + 2) for i, n in enumerate(found.order[:depth]) if n in found.asked.answers)
    return gain / sum(1 / math.log2(i + 2) for i in range(min(depth, len(found.asked.answers))))


def percent(values: Iterable[float]) -> str:
    listed = list(values)
    return f"{100 * fmean(listed):.1f}" if listed else ""


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{' --- |' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()


def figures(found: Sequence[Found]) -> list[str]:
    return [*(percent(recalled(f, depth) for f in found) for depth in (5, 10)), percent(map(ndcg, found))]


def interval(values: Sequence[float]) -> str:
    """The mean in percent, and where the middle 95 % of the means of resamples lie."""
    if not values:
        return ""
    draw = random.Random(7)
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = (100 * means[int(share * (RESAMPLES - 1))] for share in (0.025, 0.975))
    return f"{100 * fmean(values):.1f} [{low:.0f} to {high:.0f}]"


def page_figure(found: Sequence[Found], detail: str, tokens: int) -> str:
    return percent(f.pages[detail, tokens] for f in found if (detail, tokens) in f.pages)


def times(found: Sequence[Found]) -> str:
    seconds = sorted(f.seconds for f in found)
    return " / ".join(f"{1000 * seconds[int(q * (len(seconds) - 1))]:.1f}" for q in (0.5, 0.95))


def show(title: str, ways: Mapping[str, Sequence[Found]], budgets: Sequence[int]) -> None:
    """One table: what is among the first hits, what is on a page of so many tokens, and the milliseconds."""
    categories = sorted({f.asked.category for found in ways.values() for f in found})
    rows = [
        [f"R@{depth}", *(interval([recalled(f, depth) for f in found]) for found in ways.values())]
        for depth in (1, 5, 10)
    ]
    rows.append(["nDCG@10", *(interval(list(map(ndcg, found))) for found in ways.values())])
    for name in categories if len(categories) > 1 else ():
        some = [[recalled(f) for f in found if f.asked.category == name] for found in ways.values()]
        rows.append([f"R@10 {name} ({len(some[0])})", *map(interval, some)])
    rows += [
        [f"evidence in {tokens:,} tokens, {detail}", *(page_figure(found, detail, tokens) for found in ways.values())]
        for detail in DETAILS
        for tokens in budgets
    ]  # fmt: skip
    rows.append(["milliseconds, median / 95 %", *map(times, ways.values())])
    asked = len(next(iter(ways.values())))
    table(f"{title} ({asked} questions)", ["", *ways], rows)


Ways = dict[str, list[Found]]


def compare(
    title: str, places: Sequence[Filled], model: Embedder | None, budgets: Sequence[int] = BUDGETS
) -> Ways:
    """Asks every question in each way, and shows the figures; those of adversarial questions in a table of their own."""
    ways: Ways = {PLAIN: [way.ask(asked) for way in map(Plain, places) for asked in way.where.case.questions]}
    ways[PRODUCT] = [ask(place, asked, budgets) for place in places for asked in place.case.questions]
    if model:
        ways[BY_MEANING] = [found for place in places for found in ask_by_meaning(place, model, budgets)]
    fair = {name: [f for f in found if f.asked.category != ADVERSARIAL] for name, found in ways.items()}
    show(title, fair, budgets)
    if len(fair[PLAIN]) < len(ways[PLAIN]):
        show(f"{title}, with adversarial questions", ways, budgets)
    return fair


def ask_by_meaning(place: Filled, model: Embedder, budgets: Sequence[int]) -> Iterator[Found]:
    """Each question, with vectors of all notes."""
    while embed_some(place.store.database, model):
        pass
    place.store.meaning, place.store.last = Meaning(model), None
    yield from (ask(place, asked, budgets) for asked in place.case.questions)
    place.store.meaning = place.store.last = None


# Each conversation with constants that were fitted without it


def weighed(found: Found, constants: Constants) -> Found:
    scores = {
        hit.id: sum(constants[name] * value for name, value in hit.signals.items())
        for hit in found.hits
        if hit.answers
    }
    return replace(found, order=tuple(sorted(scores, key=lambda number: (-scores[number], -number))))


def goodness(found: Iterable[Found], constants: Constants) -> float:
    again = [weighed(f, constants) for f in found]
    return fmean(map(recalled, again)) + fmean(map(ndcg, again)) / 2


def fitted(found: Sequence[Found]) -> Constants:
    """The constants after one round of trying each larger and smaller."""
    best = dict(CONSTANTS)
    reached = goodness(found, best)
    for name in FITTED:
        for factor in (0.0, 0.5, 1.5, 2.0):
            tried = best | {name: CONSTANTS[name] * factor}
            if (value := goodness(found, tried)) > reached + 1e-4:
                best, reached = tried, value
    return best


def show_left_out(places: Sequence[Filled], found: Sequence[Found]) -> None:
    rows, together = [], []
    for place in places:
        constants = fitted([f for f in found if f.case != place.case.name])
        with mock.patch.object(search, "rank", partial(rank, constants=constants)):
            asked = [each for each in place.case.questions if each.category != ADVERSARIAL]
            again = [ask(place, each, LEFT_OUT) for each in asked]
        changed = ", ".join(f"{k} {v:g}" for k, v in constants.items() if v != CONSTANTS[k])
        before = percent(recalled(f) for f in found if f.case == place.case.name)
        rows.append([place.case.name, *_left_out(again), before, changed])
        together += again
    rows.append(["all", *_left_out(together), percent(map(recalled, found)), ""])
    head = [
        "left out",
        "R@5",
        "R@10",
        "nDCG@10",
        "in 1,000",
        "in 2,000",
        "R@10 with ours",
        "the others' wishes",
    ]
    table("LoCoMo with constants fitted on the other three conversations", head, rows)


def _left_out(found: Sequence[Found]) -> list[str]:
    return [*figures(found), *(page_figure(found, DETAILS[0], tokens) for tokens in LEFT_OUT)]


def show_without(found: Sequence[Found]) -> None:
    rows = [
        [name, *figures([weighed(f, {**CONSTANTS, name: 0.0}) for f in found])]
        for name in ("nothing", *FITTED)
    ]
    table("LoCoMo, a signal taken away", ["", "R@5", "R@10", "nDCG@10"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--locomo", type=Path, default=LOCOMO, help="LoCoMo, reshaped; never part of the repository"
    )
    parser.add_argument("--quick", action="store_true", help="only the first tables of each collection")
    parser.add_argument("--words", action="store_true", help="on words alone, also where there is a model")
    parser.add_argument("--engine", choices=ENGINES, default="sqlite")
    parser.add_argument("--url", default="", help="of a PostgreSQL; without it one is started")
    options = parser.parse_args()
    print(PROTOCOL)
    model = None if options.words else sentence_model()
    with opened(options.engine, options.url) as database:
        measure(options.locomo, database, model, quick=options.quick)


def sentence_model() -> Embedder | None:
    """The model of the extra, as a server would load it."""
    try:
        return load_sentence_model(load_config())
    except NoModel as error:
        print(f"By meaning: not measured, {error}")
        return None


def measure(conversations: Path, database: Open, model: Embedder | None, *, quick: bool) -> None:
    if conversations.exists():
        measure_locomo(list(locomo(conversations)), database, model, quick=quick)
    with filled(guard(), database) as place:
        title = "Guard: the standard library, no titles, sessions, authors or dates"
        compare(title, [place], model, budgets=())
    own = notes(HERE / "notes")
    for title, hard in (("that share words with the answer", False), ("that share next to none", True)):
        asked = tuple(q for q in own.questions if (q.category in ("hard", "far")) is hard)
        with filled(replace(own, questions=asked), database) as place:
            compare(f"Our notes of coding sessions, questions {title}", [place], model)


def measure_locomo(cases: Sequence[Case], database: Open, model: Embedder | None, *, quick: bool) -> None:
    with ExitStack() as stack:
        places = [stack.enter_context(filled(case, database)) for case in cases]
        found = compare(f"LoCoMo, {len(cases)} conversations", places, model)[PRODUCT]
        if not quick:
            show_without(found)
            show_left_out(places, found)


if __name__ == "__main__":
    main()
