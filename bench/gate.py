"""Measures the gate of memory on labelled saves: how much of the junk is held, and how much of the good.

    .venv/bin/python bench/gate.py [--misses]

The rules were made with the saves of odd numbers before them. Those of even numbers were looked at only as a score.
`--misses` prints what is judged wrongly among the odd ones.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from modicum.memory.gate.judge import GateContext, Outcome, Verdict, judge
from modicum.memory.model import Note, NoteDraft

CASES = Path(__file__).parent / "gate_cases" / "saves.jsonl"

# What each setting of `gate` keeps from going straight in.
SETTINGS = {
    "straight": (Outcome.REFUSED,),
    "doubtful": (Outcome.REFUSED, Outcome.INBOX),
    "inbox": tuple(Outcome),
}


def main(arguments: list[str]) -> int:
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    judged = [(case, verdict_on(case)) for case in cases]
    halves = {
        "odd (worked on)": [each for each in judged if each[0]["id"] % 2],
        "even (held out)": [each for each in judged if not each[0]["id"] % 2],
        "all": judged,
    }
    print(f"{'saves':18}{'junk held':>18}{'refused':>10}{'good held':>16}{'refused':>10}{'precision':>11}")
    for name, some in halves.items():
        print(f"{name:18}{_scores(some)}")
    _print_settings(halves)
    for name, some in list(halves.items())[:2]:
        print(f"\n{name}: junk held by kind")
        print("  " + ", ".join(_kinds(some)))
    if "--misses" in arguments:
        _print_misses(halves["odd (worked on)"])
    return 0


def verdict_on(case: dict) -> Verdict:
    context = case["context"]
    existing = [
        Note(number, f"n{number}", "", "manual", note["title"], note["content"])
        for number, note in enumerate(context.get("existing", ()), 1)
    ]
    around = GateContext(existing, [context.get("injected", "")], context.get("prompt", ""))
    return judge(NoteDraft(case["title"], "".join(case["content"]), case["type"]), around)


def _scores(judged: list) -> str:
    junk = [verdict.outcome for case, verdict in judged if case["label"] == "junk"]
    good = [verdict.outcome for case, verdict in judged if case["label"] == "good"]
    held = {
        name: sum(each is not Outcome.KEPT for each in some)
        for name, some in (("junk", junk), ("good", good))
    }
    out = {name: some.count(Outcome.REFUSED) for name, some in (("junk", junk), ("good", good))}
    precision = held["junk"] / max(1, held["junk"] + held["good"])
    cells = (
        f"{held['junk']}/{len(junk)} {held['junk'] / len(junk):6.1%}".rjust(18),
        f"{out['junk'] / len(junk):.1%}".rjust(10),
        f"{held['good']}/{len(good)} {held['good'] / len(good):6.1%}".rjust(16),
        f"{out['good'] / len(good):.1%}".rjust(10),
        f"{precision:.1%}".rjust(11),
    )
    return "".join(cells)


def _print_settings(halves: dict[str, list]) -> None:
    """What does not go straight into memory with each setting: what is refused, and what waits in the inbox."""
    print("\nheld of the junk and of the good notes, by setting")
    for setting, held in SETTINGS.items():
        cells = (
            f"{name.split()[0]} {_share(some, 'junk', held):6.1%} {_share(some, 'good', held):6.1%}"
            for name, some in halves.items()
        )
        print(f"  {setting:10}" + "    ".join(cells))


def _share(judged: list, label: str, held: tuple[Outcome, ...]) -> float:
    some = [verdict.outcome in held for case, verdict in judged if case["label"] == label]
    return sum(some) / len(some)


def _kinds(judged: list) -> list[str]:
    every = Counter(case["why"] for case, _ in judged if case["label"] == "junk")
    held = Counter(
        case["why"]
        for case, verdict in judged
        if case["label"] == "junk" and verdict.outcome is not Outcome.KEPT
    )
    return [f"{kind} {held[kind]}/{number}" for kind, number in sorted(every.items())]


def _print_misses(judged: list) -> None:
    for case, verdict in judged:
        if (case["label"] == "junk") is (verdict.outcome is Outcome.KEPT):
            text = "".join(case["content"])[:200].replace("\n", "\\n")
            print(f"\n#{case['id']} {case['label']} {case.get('why', '')}: {case['title']} | {text}")
            print(f"   {verdict.outcome}: {verdict.reason}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
