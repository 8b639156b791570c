"""What a hook hands to an agent is written into the log of the day, without the words."""

from modicum.app.session.handed_log import FOLDER, MEASURED
from modicum.app.session.handed_log_reader import LogPlace, end_of_log, handed_between


def logged(place):
    return handed_between(place.data, LogPlace(), end_of_log(place.data), 100)


def test_a_session_start_and_a_prompt_are_logged_with_their_notes(place) -> None:
    first = place.note("The login page refuses an empty password")
    heard = place.hear("session-start", source="startup")
    second = place.note("The cache of the login is cleared by the deploy")
    told = place.hear("prompt-submit", prompt="why does the login page fail after the deploy of the cache?")

    prompt, start = logged(place)
    assert (start.door, start.to, start.what, start.project) == (
        "hook",
        "claude-code",
        "session-start",
        "shop",
    )
    assert (start.bytes, start.notes) == (len(heard.encode()), (first,))
    assert (prompt.what, prompt.bytes, prompt.notes) == ("prompt-submit", len(told.encode()), (second,))
    words = "".join(path.read_text() for path in (place.data / FOLDER).iterdir())
    assert "login" not in words
    assert "password" not in words


def test_silence_is_not_logged(place) -> None:
    place.note("Anything")

    place.say("session-end")
    place.say("prompt-submit", prompt="yes")

    assert logged(place) == ()


def test_a_run_that_only_measures_is_not_logged(place) -> None:
    place.note("Anything")

    assert place.hear("session-start", source=MEASURED).startswith("## Memory\n")

    assert logged(place) == ()


def test_a_log_that_cannot_be_written_keeps_no_agent_from_its_text(place) -> None:
    place.note("Anything")
    (place.data / FOLDER).write_text("")

    assert "Anything" in place.hear("session-start")


def test_notes_of_another_server_are_marked(place, monkeypatch) -> None:
    from modicum.hooks.remote import RemoteMemory
    from modicum.memory.brief.lines import Brief, BriefNote

    noted = Brief((), (BriefNote(77, "decision", "Far away"),), "", 1)
    monkeypatch.setattr(RemoteMemory, "recalled", lambda *_: noted)
    place.environment["MODICUM_SERVER"] = "http://127.0.0.1:9"

    place.hear("session-start")

    (line,) = logged(place)
    assert (line.notes, line.is_remote) == ((77,), True)
