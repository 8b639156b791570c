"""What retrieval is measured on: dialogues in sessions, documents without any, and notes of coding sessions."""

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from retrieval_index import Passage


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the ids of the passages that answer it."""

    text: str
    category: str
    answers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Case:
    """A collection with its questions, asked on the day of its last note."""

    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Asked, ...]
    today: date | None = None


def locomo(path: Path) -> Iterator[Case]:
    """Each dialogue turn a note with its author and the date of its session; a case for each conversation."""
    for conversation in json.loads(path.read_text())["conversations"]:
        numbers = {turn["id"]: number for number, turn in enumerate(conversation["turns"], 1)}
        passages = tuple(_turn(numbers[turn["id"]], turn) for turn in conversation["turns"])
        questions = tuple(
            Asked(q["question"], q["category"], frozenset(numbers[key] for key in q["evidence"]))
            for q in conversation["questions"]
        )
        yield Case(conversation["id"], passages, questions)


def _turn(number: int, turn: dict[str, str]) -> Passage:
    day = datetime.strptime(turn["date"], "%I:%M %p on %d %B, %Y")  # noqa: DTZ007 - the set has no zone
    return Passage(
        number, "", turn["text"], author=turn["speaker"], session=turn["session"], created_at=day.isoformat()
    )


def notes(folder: Path) -> Case:
    """Our own set: notes of coding sessions, and questions in other words."""
    rows = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    asked = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
    passages = tuple(
        Passage(
            id=row["id"],
            title=row["title"],
            body=row["content"],
            names=(row["topic_key"], row["project"], row["type"], *row["files"]),
            session=row["session"],
            created_at=row["created_at"],
        )
        for row in rows
    )
    questions = tuple(Asked(q["question"], q["kind"], frozenset(q["answers"])) for q in asked)
    return Case("notes", passages, questions, date.fromisoformat(max(row["created_at"] for row in rows)[:10]))


GUARD_MODULES = """
abc argparse ast asyncio base64 bisect calendar cmd codecs collections configparser contextlib copy csv dataclasses
datetime decimal difflib dis email.message email.utils enum fileinput fnmatch fractions ftplib functools getopt gettext
glob gzip hashlib heapq html http.client http.cookiejar http.server imaplib inspect io ipaddress itertools json
linecache locale logging logging.handlers lzma mailbox math mimetypes multiprocessing operator optparse os os.path
pathlib pdb pickle pickletools platform plistlib poplib pprint queue random re sched secrets selectors shelve shlex
shutil signal smtplib socket socketserver sqlite3 ssl stat statistics string struct subprocess symtable tarfile
tempfile textwrap threading timeit tokenize traceback types typing unittest unittest.mock urllib.parse urllib.request
uuid warnings wave weakref webbrowser xml.dom.minidom xml.etree.ElementTree xmlrpc.client zipfile zoneinfo
"""
SENTENCE = re.compile(r"(.+?[.!?])(?:\s+|\Z)", re.DOTALL)
LEAST_WORDS = 25


def guard() -> Case:
    """The standard library: the rest of a docstring is the document, its first sentence is the question."""
    documents: dict[str, str] = {}
    for name in GUARD_MODULES.split():
        for text in _docstrings(name):
            documents.setdefault(text, name)
    passages, questions = [], []
    for number, text in enumerate(documents, 1):
        match = SENTENCE.match(text)
        first = match.group(1) if match else text.partition("\n")[0]
        rest = text[len(first) :].strip()
        # Short ones would only be there to be wrong, and favour whoever favours length.
        if len(rest.split()) < LEAST_WORDS:
            continue
        passages.append(Passage(number, "", rest))
        if 4 <= len(first.split()) <= 40:
            questions.append(Asked(" ".join(first.split()), "docstring", frozenset({number})))
    return Case("standard library", tuple(passages), tuple(questions))


def _docstrings(name: str) -> Iterator[str]:
    module = importlib.import_module(name)
    owners = [module, *(vars(module)[key] for key in sorted(vars(module)) if not key.startswith("_"))]
    for owner in owners:
        if inspect.ismodule(owner) and owner is not module:
            continue
        members = [vars(owner)[key] for key in sorted(vars(owner))] if inspect.isclass(owner) else []
        for thing in (owner, *members):
            text = getattr(thing, "__doc__", None)
            if isinstance(text, str) and text.strip() and (callable(thing) or inspect.ismodule(thing)):
                yield inspect.cleandoc(text)
