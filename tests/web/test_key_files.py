"""The files about keys of the page: only their owner reads them, and a link or a file of others in their place is refused."""

import os
import stat
import time

import pytest

from modicum.base.errors import ModicumError
from modicum.web.key_files import (
    ServerRecord,
    read_record,
    remove_old_redirects,
    remove_record,
    write_record,
    write_redirect,
)

RECORD = ServerRecord("/project", "secret")


def mode_of(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_a_server_writes_its_owner_reads_and_nobody_else(tmp_path):
    old = os.umask(0)
    try:
        write_record(tmp_path, 7437, RECORD)
        page = write_redirect(tmp_path, "http://127.0.0.1:7437/web/open?key=a&b")
    finally:
        os.umask(old)

    assert read_record(tmp_path, 7437) == RECORD
    assert read_record(tmp_path, 7438) is None
    assert [mode_of(path) for path in (tmp_path / "page", page, tmp_path / "page/server-7437.json")] == [
        0o700,
        0o600,
        0o600,
    ]
    assert "key=a&amp;b" in page.read_text()


def test_a_file_that_others_may_read_is_refused(tmp_path):
    write_record(tmp_path, 7437, RECORD)
    (tmp_path / "page/server-7437.json").chmod(0o644)
    with pytest.raises(ModicumError, match="can be read or written by others"):
        read_record(tmp_path, 7437)


def test_a_folder_that_others_may_write_is_refused(tmp_path):
    write_record(tmp_path, 7437, RECORD)
    (tmp_path / "page").chmod(0o777)
    for act in (
        lambda: read_record(tmp_path, 7437),
        lambda: write_record(tmp_path, 1, RECORD),
        lambda: write_redirect(tmp_path, "x"),
    ):
        with pytest.raises(ModicumError, match="can be read or written by others"):
            act()


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path):
    write_record(tmp_path, 1, RECORD)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    place = tmp_path / "page/server-7437.json"
    place.symlink_to(elsewhere)
    with pytest.raises(ModicumError):
        read_record(tmp_path, 7437)
    write_record(tmp_path, 7437, RECORD)

    assert elsewhere.read_text() == "mine"
    assert not place.is_symlink()
    assert read_record(tmp_path, 7437) == RECORD


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_link_or_a_file_in_the_place_of_the_folder_is_refused(tmp_path, kind):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    if kind == "link":
        (tmp_path / "page").symlink_to(elsewhere)
    else:
        (tmp_path / "page").write_text("")
    with pytest.raises(ModicumError):
        write_record(tmp_path, 7437, RECORD)

    assert [*elsewhere.iterdir()] == []


def test_a_pipe_in_the_place_of_the_file_holds_nobody(tmp_path):
    write_record(tmp_path, 1, RECORD)
    os.mkfifo(tmp_path / "page/server-7437.json", 0o600)
    with pytest.raises(ModicumError):
        read_record(tmp_path, 7437)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"root": 1}', '{"root": "/project", "more": "x", "secret": "y"}', "\xff"]
)
def test_a_file_that_is_no_record_is_none(tmp_path, text):
    write_record(tmp_path, 7437, RECORD)
    (tmp_path / "page/server-7437.json").write_text(text)

    assert read_record(tmp_path, 7437) is None


def test_a_server_removes_its_own_file_and_not_that_of_the_next(tmp_path):
    write_record(tmp_path, 7437, RECORD)
    remove_record(tmp_path, 7437, "another")
    assert read_record(tmp_path, 7437) == RECORD
    remove_record(tmp_path, 7437, "secret")

    assert read_record(tmp_path, 7437) is None


def test_pages_with_keys_go_away(tmp_path):
    old, new = (write_redirect(tmp_path, "x") for _ in range(2))
    os.utime(old, (0, time.time() - 120))
    remove_old_redirects(tmp_path)

    assert [*(tmp_path / "page").iterdir()] == [new]
