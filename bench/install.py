"""What an install of modicum weighs and how long it takes: python bench/install.py [uv] [pip] [--python PATH]

Builds the wheel and installs it into a new environment, alone and with each extra, once to fill the installer's cache and once for the
figures. Printed are the packages with modicum, the megabytes (1,000,000 bytes) of their files without bytecode, and the seconds of the second install.
`--packages` lists the packages of the install with every extra that is for use, largest first.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_FOR_USE = ("dev",)
SIZES = """
from importlib.metadata import distributions
for each in distributions():
    files = (file.locate() for file in each.files or () if not file.name.endswith(".pyc"))
    if each.name not in ("pip", "setuptools"):  # setuptools comes with environments of Python 3.11
        print(sum(file.stat().st_size for file in files if file.exists()), each.name)
"""


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [name for name in project["optional-dependencies"] if name not in NOT_FOR_USE]


def quietly(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stderr[-2000:]}")


def install(installer: str, python: str, place: Path, what: str) -> float:
    """Makes a new environment and installs something there; returns the seconds of the latter."""
    inside = str(place / "bin" / "python")
    if installer == "uv":
        quietly("uv", "venv", "--clear", "--python", python, str(place))
        words = ("uv", "pip", "install", "--python", inside, what)
    else:
        quietly(python, "-m", "venv", "--clear", str(place))
        words = (inside, "-m", "pip", "install", "--no-compile", what)
    began = time.monotonic()
    quietly(*words)
    return time.monotonic() - began


def sizes(place: Path) -> list[tuple[int, str]]:
    """The bytes of each installed package, the largest first."""
    found = subprocess.run(
        [place / "bin" / "python", "-c", SIZES], capture_output=True, text=True, check=True
    )
    rows = (line.split() for line in found.stdout.splitlines())
    return sorted(((int(size), name) for size, name in rows), reverse=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "installers",
        nargs="*",
        default=[name for name in ("uv", "pip") if name == "pip" or shutil.which(name)],
    )
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--packages", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        quietly(given.python, "-m", "venv", str(room / "build"))
        quietly(
            str(room / "build/bin/python"),
            "-m",
            "pip",
            "wheel",
            "--no-deps",
            "--wheel-dir",
            folder,
            str(ROOT),
        )
        (wheel,) = room.glob("*.whl")
        kinds = ["", *(f"[{name}]" for name in extras())]
        print("| installed | packages | MB |", " | ".join(f"s, {name}" for name in given.installers), "|")
        print("| --- | --: | --: |", " | ".join("--:" for _ in given.installers), "|")
        for kind in kinds:
            times = []
            for installer in given.installers:
                install(installer, given.python, room / "venv", f"{wheel}{kind}")
                times.append(f"{install(installer, given.python, room / 'venv', f'{wheel}{kind}'):.1f}")
            found = sizes(room / "venv")
            print(
                f"| modicum{kind} | {len(found)} | {sum(size for size, _ in found) / 1e6:.0f} |",
                " | ".join(times),
                "|",
                flush=True,
            )
        if given.packages:
            install(given.installers[0], given.python, room / "venv", f"{wheel}[{','.join(extras())}]")
            print("\n".join(f"{size / 1e6:7.2f} {name}" for size, name in sizes(room / "venv")))


if __name__ == "__main__":
    main()
