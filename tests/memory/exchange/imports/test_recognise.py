"""Notes of other systems come over once, with their ids, times, topics, relations and history; sources stay untouched."""

import gzip
import hashlib
import importlib.util
import json
import os
import sqlite3
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.app.memory.exchange import bring_in, write_pages
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.exchange.archive import from_document, read_document, to_document, to_lines
from modicum.memory.exchange.imports import markdown
from modicum.memory.exchange.imports.recognise import recognise
from modicum.memory.model import Archive, Changes, Imported, ImportProblem, NoteDraft, Query, Refused
from modicum.memory.store import Store
from modicum.memory.times import stamp

_spec = importlib.util.spec_from_file_location("elsewhere", Path(__file__).parent.parent / "elsewhere.py")
elsewhere = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(elsewhere)


def files_in(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.relative_to(folder).parts[0] not in ("first", "other")  # the stores of the tests
    }


def bring(store, path: Path, *, dry_run: bool = False):
    """Import as the command does; and the source must be as it was."""
    top = path if path.is_dir() else path.parent
    before = files_in(top)
    report = bring_in(store, recognise(path, "shop"), dry_run=dry_run, tell=lambda _: None)
    assert files_in(top) == before
    return report


def bring_twice(store, path: Path):
    """Dry, real, and again: the dry run tells what comes, and the second import changes nothing."""
    dry = bring(store, path, dry_run=True)
    assert store.count(Query()) == 0
    report = bring(store, path)
    present = store.export()._replace(exported_at="")
    again = bring(store, path)

    assert dry.came == report.came
    assert again.came == Imported()
    assert again.there == report.came
    assert store.export()._replace(exported_at="") == present
    return report


# engram


@pytest.fixture
def rows():
    return elsewhere.engram_rows(120)


@pytest.fixture
def database(tmp_path, rows):
    (tmp_path / "source").mkdir()
    schema = elsewhere.ENGRAM + elsewhere.ENGRAM_RELATIONS
    return elsewhere.make(tmp_path / "source" / "any.name", schema, **rows)


def test_engrams_database_comes_with_ids_times_topics_relations_and_deletions(store, database, rows):
    report = bring_twice(store, database)

    assert report.source == "engram's database"
    assert report.came == Imported(1, 120, 24, 30)
    assert report.problems == ()
    for row in rows["observations"]:
        note = store.get(row["id"], deleted=True)
        assert (note.sync_id, note.title, note.content) == (row["sync_id"], row["title"], row["content"])
        assert note.created_at == f"{row['created_at'].replace(' ', 'T')}.000Z"
        assert note.revision_count == row["revision_count"]
        assert bool(note.deleted_at) == bool(row["deleted_at"])
        assert note.topic_key == (row["topic_key"] or "")
    keys = {each.id: each.sync_id for each in store.export().notes}
    assert {(keys[r.from_id], keys[r.to_id], r.note) for r in store.export().relations} == {
        (row["source_id"], row["target_id"], row["reason"]) for row in rows["memory_relations"]
    }
    assert store.problems() == ()


def test_what_goes_back_to_engram_is_what_came(store, database, rows, tmp_path):
    from modicum.compat.engram import go_json, records

    bring(store, database)
    document = json.loads(go_json.encode(records.export(store.export())))
    connection = elsewhere.engram_import(tmp_path / "engram.db", document)
    names = [name for name in rows["observations"][0] if name not in ("normalized_hash", "id")]

    found = connection.execute(f"SELECT {', '.join(names)} FROM observations ORDER BY id").fetchall()
    prompts = connection.execute(
        "SELECT content, session_id, project FROM user_prompts ORDER BY id"
    ).fetchall()
    connection.close()
    assert found == [tuple(row[name] for name in names) for row in rows["observations"]]
    assert prompts == [(row["content"], row["session_id"], row["project"]) for row in rows["user_prompts"]]


def test_an_old_engram_without_sync_ids_and_with_broken_ids_comes_over(store, tmp_path):
    schema = """CREATE TABLE sessions (id TEXT, project TEXT, directory TEXT, started_at TEXT, ended_at TEXT, summary TEXT);
    CREATE TABLE observations (id INT, session_id TEXT, type TEXT, title TEXT, content TEXT, created_at TEXT);
    CREATE TABLE user_prompts (id INTEGER, session_id TEXT, content TEXT, created_at TEXT);"""
    rows = [{"id": number, "session_id": "s", "type": "bugfix", "title": f"t{place}", "content": f"c{place}",
             "created_at": "2026-04-07 10:00:00"} for place, number in enumerate((None, 7, 7))]  # fmt: skip
    report = bring_twice(store, elsewhere.make(tmp_path / "x.db", schema, observations=rows))

    assert report.came == Imported(0, 3, 0)
    assert {each.title for each in store.recent(Query()).items} == {"t0", "t1", "t2"}
    numbers = {each.id for each in store.recent(Query()).items}
    assert len(numbers) == 3
    assert min(numbers) > 0
    assert {hit.note.title for hit in store.search("c0 c1 c2").items} == {"t0", "t1", "t2"}
    assert store.save(NoteDraft("next", "one")).id not in numbers


