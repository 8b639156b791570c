"""A plain question finds its answer, and nothing that is typed is an error."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.memory.find import search as module
from modicum.memory.model import NoteDraft, Query, Refused
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.search.terms import one_slip_from

NOTES = (
    NoteDraft(
        "Fixed nil token panic",
        "Guard against empty headers in getUserById",
        "bugfix",
        "shop",
        topic_key="bug/auth token",
    ),
    NoteDraft("Chose PostgreSQL", "for the orders database, because of transactions", "decision", "shop"),
    NoteDraft("日本語テキスト", "検索の設定を変更した", "config", "shop"),
    NoteDraft("Retries", "the xqzzyfoobar client retries three times", "pattern", "other", scope="personal"),
    NoteDraft(
        "Deploys",
        "go out through snake_case_name in src/tools/ship.py",
        "config",
        "other",
        namespace="agent/a",
    ),
)


@pytest.fixture
def filled(store):
    store.save_all(NOTES)
    return store


def index_of(store):
    """The class of the full-text index that this store asks."""
    with store.reading() as tx:
        return type(tx.words)


def titles(found):
    return [hit.note.title for hit in found.items]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("why did we panic when a header was empty?", "Fixed nil token panic"),  # a question, stems
        ("getuserbyid", "Fixed nil token panic"),
        ("user by id", "Fixed nil token panic"),  # parts of an identifier
        ("getUs", "Fixed nil token panic"),  # a beginning
        ("snake_case_name", "Deploys"),
        ("case name", "Deploys"),
        ("ship.py", "Deploys"),
        ("zyfoob", "Retries"),  # inside of a word
        ("databse transactoins", "Chose PostgreSQL"),  # slips
        ("transactoin", "Chose PostgreSQL"),  # in an ending
        ("日本語", "日本語テキスト"),
        ("検", "日本語テキスト"),
        ("検索設定", "日本語テキスト"),
        ("#2", "Chose PostgreSQL"),
        ("BUG/auth token", "Fixed nil token panic"),
        ("decision", "Chose PostgreSQL"),  # its type
        ('"because of transactions"', "Chose PostgreSQL"),
    ],
)
def test_a_note_is_found_by(filled, text, title):
    found = filled.search(text)

    assert titles(found)[:1] == [title]
    assert found.items[0].reasons
    assert not found.items[0].nearby


@pytest.mark.parametrize(
    ("query", "title"),
    [
        (Query(project="SHOP", type="config"), "日本語テキスト"),
        (Query(scope="Personal"), "Retries"),
        (Query(namespace="agent/a"), "Deploys"),
        (Query(session="manual-save-other", type="config"), "Deploys"),
        (Query(project="shop", type="decision"), "Chose PostgreSQL"),
    ],
)
def test_filters_narrow_a_search(filled, query, title):
    found = filled.search("panic postgresql 日本語 retries deploys", query)

    assert titles(found) == [title]
    assert found.total == 1


def test_a_search_can_be_narrowed_to_a_time(store, clock):
    for day in range(4):
        store.save(NoteDraft(f"day {day}", "walrus"))
        clock.pass_(days=1)

    found = store.search("walrus", Query(since="2027-01-16T08:00:00.000Z", until="2027-01-18T08:00:00.000Z"))

    assert sorted(titles(found)) == ["day 1", "day 2"]


def test_a_narrowed_search_goes_on_beyond_what_is_ranked(store, clock, monkeypatch):
    monkeypatch.setattr(module, "HITS", 2)
    for day in range(9):
        store.save(NoteDraft(f"day {day}", "walrus"))
        clock.pass_(days=1)
    query = Query(since="2027-01-17T08:00:00.000Z", limit=4)

    page = store.search("walrus", query)
    rest = store.search("walrus", query._replace(cursor=page.next))

    assert sorted(titles(page) + titles(rest)) == [f"day {day}" for day in range(2, 9)]
    assert (page.total, rest.next) == (7, "")


def test_a_search_can_be_narrowed_to_a_session(store, monkeypatch):
    monkeypatch.setattr(module, "HITS", 2)
    store.save_all([NoteDraft(f"note {i}", "walrus", session_id=f"s{i % 10}") for i in range(40)])

    assert sorted(titles(store.search("walrus", Query(session="s3")))) == [
        "note 13",
        "note 23",
        "note 3",
        "note 33",
    ]


def test_what_is_named_by_topic_or_number_comes_first(store):
    for i in range(5):
        store.save(NoteDraft(f"auth model {i}", "auth model auth model", project=f"p{i}"))
    named = store.save(NoteDraft("other", "other things", topic_key="auth/model")).id

    assert store.search("auth/model").items[0].note.id == named
    assert store.search(f"auth model #{named}").items[0].note.id == named


def test_a_phrase_that_is_there_is_required(store):
    store.save(NoteDraft("one", "the empty header is dropped"))
    store.save(NoteDraft("two", "a header that is empty"))

    assert titles(store.search('"empty header"')) == ["one"]
    assert sorted(titles(store.search('"header empty"'))) == ["one", "two"]


def test_neighbours_in_a_session_are_found_and_marked(store):
    for i, text in enumerate(["who broke the walrus?", "that was the new intern", "lunch"]):
        store.save(NoteDraft(f"turn {i}", text, session_id="talk"))

    found = store.search("walrus whiskers")

    # What follows a question that matches is probably its answer, and comes behind it all the same.
    assert [(hit.note.title, hit.nearby) for hit in found.items][:2] == [
        ("turn 0", False),
        ("turn 1", True),
    ]


def test_the_default_session_is_no_conversation(store):
    store.save(NoteDraft("a", "walrus"))
    store.save(NoteDraft("b", "unrelated"))

    assert titles(store.search("walrus")) == ["a"]


def test_who_speaks_is_read_from_the_text_where_nobody_says(store):
    for at, said in enumerate(("hello", "how are you?", "fine", "the boat leaked", "oh", "and sank")):
        store.save(NoteDraft(f"D1:{at}", f"{('Mia', 'Ben')[at % 2]}: {said}", session_id="s"))

    found = store.search("what did Ben say of the boat?", Query(limit=3))

    assert "headed Ben" in found.items[0].reasons


def test_when_a_turn_was_is_read_from_its_head(store):
    for month in (5, 6, 7):
        store.save(NoteDraft(f"Mia (2023-0{month}-08)", "we went sailing", session_id=f"s{month}"))

    found = store.search("when did we go sailing in June 2023?", Query(limit=1))

    assert titles(found) == ["Mia (2023-06-08)"]  # by words alone it would be the newest
    assert len(store.search("2023-06-08", Query(limit=1)).items) == 1


def test_a_day_that_was_still_to_come_is_not_when_a_note_was_saved(store, clock):
    store.save(NoteDraft("earlier", "the sail is new", session_id="first"))
    clock.pass_(days=3)
    store.save(NoteDraft("plan", "the new sail is due on 2031-05-08", session_id="second"))

    assert titles(store.search("new sail today")) == ["plan", "earlier"]


def test_a_short_word_of_a_sentence_is_not_looked_for_inside_of_others(store):
    store.save(NoteDraft("Flags", "a feature of the client"))

    assert titles(store.search("eat")) == ["Flags"]
    assert titles(store.search("who ate my lunch?")) == []


def test_related_notes_are_told_of(store):
    one, two, _ = (store.save(NoteDraft(t, f"walrus {t}")).id for t in "abc")
    store.relate(one, two)

    reasons = {hit.note.title: hit.reasons for hit in store.search("walrus").items}
    assert "linked to one of the best" in reasons["b"]


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_no_question_is_answered_by_what_is_recent(filled, text):
    page = filled.search(text, Query(limit=3))
    rest = filled.search(text, Query(limit=3, cursor=page.next))

    assert titles(page) + titles(rest) == [note.title for note in NOTES][::-1]
    assert page.total == 5


@pytest.mark.parametrize(
    "text",
    [
        "test*query", "(broken)", "OR AND NOT", "'; DROP TABLE notes; --", '" OR 1=1 --', 'foo"bar', '"""',
        "NEAR(a b)", "title:x", "^a", "-a", "{a b}:c", "\0", "\ud800", "%", "_", "#99999999999999999999", "word " * 1000,
        "🦭", "ǂp00000000", "a\x1fb",
    ],
)  # fmt: skip
def test_no_text_is_an_error(filled, text):
    assert filled.search(text).total >= 0
    assert filled.search_prompts(text) == ()


