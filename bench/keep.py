"""Measures what becomes of notes that say nearly the same: facts that were replaced, and different facts in the same words.

    .venv/bin/python bench/keep.py FOLDER [--misses]

FOLDER holds clones with their history, one folder each. A replaced fact is a line of a page or of settings that a commit
changed in one place, by a word or two: the line before, then the line after. Two different facts are lines that stand near
each other in one file today, and differ so. Nobody here wrote them. The rule that marks what is replaced was made with the
repositories whose name has an odd hash; the others were read once, as a score.

All pairs of a half are saved into one memory, the older ones first, as an agent would. Then the words that a pair has in
common are searched for (is the newer line first?), and of different facts each line (is it there, and is it first?).
`--misses` prints the pairs of the half that was worked on that came out wrong.
"""

import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gate import HELD_OUT, WORKED_ON, clones, files, git, half_of
from modicum.app.answer.amount import Amount
from modicum.app.memory.recall import search
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query, Refused
from modicum.memory.store import Store

EACH = 25  # pairs of a kind and a repository
MOST_CHANGED, LEAST_SHARED, WORDS = 2, 3, range(4, 41)
NEAR = 25  # lines within which two facts stand beside each other
PAGES, DAY = ("*.md", "*.yml", "*.yaml", "*.toml"), 86_400
_PROSE = re.compile(r"[A-Za-z][a-z]+[,.:;]?")


class Pair(NamedTuple):
    """Two lines that differ in one place."""

    one: str
    other: str

    @property
    def common(self) -> str:
        before, behind = shared(self)
        words = self.other.split()
        return " ".join((*words[:before], *words[len(words) - behind :]))


def main(arguments: list[str]) -> int:
    folders = [each for each in arguments if not each.startswith("-")]
    if len(folders) != 1 or not Path(folders[0]).is_dir():
        print(__doc__)
        return 2
    found: dict[tuple[str, str], list[Pair]] = {}
    for repo in clones(Path(folders[0])):
        for kind, pairs in (("replaced", replaced(repo)), ("different", different(repo))):
            some = list(dict.fromkeys(pairs))
            random.Random(repo.name).shuffle(some)
            found.setdefault((half_of(repo.name), kind), []).extend(some[:EACH])
    for half in (WORKED_ON, HELD_OUT):
        measure(half, found[half, "replaced"], found[half, "different"], tell="--misses" in arguments)
    return 0


def measure(half: str, changed: list[Pair], beside: list[Pair], *, tell: bool) -> None:
    now = [1_750_000_000.0]
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(Path(folder) / "memory.db")
        store = Store(database, clock=lambda: now[0]).with_origin("agent:bench")
        pairs = [*changed, *beside]
        ids, links = {}, {}
        for place in (0, 1):
            now[0] += DAY
            for pair in pairs:
                text = pair[place]
                try:
                    saved = store.save(NoteDraft(" ".join(text.split()[:8]), text, project="bench"))
                except Refused:
                    continue
                now[0] += 1
                ids[text] = saved.id
                links[text] = (saved.linked, saved.relation)
        kept = sum(all(text in ids for text in pair) for pair in pairs)
        print(f"\n{half}: {len(changed)} replaced, {len(beside)} different; both kept of {kept}/{len(pairs)}")
        newest = [pair for pair in changed if order(store, pair.common, ids, pair) == [1, 0]]
        single = [pair for pair in changed if 1 in order(store, pair.common, ids, pair)[:1]]
        print(
            f"replaced: newer before the older {len(newest)}, newer first of the two {share(single, changed)}"
        )
        found = [pair for pair in beside if all(at in order(store, pair[at], ids, pair) for at in (0, 1))]
        first = [
            pair for pair in beside if all(order(store, pair[at], ids, pair)[:1] == [at] for at in (0, 1))
        ]
        print(
            f"different: both found {share(found, beside)}, each first for its words {share(first, beside)}"
        )
        marks = [
            [links[pair.other] == (ids[pair.one], "replaces") for pair in some] for some in (changed, beside)
        ]
        right, wrong = map(sum, marks)
        print(f"marked as replaced: {right} rightly, {wrong} wrongly: {right / max(1, right + wrong):.1%}")
        if tell and half == WORKED_ON:
            for pair in changed:
                if pair not in single:
                    print(f"not first: {pair}")
            for pair in beside:
                if pair not in found:
                    print(f"not found: {pair}")
        store.close()


def share(some: list[Pair], every: list[Pair]) -> str:
    return f"{len(some)}/{len(every)} ({len(some) / len(every):.1%})"


def order(store: Store, words: str, ids: dict[str, int], pair: Pair) -> list[int]:
    """The places in the pair of what a search finds, in the order of its page."""
    page = search(store, words, Query(project="bench"), Amount())
    numbers = [fact["number"] for fact in page.facts.values()]
    places = {ids[text]: at for at, text in enumerate(pair)}
    return [places[number] for number in numbers if number in places]


def shared(pair: Pair) -> tuple[int, int]:
    """How many words two lines begin and end with alike."""
    one, other = pair.one.split(), pair.other.split()
    before = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    room = min(len(one), len(other)) - before
    behind = next((at for at in range(room) if one[-1 - at] != other[-1 - at]), room)
    return before, behind


def fits(pair: Pair) -> bool:
    """Whether two lines are one sentence with another word or two in one place, and not only other marks."""
    if not pair.one or not pair.other or pair.one == pair.other:
        return False
    before, behind = shared(pair)
    changed = [each.split()[before : len(each.split()) - behind] for each in pair]
    plain = [re.sub(r"\W", "", "".join(words).lower()) for words in changed]
    little = all(1 <= len(words) <= MOST_CHANGED for words in changed)
    return before + behind >= LEAST_SHARED and little and plain[0] != plain[1]


def prose(line: str) -> str:
    text = line.strip().lstrip("-*+>#| ").strip()
    words = text.split()
    told = sum(bool(_PROSE.fullmatch(word)) for word in words)
    return text if len(words) in WORDS and told >= LEAST_SHARED and "http" not in text else ""


def replaced(repo: Path) -> Iterator[Pair]:
    log = git(repo, "log", "-p", "-U0", "-1500", "--no-merges", "--format=", "--", *PAGES)
    for hunk in re.split(r"(?m)^@@ ", log)[1:]:
        lines = hunk.split("\n")[1:]
        gone = [line[1:] for line in lines if line.startswith("-") and not line.startswith("---")]
        come = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
        if len(gone) == len(come) == 1 and fits(pair := Pair(prose(gone[0]), prose(come[0]))):
            yield pair


def different(repo: Path) -> Iterator[Pair]:
    for text in files(repo, *PAGES):
        lines = [prose(line) for line in text.splitlines()[:4_000]]
        near = (
            Pair(line, other) for at, line in enumerate(lines) if line for other in lines[at + 1 : at + NEAR]
        )
        yield from [pair for pair in near if fits(pair)][:6]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