def test_engrams_history_comes_where_it_has_one(store, tmp_path, rows):
    schema = (
        elsewhere.ENGRAM
        + "CREATE TABLE observation_versions (id INTEGER PRIMARY KEY, observation_id INTEGER, version INTEGER, title TEXT, content TEXT, created_at TEXT);"
    )
    versions = [{"observation_id": 3, "version": n, "title": f"v{n}", "content": f"was {n}", "created_at": "2026-01-01 00:00:00"} for n in (1, 2, 3)]  # fmt: skip
    lost = {
        "observation_id": 999,
        "version": 1,
        "title": "x",
        "content": "x",
        "created_at": "2026-01-01 00:00:00",
    }
    path = elsewhere.make(tmp_path / "x.db", schema, sessions=rows["sessions"], observations=rows["observations"][:3],
                          observation_versions=[*versions, lost])  # fmt: skip
    report = bring_twice(store, path)

    assert [each.content for each in store.history(3)[1:]] == ["was 3", "was 2", "was 1"]
    assert report.problems == (ImportProblem("revision 1 of note 999", "the note is not there"),)


def test_engrams_chunks_come_and_a_damaged_one_is_named(store, tmp_path, rows):
    folder = tmp_path / ".engram"
    plain = [
        {name: value for name, value in row.items() if name != "normalized_hash"}
        for row in rows["observations"]
    ]
    elsewhere.engram_chunk(
        folder, {"sessions": rows["sessions"], "observations": plain[:60], "prompts": None}
    )
    edited = {**plain[0], "title": "newer", "updated_at": "2027-01-01 00:00:00"}
    elsewhere.engram_chunk(
        folder, {"sessions": rows["sessions"], "observations": [edited, *plain[60:]], "prompts": None}
    )
    wrong = folder / "chunks" / "00000000.jsonl.gz"
    wrong.write_bytes(gzip.compress(b'{"observations": []}'))
    (folder / "chunks" / "11111111.jsonl.gz").write_bytes(b"\x1f\x8b nothing")
    cut = gzip.compress(b'{"observations": []}')[:-12]
    (folder / "chunks" / "22222222.jsonl.gz").write_bytes(cut)
    (folder / "manifest.json").write_text('{"version":1,"chunks":[]}')
    report = bring_twice(store, folder)

    assert report.source == "engram's chunks"
    assert report.came.notes == 120
    assert store.get(1).title == "newer"
    assert report.problems == (
        ImportProblem("00000000.jsonl.gz", "its content is not what its name stands for"),
        ImportProblem("11111111.jsonl.gz", "it is damaged"),
        ImportProblem("22222222.jsonl.gz", "it is damaged"),
    )
    assert bring(store, tmp_path).came == Imported()  # the project around it will do, too


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        ('{"version":1,"chunks":[{"id":"0badf00d"}]}', ImportProblem("0badf00d.jsonl.gz", "it is in the list of chunks, and not there")),
        ('{"version":1,"chunks":null}', None),
        ('{"chunks":[1]}', ImportProblem("manifest.json", "it is damaged (chunks[0]: expected a record, got a whole number)")),
        ("{nonsense", ImportProblem("manifest.json", "it is damaged")),
    ],
)  # fmt: skip
def test_a_chunk_that_is_listed_and_missing_is_told_and_the_others_come(
    store, tmp_path, rows, manifest, problem
):
    folder = tmp_path / ".engram"
    note = {name: value for name, value in rows["observations"][0].items() if name != "normalized_hash"}
    elsewhere.engram_chunk(folder, {"sessions": None, "observations": [note], "prompts": None})
    (folder / "manifest.json").write_text(manifest)
    report = bring_twice(store, folder)

    # Its session is in no chunk, and is made all the same.
    assert (report.came.notes, store.session(note["session_id"]).notes) == (1, 1)
    assert report.problems == ((problem,) if problem else ())


def test_a_chunk_that_unpacks_to_too_much_is_not_unpacked(store, tmp_path, monkeypatch):
    monkeypatch.setattr("modicum.memory.exchange.imports.recognise.MOST_UNPACKED", 100_000)
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b" " * 10_000_000))

    assert bring(store, path).problems == (
        ImportProblem("bomb.jsonl.gz", "it unpacks to more than 100,000 bytes"),
    )


def test_odd_rows_are_told_and_the_others_come(store, tmp_path, rows):
    odd = [{**rows["observations"][0], "created_at": "soon"}, {**rows["observations"][1], "content": b"\xffbytes"},
           {**rows["observations"][2], "revision_count": "many"}]  # fmt: skip
    path = elsewhere.make(tmp_path / "x.db", elsewhere.ENGRAM, sessions=rows["sessions"], observations=odd)
    report = bring(store, path)

    assert report.came.notes == 1
    assert store.get(2).content == "\N{REPLACEMENT CHARACTER}bytes"
    assert [problem.where for problem in report.problems] == [
        "notes, item 1 (id 1)",
        "notes, item 3 (id 3)",
    ]
    assert report.problems[0].reason == 'created_at: "soon" is no time'


def test_a_row_that_is_too_large_is_named_and_all_others_come(store, tmp_path, rows, monkeypatch):
    monkeypatch.setattr("modicum.memory.exchange.imports.databases._LONGEST_VALUE", 100_000)
    notes = [dict(row) for row in rows["observations"][:9]]
    notes[1]["content"] = notes[2]["content"] = notes[8]["content"] = "x" * 200_000
    path = elsewhere.make(tmp_path / "x.db", elsewhere.ENGRAM, sessions=rows["sessions"], observations=notes)
    report = bring(store, path)

    assert report.came.notes == 6
    assert reasons(report) == {
        f"observations, row {number}": "it has more than 100,000 bytes" for number in (2, 3, 9)
    }