@pytest.fixture(scope="module")
def shared(tmp_path_factory, make_database):
    store = Store(make_database(tmp_path_factory.mktemp("shared")))
    store.save_all(NOTES)
    yield store
    store.close()


@given(text=st.text(max_size=40), limit=st.integers(-1, 3))
def test_any_text_is_answered(shared, text, limit):
    found = shared.search(text, Query(limit=limit))

    assert len(found.items) <= max(0, limit)
    assert found.total >= len(found.items)


WORDS = st.lists(
    st.sampled_from(['"', "walrus", "seal", "often", "rare7", "#3", '"walrus seal"', "the", "walr"]),
    max_size=4,
)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory, make_database):
    store = Store(make_database(tmp_path_factory.mktemp("crowded")))
    store.save_all(
        [
            NoteDraft(
                f"note {i}",
                f"walrus {'seal ' * (i % 3)} often rare{i}",
                project=f"p{i % 2}",
                session_id=f"s{i // 4}",
            )
            for i in range(60)
        ]
    )
    yield store
    store.close()


@settings(max_examples=40)
@given(
    words=WORDS,
    limit=st.integers(4, 30),
    project=st.sampled_from(["", "p1"]),
    hits=st.integers(1, 40),
    most=st.integers(1, 100),
)
def test_the_pages_are_the_whole_result_without_duplicates(crowded, words, limit, project, hits, most):
    text = " ".join(words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "HITS", hits)
        patch.setattr(index_of(crowded), "comparable", most)
        found, cursor, totals = [], "", set()
        while True:
            page = crowded.search(text, Query(project=project, limit=limit, cursor=cursor))
            assert len(page.items) == limit or not page.next
            found += [hit.note.id for hit in page.items]
            totals.add(page.total)
            cursor = page.next
            if not cursor:
                break

    assert len(set(found)) == len(found)
    assert totals == {len(found)}
    if '"' not in text and ("often" in words or "walrus" in words):
        assert len(found) == (30 if project else 60)


