"""A tool is there if any of its signs is; nothing is run to find out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.targets.detect import detected, expanded, sign_of
from modicum.targets.model import Adapter, Detect

LINUX = {"HOME": "/home/ada"}
WINDOWS = {"USERPROFILE": r"C:\Users\ada", "AppData": r"C:\Users\ada\AppData\Roaming"}


def tool(*signs: Detect) -> Adapter:
    return Adapter("x", "X", "file-inject", detect=signs)


def which(name: str) -> str | None:
    return f"/usr/bin/{name}" if name in ("claude", "gh") else None


def exists(path: str) -> bool:
    return path in ("/home/ada/.claude", ".junie", r"C:\Users\ada\AppData\Roaming/Zed")


@pytest.mark.parametrize(
    "sign",
    [
        Detect(command="claude"),
        Detect(command="claude --version"),
        Detect(path="~/.claude"),
        Detect(path="$HOME/.claude"),
        Detect(path=".junie"),
    ],
)
def test_a_tool_with_a_sign_that_is_there_is_detected(sign: Detect) -> None:
    assert detected(tool(sign), which, exists, LINUX)


@pytest.mark.parametrize(
    "sign",
    [
        Detect(command="cursor"),
        Detect(path="~/.cursor"),
        Detect(path="$NOWHERE/.claude"),
        Detect(),
        # Everyone who has gh has this command; only running it would tell more.
        Detect(command="gh extension list"),
    ],
)
def test_a_tool_without_one_is_not(sign: Detect) -> None:
    assert not detected(tool(sign), which, exists, LINUX)


def test_a_tool_without_signs_is_never_detected() -> None:
    assert not detected(tool(), which, exists, LINUX)


def test_the_first_sign_that_is_there_is_told() -> None:
    signs = (Detect(command="cursor"), Detect(path="~/.claude"), Detect(command="claude"))

    assert sign_of(tool(*signs), which, exists, LINUX) == Detect(path="~/.claude")


def test_a_folder_of_windows_is_found_whatever_the_case_of_its_variable() -> None:
    assert detected(tool(Detect(path="%APPDATA%/Zed")), which, exists, WINDOWS)


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("~", "/home/ada"),
        ("~/.config/zed", "/home/ada/.config/zed"),
        ("~\\.cursor", "/home/ada\\.cursor"),
        ("${HOME}/x", "/home/ada/x"),
        ("$XDG_CONFIG_HOME/goose", "/home/ada/.config/goose"),
        ("${XDG_DATA_HOME}/x", "/home/ada/.local/share/x"),
        ("/etc/x", "/etc/x"),
        ("~ada/x", "~ada/x"),
        ("a/~", "a/~"),
        ("a~/b", "a~/b"),
        ("", ""),
    ],
)
def test_a_path_is_expanded(path: str, there: str) -> None:
    assert expanded(path, LINUX) == there


def test_a_variable_that_is_set_wins_over_its_default() -> None:
    assert expanded("$XDG_CONFIG_HOME/zed", {**LINUX, "XDG_CONFIG_HOME": "/cfg"}) == "/cfg/zed"


def test_a_home_that_ends_in_a_slash_gives_no_double_one() -> None:
    assert expanded("~/x", {"HOME": "/home/me/"}) == "/home/me/x"


def test_home_is_the_profile_on_windows() -> None:
    assert expanded("~/.cursor", WINDOWS) == r"C:\Users\ada/.cursor"
    assert expanded("%appdata%\\Zed", WINDOWS) == r"C:\Users\ada\AppData\Roaming\Zed"


@pytest.mark.parametrize("path", ["$NOPE/x", "%NOPE%/x", "${NOPE}", "$XDG_CONFIG_HOME/x", "~/x"])
def test_a_path_with_an_unknown_part_is_nowhere(path: str) -> None:
    assert expanded(path, {}) is None


def test_what_was_filled_in_is_not_expanded_again() -> None:
    assert expanded("$A/x", {"A": "$B", "B": "no"}) == "$B/x"


@given(st.text(alphabet=st.characters(exclude_characters="~$%")))
def test_a_path_without_signs_stays_as_it_is(path: str) -> None:
    assert expanded(path, LINUX) == path
