"""modicum import"""

import json


def test_what_could_not_come_is_told_with_its_place(two_notes) -> None:
    records = [{"session_id": "s", "title": f"t{n}", "created_at": "soon"} for n in range(25)]
    two_notes.write(
        "odd.json", json.dumps({"observations": [*records, {"session_id": "s", "title": "good"}]})
    )
    said = two_notes.modicum("import", "odd.json")

    assert said.code == 0
    assert said.out == "This is engram's export.\n1 note came in.\n25 could not come:\n"
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

    assert two_notes.modicum("import", "notes").err == "modicum: two\\nlines.md: it is empty\n"


def test_what_is_no_export_is_refused(notes) -> None:
    notes.write("no.json", "{]")

    said = notes.modicum("import", "no.json")
    assert said.code == 1
    assert "no.json is not JSON that can be read: from line 1, column 2 on (see whether" in said.err


def test_a_folder_with_one_markdown_file_is_still_a_folder(world) -> None:
    world.write("md/one.md", "# One\n\nText.\n")

    assert world.modicum("import", "md", "--dry-run").out.startswith("This is a folder of Markdown notes.\n")
    assert world.modicum("import", "md/one.md", "--dry-run").out.startswith("This is a Markdown note.\n")
