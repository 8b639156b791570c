"""Which rules really arrive in the first request of real agent programs, before and after `modicum inject`.

python bench/reach.py                        our layouts x programs: the table, and every cell that is not right
python bench/reach.py --twin 20              what modicum says that a tool reads against what it sends, on 20 random layouts
python bench/reach.py --others               the same table for rulesync, ruler and APM
python bench/reach.py --more                 the table with Cline, Droid, Kilo, Continue, Pi, Grok, Kimi and Aider as well, injected together
python bench/reach.py --only codex --layouts "AGENTS.md,none" --jobs 1

Each program runs in a throw-away copy, with a home of its own and a model on loopback; nothing leaves the machine. Programs are
installed from npm into a cache (see reach_programs.py).

A cell is right if our rule arrives once (or as often as the user's file that carries it), and every rule of the user's as often
as before. With --allow-gains a rule of the user's that did not arrive before may arrive: behind a limit that was raised, or in a
tool that did not read the file.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import modicum
from modicum.base.errors import ModicumError
from modicum.engine.tokens import count
from modicum.targets.live.run import first_request
from reach_layouts import CANARY, LAYOUTS, PROJECT, Layout, build, random_layout
from reach_more import MORE, request_of
from reach_programs import MORE_PROGRAMS, PROGRAMS, Pinned, environment, installed, npm, pypi

OURS = "OURS-4711-OURS"
MODICUM = str(Path(sys.executable).parent / "modicum")
PACK = {
    "pack.yaml": "id: reach\nname: Reach\ndescription: A rule of ours\nweight: 5\n",
    "constraints.md": f"1. Never lose the rule {OURS}.\n",
    "context.md": "## Reach\n\nOne rule that every tool is to read.\n",
}
NOT_FOLLOWED = re.compile(r"<!-- (?:File already processed|Import failed): (\S+)(?: - [^\n]*?)? -->")
SKIPPED = re.compile(r'\n\n<imported_custom_instruction source="[^"]*" skipped="already-loaded" />')
RULESYNC, RULER, APM = "16.34.2", "0.3.44", "0.35.0"
SECONDS = 120.0
ALLOW_GAINS = "--allow-gains" in sys.argv
WITH_MORE = "--more" in sys.argv


class Sent(NamedTuple):
    """What a program sent: all texts, how often each canary arrived, and the tokens of the texts; or what went wrong."""

    text: str = ""
    copies: Mapping[str, int] = MappingProxyType({})
    tokens: int = 0
    trouble: str = ""


class Cell(NamedTuple):
    """What became of one layout in one program."""

    program: Pinned
    layout: Layout
    ours: int
    lost: tuple[str, ...]  # the user's rules that arrive less often than before
    doubled: tuple[str, ...]  # those that arrive more often
    gained: tuple[str, ...]  # and those that did not arrive before
    tokens: int
    allowed: frozenset[int] = frozenset((1,))
    trouble: str = ""

    @property
    def is_right(self) -> bool:
        wrong = self.trouble or self.lost or self.doubled or (self.gained and not ALLOW_GAINS)
        return not wrong and self.ours in self.allowed

    @property
    def words(self) -> str:
        if self.trouble:
            return "failed"
        own = "" if self.ours in self.allowed else f"ours x{self.ours}"
        of_the_user = {"lost": self.lost, "doubled": self.doubled, "newly read": self.gained}
        faults = (own, *(f"user's {word}" for word, names in of_the_user.items() if names))
        return ", ".join(filter(None, faults)) or "ok"

    @property
    def story(self) -> str:
        names = f"lost {self.lost[:4]}, doubled {self.doubled[:4]}, newly read {self.gained[:4]}"
        return self.trouble or f"ours {self.ours}, {names}"


def ask(program: Pinned, world: Path, cwd: str) -> Sent:
    """Runs a program in a built layout."""
    search = environment()["PATH"]
    try:
        if program.tool in MORE:
            request = request_of(program.tool, installed(program), world, cwd, search, SECONDS)
        else:
            request = first_request(
                program.tool, world / PROJECT / cwd, world / "home", {"PATH": search},
                executable=installed(program), seconds=SECONDS,
            ).request  # fmt: skip
    except ModicumError as error:
        return Sent(trouble=str(error))
    text = "\n".join(part.text for part in request.parts)
    copies = Counter(CANARY.findall(text))
    copies[OURS] = text.count(OURS)
    return Sent(text, copies, sum(count(part.text) for part in request.parts))


def compared(program: Pinned, layout: Layout, before: Sent, after: Sent, world: Path) -> Cell:
    """Returns the cell of a layout by what was sent before and after."""
    user = sorted({*before.copies, *after.copies} - {OURS})
    was, now = ({name: sent.copies.get(name, 0) for name in user} for sent in (before, after))
    lost = tuple(name for name in user if now[name] < was[name])
    doubled = tuple(name for name in user if now[name] > was[name] > 0)
    gained = tuple(name for name in user if now[name] > was[name] == 0)
    carried = (before.copies.get(name, 0) for name in carried_with_ours(world))
    return Cell(
        program, layout, after.copies.get(OURS, 0), lost, doubled, gained, after.tokens - before.tokens,
        frozenset((1, *(often for often in carried if often))), before.trouble or after.trouble,
    )  # fmt: skip


def carried_with_ours(world: Path) -> Iterator[str]:
    """The canaries of the user's files that carry our rule."""
    for path in world.rglob("*.md"):
        if ".modicum" in path.parts or ".ruler" in path.parts or ".rulesync" in path.parts:
            continue
        text = path.read_text(errors="replace")
        if OURS in text:
            yield from CANARY.findall(text)


