"""Projects are found under other spellings, merged, renamed and removed."""

import pytest

from modicum.memory.model import NoteDraft, ProjectMove, Query, Refused
from modicum.memory.names import Similar


@pytest.fixture
def filled(store):
    for project in ("old", "new"):
        store.start_session(f"s-{project}", project=project, directory=f"/code/{project}")
        store.save(NoteDraft("a note", f"on walruses in {project}", "decision", project, f"s-{project}"))
        store.add_prompt("hello", session_id=f"s-{project}", project=project)
        store.put_progress(project, "{}")
    return store


def test_a_project_knows_its_folders(filled):
    assert {p.name: p.directories for p in filled.projects()} == {
        "old": ("/code/old",),
        "new": ("/code/new",),
    }


def test_similar_projects_are_looked_up(filled):
    assert filled.similar_projects("Old") == (Similar("old", "case-insensitive"),)


def test_merging_moves_everything_and_search_follows(filled):
    moved = filled.merge_projects(["OLD", "new", ""], "New")

    assert moved == ProjectMove(1, 1, 1)
    assert filled.merge_projects(["old"], "new") == ProjectMove()
    assert filled.count(Query(project="new")) == 2
    assert filled.count(Query(project="old")) == 0
    assert len(filled.search("walrus", Query(project="new")).items) == 2
    assert filled.search("walrus", Query(project="old")).items == ()
    assert filled.stats().projects == ("new",)
    assert filled.progress("old").content == "{}"
    assert filled.problems() == ()
    with pytest.raises(Refused, match="no name"):
        filled.merge_projects(["new"], " ")


def test_renaming_takes_progress_along_and_overwrites_nothing(filled):
    assert filled.rename_project("old", "fresh") == ProjectMove(1, 1, 1)
    assert filled.progress("fresh").content == "{}"
    assert filled.progress("old") is None
    with pytest.raises(Refused, match="merge the two"):
        filled.rename_project("fresh", "new")
    assert filled.rename_project("fresh", "Fresh") == ProjectMove()


def test_removing_a_project_takes_only_what_nobody_needs(filled):
    with pytest.raises(Refused, match="has 1 note"):
        filled.remove_project("old")
    (note,) = filled.recent(Query(project="old")).items
    filled.delete(note.id)

    assert filled.remove_project("old") == ProjectMove(0, 0, 1)
    assert filled.restore(note.id).session_id == "s-old"
    filled.delete(note.id, hard=True)
    assert filled.remove_project("old") == ProjectMove(0, 1, 0)
    assert [p.name for p in filled.projects()] == ["new"]
