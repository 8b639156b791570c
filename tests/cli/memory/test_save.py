"""modicum save and update"""

import io


def test_a_note_can_be_piped_in(world) -> None:
    world.patch.setattr("sys.stdin", io.StringIO("from a pipe"))
    world.modicum("save", "Piped", "-")

    assert world.modicum("show", "1", "--json").json["content"] == "from a pipe"


def test_another_wording_can_be_piped_in(notes) -> None:
    notes.patch.setattr("sys.stdin", io.StringIO("from a pipe"))
    notes.modicum("update", "1", "--content", "-")

    assert notes.modicum("show", "1", "--json").json["content"] == "from a pipe"


def test_input_that_is_no_text_is_not_saved(world) -> None:
    for told in (b"\xff\xfe in src/queue.py", b"a\0b in src/queue.py"):
        for errors in ("surrogateescape", "strict"):
            piped = io.TextIOWrapper(io.BytesIO(told), encoding="utf-8", errors=errors)
            world.patch.setattr("sys.stdin", piped)
            heard = world.modicum("save", "Piped", "-")

            assert (heard.code, heard.err) == (
                4, "modicum: standard input is no text in UTF-8 (convert it, as in: iconv -t UTF-8)\n"
            )  # fmt: skip
