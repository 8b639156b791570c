"""modicum import"""

import json
import re

from modicum.memory.model import Unusable


def test_what_could_not_come_is_told_with_its_place(two_notes) -> None:
    records = [{"session_id": "s", "title": f"t{n}", "created_at": "soon"} for n in range(25)]
    two_notes.write(
        "odd.json", json.dumps({"observations": [*records, {"session_id": "s", "title": "good"}]})
    )
    said = two_notes.modicum("import", "odd.json")

    assert said.code == 0
    assert (
        said.out
        == "This is engram's export.\n1 note came in.\n25 could not come:\nTake it back: modicum import --undo\n"
    )
    assert said.err.splitlines()[0] == 'modicum: notes, item 1: created_at: "soon" is no time'
    assert said.err.splitlines()[-1] == "modicum: and 5 more; --json tells them all"
    assert len(two_notes.modicum("import", "odd.json", "--json").json["problems"]) == 25


def test_what_reads_otherwise_here_is_told(two_notes) -> None:
    two_notes.modicum("export", "backup.json")
    two_notes.modicum("update", "1", "--content", "Redis was too slow.")
    said = two_notes.modicum("import", "backup.json")

    assert said.out == (
        "This is modicum's export.\nNothing came in.\nHere already: 1 session, 2 notes, 1 relation.\n"
        "1 note of these reads otherwise here, and stays so.\n"
    )
    assert two_notes.modicum("import", "backup.json", "--json").json["differ"] == 1


def test_a_name_with_a_line_end_is_told_on_one_line(two_notes) -> None:
    two_notes.write("notes/two\nlines.md", "")
    two_notes.write("notes/good.md", "words")

    assert two_notes.modicum("import", "notes", "--yes").err == "modicum: two\\nlines.md: it is empty\n"


def test_what_is_no_export_is_refused(notes) -> None:
    notes.write("no.json", "{]")

    said = notes.modicum("import", "no.json")
    assert said.code == 4
    assert "no.json is not JSON that can be read: from line 1, column 2 on (see whether" in said.err


def test_a_folder_with_one_markdown_file_is_still_a_folder(world) -> None:
    world.write("md/one.md", "# One\n\nText.\n")

    assert world.modicum("import", "md", "--dry-run").out.startswith("This is a folder of Markdown notes.\n")
    assert world.modicum("import", "md/one.md", "--dry-run").out.startswith("This is a Markdown note.\n")


def test_the_files_of_a_repository_come_in_only_after_a_yes(world, monkeypatch) -> None:
    world.write("README.md", "# Shop\n\nHow to build it.\n")
    world.write("docs/queue.md", "# Queue\n\nText.\n")

    refused = world.modicum("import", ".")
    assert refused.code == 4
    assert refused.err.splitlines()[:2] == [
        "modicum: would come in: README.md",
        "modicum: would come in: docs/queue.md",
    ]
    assert "2 Markdown files, in or around a git repository, would become notes (say --yes" in refused.err
    assert world.modicum("memory", "log").out == "Nothing was changed in the last 30 days.\n"

    monkeypatch.setattr("modicum.cli.memory.import_notes.can_ask", lambda: True)
    monkeypatch.setattr("modicum.cli.questions.says_yes", lambda question: False)
    said = world.modicum("import", ".")
    assert said.code == 4
    assert "modicum: nothing was imported (" in said.err
    assert world.modicum("memory", "stats", "--json").json["notes"] == 0
    monkeypatch.setattr("modicum.cli.questions.says_yes", lambda question: True)
    assert world.modicum("import", ".").out.endswith("Take it back: modicum import --undo\n")
    assert world.modicum("memory", "stats", "--json").json["notes"] == 2


