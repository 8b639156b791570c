"""Somebody who may see nothing of it: whatever they ask, and however, nothing of what others have comes out."""

import inspect
import re
from contextlib import closing, suppress

import pytest

from modicum.base.errors import ModicumError
from modicum.memory.brief.lines import Brief
from modicum.memory.engines.database import Frequencies, Match, PassageTotals, SearchBounds
from modicum.memory.model import Changes, NoteDraft, Query
from modicum.memory.people.access import Person
from modicum.memory.projects.keys import FolderKeys
from modicum.memory.reader import Reader
from modicum.memory.store import Store
from modicum.memory.tables import relations
from modicum.search.terms import stems

SECRET = "zanzibar"
QUESTIONS = (
    SECRET,
    "zanzi",
    "zanzibra",
    f'"{SECRET} treasure"',
    "nzib",
    "#1",
    "secret/topic",
    f"{SECRET} since 2020",
    "",
)
STRANGERS = {
    "of another name": Person("eve"),
    "of another project": Person("eve", ("garden",)),
    "of another scope": Person("mia", scopes=("global",)),
}


@pytest.fixture(params=STRANGERS.values(), ids=STRANGERS)
def stranger(request, store):
    """A store as somebody sees it who shares nothing with mia, who has filled every table."""
    return seen_by_a_stranger(store, request.param)


@pytest.fixture(scope="module", params=STRANGERS.values(), ids=STRANGERS)
def reader(request, make_database, tmp_path_factory):
    """The same, for tests that only read."""
    name = f"{request.param.name}{len(request.param.projects)}"
    folder = tmp_path_factory.mktemp("read") / f"read_by_{name}"
    with closing(Store(make_database(folder), clock=lambda: 1_800_000_000.0)) as store:
        yield seen_by_a_stranger(store, request.param)


def seen_by_a_stranger(store: Store, who: Person) -> Store:
    plant(store)
    fill(
        store.seen_by(Person("mia")),
        "attic" if who.projects else "shop",
        "personal" if who.name == "eve" else "project",
    )
    return store.seen_by(who)


def plant(store: Store) -> None:
    """The one note that every stranger may see."""
    own = store.seen_by(Person("eve", ("garden",)))
    own.save(NoteDraft("my own", "an orchid in the garden", project="garden", scope="global"))


def fill(mia: Store, project: str, scope: str) -> None:
    place = {"project": project, "scope": scope, "session_id": "s"}
    if project == "attic":  # otherwise the session and the progress of a project are everybody's who sees it
        mia.start_session("s", project=project, directory=f"/{SECRET}")
        mia.put_progress(project, f'"{SECRET}"')
        mia.end_session("s", SECRET)
    one, two = (
        mia.save(
            NoteDraft(
                f"{SECRET} {n}", f"{SECRET} treasure number {n}", topic_key=f"secret/topic{n or ''}", **place
            )
        ).id
        for n in range(2)
    )
    mia.update(one, Changes(content=f"{SECRET} treasure, another wording"))
    mia.relate(one, two, note=SECRET)
    mia.relate(two, one, "contradicts", note=SECRET)
    mia.pin(one)
    gone = mia.save(NoteDraft(f"{SECRET} gone", f"{SECRET} was deleted", **place)).id
    mia.delete(gone)
    mia.save_waiting(NoteDraft(f"{SECRET} waits", f"{SECRET} in the inbox", **place), SECRET)
    mia.save(NoteDraft(f"{SECRET} again", f"{SECRET} treasure number 1", topic_key="secret/again", **place))
    if project == "attic" or scope == "personal":
        mia.add_prompt(f"where is the {SECRET}", session_id="s", project=project)


