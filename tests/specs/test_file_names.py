"""What the files and folders of specs are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.specs.file_names import free_name, slug, title_slug


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Add OAuth2.0 (Google) integration!", "add-oauth20-google-integration"),
        ("fix - the _ bug -- now", "fix-the-bug-now"),
        ("Añadir soporte español", "aadir-soporte-espaol"),
        ("!@#$%^&*()", "unnamed-change"),
        ("", "unnamed-change"),
        ("修复登录错误", "修复登录错误"),
        (
            "This is a very long description that exceeds the maximum length",
            "this-is-a-very-long-description-that-exceeds-the",
        ),
        ("x" * 80, "x" * 50),
    ],
)
def test_a_change_is_called_by_its_words(text: str, name: str) -> None:
    assert slug(text) == name


@given(st.text())
def test_a_name_is_one_part_of_a_path(text: str) -> None:
    for name in (slug(text), title_slug(text)):
        assert 0 < len(name) <= 60
        assert not set(name) & set("/\\. :\n\0")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Special!@#Characters$%^", "special-characters"),
        ("选择", "选择"),
        ("!", "decision"),
        ("a" * 70, "a" * 60),
    ],
)
def test_a_decision_is_called_by_its_title(title: str, name: str) -> None:
    assert title_slug(title) == name


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert free_name("login", []) == "login"
    assert free_name("login", ["LOGIN", "login-2"]) == "login-3"
