"""Bodies: what is wrong with one is a sentence that names the field, and a remedy."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.errors import ModicumError
from modicum.http import body
from modicum.http.body import parse_body
from modicum.http.v1 import bodies
from modicum.http.v1.bodies import NoteBody, NoteChanges, ProjectMerge, RelationBody, SessionEnd
from modicum.web import reading
from modicum.web.memory import actions


@pytest.mark.parametrize(
    ("kind", "data", "detail", "remedy"),
    [
        (NoteBody, b'{"title": "t"}', "content is missing", "give a text"),
        (NoteBody, b'{"title": "t", "content": 3}', "content is not a text", "give a text"),
        (NoteBody, b'{"title": "t", "contnt": "c"}', 'there is no field "contnt"', 'did you mean "content"?'),
        (
            NoteBody,
            b'{"title": "t", "content": "c", "scope": "mine"}',
            "scope is not one of: project, personal, global",
            "give one of: project, personal, global",
        ),
        (NoteChanges, b'{"title": []}', "title is not a text", "give a text"),
        (NoteChanges, b'{"scope": "x"}', "scope is not one of: project, personal, global", None),
        (RelationBody, b'{"to": "7", "type": 7}', "type is not a text", "give a text"),
        (RelationBody, b'{"to": 7, "both": 1}', "both is not true or false", "give true or false"),
        (ProjectMerge, b'{"sources": "a", "target": "b"}', "sources is not a list of texts", None),
        (RelationBody, b'{"to": []}', "to is not a text or a whole number", None),
        (actions.PinBody, b'{"id": 1, "pined": true}', 'there is no field "pined"', 'did you mean "pinned"?'),
        (
            actions.BatchBody,
            b'{"batch": 0}',
            f"batch is not a whole number from 1 to {10**18 - 1}",
            None,
        ),
        (actions.ChosenBody, b'{"ids": 1}', "ids is not a list", "give a list"),
        (
            actions.VerdictBody,
            b'{"newer": 1, "older": 2, "verdict": "shrug"}',
            "verdict is not one of: keep-newer, keep-older, supersedes, both",
            None,
        ),
        (reading.SettingsBody, b'{"tool": "codex", "detail": 9}', "detail is not one of: 1, 2, 3", None),
        (SessionEnd, b'{"zzz": 1}', 'there is no field "zzz"', "the fields are: summary"),
        (NoteBody, b"[1]", "the body is not an object", None),
        (NoteBody, b"", "title is missing", "give a text"),
    ],
)
def test_what_is_wrong_with_a_body_names_the_field(
    kind, data: bytes, detail: str, remedy: str | None
) -> None:
    with pytest.raises(ModicumError) as error:
        parse_body(data, kind)

    assert error.value.message == detail
    assert error.value.remedy if remedy is None else error.value.remedy == remedy


@pytest.mark.parametrize(
    "data", [b"{", b"{}{", b"\xff", b'{"title": "\\ud800", "content": "c"}', b"[" * 100_000, b"NaN"]
)
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(ModicumError):
        parse_body(data, NoteBody)


def test_a_body_becomes_a_struct() -> None:
    assert parse_body(b'{"title": "t", "content": "c"}', NoteBody) == NoteBody("t", "c")
    assert parse_body(b'{"title": null}', NoteChanges) == NoteChanges()
    assert parse_body(b" ", SessionEnd) == SessionEnd("")


@given(st.binary())
def test_any_body_is_read_or_refused(data: bytes) -> None:
    for kind in (NoteBody, NoteChanges, SessionEnd):
        with suppress(ModicumError):
            assert isinstance(parse_body(data, kind), kind)


def test_every_kind_of_field_has_words() -> None:
    import msgspec

    found = (value for module in (bodies, actions, reading) for value in vars(module).values())
    kinds = [kind for kind in found if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    assert all(body._in_words(field.type) for kind in kinds for field in msgspec.structs.fields(kind))
