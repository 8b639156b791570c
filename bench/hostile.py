"""What must hold in a project that was made to harm us: python bench/hostile.py [--projects N] [--lines N] [--seed N] [PART …].

Each project is some of the parts of `hostile_cases/projects.py`, in a home with secrets around it and with canaries on the PATH. Commands of the
table are run in it, without agreeing to anything (in every second project the user has agreed to its adapters). Prints one table; exit 1 if
anything was run, changed outside of the closed list, or told from outside.
"""

import argparse
import sys
import time
from collections import Counter
from random import Random

from hostile_cases.commands import LEFT_OUT, LINES, leaves, typed
from hostile_cases.laws import tried
from hostile_cases.place import Runner
from hostile_cases.projects import PARTS

MOST_TOLD = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--projects", type=int, default=24, help="how many projects")
    parser.add_argument(
        "--lines",
        type=int,
        default=40,
        help="how many commands are run in each, beside all of inject and setup",
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    missing = {*leaves()} - {*LINES, *LEFT_OUT}
    wrong = [f"{name}: no line is tried" for name in sorted(missing)]
    used, run, held, started = Counter[str](), Counter[str](), 0, time.monotonic()
    with Runner() as runner:
        for seed in range(options.seed, options.seed + options.projects):
            chance = Random(f"project {seed}")
            parts = options.parts or chance.sample([*PARTS], k=chance.randint(2, len(PARTS)))
            installed = ("source", "add", ".")
            writing = [installed] + [line for line in typed("{out}") if line[0] in ("inject", "setup")]
            others = [line for line in typed("{out}") if line not in writing]
            lines = writing + chance.sample(others, k=min(options.lines, len(others)))
            found = tried(runner, seed, parts, lines)
            used.update(parts)
            run.update(" ".join(line) for line in lines)
            held += not found
            wrong += [f"seed {seed} ({', '.join(parts)}): {each}" for each in found]
            print(f"\r{seed - options.seed + 1} of {options.projects}", end="", file=sys.stderr, flush=True)
    print(
        f"\r\n| commands of the table | left out | lines run | of them different | projects | held | wrong | seconds |\n{'| --: ' * 8}|"
    )
    took = time.monotonic() - started
    counts = (
        len(LINES),
        len(LEFT_OUT),
        sum(run.values()),
        len(run),
        options.projects,
        held,
        len(wrong),
        round(took),
    )
    print("| " + " | ".join(f"{count:,}" for count in counts) + " |")
    print(
        "\n| part | projects |\n| --- | --: |\n" + "\n".join(f"| {name} | {used[name]} |" for name in PARTS)
    )
    for each in wrong[:MOST_TOLD]:
        print(each[:600])
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
