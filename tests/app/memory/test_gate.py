"""What becomes of a note at the doors: kept, linked, with a low standing, or in the inbox where the setting says so."""

import pytest

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import answer
from modicum.app.memory.callers import at_terminal, for_agent, over_http
from modicum.app.memory.notes import ALL_WAIT, SAY_MORE, open_store, save
from modicum.app.memory.recall import recall, search
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.memory.model import NoteDraft, Query, Refused, SaveOutcome
from modicum.memory.people.access import Person

GOOD = NoteDraft("Queue", "The queue moved to SQLite because Redis lost jobs on restart.", project="shop")
JUNK = NoteDraft("Tests", "All 412 tests pass now.", project="shop")
AGENT, PERSON = "agent:codex", "person"


@pytest.fixture
def setting(world):
    """Opens the store with a setting of the gate, as somebody."""
    opened = []

    def choose(gate: str, origin: str = AGENT):
        world.patch.setenv("MODICUM_GATE", gate)
        config = load_config()
        store = open_store(config).with_origin(origin)
        opened.append(store)
        return store, config

    yield choose
    for store in opened:
        store.close()


CREATED, INBOX = SaveOutcome.CREATED, SaveOutcome.INBOX


@pytest.mark.parametrize("origin", [AGENT, PERSON, "hook:codex", "import:engram", ""])
@pytest.mark.parametrize("draft", [GOOD, JUNK])
def test_nothing_is_refused_for_what_it_says_and_nothing_waits(setting, origin, draft):
    store, config = setting("open", origin)

    assert save(store, draft, config).saved.outcome is CREATED
    assert (store.count(), store.count_inbox()) == (1, 0)


@pytest.mark.parametrize("draft", [GOOD, JUNK])
def test_with_an_inbox_everything_waits_that_an_agent_saves(setting, draft):
    store, config = setting("inbox")

    waits = save(store, draft, config)

    assert waits.saved.outcome is INBOX
    assert waits.remarks == (f"It waits in the inbox until a person accepts it: {ALL_WAIT}.",)
    assert (store.count(), store.count_inbox()) == (0, 1)


@pytest.mark.parametrize("origin", [PERSON, "hook:codex", "import:engram", ""])
def test_only_agents_wait(setting, origin):
    store, config = setting("inbox", origin)

    assert save(store, JUNK, config).saved.outcome is CREATED


def test_what_looks_like_junk_is_kept_and_its_author_is_told(setting):
    store, config = setting("open")

    kept = save(store, JUNK, config)

    assert kept.remarks == (f"Kept, but last in search: it names nothing in particular ({SAY_MORE}).",)
    assert save(setting("open", PERSON)[0], JUNK._replace(project="attic"), config).remarks == ()


def test_what_says_nearly_the_same_is_kept_and_linked(setting):
    store, config = setting("open")
    first = save(store, GOOD, config)

    again = save(store, GOOD._replace(title="Jobs", content=f"{GOOD.content} And so it is."), config)

    assert again.saved.outcome is CREATED
    assert again.remarks == (f"Kept; {first.note.public_id} says nearly the same: relate or merge them.",)
    assert [(edge.to_id, edge.type) for edge in store.relations(again.note.id)] == [
        (first.note.id, "restates")
    ]


REPLACED = (
    "Kept; it comes before {}, which it seems to replace: relate them (supersedes), or delete that one."
)
LONG = (
    "The importer of the nightly price lists reads every file in blocks of 500 rows, because the table is "
    "locked while a block is written and the shop has to answer meanwhile."
)


def test_what_replaces_an_older_fact_says_so_and_the_older_one_is_marked(setting):
    store, config = setting("open")
    first = save(store, GOOD._replace(title="Importer", content=LONG), config)

    again = save(store, GOOD._replace(title="Importer", content=LONG.replace("500", "200")), config)

    assert again.remarks == (REPLACED.format(first.note.public_id),)
    found = answer(search(store, "blocks of rows of the importer", Query(), Amount()), Amount())
    marks = f"({again.note.public_id} seems to replace it)"
    assert (
        found.page.text.index("200 rows") < found.page.text.index(marks) < found.page.text.index("500 rows")
    )
    recalled = answer(recall(store, Query(project="shop"), Amount()), Amount()).page.text
    assert recalled.index(again.note.public_id) < recalled.index(f"{first.note.public_id} 2")
    assert marks in recalled
    store.delete(again.note.id)
    assert marks not in answer(recall(store, Query(project="shop"), Amount()), Amount()).page.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Backups of eu-west-1 are kept for 30 days", "Backups of us-east-1 are kept for 30 days"),
        ("The orders service retries 3 times", "The refunds service retries 3 times"),
        (LONG.replace("price", "stock"), LONG),
    ],
)
def test_different_facts_in_the_same_words_are_both_kept_and_found(setting, one, other):
    store, config = setting("open")

    kept = [save(store, GOOD._replace(title=text[:40], content=text), config) for text in (one, other)]

    assert [each.saved.outcome for each in kept] == [CREATED, CREATED]
    for each in kept:
        hits = store.search(each.note.content, Query(project="shop")).items
        assert hits[0].note.id == each.note.id


def test_what_others_keep_for_themselves_is_linked_to_nothing(setting):
    store, config = setting("open")
    mia, bob = (store.seen_by(Person(name)) for name in ("mia", "bob"))
    mia.save(GOOD._replace(scope="personal"))

    assert (
        save(bob, GOOD._replace(title="Jobs", content=f"{GOOD.content} So it is."), config).saved.linked == 0
    )
    assert save(bob, GOOD._replace(scope="personal"), config).saved.linked == 0


