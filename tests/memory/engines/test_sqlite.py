"""The SQLite file: refused when it is not ours to use, and never read from end to end."""

import os
import re
import subprocess
import sys
import threading

import apsw
import pytest

from modicum.memory.engines import schema
from modicum.memory.engines.schema import FIRST as LATEST
from modicum.memory.engines.sqlite import APPLICATION_ID, SqliteDatabase
from modicum.memory.engines.sqlite_packed import add_functions
from modicum.memory.model import Changes, NoteDraft, Query, StoreProblem, Unusable
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.memory.tables import vectors


def opened(path):
    return Store(SqliteDatabase(path))


def test_the_file_and_its_folders_are_made_and_private(tmp_path):
    path = tmp_path / "a" / "b" / "memory.db"
    store = opened(path)
    store.save(NoteDraft("a", "b"))
    store.close()

    assert opened(path).stats().notes == 1
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == 0o600
    connection = apsw.Connection(str(path))
    assert connection.pragma("journal_mode") == "wal"
    assert (connection.pragma("application_id"), connection.pragma("user_version")) == (
        APPLICATION_ID,
        LATEST,
    )


def test_a_newer_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    opened(path).close()
    apsw.Connection(str(path)).pragma("user_version", LATEST + 1)
    before = path.read_bytes()

    with pytest.raises(Unusable, match=r"newer modicum.*update modicum"):
        opened(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_left_as_it_is(tmp_path):
    path = tmp_path / "engram.db"
    apsw.Connection(str(path)).execute("CREATE TABLE notes (id INTEGER)")
    before = path.read_bytes()

    with pytest.raises(Unusable, match=r"another program.*import"):
        opened(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    path.write_text("dear diary, " * 100)

    with pytest.raises(Unusable, match="not a database"):
        opened(path)
    assert path.read_text() == "dear diary, " * 100


def test_a_damaged_database_is_told_and_not_reset(tmp_path):
    path = tmp_path / "memory.db"
    store = opened(path)
    store.save_all([NoteDraft(f"t{i}", "walrus " * 50 + str(i)) for i in range(300)])
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 16384) + whole[-8192:])

    with pytest.raises(Unusable, match=r"damaged.*backup"):
        opened(path).recent(Query(limit=500))
    assert path.stat().st_size == len(whole)


def test_damage_to_the_index_alone_is_found_and_repaired(tmp_path):
    store = opened(tmp_path / "memory.db")
    store.save(NoteDraft("a", "walrus"))
    with store.database.writing() as tx:
        tx.run("UPDATE packed_passages SET texts = packed('a', '', 'seal')")

    damaged = "the full-text index passages_fts is damaged: rebuild it"
    assert store.problems() == (StoreProblem(damaged, index_mends=True),)
    store.rebuild_index()
    assert store.problems() == ()


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path):
    store = opened(tmp_path / "memory.db")
    store.save(NoteDraft("a", "b"))
    connection = store.database._connection()
    connection.pragma("max_page_count", connection.pragma("page_count") + 5)

    with pytest.raises(Unusable, match=r"disk is full.*free some space"):
        store.save(NoteDraft("big", "x y z " * 100_000))
    assert [each.title for each in store.recent().items] == ["a"]
    connection.pragma("max_page_count", 1_000_000)
    store.save(NoteDraft("c", "d"))
    assert store.stats().notes == 2
    assert store.problems() == ()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are another matter there")
def test_a_folder_that_may_not_be_written_is_told(tmp_path):
    script = """
import os, sys
from modicum.memory.model import NoteDraft, Unusable
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store
if os.geteuid() == 0:
    os.seteuid(65534)
for path in sys.argv[1:]:
    try:
        Store(SqliteDatabase(path)).save(NoteDraft("a", "b"))
        sys.stdout.write("written\\n")
    except Unusable as error:
        sys.stdout.write(str(error) + "\\n")
"""
    folder, file = tmp_path / "locked", tmp_path / "open" / "memory.db"
    folder.mkdir()
    opened(file).close()
    file.chmod(0o444)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(0o755)
    file.parent.chmod(0o755)

    paths = [str(folder / "memory.db"), str(folder / "deeper" / "memory.db"), str(file)]
    ran = subprocess.run([sys.executable, "-c", script, *paths], capture_output=True, text=True, timeout=30)

    assert ran.stderr == ""
    told = ran.stdout.splitlines()
    assert len(told) == 3
    assert all("writ" in line and "(" in line for line in told)
    assert "written" not in told


