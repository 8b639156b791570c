"""The gate at the doors: what becomes of a note by who saves it and by the setting."""

import pytest

from modicum.app.memory.callers import at_terminal, for_agent, over_http
from modicum.app.memory.gate import ALL_WAIT, admit, admit_quietly
from modicum.app.memory.notes import open_store, save
from modicum.app.session.seen_notes import remember_seen
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.memory.model import NoteDraft, Refused, SaveOutcome
from modicum.memory.people.access import Person

GOOD = NoteDraft("Queue", "The queue moved to SQLite because Redis lost jobs on restart.", project="shop")
JUNK = NoteDraft("Tests", "All 412 tests pass now.", project="shop")
DOUBTFUL = NoteDraft(
    "Export", "The user wants `export.csv` in German because the board reads it.", project="shop"
)
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


def outcomes(store, config) -> list[SaveOutcome | str]:
    found: list[SaveOutcome | str] = []
    for draft in (GOOD, DOUBTFUL, JUNK):
        try:
            found.append(admit(store, draft, config).saved.outcome)
        except Refused:
            found.append("refused")
    return found


CREATED, INBOX = SaveOutcome.CREATED, SaveOutcome.INBOX


@pytest.mark.parametrize(
    ("gate", "found"),
    [
        ("straight", [CREATED, CREATED, "refused"]),
        ("doubtful", [CREATED, INBOX, "refused"]),
        ("inbox", [INBOX, INBOX, "refused"]),
        ("off", [CREATED, CREATED, CREATED]),
    ],
)
def test_the_setting_decides_what_becomes_of_agents_notes(setting, gate, found):
    assert outcomes(*setting(gate)) == found


@pytest.mark.parametrize("origin", [PERSON, "hook:codex", "import:engram", ""])
def test_only_agents_are_refused_or_wait(setting, origin):
    assert outcomes(*setting("inbox", origin)) == [CREATED, CREATED, CREATED]


def test_a_person_is_told_what_the_gate_thinks(setting):
    kept = save(setting("straight", PERSON)[0], JUNK, setting("straight", PERSON)[1])

    assert kept.saved.outcome is CREATED
    assert kept.remarks[0].startswith("Kept, but: it only says what was done or that it works (")


def test_a_refusal_says_what_to_do_and_writes_nothing(setting):
    store, config = setting("straight")

    with pytest.raises(Refused, match="not saved: it only says what was done") as error:
        save(store, JUNK, config)
    assert "session_summary" in (error.value.remedy or "")
    assert (store.count(), store.count_inbox()) == (0, 0)


def test_what_is_known_is_refused_by_name_and_what_waits_tells_why(setting):
    store, config = setting("inbox")
    store.accept([save(store, GOOD, config).saved.id])

    with pytest.raises(Refused, match=r'n-\w{6} "Queue" says it already'):
        save(store, GOOD._replace(title="Once more"), config)
    waits = save(store, GOOD._replace(content="The pool is 24, since the server allows 400."), config)
    assert waits.saved.outcome is INBOX
    assert waits.remarks == (f"It waits in the inbox until a person accepts it: {ALL_WAIT}.",)


@pytest.mark.parametrize("mode", ["straight", "doubtful", "inbox"])
@pytest.mark.parametrize("topic", ["", "jobs/queue"])
def test_the_same_words_once_more_are_counted_and_not_refused(setting, mode, topic):
    draft = GOOD._replace(topic_key=topic)
    store, config = setting("straight")
    first = save(store, draft, config).saved
    store, config = setting(mode)

    again = save(store, draft, config)

    assert (again.saved.id, again.saved.outcome, again.remarks) == (first.id, SaveOutcome.DUPLICATE, ())
    assert admit_quietly(store, draft, config) == again.saved
    note = store.get(first.id)
    assert (note.duplicate_count, note.revision_count) == (3, 1)


