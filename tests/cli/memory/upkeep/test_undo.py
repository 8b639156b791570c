"""modicum undo and modicum memory log"""

import re


def test_the_last_change_is_taken_back_and_done_again(two_notes) -> None:
    said = two_notes.modicum("delete", "1").out
    assert re.fullmatch(r'n-\w{6} "Queue moved to SQLite" deleted \(undo: modicum undo\)\n', said)

    dry = two_notes.modicum("undo", "--dry-run").out
    assert re.fullmatch(
        r'Batch 4, delete through cli in project\.\nWould be taken back: delete of 20..-..-.. ..:.. [+-]..:.. in project \(1 note\)\n  n-\w{6} "Queue moved to SQLite"\n',
        dry,
    )
    assert "not found" in two_notes.modicum("show", "1").err
    said = two_notes.modicum("undo").out
    assert said == dry.replace("Would be taken", "Taken") + "Do it again: modicum undo 5\n"
    assert "Queue moved" in two_notes.modicum("show", "1").out
    assert two_notes.modicum("undo", "5").code == 0
    assert "not found" in two_notes.modicum("show", "1").err


def test_what_was_changed_again_is_named_and_left(two_notes) -> None:
    two_notes.modicum("memory", "projects", "merge", two_notes.project.name, "--into", "z")
    two_notes.modicum("update", "1", "--title", "Queue")

    said = two_notes.modicum("undo", "4", "--everywhere").out
    assert re.search(r'Left, since it was changed again later:\n  n-\w{6} "Queue"\n', said)
    found = two_notes.modicum("undo", "4", "--json")
    assert found.code == 4
    assert found.json["error"]["message"] == "batch 4 was taken back already"
    assert found.json["error"]["remedy"] == "modicum undo 6 does it again"


def test_nothing_to_undo_is_said(world) -> None:
    said = world.modicum("undo")
    assert (said.code, said.out) == (4, "")
    assert "there is nothing to undo in project (modicum memory log lists" in said.err
    assert "there is no batch 9" in world.modicum("undo", "9").err


def test_the_log_goes_on_where_it_ended(two_notes) -> None:
    first = two_notes.modicum("memory", "log", "--limit", "2", "--json").json
    rest = two_notes.modicum("memory", "log", "--cursor", first["next"], "--json").json

    assert [each["id"] for each in first["batches"] + rest["batches"]] == [3, 2, 1]
    assert rest["next"] is None
    assert f"--cursor {first['next']}" in two_notes.modicum("memory", "log", "--limit", "2").out


def test_the_log_has_who_what_and_how_much(two_notes) -> None:
    two_notes.modicum("undo")
    lines = two_notes.modicum("memory", "log").out.splitlines()

    assert re.fullmatch(r"Batch  When \([+-]..:..\) +Through  Change +What", lines[0])
    assert "undo of 3" in lines[2]
    assert "relate (undone by 4)" in lines[3]
    assert re.search(r'save  +n-\w{6} "Queue moved to SQLite", 1 session$', lines[5])
    first = two_notes.modicum("memory", "log", "--limit", "1", "--json").json["batches"]
    assert [(each["id"], each["source"], each["undoes"], each["counts"]) for each in first] == [
        (4, "cli", 3, {"relation": 1})
    ]


def test_the_log_and_an_undo_name_the_project_where_it_is_not_the_one_here(two_notes) -> None:
    for name in ("api", "bar", "shop", "web"):
        two_notes.modicum("save", f"Key {name}", "Keys of 24 bytes.", "--project", name)
    for name in ("bar", "shop", "web"):
        two_notes.modicum("memory", "projects", "merge", name, "--into", "api")
    refused = two_notes.modicum("undo", "10")
    assert refused.code == 4
    assert "an undo of batch 10 reaches into api, web (modicum undo 10 --everywhere, if" in refused.err
    assert two_notes.modicum("undo", "10", "--everywhere").code == 0

    lines = two_notes.modicum("memory", "log").out.splitlines()

    assert re.fullmatch(r"Batch  When \([+-]..:..\) +Project +Through  Change +What", lines[0])
    assert re.search(r"  web +cli +undo of 10 ", lines[2])
    assert re.search(r"  project  cli +relate +1 relation$", lines[-3])
    assert " in bar, shop" not in two_notes.modicum("undo", "--dry-run", "--everywhere").out
    assert " in api (" in two_notes.modicum("undo", "--dry-run", "--everywhere").out
    assert " in project (" in two_notes.modicum("undo", "--dry-run").out