def test_threads_share_a_store(tmp_path):
    store = opened(tmp_path / "memory.db")
    troubles = []

    def work(name):
        try:
            for i in range(20):
                store.save(NoteDraft(f"{name} {i}", f"walrus {name} {i}", session_id=name))
                store.search("walrus", Query(limit=1))
        except Exception as error:
            troubles.append(error)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert troubles == []
    assert store.stats()[:2] == (8, 160)
    assert store.problems() == ()


# Deleted for good


def remains(path, *words):
    """The words that can be read in the file or in its log, in whatever case."""
    bytes_ = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*")).lower()
    return [word for word in words if word.encode() in bytes_]


WORDINGS = ("quixotic", "zanzibar", "xylophone", "vermilion", "jabberwock", "kaleidoscope")


@pytest.mark.parametrize("person", ["", "mia"])
def test_what_is_deleted_for_good_can_be_read_nowhere_in_the_file(tmp_path, person):
    path = tmp_path / "memory.db"
    store = opened(path).seen_by(Person(person))
    store.save_all([NoteDraft(f"kept {n}", f"walrus number {n}", project="p") for n in range(50)])
    first, second, third, fourth, fifth, sixth = WORDINGS
    number = store.save(
        NoteDraft(first, f"{second} " * 3000, project="p", topic_key="t", scope="personal")
    ).id
    store.update(number, Changes(title=third, content=fourth))
    gone = store.save(NoteDraft(fifth, f"the {sixth}", project="p")).id
    store.relate(number, gone, note="vermilion too")
    prompt = store.add_prompt("about the xylophone", project="p").id
    store.delete(gone)
    store.database.erase_traces()
    assert remains(path, *WORDINGS) == [*WORDINGS]

    store.delete_prompt(prompt)
    assert store.delete(number, hard=True)
    assert store.delete(gone, hard=True)

    assert remains(path, *WORDINGS) == []
    assert store.search("walrus").total == 50
    assert store.problems() == ()


@pytest.mark.parametrize("how", ["deleted", "deleted for good", "changed"])
def test_a_vector_can_be_read_nowhere_once_its_words_are_gone(tmp_path, how):
    path = tmp_path / "memory.db"
    store = opened(path)
    number = store.save(NoteDraft("a", "b", project="p")).id
    found = [note] = store.database.ask(vectors.MISSING, {"model": "m", "limit": 9, "most": 9})
    with store.database.writing() as tx:
        assert vectors.put(tx, "m", [(vectors.Unembedded(*note), b"a vector of words" * 20)]) == len(found)
    store.database.erase_traces()
    assert remains(path, "a vector of words")

    if how == "changed":
        store.update(number, Changes(content="c"))
    else:
        store.delete(number, hard=how == "deleted for good")
    store.database.erase_traces()
    assert not remains(path, "a vector of words")


def test_what_a_project_or_a_session_held_can_be_read_nowhere_once_it_cannot_be_undone(tmp_path):
    path = tmp_path / "memory.db"
    store = opened(path)
    store.start_session("s", project="p")
    store.end_session("s", "all about the quixotic")
    store.add_prompt("why zanzibar?", project="q")
    store.delete_session("s")
    assert remains(path, *WORDINGS) == ["zanzibar"]

    store.remove_project("q")
    assert remains(path, *WORDINGS) == ["zanzibar"]
    now = store.clock()
    store.clock = lambda: now + 31 * 86_400
    store.save(NoteDraft("later", "walrus"))
    store.database.erase_traces()
    assert remains(path, *WORDINGS) == []


def test_a_word_that_another_note_has_stays_known(tmp_path):
    store = opened(tmp_path / "memory.db")
    one, _ = (store.save(NoteDraft(f"{n}", f"xylophone {n}", project=f"p{n}")).id for n in range(2))
    store.delete(one, hard=True)

    assert [hit.note.id for hit in store.search("xylopone").items] == [2]
    assert store.database.ask("SELECT project FROM vocabulary WHERE stem LIKE 'xyl%'") == [("p1",)]


def counted(store):
    """The vocabulary, and the same counted anew from the passages."""
    kept = store.database.ask("SELECT stem, project, audience, count FROM vocabulary ORDER BY 1, 2, 3")
    passages = store.database.ask("SELECT title, body, project, audience FROM passages")
    places = [(stem, p, a) for title, body, p, a in passages for stem in {*title.split(), *body.split()}]
    return kept, [(*place, places.count(place)) for place in sorted(set(places))]