def test_of_words_that_are_everywhere_two_in_one_note_come_first(store, monkeypatch):
    both = store.save(NoteDraft("handler", "for the log", session_id="first")).id
    store.save_all(
        [NoteDraft(f"note {i}", "log" if i % 2 else "handler", session_id=f"s{i}") for i in range(40)]
    )
    monkeypatch.setattr(index_of(store), "comparable", 5)
    monkeypatch.setattr(module, "HITS", 5)

    found = store.search("log handler", Query(limit=3))

    assert found.items[0].note.id == both
    assert found.total == 41


def test_of_words_that_never_meet_the_newest_are_compared(store, monkeypatch):
    store.save_all(
        [NoteDraft(f"note {i}", "log" if i % 2 else "handler", session_id=f"s{i}") for i in range(40)]
    )
    monkeypatch.setattr(index_of(store), "comparable", 5)
    monkeypatch.setattr(module, "HITS", 5)

    found = store.search("log handler", Query(limit=6))

    assert sorted(titles(found)[:5]) == [f"note {i}" for i in range(35, 40)]
    assert [hit.score > 0 for hit in found.items] == [True] * 5 + [False]
    assert found.total == 40


def test_what_is_global_answers_from_another_project(store):
    store.save(NoteDraft("here", "walrus", project="shop"))
    store.save(NoteDraft("rule", "walrus", project="infra", scope="global"))
    store.save(NoteDraft("theirs", "walrus", project="infra"))

    found = store.search("walrus", Query(project="shop", everywhere=True))

    assert (sorted(titles(found)), found.total) == (["here", "rule"], 2)


def test_of_a_phrase_the_word_that_is_everywhere_tells_least(store, monkeypatch):
    store.save(NoteDraft("first", "the walrus, walrus walrus walrus walrus", session_id="first"))
    store.save(NoteDraft("second", "the walrus, the the the the", session_id="second"))
    store.save_all([NoteDraft(f"note {i}", "the tide", session_id=f"s{i}") for i in range(20)])
    monkeypatch.setattr(module, "HITS", 1)

    assert titles(store.search('"the walrus"')) == ["first", "second"]


def test_what_matches_and_is_not_understood_is_found_all_the_same(store, monkeypatch):
    long = "x" * 500
    store.save_all([NoteDraft(f"note {i}", f"{long}{i}", session_id=f"s{i}") for i in range(4)])
    monkeypatch.setattr(module, "HITS", 2)

    found = store.search(f"{long}1")

    assert found.total == len(found.items)


def test_counting_ends_and_the_pages_do_not(store, monkeypatch):
    store.save_all([NoteDraft(f"note {i}", "walrus", session_id=f"s{i}") for i in range(40)])
    for name, most in (("COUNTED", 20), ("HITS", 5)):
        monkeypatch.setattr(module, name, most)
    page = store.search("walrus", Query(limit=15))
    found = [page]
    while page.next:
        page = store.search("walrus", Query(limit=15, cursor=page.next))
        found.append(page)

    assert [each.total for each in found] == [20, 20, 20]
    assert len({hit.note.id for each in found for hit in each.items}) == 40