def test_names_that_hold_a_secret_and_times_that_are_far_ahead_are_put_right(store, tmp_path, clock):
    far, token = "9999-01-01T00:00:00.000Z", "ghp_" + "a1" * 18
    named = {"session_id": f"s {token}", "project": f"p {token}", "namespace": f"n {token}"}
    note = {"id": 1, "sync_id": token, "type": f"k {token}", "title": "t", "content": "c", "topic_key": token, **named,
            "author": f"by {token}", "tool_name": token, "created_at": far, "updated_at": far}  # fmt: skip
    other = {**note, "id": 2, "sync_id": "other"}
    document = {
        "sessions": [{"id": f"s {token}", "directory": f"/{token}", "started_at": far, "ended_at": far}],
        "observations": [note, other],
        "prompts": [{"id": 1, "content": "why?", "created_at": far, **named}],
        "relations": [{"from_id": 1, "to_id": 2, "type": f"like {token}", "created_at": far}],
    }
    (tmp_path / "given.json").write_text(json.dumps(document))
    report = bring_twice(store, tmp_path / "given.json")

    assert report.came == Imported(1, 2, 1, 1)
    kept = [row._asdict() for rows in store.export()[1:] for row in rows]
    assert not [
        value for row in kept for value in row.values() if isinstance(value, str) and "a1a1" in value.lower()
    ]
    tomorrow = stamp(clock.seconds + 86_400)
    assert {value for row in kept for name, value in row.items() if name.endswith("_at")} == {"", tomorrow}


# Databases that cannot be read, or should not be


def test_a_database_that_is_in_use_is_read_with_what_is_in_its_log(store, tmp_path, rows):
    path = elsewhere.make(tmp_path / "x.db", elsewhere.ENGRAM, sessions=rows["sessions"])
    connection = sqlite3.connect(path)
    note = rows["observations"][0]
    connection.execute(
        f"INSERT INTO observations ({', '.join(note)}) VALUES ({', '.join('?' * len(note))})",
        list(note.values()),
    )
    connection.commit()

    assert recognise(path, "").archive.notes[0].title == note["title"]
    connection.close()


def test_a_locked_database_is_one_sentence(tmp_path, rows, monkeypatch):
    monkeypatch.setattr("modicum.memory.exchange.imports.databases._PATIENCE_MS", 10)
    path = elsewhere.make(tmp_path / "x.db", elsewhere.ENGRAM, sessions=rows["sessions"])
    connection = apsw.Connection(str(path))  # two libraries in one process would not see each other's locks
    connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    connection.execute("INSERT INTO sync_chunks (chunk_id) VALUES ('x')")

    with pytest.raises(Refused, match="another program keeps it locked"):
        recognise(path, "")
    connection.close()