def test_summaries_and_what_specs_keep_are_linked_to_nothing(setting):
    store, config = setting("open")
    summary = NoteDraft("Done", LONG, "session_summary", project="shop")

    assert save(store, summary, config).saved.linked == 0
    assert (
        save(store, summary._replace(title="Once more", content=f"{LONG} So it is."), config).saved.linked
        == 0
    )


@pytest.mark.parametrize(
    "text", ["<private>all of it</private>", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", " \n"]
)
def test_only_what_leaves_nothing_is_refused(setting, text):
    store, config = setting("open")

    with pytest.raises(Refused, match="there is nothing to save"):
        save(store, GOOD._replace(content=text), config)


def test_what_held_a_secret_is_kept_without_it(setting):
    store, config = setting("open")

    kept = save(store, GOOD._replace(content="The token is <private>abc</private> in the vault."), config)

    assert kept.note.content == "The token is [REDACTED] in the vault."
    assert kept.remarks == ("What is private or looks like a secret was taken out.",)


def test_an_undo_takes_the_link_back_with_the_note(setting):
    store, config = setting("open")
    first = save(store, GOOD, config)
    save(store, GOOD._replace(title="Jobs", content=f"{GOOD.content} And so it is."), config)

    store.undo()

    assert store.relations(first.note.id) == ()


@pytest.mark.parametrize("mode", ["open", "inbox"])
@pytest.mark.parametrize("topic", ["", "jobs/queue"])
def test_the_same_words_once_more_are_counted_and_not_refused(setting, mode, topic):
    draft = GOOD._replace(topic_key=topic)
    store, config = setting("open")
    first = save(store, draft, config).saved
    store, config = setting(mode)

    again = save(store, draft, config)

    assert (again.saved.id, again.saved.outcome, again.remarks) == (first.id, SaveOutcome.DUPLICATE, ())
    assert save(store, draft, config).saved == again.saved
    note = store.get(first.id)
    assert (note.duplicate_count, note.revision_count) == (3, 1)


@pytest.mark.parametrize("change", [str.upper, lambda text: text.replace(" ", "\n  ")])
def test_a_text_with_a_topic_that_is_written_otherwise_replaces_the_earlier_one(setting, change):
    store, config = setting("open", PERSON)
    draft = GOOD._replace(topic_key="jobs/queue")
    number = save(store, draft, config).saved.id

    again = save(store, draft._replace(content=change(draft.content)), config)

    assert again.saved.outcome is SaveOutcome.UPDATED
    assert store.get(number).content == change(draft.content)


def test_a_text_with_a_topic_is_a_revision_whatever_it_says(setting):
    store, config = setting("open")
    draft = GOOD._replace(topic_key="jobs/queue")
    first = save(store, draft, config)

    again = save(store, draft._replace(content="All tests pass now."), config)

    assert (again.note.id, again.saved.outcome) == (first.note.id, SaveOutcome.UPDATED)


def test_a_wrong_setting_is_named(world):
    world.patch.setenv("MODICUM_GATE", "shut")

    with pytest.raises(ModicumError, match='MODICUM_GATE is "shut"'):
        load_config()


def test_the_setting_stands_in_the_users_own_file_and_not_in_a_projects(world):
    world.patch.delenv("MODICUM_GATE", raising=False)
    config = load_config()
    assert config.gate == "open"
    config.folder.mkdir(parents=True)
    config.user_file.write_text("memory:\n  gate: inbox\n")

    assert load_config().gate == "inbox"
    config.project.mkdir()
    config.project_file.write_text("memory:\n  gate: inbox\n")
    with pytest.raises(ModicumError, match='a project may not set "memory"'):
        load_config()


def test_callers_are_stamped_by_their_door(setting):
    store, _ = setting("open")

    assert at_terminal(store, {}, has_terminal=True).origin == "person"
    assert at_terminal(store, {"GEMINI_CLI": "1"}, has_terminal=True).origin == "agent:gemini-cli"
    assert for_agent(store, "Codex").origin == "agent:codex"
    assert at_terminal(store, {}, has_terminal=False).origin == "script"
    assert over_http(store).origin == over_http(store, by_hook=True).origin == "script"
    of = {word: store.seen_by(Person("mia", token=1, purpose=word)) for word in ("agent", "script", "person")}
    assert [over_http(each).origin for each in of.values()] == ["agent", "script", "script"]
    assert [for_agent(each, "Codex").origin for each in of.values()] == [
        "agent:codex",
        "script",
        "agent:codex",
    ]


def test_a_low_note_is_told_in_no_session_start_and_at_no_prompt_and_is_last_in_search(setting):
    store, config = setting("open")
    low = save(store, NoteDraft("Queue", "All tests pass now", project="shop"), config).saved.id
    good = [
        save(store, NoteDraft(f"Queue {n}", f"{GOOD.content} {n} tests.", project="shop"), config).saved.id
        for n in range(3)
    ]

    told = store.recalled("shop", 10)
    assert {note.id for note in (*told.pinned, *told.notes)} == set(good)
    assert low not in {
        note.id
        for note in store.notes_for_prompt("do all tests of the queue pass now?", Query(project="shop"))
    }
    found = [hit.note.id for hit in store.search("all tests pass now", Query(project="shop")).items]
    assert found[-1] == low
    assert store.count() == 4


def test_a_low_note_that_is_saved_again_stays_low(setting):
    store, config = setting("open")
    for _ in range(3):
        save(store, NoteDraft("Queue", "All tests pass now", project="shop"), config)

    assert store.recalled("shop", 10).notes == ()