def test_more_projects_than_fit_are_counted(world, monkeypatch) -> None:
    for name in "abcd":
        world.modicum("save", "Key", "Keys of 24 bytes.", "--project", name)
    world.modicum("export", "all.json")
    monkeypatch.setenv("XDG_DATA_HOME", str(world.home / "other"))
    world.modicum("import", "all.json")

    assert world.modicum("undo").code == 4
    said = world.modicum("undo", "--everywhere").out

    assert " in a, b, c, 1 more (4 notes" in said
    assert re.search(r"import \(undone by 2\)  n-.*, 1 more, 4 sessions$", world.modicum("memory", "log").out)


def test_the_log_fits_a_small_terminal(two_notes, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    two_notes.modicum("save", "An invoice is rounded for each of its lines", "Not in sum.")
    two_notes.modicum("undo")

    lines = two_notes.modicum("memory", "log").out.splitlines()

    assert max(map(len, lines)) <= 80
    days = [line for line in lines if re.match(r" +\d+  20..-..-.. ..:..  ", line)]
    assert len(days) == 5
    assert "(undone" in days[1]
    assert '"An invoice' in days[1]


def test_several_notes_are_deleted_all_or_none(notes) -> None:
    refused = notes.modicum("delete", "1", "2", "99")
    assert refused.code == 4
    assert "there is no note #99 (modicum search finds notes)" in refused.err
    assert notes.modicum("memory", "stats", "--json").json["notes"] == 5

    said = notes.modicum("delete", "1", "2")
    assert said.out.count("deleted (undo: modicum undo)") == 2
    notes.modicum("undo")
    assert notes.modicum("memory", "stats", "--json").json["notes"] == 5
    assert notes.modicum("delete", "1", "--hard").out.endswith(' "Note 0" deleted for good\n')
    assert "deleted for good cannot come back" in notes.modicum("undo").err


def test_what_a_query_finds_is_deleted_only_after_a_yes(notes, monkeypatch) -> None:
    dry = notes.modicum("delete", "--query", "fox", "--type", "decision", "--limit", "3", "--dry-run")
    assert dry.out.count("would be deleted\n") == 3
    refused = notes.modicum("delete", "--query", "fox")
    assert refused.code == 4
    assert refused.err.count("modicum: n-") == 4
    assert "4 notes would be deleted (look at them with --dry-run, then say --yes)" in refused.err

    monkeypatch.setattr("modicum.cli.memory.delete.can_ask", lambda: True)
    monkeypatch.setattr("modicum.cli.questions.says_yes", lambda question: False)
    said = notes.modicum("delete", "--query", "fox")
    assert said.code == 4
    assert "modicum: nothing was deleted (" in said.err
    assert notes.modicum("memory", "stats", "--json").json["notes"] == 5
    done = notes.modicum("delete", "--query", "fox", "--yes", "--json").json
    assert len(set(done["ids"])) == 4
    assert len(notes.modicum("memory", "log", "--json", "--limit", "1").json["batches"][0]["notes"]) == 3
    notes.modicum("undo")
    assert notes.modicum("memory", "stats", "--json").json["notes"] == 5


def test_a_delete_names_notes_in_one_way(notes) -> None:
    for wrong in ((), ("1", "--query", "fox")):
        assert "give the notes by their ids or by --query" in notes.modicum("delete", *wrong).err
    assert "no note answers that" in notes.modicum("delete", "--query", "zebra", "--yes").err