# How each public method is asked; a method that is not here fails the test that lists them.
ALL = Query(limit=500)
NUMBERS = range(2, 7)  # of mia's notes
READS = {
    "find_project": lambda s: s.find_project(FolderKeys("", origin="github.com/mia/attic"), str).found,
    "projects_meant": lambda s: s.projects_meant(
        s.find_project(FolderKeys("attic"), str)._replace(keys=FolderKeys("attic"))
    ),
    "projects_named": lambda s: s.projects_named("attic"),
    "project_origins": lambda s: s.project_origins("attic"),
    "shown_projects": lambda s: s.shown_projects(),
    "get": lambda s: [s.get(n, deleted=d) for n in NUMBERS for d in (False, True)],
    "kept": lambda s: [tried(s.kept, n) for n in NUMBERS],
    "of_public_id": lambda s: s.of_public_id(0, 2**60),
    "names": lambda s: [name for name in s.names(NUMBERS).values() if name.startswith("n-")],
    "history": lambda s: [tried(s.history, n) for n in NUMBERS],
    "recent": lambda s: [s.recent(q) for q in queries()],
    "pinned": lambda s: [s.pinned(q) for q in queries()],
    "recalled": lambda s: [s.recalled(p, 50) for p in ("attic", "shop")],
    "of_session": lambda s: s.of_session("s"),
    "context": lambda s: [s.context(q, sessions=50, prompts=50, pinned=50) for q in queries()],
    "timeline": lambda s: [tried(s.timeline, n) for n in NUMBERS],
    "search": lambda s: [s.search(text, q) for text in QUESTIONS for q in queries()],
    "notes_for_prompt": lambda s: [s.notes_for_prompt(text, q) for text in QUESTIONS for q in queries()],
    "count": lambda s: [s.count(q._replace(session="s")) for q in queries()],
    "stats": lambda s: s.stats(),
    "session": lambda s: s.session("s") if not s.session("s") or s.session("s").project != "shop" else None,
    "sessions": lambda s: [each for each in s.sessions(ALL).items if each.project != "shop"],
    "prompts": lambda s: [s.prompts(q) for q in queries()],
    "prompt": lambda s: s.prompt(1),
    "search_prompts": lambda s: [
        s.search_prompts(text, project=q.project) for text in QUESTIONS for q in queries()
    ],
    "relations": lambda s: [s.relations(n) for n in NUMBERS],
    "disputes": lambda s: s.disputes(NUMBERS),
    "every_relation": lambda s: s.every_relation(),
    "graph": lambda s: [tried(s.graph, n, 3) for n in NUMBERS],
    "projects": lambda s: s.projects(),
    "types": lambda s: [s.types(p) for p in ("", "attic", "shop")],
    "contradicting": lambda s: [s.contradicting(p) for p in ("", "attic", "shop")],
    "same_text": lambda s: [s.same_text(p) for p in ("", "attic", "shop")],
    "unrelated": lambda s: s.unrelated([(one, other) for one in NUMBERS for other in NUMBERS if one < other]),
    "similar_projects": lambda s: s.similar_projects("attik"),
    "progress": lambda s: [s.progress(p) for p in ("attic", "shop")],
    "inbox": lambda s: [s.inbox(q) for q in queries()],
    "waiting": lambda s: [s.waiting(n) for n in NUMBERS],
    "deleted": lambda s: [s.deleted(q) for q in queries()],
    "count_inbox": lambda s: [s.count_inbox(q) for q in queries() if s.count_inbox(q)],
    "stale": lambda s: [s.stale(q) for q in queries()],
    "export": lambda s: s.export()._replace(sessions=()) if not s.who.projects else s.export(),
    "problems": lambda s: s.problems(),
    "audit": lambda s: [s.audit(q) for q in queries()],
    "log": lambda s: s.log(500),
    "version": lambda s: None,  # one number for the whole store, so that kept answers are known to be old
    "repeats": lambda s: [
        tried(
            s.repeats,
            NoteDraft(
                f"{SECRET} 1",
                f"{SECRET} treasure number 1",
                project=p,
                scope=scope,
                topic_key="secret/topic1",
            ),
        )
        for p in ("attic", "shop")
        for scope in ("project", "personal")
    ],
    "reading": lambda s: listed(s),  # noqa: PLW0108 - defined below
}
# They change something, open or close: tested one by one in test_access.py.
OTHERS = {
    "seen_by", "with_origin", "close", "save", "save_all", "save_waiting", "accept", "drop", "delete_all", "capture", "update", "delete", "restore", "pin", "start_session", "end_session",
    "delete_session", "add_prompt", "delete_prompt", "relate", "unrelate", "merge_projects", "rename_project", "rescue",
    "remove_project", "put_progress", "compact", "take_in", "rebuild_index",
    "through", "batch", "in_one_batch", "undo", "join_project", "enter_project", "project_of_session", "free_project",
}  # fmt: skip


def queries():
    base = {"limit": 500}
    narrowed = (
        {},
        {"project": "attic"},
        {"project": "shop"},
        {"scope": "personal"},
        {"session": "s"},
        {"everywhere": True},
    )
    return [
        Query(**base, **each)
        for each in (*narrowed, {"since": "2000"}, {"until": "2999"}, {"type": "manual"})
    ]


def tried(ask, *values):
    with suppress(ModicumError):
        return ask(*values)


def listed(store: Store):
    with store.reading() as tx:
        return relations.titled(tx), relations.counted(tx), [relations.titled_one(tx, n) for n in NUMBERS]


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}


