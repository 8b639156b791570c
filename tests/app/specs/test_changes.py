"""Changes and decisions in a real folder with a real memory, also when two work at once or one is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from modicum.app.specs import changes, decisions, project, sections
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail, Section, View, fit
from modicum.memory.model import Query
from modicum.specs.model import DecisionDraft, Status

TEXTS = sys.modules["spec_place"].TEXTS


@pytest.mark.parametrize(
    ("kind", "size"),
    [("fix", "small"), ("feature", "large"), ("refactor", "medium"), ("enhancement", "medium")],
)
def test_a_change_goes_from_description_to_completed(place, kind: str, size: str) -> None:
    moved = place.new(f"A {kind} of size {size}", kind, size)
    place.finish()
    done = changes.status(place.config, change=moved.change.id)

    assert done.change.status is Status.DONE
    assert all((place.root / moved.folder / file).stat().st_size == size for _, file, size, _ in done.stages)
    assert (place.root / moved.folder / "README.md").read_text().count("| done ") == len(done.stages)


def test_a_small_fix_takes_four_commands_and_one_text(place) -> None:
    place.new("Login fails for readers without a password")
    place.advance()
    place.advance()
    place.advance(TEXTS["tasks"])
    done = place.advance("Tests pass.\n\nVerdict: PASS")

    assert done.change.status is Status.DONE


def test_the_folder_explains_itself(place) -> None:
    folder = place.root / place.new("Readers cannot sign in").folder

    assert "# Readers cannot sign in" in (folder / "README.md").read_text()
    assert (folder / "describe.md").read_text() == "# Describe\n\nReaders cannot sign in\n"
    assert json.loads((folder / "change.json").read_text())["current_stage"] == "describe"
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "change.json", "describe.md"]


def test_one_change_to_a_branch_and_several_branches(place) -> None:
    first = place.new("One")
    with pytest.raises(ModicumError, match="is open on branch main"):
        place.new("Two")
    place.branch("two")
    second = place.new("Two")

    assert changes.status(place.config).change.id == second.change.id
    place.branch("main")
    assert changes.status(place.config).change.id == first.change.id
    place.branch("three")
    with pytest.raises(ModicumError, match="several changes are open"):
        changes.status(place.config)


def test_a_worktree_has_a_branch_of_its_own(place, tmp_path: Path) -> None:
    git = place.root / ".git" / "worktrees" / "side"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/side\n")
    (git / "commondir").write_text("../..\n")
    side = tmp_path / "side"
    side.mkdir()
    (side / ".git").write_text(f"gitdir: {git}\n")
    moved = changes.new_change(load_config(place.environment, side), None, "fix", "small", "Aside")

    assert moved.change.branch == "side"
    assert place.new("Here").change.branch == "main"
    place.branch("side")
    assert changes.list_changes(load_config(place.environment, side)).changes[0][1] == ""


def test_medium_and_large_changes_build_on_something(place) -> None:
    (place.root / "docs" / "requirements.md").unlink()
    for size in ("medium", "large"):
        with pytest.raises(ModicumError, match="builds on them"):
            place.new(size=size)

    assert "has little to go by" in place.new().remarks[0].message


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_change_needs_words(place, text: str) -> None:
    with pytest.raises(ModicumError, match="needs a description"):
        place.new(text)


def test_two_of_a_name_get_numbers(place) -> None:
    names = []
    for _ in range(3):
        names.append(place.new("Same words").change.id)
        changes.cancel(place.config, place.store)

    assert names == ["same-words", "same-words-2", "same-words-3"]


# Gates


def test_a_shut_gate_keeps_the_text_and_the_stage(place) -> None:
    place.new(size="medium")
    place.advance()
    place.advance()
    shut = place.advance("- FR-001: TBD\n")
    again = place.advance("- FR-001: The page refuses it.\n")

    assert (shut.advanced, shut.change.current) == (False, "spec")
    assert "TBD" in str(shut.complaints[0])
    assert (again.advanced, again.change.current) == (True, "tasks")


def test_requirements_must_be_covered_and_ids_must_exist(place) -> None:
    place.new(size="medium")
    place.advance()
    place.advance()
    place.advance("- FR-001: The page refuses it.\n- FR-002: It says why.\n")
    shut = place.advance("- [ ] T1: a (FR-001, NFR-001)\n- [ ] T2: b (FR-009)\n")

    assert [str(each).split(" ", 1)[1].split(" (")[0] for each in shut.complaints] == [
        "FR-002",
        "FR-009 is defined nowhere",
    ]


def test_a_change_with_open_tasks_or_a_failed_verdict_is_not_completed(place) -> None:
    place.new()
    place.advance()
    place.advance()
    place.advance("- [ ] T1: a\n")
    opened = place.advance("Verdict: PASS")
    tasks = place.root / opened.folder / "tasks.md"
    tasks.write_text(tasks.read_text().replace("[ ]", "[x]"))
    failed = place.advance("Verdict: FAIL")
    passed = place.advance("Verdict: PASS")

    assert [moved.advanced for moved in (opened, failed, passed)] == [False, False, True]
    assert "T1" in str(opened.complaints[0])
    assert failed.change.status is Status.ACTIVE


def test_a_gate_can_be_passed_for_a_reason_that_all_can_read(place) -> None:
    place.new()
    place.advance()
    place.advance()
    moved = place.advance("no tasks", despite="the tracker has them")

    assert moved.advanced
    assert (
        "despite a shut gate: the tracker has them" in (place.root / moved.folder / "README.md").read_text()
    )


def test_the_check_is_run_and_kept_whatever_the_caller_says(place) -> None:
    place.write("AGENTS.md", "- Never change the login.\n")
    moved = place.new("Change the login")
    place.advance()
    place.advance("x")
    text = (place.root / moved.folder / "context-check.md").read_text()

    assert text.startswith("x\n")
    assert "Never change the login." in text
    assert "change:" not in text


# Edits by hand


def test_what_somebody_wrote_is_not_overwritten(place) -> None:
    moved = place.new()
    file = place.root / moved.folder / "describe.md"
    file.write_text("My own words about the login.\n")
    with pytest.raises(ModicumError, match="words that somebody wrote"):
        place.advance("The agent's words.")

    assert file.read_text() == "My own words about the login.\n"
    assert place.advance().advanced
    assert file.read_text() == "My own words about the login.\n"


def test_an_edit_after_the_fact_is_noticed(place) -> None:
    folder = place.root / place.new().folder
    place.advance(TEXTS["describe"])
    (folder / "describe.md").write_bytes(TEXTS["describe"].replace("\n", "\r\n").encode())
    before = changes.status(place.config)
    (folder / "describe.md").write_text("Other words.\n")

    assert [edited for *_, edited in before.stages] == [False] * 4
    assert [edited for *_, edited in changes.status(place.config).stages] == [True, False, False, False]


def test_text_beside_our_part_of_the_page_and_keys_of_others_stay(place) -> None:
    folder = place.root / place.new().folder
    page, record = folder / "README.md", folder / "change.json"
    page.write_text(page.read_text() + "\nAsk Ann before merging.\n")
    record.write_text(json.dumps({**json.loads(record.read_text()), "ticket": "X-1"}))
    place.advance()

    assert "Ask Ann before merging." in page.read_text()
    assert "open, at **context-check**" in page.read_text()
    assert json.loads(record.read_text())["ticket"] == "X-1"


def test_a_replacement_that_is_asked_for_is_made(place) -> None:
    file = place.root / place.new().folder / "describe.md"
    file.write_text("Mine.\n")

    assert place.advance("Yours, and more words.", replacing=True).advanced
    assert file.read_text() == "Yours, and more words.\n"


# Back and forth


def test_back_reopen_resize_cancel_archive(place) -> None:
    name = place.new().change.id
    place.advance()
    assert changes.back(place.config).change.current == "describe"
    place.advance()
    assert changes.resize(place.config, "medium").change.current == "context-check"
    cancelled = changes.cancel(place.config, place.store, reason="no time")
    assert cancelled.change.status is Status.CANCELLED
    archived = changes.archive(place.config, change=name)
    assert archived.folder == f"docs/history/{name}"
    assert not (place.root / "docs" / "changes" / name).exists()
    opened = changes.reopen(place.config, place.store, change=name)
    assert (opened.folder, opened.change.current) == (f"docs/changes/{name}", "context-check")
    place.finish()
    with pytest.raises(ModicumError, match="is completed"):
        place.advance("x", change=name)


def test_archiving_never_hits_another_folder(place) -> None:
    name = place.new().change.id
    place.write(f"docs/history/{name}/notes.md", "mine")
    changes.cancel(place.config, place.store)
    with pytest.raises(ModicumError, match="is there already"):
        changes.archive(place.config, change=name)

    assert (place.root / "docs" / "changes" / name / "change.json").exists()


def test_an_empty_text_and_a_stage_that_is_past_are_refused(place) -> None:
    place.new()
    for more, word in (({"content": " "}, "is empty"), ({"stage": "spec"}, "is at describe, not at spec")):
        with pytest.raises(ModicumError, match=word):
            place.advance(**more)


def test_forgotten_changes_are_shown(place) -> None:
    folder = place.root / place.new("One").folder
    record = json.loads((folder / "change.json").read_text())
    (folder / "change.json").write_text(json.dumps({**record, "updated_at": "2020-01-01T00:00:00Z"}))
    place.branch("gone")
    place.new("Two")
    place.branch("main")
    (place.root / ".git" / "refs" / "heads" / "gone").unlink()
    stale = {change.id: why for change, why in changes.list_changes(place.config).changes}

    assert stale["one"].startswith("untouched for ")
    assert stale["two"] == "its branch gone is gone"


def test_a_broken_change_is_told_and_the_others_work(place) -> None:
    place.new("One")
    place.write("docs/changes/broken/change.json", "{")
    listed = changes.list_changes(place.config)

    assert [change.id for change, _ in listed.changes] == ["one"]
    assert "docs/changes/broken/change.json" in listed.troubles[0]


def test_documents_are_found_from_a_folder_below(place) -> None:
    place.write("packages/api/docs/changes/.keep", "")
    (place.root / "packages" / "web" / "src").mkdir(parents=True)
    api = load_config(place.environment, place.root / "packages" / "api")
    web = load_config(place.environment, place.root / "packages" / "web" / "src")

    assert changes.new_change(api, None, "fix", "small", "Here").folder == "packages/api/docs/changes/here"
    assert changes.new_change(web, None, "fix", "small", "There").folder == "docs/changes/there"


def test_the_folder_of_documents_can_be_chosen(place) -> None:
    place.write(".modicum/config.yaml", "docs: specs/all\n")
    place.write(".modicum/flows.yaml", "types: {hotfix: {tiny: [describe, verify]}}\n")
    moved = changes.new_change(place.config, None, "hotfix", "tiny", "Now")

    assert (place.root / "specs" / "all" / "changes" / "now" / "describe.md").exists()
    assert [step.name for step in moved.change.steps] == ["describe", "verify"]


@pytest.mark.parametrize("path", ["../out", "/etc", "~/x", "C:\\x"])
def test_documents_stay_below_the_project(place, path: str) -> None:
    place.write(".modicum/config.yaml", f"docs: '{path}'\n")
    with pytest.raises(ModicumError, match="below the project"):
        _ = place.config


# Memory


def test_stages_and_decisions_are_remembered_with_their_project(place) -> None:
    name = place.new("Sign in with a key").change.id
    place.advance("Readers sign in with a hardware key.")
    first = decisions.new_decision(
        place.config, place.store, DecisionDraft("Use WebAuthn", "c", "WebAuthn it is", "r")
    ).decision
    second = decisions.new_decision(
        place.config, place.store, DecisionDraft("Keep sessions", "c", "d", "r")
    ).decision
    notes = {note.topic_key: note for note in place.store.recent(Query(project="shop", limit=50)).items}

    assert notes.keys() == {f"change/shop/{name}", "adr/shop/001", "adr/shop/002"}
    assert (first.number, second.number, first.change) == ("001", "002", name)
    links = place.store.relations(notes["adr/shop/001"].id)
    assert [(link.type, link.to_id) for link in links] == [("part_of", notes[f"change/shop/{name}"].id)]
    found = place.store.search("hardware key", Query(project="shop")).items
    assert found[0].note.topic_key == f"change/shop/{name}"
    assert json.loads((place.root / "docs" / "changes" / name / "change.json").read_text())["adrs"] == [
        "001",
        "002",
    ]


@pytest.mark.parametrize(("kind", "size"), [("fix", "small"), ("feature", "large")])
def test_the_stages_of_a_change_are_one_note_that_is_updated(place, kind: str, size: str) -> None:
    name = place.new("Sign in with a key", kind, size).change.id
    place.finish()
    (note,) = place.store.recent(Query(project="shop", limit=50)).items
    recalled = place.store.recalled("shop", 50)
    wordings = [revision.content for revision in place.store.history(note.id)]

    assert (note.title, note.topic_key) == (name, f"change/shop/{name}")
    assert f"A {size} {kind}, completed." in note.content
    assert "## tasks\n\n- [x] T1: Check it" in note.content
    assert "## verify\n\nRan the tests." in note.content
    assert "context-check" not in note.content
    assert [each.id for each in recalled.notes] == [note.id]
    steps = [step.name for step in changes.status(place.config, change=name).change.steps]
    assert note.revision_count == len(steps)  # its beginning, and every stage but the context check
    assert wordings[0] == note.content
    assert len(wordings) == len(steps)
    assert not any("## verify" in each for each in wordings[1:])


def test_a_change_that_is_cancelled_and_reopened_stays_one_note(place) -> None:
    name = place.new("Sign in with a key").change.id
    place.advance("Readers sign in.")
    changes.cancel(place.config, place.store, change=name, reason="no time")
    (cancelled,) = place.store.recent(Query(project="shop")).items
    changes.reopen(place.config, place.store, change=name)
    (reopened,) = place.store.recent(Query(project="shop")).items

    assert "cancelled. no time" in cancelled.content
    assert "## describe\n\nReaders sign in." in cancelled.content
    assert "active." in reopened.content
    assert cancelled.id == reopened.id


def test_changes_with_long_names_in_any_script_are_notes_of_their_own(place) -> None:
    words = "登录页面拒绝空密码" * 6
    for _ in range(2):
        place.new(words)
        changes.cancel(place.config, place.store)
    notes = place.store.recent(Query(project="shop")).items

    assert len({note.topic_key for note in notes}) == 2
    assert len({note.title for note in notes}) == 2


def test_a_superseded_decision_says_so_in_its_file_and_in_memory(place) -> None:
    decisions.new_decision(place.config, place.store, DecisionDraft("Use Redis", "c", "d", "r"))
    later = decisions.new_decision(
        place.config, place.store, DecisionDraft("No Redis", "c", "d", "r"), supersedes="1"
    ).decision
    first = decisions.show_decision(place.config, "1")

    assert (first.status, first.superseded_by) == ("superseded", "002")
    assert "Supersedes: [001](001-use-redis.md)" in later.text
    notes = {note.topic_key: note for note in place.store.recent(Query(project="shop")).items}
    assert "superseded by" in notes["adr/shop/001"].content
    assert [link.type for link in place.store.relations(notes["adr/shop/002"].id)] == ["supersedes"]
    with pytest.raises(ModicumError, match="superseded by 002 already"):
        decisions.new_decision(place.config, place.store, DecisionDraft("x", "c", "d", "r"), supersedes="1")


# Projects


FIELDS = {
    "principles": {"principles": "- Money is whole cents."},
    "charter": dict.fromkeys(
        ("problem_statement", "target_users", "proposed_solution", "success_criteria"), "Words."
    ),
    "requirements": {
        "must_have": "- **FR-001**: a b",
        "should_have": "- **FR-002**: c d",
        "non_functional": "- **NFR-1**: e",
    },
    "business-rules": dict.fromkeys(("definitions", "facts", "constraints"), "- Words."),
}
CLEAR = ",".join(f"{name}:80" for name in project.DIMENSIONS)


def test_a_project_goes_through_its_stages_and_back(place) -> None:
    (place.root / "docs" / "requirements.md").unlink()
    project.init_project(place.config, "Shop", "Sells books")
    for stage, fields in FIELDS.items():
        assert project.write_stage(place.config, place.store, stage, fields).advanced
    weak = project.clarify(place.config, place.store, "none", "x:50")
    scored = project.clarify(place.config, place.store, "No.", CLEAR)
    passed = project.clarify(place.config, place.store, "Readers pay in euros only, by card.", CLEAR)
    design = dict.fromkeys(
        ("architecture_overview", "tech_stack", "components", "data_model"), "FR-001 FR-002 NFR-1"
    )
    assert project.write_stage(place.config, place.store, "design", design).advanced
    tasks = {"tasks": "- [ ] T1: all (FR-001, FR-002, NFR-1)"}
    assert project.write_stage(place.config, place.store, "tasks", tasks).advanced
    report = dict.fromkeys(("requirements_coverage", "component_coverage", "consistency_issues"), "Fine.")
    failed = project.write_stage(place.config, place.store, "validate", {**report, "verdict": "FAIL"})
    assert project.back_to(place.config, "design").current == "design"
    text = (place.root / "docs" / "clarifications.md").read_text()

    assert [each.advanced for each in (weak, scored, passed, failed)] == [False, False, True, False]
    assert text.count("# Shop: Clarify") == 1
    assert [line for line in text.splitlines() if line.startswith("## Round")] == [
        "## Round 1",
        "## Round 2",
        "## Round 3",
    ]


def test_a_stage_out_of_turn_and_missing_parts_are_refused(place) -> None:
    with pytest.raises(ModicumError, match="no specs yet"):
        project.write_stage(place.config, place.store, "charter", {})
    project.init_project(place.config, "Shop", "Sells books")
    for stage, fields, word in (
        ("charter", FIELDS["charter"], "at principles, not at charter"),
        ("principles", {"coding_standards": "x"}, "principles needs principles"),
        ("principles", {}, "no docs/principles.md yet"),
        ("init", {}, "has no document"),
    ):
        with pytest.raises(ModicumError, match=word):
            project.write_stage(place.config, place.store, stage, fields)
    with pytest.raises(ModicumError, match="a project already"):
        project.init_project(place.config, "Shop", "Again")
    for name, mode in ((" ", "guided"), ("x", "odd")):
        with pytest.raises(ModicumError):
            project.init_project(place.config, name, "d", mode)


def test_a_document_that_somebody_wrote_is_not_replaced(place) -> None:
    project.init_project(place.config, "Shop", "Sells books")
    place.write("docs/principles.md", "# Ours\n\nWe wrote this.\n")
    with pytest.raises(ModicumError, match="words that somebody wrote"):
        project.write_stage(place.config, place.store, "principles", FIELDS["principles"])

    assert project.write_stage(place.config, place.store).stage.id == "principles"


def text_of(found: tuple[Section, ...], detail: Detail = Detail.FULL) -> str:
    return fit(found, View(detail)).text


def test_the_overview_names_every_document_and_takes_every_name(place) -> None:
    project.init_project(place.config, "Shop", "Sells books")
    brief = text_of(sections.standing(place.config, str), Detail.SUMMARY)

    assert "# Shop (guided), at principles" in brief
    assert "business-rules.md" in brief
    for name in ("requirements", "specify", "clarifications", "clarify", "validation"):
        assert text_of(sections.document(place.config, name))
    with pytest.raises(ModicumError, match="there is no stage"):
        sections.document(place.config, "nonexistent")


def test_a_scan_never_leaves_the_project(place, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("x")
    (tmp_path / "AGENTS.md").write_text("secret")
    place.write("src/a.py", "x")
    (place.root / "away").symlink_to(tmp_path)
    (place.root / "AGENTS.md").symlink_to(tmp_path / "AGENTS.md")
    for path in ("../..", "..", "/etc", "away", "src/../../.."):
        with pytest.raises(ModicumError, match="outside of the project"):
            sections.contents(place.config, path)
    with pytest.raises(ModicumError, match="is no folder"):
        sections.contents(place.config, "src/a.py")

    assert "secret" not in text_of(sections.contents(place.config))
    assert "- src/" in text_of(sections.contents(place.config))


def test_bootstrap_writes_drafts_and_replaces_nothing(place) -> None:
    place.write("AGENTS.md", "- Never use Redis.\n")
    place.write("src/a.py", "x")
    started = project.bootstrap(place.config)
    again = project.bootstrap(
        place.config, {"requirements": {"must_have": "x"}, "design": {"tech_stack": "y"}}
    )

    assert started.written == ("docs/business-rules.md", "docs/design.md")
    assert "> Draft" in (place.root / "docs" / "business-rules.md").read_text()
    assert again.skipped == ("docs/requirements.md", "docs/design.md")


def test_an_empty_project_has_nothing_to_draft(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(ModicumError, match="nothing to write a draft from"):
        project.bootstrap(
            load_config({"HOME": str(tmp_path), "MODICUM_HOME": str(tmp_path / "own")}, tmp_path / "x")
        )


# Two at once, and one who is killed

WORKER = """
import sys
from pathlib import Path
from modicum.app.specs import changes, decisions
from modicum.base.config import load_config
from modicum.specs.model import DecisionDraft
home, name = Path(sys.argv[1]), sys.argv[2]
config = load_config({"HOME": str(home), "MODICUM_HOME": str(home / "own")}, home / "shop")
print("ready", flush=True)
sys.stdin.readline()
"""
DECIDE = (
    "for n in range(3): decisions.new_decision(config, None, DecisionDraft(f'{name} {n}', 'c', 'd', 'r'))"
)
ADVANCE = "changes.advance(config, None, content=f'Words of {name}, all of them.', change='one')"
CIRCLE = """
while True:
    changes.advance(config, None, content='- [x] T1: a', replacing=True, change='one')
    changes.back(config, to='describe', change='one') if name else None
    print('.', flush=True)
