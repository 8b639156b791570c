"""PostgreSQL: refused when it is not ours to use, shared by many servers, and read by parts."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from modicum.memory.engines import schema
from modicum.memory.engines.postgres import PostgresDatabase, translated
from modicum.memory.engines.postgres_connection import CuttableConnection, _woken
from modicum.memory.engines.postgres_setup import people_role
from modicum.memory.engines.schema import FIRST as LATEST
from modicum.memory.find.meaning import Meaning, nearest, note_vectors
from modicum.memory.find.meaning_index import embed_some
from modicum.memory.model import Forbidden, NoteDraft, Query, SaveOutcome, Unusable
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.memory.tables import vectors


@pytest.fixture
def url(empty_schema):
    return empty_schema("own")


@pytest.fixture
def store(url):
    found = Store(PostgresDatabase(url))
    yield found
    found.close()


def run(url, sql):
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else []


def test_a_plain_user_runs_the_server(url):
    (folder,) = run(url, "SHOW data_directory")[0]

    assert Path(folder).stat().st_uid != 0


def test_parameters_are_those_of_the_driver():
    sql = "SELECT a::text, '%' FROM t WHERE b = :b_1 AND c LIKE :c AND d = ':'"

    assert translated(sql) == b"SELECT a::text, '%%' FROM t WHERE b = %(b_1)s AND c LIKE %(c)s AND d = ':'"


def test_many_servers_may_start_at_once(postgres_url):
    run(postgres_url, "DROP SCHEMA IF EXISTS fresh CASCADE")
    url = f"{postgres_url}&options=-csearch_path%3Dfresh,public"
    with ThreadPoolExecutor(6) as threads:
        databases = list(threads.map(lambda _: PostgresDatabase(url), range(6)))
    for database in databases:
        database.close()

    assert run(url, "SELECT version FROM modicum_version") == [(LATEST,)]


def test_the_password_is_not_told(postgres_url):
    with pytest.raises(Unusable) as caught:
        PostgresDatabase("postgresql://me:hunter2@127.0.0.1:1/team?connect_timeout=2")

    assert str(caught.value).startswith("postgresql://127.0.0.1/team: it cannot be reached")
    assert "hunter2" not in str(caught.value)
    database = PostgresDatabase(postgres_url.replace("postgres@", "postgres:hunter2@"))
    assert "hunter2" not in database.place
    database.close()


def test_a_url_that_is_none_is_told():
    with pytest.raises(Unusable, match=r"not understood.*postgresql://"):
        PostgresDatabase("postgresql://h/d?sslmod=require")


def test_a_server_that_must_speak_tls_and_does_not_is_refused(postgres_url):
    with pytest.raises(Unusable, match="cannot be reached"):
        PostgresDatabase(postgres_url.replace("host=", "sslmode=verify-full&hostaddr=127.0.0.1&host="))


def test_tables_of_another_program_are_left_as_they_are(postgres_url):
    run(postgres_url, "DROP SCHEMA IF EXISTS theirs CASCADE")
    run(postgres_url, "CREATE SCHEMA theirs")
    run(postgres_url, "CREATE TABLE theirs.notes (id INTEGER)")

    with pytest.raises(Unusable, match=r"another program.*another schema"):
        PostgresDatabase(f"{postgres_url}&options=-csearch_path%3Dtheirs,public")


def test_newer_tables_are_left_as_they_are(store, url):
    run(url, f"UPDATE modicum_version SET version = {LATEST + 1}")
    try:
        with pytest.raises(Unusable, match=r"newer modicum.*update modicum"):
            PostgresDatabase(url)
    finally:
        run(url, f"UPDATE modicum_version SET version = {LATEST}")


def test_a_program_that_runs_on_writes_nothing_into_newer_tables(postgres_url, monkeypatch):
    run(postgres_url, "DROP SCHEMA IF EXISTS raised CASCADE")
    url = f"{postgres_url}&options=-csearch_path%3Draised,public"
    store = Store(PostgresDatabase(url))
    store.save(NoteDraft("before", "b"))
    step = ("ALTER TABLE notes RENAME COLUMN author TO writer",)
    with monkeypatch.context() as patch:
        patch.setitem(schema.STEPS, "postgres", step)
        PostgresDatabase(url).close()

    for person in (Person(), Person("mia")):
        with pytest.raises(Unusable, match=r"a newer modicum has changed its tables.*restart this"):
            store.seen_by(person).save(NoteDraft("after", "b"))
    with pytest.raises(Unusable, match=r"newer modicum.*restart"):
        store.recent()
    assert run(url, "SELECT title FROM notes") == [("before",)]
    store.close()


def test_a_newer_schema_waits_for_whoever_is_writing(postgres_url, monkeypatch):
    run(postgres_url, "DROP SCHEMA IF EXISTS waits CASCADE")
    url = f"{postgres_url}&options=-csearch_path%3Dwaits,public"
    store = Store(PostgresDatabase(url))
    monkeypatch.setattr("modicum.memory.engines.postgres_setup.latest", lambda _: LATEST + 1)
    monkeypatch.setattr("modicum.memory.engines.postgres_setup.check_version", lambda *_: None)
    with ThreadPoolExecutor(1) as thread:
        with store.database.writing("project p") as tx:
            raising = thread.submit(PostgresDatabase, url)
            while not run(
                url,
                "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'waits.modicum_version'::regclass",
            ):
                assert not raising.done()
            tx.run("UPDATE counters SET value = 7")
        raising.result().close()

    with pytest.raises(Unusable, match="newer modicum"), store.database.writing("project p"):
        pass
    assert run(url, "SELECT DISTINCT value FROM counters") == [(7,)]
    store.close()


def test_a_user_who_may_not_write_is_told(store, postgres_url):
    run(postgres_url, "DROP ROLE IF EXISTS guest")
    run(postgres_url, "CREATE ROLE guest LOGIN")

    with pytest.raises(Unusable, match=r"may not make the role.*CREATE ROLE.*GRANT"):
        PostgresDatabase(
            f"{postgres_url.replace('postgres@', 'guest@')}&options=-csearch_path%3Dnowhere,public"
        )


@pytest.fixture
def plain_user(postgres_url):
    """The URL of a user who is no superuser, in a schema that is not there yet; what they made is removed."""
    name, schema = "plain", "plain_notes"

    def forget():
        run(postgres_url, f"DROP SCHEMA IF EXISTS {schema} CASCADE")
        for role in (people_role(schema, database), name):
            if run(postgres_url, f"SELECT 1 FROM pg_roles WHERE rolname = '{role}'"):
                run(postgres_url, f'DROP OWNED BY "{role}" CASCADE')
                run(postgres_url, f'DROP ROLE "{role}"')

    ((database,),) = run(postgres_url, "SELECT current_database()")
    forget()
    run(postgres_url, f"CREATE ROLE {name} LOGIN")
    run(postgres_url, f'GRANT CREATE ON DATABASE "{database}" TO {name}')
    yield f"{postgres_url.replace('postgres@', f'{name}@')}&options=-csearch_path%3D{schema},public"
    forget()


def works_for_two(url):
    """Whether a store there keeps what is personal apart."""
    store = Store(PostgresDatabase(url))
    mia, ben = store.seen_by(Person("mia")), store.seen_by(Person("ben"))
    number = mia.save(NoteDraft("walrus", "of the sea", scope="personal")).id
    ben.save(NoteDraft("gull", "of the sea"))
    mia.pin(number)
    found = [{hit.note.title for hit in each.search("sea").items} for each in (mia, ben, store)]
    store.close()
    return found == [{"walrus", "gull"}, {"gull"}, {"walrus", "gull"}]


def test_who_may_not_make_roles_is_told_what_to_ask_for(plain_user, postgres_url):
    with pytest.raises(Unusable, match="may not make the role of people") as caught:
        PostgresDatabase(plain_user)
    assert run(postgres_url, "SELECT 1 FROM pg_namespace WHERE nspname = 'plain_notes'") == []
    for statement in caught.value.remedy.partition(": ")[2].rstrip(";").split(";"):
        run(postgres_url, statement)

    assert works_for_two(plain_user)


def test_who_may_make_roles_needs_no_administrator(plain_user, postgres_url):
    run(postgres_url, "ALTER ROLE plain CREATEROLE")

    assert works_for_two(plain_user)


def test_people_of_one_schema_have_no_rights_in_another(store, empty_schema):
    other = Store(PostgresDatabase(empty_schema("others")))
    other.save(NoteDraft("walrus", "of the sea"))
    try:
        assert store.database.role != other.database.role
        with pytest.raises(Forbidden), store.seen_by(Person("mia")).reading() as tx:
            tx.rows("SELECT title FROM others.notes")
    finally:
        other.close()


def test_the_name_of_the_role_fits():
    long = people_role("s" * 60, "d" * 60)

    assert len(long) <= 63
    assert long != people_role("s" * 60, "e" * 60)
    assert people_role("modicum", "team") == "modicum_team_people"


def test_a_person_without_settings_sees_nothing(store, url):
    store.save(NoteDraft("walrus", "of the sea", project="p"))
    store.add_prompt("why", project="p")
    tables = (
        "notes",
        "passages",
        "sessions",
        "prompts",
        "tallies",
        "progress",
        "revisions",
        "relations",
        "audit",
    )
    with psycopg.connect(url) as connection:
        connection.execute(f'SET ROLE "{store.database.role}"')
        counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone() for table in tables]
        assert connection.execute("SELECT count_passages('walrus', '{}', '', 9, '', '', 9)").fetchone() == (
            0,
        )
        connection.execute(
            "SELECT set_config('modicum.person', '', false), set_config('modicum.projects', '', false)"
        )
        counts += [connection.execute(f"SELECT count(*) FROM {table}").fetchone() for table in tables]

    assert set(counts) == {(0,)}


def test_a_table_that_nobody_thought_of_is_closed_to_people(store, url):
    run(url, "CREATE TABLE thoughtless AS SELECT 'walrus' AS title")
    try:
        with pytest.raises(Forbidden), store.seen_by(Person("mia")).reading() as tx:
            tx.rows("SELECT title FROM thoughtless")
    finally:
        run(url, "DROP TABLE thoughtless")


def test_a_replica_is_told_from_a_primary(url):
    store = Store(PostgresDatabase(url.replace("public", "public%20-cdefault_transaction_read_only%3Don")))
    store.database._pool.resize(1, 1)
    with pytest.raises(Unusable, match=r"only be read.*primary"), store.database.reading() as tx:
        tx.run("UPDATE counters SET value = 0")

    assert store.stats().notes == 0
    store.close()


def test_a_statement_ends_in_time(url):
    database = PostgresDatabase(url.replace("public", "public%20-cstatement_timeout%3D100"))
    with pytest.raises(Unusable, match=r"too long.*statement_timeout"), database.reading() as tx:
        tx.rows("SELECT pg_sleep(5)")
    database.close()


def test_a_connection_that_was_cut_is_replaced(store, url, monkeypatch):
    monkeypatch.setattr("modicum.memory.engines.postgres.FRESH_SECONDS", 0.0)
    store.save(NoteDraft("a", "b"))
    run(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'modicum' AND datname = current_database()",
    )

    assert store.stats().notes == 1
    store.save(NoteDraft("c", "d"))


def test_a_statement_ends_though_its_socket_is_gone(url):
    """The driver waits for the number of a socket that the C library has closed: here that of a quiet one."""

    def driving():
        while not (yield psycopg.waiting.Wait.R):
            continue
        connection.pgconn.consume_input()

    connection = CuttableConnection.connect(url)
    quiet, other = socket.socketpair()
    with quiet, other, ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(
            psycopg.waiting.wait, _woken(connection.pgconn, driving()), quiet.fileno(), interval=0.05
        )
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.3)
        connection.close()
        with pytest.raises(psycopg.OperationalError):
            waiting.result(timeout=10)


def lose_what_is_prepared(database):
    with database.reading() as tx:
        for _ in range(3):
            tx.rows("SELECT 1")
        tx.run("DO 'BEGIN EXECUTE ''DEALLOCATE ALL''; END'")  # the driver does not see it
        tx.rows("SELECT 1")


def test_a_pooler_that_loses_prepared_statements_is_told(store):
    with pytest.raises(Unusable, match=r"mixes up prepared.*max_prepared_statements"):
        lose_what_is_prepared(store.database)


def test_threads_save_the_same_note_once(store):
    with ThreadPoolExecutor(8) as threads:
        saved = list(
            threads.map(lambda _: store.save(NoteDraft("walrus", "of the sea", project="p")), range(24))
        )

    assert len({each.id for each in saved}) == 1
    assert [each.outcome for each in saved].count(SaveOutcome.CREATED) == 1
    assert store.get(saved[0].id).duplicate_count == 24


def test_writers_of_many_projects_and_sessions_are_never_in_each_others_way(store):
    troubles = []

    def work(name):
        try:
            for at in range(8):
                drafts = [
                    NoteDraft(f"{name} {at} {n}", f"walrus {name} {at} {n}", project=f"p{(at + n) % 3}", session_id=f"s{(n - at) % 3}")
                    for n in range(3)
                ]  # fmt: skip
                numbers = [each.id for each in store.save_all(drafts)]
                store.pin(numbers[0])
                store.delete(numbers[1])
                store.search(f"walrus {at}", Query(limit=3))
        except Exception as error:
            troubles.append(error)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert troubles == []
    assert store.stats().notes == 6 * 8 * 2
    assert store.problems() == ()
    places = run(store_url(store), "SELECT session_id, position FROM notes")
    assert len(set(places)) == len(places)


def store_url(store):
    return store.database._pool.conninfo


WRITER = """
import sys
from modicum.memory.model import NoteDraft
from modicum.memory.engines import schema
from modicum.memory.engines.postgres import PostgresDatabase
from modicum.memory.store import Store
store = Store(PostgresDatabase(sys.argv[1]))
for i in range(10_000):
    saved = store.save(NoteDraft(f"{sys.argv[2]} {i}", f"walrus number {i}", project=sys.argv[2]))
    sys.stdout.write(f"{saved.id} {i}\\n")
    sys.stdout.flush()
