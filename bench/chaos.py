"""What must hold when things go wrong: python bench/chaos.py [--short] [--seed N] [CASE …]. Prints one table; exit 1 if anything was wrong.

Processes are killed while they write, import, inject and sync; connections are ended; requests and calls have odd shapes.
The chance is that of the seed, but the moments of the kills are those of the machine.
"""

import argparse
import sys
import time
from random import Random

from chaos_cases import files, machines, odd, writes
from chaos_cases.runs import Outcome, Pace

CASES = {
    "processes": writes.processes,
    "http": writes.over_http,
    "postgres": writes.on_postgres,
    "imports": files.imports,
    "inject": files.injects,
    "markers": files.markers,
    "requests": odd.requests,
    "tools": odd.tool_calls,
    "sync": machines.sync,
}
SHORT_SECONDS, SECONDS = 5.0, 90.0
MOST_TOLD = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--short", action="store_true", help="about a minute for all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seconds = SHORT_SECONDS if options.short else SECONDS
    outcomes = []
    print(f"| what | cases | kills | lost or wrong | seconds |\n{'| --- ' * 5}|", flush=True)
    for name in options.cases or CASES:
        started = time.monotonic()
        found = CASES[name](Pace(Random(f"{options.seed} {name}"), seconds))
        outcomes.append(found)
        took = time.monotonic() - started
        print(
            f"| {found.what} | {found.cases:,} | {found.kills:,} | {len(found.wrong)} | {took:.0f} |",
            flush=True,
        )
    return tell(outcomes)


def tell(outcomes: list[Outcome]) -> int:
    for outcome in outcomes:
        for each in outcome.wrong[:MOST_TOLD]:
            print(f"{outcome.what}: {each[:2_000]}")
    return int(any(outcome.wrong for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