def test_every_public_method_is_asked_by_a_stranger_or_known_to_write():
    assert public(Store) == set(READS) | OTHERS
    assert public(Reader) <= set(READS) | {"seen_by", "through", "with_origin", "close", "free_project"}


@pytest.mark.parametrize("name", READS)
def test_no_read_tells_a_stranger_anything(reader, name):
    told = repr(READS[name](reader))

    assert SECRET not in told.lower()
    assert "attic" not in told
    if name in ("get", "waiting", "names", "count", "relations", "graph", "history", "timeline", "repeats"):
        assert not any(READS[name](reader))


def test_the_owner_gets_all_of_it(store):
    plant(store)
    mia = store.seen_by(Person("mia"))
    fill(mia, "attic", "personal")
    silent = {name for name, ask in READS.items() if SECRET not in repr(ask(mia)).lower()}

    assert len(READS["names"](mia)) == len(NUMBERS)
    assert silent == {
        "names",
        "count",
        "count_inbox",
        "stats",
        "similar_projects",
        "problems",
        "types",
        "unrelated",
        "repeats",
        "version",
        "find_project",
        "projects_named",
        "projects_meant",
        "project_origins",
        "shown_projects",
    }
    assert any(READS["repeats"](mia))
    assert mia.recalled("attic", 5) != Brief()


# Full text: every way into the index


@pytest.mark.parametrize("text", QUESTIONS[:-1])
def test_the_index_tells_a_stranger_nothing(reader, text):
    own = [each.id for each in reader.recent(ALL).items]
    with reader.reading() as tx:
        words, alphabet = tx.words, "abcdefghijklmnopqrstuvwxyz"
        stem, within = stems(SECRET)[0], SearchBounds(10_000)
        for match in (Match((stem,)), Match(phrases=((stem,),)), Match(pairs=(stem, "treasur"))):
            assert words.best(tx, match, within, Frequencies({stem: 2}, PassageTotals(9, 9)), 10) == []
            assert words.newest(tx, match, within, 10) == []
            assert words.count(tx, match, within, 10) == 0
        assert words.frequencies(tx, [stem, "treasur"]) == {}
        assert [words.alike(tx, letter, 0, 99) for letter in "z"] == [[]]
        assert [
            found
            for letter in alphabet
            for found in words.beginning(tx, letter, 99)
            if found.startswith("zan")
        ] == []
        assert set(words.containing(tx, text.strip('"#'), within, 10)) <= set(own)
        assert words.prompts(tx, [SECRET], project="", limit=10) == []
        assert words.totals(tx).passages == len(own)
        assert words.totals(tx).words <= 10


# What others have changes no answer


def answers(store: Store, guesses: list[str]):
    """All that a search tells of its own notes: order, scores and reasons, totals."""
    found = [store.search(text, Query(limit=50)) for text in guesses]
    return [
        [(hit.note.title, hit.score, hit.reasons, hit.nearby) for hit in each.items] + [each.total]
        for each in found
    ]


GUESSES = [
    "zanzibar",
    "zanzib",
    "zanzibra",
    "treasure map",
    "orchid",
    "orchid zanzibar",
    "nzib",
    '"zanzibar treasure"',
    "orchids zanzi",
]


@pytest.mark.parametrize(
    "who", [Person("eve"), Person("eve", ("garden",)), Person("eve", scopes=("project",))], ids=str
)
def test_a_note_of_guesses_is_ranked_alike_whether_others_have_the_words_or_not(store, clock, who):
    eve = store.seen_by(who)
    words = ("zanzibar", "zebra", "treasure", "orchid", "garden", "nutmeg", "map")
    for number, word in enumerate(words):
        eve.save(
            NoteDraft(
                f"guess {number}",
                f"{word} and {words[number - 1]}",
                project="garden",
                session_id=f"e{number}",
            )
        )
        eve.add_prompt(f"is it {word} or {words[number - 2]}", project="garden", session_id=f"e{number}")
    before = answers(eve, GUESSES), [[p.content for p in eve.search_prompts(text)] for text in GUESSES]
    mia = store.seen_by(Person("mia"))
    place = (
        {"project": "attic"}
        if who.projects
        else {"project": "garden", "scope": "global" if who.scopes else "personal"}
    )
    for number in range(30):
        mia.save(
            NoteDraft(
                f"hidden {number}",
                f"{SECRET} treasure zanzibari {'orchid ' * number}",
                session_id="m",
                **place,
            )
        )
        mia.add_prompt(f"{SECRET} treasure orchid {number}", session_id="m", project=place["project"])

    after = answers(eve, GUESSES), [[p.content for p in eve.search_prompts(text)] for text in GUESSES]
    assert after == before