def test_a_damaged_database_gives_what_can_be_read(tmp_path, database, rows):
    data = bytearray(database.read_bytes())
    for at in range(len(data) // 2, len(data) - 100, 4096):
        data[at : at + 64] = os.urandom(64)
    path = tmp_path / "hurt.db"
    path.write_bytes(data)
    with suppress(Refused):
        assert recognise(path, "").problems
    path.write_bytes(data[: len(data) // 3])
    with suppress(Refused):
        assert recognise(path, "").problems


def test_a_view_in_the_place_of_a_table_is_not_run(tmp_path):
    path = tmp_path / "x.db"
    connection = sqlite3.connect(path)
    connection.executescript("""
    CREATE TABLE user_prompts (id INTEGER);
    CREATE VIEW observations AS WITH RECURSIVE n (title, content) AS (SELECT 1, 1 UNION ALL SELECT title + 1, 1 FROM n)
      SELECT * FROM n;""")
    connection.close()

    with pytest.raises(Refused, match="not one that is known"):
        recognise(path, "")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1\2",
        b"plain words",
        b"{]",
        b"[1, 2]",
        b'{"a": 1}',
        b"SQLite format 3\0 not really",
        b"[" * 50_000,
    ],
)
def test_what_is_unknown_is_refused_with_what_is_known(tmp_path, data):
    path = tmp_path / "engram.db"
    path.write_bytes(data)

    with pytest.raises(Refused) as refused:
        recognise(path, "")
    assert "\n" not in str(refused.value)
    assert refused.value.remedy


def test_an_empty_folder_is_unknown_and_a_missing_file_too(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(Refused, match="nothing that can be imported"):
            recognise(path, "")


# The others


def test_hoofys_database_comes_with_namespaces_and_relations(store, tmp_path):
    note = {"session_id": "manual-save", "type": "decision", "content": "c", "project": "Shop", "namespace": "agent",
            "created_at": "2026-03-01 10:00:00", "updated_at": "2026-03-01 10:00:00"}  # fmt: skip
    path = elsewhere.make(
        tmp_path / "memory.db", elsewhere.HOOFY,
        sessions=[{"id": "manual-save", "project": "shop", "directory": "", "started_at": "2026-03-01 09:00:00"}],
        observations=[{**note, "title": "one"}, {**note, "title": "two", "topic_key": "k", "deleted_at": "2026-03-02 10:00:00"}],
        user_prompts=[{"id": 1, "session_id": "manual-save", "content": "why?", "created_at": "2026-03-01 10:00:00"}],
        relations=[{"id": 1, "from_id": 1, "to_id": 2, "type": "supersedes", "note": "n", "created_at": "2026-03-01 10:00:00"}],
    )  # fmt: skip
    report = bring_twice(store, path)

    assert (report.source, report.came) == ("Hoofy's database", Imported(1, 2, 1, 1))
    assert (store.get(1).namespace, store.get(1).project) == ("agent", "shop")
    assert store.relations(1)[0].type == "supersedes"


def test_claude_mems_database_comes_with_facts_summaries_and_prompts(store, tmp_path):
    at = {"created_at": "2026-02-01T10:00:00.000Z", "created_at_epoch": 1}
    path = elsewhere.make(
        tmp_path / "claude-mem.db", elsewhere.CLAUDE_MEM,
        sdk_sessions=[{"content_session_id": "outer", "memory_session_id": "inner", "project": "Shop",
                       "started_at": "2026-02-01T09:00:00.000Z", "started_at_epoch": 1}],
        observations=[
            {"memory_session_id": "inner", "project": "Shop", "type": "bugfix", "title": "Nil token", "subtitle": "In auth",
             "narrative": "It crashed.", "facts": '["one", "two"]', "concepts": "[]", "files_read": "not json", **at},
            {"memory_session_id": "inner", "project": "Shop", "type": "discovery", "text": "only a text", "facts": "5", **at},
        ],
        session_summaries=[{"memory_session_id": "inner", "project": "Shop", "request": "Fix login", "learned": "Guard it", **at}],
        user_prompts=[{"content_session_id": "outer", "prompt_number": 1, "prompt_text": "fix it", **at},
                      {"content_session_id": "gone", "prompt_number": 1, "prompt_text": "and this", **at}],
    )  # fmt: skip
    report = bring_twice(store, path)

    assert (report.source, report.came) == ("claude-mem's database", Imported(1, 3, 2))
    assert (
        store.get(1).content
        == "In auth\n\nIt crashed.\n\n**Facts**:\n- one\n- two\n\n**Files read**:\n- not json"
    )
    assert (store.get(2).title, store.get(2).project) == ("only a text", "shop")
    summary = store.recent(Query(type="session_summary")).items[0]
    assert (summary.title, summary.content) == (
        "Fix login",
        "**Request**: Fix login\n\n**Learned**: Guard it",
    )
    assert {prompt.session_id for prompt in store.prompts().items} == {"inner", "gone"}


def test_server_memory_comes_as_notes_with_relations(store, tmp_path):
    lines = [
        {
            "type": "entity",
            "name": "Mia",
            "entityType": "person",
            "observations": ["likes tests", "uses vim"],
        },
        {"type": "entity", "name": "Queue", "entityType": "", "observations": "one"},
        {"type": "relation", "from": "Mia", "to": "Queue", "relationType": "owns"},
        {"type": "relation", "from": "Mia", "to": "Nobody", "relationType": "knows"},
        {"type": "thing"},
    ]
    path = tmp_path / "memory.json"
    path.write_text("\n".join([*map(json.dumps, lines), "{half", ""]))
    report = bring_twice(store, path)

    assert (report.source, report.came) == ("the memory of server-memory", Imported(0, 2, 0, 1))
    mia = store.search("mia").items[0].note
    assert (mia.type, mia.content, mia.project) == ("person", "- likes tests\n- uses vim", "shop")
    assert store.relations(mia.id)[0].type == "owns"
    assert [problem.reason for problem in report.problems] == [
        "it is no JSON object", "it is neither an entity nor a relation", "note 0 is not there"
    ]  # fmt: skip
    path.write_text(json.dumps({"entities": lines[:2], "relations": [lines[2]]}))
    assert bring(store, path).there == Imported(0, 2, 0, 1)
    path.write_text(json.dumps(lines[0]))
    assert bring(store, path).there.notes == 1


COFFEE = """---
title: Coffee Brewing
type: note
tags: [coffee, brewing]
permalink: notes/coffee
created: 2025-03-01
---
# Coffee Brewing

- [method] Pour over #brewing

## Relations
- requires [[Grinding]] (always)
- see also [[Nowhere]]
And [[grinding|the other]] one, [[Coffee Brewing]].
"""


def test_a_folder_of_markdown_comes_with_front_matter_and_links(store, tmp_path):
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "x.md").write_text("hidden")
    (folder / "coffee.md").write_text(COFFEE)
    (folder / "deep" / "Grinding.md").write_bytes(
        b"\xef\xbb\xbf# Grinding\r\n\r\nFine, but not too fine.\r\n"
    )
    (folder / "empty.md").write_text("---\ntitle: x\n---\n\n")
    (folder / "broken.md").write_text("---\ntitle: [\n---\nStill a note.\n")
    (folder / "list.md").write_text("---\n- a\n---\nAlso one.\n")
    (folder / "bytes.md").write_bytes(b"\0\1")
    (folder / "link.md").symlink_to("/etc/hostname")
    report = bring_twice(store, folder)

    assert (report.source, report.came) == ("a folder of Markdown notes", Imported(0, 4, 0, 2))
    coffee = store.search("coffee brewing").items[0].note
    assert (coffee.type, coffee.created_at, coffee.project) == ("note", "2025-03-01T00:00:00.000Z", "shop")
    assert coffee.content.startswith("- [method] Pour over")
    assert coffee.content.endswith("Tags: coffee, brewing")
    edges = {(each.type, each.note) for each in store.relations(coffee.id)}
    assert edges == {("requires", "always"), ("relates_to", "")}
    assert {problem.where: problem.reason for problem in report.problems} == {
        "bytes.md": "it is no text", "empty.md": "it is empty", "link.md": "it is a link, or no file"
    }  # fmt: skip


def test_claude_codes_memory_folder_comes_with_its_types(store, tmp_path):
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [Tests](tests.md): integration tests\n")
    (folder / "tests.md").write_text(
        "---\nname: Testing\ndescription: No mocks\ntype: feedback\n---\nUse a real database.\n"
    )
    (folder / "role.md").write_text(
        "---\nname: Role\ndescription: [odd]\ntype: user\n---\nA data engineer.\n"
    )
    report = bring_twice(store, folder)

    assert (report.source, report.came.notes) == ("Claude Code's memory folder", 3)
    note = next(each for each in store.recent(Query()).items if each.title == "Testing")
    assert (note.title, note.type, note.content) == (
        "Testing",
        "feedback",
        "No mocks\n\nUse a real database.",
    )
    assert store.search("role").items[0].note.scope == "personal"


def test_codexs_memory_folder_comes_by_chapters_and_summaries(store, tmp_path):
    folder = tmp_path / "memories"
    (folder / "rollout_summaries").mkdir(parents=True)
    (folder / "skills" / "x").mkdir(parents=True)
    (folder / "memory_summary.md").write_text("# Summary\n\nShort.\n")
    (folder / "MEMORY.md").write_text("# Task Group: queue\n\nLocks.\n\n# Task Group: auth\n\nTokens.\n")
    (folder / "raw_memories.md").write_text("# Raw\n")
    (folder / "skills" / "x" / "SKILL.md").write_text("# Skill\n")
    (folder / "rollout_summaries" / "one.md").write_text(
        "thread_id: t-1\nupdated_at: 2026-05-01T10:00:00Z\ncwd: /w\n\n# Fixed the lock\n\nWith BEGIN IMMEDIATE.\n"
    )
    (folder / "rollout_summaries" / "two.md").write_text("thread_id: t-2\n")
    report = bring_twice(store, folder)

    assert (report.source, report.came.notes) == ("Codex's memory folder", 5)
    note = store.search("begin immediate").items[0].note
    assert (note.title, note.session_id, note.created_at) == (
        "Fixed the lock",
        "t-1",
        "2026-05-01T10:00:00.000Z",
    )
    assert store.search("task group auth").items[0].note.content == "Tokens."
    assert {problem.where for problem in report.problems} == {"raw_memories.md", "skills/x/SKILL.md"}


def test_a_single_note_and_a_folder_with_a_database_are_recognised(store, tmp_path, rows):
    (tmp_path / "note.md").write_text("# One\n\nText.\n")
    assert bring(store, tmp_path / "note.md").source == "a Markdown note"
    (tmp_path / "data").mkdir()
    elsewhere.make(tmp_path / "data" / "engram.db", elsewhere.ENGRAM, sessions=rows["sessions"])
    assert bring(store, tmp_path / "data").source == "engram's database"


# Our own


FROM_MARKDOWN = "import:a-folder-of-markdown-notes"


def with_origin(archive, origin):
    return archive._replace(notes=tuple(note._replace(origin=origin) for note in archive.notes))


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_our_own_formats_come_back_without_loss(filled, make_store, tmp_path, kind):
    path = tmp_path / "given"
    archive = filled.export()
    lines = to_lines(archive) if kind == "jsonl" else [json.dumps(to_document(archive))]
    path.write_text("".join(f"{line}\n" for line in lines))
    other = make_store("other")
    report = bring_twice(other, path)

    assert report.problems == ()
    assert other.export() == with_origin(archive, "import:modicum-export")
    assert report.source == "modicum's export"


def test_a_database_of_ours_comes_over_whole(filled, store, make_store, tmp_path):
    given = Store(SqliteDatabase(tmp_path / "given" / "memory.db"), clock=store.clock)
    given.take_in(filled.export())
    archive = given.export()
    given.close()
    other = make_store("other")
    report = bring_twice(other, tmp_path / "given")

    assert (report.source, report.problems) == ("modicum's database", ())
    assert other.export() == with_origin(archive, "import:modicum-database")


def test_markdown_is_one_readable_file_a_note_and_comes_back(filled, make_store, tmp_path):
    folder = tmp_path / "pages"
    number = write_pages(load_config(), filled.export(), folder)
    other = make_store("other")
    report = bring_twice(other, folder)

    assert number == report.came.notes == 3
    live = {each.title: each for each in filled.export().notes if not each.deleted_at}
    letters = {title: note.public_id.removeprefix("n-") for title, note in live.items()}
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md")) == [
        f"no-project/solo-{letters['solo']}.md", f"p/t1-{letters['t1']}.md", f"p/t2-{letters['t2']}.md"
    ]  # fmt: skip
    page = (folder / "p" / f"t2-{letters['t2']}.md").read_text()
    assert page.endswith("---\n\n# t2\n\nwalrus 2\n")
    assert f"\nid: n-{letters['t2']}\n" in page
    came = other.export()
    assert {each.title: each._replace(id=0) for each in came.notes} == {
        title: each._replace(id=0, origin=FROM_MARKDOWN) for title, each in live.items()
    }
    assert _between(came) == _between(filled.export())
    with pytest.raises(ModicumError, match="is not empty"):
        write_pages(load_config(), filled.export(), folder)


