"""Planted contradictions and innocent look-alikes: `python bench/lint.py`, precision and recall on standard output.

Each case of lint_cases/cases.jsonl (see cases.md) becomes a folder, in which `modicum lint` runs for every tool. The rules were
developed on the cases at even positions; the odd ones are the test. Beside it stands a baseline of fixed phrase pairs. With
`--repositories` it prints what is found in the instruction files of instructions/repositories.jsonl instead.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from modicum.app.lint.run import lint_project
from modicum.base.config import Config, load_config

HERE = Path(__file__).parent
CASES = HERE / "lint_cases" / "cases.jsonl"
REPOSITORIES = HERE / "instructions" / "repositories.jsonl"
KINDS = ("polarity", "rival", "missing", "duplicate", "vague")
AS_CASES_SAY = {"contradiction": "polarity"}
EITHER = {"polarity", "rival"}  # cases.md: one may be taken for the other

# What a list of phrases finds: opposite words beside the same next words, and well-known pairs.
PAIRS = (
    ("always", "never"),
    ("use", "do not use"),
    ("use", "avoid"),
    ("commit", "do not commit"),
    ("must", "must not"),
)
RIVALS = (
    ("npm", "pnpm"),
    ("npm", "yarn"),
    ("tabs", "spaces"),
    ("2 spaces", "4 spaces"),
    ("single quotes", "double quotes"),
    ("jest", "vitest"),
)
FILLERS = ("clean code", "best practices", "high quality", "good code", "meaningful names")


class Told(NamedTuple):
    """Something that was found in a case: its kind, and the lines."""

    kind: str
    lines: frozenset[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("even", "odd", "all"), default="all")
    parser.add_argument("--show", action="store_true", help="what was told wrongly, and what was not found")
    parser.add_argument("--repositories", action="store_true")
    options = parser.parse_args()
    if options.repositories:
        return show_repositories()
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    halves = {"even": [cases[::2]], "odd": [cases[1::2]], "all": [cases[::2], cases[1::2], cases]}[
        options.half
    ]
    names = {"even": ["even"], "odd": ["odd"], "all": ["even", "odd", "all"]}[options.half]
    for name, half in zip(names, halves, strict=True):
        for title, find in (("modicum lint", found_by_lint), ("phrase pairs", found_by_phrases)):
            show = options.show and find is found_by_lint and name != "all"
            report(f"{title}, {name} cases", half, find, show=show)
    return 0


def report(
    title: str, cases: list[dict[str, Any]], find: Callable[[dict[str, Any]], list[Told]], *, show: bool
) -> None:
    """Prints precision and recall over all cases, and by kind."""
    right, wrong, wanted = Counter[str](), Counter[str](), Counter[str]()
    start = time.perf_counter()
    for case in cases:
        expected = [
            Told(each["kind"], frozenset({each["a"], each.get("b") or each["a"]})) for each in case["expect"]
        ]
        wanted.update(each.kind for each in expected)
        missed = [*expected]
        for told in find(case):
            hit = next((each for each in missed if is_same(each, told)), None)
            if hit:
                missed.remove(hit)
                right[hit.kind] += 1
            elif not any(is_same(each, told) for each in expected):
                wrong[told.kind] += 1
                if show:
                    print(f"  wrong   {case['id']} {told.kind}: {sorted(told.lines)}")
        if show:
            for each in missed:
                print(f"  missed  {case['id']} {each.kind}: {sorted(each.lines)}")
    seconds = time.perf_counter() - start
    print(f"{title} ({len(cases)}, {seconds:.1f} s)")
    for kind in KINDS:
        print_row(kind, right[kind], wrong[kind], wanted[kind])
    print_row("overall", right.total(), sum(wrong[kind] for kind in KINDS), wanted.total())
    print()


def print_row(name: str, right: int, wrong: int, wanted: int) -> None:
    precision = right / (right + wrong) if right + wrong else 1.0
    print(
        f"  {name:<10} precision {precision:.3f}  recall {right / wanted if wanted else 1.0:.3f}  ({right} right, {wrong} wrong, of {wanted})"
    )


def is_same(expected: Told, told: Told) -> bool:
    """Whether the same lines are told, under the same kind or one that may be taken for it."""
    same = expected.kind == told.kind or {expected.kind, told.kind} <= EITHER
    return same and expected.lines == told.lines


def found_by_lint(case: dict[str, Any]) -> list[Told]:
    """What `modicum lint` finds in a case, for every tool."""
    with tempfile.TemporaryDirectory() as folder:
        config = laid_out(Path(folder), case)
        findings = lint_project(config, None).findings
        texts = {name: text.splitlines() for name, text in case["files"].items()}
        return [
            Told(
                AS_CASES_SAY.get(each.kind, str(each.kind)),
                frozenset(texts[place.source][place.line - 1].strip() for place, _ in each.sentences),
            )
            for each in findings
            if all(place.source in texts for place, _ in each.sentences)
        ]


def laid_out(folder: Path, case: dict[str, Any]) -> Config:
    """The files of a case in a folder of their own, with an empty home and no starter packs."""
    project, home = folder / "project", folder / "home"
    (project / ".git").mkdir(parents=True)
    home.mkdir()
    for path in case.get("repository", ()):
        place = project / path
        if path.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
    for path, text in {**case.get("manifest", {}), **case["files"]}.items():
        place = project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    (home / ".config" / "modicum").mkdir(parents=True)
    (home / ".config" / "modicum" / "config.yaml").write_text("profile: minimal\n", encoding="utf-8")
    return load_config({"HOME": str(home), "PATH": "/nonexistent", "LANG": "C.UTF-8"}, project)


def found_by_phrases(case: dict[str, Any]) -> list[Told]:
    """What a list of fixed phrases finds in a case: the baseline."""
    lines = [line.strip() for text in case["files"].values() for line in text.splitlines() if line.strip()]
    plain = [(line, " " + re.sub(r"\W+", " ", line.lower()) + " ") for line in lines]
    found = [
        *_pairs(plain, PAIRS, "polarity", same_words=True),
        *_pairs(plain, RIVALS, "rival", same_words=False),
    ]
    counts = Counter(text for _, text in plain if len(text.split()) > 3)
    found += [Told("duplicate", frozenset({line})) for line, text in dict(plain).items() if counts[text] > 1]
    found += [
        Told("vague", frozenset({line}))
        for line, text in plain
        if any(f" {each} " in text for each in FILLERS)
    ]
    return list(dict.fromkeys(found))


def _pairs(
    lines: list[tuple[str, str]], pairs: Iterable[tuple[str, str]], kind: str, *, same_words: bool
) -> Iterator[Told]:
    for one, other in pairs:
        for line, text in lines:
            for second, words in lines:
                if (
                    line == second
                    or f" {one} " not in text
                    or f" {other} " not in words
                    or f" {one} " in words.replace(other, "")
                ):
                    continue
                after, behind = (
                    text.partition(f" {one} ")[2].split()[:2],
                    words.partition(f" {other} ")[2].split()[:2],
                )
                if not same_words or (after and after == behind):
                    yield Told(kind, frozenset({line, second}))


def show_repositories() -> int:
    """Prints what is found in realistic repositories, which mostly have nothing wrong."""
    total = Counter[str]()
    for line in REPOSITORIES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            findings = [
                each
                for each in lint_project(laid_out(Path(folder), case), None).findings
                if each.kind != "missing"
            ]
        total.update(str(each.kind) for each in findings)
        for each in findings:
            print(f"{case['name']} {each.kind}: {each.why}")
            for place, text in each.sentences:
                print(f"    {place}  {text}")
    print(dict(total))
    return 0


if __name__ == "__main__":
    sys.exit(main())