def test_a_mistyped_word_is_one_that_a_note_still_has(store):
    gone = store.save(
        NoteDraft("gone", "some marzipamn")
    ).id  # nearer to what is asked, and in no note any more
    store.save(NoteDraft("here", "some marzipan"))
    store.delete(gone, hard=True)

    assert titles(store.search("marzipam")) == ["here"]
    store.rebuild_index()
    assert titles(store.search("marzipam")) == ["here"]


def test_a_note_that_is_saved_between_pages_does_not_shift_them(store):
    store.save_all([NoteDraft(f"note {i}", f"walrus number {i}", session_id=f"s{i}") for i in range(30)])
    page = store.search("walrus", Query(limit=10))
    store.save(NoteDraft("newer", "walrus walrus walrus"))
    rest = store.search("walrus", Query(limit=50, cursor=page.next))

    assert sorted(titles(page) + titles(rest)) == sorted(f"note {i}" for i in range(30))


def test_a_cursor_of_another_search_is_refused(store):
    store.save_all([NoteDraft(f"note {i}", "walrus") for i in range(3)])
    cursor = store.search("walrus", Query(limit=1)).next

    for text, query in (("seal", Query()), ("walrus", Query(project="p"))):
        with pytest.raises(Refused, match="cursor"):
            store.search(text, query._replace(cursor=cursor))


def test_a_word_at_the_end_of_a_very_long_note_is_found(store):
    number = store.save(NoteDraft("long", "filler " * 30_000 + "walrus")).id

    assert [hit.note.id for hit in store.search("walrus").items] == [number]


def test_the_index_can_be_made_anew(filled):
    filled.rebuild_index()

    assert titles(filled.search("postgresql")) == ["Chose PostgreSQL"]
    assert filled.problems() == ()


@pytest.mark.parametrize("word", ["auth", "authentication", "db", "database", "config", "went", "go"])
def test_prompts_are_found_by_short_and_by_long_forms_of_their_words(store, word: str) -> None:
    store.add_prompt("The auth of the db went away with its config.", session_id="s")
    store.add_prompt("Why does authentication need a database and a configuration to go on?", session_id="s")

    assert {prompt.id for prompt in store.search_prompts(word)} == {1, 2}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("databse", [1]),
        ("authentification", [2]),
        ("the enviroment", [3]),
        ("repostory slow", [4, 1]),
        ("walrs", []),
    ],
)
def test_prompts_are_found_by_mistyped_words(store, words: str, expected: list[int]) -> None:
    for text in (
        "why is the database slow today",
        "please mend the authentication flow",
        "list the environment variables",
        "move the repositories to a new org",
    ):
        store.add_prompt(text, session_id="s")

    assert sorted(prompt.id for prompt in store.search_prompts(words)) == sorted(expected)


def test_a_mistyped_word_is_compared_only_with_prompts_that_one_may_see(store):
    store.add_prompt("why is the database slow", session_id="s", project="shop")
    ann = Store(store.database, clock=store.clock, who=Person("ann", projects=("other",)))

    assert store.search_prompts("databse", project="other") == ()
    assert ann.search_prompts("databse") == ()
    assert len(store.search_prompts("databse", project="shop")) == 1


# Work that is bounded


class Counting:
    """A full-text index that counts what is asked of it: each statement, and each word in one."""

    def __init__(self, words):
        self.words, self.asked = words, 0

    def __getattr__(self, name):
        plain = getattr(self.words, name)

        def counted(tx, *given, **more):
            self.asked += 1 + sum(len(each) for each in given if isinstance(each, list | tuple))
            return plain(tx, *given, **more)

        return counted if callable(plain) else plain


@settings(max_examples=60)
@given(
    letter=st.sampled_from("abcxyz日é7"),
    end=st.text("abcdefgh", max_size=5),
    length=st.integers(min_value=1, max_value=4_000),
)
def test_a_word_of_any_length_is_no_more_work_than_a_usual_one(shared, letter, end, length):
    word = letter * length + end
    with shared.reading() as tx:
        counting = Counting(tx.words)

        class Transaction:
            words, rows = counting, tx.rows

        module.search(Transaction(), word, Query(limit=5), today="2026-01-01")

    assert (
        counting.asked <= 3_000
    )  # guesses at what was meant: 54 for each of 40 letters, and a few statements
    assert len(one_slip_from(word)) <= 2_200