def _between(archive):
    """The relations, by the names that all copies of a note share."""
    keys = {each.id: each.sync_id for each in archive.notes}
    return [(keys[each.from_id], keys[each.to_id], each.type, each.note) for each in archive.relations]


TEXTS = st.text(min_size=1, max_size=12).map(str.strip).filter(bool)


@settings(max_examples=50, deadline=None)
@given(notes=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=3))
def test_whatever_is_in_a_note_its_page_says_it(notes):
    from modicum.memory.exchange.markdown import note_pages
    from modicum.memory.tables.notes import prepare

    made = [prepare(NoteDraft(title, content, project=project)).note for title, content, project in notes]
    stamped = tuple(
        note._replace(id=number, sync_id=f"obs-{number}", created_at="2026-01-01T00:00:00.000Z",
                      updated_at="2026-01-01T00:00:00.000Z", last_seen_at="2026-01-01T00:00:00.000Z")
        for number, note in enumerate(made, 1)
    )  # fmt: skip
    pages = list(note_pages(Archive(notes=stamped)))
    files = [markdown.MarkdownFile(page.path, page.text, "2026-01-01T00:00:00.000Z") for page in pages]
    document, problems = markdown.notes(files, markdown.MarkdownFolder("x", ""))

    assert problems == []
    assert [note._replace(id=0) for note in read_document(document)[0].notes] == [
        note._replace(id=0) for note in stamped
    ]
    assert len({page.path.lower() for page in pages}) == len(pages)
    assert all(len(page.path.rpartition("/")[2].encode()) < 255 for page in pages)
    assert all(".." not in page.path and "\\" not in page.path for page in pages)


