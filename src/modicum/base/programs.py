"""Finds a program on the PATH, only in folders that are named absolutely: any other one depends on where somebody stands."""

import os
from collections.abc import Mapping


def find_program(name: str, environ: Mapping[str, str]) -> str | None:
    """Returns the path of an installed program; None if there is none.

    With `.` or `bin` on the PATH, a repository of somebody else could bring a program of its own.
    """
    endings = environ.get("PATHEXT", ".EXE").split(os.pathsep) if os.name == "nt" else [""]
    for folder in environ.get("PATH", "").split(os.pathsep):
        for ending in endings if os.path.isabs(folder) else ():  # noqa: PTH117 - pathlib is slow to start
            path = os.path.join(folder, name + ending)  # noqa: PTH118
            if os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113
                return path
    return None