def test_a_note_with_a_title_is_beside_a_hit_only_where_there_is_room(store, monkeypatch):
    titled = "notes about another animal"
    for number in range(6):
        store.save(NoteDraft(f"walrus in {titled} {number}", f"walrus {number}", session_id=f"s{number}"))
        store.save(NoteDraft(f"{titled} {number}", "nothing of the kind", session_id=f"s{number}"))
    roomy = store.search("walrus whiskers", Query(limit=20))
    monkeypatch.setattr(module, "HITS", 6)
    full = store.search("walrus whiskers", Query(limit=20))

    assert [hit.nearby for hit in roomy.items] == 6 * [False] + 6 * [True]
    assert sum(hit.nearby for hit in full.items) == 0
    assert sum(not hit.nearby for hit in full.items) == 6


def test_of_a_giant_words_behind_its_beginning_are_found_once_and_counted(store, monkeypatch):
    from modicum.memory.find import index

    monkeypatch.setattr(index, "MOST_IN_ORDER", 50)
    text = "walrus " * 20 + "zanzibar " * 20 + "検索の設定を変更した"
    saved = store.save(NoteDraft("a giant", text))

    assert [hit.note.id for hit in store.search("zanzibar").items] == [saved.id]
    assert [hit.note.id for hit in store.search("設定").items] == [saved.id]
    assert store.problems() == ()
    assert store.delete(saved.id, hard=True)
    assert store.search("zanzibar").total == 0
    assert store.problems() == ()


# Words written in another way


@pytest.mark.parametrize("text", ["timezone", "tz", "time zone", "which timezone do we use"])
def test_a_word_is_found_whether_it_is_written_as_one_or_as_two(store, text):
    texts = (
        "Dates are kept in the time zone of the user",
        "The timezone is UTC",
        "A zone of no time",
        "lunch",
    )
    for number, each in enumerate(texts):
        store.save(NoteDraft(f"note {number}", each))
        store.add_prompt(each, session_id="s")

    assert {hit.note.id for hit in store.search(text).items} >= {1, 2}
    assert {prompt.id for prompt in store.search_prompts(text)} >= {1, 2}
    assert 4 not in {hit.note.id for hit in store.search(text).items}
    if text == "timezone":
        assert store.search(text).total == len(store.search_prompts(text)) == 2


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("auth", "authentication"),
        ("db", "database"),
        ("config", "configuration"),
        ("configs", "configuration"),
        ("prod", "production"),
        ("env", "environment"),
        ("repo", "repositories"),
        ("docs", "documentation"),
    ],
)
def test_a_short_form_finds_itself_and_its_long_form(store, short, long):
    for word in (short, long, "lunch"):
        store.save(NoteDraft("", f"the {word} was changed on purpose"))
        store.add_prompt(f"why was the {word} changed?", session_id="s")

    for word in (short, long):
        assert {hit.note.id for hit in store.search(word).items} == {1, 2}
        assert {prompt.id for prompt in store.search_prompts(word)} == {1, 2}


def test_words_that_are_in_any_text_make_no_hit(store):
    store.save(NoteDraft("one", "we keep it without salt"))
    store.save(NoteDraft("two", "the walrus"))

    assert titles(store.search("keep a walrus without whiskers")) == ["two"]
    assert titles(store.search("keep")) == ["one"]


def test_quoted_words_are_not_found_written_as_one(store):
    store.save(NoteDraft("one", "The timezone is UTC"))
    store.save(NoteDraft("two", "The time zone is UTC"))

    assert titles(store.search('"time zone"')) == ["two"]


def test_prompts_are_searched_for_many_long_words_by_a_person_too(store):
    words = [f"{letter}irresponsiblebehaviour" for letter in "abcdefghijklmnop"]
    store.add_prompt(" ".join(words), session_id="s")
    ann = Store(store.database, clock=store.clock, who=Person("ann", projects=("shop",)))

    assert len(store.search_prompts(" ".join(words))) == 1
    assert ann.search_prompts(" ".join(words)) == ()


# Neighbours


def test_for_one_word_there_are_no_neighbours(store):
    for each in ("who broke the walrus?", "that was the new intern", "lunch"):
        store.save(NoteDraft("", each, session_id="talk"))

    assert [hit.nearby for hit in store.search("walrus").items] == [False]