def test_the_strict_reading_and_the_lenient_one_agree(filled):
    document = to_document(filled.export())

    assert read_document(document) == (from_document(document), ())


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_file_is_read_or_refused(data):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.md"
        path.write_bytes(data)
        with suppress(Refused):
            recognise(path, "shop")


def test_a_database_that_cannot_be_opened_where_it_is_is_read_from_a_copy(store, tmp_path, rows, monkeypatch):
    from modicum.memory.exchange.imports import databases

    path = elsewhere.make(tmp_path / "x.db", elsewhere.ENGRAM, sessions=rows["sessions"])
    real = databases._connect

    def connect(name: str, flags: int) -> apsw.Connection:
        if name.startswith("file:"):
            raise apsw.CantOpenError("a folder that may not be written")
        return real(name, flags)

    monkeypatch.setattr(databases, "_connect", connect)

    assert bring(store, path).came.sessions == len(rows["sessions"])


# What others may hand us


NOTE = {"session_id": "s", "type": "decision", "created_at": "2026-01-01"}


def export_of(path: Path, *notes: object, **lists: object) -> Path:
    path.write_text(json.dumps({"observations": list(notes), **lists}))
    return path


def reasons(report) -> dict[str, str]:
    return {problem.where: problem.reason for problem in report.problems}


def test_numbers_that_no_database_can_hold_stop_nothing(store, tmp_path):
    odd = [2**70, 2**63 - 1, float("inf"), float("nan"), "seven", [1]]
    notes = [
        {**NOTE, "id": id_, "sync_id": f"n{at}", "title": str(at), "content": "x"}
        for at, id_ in enumerate(odd)
    ]
    many = {
        **NOTE,
        "id": 8,
        "sync_id": "many",
        "title": "many",
        "content": "x",
        "revision_count": 2**70,
        "pinned": 2**40,
    }
    report = bring_twice(store, export_of(tmp_path / "odd.json", *notes, many))

    assert report.came.notes == 3
    assert set(reasons(report).values()) == {
        "id: expected a whole number, got a number",
        "id: expected a whole number, got text",
        "id: expected a whole number, got a list",
    }
    assert store.save(NoteDraft("next", "one")).id < 2**40  # ids go on from where they were
    kept = next(each for each in store.export().notes if each.sync_id == "many")
    assert (kept.id, kept.pinned, kept.revision_count) == (8, 1, 10**9)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("content", 5, "content: expected text, got a whole number"),
        ("content", ["x"], "content: expected text, got a list"),
        ("created_at", "2026-99-99T99:99:99.999Z", 'created_at: "2026-99-99T99:99:99.999Z" is no time'),
        ("created_at", "yesterday", 'created_at: "yesterday" is no time'),
        ("created_at", "0001-01-01T00:00:00+14:00", 'created_at: "0001-01-01T00:00:00+14:00" is no time'),
        ("namespace", "n" * 601, "namespace: it has more than 600 bytes"),
        ("sync_id", {"a": 1}, "sync_id: expected text, got a record"),
    ],
)
def test_a_field_that_is_odd_is_named_and_the_other_notes_come(store, tmp_path, field, value, reason):
    good = {**NOTE, "id": 1, "sync_id": "good", "title": "good", "content": "x"}
    report = bring(
        store, export_of(tmp_path / "odd.json", {**good, "id": 2, "sync_id": "odd", field: value}, good)
    )

    assert [each.title for each in store.recent().items] == ["good"]
    assert [problem.reason for problem in report.problems] == [reason]


@pytest.mark.parametrize("bare", [{"id": -1}, {"id": 2, "title": " ", "content": "\n"}])
def test_a_note_without_title_and_text_is_told_and_the_others_come(store, tmp_path, bare):
    report = bring(store, export_of(tmp_path / "bare.json", bare, {"id": 1, "content": "x"}))

    assert report.came.notes == 1
    assert [problem.reason for problem in report.problems] == ["it has neither title nor text"]


def test_a_list_that_is_none_is_told_and_the_others_come(store, tmp_path):
    note = {**NOTE, "id": 1, "title": "good", "content": "x"}
    revisions = [
        {"observation_id": 1, "number": 0, "type": "a", "title": "b", "content": "c"},
        {"observation_id": 1},
    ]
    progress = [{"id": 1, "project": "shop", "namespace": "", "content": "{half"}]
    path = export_of(
        tmp_path / "odd.json", note, sessions={}, prompts="x", revisions=revisions, progress=progress
    )
    report = bring(store, path)

    assert report.came == Imported(notes=1)
    assert reasons(report) == {
        "sessions": "this is no list",
        "prompts": "this is no list",
        "revisions, item 1": "number: no revision can have this one",
        "revisions, item 2": "number: it is missing",
        "progress, item 1 (id 1)": "content: it is no JSON",
    }