"""


def worker(place, name: str, work: str) -> subprocess.Popen[str]:
    source = Path(changes.__file__).parents[3]
    environment = {"PYTHONPATH": str(source), "PATH": os.environ.get("PATH", "")}
    command = [sys.executable, "-c", WORKER + work, str(place.home), name]
    started = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


def run_both(place, work: str) -> None:
    both = [worker(place, name, work) for name in ("ann", "ben")]
    for each in both:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in both:
        _, said = each.communicate(timeout=60)
        assert each.returncode == 0, said


def test_two_who_decide_at_once_lose_nothing(place) -> None:
    place.new("One")
    run_both(place, DECIDE)
    found = decisions.list_decisions(place.config)

    assert [each.number for each in found] == [f"{number:03}" for number in range(1, 7)]
    assert {each.title for each in found} == {
        f"{name} {number}" for name in ("ann", "ben") for number in range(3)
    }
    assert len(changes.status(place.config).change.adrs) == 6


def test_two_who_advance_at_once_lose_nothing(place) -> None:
    place.new("One", size="small")
    run_both(place, ADVANCE)
    folder = place.root / "docs" / "changes" / "one"
    written = "".join(path.read_text() for path in folder.glob("*.md"))

    assert changes.status(place.config).change.current == "tasks"
    assert all(f"Words of {name}, all of them." in written for name in ("ann", "ben"))


def test_who_is_killed_leaves_a_project_that_can_be_read(place) -> None:
    place.new("One")
    for moment in (0.0, 0.013, 0.031):
        busy = worker(place, "killed", CIRCLE)
        assert busy.stdin is not None
        assert busy.stdout is not None
        busy.stdin.write("go\n")
        busy.stdin.flush()
        busy.stdout.readline()
        time.sleep(moment)
        busy.send_signal(signal.SIGKILL)
        busy.communicate(timeout=30)
        listed = changes.list_changes(place.config)

        assert listed.troubles == ()
        assert changes.back(place.config, to="describe", change="one").change.current == "describe"
    assert place.advance().advanced


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes in folders")
def test_a_pipe_in_the_place_of_a_document_is_refused_and_not_waited_for(place) -> None:
    file = place.root / place.new().folder / "describe.md"
    file.unlink()
    os.mkfifo(file)
    os.mkfifo(place.root / "package.json")
    os.mkfifo(place.root / "AGENTS.md")

    with pytest.raises(ModicumError, match="not a regular file"):
        place.advance()
    assert project.bootstrap(place.config, {"design": {"components": "- a"}}).written == ("docs/design.md",)
    assert "package.json" not in shown(sections.contents(place.config, ""))


def test_a_document_that_is_a_link_out_of_the_project_is_not_shown(place, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("The key is under the mat.\n")
    (place.root / "docs" / "design.md").symlink_to(tmp_path / "secret.md")

    for found in (sections.standing(place.config, str), sections.document(place.config, "design")):
        assert "mat" not in shown(found)


def shown(found: tuple[Section, ...]) -> str:
    return fit(found, View(detail=Detail.FULL)).text


def test_a_key_is_kept_out_of_every_spec_file(place) -> None:
    key = "sk-ant-" + "api03-" + "Qw3rTy7UiOp" * 8 + "-AA"
    (place.root / "docs" / "requirements.md").unlink()
    project.init_project(place.config, f"Shop {key}", f"Sells {key}")
    project.write_stage(
        place.config, place.store, "principles", content=f"# Rules\n\nUse {key}.\n", despite="x"
    )
    project.write_stage(place.config, place.store, "charter", dict.fromkeys(FIELDS["charter"], f"Use {key}."))
    project.bootstrap(place.config, {"design": {"tech_stack": f"By {key}."}}, name=f"Shop {key}")

    files = [path for path in (place.root / "docs").rglob("*") if path.is_file()]
    assert any("[REDACTED]" in path.read_text() for path in files)
    assert [path.name for path in files if "Qw3rTy7UiOp" in path.read_text()] == []
