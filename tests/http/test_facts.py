"""Facts about context and about a memory that cannot be read, as the reference has them in its own tests."""

import pytest

from modicum.memory.model import Draft, Unusable


@pytest.fixture
def six(client, store, clock):
    store.start_session("s", project="p")
    for number in range(6):
        clock.seconds += 1
        store.save(Draft(f"obs-{number}", f"first line\nLorem ipsum {number}", "decision", "p", "s"))
    return client


def context(client, query: str = "") -> str:
    return client.get(f"/context{query}").json()["context"]


def test_options_at_zero_are_the_text_without_options(six) -> None:
    assert context(six, "?limit=0&compact=0") == context(six) == context(six, "?compact=yes")
    assert "Lorem ipsum" in context(six)


def test_a_compact_context_has_titles_and_no_bodies(six) -> None:
    compact = context(six, "?compact=1")

    assert "Lorem ipsum" not in compact
    assert "- [decision] **obs-5**\n" in compact
    assert len(compact) < len(context(six))


@pytest.mark.parametrize(
    ("query", "number"), [("?limit=2", 2), ("?limit=3&compact=true", 3), ("?limit=-1", 6)]
)
def test_a_limit_caps_the_observations(six, query: str, number: int) -> None:
    assert context(six, query).count("- [decision] **obs-") == number


def test_one_compact_observation_has_no_body(six) -> None:
    assert "**: " not in context(six, "?limit=1&compact=1")


def test_a_personal_context_has_only_what_is_personal(six, store) -> None:
    store.save(Draft("mine", "my own", "preference", "p", "s", scope="personal"))

    told = context(six, "?scope=personal")
    assert "**mine**" in told
    assert "obs-" not in told


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/context", 500),
        ("/search?q=x", 500),
        ("/sessions/recent", 500),
        ("/observations/recent", 500),
        ("/prompts/recent", 500),
        ("/prompts/search?q=x", 500),
        ("/timeline?observation_id=1", 500),
        ("/export", 500),
        ("/conflicts", 500),
        ("/stats", 200),
        ("/observations/1", 404),
        ("/health", 200),
    ],
)
def test_a_memory_that_cannot_be_read_is_told_as_the_reference_does(
    six, store, monkeypatch, path, status
) -> None:
    def broken() -> None:
        raise Unusable("it is damaged", remedy="restore a backup")

    monkeypatch.setattr(store.database, "reading", broken)

    assert six.get(path).status == status