"""


def test_a_kill_loses_nothing_that_was_acknowledged(store, url):
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, url, f"k{n}"], stdout=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    lines = [process.stdout.readline() for process in processes]
    time.sleep(0.3)
    for process in processes:
        process.kill()
    told = [line + process.communicate(timeout=30)[0] for line, process in zip(lines, processes, strict=True)]

    for name, text in enumerate(told):
        for line in text.splitlines(keepends=True):
            if line.endswith("\n"):
                number, at = line.split()
                assert store.get(int(number)).title == f"k{name} {at}"
    assert store.stats().notes == store.search("walrus").total
    assert store.problems() == ()


def test_no_character_is_too_strange(store):
    strange = "a\0b\ud800c"
    store.start_session(strange, project=strange, directory=strange)
    store.save(NoteDraft(strange, strange, strange, strange, strange, topic_key=strange, author=strange))

    assert store.session(strange).directory == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    assert store.search(strange, Query(project=strange, session=strange)).total == 1


def test_a_giant_of_different_words_is_kept_and_found_by_its_first(store):
    number = store.save(NoteDraft("giant", " ".join(f"word{n}x" for n in range(50_000)))).id
    store.save(NoteDraft("long", "y" * 3_000))

    assert [hit.note.id for hit in store.search("word17x").items] == [number]
    assert store.search("y" * 3_000).total == 1
    assert store.problems() == ()


def test_a_question_about_one_project_reads_one_part(store, url):
    store.save_all([NoteDraft(f"t{i}", f"walrus {i}", project=f"p{i % 5}") for i in range(50)])
    asked = "EXPLAIN SELECT id FROM {} WHERE project = 'p1' AND {}"
    for table, more in (("notes", "deleted_at = ''"), ("passages", "words @@ 'walrus'")):
        plans = (asked.format(table, more), f"EXPLAIN SELECT id FROM {table} WHERE {more}")
        parts = [
            {
                part
                for (line,) in run(url, plan)
                for part in re.findall(rf"{table}_\d\b", line.split("(")[0])[:1]
            }
            for plan in plans
        ]

        assert [len(each) for each in parts] == [1, 8]


def test_nothing_imports_the_driver_without_a_url(tmp_path):
    script = """