def test_many_matches_of_others_do_not_displace_ones_own(store, monkeypatch):
    import modicum.memory.find.search as module

    eve, mia = store.seen_by(Person("eve")), store.seen_by(Person("mia"))
    monkeypatch.setattr(module, "HITS", 5)
    for number in range(12):
        eve.save(
            NoteDraft(
                f"mine {number}", f"orchid {'nutmeg ' * (number % 3)} {number}", session_id=f"e{number}"
            )
        )
    before = answers(eve, ["orchid nutmeg", "orchid"])
    for number in range(40):
        mia.save(NoteDraft(f"hidden {number}", f"nutmeg {number}", scope="personal", session_id="m"))

    assert answers(eve, ["orchid nutmeg", "orchid"]) == before


# Statements that were not made for it


def odd_statements(engine: str) -> list[str]:
    main = "main." if engine == "sqlite" else ""
    common = [
        "select id, title, content from notes",
        "SELECT title FROM notes WHERE 1 = 1 OR owner = 'mia'",
        "WITH everything AS (SELECT * FROM notes) SELECT title FROM everything",
        f"WITH notes AS (SELECT * FROM {main}notes) SELECT title FROM notes",
        "/* a comment */ SELECT title FROM notes",
        "-- a comment\nSELECT title FROM notes",
        'SELECT "title" FROM "notes"',
        f"SELECT title FROM {main}notes",
        "SELECT title FROM (SELECT * FROM notes) AS n",
        "SELECT title FROM notes UNION ALL SELECT content FROM notes",
        "SELECT (SELECT max(title) FROM notes)",
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM notes WHERE title LIKE 'zanz%')",
        "SELECT title, content FROM revisions",
        "SELECT note FROM relations",
        "SELECT content FROM prompts",
        "SELECT title, body FROM passages",
        "SELECT stem FROM vocabulary WHERE stem LIKE 'zanz%'",
        "SELECT hash, name FROM tokens",
        "SELECT record FROM sync_outbox",
        "SELECT state FROM sync_states",
        "SELECT summary, directory FROM sessions WHERE project = 'attic'",
        "SELECT content FROM progress WHERE project = 'attic'",
        "SELECT sum(count) FROM tallies WHERE project = 'attic'",
        "SELECT value FROM totals",
        "SELECT n.title FROM tokens CROSS JOIN notes AS n",
        "INSERT INTO notes (title) VALUES ('x')",
        "UPDATE notes SET scope = 'global', owner = 'eve'",
        "DELETE FROM notes",
        "UPDATE tokens SET name = 'mia'",
        "DROP TABLE notes",
        "WITH gone AS (DELETE FROM notes RETURNING title) SELECT title FROM gone",
    ]
    return common + (SQLITE if engine == "sqlite" else POSTGRES)


