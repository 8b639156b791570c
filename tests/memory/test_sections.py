"""Memory as blocks: a title, a title with a snippet, or the whole."""

from modicum.engine.page import Block, Detail, Section
from modicum.memory.model import Context, Note, Prompt, SearchHit, Session, Timeline, WaitingNote
from modicum.memory.sections import inbox_sections, recall_sections, search_sections, timeline_sections

DAY = "2026-04-07T10:00:00.000Z"
LONG = "It failed because the token was empty. " * 20


def note(
    number: int, title: str = "Fixed login", content: str = LONG, kind: str = "bugfix", author: str = ""
) -> Note:
    return Note(number, f"obs-{number}", "s", kind, title, content, author=author, created_at=DAY)


def named(number: int) -> str:
    return note(number).public_id


def forms(block: Block) -> list[str]:
    return [block.forms[detail] for detail in Detail if detail in block.forms]


def test_a_note_has_a_line_a_snippet_and_a_whole() -> None:
    ((section),) = recall_sections(Context((), (), (note(42),)))
    line, brief, whole = forms(section.blocks[0])

    assert section.blocks[0].key == f"note:{named(42)}"
    assert line == f"- {named(42)} 2026-04-07 [bugfix] Fixed login"
    assert brief.startswith(f"{line}: It failed because")
    assert brief.endswith("…")
    assert "\n" not in brief
    assert whole == f"{line}\n{LONG}"


def test_the_usual_type_is_not_told_and_an_author_is() -> None:
    ((section),) = recall_sections(Context((), (), (note(1, kind="manual", author="Ann"),)))

    assert forms(section.blocks[0])[0] == f"- {named(1)} 2026-04-07 Ann: Fixed login"


def test_a_title_that_is_the_whole_text_is_told_once() -> None:
    ((section),) = recall_sections(
        Context((), (), (note(1, "Use tabs", "Use tabs"), note(2, "Use tabs", "Use  tabs")))
    )

    assert set(forms(section.blocks[0])) == {f"- {named(1)} 2026-04-07 [bugfix] Use tabs"}
    assert forms(section.blocks[1])[1:] == [
        f"- {named(2)} 2026-04-07 [bugfix] Use tabs",
        f"- {named(2)} 2026-04-07 [bugfix] Use tabs\nUse  tabs",
    ]


def test_a_title_of_several_lines_stays_one_line() -> None:
    ((section),) = recall_sections(Context((), (), (note(1, "a\n### b"),)))

    assert forms(section.blocks[0])[0].endswith("a ### b")


def test_pins_come_first_and_are_not_repeated_and_prompts_matter_least() -> None:
    found = Context(
        (Session("s", "shop", started_at=DAY, summary="Did it.", notes=3),),
        (Prompt(7, "", "s", "why?", created_at=DAY),),
        (note(2), note(1)),
        (note(1),),
    )
    sections = recall_sections(found)

    assert [section.leads for section in sections] == [
        ("### Pinned",), ("### Notes",), ("### Sessions",), ("### Prompts",),
    ]  # fmt: skip
    assert [block.key for section in sections for block in section.blocks] == [
        f"note:{named(1)}", f"note:{named(2)}", "session:s", "prompt:7",
    ]  # fmt: skip
    assert [block.rank for section in sections for block in section.blocks] == [0, 1, 2, 3]
    assert sections[0].blocks[0].pinned


def test_a_session_tells_its_summary_and_a_prompt_its_words() -> None:
    session = Session("s", "", started_at=DAY, summary="word " * 100)
    sections = recall_sections(Context((session,), (Prompt(7, "", "s", "word " * 100, created_at=DAY),), ()))
    worked, typed = (forms(section.blocks[0]) for section in sections)

    assert worked[0] == "- session:s 2026-04-07 (0 notes)"
    assert worked[2] == f"{worked[0]}: {session.summary}"
    assert [len(text) for text in typed] == sorted(len(text) for text in typed)
    assert typed[2] == f"- prompt:7 2026-04-07: {'word ' * 100}"


def test_a_session_without_a_summary_is_a_line_at_every_detail() -> None:
    ((section),) = recall_sections(Context((Session("s", "shop", started_at=DAY),), (), ()))

    assert section.blocks[0].forms == {Detail.SUMMARY: "- session:s shop 2026-04-07 (0 notes)"}


def test_a_hit_is_its_public_id_and_its_text() -> None:
    ((section),) = search_sections([SearchHit(note(42), 1.0), SearchHit(note(43, author="Ann"), 0.5)])

    assert forms(section.blocks[0])[0] == f"{named(42)} 2026-04-07 [bugfix] Fixed login"
    assert forms(section.blocks[0])[2] == f"{named(42)} 2026-04-07 [bugfix] Fixed login\n{LONG}"
    assert forms(section.blocks[1])[0] == f"{named(43)} 2026-04-07 [bugfix] Ann: Fixed login"
    assert [block.rank for block in section.blocks] == [0, 1]


