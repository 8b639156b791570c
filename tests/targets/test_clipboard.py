"""A text goes to the first clipboard that takes it, and it is said when there is none."""

import sys
from base64 import b64decode

import pytest

from modicum.targets import clipboard
from modicum.targets.clipboard import copy

WAYLAND = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}


class Desk:
    """Programs that are installed, of which some fail, and what they were given."""

    def __init__(self, *installed: str, broken: tuple[str, ...] = ()) -> None:
        self.installed, self.broken = installed, broken
        self.given: list[tuple[tuple[str, ...], bytes]] = []

    def which(self, name: str) -> str | None:
        return f"/bin/{name}" if name in self.installed else None

    def run(self, command, data: bytes) -> bool:
        self.given.append((tuple(command), data))
        return command[0].removeprefix("/bin/") not in self.broken

    def copy(self, text: str, environment: dict[str, str], **more):
        return copy(text, environment=environment, which=self.which, run=self.run, **more)


@pytest.mark.parametrize(
    ("program", "environment", "command"),
    [
        ("wl-copy", WAYLAND, ("/bin/wl-copy",)),
        ("xclip", {"DISPLAY": ":0"}, ("/bin/xclip", "-selection", "clipboard")),
        ("xsel", {"DISPLAY": ":0"}, ("/bin/xsel", "--clipboard", "--input")),
        ("pbcopy", {}, ("/bin/pbcopy",)),
        ("tmux", {"TMUX": "x"}, ("/bin/tmux", "load-buffer", "-w", "-")),
    ],
)
def test_each_program_gets_the_text_as_utf_8(program: str, environment: dict[str, str], command) -> None:
    desk = Desk(program)

    done = desk.copy("é😀", environment)

    assert (done.done, done.by) == (True, program)
    assert desk.given == [(command, "é😀".encode())]


def test_windows_gets_utf_16() -> None:
    desk = Desk("clip.exe")

    assert desk.copy("é", {}).by == "clip.exe"
    assert desk.given == [(("/bin/clip.exe",), b"\xe9\x00")]


def test_a_program_without_its_display_is_passed_over() -> None:
    desk = Desk("wl-copy", "xclip", "xsel", "tmux")

    assert not desk.copy("x", {}).done
    assert desk.given == []


def test_when_one_fails_the_next_is_asked() -> None:
    desk = Desk("wl-copy", "xclip", broken=("wl-copy",))

    assert desk.copy("x", WAYLAND).by == "xclip"
    assert len(desk.given) == 2


def test_a_terminal_is_the_last_resort() -> None:
    sent: list[str] = []

    done = Desk().copy("é\n", {"TERM": "xterm"}, terminal=sent.append)

    assert (done.done, done.by) == (True, "OSC 52")
    assert sent[0].startswith("\x1b]52;c;")
    assert b64decode(sent[0][7:-1]).decode() == "é\n"


def test_what_is_too_long_for_a_terminal_is_not_sent() -> None:
    sent: list[str] = []

    done = Desk().copy("x" * 100_000, {"TERM": "xterm"}, terminal=sent.append)

    assert (done.done, sent) == (False, [])
    assert "too long" in done.message


@pytest.mark.parametrize("environment", [{}, {"TERM": "dumb"}])
def test_without_any_clipboard_it_says_so(environment: dict[str, str]) -> None:
    done = Desk().copy("x", environment, terminal=lambda _: pytest.fail("sent"))

    assert (done.done, done.by, done.message) == (False, "", "there is no clipboard here")


def test_text_that_cannot_be_encoded_does_not_stop_it() -> None:
    desk = Desk("pbcopy")

    assert desk.copy("a\udcffb", {}).done
    assert desk.given[0][1] == b"a?b"


def test_a_real_program_is_given_the_text(tmp_path) -> None:
    target = tmp_path / "got"
    script = f"import sys; open({str(target)!r}, 'wb').write(sys.stdin.buffer.read())"

    assert clipboard.run((sys.executable, "-c", script), b"text")
    assert target.read_bytes() == b"text"


def test_a_real_program_that_fails_hangs_or_is_missing_is_no_clipboard(monkeypatch) -> None:
    monkeypatch.setattr(clipboard, "_PATIENCE_SECONDS", 0.1)

    assert not clipboard.run((sys.executable, "-c", "raise SystemExit(1)"), b"")
    assert not clipboard.run((sys.executable, "-c", "import time; time.sleep(9)"), b"")
    assert not clipboard.run(("/no/such/program",), b"")
