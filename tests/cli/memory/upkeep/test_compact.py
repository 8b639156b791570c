"""modicum memory compact"""

import re


def test_old_notes_are_a_page_of_titles_the_oldest_first(notes) -> None:
    for number in range(6):
        notes.modicum("save", f"More {number}", f"A fox and {number} more.")

    lines = notes.modicum("memory", "compact", "--before", "2999-01-01").out.splitlines()
    page = notes.modicum("memory", "compact", "--before", "2999-01-01", "--json").json

    assert lines[0] == "### Notes"
    assert len(lines) == 11
    assert all(re.match(r"- n-[0-9a-z]{6} 2", line) for line in lines[1:])
    assert lines[1].endswith("Note 0")
    assert (page["shown"], page["total"], page["next"]) == (10, 10, None)
    assert page["items"][0]["title"] == "Note 0"


def test_what_was_compacted_is_told_by_names(notes) -> None:
    first, second = (notes.modicum("show", name, "--json").json["id"] for name in ("1", "2"))

    done = notes.modicum(
        "memory", "compact", "--before", "2999-01-01", "--ids", f"{first},2,99", "--title", "Both", "--summary",
        "in one", "--json",
    ).json  # fmt: skip

    assert done["deleted"] == [first, second]
    assert done["skipped"] == ["#99"]
    assert done["summary"] == notes.modicum("show", done["summary"], "--json").json["id"]
    assert (done["before"], done["after"]) == (5, 4)


def test_what_specs_keep_in_memory_is_not_offered(notes) -> None:
    reasons = ("--context", "It was slow.", "--decision", "A table.", "--rationale", "One less.")
    notes.modicum("adr", "new", "Queue in SQLite", *reasons)
    old = notes.modicum("memory", "compact", "--before", "2999-01-01", "--json").json

    assert notes.modicum("memory", "stats", "--json").json["notes"] == 6
    assert [item["title"] for item in old["items"]] == ["Note 0", "Note 1", "Note 2", "Note 3"]
    named = notes.modicum("memory", "compact", "--before", "2999-01-01", "--ids", "6", "--json").json
    assert (named["deleted"], len(named["skipped"])) == ([], 1)