def test_a_hit_does_not_repeat_a_title_that_its_text_begins_with() -> None:
    ((section),) = search_sections([SearchHit(note(42, "It failed because the…"), 1.0)])

    assert forms(section.blocks[0])[2] == f"{named(42)} 2026-04-07 [bugfix] {LONG}"


def test_nothing_makes_no_section() -> None:
    assert recall_sections(Context((), (), ())) == search_sections([]) == ()


def test_a_timeline_reads_from_old_to_new_and_the_nearest_matter_most() -> None:
    found = Timeline(note(3), (note(1), note(2)), (note(4), note(5)), None, 5)

    def shape(sections: tuple[Section, ...]) -> list[tuple[str, list[tuple[str, int]]]]:
        return [
            (section.leads[0], [(block.key, block.rank) for block in section.blocks]) for section in sections
        ]

    assert shape(timeline_sections(found)) == [
        ("### Before", [(f"note:{named(1)}", 2), (f"note:{named(2)}", 1)]),
        ("### This one", [(f"note:{named(3)}", 0)]),
        ("### After", [(f"note:{named(4)}", 1), (f"note:{named(5)}", 2)]),
    ]


def test_a_timeline_tells_the_minute_and_the_one_in_question_whole() -> None:
    found = Timeline(note(3), (note(1),), (), None, 2)
    (before,), (focus,) = (section.blocks for section in timeline_sections(found))

    assert forms(before)[0] == f"- {named(1)} 2026-04-07 10:00 [bugfix] Fixed login"
    assert forms(before)[1].endswith("…")
    assert forms(focus)[1] == forms(focus)[2] == f"- {named(3)} 2026-04-07 10:00 [bugfix] Fixed login\n{LONG}"


def test_the_best_hits_are_whole_then_the_sentence_that_answers_then_titles() -> None:
    content = "The build was slow. " * 9 + "A cache of wheels made it fast. " + "Nobody objected. " * 9
    hits = [SearchHit(note(n, f"Build {n} " + "x " * 40, content), 1.0) for n in range(1, 13)]
    ((section),) = search_sections(hits, "which cache of wheels?")
    blocks = section.blocks

    assert all(block.forms[Detail.STANDARD] == block.forms[Detail.FULL] for block in blocks[:5])
    assert all(
        "… A cache of wheels made it fast. …" in block.forms[Detail.STANDARD] for block in blocks[5:10]
    )
    assert all(Detail.STANDARD not in block.forms for block in blocks[10:])
    assert all("2026-04-07 [bugfix]" in text for block in blocks for text in block.forms.values())
    assert len(blocks[11].forms[Detail.SUMMARY].removeprefix(named(12))) < 70 - len("#12")


def test_a_long_hit_is_not_whole_and_one_that_is_only_nearby_says_so() -> None:
    ((section),) = search_sections([SearchHit(note(1, content="word " * 1000), 1.0, nearby=True)], "word")

    assert all(
        text.startswith(f"{named(1)} 2026-04-07 [bugfix] nearby: Fixed login")
        for text in forms(section.blocks[0])
    )
    assert len(section.blocks[0].forms[Detail.STANDARD]) < 300


def test_two_notes_of_a_page_that_share_the_letters_of_one_are_printed_longer(monkeypatch) -> None:
    numbers = {"obs-1": 1 << 40, "obs-2": (1 << 40) + 1, "obs-3": 1 << 59, "obs-4": 7 << 30, "obs-5": 7 << 30}
    monkeypatch.setattr("modicum.memory.sections.public_number", numbers.__getitem__)

    ((section),) = recall_sections(Context((), (), tuple(map(note, range(1, 6)))))

    assert [block.key for block in section.blocks] == [
        "note:n-000100000000", "note:n-000100000001", "note:n-g00000", "note:#4", "note:#5",
    ]  # fmt: skip


def test_a_waiting_note_says_why_it_waits_and_from_whom() -> None:
    agents = note(7)._replace(origin="agent:codex")
    (section,) = inbox_sections(
        [WaitingNote(agents, "a plan for the next minute"), WaitingNote(note(8), "a log")]
    )
    line, brief, whole = forms(section.blocks[0])

    assert section.blocks[0].key == f"note:{named(7)}"
    assert line == f"- {named(7)} 2026-04-07 [bugfix] Fixed login (a plan for the next minute; agent:codex)"
    assert brief.startswith(f"{line}\n  It failed because")
    assert whole == f"{line}\n{LONG}"
    assert forms(section.blocks[1])[0].endswith("Fixed login (a log)")
    assert inbox_sections([]) == ()
