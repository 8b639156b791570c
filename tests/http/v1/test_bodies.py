"""Bodies: what is wrong with one is a sentence that names the field, and a remedy."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.errors import ModicumError
from modicum.http.v1 import bodies
from modicum.http.v1.bodies import NoteBody, NoteChanges, ProjectMerge, RelationBody, SessionEnd, parse_body


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

    kinds = [
        kind for kind in vars(bodies).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    ]
    assert all(bodies._in_words(field.type) for kind in kinds for field in msgspec.structs.fields(kind))