SENT_BEFORE: dict[tuple[Pinned, str], Sent] = {}  # the same for every writer


def inject(project: Path, world: Path) -> str:
    """Runs `modicum inject` for the tools of all programs in the table; returns its words if it refused."""
    pack = project / ".modicum" / "packs" / "reach"
    pack.mkdir(parents=True)
    for name, text in PACK.items():
        (pack / name).write_text(text)
    tools = [word for tool in tools_of(every_program()) for word in ("--tool", tool)]
    return run([MODICUM, "inject", *tools], project, world)


def run(command: Sequence[str], folder: Path, world: Path, **more: str) -> str:
    own = {"HOME": str(world / "home"), "MODICUM_HOME": str(world / "modicum"), **more}
    done = subprocess.run(
        command, cwd=folder, env={**environment(), **own}, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()[-400:]


def rulesync(project: Path, world: Path) -> str:
    rules = project / ".rulesync" / "rules"
    rules.mkdir(parents=True)
    (rules / "overview.md").write_text(f'---\nroot: true\ntargets: ["*"]\n---\nNever lose the rule {OURS}.\n')
    tools = "claudecode,codexcli,copilot,geminicli,opencode,qwencode"
    command = str(npm("rulesync", RULESYNC) / "rulesync")
    said = run([command, "generate", "--targets", tools, "--features", "rules"], project, world)
    shutil.rmtree(project / ".rulesync")
    return said


def ruler(project: Path, world: Path) -> str:
    (project / ".ruler").mkdir()
    (project / ".ruler" / "AGENTS.md").write_text(f"Never lose the rule {OURS}.\n")
    command = str(npm("@intellectronica/ruler", RULER) / "ruler")
    agents = "claude,codex,copilot,gemini-cli,opencode,qwen"
    said = run([command, "apply", "--agents", agents, "--no-gitignore", "--local-only"], project, world)
    shutil.rmtree(project / ".ruler")
    return said


def apm(project: Path, world: Path) -> str:
    (project / "apm.yml").write_text("name: shop\nversion: 1.0.0\ndescription: a shop\n")
    rules = project / ".apm" / "instructions"
    rules.mkdir(parents=True)
    (rules / "reach.instructions.md").write_text(
        f'---\ndescription: reach\napplyTo: "**"\n---\nNever lose the rule {OURS}.\n'
    )
    command = str(pypi("apm-cli", APM, "apm"))
    return run([command, "compile", "--target", "copilot,claude,codex,gemini,opencode"], project, world)


Writer = Callable[[Path, Path], str]
OTHERS: dict[str, Writer] = {f"rulesync {RULESYNC}": rulesync, f"ruler {RULER}": ruler, f"APM {APM}": apm}


def table(
    label: str, write: Writer, programs: Sequence[Pinned], layouts: Sequence[Layout], jobs: int
) -> bool:
    """Prints the table of one writer; returns True if every cell is right."""
    cells: list[Cell] = []
    with tempfile.TemporaryDirectory() as room, ThreadPoolExecutor(jobs) as pool:
        for number, layout in enumerate(layouts):
            before, after = Path(room) / f"{number}b", Path(room) / f"{number}a"
            build(layout, before)
            said = write(build(layout, after), after)
            if said:
                print(f"{label} on {layout.name}: {said}", file=sys.stderr)
            row = [*pool.map(lambda each: measured(each, layout, before, after), programs)]  # noqa: B023 - used at once
            print(f"{layout.name}: {sum(cell.is_right for cell in row)} of {len(row)}", file=sys.stderr)
            for cell in row:
                if not cell.is_right:
                    print(f"- {cell.program.label}: {cell.story}", file=sys.stderr, flush=True)
            cells += row
    show(label, cells, programs, layouts)
    return all(cell.is_right for cell in cells)


def measured(program: Pinned, layout: Layout, before: Path, after: Path) -> Cell:
    key = (program, layout.name)
    if key not in SENT_BEFORE:
        SENT_BEFORE[key] = ask(program, before, layout.cwd)
    return compared(program, layout, SENT_BEFORE[key], ask(program, after, layout.cwd), after)


def show(label: str, cells: Sequence[Cell], programs: Sequence[Pinned], layouts: Sequence[Layout]) -> None:
    found = {(cell.program, cell.layout.name): cell for cell in cells}
    print(f"\n## {label}\n\n| the user's files | {' | '.join(each.label for each in programs)} |")
    print("| --- |" + " --- |" * len(programs))
    for layout in layouts:
        print(f"| {layout.name} | {' | '.join(found[each, layout.name].words for each in programs)} |")
    right = sum(cell.is_right for cell in cells)
    print(
        f"\nright: {right} of {len(cells)}",
        *(f"{name}: {number}" for name, number in faults(cells)),
        sep=" · ",
    )
    for cell in cells:
        if not cell.is_right:
            print(f"- {cell.program.label}, {cell.layout.name}: {cell.story}")


def faults(cells: Sequence[Cell]) -> Iterator[tuple[str, int]]:
    """How many cells have each fault, and the tokens that are added on average."""
    yield "ours lost", sum(cell.ours == 0 for cell in cells)
    yield "ours doubled", sum(cell.ours > max(cell.allowed) for cell in cells)
    yield "user's rules displaced", sum(bool(cell.lost) for cell in cells)
    yield "user's rules doubled", sum(bool(cell.doubled) for cell in cells)
    yield "user's rules newly read", sum(bool(cell.gained) for cell in cells)
    yield "failed", sum(bool(cell.trouble) for cell in cells)
    yield "tokens added on average", round(sum(cell.tokens for cell in cells) / max(1, len(cells)))


def twin(programs: Sequence[Pinned], seeds: Iterable[int], jobs: int) -> bool:
    """Compares what modicum says that a tool reads with what it sends; prints every difference."""
    agree: Counter[Pinned] = Counter()
    asked = [(program, seed) for seed in seeds for program in programs]
    with ThreadPoolExecutor(jobs) as pool:
        for program, seed, wrong in pool.map(lambda pair: twin_of(*pair), asked):
            agree[program] += not wrong
            if wrong:
                print(f"- {program.label}, random {seed}: {wrong}", flush=True)
    total = len(asked) // max(1, len(programs))
    for program in programs:
        print(f"{program.label}: the twin agrees on {agree[program]} of {total} random layouts")
    return all(agree[program] == total for program in programs)


def twin_of(program: Pinned, seed: int) -> tuple[Pinned, int, str]:
    layout = random_layout(seed)
    with tempfile.TemporaryDirectory() as room:
        world = Path(room).resolve()
        build(layout, world)
        expected = told_by_twin(program, layout, world)
        sent = ask(program, world, layout.cwd)
    if sent.trouble:
        return program, seed, sent.trouble
    return program, seed, difference(expected, sent.text, owners(layout))


def told_by_twin(program: Pinned, layout: Layout, world: Path) -> list[tuple[str, str]]:
    """The passages that the twin of a loader says arrive, in their order, each with its file."""
    from modicum.targets.load import load_adapters
    from modicum.targets.loaders.collect import collect  # type: ignore[import-not-found,unused-ignore]
    from modicum.targets.loaders.reading import reading  # type: ignore[import-not-found,unused-ignore]

    known = load_adapters([("built in", Path(modicum.__file__).parent / "data")]).adapters
    adapter: Any = next(each for each in known if each.id == program.tool)
    parts = Path(layout.cwd).parts
    chain = ["/".join(parts[:size]) for size in range(len(parts) + 1)]
    files = collect(world / PROJECT, world / "home", (adapter.reads,), chain)
    found = reading(adapter.reads, files, layout.cwd, program.version)
    return [(each.path, (files.text(each.path) or "")[each.start : each.end]) for each in found.passages]


def owners(layout: Layout) -> dict[str, str]:
    """The file of each canary of a layout."""
    files = {**layout.files, **{f"~/{name}": text for name, text in layout.home.items()}}
    return {
        name: path for path, text in files.items() if isinstance(text, str) for name in CANARY.findall(text)
    }


def difference(passages: Sequence[tuple[str, str]], text: str, owner: Mapping[str, str]) -> str:
    """Returns how the told passages differ from a request; "" if every one is there, in order, and nothing else.

    Not compared are the order of the files in one `.claude/rules`, which is that of the file system; ends of lines, which
    Claude Code rewrites in files with comments; the notes that programs write for an import that they do not follow; and how
    many empty lines follow each other, of which Gemini CLI keeps one in its system prompt.
    """
    told = [name for _, passage in passages for name in CANARY.findall(passage)]
    there = CANARY.findall(text)
    missing, more = Counter(told) - Counter(there), Counter(there) - Counter(told)
    if missing or more:
        gone, extra = (Counter(owner[name] for name in names.elements()) for names in (missing, more))
        return f"told and not sent: {dict(gone)}; sent and not told: {dict(extra)}"
    told, there = ([name for name in names if "/rules/" not in owner[name]] for names in (told, there))
    if told != there:
        first = next(n for n, (one, other) in enumerate(zip(told, there, strict=True)) if one != other)
        return f"another order: told {owner[told[first]]}, sent {owner[there[first]]}"
    plain = _with_single_gaps(SKIPPED.sub("", NOT_FOLLOWED.sub(r"@\1", text.replace("\r\n", "\n"))))
    kept = ((path, _with_single_gaps(told.strip().replace("\r\n", "\n"))) for path, told in passages)
    altered = (path for path, told in kept if told not in plain)
    return next((f"not byte for byte: {path}" for path in altered), "")


def _with_single_gaps(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text)


def every_program() -> tuple[Pinned, ...]:
    return (*PROGRAMS, *MORE_PROGRAMS) if WITH_MORE else PROGRAMS


def tools_of(programs: Iterable[Pinned]) -> list[str]:
    return list(dict.fromkeys(each.tool for each in programs))


def chosen(asked: argparse.Namespace) -> tuple[list[Pinned], list[Layout]]:
    only = asked.only.split(",") if asked.only else ()
    programs = [each for each in every_program() if not only or each.tool in only or each.label in only]
    names = asked.layouts.split(",") if asked.layouts else ()
    return programs, [each for each in LAYOUTS if not names or each.name in names]


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--twin", type=int, metavar="N", help="compare the twin on N random layouts")
    options.add_argument("--seed", type=int, default=1, help="the first random layout")
    options.add_argument(
        "--others", action="store_true", help="the same table for other programs of this kind"
    )
    options.add_argument("--allow-gains", action="store_true", help="rules that are newly read are right too")
    options.add_argument("--more", action="store_true", help="with the programs that see --live does not run")
    options.add_argument("--only", help="tools or programs, with commas between them")
    options.add_argument("--layouts", help="names of layouts, with commas between them")
    options.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    asked = options.parse_args()
    programs, layouts = chosen(asked)
    environment()
    for program in programs:
        installed(program)
    if asked.twin:
        return 0 if twin(programs, range(asked.seed, asked.seed + asked.twin), asked.jobs) else 1
    writers = OTHERS if asked.others else {"modicum": inject}
    right = [table(name, write, programs, layouts, asked.jobs) for name, write in writers.items()]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