def test_a_folder_above_repositories_is_asked_about_too(world) -> None:
    world.write("~/code/notes/one.md", "# One\n\nText.\n")
    assert "1 note would come in" in world.modicum("import", str(world.home / "code"), "--dry-run").out
    world.write("~/code/shops/first/docs/queue.md", "# Queue\n\nText.\n")
    world.write("~/code/shops/first/.git/HEAD", "ref: refs/heads/main\n")

    refused = world.modicum("import", str(world.home / "code"))
    assert refused.code == 4
    assert "modicum: would come in: shops/first/docs/queue.md\n" in refused.err
    assert "2 Markdown files, in or around a git repository, would become notes (say --yes" in refused.err
    assert world.modicum("import", str(world.home / "code" / "notes")).code == 0


def test_the_home_folder_and_a_whole_disk_are_not_searched_for_notes(world) -> None:
    world.write("~/notes/one.md", "# One\n\nText.\n")
    world.path("link").symlink_to(world.home)
    said = [world.modicum("import", place, "--yes") for place in (str(world.home), "link", "/")]

    remedy = "(name the folder or file that has the notes)\n"
    assert [each.code for each in said] == [4, 4, 4]
    assert (
        said[1].err == f"modicum: {world.home} is your home folder, which is not searched for notes {remedy}"
    )
    assert said[2].err == f"modicum: / is a whole disk, which is not searched for notes {remedy}"


def test_a_database_in_the_home_folder_comes_in_by_the_name_of_the_folder(two_notes) -> None:
    two_notes.modicum("backup", str(two_notes.home / "kept.db"))

    assert "2 notes" in two_notes.modicum("import", str(two_notes.home)).out


def test_what_modicum_wrote_into_a_repository_does_not_come_in(world) -> None:
    world.write("AGENTS.md", "# Rules\n\nKeep calm.\n")
    world.rule()
    world.modicum("inject", "--tool", "codex", "--tool", "gemini-cli")

    asked = world.modicum("import", ".").err
    said = world.modicum("import", ".", "--yes")

    assert "modicum: would come in: AGENTS.md\nmodicum: .: 1 Markdown file, in" in asked
    assert "modicum: GEMINI.md: modicum has written all of it" in said.err
    assert "Keep calm." in world.modicum("show", "1").out
    assert "modicum:start" not in world.modicum("show", "1").out


def test_the_last_import_is_taken_back_whatever_came_after_it(two_notes) -> None:
    two_notes.write("one.json", json.dumps({"observations": [{"session_id": "s", "title": "Came in"}]}))
    two_notes.modicum("import", "one.json")
    two_notes.modicum("save", "Later", "Something else.")

    assert "import of" in two_notes.modicum("import", "--undo", "--dry-run").out
    said = two_notes.modicum("import", "--undo")
    assert re.search(r'  n-\w{6} "Came in"\n', said.out)
    assert two_notes.modicum("memory", "stats", "--json").json["notes"] == 3
    assert "there is no import to undo" in two_notes.modicum("import", "--undo").err
    assert "give a file or folder, or --undo" in two_notes.modicum("import").err


def test_an_import_that_stops_half_way_says_so_and_is_taken_back(two_notes, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise Unusable("the disk is full", remedy="free some space, then try again")

    two_notes.write("one.json", json.dumps({"observations": [{"title": "Came in"}]}))
    monkeypatch.setattr("modicum.memory.exchange.transfer.add_rest", full)
    said = two_notes.modicum("import", "one.json")

    remedy = "free some space, then try again; or modicum import --undo takes back what came in"
    assert said.code == 4
    assert said.err == f"modicum: after 1 of 1 notes no more came in: the disk is full ({remedy})\n"
    assert "Came in" in two_notes.modicum("import", "--undo").out
    assert two_notes.modicum("memory", "stats", "--json").json["notes"] == 2


def test_a_source_that_is_not_there_is_told_as_a_missing_file(world) -> None:
    heard = world.modicum("import", "gone.json")

    assert (heard.code, heard.err) == (
        4,
        "modicum: gone.json: there is no such file or folder (check the path)\n",
    )