SQLITE = [
    "SELECT title FROM MAIN.NOTES",
    "SELECT title FROM main . notes",
    "SELECT title FROM [main].[notes]",
    "SELECT title FROM `notes`",
    "SELECT * FROM passages_fts",
    "SELECT rowid, title, body FROM main.passages_fts WHERE passages_fts MATCH 'zanzibar'",
    "SELECT rowid FROM passages_fts WHERE passages_fts MATCH 'zanzibar*'",
    "SELECT bm25(passages_fts) FROM passages_fts WHERE passages_fts MATCH 'zanzibar'",
    "SELECT highlight(passages_fts, 0, '', '') FROM main.passages_fts",
    "SELECT block FROM passages_fts_data",
    "SELECT hex(block) FROM main.passages_fts_data",
    "SELECT term FROM passages_fts_idx",
    "SELECT term, doc FROM passages_terms",
    "SELECT title, content FROM grams WHERE content LIKE '%nzib%'",
    "SELECT title, content FROM main.grams",
    "SELECT block FROM grams_data",
    "SELECT content FROM prompts_fts",
    "SELECT rowid FROM prompts_fts WHERE prompts_fts MATCH 'zanzibar'",
    "SELECT sql FROM sqlite_master",
    "SELECT sql FROM sqlite_temp_master",
    "SELECT * FROM pragma_table_info('notes')",
    "SELECT * FROM dbstat",
    "SELECT data FROM sqlite_dbpage",
    "PRAGMA table_info(notes)",
    "PRAGMA writable_schema = ON",
    "PRAGMA query_only = OFF",
    "ATTACH DATABASE '{place}' AS other",
    "DETACH DATABASE main",
    "VACUUM INTO '{place}.copy'",
    "CREATE TEMP VIEW mine AS SELECT * FROM main.notes",
    "CREATE TEMP TABLE mine AS SELECT * FROM main.notes",
    "DROP VIEW notes",
    "DROP VIEW temp.notes",
    "REINDEX",
    "ANALYZE",
    "SELECT load_extension('x')",
    "EXPLAIN QUERY PLAN SELECT title FROM main.notes",
]
POSTGRES = [
    "TABLE notes",
    "SELECT title FROM {schema}.notes",
    'SELECT title FROM "{schema}"."notes"',
    *(f"SELECT title FROM notes_{part}" for part in range(8)),
    *(f"SELECT title FROM {{schema}}.passages_{part}" for part in range(8)),
    "SELECT words FROM passages WHERE words @@ 'zanzibar'",
    "SELECT title FROM notes WHERE CAST(title AS INTEGER) = 1",
    "SELECT stems FROM vocabulary_news",
    "SELECT value FROM counters",
    "SELECT passages FROM passage_totals",
    "SELECT passages_seen(false, 'zanzibar', '{{}}', 100, '', '')",
    "SELECT add_up_news()",
    "SELECT words_of('a', 'b', 'c')",
    "SELECT most_common_vals FROM pg_stats WHERE tablename LIKE 'notes%'",
    "RESET ROLE",
    "SET ROLE NONE",
    "SET LOCAL ROLE NONE",
    "SET SESSION AUTHORIZATION DEFAULT",
    "SELECT set_config('role', 'none', true)",
    "SELECT SET_CONFIG('modicum.person', 'mia', true)",
    "SET LOCAL modicum.person = 'mia'",
    "SET row_security = off",
    "DO 'BEGIN RESET ROLE; END'",
    "COPY notes TO STDOUT",
    "EXPLAIN ANALYZE SELECT title FROM notes",
    "CREATE TEMP TABLE mine AS SELECT * FROM notes",
    "GRANT ALL ON notes TO PUBLIC",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT title FROM notes; SELECT 1",
]


def engine_of(store: Store) -> str:
    return "postgres" if hasattr(store.database, "schema") else "sqlite"


def ask_oddly(store: Store, sql: str, transaction) -> tuple[str, str]:
    """The rows that come of a statement and of one behind it; or the errors, as text."""
    database = store.database
    sql = (
        sql.replace("{place}", database.place)
        .replace("{schema}", getattr(database, "schema", ""))
        .replace("{{}}", "{}")
    )
    try:
        with transaction() as tx:
            rows = [tx.rows(sql), tx.rows("SELECT title FROM notes")]
            # The public id beside a sync id follows from it, and both are drawn by lot.
            return re.sub(r"obs-[0-9a-f]+'(?:, \d+)?", "obs'", repr(rows)), ""
    except Exception as error:
        return "", "".join(f"{type(each).__name__} {each}" for each in causes(error))


def causes(error: BaseException | None):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("way", ["reading", "_writing"])
def test_no_statement_gets_more_than_if_the_others_had_nothing(stranger, make_store, way):
    unlimited, alone = stranger.seen_by(Person()), make_store("alone")
    plant(alone)
    alone, before = alone.seen_by(stranger.who), unlimited.export()
    for sql in odd_statements(engine_of(stranger)):
        rows, errors = ask_oddly(stranger, sql, getattr(stranger, way))

        assert rows == ask_oddly(alone, sql, getattr(alone, way))[0], sql
        assert "treasur" not in rows + errors, sql
        assert "zanzibar " not in errors, sql
    assert unlimited.export() == before


@pytest.mark.parametrize("sql", ["UPDATE notes SET owner = 'eve'", "DELETE FROM notes", "SELECT 1"])
def test_a_person_s_transaction_runs_nothing_that_writes(stranger, sql):
    with suppress(Exception), stranger._writing() as tx:
        tx.run(sql)
    assert {each.owner for each in stranger.seen_by(Person()).export().notes} == {"mia", "eve"}


def test_a_transaction_that_reads_gives_no_way_around_its_limits(stranger):
    with pytest.raises(ModicumError), stranger.reading() as tx:
        tx.unlimited.rows("SELECT 1")


def test_a_hook_sees_as_little(tmp_path):
    from modicum.memory.brief.query import read_brief
    from modicum.memory.engines.sqlite import SqliteDatabase

    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    fill(store.seen_by(Person("mia")), "shop", "personal")
    store.close()

    assert (
        read_brief(str(tmp_path / "memory.db"), FolderKeys("", named="shop"), limit=9, person="eve")
        == Brief()
    )
    assert SECRET in repr(
        read_brief(str(tmp_path / "memory.db"), FolderKeys("", named="shop"), limit=9, person="mia")
    )
