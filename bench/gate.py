"""Measures which notes get a low standing: on text of public repositories, which nobody here wrote.

    .venv/bin/python bench/gate.py FOLDER [--misses]

FOLDER holds clones with their history, one folder each. Good notes are entries of changelogs, paragraphs of decision records
and post-mortems, and messages of commits that say why. Junk is what programs printed into files (*.log, *.out), and subjects
of commits that say nothing beside. Which subjects those are nobody knows, so of these only the number is told.

The rules were made with the repositories whose name has an odd hash before them; the others were read once, as a score.
`--misses` prints what is judged wrongly among the former.
"""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from modicum.memory.gate.standing import doubt_about

EACH = 40  # texts of a kind and a repository
GOOD, JUNK, SUBJECTS = ("changelog", "decision", "message"), ("output",), ("subject", "merge")
LEAST_WORDS = 12
_ENTRY = re.compile(r"\s*[-*] (.{25,600})$")
_BUMP = re.compile(r"(?i)updated dependencies|\W*\[?[0-9a-f]{7}\]?|@?[\w/@.-]+@\d")


def main(arguments: list[str]) -> int:
    folders = [each for each in arguments if not each.startswith("-")]
    if len(folders) != 1 or not Path(folders[0]).is_dir():
        print(__doc__)
        return 2
    texts = [(half_of(repo.name), *each) for repo in clones(Path(folders[0])) for each in texts_of(repo)]
    print(f"{'texts':22}{'kind':>12}{'texts':>8}{'low':>6}{'share':>9}")
    for half in (WORKED_ON, HELD_OUT):
        for kind in (*GOOD, *JUNK, *SUBJECTS):
            some = [doubt_about(text) for where, what, text in texts if (where, what) == (half, kind)]
            low = sum(map(bool, some))
            print(f"{half:22}{kind:>12}{len(some):>8}{low:>6}{low / max(1, len(some)):>9.1%}")
        wrong = sum(bool(doubt_about(text)) for where, what, text in texts if where == half and what in GOOD)
        right = sum(bool(doubt_about(text)) for where, what, text in texts if where == half and what in JUNK)
        if right:  # else nobody printed anything into these repositories
            print(f"{half:22}{'precision':>12}{right / (right + wrong):>23.1%}")
    if "--misses" in arguments:
        for half, kind, text in texts:
            if half == WORKED_ON and kind not in SUBJECTS and (kind in GOOD) is bool(doubt_about(text)):
                print(f"\n{kind}: {text[:200]!r}")
    return 0


WORKED_ON, HELD_OUT = "odd (worked on)", "even (held out)"


def half_of(name: str) -> str:
    """Which half a repository is in, by its name alone."""
    return WORKED_ON if sha256(name.encode()).digest()[0] % 2 else HELD_OUT


def clones(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if (each / ".git").exists())


def git(repo: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repo), *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False).stdout


def texts_of(repo: Path) -> Iterator[tuple[str, str]]:
    """Texts of a repository with their kind, of each kind a few that chance picks, the same each time."""
    chance = random.Random(repo.name)
    found = {"changelog": changelog(repo), "decision": decisions(repo), "output": outputs(repo)}
    for kind, some in {**found, **commits(repo)}.items():
        texts = list(dict.fromkeys(some))
        chance.shuffle(texts)
        yield from ((kind, text) for text in texts[:EACH])


def files(repo: Path, *patterns: str) -> Iterator[str]:
    for name in git(repo, "ls-files", *patterns).split("\n"):
        if name and (repo / name).is_file():
            yield (repo / name).read_text("utf-8", "replace")


def changelog(repo: Path) -> Iterator[str]:
    for text in files(repo, "*CHANGELOG*.md", "*CHANGES*.md", "*changelog*.md"):
        entries = filter(None, map(_ENTRY.match, text.splitlines()[:2_000]))
        yield from (entry[1] for entry in entries if not _BUMP.match(entry[1]))


def decisions(repo: Path) -> Iterator[str]:
    for text in files(repo, "*adr*/*.md", "*decisions/*.md", "*post*mortem*.md", "*incident*.md"):
        for part in re.split(r"\n\s*\n", text):
            if len(part.split()) >= LEAST_WORDS and not part.lstrip().startswith(("#", "|", "```", "<", "!")):
                yield part.strip()


def outputs(repo: Path) -> Iterator[str]:
    for text in files(repo, "*.log", "*.out"):
        lines = text.splitlines()[:200]
        parts = ("\n".join(lines[at : at + 12]).strip() for at in range(0, len(lines), 12))
        yield from (part for part in parts if len(part) > 100)


def commits(repo: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"message": [], "subject": [], "merge": []}
    for record in git(repo, "log", "-300", "--format=%P%x1f%s%x1f%b%x1e").split("\x1e"):
        parents, subject, body = (*record.strip("\n").split("\x1f"), "", "")[:3]
        if " " in parents:
            found["merge"].append(f"{subject}\n{body}")
        elif not body.strip():
            found["subject"].append(subject)
        elif len(body.split()) >= LEAST_WORDS:
            found["message"].append(f"{subject}\n{body}")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