@pytest.mark.parametrize("change", [str.upper, lambda text: text.replace(" ", "\n  ")])
def test_a_text_with_a_topic_that_is_written_otherwise_replaces_the_earlier_one(setting, change):
    store, config = setting("straight", PERSON)
    draft = GOOD._replace(topic_key="jobs/queue")
    number = save(store, draft, config).saved.id

    again = save(store, draft._replace(content=change(draft.content)), config)

    assert again.saved.outcome is SaveOutcome.UPDATED
    assert store.get(number).content == change(draft.content)


def test_programs_that_know_no_gate_are_never_refused_and_their_id_holds(setting):
    store, config = setting("straight")

    saved = admit_quietly(store, JUNK, config)

    assert store.get(saved.id) is None
    assert [each.reason for each in store.inbox().items] == ["it only says what was done or that it works"]
    assert store.accept([saved.id])[0].id == saved.id
    assert admit_quietly(store, GOOD, config).outcome is CREATED


def test_who_reads_the_inbox_is_not_told_the_title_of_another_note(setting):
    store, config = setting("doubtful")
    known = admit(store, GOOD._replace(title="Only for me", scope="personal"), config).saved
    again = GOOD._replace(content="The queue moved to SQLite since Redis lost jobs, and never on restart.")

    said = save(store, again, config)

    (waiting,) = store.inbox().items
    assert "n-" in said.remarks[0]
    assert '"Only for me"' in said.remarks[0]
    assert waiting.reason == f"{store.names([known.id])[known.id]} is on the same matter"


def test_a_copy_of_an_instruction_file_and_of_the_prompt_is_refused(setting, world):
    (world.project / "AGENTS.md").write_text(
        "Golden files are in testdata/, refresh with `go test -update`.\n"
    )
    (world.project / "CLAUDE.md").write_bytes(b"\xff\xfe")
    store, config = setting("straight")
    store.start_session("s", project="shop")
    store.add_prompt(
        "lower the interval of the measurement from 30 to 15 minutes", session_id="s", project="shop"
    )

    with pytest.raises(Refused, match="copies what you were handed"):
        admit(
            store, JUNK._replace(content="Golden files in testdata/, refresh with `go test -update`."), config
        )
    asked = "I've been asked to lower the interval of the measurement from 30 to 15 minutes."
    with pytest.raises(Refused, match="repeats the prompt"):
        admit(store, JUNK._replace(content=asked, session_id="s"), config)


def test_a_copy_of_what_hooks_have_told_the_session_is_refused(setting):
    store, config = setting("straight")
    kept = admit(store, GOOD._replace(project="attic", scope="global"), config).saved
    core = config.data / "core"
    core.mkdir(parents=True)
    (core / "codex.md").write_text(
        "unless AGENTS.md\nBranches are named after the ticket, as in SHOP-12-basket.\n"
    )
    again = GOOD._replace(title="Jobs", project="shop")
    remember_seen(str(config.data), "s", (kept.id, 999), anew=True)

    with pytest.raises(Refused, match='"Queue" says it already'):
        admit(store, again._replace(session_id="s"), config)
    with pytest.raises(Refused, match="copies what you were handed"):
        admit(
            store,
            again._replace(content="Branches are named after the ticket, as in SHOP-12-basket."),
            config,
        )
    with pytest.raises(Refused, match="copies what you were handed"):
        admit(
            store,
            again._replace(content="mem_search before work that may overlap with earlier work."),
            config,
        )


def test_a_wrong_setting_is_named(world):
    world.patch.setenv("MODICUM_GATE", "shut")

    with pytest.raises(ModicumError, match='MODICUM_GATE is "shut"'):
        load_config()


def test_the_setting_stands_in_the_users_own_file_and_not_in_a_projects(world):
    world.patch.delenv("MODICUM_GATE")
    config = load_config()
    assert config.gate == "straight"
    config.folder.mkdir(parents=True)
    config.user_file.write_text("memory:\n  gate: doubtful\n")

    assert load_config().gate == "doubtful"
    config.project.mkdir()
    config.project_file.write_text("memory:\n  gate: 'off'\n")
    with pytest.raises(ModicumError, match='a project may not set "memory"'):
        load_config()


def test_callers_are_stamped_by_their_door(setting):
    store, _ = setting("off")

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
