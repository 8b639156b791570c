"""modicum memory sessions"""

from contextlib import AbstractContextManager, closing

from tests.whose import enter_folder

from modicum.app.memory.lists import list_sessions
from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.memory.model import Query
from modicum.memory.store import Store


def _store() -> AbstractContextManager[Store]:
    found = open_store(load_config())
    enter_folder(found, load_config().root)
    return closing(found)


def test_a_session_without_a_summary_takes_the_one_that_was_saved_as_a_note(world) -> None:
    world.modicum("memory", "sessions", "start", "monday")
    world.modicum("save", "What was done", "The queue is on SQLite.", "--type", "session_summary")

    ended = world.modicum("memory", "sessions", "end", "monday", "--json").json

    assert ended["summary"] == "The queue is on SQLite."


def test_a_session_never_takes_the_summary_of_another_one(world) -> None:
    for name in ("monday", "tuesday"):
        world.modicum("memory", "sessions", "start", name)
    world.modicum("save", "Of tuesday", "Redis is gone.", "--type", "session_summary", "--session", "tuesday")

    monday = world.modicum("memory", "sessions", "end", "monday", "--json").json
    tuesday = world.modicum("memory", "sessions", "end", "tuesday", "--json").json

    assert (monday["summary"], tuesday["summary"]) == ("", "Redis is gone.")


def test_a_list_of_sessions_has_all_of_them_however_many_are_asked_for(world) -> None:
    with _store() as store:
        for number in range(28):
            store.start_session(f"day-{number}", project="project")

    page = world.modicum("memory", "sessions", "list", "--max-tokens", "5000", "--json").json
    first = world.modicum("memory", "sessions", "list", "--limit", "20", "--json").json
    rest = world.modicum("memory", "sessions", "list", "--cursor", first["next"], "--json").json

    assert (page["shown"], page["total"], page["omitted"], page["next"]) == (28, 28, 0, None)
    assert (first["shown"], first["total"], first["omitted"]) == (20, 28, 8)
    assert (rest["shown"], rest["total"], rest["omitted"], rest["next"]) == (8, 28, 0, None)
    keys = [item["key"] for item in first["items"] + rest["items"]]
    assert keys == [item["key"] for item in page["items"]]


def test_a_session_has_the_line_that_it_has_at_the_other_doors(world) -> None:
    from modicum.app.answer.amount import Amount
    from modicum.app.answer.answer import answer

    with _store() as store:
        store.start_session("monday", project="project")
        store.end_session("monday", "Cart is done.")
        page = answer(list_sessions(store, Query(project="project"))(Amount()), Amount()).page

    assert world.modicum("memory", "sessions", "list").out == f"{page.text}\n"
    assert "Cart is done." in page.text


def test_all_of_a_list_is_mentioned_before_any_of_it_is_told_at_length(notes) -> None:
    for number in range(3):
        notes.modicum("memory", "sessions", "start", f"day-{number}")
        notes.modicum("memory", "sessions", "end", f"day-{number}", "--summary", "much was done " * 20)

    page = notes.modicum("memory", "sessions", "list", "--max-tokens", "200", "--json").json

    fates = [item["fate"] for item in page["items"]]
    assert (len(fates), page["omitted"]) == (4, 0)
    assert fates[0] == "shown"
    assert "shortened" in fates