def test_a_neighbour_with_a_title_never_comes_before_a_hit(store):
    for number in range(3):
        store.save(NoteDraft("cause of the broken walrus", f"walrus {number}", session_id="s"))
        store.save(NoteDraft("notes about another animal", f"pinned {number}", session_id="s"))
    store.save(NoteDraft("far away from all of these", "whiskers " + "of other things " * 50))

    found = [hit.nearby for hit in store.search("the broken walrus whiskers").items]
    assert found == sorted(found)
    assert found.count(False) == 4
    assert True in found


# Dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what happened on 3 May 2024?", 2),
        ("what happened in early May?", 2),
        ("what went wrong last spring?", 2),
        ("what was that in the second week of November 2024?", 3),
        ("what went wrong in the winter of 2023?", 1),
        ("last spring", 2),
    ],
)
def test_the_notes_of_a_time_are_found_without_a_word_in_common(make_database, tmp_path, text, expected):
    now = [0.0]
    store = Store(make_database(tmp_path), clock=lambda: now[0])
    days = ("2024-01-10", "2024-05-03", "2024-11-09", "2024-12-20")
    for day, each in zip(days, ("gears", "bolts", "screws", "nails"), strict=True):
        now[0] = datetime.fromisoformat(f"{day}T12:00+00:00").timestamp()
        store.save(NoteDraft("", f"the {each} came loose"))

    found = store.search(text).items
    assert found[0].note.id == expected
    assert "from the time asked about" in found[0].reasons
    assert not found[0].nearby
    store.close()


@pytest.mark.parametrize(
    "text",
    ["what changed yesterday?", "what changes were there in the second week of November?", "yesterday"],
)
def test_words_that_place_a_time_or_are_in_any_text_do_not_hide_the_notes_of_that_time(
    make_database, tmp_path, text
):
    now = [0.0]
    store = Store(make_database(tmp_path), clock=lambda: now[0])
    for day, each in (
        ("2024-10-02", "Yesterday the probe changed: it needs 5 seconds"),
        ("2024-10-03", "the parser stays without changes"),
        ("2024-11-13", "pallets come from the warehouse"),
        ("2024-11-14", ""),
    ):
        now[0] = datetime.fromisoformat(f"{day}T12:00+00:00").timestamp()
        store.save(NoteDraft("", each)) if each else None

    assert store.search(text).items[0].note.content == "pallets come from the warehouse"
    store.close()


@pytest.mark.parametrize("text", ["today", "the today view", "today widget"])
def test_today_is_found_where_a_note_says_it(store, clock, text):
    store.save(NoteDraft("Today widget crashes on start", "The Today view raises KeyError"))
    clock.pass_(days=60)

    (found,) = store.search(text).items
    assert "'today'" in found.reasons[0]


def test_a_note_that_only_says_yesterday_is_no_answer_to_what_else_was_asked(store, clock):
    store.save(NoteDraft("Cake", "Yesterday we had cake"))
    store.save(NoteDraft("Backoff", "The retry policy is exponential"))
    clock.pass_(days=60)

    assert titles(store.search("what did we decide yesterday about the retry policy")) == ["Backoff"]


@pytest.mark.parametrize("text", ["outage yesterday", "outgae yesterday", "what outage was there yesterday?"])
def test_a_note_with_the_word_comes_before_all_notes_of_the_time(store, clock, text):
    store.save(NoteDraft("Outage of the payment service", "It was down for an hour"))
    clock.pass_(days=11)
    store.save_all(
        [NoteDraft(f"Pallet {n}", f"The queue of the warehouse has {n} places") for n in range(40)]
    )
    clock.pass_(days=1)
    found = store.search(text, Query(limit=50)).items

    assert found[0].note.title == "Outage of the payment service"
    assert len(found) == 41


def test_a_note_that_says_how_long_ago_is_of_that_time(make_database, tmp_path):
    now = [0.0]
    store = Store(make_database(tmp_path), clock=lambda: now[0])
    for day, text in (
        ("2024-05-10", "walrus slept here all day"),
        ("2024-05-20", "walrus left two weeks ago"),
    ):
        now[0] = datetime.fromisoformat(f"{day}T12:00+00:00").timestamp()
        store.save(NoteDraft("", text))

    assert store.search("walrus on May 8, 2024").items[0].note.content == "walrus left two weeks ago"
    store.close()


def test_only_what_the_query_admits_is_found_by_its_date(store):
    store.save(NoteDraft("", "the bolts came loose", project="shop"))
    store.save(NoteDraft("", "the screws came loose", project="other"))

    found = store.search("what happened today?", Query(project="shop"))
    assert [hit.note.project for hit in found.items] == ["shop"]
