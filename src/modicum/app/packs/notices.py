"""Notices of a project, kept in .modicum/notices.yaml: a few lines that every AI tool should know today."""

from pathlib import Path

from modicum.app.wide_project import refuse_wide_project
from modicum.base.config import Config
from modicum.base.errors import ModicumError, WrongUsage
from modicum.base.value import Value
from modicum.base.yaml.check import Record, list_of, text, whole
from modicum.base.yaml.file import read_yaml_file
from modicum.memory.redact import redact
from modicum.targets.disk import resolve, write_own

FILE = "notices.yaml"
_FIELDS = Record({"notices": list_of(Record({"id": whole(required=True), "text": text(required=True)}))})


class Notice(Value):
    """A notice of the project: one line of text, and the number by which the notice can be removed."""

    id: int
    text: str


def read_notices(config: Config) -> tuple[Notice, ...]:
    """Returns the notices of the project, oldest first."""
    remedy = "mend the file, or start anew with: modicum notice remove --all"
    resolve(str(_file(config)), str(config.root))  # a clone may have a link there that leads out
    rows = read_yaml_file(_file(config), _FIELDS, remedy).get("notices", ())
    return tuple(Notice(row["id"], row["text"]) for row in rows)


def find_notice(config: Config, number: int) -> Notice:
    """Returns the notice of the project with a number."""
    found = next((notice for notice in read_notices(config) if notice.id == number), None)
    if found is None:
        raise ModicumError(f"there is no notice {number}", remedy="modicum notice list shows them")
    return found


def add_notice(config: Config, words: str) -> Notice:
    """Adds a notice to the project, on one line, and returns the notice."""
    folded = redact(" ".join(words.split()))
    if not folded:
        raise WrongUsage(
            "a notice needs some words", remedy='modicum notice add "Deploys are frozen until Friday"'
        )
    refuse_wide_project(config)
    notices = read_notices(config)
    notice = Notice(max((each.id for each in notices), default=0) + 1, folded)
    _write(config, (*notices, notice))
    return notice


def remove_notice(config: Config, number: int) -> Notice:
    """Removes one notice of the project by its number, and returns the notice."""
    gone = find_notice(config, number)
    _write(config, tuple(each for each in read_notices(config) if each != gone))
    return gone


def clear_notices(config: Config) -> int:
    """Removes all notices of the project, readable or not, and returns how many there were."""
    try:
        number = len(read_notices(config))
    except ModicumError:
        number = 0
    _file(config).unlink(missing_ok=True)
    return number


def _file(config: Config) -> Path:
    return config.project / FILE


def _write(config: Config, notices: tuple[Notice, ...]) -> None:
    import yaml

    if not notices:
        _file(config).unlink(missing_ok=True)
        return
    rows = {"notices": [{"id": each.id, "text": each.text} for each in notices]}
    text = yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, width=10_000)
    write_own(_file(config), text.encode(), private=False, aside=config.state / "aside")
