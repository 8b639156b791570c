"""What a file should say: the states, what is protected, and that everything can be taken out without a trace."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, Position, TargetFile
from modicum.targets.plan import (
    OURS,
    ROOM_WAS_MADE,
    digest,
    eol_of,
    fits,
    payload,
    plan,
    plan_edit,
    remember,
    unplan,
)

SECTION = TargetFile("/p/AGENTS.md", "replace-section")
IMPORT = TargetFile("/p/CLAUDE.md", "import", reference="AGENTS.md")
FILE = TargetFile("/p/.cursor/rules/modicum.mdc", "replace-file", preamble="---\nalwaysApply: true\n---")
APPEND = TargetFile("/p/notes.md", "append")
SETTINGS = TargetFile("/p/settings.json", "settings")
PLACES = (SECTION, IMPORT, FILE, APPEND)

START, END = "<!-- modicum:start:modicum -->", "<!-- modicum:end:modicum -->"
LINES = (
    *(
        "",
        " ",
        "x",
        "# Rules",
        "- item",
        "    code",
        "> quote",
        "---",
        "\0",
        "\ufeff",
        "\udcff\udcfe",
        "\udce9",
    ),
    *(
        "```",
        "~~~",
        "````md",
        "<!--",
        "-->",
        "<div>",
        START,
        END,
        "<!-- modicum:start:other -->",
        f"  {START}",
    ),
)
ENDS = ("\n", "\r\n", "\r")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


PIECES = st.sampled_from([line + end for line in LINES for end in (*ENDS, "\n")] + ["x", "```", "\0"])
DOCUMENTS = (
    st.lists(PIECES, max_size=12)
    .map("".join)
    .map(lambda text: decoded(text.encode("utf-8", "surrogateescape")))
)

HOSTS = st.none() | st.binary(max_size=60).map(decoded) | DOCUMENTS
PAGES = st.sampled_from(("one", "# Two\n\ntext", f"{END}\n{START}", "a\r\nb\rc")) | DOCUMENTS


def inject(
    place: TargetFile, text: str, host: str | None, record: FileRecord | None = None, **more
) -> FileChange:
    return plan(place, text, Existing(host), record, **more)


def uninstall(change: FileChange, **more) -> FileChange:
    return unplan(change.place, Existing(change.after), change.record, **more)


def injected(place: TargetFile, text: str, host: str | None) -> FileChange:
    change = inject(place, text, host, force=True)
    assume(
        change.state is not FileState.ORPHANED
        and not (host or "").startswith(("\udcff\udcfe", "\udcfe\udcff"))
    )
    return change


def has_own(place: TargetFile, host: str | None) -> bool:
    return (
        place.mode in ("replace-section", "import") and inject(place, "x", host).state is not FileState.ABSENT
    )


# Laws


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.mode)
@given(host=HOSTS, page=PAGES)
def test_what_is_put_in_can_be_taken_out_without_a_trace(
    place: TargetFile, host: str | None, page: str
) -> None:
    assume(not has_own(place, host))
    change = injected(place, page, host)

    assert uninstall(change).after == host
    assert uninstall(change).record is None


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.mode)
@given(host=HOSTS, page=PAGES, second=PAGES)
def test_also_after_the_page_has_changed(place: TargetFile, host: str | None, page: str, second: str) -> None:
    assume(not has_own(place, host) and payload(place, page) and payload(place, second))
    first = injected(place, page, host)
    change = inject(place, second, first.after, first.record)
    # What the file said by itself is not known to be ours, and the second page may then have been added to it.
    assume(first.record or not change.record)

    assert uninstall(change).after == host


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.mode)
@given(host=HOSTS, page=PAGES)
def test_right_after_it_everything_is_current_and_there_is_nothing_to_do(
    place: TargetFile, host: str | None, page: str
) -> None:
    assume(payload(place, page))
    first = injected(place, page, host)
    again = inject(place, page, first.after, first.record)

    assert again.state is FileState.CURRENT
    assert again.settled
    assert again.record == first.record


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.mode)
@given(host=HOSTS, page=PAGES)
def test_the_payload_is_exactly_what_is_written(place: TargetFile, host: str | None, page: str) -> None:
    change = injected(place, page, host)
    assume(change.record)
    whole = payload(place, page, eol_of(host))

    assert whole in (change.after or "")
    if place.mode == "replace-file" and whole:
        assert change.after == whole


@pytest.mark.parametrize("place", [SECTION, IMPORT, APPEND], ids=lambda place: place.mode)
@given(
    page=PAGES, above=st.sampled_from(("# Mine\n", "x\r\n", "a\nb\n")), below=st.sampled_from(("y\n", "\nz"))
)
def test_it_stays_current_when_somebody_writes_beside_it(
    place: TargetFile, page: str, above: str, below: str
) -> None:
    assume(payload(place, page))
    first = injected(place, page, "mine\n")
    end = eol_of(first.after)
    edited = (above + (first.after or "") + below).replace("\r\n", "\n").replace("\n", end)

    again = inject(place, page, edited, first.record)

    assert again.state is FileState.CURRENT
    assert not again.changed


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.mode)
@given(host=HOSTS, page=PAGES)
def test_what_was_planned_fits_its_record_and_can_be_written(
    place: TargetFile, host: str | None, page: str
) -> None:
    change = injected(place, page, host)

    assert change.record is None or fits(place, Existing(change.after), change.record)
    assert decoded((change.after or "").encode("utf-8", "surrogateescape")) == (change.after or "")


# Regions


@pytest.mark.parametrize("end", ENDS)
def test_a_region_has_the_line_ends_of_its_file(end: str) -> None:
    change = inject(SECTION, "one\ntwo", f"mine{end}")

    assert change.after == end.join((START, "one", "two", END, "", "mine", ""))
    assert payload(SECTION, "one\ntwo", end) in (change.after or "")


def test_a_stale_region_is_brought_up_to_date_and_an_edited_one_is_replaced_with_a_note() -> None:
    first = inject(SECTION, "one", "mine\n")
    stale = inject(SECTION, "two", first.after, first.record)
    edited = inject(SECTION, "two", (first.after or "").replace("one", "won"), first.record)

    assert (stale.state, stale.note) == (FileState.STALE, "")
    assert edited.state is FileState.EDITED
    assert "backup" in edited.note
    assert stale.after == edited.after == f"{START}\ntwo\n{END}\n\nmine\n"


def test_a_region_without_a_record_is_stale_because_its_markers_say_whose_it_is() -> None:
    change = inject(SECTION, "two", f"{START}\none\n{END}\n")

    assert change.state is FileState.STALE
    assert change.after == f"{START}\ntwo\n{END}\n"


def test_line_ends_changed_by_git_are_no_edit() -> None:
    for place in PLACES:
        first = inject(place, "one\ntwo", None)
        converted = (first.after or "").replace("\n", "\r\n")

        assert inject(place, "one\ntwo", converted, first.record).settled
        assert inject(place, "new", converted, first.record).state is not FileState.EDITED
        assert unplan(place, Existing(converted), first.record).after is None


@pytest.mark.parametrize(
    ("host", "line"), [(f"a\n{START}\n", 2), (f"{END}\n", 1), (f"{START}\n{END}\n" * 2, 3)]
)
def test_orphaned_markers_are_left_alone_and_named(host: str, line: int) -> None:
    for change in (inject(SECTION, "x", host), unplan(SECTION, Existing(host), None)):
        assert (change.state, change.changed, change.settled) == (FileState.ORPHANED, False, False)
        assert change.note.startswith(f"line {line}: ")


@pytest.mark.parametrize(
    "host", ["mine\n", "mine", "# mine\r\n\r\n", "---\na: b\n---\nmine\n", "\ufeffmine\n"]
)
def test_a_region_moves_to_the_end_where_a_limit_would_cut_off_text_of_the_user(host: str) -> None:
    low = replace(SECTION, position=Position.END)
    first = plan(SECTION, "page", Existing(host), None)
    moved = plan(low, "page", Existing(first.after), first.record)

    assert (moved.after or "").startswith(host)
    assert moved.state is FileState.STALE
    assert plan(low, "page", Existing(moved.after), moved.record).state is FileState.CURRENT
    assert plan(SECTION, "page", Existing(moved.after), moved.record).state is FileState.CURRENT
    assert unplan(low, Existing(moved.after), moved.record).after == host


def test_a_region_moves_above_the_text_of_the_user_and_out_again() -> None:
    below = plan(replace(SECTION, position=Position.END), "page", Existing("mine\n"), None)
    high = replace(SECTION, position=Position.ABOVE)
    moved = plan(high, "page", Existing(below.after), below.record)

    assert moved.after == f"{START}\n{ROOM_WAS_MADE}\npage\n{END}\n\nmine\n"
    assert moved.state is FileState.STALE
    assert plan(high, "page", Existing(moved.after), moved.record).state is FileState.CURRENT
    assert unplan(high, Existing(moved.after), moved.record).after == "mine\n"


def test_a_region_that_somebody_deleted_is_put_in_again() -> None:
    first = inject(SECTION, "one", "mine\n")
    again = inject(SECTION, "one", "mine\n", first.record)

    assert again.state is FileState.ABSENT
    assert again.after == first.after


def test_a_file_that_we_made_goes_with_us_unless_somebody_wrote_into_it() -> None:
    first = inject(SECTION, "one", None)

    assert uninstall(first).after is None
    assert unplan(SECTION, Existing(f"{first.after}mine\n"), first.record).after == "mine\n"


def test_a_file_that_was_empty_before_stays() -> None:
    for place in PLACES:
        assert uninstall(inject(place, "one", "")).after == ""


def test_a_file_with_nothing_but_our_region_goes_also_when_the_record_is_lost() -> None:
    alone = f"{START}\none\n{END}\n"
    adopted = inject(SECTION, "one", alone)

    assert unplan(SECTION, Existing(alone), None).after is None
    assert uninstall(adopted).after is None


def test_an_edited_region_is_taken_out_with_a_note() -> None:
    first = inject(SECTION, "one", "mine\n")
    gone = unplan(SECTION, Existing((first.after or "").replace("one", "won")), first.record)

    assert (gone.after, gone.state) == ("mine\n", FileState.EDITED)
    assert "backup" in gone.note


def test_an_import_is_a_reference_in_a_region() -> None:
    assert inject(IMPORT, "any page", "mine\n").after == f"{START}\n@AGENTS.md\n{END}\n\nmine\n"
    assert inject(IMPORT, "", "mine\n").after == "mine\n"


# Whole files


def test_a_whole_file_is_its_front_matter_and_its_page() -> None:
    assert inject(FILE, "\npage\n\n", None).after == f"---\nalwaysApply: true\n---\npage\n\n{OURS}\n"
    assert inject(replace(FILE, preamble=""), "page", None).after == f"page\n\n{OURS}\n"


def test_a_foreign_file_is_left_unless_forced_and_then_comes_back() -> None:
    left = inject(FILE, "page", "theirs")
    forced = inject(FILE, "page", "theirs", force=True)

    assert (left.state, left.changed, left.record) == (FileState.FOREIGN, False, None)
    assert "not written by modicum" in left.note
    assert forced.state is FileState.FOREIGN
    assert forced.after == payload(FILE, "page")
    assert uninstall(forced).after == "theirs"
    assert "put back" in uninstall(forced).note


def test_a_foreign_file_is_never_removed() -> None:
    for force in (False, True):
        change = unplan(FILE, Existing("theirs"), None, force=force)

        assert (change.state, change.changed) == (FileState.FOREIGN, False)


def test_a_file_that_a_team_mate_injected_is_ours_too() -> None:
    host = payload(FILE, "page")
    found = inject(FILE, "page", host)
    later = inject(FILE, "new page", host)

    assert (found.state, found.changed) == (FileState.CURRENT, False)
    assert later.state is FileState.STALE
    assert uninstall(later).after is None
    assert unplan(FILE, Existing(host), None).after is None


def test_an_edited_file_is_replaced_by_inject_and_left_by_uninstall() -> None:
    first = inject(FILE, "page", None)
    again = inject(FILE, "page", "edited", first.record)
    left = unplan(FILE, Existing("edited"), first.record)
    forced = unplan(FILE, Existing("edited"), first.record, force=True)

    assert (again.state, again.after) == (FileState.EDITED, first.after)
    assert "backup" in again.note
    assert (left.state, left.after, left.record) == (FileState.EDITED, "edited", first.record)
    assert "you edited" in left.note
    assert forced.after is None


def test_a_file_that_somebody_deleted_is_written_again_and_its_record_can_go() -> None:
    first = inject(FILE, "page", None)

    assert inject(FILE, "page", None, first.record).state is FileState.ABSENT
    assert unplan(FILE, Existing(None), first.record).settled
    assert unplan(FILE, Existing(None), first.record).record is None


def test_what_was_about_to_be_replaced_when_a_run_was_killed_is_still_foreign() -> None:
    forced = inject(FILE, "page", "theirs", force=True)

    assert inject(FILE, "page", "theirs", forced.record).state is FileState.FOREIGN
    assert unplan(FILE, Existing("theirs"), forced.record).after == "theirs"


# Appended text


@pytest.mark.parametrize("edited", ["Mine.\n\nUse tabs. Except in YAML.\n", "Mine.\n\nNever Use tabs.\n"])
def test_a_line_of_appended_text_that_somebody_wrote_into_is_left_alone(edited: str) -> None:
    record = inject(APPEND, "Use tabs.", "Mine.\n").record

    for change in (
        unplan(APPEND, Existing(edited), record),
        plan(APPEND, "Use spaces.", Existing(edited), record),
    ):
        assert not change.changed or change.after.startswith(edited)


def test_text_is_appended_after_a_blank_line() -> None:
    assert inject(APPEND, "page", "mine").after == "mine\n\npage\n"
    assert inject(APPEND, "page", "mine\r\n").after == "mine\r\n\r\npage\r\n"
    assert inject(APPEND, "page", None).after == "page\n"


def test_appended_text_is_replaced_where_it_is() -> None:
    first = inject(APPEND, "one", "mine\n")
    again = inject(APPEND, "two", f"{first.after}more\n", first.record)

    assert (again.state, again.after) == (FileState.STALE, "mine\n\ntwo\nmore\n")


def test_appended_text_is_found_when_an_editor_trimmed_the_file() -> None:
    first = inject(APPEND, "one", "mine\n")
    again = inject(APPEND, "two", "mine\none", first.record)

    assert again.after == "mine\ntwo"
    assert uninstall(again).after == "mine\n"


def test_edited_appended_text_is_left_alone_unless_forced() -> None:
    first = inject(APPEND, "one\nthree", "mine\n")
    edited = "mine\n\none\nand a half\nthree\n"
    left = inject(APPEND, "two", edited, first.record)
    gone = unplan(APPEND, Existing(edited), first.record)

    assert (left.state, left.after, left.record) == (FileState.EDITED, edited, first.record)
    assert (gone.state, gone.after, gone.record) == (FileState.EDITED, edited, first.record)
    assert inject(APPEND, "two", edited, first.record, force=True).after == f"{edited}\ntwo\n"
    assert unplan(APPEND, Existing(edited), first.record, force=True).record is None


def test_appended_text_that_is_gone_is_appended_again() -> None:
    first = inject(APPEND, "one", "mine\n")

    assert inject(APPEND, "one", "mine\n", first.record).after == first.after
    assert unplan(APPEND, Existing("mine\n"), first.record).settled


def test_text_that_is_there_already_is_not_appended_and_not_ours() -> None:
    change = inject(APPEND, "one\ntwo", "mine\r\none\r\ntwo\r\n")

    assert (change.state, change.changed, change.record) == (FileState.CURRENT, False, None)
    assert "already" in change.note


# No page, odd files, settings


def test_without_a_page_our_part_is_removed_or_kept_as_asked() -> None:
    first = inject(SECTION, "one", "mine\n")
    removed = inject(SECTION, "", first.after, first.record)
    kept = inject(SECTION, " \n", first.after, first.record, when_empty="keep")

    assert (removed.after, removed.record, removed.state) == ("mine\n", None, FileState.STALE)
    assert (kept.after, kept.record, kept.state) == (first.after, first.record, FileState.CURRENT)
    assert "kept" in kept.note


def test_nothing_to_keep_is_nothing_to_say() -> None:
    change = inject(SECTION, "", "mine\n", when_empty="keep")

    assert change.settled
    assert change.note == ""
    assert payload(SECTION, "") == payload(FILE, "\n") == ""


def test_keeping_does_not_hide_what_is_wrong() -> None:
    change = inject(SECTION, "", START, when_empty="keep")

    assert change.state is FileState.ORPHANED
    assert change.note.startswith("line 1: ")


@pytest.mark.parametrize("place", [SECTION, IMPORT, APPEND], ids=lambda place: place.mode)
def test_a_file_in_utf_16_is_left_alone(place: TargetFile) -> None:
    host = decoded("mine".encode("utf-16"))

    for change in (inject(place, "x", host), unplan(place, Existing(host), None)):
        assert (change.state, change.changed) == (FileState.FOREIGN, False)
        assert "UTF-16" in change.note


def test_what_cannot_be_written_in_utf_8_is_replaced_before_it_is_measured() -> None:
    assert payload(APPEND, "a\udcffb\ud800") == "a\ufffdb\ufffd\n"


def test_a_record_carries_what_the_caller_wants_to_remember() -> None:
    change = remember(inject(SECTION, "one", None), tools=("codex",), extra={"news": ["a"]})
    again = inject(SECTION, "two", change.after, change.record)

    assert again.record is not None
    assert (again.record.tools, again.record.extra) == (("codex",), {"news": ["a"]})
    assert remember(uninstall(again), tools=(), extra={}).record is None


def test_two_of_our_parts_in_one_file_have_two_keys() -> None:
    assert SECTION.key != replace(SECTION, section="other").key
    assert SECTION.key == IMPORT.key


def test_settings_are_edited_and_the_file_goes_when_it_came_with_us() -> None:
    made = plan_edit(SETTINGS, lambda text, _: (text + '{"a": 1}', {"undo": 1}), Existing(None), None)
    same = plan_edit(SETTINGS, lambda text, extra: (text, extra), Existing(made.after), made.record)
    more = plan_edit(SETTINGS, lambda text, extra: (text + "\n", extra), Existing(made.after), made.record)
    gone = plan_edit(SETTINGS, lambda _text, _: ("{}\n", {}), Existing(made.after), made.record)

    assert (made.after, made.state) == ('{"a": 1}', FileState.ABSENT)
    assert same.settled
    assert more.state is FileState.STALE
    assert (gone.after, gone.record) == (None, None)


def test_settings_that_were_there_before_stay() -> None:
    made = plan_edit(SETTINGS, lambda _text, _: ('{"a": 1}', {"undo": 1}), Existing("{}"), None)
    gone = plan_edit(SETTINGS, lambda _text, _: ("{}", {}), Existing(made.after), made.record)
    none = plan_edit(SETTINGS, lambda text, _: (text, {}), Existing("{}"), None)

    assert (gone.after, gone.record) == ("{}", None)
    assert none.settled


def test_whether_a_record_fits_the_file_is_told_by_our_part_alone() -> None:
    first = inject(SECTION, "one", "mine\n")

    assert fits(SECTION, Existing(f"more\n{first.after}"), first.record)
    assert not fits(SECTION, Existing("mine\n"), first.record)
    assert not fits(SECTION, Existing(START), first.record)
    assert fits(SECTION, Existing("mine\n"), None)
    assert not fits(SETTINGS, Existing("{}"), None)
    assert fits(SETTINGS, Existing("{}"), FileRecord(digest("{}")))
    assert first.path == "/p/AGENTS.md"


@pytest.mark.parametrize(
    "host", ["---\na: b\n---", "---\na: b\n---\n", "---\n\n<pre>\n---", "---\r\na: b\r\n---"]
)
def test_a_region_behind_front_matter_that_is_all_there_is_is_taken_out_to_the_byte(host: str) -> None:
    first = inject(SECTION, "one", host)

    assert uninstall(first).after == host
