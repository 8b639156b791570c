"""modicum show: anything with a name, as it was printed anywhere."""

import json
import re

import pytest

from modicum.engine.tokens import count

ADR = ("--context", "Redis lost some.", "--decision", "A table.", "--rationale", "One thing less.")


def named(world, number: int) -> str:
    return world.modicum("show", str(number), "--json").json["id"]


@pytest.mark.parametrize("name", ["1", "#1", "note:1", "{id}", "note:{id}", "{id:.6}", "{id:.7}"])
def test_a_note_is_shown_whole_by_its_number_and_by_its_public_id(two_notes, name: str) -> None:
    one, two = named(two_notes, 1), named(two_notes, 2)
    said = two_notes.modicum("show", name.format(id=one))

    assert re.fullmatch(
        rf"{one} Queue moved to SQLite\ndecision · project · [-\d]+ [:\d]+ [+-]\d\d:\d\d · person\n\n"
        rf"Redis needed a host of its own\.\n  {one} relates_to {two}\n",
        said.out,
    )


def test_a_pack_may_be_called_like_a_public_id(world) -> None:
    world.pack("n-gram", "## Grams\n\nThree letters are enough.\n")

    assert "Three letters are enough." in world.modicum("show", "n-gram").out


def test_json_of_a_note_has_all_its_fields(two_notes) -> None:
    note = two_notes.modicum("show", "1", "--json").json

    assert re.fullmatch(r"n-[0-9a-z]{6}", note["id"])
    assert (note["key"], note["number"], note["title"]) == (f"note:{note['id']}", 1, "Queue moved to SQLite")
    assert note["content"] == "Redis needed a host of its own."
    assert note["pinned"] is False
    assert [edge["to_id"] for edge in note["relations"]] == [named(two_notes, 2)]


def test_what_is_left_out_says_how_to_get_it(notes) -> None:
    notes.modicum("memory", "relate", "1", "2")
    one, two = named(notes, 1), named(notes, 2)
    said = notes.modicum("show", "1", "--max-tokens", "50").out

    assert said == (
        f"{one} Note 0\n  {one} relates_to {two}\n\n… 1 shortened of 2: say a larger --max-tokens\n"
    )


@pytest.mark.parametrize("most", [0, 12, 40, 200, 4000])
def test_what_is_shown_is_within_max_tokens(notes, most: int) -> None:
    for words in (("1",), ("1", "--history"), ("1", "--around", "2"), ("pack:git",)):
        page = notes.modicum("show", *words, "--max-tokens", str(most), "--json").json

        assert page["used"] == count(page["text"]) <= page["limit"] == most


def test_detail_says_how_much_of_a_note_is_told(notes) -> None:
    title, short, whole = (
        notes.modicum("show", "1", "--detail", level).out for level in ("summary", "standard", "full")
    )

    assert "fox" not in title
    assert "…" in short
    assert whole.endswith("number 0.\n")
    assert notes.modicum("show", "1").out == whole


def test_json_of_a_limited_answer_is_a_page_and_of_a_whole_one_is_the_value(notes) -> None:
    page = notes.modicum("show", "1", "--history", "--max-tokens", "30", "--json").json
    value = notes.modicum("show", "1", "--history", "--json").json

    assert (page["limit"], page["unit"]) == (30, "o200k_base")
    assert list(value) == ["revisions"]


def test_history_is_every_wording_the_present_one_first(two_notes) -> None:
    two_notes.modicum("update", "1", "--content", "Redis was too slow.")
    said = two_notes.modicum("show", "#1", "--history").out

    assert re.findall(r"^(\d)\. ", said, re.MULTILINE) == ["2", "1"]
    assert said.index("Redis was too slow.") < said.index("Redis needed a host of its own.")
    assert "Redis needed" in two_notes.modicum("show", "revision:1/1").out
    key = two_notes.modicum("show", "1", "--history", "--max-tokens", "99", "--json").json["items"][1]["key"]
    assert key == f"revision:{named(two_notes, 1)}/1"
    assert "Redis needed" in two_notes.modicum("show", key).out


def test_around_is_the_note_among_those_made_before_and_after_it(notes) -> None:
    said = notes.modicum("show", "2", "--around", "1").out

    assert re.findall(r"^- (n-\w+)", said, re.MULTILINE) == [named(notes, number) for number in (1, 2, 3)]


def test_a_topic_stands_for_the_note_that_has_it(world) -> None:
    world.modicum("save", "Queue", "On SQLite.", "--topic", "queue/engine")

    assert world.modicum("show", "queue/engine").out == world.modicum("show", "1").out


def test_sessions_and_prompts_are_shown_by_the_names_that_recall_prints(world) -> None:
    world.modicum("memory", "sessions", "start", "monday")
    world.modicum("memory", "sessions", "end", "monday", "--summary", "The queue is faster.")
    world.modicum("memory", "prompt", "make it faster", "--session", "monday")
    names = re.findall(r"^- (\w+:\S+)", world.modicum("recall").out, re.MULTILINE)
    said = {name: world.modicum("show", name) for name in (*names, "monday")}

    assert names == ["session:monday", "prompt:1"]
    assert "The queue is faster." in said["session:monday"].out
    assert said["monday"].out == said["session:monday"].out
    assert said["prompt:1"].out.endswith("\n\nmake it faster\n")


