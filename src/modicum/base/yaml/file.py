"""Reads a small YAML file of a project, checked against a table of fields, or says in one sentence what is wrong with it."""

from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.base.errors import ModicumError
from modicum.base.typing_names import Any
from modicum.base.yaml.check import Record, check


def read_yaml_file(file: Path, fields: Record, remedy: str = "mend the file") -> dict[str, Any]:
    """Reads a small YAML file against a table of fields, and returns its values by key; none if there is no such file."""
    try:
        source = read_bounded(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ModicumError(f"{file} cannot be read: {error.strerror}", remedy="mend or delete it") from error
    value, problems = check(source, fields, str(file))
    if problems:
        raise ModicumError(str(problems[0]), remedy=remedy)
    return value or {}
