"""Hooks and people: a team's store instead of the file, and nobody is told what is personal to somebody else."""

import os
import re
import subprocess
import sys

import pytest
from tests.whose import enter_folder

from modicum.app.session.events import Memory, memory_of
from modicum.app.session.hook_log import read_failures
from modicum.memory.model import NoteDraft
from modicum.memory.people.access import Person
from modicum.memory.store import Store

PERSONAL = "walrus of mia"


def open_team(memory: Memory, who: str) -> Store:
    from modicum.app.memory.notes import open_database

    return Store(open_database(memory.place), who=Person(who))


@pytest.fixture(params=["sqlite", "sqlite by choice", "postgres", "postgres by choice"])
def team(request, place):
    """A place whose memory is one of several people's; with a note of mia's that is hers alone, and one of all."""
    kind, _, chosen = request.param.partition(" ")
    where = str(place.data / "team.db")
    if kind == "postgres":
        where = request.getfixturevalue("empty_schema")("hooks")
    place.data.mkdir()
    if chosen:
        (place.data / "config.yaml").write_text(f'database: "{where}"\nperson: ben\n')
    else:
        place.environment |= {"MODICUM_DATABASE_URL": where, "MODICUM_PERSON": "ben"}
    mia = open_team(Memory(where), "mia")
    enter_folder(mia, place.project)
    mia.save(NoteDraft(PERSONAL, "the walrus eats fish at noon", "decision", "shop", scope="personal"))
    mia.save(NoteDraft("gull of all", "the gull eats fish at noon", "decision", "shop"))
    mia.pin(1)
    mia.close()
    return place


def test_a_session_is_told_what_its_person_may_see(team) -> None:
    for who, sees in (("ben", False), ("mia", True)):
        team.environment["MODICUM_PERSON"] = who
        heard = team.hear("session-start", session_id=who)

        assert (PERSONAL in heard) == sees
        assert re.search(r"- n-[0-9a-z]{6} [0-9-]{10} \[decision\] “gull of all", heard)
        assert ("2 notes in all" if sees else "1 note in all") in heard
    assert not (team.data / "memory.db").exists()


def test_a_prompt_is_its_persons_own_and_calls_for_what_they_may_see(team) -> None:
    heard = team.hear("prompt-submit", prompt="which of them eats fish at noon?")
    team.say(
        "subagent-stop", last_assistant_message="## Key Learnings:\n\n1. Fish is eaten by both of them\n"
    )
    team.say("session-end")

    assert "gull of all" in heard
    assert PERSONAL not in heard
    for who, prompts in (("ben", 1), ("mia", 0)):
        store = open_team(memory_of(team.environment), who)
        assert len(store.prompts().items) == prompts
        assert store.session("s1").ended_at
        assert [note.owner for note in store.recent().items if note.type == "passive"] == ["ben"]
        store.close()


def test_a_summary_that_is_personal_does_not_become_that_of_the_session(team) -> None:
    team.say("prompt-submit", prompt="which of them eats fish at noon?")
    ben = open_team(memory_of(team.environment), "ben")
    ben.save(NoteDraft("Session summary", "Public words.", "session_summary", "shop"))
    ben.save(NoteDraft("Session summary", "Private words.", "session_summary", "shop", scope="personal"))
    team.say("session-end")

    assert ben.session("s1").summary == "Public words."
    ben.close()


def test_a_database_that_is_not_there_is_silent_and_in_the_log(place) -> None:
    environment = {**os.environ, **place.environment}
    environment["MODICUM_DATABASE_URL"] = "postgresql://nobody@127.0.0.1:1/none"
    command = [sys.executable, "-m", "modicum.cli.main", "hook", "session-start"]

    done = subprocess.run(command, input=b"{}", env=environment, capture_output=True, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert re.search("cannot be reached|no answer within", read_failures(str(place.data))[0])


def test_where_memory_is_and_whose(tmp_path) -> None:
    home = {"MODICUM_HOME": str(tmp_path), "USER": "lena"}
    config = tmp_path / "config.yaml"

    assert memory_of(home) == Memory(f"{tmp_path}/memory.db")
    assert memory_of({**home, "MODICUM_DATABASE_URL": "sqlite:///srv/a.db"}) == Memory("/srv/a.db")
    assert memory_of({**home, "MODICUM_DATABASE_URL": " postgres://h/d "}) == Memory("postgres://h/d", "lena")
    config.write_text("database: postgresql://h/d\nperson: mia\n")
    assert memory_of(home) == Memory("postgresql://h/d", "mia")
    assert memory_of({**home, "MODICUM_PERSON": "ben"}) == Memory("postgresql://h/d", "ben")
