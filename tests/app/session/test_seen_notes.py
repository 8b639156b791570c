"""Which notes a session was shown is remembered, for a while."""

from pathlib import Path

from modicum.app.session.seen_notes import MOST_SEEN, MOST_SESSIONS, remember_seen, seen_in, shown_in


def test_what_a_session_has_seen_stays_small_and_in_its_folder(tmp_path: Path) -> None:
    data = str(tmp_path)
    remember_seen(data, "../../etc/passwd", (1, 2), anew=True)
    remember_seen(data, "../../etc/passwd", (3,), anew=False)
    remember_seen(data, "long", tuple(range(1, 1000)), anew=True)
    remember_seen(data, "", (1,), anew=True)
    for number in range(2 * MOST_SESSIONS):
        remember_seen(data, f"many-{number}", (number,), anew=True)

    assert len(list((tmp_path / "seen").iterdir())) <= MOST_SESSIONS
    assert list(tmp_path.iterdir()) == [tmp_path / "seen"]
    assert seen_in(data, f"many-{2 * MOST_SESSIONS - 1}") == {2 * MOST_SESSIONS - 1}
    remember_seen(data, "long", tuple(range(1, 1000)), anew=True)
    assert len(seen_in(data, "long")) == MOST_SEEN


def test_it_is_known_which_sessions_were_shown_a_note(tmp_path: Path) -> None:
    data = str(tmp_path)
    assert shown_in(data, 7) == ()

    remember_seen(data, "one", (7, 8), anew=True)
    remember_seen(data, "two", (8,), anew=True)

    assert shown_in(data, 7) == ("one",)
    assert set(shown_in(data, 8)) == {"one", "two"}