def test_a_pack_and_its_parts_are_shown_by_their_keys(world) -> None:
    world.pack("shop", "## Shop\n\nPrices are in cents.\n\n### Invoices\n\nNumbers have no gaps.\n")

    assert world.modicum("show", "pack:shop/invoices").out == (
        "## Shop\n\n### Invoices\n\nNumbers have no gaps.\n"
    )
    assert world.modicum("show", "shop").out == world.modicum("show", "pack:shop").out
    assert world.modicum("show", "shop/invoices").out == world.modicum("show", "pack:shop/invoices").out
    assert not world.path("~/.local/share/modicum/memory.db").exists()


def test_every_block_that_explain_lists_can_be_shown(world) -> None:
    world.modicum("notice", "add", "Deploys are frozen")
    world.pack("shop", "## Shop\n\nPrices are in cents.", "1. Never.", header="changelog: [prices moved]\n")
    page = world.modicum("explain", "--tool", "codex", "--json").page("codex")
    keys = [item["key"] for item in page["items"]]
    said = {key: world.modicum("show", key) for key in keys}

    assert {"notice:1", "news:shop", "header"} <= set(keys)
    assert [key for key, shown in said.items() if shown.code] == []
    assert said["notice:1"].out == "Deploys are frozen\n"


def test_specs_are_shown_by_the_names_that_check_and_spec_print(world) -> None:
    world.write("AGENTS.md", "- Never keep sessions in Redis.\n")
    world.write("docs/requirements.md", "# Shop\n\n- FR-001: Sessions survive a failover.\n")
    world.write("src/a.py", "x = 1  # FR-001, FR-002\n")
    world.modicum("adr", "new", "Keep sessions in Postgres", *ADR)
    world.modicum("change", "new", "Sessions are lost")
    lists = (("check", "sessions in redis"), ("spec", "context"), ("spec", "audit"), ("spec", "scan"))
    keys = {item["key"] for words in lists for item in world.modicum(*words, "--json").json["items"]}
    wrong = {key for key in keys if world.modicum("show", key).code}

    assert {"adr:001", "change:sessions-are-lost", "artifact:requirements.md", "file:AGENTS.md"} <= keys
    assert {"requirement:FR-001", "convention:AGENTS.md", "folder:src"} <= keys
    assert wrong == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("001", "# 001. Keep sessions in Postgres"),
        ("sessions-are-lost", "Sessions are lost"),
        ("requirements.md", "Sessions survive a failover."),
        ("FR-001", "Sessions survive a failover."),
        ("AGENTS.md", "Never keep sessions in Redis."),
        ("src", "src/"),
    ],
)
def test_a_name_without_its_kind_is_enough(world, name: str, words: str) -> None:
    world.write("AGENTS.md", "- Never keep sessions in Redis.\n")
    world.write("docs/requirements.md", "# Shop\n\n- FR-001: Sessions survive a failover.\n")
    world.write("src/a.py", "x = 1\n")
    world.modicum("adr", "new", "Keep sessions in Postgres", *ADR)
    world.modicum("change", "new", "Sessions are lost")

    assert words in world.modicum("show", name).out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gti", 'there is nothing named "gti" (did you mean "git"?)'),
        ("pack:gti", 'there is nothing named "pack:gti" (did you mean "pack:git"?)'),
        ("xyzzy", 'there is nothing named "xyzzy" (modicum search finds notes, modicum pack list packs'),
        ("session:x", 'there is nothing named "session:x"'),
        ("prompt:x", 'there is nothing named "prompt:x"'),
        ("revision:1/9", 'there is nothing named "revision:1/9"'),
        ("notice:7", "there is no notice 7"),
        ("adr:007", 'there is no decision "007"'),
        ("99", "there is no note #99 (modicum search finds notes)"),
        ("note:n-0000", "there is no note n-0000 (modicum search finds notes)"),
        ("n-0000", 'there is nothing named "n-0000"'),
        ("note:xyz", '"xyz" is no note (give its id, such as n-7kq2m4, or its number, such as 42)'),
    ],
)
def test_a_name_that_nothing_has_is_one_line_with_a_remedy(two_notes, name: str, message: str) -> None:
    said = two_notes.modicum("show", name)

    assert (said.code, said.out) == (4, "")
    assert said.err.startswith(f"modicum: {message}")
    assert said.err.count("\n") == 1


def test_json_of_anything_has_its_key(two_notes) -> None:
    for name in ("1", "git", "pack:git", "manual-save-project"):
        assert json.loads(two_notes.modicum("show", name, "--json").out)["key"]


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_the_name_of_nothing(notes, name: str) -> None:
    heard = notes.modicum("show", name)

    assert (heard.code, heard.out) == (4, "")
    assert heard.err.startswith(f'modicum: there is nothing named "{name}" (')