def test_how_many_notes_have_a_word_is_counted_when_they_change(tmp_path):
    store = opened(tmp_path / "memory.db")
    numbers = [
        store.save(NoteDraft(f"walrus {n}", "a seal or two", project=f"p{n % 2}")).id for n in range(4)
    ]
    store.update(numbers[0], Changes(content="a narwhal instead", title="walrus"))
    store.update(numbers[1], Changes(scope="personal"))
    store.delete(numbers[2])
    store.delete(numbers[3], hard=True)
    store.restore(numbers[2])
    store.rename_project("p0", "p2")
    kept, anew = counted(store)

    assert kept == anew
    assert store.database.ask("SELECT stem FROM stems ORDER BY 1") == [
        *dict.fromkeys((row[0],) for row in kept)
    ]
    store.rebuild_index()
    assert counted(store) == (kept, anew)
    assert store.problems() == ()


def test_a_part_of_a_word_is_found_while_some_note_has_the_word(tmp_path):
    store = opened(tmp_path / "memory.db")
    number = store.save(NoteDraft("a", "the xqzzyfoobar client")).id
    assert [hit.note.id for hit in store.search("zyfoob").items] == [number]

    store.update(number, Changes(content="the client"))
    assert store.search("zyfoob").items == ()
    assert store.database.ask("SELECT count(*) FROM grams WHERE stem LIKE '%zyfoob%'") == [(0,)]


def test_a_reader_is_not_waited_for_when_traces_are_erased(tmp_path):
    store = opened(tmp_path / "memory.db")
    number = store.save(NoteDraft("a", "b")).id
    reader = apsw.Connection(str(tmp_path / "memory.db"))
    reader.execute("BEGIN; SELECT * FROM notes").fetchall()

    assert store.delete(number, hard=True)
    reader.close()


# Plans


class Watched:
    """A transaction that remembers what was asked of it."""

    def __init__(self, tx, seen):
        self.tx, self.seen = tx, seen

    def rows(self, sql, values=()):
        self.seen.append((sql, values))
        return self.tx.rows(sql, values or {})

    def run(self, sql, values=()):
        self.seen.append((sql, values))
        return self.tx.run(sql, values or {})

    def hold(self, name):
        self.tx.hold(name)

    @property
    def words(self):
        return self.tx.words

    @property
    def unlimited(self):
        return self


@pytest.fixture
def watched(tmp_path, monkeypatch):
    store = opened(tmp_path / "memory.db")
    store.save_all(
        [NoteDraft(f"t{i}", f"walrus {i}", project=f"p{i % 3}", session_id=f"s{i % 7}") for i in range(50)]
    )
    seen = []
    for name in ("reading", "writing"):
        plain = getattr(store.database, name)

        def wrapped(*names, plain=plain, **more):
            from contextlib import contextmanager

            @contextmanager
            def watching():
                with plain(*names, **more) as tx:
                    yield Watched(tx, seen)

            return watching()

        monkeypatch.setattr(store.database, name, wrapped)
    return store, seen


def plans(store, seen):
    with apsw.Connection(store.database.path) as connection:
        add_functions(connection)
        return [
            (detail, sql)
            for sql, values in seen
            for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values or None)
        ]


# A walk along an index that stops at its limit is a SCAN to SQLite, and so is a view that holds the rows to be removed, which were
# sought; tallies and totals are small by design: a row for
# each project, and whom its notes are for; the keys of one note are nine numbers of the statement itself.
FINE = re.compile(
    r"SCAN (\w+ )?USING (COVERING )?INDEX|SCAN (tallies|totals|keys|k\d|passage_totals|asked|v|CONSTANT ROW|\(subquery-\d+\))|SCAN passages$|VIRTUAL TABLE INDEX"
)
QUERIES = [
    Query(**dict.fromkeys(names, "global"))
    for names in (
        (),
        ("project",),
        ("scope",),
        ("type",),
        ("namespace",),
        ("session",),
        ("project", "scope"),
        ("project", "type"),
    )
] + [Query(scope="project")]


def check(store, seen):
    found = plans(store, seen)
    assert found
    bad = [(detail, sql) for detail, sql in found if detail.startswith("SCAN") and not FINE.search(detail)]
    assert bad == []
    sorts = [(detail, sql) for detail, sql in found if "TEMP B-TREE FOR" in detail and "ORDER BY" in detail]
    assert sorts == []


