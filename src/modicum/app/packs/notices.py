"""Notes of a project: a few lines that every tool should know today. Kept in .modicum/notes.yaml."""

from pathlib import Path

from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value
from modicum.base.yaml_check import Record, check, list_of, text, whole
from modicum.memory.redact import redact
from modicum.targets.disk import write_own

_FIELDS = Record({"notes": list_of(Record({"id": whole(required=True), "text": text(required=True)}))})


class Notice(Value):
    """A line of text, and the number by which it can be removed."""

    id: int
    text: str


def read_notices(config: Config) -> tuple[Notice, ...]:
    """The project's notes, oldest first."""
    file = _file(config)
    try:
        source = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    value, problems = check(source, _FIELDS, str(file))
    if problems:
        raise ModicumError(str(problems[0]), remedy="mend the file, or start anew with: modicum note clear")
    return tuple(Notice(row["id"], row["text"]) for row in (value or {}).get("notes", ()))


def add_notice(config: Config, words: str) -> Notice:
    """Keep a note; its white space is folded."""
    folded = redact(" ".join(words.split()))
    if not folded:
        raise ModicumError(
            "a note needs some words", remedy='modicum note add "Deploys are frozen until Friday"'
        )
    notes = read_notices(config)
    note = Notice(max((note.id for note in notes), default=0) + 1, folded)
    _write(config, (*notes, note))
    return note


def remove_notice(config: Config, number: int) -> Notice:
    """Take one note away."""
    notes = {note.id: note for note in read_notices(config)}
    if number not in notes:
        raise ModicumError(f"there is no note {number}", remedy="modicum note list shows them")
    gone = notes.pop(number)
    _write(config, tuple(notes.values()))
    return gone


def clear_notices(config: Config) -> int:
    """Take all notes away, readable or not, and tell how many there were."""
    try:
        number = len(read_notices(config))
    except ModicumError:
        number = 0
    _file(config).unlink(missing_ok=True)
    return number


def _file(config: Config) -> Path:
    return config.project / "notes.yaml"


def _write(config: Config, notes: tuple[Notice, ...]) -> None:
    import yaml

    if not notes:
        _file(config).unlink(missing_ok=True)
        return
    rows = {"notes": [{"id": note.id, "text": note.text} for note in notes]}
    text = yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, width=10_000)
    write_own(_file(config), text.encode(), private=False)
