"""What retrieval is measured on: dialogues in sessions, documents without any, and notes of coding sessions."""

import importlib
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from modicum.memory.model import NoteDraft


@dataclass(frozen=True, slots=True)
class Note:
    """What is saved, when, and the number that answers name it by."""

    number: int
    draft: NoteDraft
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the numbers of the notes that answer it."""

    text: str
    category: str
    answers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Case:
    """A collection with its questions, asked when the last note was made."""

    name: str
    notes: tuple[Note, ...]
    questions: tuple[Asked, ...]


def locomo(path: Path) -> Iterator[Case]:
    """Each dialogue turn a note with its author and the date of its session; a case for each conversation."""
    for conversation in json.loads(path.read_text())["conversations"]:
        numbers = {turn["id"]: number for number, turn in enumerate(conversation["turns"], 1)}
        turns = tuple(_turn(numbers[turn["id"]], turn) for turn in conversation["turns"])
        questions = tuple(
            Asked(q["question"], q["category"], frozenset(numbers[key] for key in q["evidence"]))
            for q in conversation["questions"]
        )
        yield Case(conversation["id"], turns, questions)


def _turn(number: int, turn: dict[str, str]) -> Note:
    moment = datetime.strptime(turn["date"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    draft = NoteDraft("", turn["text"], session_id=turn["session"], author=turn["speaker"])
    return Note(number, draft, moment.timestamp())


def notes(folder: Path) -> Case:
    """Our own set: notes of coding sessions, and questions in other words."""
    rows = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    asked = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
    questions = tuple(Asked(q["question"], q["kind"], frozenset(q["answers"])) for q in asked)
    return Case("notes", tuple(map(_coding_note, rows)), questions)


def _coding_note(row: dict[str, str]) -> Note:
    files = ", ".join(row["files"])
    draft = NoteDraft(
        title=row["title"],
        content=f"{row['content']}\nWhere: {files}" if files else row["content"],
        type=row["type"],
        project=row["project"],
        session_id=row["session"],
        topic_key=row["topic_key"],
    )
    return Note(int(row["id"]), draft, datetime.fromisoformat(row["created_at"]).timestamp())


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
    kept, questions = [], []
    for number, text in enumerate(documents, 1):
        match = SENTENCE.match(text)
        first = match.group(1) if match else text.partition("\n")[0]
        rest = text[len(first) :].strip()
        # Short ones would only be there to be wrong, and favour whoever favours length.
        if len(rest.split()) < LEAST_WORDS:
            continue
        kept.append(Note(number, NoteDraft("", rest)))
        if 4 <= len(first.split()) <= 40:
            questions.append(Asked(" ".join(first.split()), "docstring", frozenset({number})))
    return Case("standard library", tuple(kept), tuple(questions))


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
