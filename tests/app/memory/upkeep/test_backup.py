"""Backups of memory: consistent while others write, complete or not there, and the way back."""

import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from modicum.app.memory.notes import open_store
from modicum.app.memory.upkeep import backup
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store

# Writes without a pause until it is stopped, and tells each id once it is kept.
WRITER = """
import sys
from modicum.memory.model import NoteDraft
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store
store, name, count = Store(SqliteDatabase(sys.argv[1])), sys.argv[2], 0
while True:
    count += 1
    saved = store.save(NoteDraft(f"{name} {count}", f"walrus of {name} number {count} " * 20, project="p"))
    sys.stdout.write(f"{saved.id}\\n")
    sys.stdout.flush()
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "project").mkdir()
    return load_config({"HOME": str(tmp_path), "MODICUM_HOME": str(tmp_path / "data")}, tmp_path / "project")


@pytest.fixture
def place(config: Config) -> Path:
    return config.data / "memory.db"


def save(config: Config, *titles: str) -> list[int]:
    with closing(open_store(config)) as store:
        return [store.save(NoteDraft(title, f"about {title}", project="p")).id for title in titles]


def titles_in(path: Path) -> set[str]:
    with closing(Store(SqliteDatabase(path))) as store:
        return {note.title for note in store.export().notes}


def ids_in(path: Path) -> set[int]:
    with closing(Store(SqliteDatabase(path))) as store:
        assert store.problems() == ()
        return {note.id for note in store.export().notes}


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_backup_is_one_file_for_its_owner_alone(config: Config, tmp_path: Path) -> None:
    save(config, "queue", "lock")
    folder = tmp_path / "copies"
    folder.mkdir()
    done = backup.back_up(config, folder / "a.db")

    assert (done.notes, done.bytes) == (2, (folder / "a.db").stat().st_size)
    assert files_of(folder) == ["a.db"]
    assert (folder / "a.db").stat().st_mode & 0o777 == 0o600
    assert (
        apsw.Connection(str(folder / "a.db"), flags=apsw.SQLITE_OPEN_READONLY).pragma("journal_mode")
        == "delete"
    )
    assert titles_in(folder / "a.db") == {"queue", "lock"}


def test_a_backup_under_load_holds_all_that_was_kept_before_it_began(
    config: Config, place: Path, tmp_path: Path
) -> None:
    save(config, *(f"old {number}" for number in range(300)))
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(place), name], stdout=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    heard: list[list[tuple[float, int]]] = [[], []]
    readers = [threading.Thread(target=_listen, args=pair) for pair in zip(writers, heard, strict=True)]
    for reader in readers:
        reader.start()
    try:
        copies = []
        for number in range(3):
            _wait_for_news(heard)
            before = {id_ for told in heard for _, id_ in [*told]}
            began = time.monotonic()
            backup.back_up(config, tmp_path / f"{number}.db")
            copies.append((before, began, time.monotonic()))
    finally:
        for writer in writers:
            writer.kill()
        for reader, writer in zip(readers, writers, strict=True):
            reader.join()
            writer.communicate()

    for number, (before, _, ended) in enumerate(copies):
        kept = ids_in(tmp_path / f"{number}.db")
        late = {id_ for told in heard for at, id_ in told if at > ended + 1}
        assert before <= kept, "what was acknowledged before the start"
        assert not late & kept
        # Ids are given in the order of writing: a copy of one moment has no gap.
        assert kept == set(range(1, max(kept) + 1))
    assert ids_in(place) >= {id_ for told in heard for _, id_ in told}


def _listen(process: "subprocess.Popen[str]", heard: list[tuple[float, int]]) -> None:
    assert process.stdout is not None
    heard.extend((time.monotonic(), int(line)) for line in process.stdout if line.endswith("\n"))


def _wait_for_news(heard: list[list[tuple[float, int]]]) -> None:
    counts, deadline = [len(each) for each in heard], time.monotonic() + 60
    while any(len(each) < count + 3 for each, count in zip(heard, counts, strict=True)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_write_between_two_steps_neither_waits_nor_is_in_the_copy(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(config, *(f"old {number}" for number in range(20)))
    monkeypatch.setattr("modicum.memory.engines.sqlite_backup.PAGES", 5)
    steps: list[int] = []

    def tell(_: int) -> None:
        steps.append(len(save(config, f"meanwhile {len(steps)}")))

    backup.back_up(config, tmp_path / "a.db", tell=tell)

    assert len(steps) > 10
    assert titles_in(tmp_path / "a.db") == {f"old {number}" for number in range(20)}


def test_the_progress_adds_up_to_what_was_said_at_the_start(config: Config, tmp_path: Path) -> None:
    save(config, "queue")
    totals: list[int] = []
    told: list[int] = []
    backup.back_up(config, tmp_path / "a.db", begin=totals.append, tell=told.append)

    assert totals == [sum(told)]


def test_a_file_that_is_there_is_replaced_only_by_force(config: Config, tmp_path: Path) -> None:
    save(config, "queue")
    file = tmp_path / "a.db"
    file.write_text("precious")
    with pytest.raises(ModicumError, match="there is such a file") as error:
        backup.back_up(config, file)
    assert (file.read_text(), "--force" in str(error.value.remedy)) == ("precious", True)

    backup.back_up(config, file, force=True)
    assert titles_in(file) == {"queue"}


def test_a_file_that_somebody_makes_meanwhile_is_left(config: Config, tmp_path: Path) -> None:
    save(config, "queue")
    file = tmp_path / "a.db"
    with pytest.raises(ModicumError, match="there is such a file"):
        backup.back_up(config, file, tell=lambda _: file.write_text("another's") and None)

    assert file.read_text() == "another's"
    assert files_of(tmp_path) == ["a.db", "data", "project"]


def test_what_goes_wrong_half_way_leaves_nothing(config: Config, tmp_path: Path) -> None:
    save(config, "queue")

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup.back_up(config, tmp_path / "a.db", tell=stop)

    assert files_of(tmp_path) == ["data", "project"]


def test_a_damaged_memory_gives_no_backup(config: Config, place: Path, tmp_path: Path) -> None:
    save(config, *(f"note {number}" for number in range(50)))
    _damage(place)
    with pytest.raises(ModicumError, match="damaged"):
        backup.back_up(config, tmp_path / "a.db")

    assert files_of(tmp_path) == ["data", "project"]


def test_damage_in_one_page_is_told_in_one_line_of_plain_words(
    config: Config, place: Path, tmp_path: Path
) -> None:
    save(config, *(f"note {number}" for number in range(50)))
    with closing(apsw.Connection(str(place))) as connection:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = 'audit_of_person'"
        ((page,),) = connection.execute(sql).fetchall()
    data = bytearray(place.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    place.write_bytes(data)
    with pytest.raises(ModicumError) as error:
        backup.back_up(config, tmp_path / "a.db")

    assert str(error.value) == (
        "the copy would be damaged, and none was written: its parts do not fit together "
        "(modicum doctor says more about memory as it is)"
    )
    with closing(SqliteDatabase(place)) as database:
        assert not any("\n" in each.sentence for each in database.problems())


def _damage(path: Path) -> None:
    """Overwrites pages in the middle, as a bad disk does; the first ones still open."""
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xa5" * (len(data) - 8192))


@pytest.mark.parametrize("name", ["data/memory.db", "data/memory.db-wal", "project", "no/such/folder.db"])
def test_a_place_that_cannot_be_is_refused(config: Config, tmp_path: Path, name: str) -> None:
    with closing(open_store(config)) as store:
        store.save(NoteDraft("queue", "moved"))
        with pytest.raises(ModicumError) as error:
            backup.back_up(config, tmp_path / name, force=True)

    assert error.value.remedy


def test_a_restore_brings_back_the_copy_and_keeps_what_was_there(
    config: Config, place: Path, tmp_path: Path
) -> None:
    save(config, "first")
    backup.back_up(config, tmp_path / "a.db")
    save(config, "second")
    done = backup.restore(config, tmp_path / "a.db")
    save(config, "third")
    again = backup.restore(config, done.former or Path())

    assert done == (1, Path(f"{place}.before-restore"))
    assert titles_in(Path(f"{place}.before-restore")) == {"first", "second"}
    assert again == (2, Path(f"{place}.before-restore-2"))
    assert titles_in(place) == {"first", "second"}
    assert titles_in(Path(f"{place}.before-restore-2")) == {"first", "third"}


def test_those_who_have_memory_open_go_on_with_what_is_restored(config: Config, tmp_path: Path) -> None:
    save(config, "first")
    backup.back_up(config, tmp_path / "a.db")
    with closing(open_store(config)) as running:
        running.save(NoteDraft("second", "about walruses", project="p"))
        version = running.version()
        assert running.search("walruses").total == 1
        backup.restore(config, tmp_path / "a.db")

        assert running.version() > version, "else servers would show answers that they have kept"
        assert running.search("walruses").total == 0
        running.save(NoteDraft("third", "about otters", project="p"))
        assert [hit.note.title for hit in running.search("otters", Query(limit=3)).items] == ["third"]
        assert running.problems() == ()


def test_nothing_that_is_kept_during_a_restore_is_lost(config: Config, place: Path, tmp_path: Path) -> None:
    save(config, "first")
    backup.back_up(config, tmp_path / "a.db")
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), "w"], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    told = [int(writer.stdout.readline()) for _ in range(5)]
    done = backup.restore(config, tmp_path / "a.db")
    told += [int(writer.stdout.readline()) for _ in range(5)]
    writer.kill()
    told += [int(line) for line in writer.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
    assert done.former is not None
    former, now = titles_in(done.former), titles_in(place)

    # Each was kept either before the restore or after it; the numbers begin anew in between.
    assert {f"w {number}" for number in range(1, len(told) + 1)} <= former | now
    assert former & now == {"first"}


@pytest.mark.parametrize("is_there", [True, False])
def test_memory_that_is_damaged_or_gone_is_restored(
    config: Config, place: Path, tmp_path: Path, is_there: bool
) -> None:
    save(config, "first")
    backup.back_up(config, tmp_path / "a.db")
    place.write_bytes(b"no database " * 900) if is_there else place.unlink()
    done = backup.restore(config, tmp_path / "a.db")

    assert done == (1, Path(f"{place}.before-restore") if is_there else None)
    assert titles_in(place) == {"first"}
    with closing(open_store(config)) as store:
        assert store.database.ask("PRAGMA journal_mode") == [("wal",)]
        assert store.problems() == ()


def test_damaged_memory_that_a_program_has_open_is_left(
    config: Config, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(config, "first")
    backup.back_up(config, tmp_path / "a.db")
    monkeypatch.setattr("modicum.memory.engines.sqlite_backup.is_damaged", lambda _: True)
    with closing(open_store(config)) as running:
        assert running.stats().notes == 1
        with pytest.raises(ModicumError, match="another program keeps it locked"):
            backup.restore(config, tmp_path / "a.db")

    assert files_of(place.parent) == ["memory.db"]


def test_a_file_with_pages_of_another_size_is_restored(config: Config, place: Path, tmp_path: Path) -> None:
    save(config, "first")
    backup.back_up(config, tmp_path / "a.db")
    with closing(apsw.Connection(str(tmp_path / "a.db"))) as connection:
        connection.execute("PRAGMA page_size = 8192; VACUUM").fetchall()
    save(config, "second")
    backup.restore(config, tmp_path / "a.db")

    assert titles_in(place) == {"first"}


def _newer(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA user_version = 99")


def _older(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA user_version = 1")


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE songs (title)")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_damage, "damaged"),
        (_newer, "newer modicum"),
        (_older, "before the first release"),
        (_foreign, "another program"),
        (lambda path: path.write_bytes(b""), "it is empty"),
        (lambda path: path.write_text("notes: none\r\n" * 90), "not a database"),
        (lambda path: path.write_bytes(path.read_bytes()[:9000]), "damaged"),
        (Path.unlink, "no such file"),
        (lambda path: (path.unlink(), path.mkdir()), "no such file"),
    ],
)
def test_a_file_that_is_no_backup_changes_nothing(
    config: Config, place: Path, tmp_path: Path, change, sentence
) -> None:
    save(config, *(f"note {number}" for number in range(50)))
    file = tmp_path / "备份 a.db"
    backup.back_up(config, file)
    change(file)
    with pytest.raises(ModicumError, match=sentence) as error:
        backup.restore(config, file)

    assert str(file) in error.value.message
    assert error.value.remedy
    assert files_of(place.parent) == ["memory.db"]
    assert len(titles_in(place)) == 50


def test_memory_itself_is_no_backup(config: Config, place: Path) -> None:
    save(config, "first")
    with pytest.raises(ModicumError, match="memory itself"):
        backup.restore(config, place)


def test_a_file_system_without_links_will_do(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    save(config, "first")
    monkeypatch.setattr("modicum.app.memory.upkeep.backup.os.link", no_links)
    backup.back_up(config, tmp_path / "a.db")

    assert titles_in(tmp_path / "a.db") == {"first"}


def test_a_team_is_copied_as_it_was_at_one_moment(tmp_path: Path, empty_schema) -> None:
    (tmp_path / "project").mkdir()
    environment = {
        "HOME": str(tmp_path),
        "MODICUM_DATABASE_URL": empty_schema("backup"),
        "MODICUM_PERSON": "mia",
    }
    config = load_config(environment, tmp_path / "project")
    save(config, "first", "second")
    steps: list[int] = []

    def tell(_: int) -> None:
        steps.append(len(save(config, f"meanwhile {len(steps)}")))

    done = backup.back_up(config, tmp_path / "a.db", tell=tell)

    assert (done.notes, len(steps) > 3) == (2, True)
    assert titles_in(tmp_path / "a.db") == {"first", "second"}
    with pytest.raises(ModicumError, match="PostgreSQL") as error:
        backup.restore(config, tmp_path / "a.db")
    assert "team migrate" in str(error.value.remedy)