import sys
from modicum.cli.main import main
main(["save", "a", "b"])
main(["search", "a"])
assert not [name for name in sys.modules if name.startswith("psycopg")], "imported"
"""
    environment = {**os.environ, "MODICUM_HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, cwd=tmp_path
    )

    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_missing_driver_is_one_sentence(tmp_path):
    script = """
import sys
sys.modules["psycopg"] = None
from modicum.cli.main import main
sys.exit(main(["memory", "stats"]))
"""
    environment = {**os.environ, "MODICUM_HOME": str(tmp_path), "MODICUM_DATABASE_URL": "postgresql://h/d"}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, cwd=tmp_path
    )

    assert ran.returncode == 4
    assert ran.stderr == (
        "modicum: the memory is on PostgreSQL, and its driver is not installed (pip install 'modicum[postgres]')\n"
    )


# Vectors


def test_the_server_compares_vectors_as_we_do(store):
    """Where pgvector is there: the same products, in the same order, as whole numbers."""
    model = sys.modules["fake_model"].FakeModel()
    for text in ("refund", "refund payment garden", "orchid garden", "table", "a refund again"):
        store.save(NoteDraft(text, f"about {text}", project="shop"))
    while embed_some(store.database, model):
        pass
    asked = bytes(
        256 - byte if byte and at % 3 else byte for at, byte in enumerate(model.embed("refund garden"))
    )
    with store.database.reading() as tx:
        product = tx.words.vector_product(tx)
        assert product, "the server of the tests has pgvector"
        numbers = ",".join(str(byte - 256 if byte > 127 else byte) for byte in asked)
        values = {"model": model.name, "asked": f"[{numbers}]", "upto": 10**9, "limit": 50}
        theirs = vectors.compare(tx, product, Query(), values)
        ours = nearest(note_vectors(vectors.scan(tx, model.name, Query())), asked, 10**9)
    assert theirs == ours
    assert len(ours) == 5


def test_without_pgvector_the_same_notes_are_found(store, url):
    model = sys.modules["fake_model"].FakeModel()
    for text in ("refund", "payment", "garden", "table"):
        store.save(NoteDraft(text, f"about {text}", project="shop"))
    while embed_some(store.database, model):
        pass
    store.meaning = Meaning(model)
    before = [(hit.note.id, hit.score) for hit in store.search("shopper charge").items]
    assert len(before) == 2
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE vectors RENAME COLUMN numbers TO put_away")
        try:
            assert [(hit.note.id, hit.score) for hit in store.search("shopper charge").items] == before
            eve = store.seen_by(Person("eve", ("garden",)))
            assert not eve.search("shopper charge").items
        finally:
            connection.execute("ALTER TABLE vectors RENAME COLUMN put_away TO numbers")