def test_what_has_no_session_joins_the_one_of_its_project(store, tmp_path):
    note = {"id": 1, "title": "t", "content": "x", "project": "shop", "session_id": "", "type": " "}
    path = export_of(
        tmp_path / "e.json", note, prompts=[{"id": 1, "content": "typed"}], sessions=[{"id": ""}]
    )
    report = bring(store, path)

    assert (store.get(1).session_id, store.get(1).type) == ("manual-save-shop", "manual")
    assert store.prompts().items[0].session_id == "manual-save"
    assert reasons(report) == {"sessions, item 1": "id: it is missing"}


def test_relations_and_progress_come_without_secrets(store, tmp_path):
    secret = "ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
    notes = [{**NOTE, "id": n, "sync_id": f"n{n}", "title": f"t{n}", "content": f"c{n}"} for n in (1, 2)]
    relations = [
        {"id": 1, "from_id": 1, "to_id": 2, "type": "", "note": f"see {secret}"},
        {"id": 2, "from_id": 2, "to_id": 2},
    ]
    progress = [{"id": 1, "project": "shop", "namespace": "", "content": json.dumps({"a": secret})}]
    report = bring(store, export_of(tmp_path / "e.json", *notes, relations=relations, progress=progress))

    assert reasons(report) == {"relations, item 2 (id 2)": "it leads from a note to itself"}
    assert [(each.type, each.note) for each in store.relations(1)] == [("relates_to", "see [REDACTED]")]
    assert secret not in store.progress("shop").content


def test_a_note_that_is_there_twice_with_two_texts_is_told(store, tmp_path):
    one = {**NOTE, "id": 1, "sync_id": "n", "title": "t", "content": "first"}
    report = bring(store, export_of(tmp_path / "e.json", one, one, {**one, "content": "second"}))

    assert store.get(1).content == "first"
    assert reasons(report) == {"note n": "it is there twice, with different texts: only the first has come"}


def test_nothing_hangs_on_a_note_without_a_number(store, tmp_path):
    path = tmp_path / "engram.db"
    schema = (
        "CREATE TABLE observations (sync_id TEXT, title TEXT, content TEXT); CREATE TABLE user_prompts (x);"
    )
    schema += "CREATE TABLE memory_relations (source_id TEXT, target_id TEXT);"
    with sqlite3.connect(path) as made:
        made.executescript(schema)
        made.execute("INSERT INTO observations VALUES ('a', 'one', 'x'), ('b', 'two', 'y')")
        made.execute("INSERT INTO memory_relations VALUES ('a', 'gone')")
    made.close()
    report = bring_twice(store, path)

    assert report.came == Imported(notes=2)
    assert len(report.problems) == 1


def test_what_reads_otherwise_here_is_counted_and_stays(store, tmp_path):
    note = {**NOTE, "id": 1, "sync_id": "n", "title": "t", "content": "as it was"}
    path = export_of(tmp_path / "e.json", note, {**note, "id": 2, "sync_id": "m"})
    bring(store, path)
    assert bring(store, path).differ == 0
    store.update(1, Changes(content="as it is now"))

    assert [bring(store, path, dry_run=dry).differ for dry in (True, False)] == [1, 1]
    assert store.get(1).content == "as it is now"


