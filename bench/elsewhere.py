"""What is done to text that nobody here wrote: secrets masked, fences changed, characters reported, in clones of public repositories.

python bench/elsewhere.py FOLDER [secrets|fences|strict] [--half tune|report] [--show N] [--kinds] [--without FILE]

The folder holds clones. They are split into two halves by their names, whatever is in them: rules are tuned on one half only, and the
other is what is reported. A line is read as it stands in its file; each commit message is a text of its own. `--write FILE` writes all lines
that were touched, `--without FILE` leaves out those that are in such a file, so that what a new rule does can be read by itself.
"""

import argparse
import hashlib
import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from modicum.text.hidden import hidden_characters
from modicum.text.neutralise import neutralise
from modicum.text.secrets import secrets

LARGEST = 400_000  # bytes; larger ones are data
COMMITS = 2_000  # messages of one repository, the newest
ENDINGS = (
    *(".md", ".mdx", ".txt", ".rst", ".adoc", ".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".rs", ".java", ".kt", ".rb", ".php"),
    *(".cs", ".c", ".h", ".zig", ".swift", ".hs", ".ex", ".sql", ".sh", ".tf", ".nix", ".html", ".css", ".yaml", ".yml"),
    *(".toml", ".json", ".xml", ".ini", ".env", ".properties"),
)  # fmt: skip

Touched = tuple[str, int, str, str]  # the file, the line's number, what was found, the line


def half_of(repository: Path) -> str:
    """The half that a repository is in: by its name alone, so that it was decided before the first rule."""
    return "tune" if hashlib.sha256(repository.name.encode()).digest()[0] % 2 == 0 else "report"


def texts(repository: Path) -> Iterator[tuple[str, str]]:
    git = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", str(repository)]
    listed = subprocess.run([*git, "ls-files", "-z"], capture_output=True, check=False).stdout
    for name in listed.decode("utf-8", "replace").split("\0"):
        path = repository / name
        if name.lower().endswith(ENDINGS) and path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if len(data) <= LARGEST and b"\0" not in data:
                yield f"{repository.name}/{name}", data.decode("utf-8", "replace")
    log = subprocess.run([*git, "log", "-z", f"-{COMMITS}", "--format=%B"], capture_output=True, check=False)
    for at, message in enumerate(log.stdout.decode("utf-8", "replace").split("\0")):
        yield f"{repository.name}:commit {at}", message


def in_secrets(text: str) -> Iterator[tuple[int, str]]:
    yield from ((start, f"{kind}: {text[start:end][:120]}") for start, end, kind in secrets(text))


def in_fences(text: str) -> Iterator[tuple[int, str]]:
    """Each line that the fence changes: tried one by one only where the whole text is changed."""
    if neutralise(text) == text:
        return
    at = 0
    for line in text.splitlines(keepends=True):
        if (told := neutralise(line)) != line:
            yield at, told.strip()[:160]
        at += len(line)


def in_strict(text: str) -> Iterator[tuple[int, str]]:
    yield from hidden_characters(text)


WAYS = {"secrets": in_secrets, "fences": in_fences, "strict": in_strict}


def touched(way: str, repository: Path) -> tuple[Counter[str], list[Touched]]:
    counts: Counter[str] = Counter(repositories=1)
    found: list[Touched] = []
    for name, text in texts(repository):
        counts.update(texts=1, lines=text.count("\n") + 1, characters=len(text))
        for at, what in WAYS[way](text):
            start = text.rfind("\n", 0, at) + 1
            line = text[start : start + 1_000].partition("\n")[0]
            found.append((name, text.count("\n", 0, at) + 1, what, line[max(0, at - start - 80) :][:240]))
    counts.update(
        lines_touched=len({(name, line) for name, line, _, _ in found}),
        files_touched=len({each[0] for each in found}),
    )
    return counts, found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("way", choices=WAYS, nargs="?", default="secrets")
    parser.add_argument("--half", choices=("tune", "report"), default="tune")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--without", type=Path)
    told = parser.parse_args()
    repositories = sorted(each for each in told.folder.iterdir() if half_of(each) == told.half)
    counts: Counter[str] = Counter()
    found: list[Touched] = []
    with Pool(2) as pool:
        for some, more in pool.imap_unordered(partial(touched, told.way), repositories):
            counts.update(some)
            found += more
    found.sort()
    print(f"{told.way}, {told.half}: " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))
    if told.write:
        told.write.write_text("".join(json.dumps(each) + "\n" for each in found), encoding="utf-8")
    if told.without:
        known = {
            tuple(json.loads(line)[:3]) for line in told.without.read_text(encoding="utf-8").splitlines()
        }
        found = [each for each in found if each[:3] not in known]
        print(f"not in {told.without.name}: {len(found):,}")
    if told.way != "fences":
        print(
            "\n".join(
                f"  {count:6,} {kind}"
                for kind, count in Counter(each[2].partition(":")[0] for each in found).most_common(60)
            )
        )
    for name, line, what, whole in random.Random(1).sample(found, min(told.show, len(found))):
        print(f"{name}:{line}\n    {what}\n    {whole}")


if __name__ == "__main__":
    main()