@pytest.mark.parametrize("query", QUERIES)
def test_lists_are_read_along_an_index(watched, query):
    store, seen = watched
    cursor = store.recent(Query(limit=1)).next
    seen.clear()
    store.context(query)
    store.recent(query._replace(limit=5, cursor=cursor))
    narrowed = [detail for detail, sql in plans(store, seen) if "FROM notes" in sql and "pinned =" not in sql]
    check(store, seen)
    seen.clear()
    store.pinned(query)
    pinned = [detail for detail, _ in plans(store, seen)]

    check(store, seen)
    assert all("INDEX pinned " in detail for detail in pinned)
    if (
        any(query[:5]) and query.scope != "project"
    ):  # nearly all notes have that scope: no index leaves out the others
        assert all(detail.startswith("SEARCH") for detail in narrowed)


def test_saving_seeks(watched):
    store, seen = watched
    for topic in ("", "a", "a"):
        store.save(NoteDraft("x", "y", project="p1", topic_key=topic))
    store.save(NoteDraft("x", "y", project="p1"))

    check(store, seen)
    used = " ".join(detail for detail, _ in plans(store, seen))
    assert "of_hash" in used
    assert "of_topic" in used


def test_changing_and_reading_one_seeks(watched):
    store, seen = watched
    store.timeline(20)
    store.update(20, Changes(title="new"))
    store.history(20)
    store.relate(20, 21)
    store.graph(20)
    store.pin(20)
    store.delete(20)
    store.restore(20)
    store.stats()
    store.count(Query(project="p1", scope="project"))
    store.version()

    check(store, seen)


def test_candidates_of_a_search_are_sought(watched):
    store, seen = watched
    store.search("walrus t7 #3", Query(project="p1"))
    store.search("walrus")

    found = [
        detail for detail, _ in plans(store, seen) if detail.startswith("SCAN") and not FINE.search(detail)
    ]
    assert found == []


# Versions


def test_a_file_from_before_the_first_release_is_left_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    opened(path).close()
    apsw.Connection(str(path)).pragma("user_version", schema.FIRST - 1)
    before = path.read_bytes()

    with pytest.raises(Unusable, match=r"before the first release.*export"):
        opened(path)
    assert path.read_bytes() == before


def test_a_step_is_taken_once_and_keeps_what_is_there(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    store = opened(path)
    store.save(NoteDraft("a", "b"))
    store.close()
    steps = (
        "CREATE TABLE later (id INTEGER); INSERT INTO later VALUES (1)",
        "INSERT INTO later SELECT count(*) + 1 FROM notes",
    )
    for number in (1, 2, 2):
        monkeypatch.setitem(schema.STEPS, "sqlite", steps[:number])
        opened(path).close()
    store = opened(path)

    assert store.database.ask("SELECT id FROM later") == [(1,), (2,)]
    assert store.database.ask("PRAGMA user_version") == [(schema.FIRST + 2,)]
    assert [each.title for each in store.recent().items] == ["a"]
    monkeypatch.setitem(schema.STEPS, "sqlite", ())
    with pytest.raises(Unusable, match="newer modicum"):
        opened(path)


def test_a_program_that_runs_on_writes_nothing_into_newer_tables(tmp_path):
    path = tmp_path / "memory.db"
    store = opened(path)
    store.save(NoteDraft("before", "b"))
    other = apsw.Connection(str(path))
    other.pragma("user_version", LATEST + 1)

    for person in (Person(), Person("mia")):
        with pytest.raises(
            Unusable, match=r"memory\.db: a newer modicum has changed its tables.*restart this"
        ):
            store.seen_by(person).save(NoteDraft("after", "b"))
    assert [each.title for each in store.recent().items] == ["before"]
    add_functions(other)
    other.execute("ALTER TABLE notes RENAME COLUMN content TO body")
    with pytest.raises(Unusable, match=r"newer modicum.*restart"):
        store.recent()
    other.pragma("user_version", LATEST)
    with pytest.raises(apsw.SQLError):
        store.recent()


def test_the_wheel_has_the_schema():
    """The files lie in the package, which the wheel takes whole."""
    assert "CREATE TABLE sessions" in schema.tables("sqlite")
    assert "CREATE TABLE sessions" in schema.tables("postgres")


@pytest.mark.parametrize("person", ["", "mia"])
def test_a_statement_with_a_limit_is_compiled_once(tmp_path, person):
    store = opened(tmp_path / "memory.db").seen_by(Person(person))
    store.save(NoteDraft("a", "walrus", project="p"))
    store.context()
    mine = store.database._mine
    connection = next(iter(mine.people.values())).connection if person else mine.connection
    decide, compiled = connection.authorizer or (lambda *_: apsw.SQLITE_OK), []
    connection.authorizer = lambda *asked: compiled.append(asked) or decide(*asked)
    store.context()  # setting an authorizer lets everything be compiled anew
    compiled.clear()

    store.context()

    assert compiled == []