def test_text_that_windows_has_written_is_read(store, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "wide.md").write_bytes("---\ntitle: Wide\n---\nwörds\n".encode("utf-16"))
    (folder / "marked.md").write_bytes("\ufeff# Marked\r\n\r\nwords\r\n".encode())
    bring(store, folder)
    path = tmp_path / "export.json"
    path.write_bytes(
        json.dumps({"observations": [{**NOTE, "id": 7, "title": "json", "content": "x"}]}).encode("utf-16")
    )
    bring(store, path)

    assert {(each.title, each.content) for each in store.recent().items} == {
        ("Wide", "wörds"), ("Marked", "words"), ("json", "x")
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"observations": [{"id": 1, "tit', "from line 1, column 29 on"),
        ('{\n "observations": [\n  {\n   "id": 1,\n', "from line 5, column 1 on"),
        ('{"observations": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_json_that_is_damaged_says_where(tmp_path, text, message):
    (tmp_path / "half.json").write_text(text)

    with pytest.raises(Refused, match=message):
        recognise(tmp_path / "half.json", "shop")


def test_lines_of_json_that_nobody_knows_are_unknown(tmp_path):
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n{"a": 2}\n')

    with pytest.raises(Refused, match="nothing that can be imported"):
        recognise(tmp_path / "other.jsonl", "shop")


def test_a_file_that_is_too_large_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("modicum.memory.exchange.imports.recognise.MOST_BYTES", 10)
    with pytest.raises(Refused, match="more than 10 bytes"):
        recognise(export_of(tmp_path / "e.json", NOTE), "shop")


def test_front_matter_of_others_may_use_our_words_in_its_own_way(store, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    heads = ("id: my-slug", "pinned: true", "revision_count: many", "created: 2026-99-99", "date: 2026-01-01 10:00 CET",
             "created: yesterday", "- a\n- b", "just words", ": : [")  # fmt: skip
    for number, head in enumerate(heads):
        (folder / f"n{number}.md").write_text(f"---\n{head}\n---\nbody {number}\n")
    report = bring_twice(store, folder)

    assert report.came.notes == len(heads)
    assert report.problems == ()


def test_lists_of_lists_in_front_matter_are_not_spelled_out(store, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("words")
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 7))
    head = f"l0: &l0 [x]\n{levels}\ntags: *l6\ndescription: *l6\nrelations: [{{type: *l6, to: a, note: *l6}}]"
    (folder / "bomb.md").write_text(f"---\n{head}\n---\nbody\n")
    bring(store, folder)

    bomb = store.search("body").items[0].note
    assert bomb.content == "body"
    assert [(each.type, each.note) for each in store.relations(bomb.id)] == [("relates_to", "")]


@pytest.mark.parametrize(
    "text", ["x" + "\n" * 300_000 + "y", "x\n- " + " " * 100_000 + "y", "- a " * 100_000]
)
def test_blanks_without_end_take_no_time_without_end(text):
    document, _ = markdown.notes(
        [markdown.MarkdownFile("a.md", text, "2026-01-01")], markdown.MarkdownFolder("f", "p")
    )

    assert document["relations"] == []


def test_a_file_that_cannot_be_read_is_told_and_the_others_come(store, tmp_path, monkeypatch):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("closed.md", "open.md"):
        (folder / name).write_text("words")
    before = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "closed.md":
            raise PermissionError(13, "Permission denied")
        return before(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    report = bring_in(store, recognise(folder, "shop"), dry_run=False, tell=lambda _: None)

    assert report.came.notes == 1
    assert reasons(report) == {"closed.md": "it cannot be read: Permission denied"}


def test_files_beyond_what_is_read_at_a_time_are_told(store, tmp_path, monkeypatch):
    monkeypatch.setattr("modicum.memory.exchange.imports.recognise.MOST_FILES", 1)
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text("words")

    assert reasons(bring(store, folder)) == {str(folder): "it has 2 files, and 1 are read at a time"}


def test_odd_things_among_the_chunks_of_engram_are_told(store, tmp_path):
    chunks = tmp_path / "chunks"
    (chunks / "folder.jsonl.gz").mkdir(parents=True)
    note = {**NOTE, "id": 1, "sync_id": "n", "title": "t", "content": "x"}
    data = json.dumps(
        {"observations": [note, {**note, "sync_id": ["n"]}, 5, {**note, "sync_id": 0}]}
    ).encode()
    (chunks / "a.jsonl.gz").write_bytes(gzip.compress(data))
    report = bring(store, tmp_path)

    assert report.came.notes == 1
    assert reasons(report)["folder.jsonl.gz"] == "it cannot be read: Is a directory"
    assert len(report.problems) == 4


def test_text_in_a_database_that_is_none_comes_as_well_as_it_can(store, database):
    with sqlite3.connect(database) as made:
        made.execute("UPDATE observations SET title = CAST(x'ff61' AS TEXT) WHERE id = 3")
    made.close()
    report = bring(store, database)

    assert report.came.notes == 120
    assert store.get(3, deleted=True).title == "\N{REPLACEMENT CHARACTER}a"


def test_a_folder_gives_the_database_that_is_known(store, tmp_path, rows):
    folder = tmp_path / "mixed"
    (folder / "folder.db").mkdir(parents=True)
    with sqlite3.connect(folder / "a.db") as made:
        made.execute("CREATE TABLE other (x)")
    made.close()
    with pytest.raises(Refused, match="not one that is known"):
        recognise(folder, "shop")
    (folder / "note.md").write_text("words")
    assert recognise(folder, "shop").source == "a folder of Markdown notes"
    for name in ("engram.db", "other.db"):
        elsewhere.make(
            folder / name, elsewhere.ENGRAM, sessions=rows["sessions"], observations=rows["observations"]
        )
    report = bring(store, folder)

    assert report.source == "engram's database"
    assert reasons(report)["other.db"] == "one database is read of a folder: import it by itself"


def test_an_entity_that_is_told_of_twice_is_one_note(store, tmp_path):
    path = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "A", "entityType": "x"}
    lines = [
        {**entity, "observations": ["one", "two"]},
        {**entity, "observations": ["two", "three"]},
        {**entity, "name": "B", "observations": None},
        {"type": "relation", "from": "A", "to": "B", "relationType": "uses"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    report = bring_twice(store, path)

    assert report.came == Imported(notes=2, relations=1)
    assert store.search("three").items[0].note.content == "- one\n- two\n- three"


def test_a_project_with_a_name_that_windows_keeps_for_itself_gets_another_folder(store, make_store, tmp_path):
    for project in ("CON", "lpt1", "console"):
        store.save(NoteDraft("t", f"in {project}", project=project))
    write_pages(load_config(), store.export(), tmp_path / "pages")
    other = make_store("other")
    bring(other, tmp_path / "pages")

    assert {path.name for path in (tmp_path / "pages").iterdir()} == {"con-notes", "lpt1-notes", "console"}
    assert {each.project for each in other.recent().items} == {"con", "lpt1", "console"}


def test_regions_of_modicum_are_no_notes_but_what_stands_around_them_is() -> None:
    region = "<!-- modicum:start:modicum -->\nPacks.\n<!-- modicum:end:modicum -->\n"
    texts = {
        "own.md": f"# Rules\n\nKeep calm.\n\n{region}",
        "ours.md": region,
        "half.md": "Text.\n\n<!-- modicum:start:modicum -->\nMore.\n",
        "export.md": f"---\nsync_id: obs-1\n---\n\n# Region\n\n{region}\n",
    }
    files = [markdown.MarkdownFile(path, text, "2026-01-02T03:04:05Z") for path, text in texts.items()]

    document, problems = markdown.notes(files, markdown.MarkdownFolder("docs", "shop"))

    assert [note["content"] for note in document["notes"]] == [
        "Keep calm.",
        "Text.\n\n<!-- modicum:start:modicum -->\nMore.",
        region,
    ]
    assert problems == [ImportProblem("ours.md", "modicum has written all of it")]
