"""What bears on a change: passages that match, what each is, and in which order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.engine.page import Detail, Order, View, fit
from modicum.search.question import parse_question
from modicum.specs.check.findings import (
    MOST_CANDIDATES,
    CheckSource,
    Finding,
    FindingKind,
    PassageMatch,
    SourcePart,
    find,
)
from modicum.specs.check.passages import joined, may_have, plain_heading, split_pieces, traces
from modicum.specs.check.sections import brief, finding_sections, review_sections, shortened
from modicum.text.rules.intents import intent_of, standing_against
from modicum.text.rules.statements import statements

TEXT = """---
title: x
---
# Rules

Words *above*.

## Sessions

- Never store sessions in Redis.
  Not even for a day.
- Always use UTC.

| id | text |
| FR-1 | row |

```
- code
| code

more
```
"""


def source(key: str, text: str, kind: FindingKind = FindingKind.RULE, **fields) -> CheckSource:
    return CheckSource(
        key, kind, fields.pop("name", key), (SourcePart(f"{key}.md", split_pieces(text)),), **fields
    )


def ask(text: str, *sources: CheckSource) -> tuple[Finding, ...]:
    return find(parse_question(text), sources, intent_of(text))


# Pieces


def test_a_text_falls_into_paragraphs_items_and_rows_with_their_lines_and_headings() -> None:
    assert [(piece.line, piece.heading, piece.text.splitlines()[0]) for piece in split_pieces(TEXT)] == [
        (6, "Rules", "Words *above*."),
        (10, "Sessions", "- Never store sessions in Redis."),
        (12, "Sessions", "- Always use UTC."),
        (14, "Sessions", "| id | text |"),
        (15, "Sessions", "| FR-1 | row |"),
        (17, "Sessions", "```"),
    ]
    assert split_pieces(TEXT)[1].text.endswith("Not even for a day.")
    assert split_pieces(TEXT)[1].head == " rule session "
    assert split_pieces("") == ()
    assert [piece.line for piece in split_pieces("x\n\n\u2003")] == [1]
    assert [
        piece.line for piece in split_pieces("# A\n\nx\n\n<!-- verbosity:detail -->\ny\n\n```\nopen\n\n")
    ] == [3, 6, 8]


def test_stems_stand_between_blanks() -> None:
    assert joined("Storing sessions, 日本") == " store session 日本 "
    assert joined("!") == "  "
    assert plain_heading("**Two** `words` ##") == "Two words"


@given(st.text(alphabet="#-*|`\n wordé.", max_size=300))
def test_every_piece_stands_where_it_says(text: str) -> None:
    lines = text.splitlines()
    for piece in split_pieces(text):
        assert piece.text.splitlines()[0].rstrip() == lines[piece.line - 1].rstrip()


SETEXT = "Title\n=====\n\nPart\n---\nwords\n- item\n---\n\n#\n\nbare <!-- a\n\nb --> end\n~~~\nx\n```\n\ny\n~~~\nlast"


def test_headings_may_be_underlined_and_comments_are_no_words() -> None:
    assert [(piece.line, piece.heading, piece.text.splitlines()[0]) for piece in split_pieces(SETEXT)] == [
        (6, "Part", "words"),
        (7, "Part", "- item"),
        (12, "", "bare"),
        (14, "", " end"),
    ]
    assert split_pieces(SETEXT)[3].text.endswith("y\n~~~\nlast")


# Traces: whether a text can have a stem is seen without taking it apart


WORDS = """
    store stored storing storage stability stable flies fly tried trying hopping hoping relational conditional email
    e-mail start-up startup getUserById user auth authentication db database café CAFÉ Straße 日本語 日本 policies policy
    running ran indices index children caches cached cache geology sensitivity organizer controlling say
"""
FORMS = st.sampled_from(WORDS.split())


@given(st.lists(FORMS, max_size=6), st.lists(FORMS, max_size=6), st.sampled_from([" ", ", ", "-", "_", "."]))
def test_no_text_that_has_a_stem_is_passed_by(one: list[str], other: list[str], gap: str) -> None:
    text, question = gap.join(one), " ".join(other)
    shared = set(joined(text).split()) & set(joined(question).split())

    assert not shared or may_have(text, traces(joined(question).split()))
    assert not may_have("", traces(["x"]))


# Conflicts


@pytest.mark.parametrize(
    ("wanted", "rule"),
    [
        ("Use Redis for sessions", "Never keep anything in Redis."),
        ("Cache prices in the browser", "Prices must not be cached outside of the server."),
        ("Upload SVG avatars", "Uploads of SVG are forbidden."),
        ("Run migrations at start-up", "Migrations are not allowed to run at start-up."),
        ("Render invoices in a browser", "We do not render invoices, but print them."),
        ("Drop the nightly backup", "A nightly backup is required."),
        ("Replace Postgres with files", "Orders must be kept in Postgres."),
        ("Send mail without a queue", "Always use a queue."),
    ],
)
def test_what_one_wants_and_another_forbids_is_a_possible_conflict(wanted: str, rule: str) -> None:
    assert standing_against(
        intent_of(wanted), f"Something else. {rule} More.", lambda _: True
    ) == rule.rstrip(".")


@pytest.mark.parametrize(
    ("wanted", "rule"),
    [
        ("Use Redis for sessions", "Redis is fine."),
        ("Use Redis for sessions", "Never use MySQL."),
        ("Use Redis for sessions", "Redis does not support joins."),
        ("Never use Redis", "Never use Redis."),
        ("Replace Postgres with Redis", "Always use Redis."),
        ("Drop the backup", "The backup is slow."),
        ("Drop the backup", "Tests are required."),
    ],
)
def test_what_does_not_stand_against_each_other_is_none(wanted: str, rule: str) -> None:
    assert standing_against(intent_of(wanted), rule, lambda _: True) == ""


def test_a_word_that_is_everywhere_is_not_enough() -> None:
    assert standing_against(intent_of("Use Redis"), "Never Redis.", lambda _: False) == ""
    assert standing_against(
        intent_of("Store sessions in Redis"), "Redis must not hold sessions.", lambda _: False
    )


def test_the_reach_of_a_word_that_forbids_ends_with_but_or_use() -> None:
    forbidden, _ = statements("Never poll the server, use events instead")

    assert forbidden.words == {"poll", "server"}


# Findings


def test_the_passage_that_matches_is_found_with_its_place() -> None:
    (finding,) = ask("Move the sessions to Redis", source("rules", TEXT))

    assert (finding.kind, finding.name, finding.files) == (FindingKind.CONFLICT, "rules", ("rules.md",))
    assert finding.where is not None
    assert (finding.where.file, finding.where.line, finding.where.heading) == ("rules.md", 10, "Sessions")
    assert finding.where.words == ("sessions", "redis")
    assert finding.why == "shares sessions, redis; it says otherwise"


def test_only_what_binds_can_be_acted_against() -> None:
    text = "Never use Redis.\n"
    kinds = {kind: ask("Use Redis", source("x", text, kind))[0].kind for kind in FindingKind}

    assert kinds == {
        **dict.fromkeys(
            (
                FindingKind.DECISION,
                FindingKind.RULE,
                FindingKind.REQUIREMENT,
                FindingKind.NOTE,
                FindingKind.CONFLICT,
            ),
            FindingKind.CONFLICT,
        ),
        FindingKind.SUPERSEDED: FindingKind.SUPERSEDED,
        FindingKind.ATTEMPT: FindingKind.ATTEMPT,
    }


def test_what_shares_no_word_is_left_out_unless_it_is_always_told() -> None:
    found = ask("redis", source("a", "cats"), source("b", "dogs", always=True), source("c", "redis"))

    assert [(finding.key, finding.why, finding.where) for finding in found[1:]] == [
        ("b", "shares no word", None)
    ]
    assert found[0].key == "c"
    assert ask("", source("a", "cats"), source("b", "dogs", always=True))[0].key == "b"


def test_a_word_in_the_name_counts_for_more_than_one_in_the_text() -> None:
    text = "Something about redis and other things."
    found = ask("redis", source("a", text), source("b", text, title=joined("Redis trial")))

    assert [finding.key for finding in found] == ["b", "a"]


def test_a_description_that_a_document_repeats_is_told_once_and_from_the_document() -> None:
    (piece,) = split_pieces("Move to Redis")
    parts = (
        SourcePart("change.json", (piece,)),
        SourcePart("describe.md", (piece,)),
        SourcePart("again.md", (piece,)),
    )
    (finding,) = ask("redis", CheckSource("change:a", FindingKind.ATTEMPT, "a", parts))

    assert [match.file for match in finding.matches] == ["describe.md"]


def test_words_are_told_up_to_four() -> None:
    (finding,) = ask("one two three four five six", source("a", "one two three four five six"))

    assert finding.why == "shares one, two, three, four and 1 more" or finding.why.endswith("more")


def test_nothing_that_matches_is_left_out_however_much_there_is() -> None:
    crowd = [
        source(f"change:{n}", f"redis redis {n}", FindingKind.ATTEMPT) for n in range(MOST_CANDIDATES + 20)
    ]
    later = [
        CheckSource(
            f"late:{n}",
            FindingKind.ATTEMPT,
            "late",
            (SourcePart("a.md", ()), SourcePart("b.md", split_pieces("redis\n\nredis"))),
        )
        for n in range(3)
    ]
    rules = [source(f"rule:{n}", "redis\n\nmore redis\n\nredis\n\nredis\n\nredis") for n in range(3)]
    found = ask("redis", *crowd, *rules, *later)

    assert len(found) == len(crowd) + len(rules) + len(later)


@given(st.permutations(["redis cache", "redis", "cache of redis", "never redis", "other", "cache"]))
def test_the_order_is_always_the_same(texts: list[str]) -> None:
    found = ask("use redis as a cache", *(source(f"s:{text}", text) for text in texts))
    again = ask("use redis as a cache", *(source(f"s:{text}", text) for text in reversed(texts)))

    assert [(each.key, each.kind) for each in found] == [(each.key, each.kind) for each in again]


# Blocks

MATCH = PassageMatch(
    "docs/adrs/001-x.md", 9, "Decision", "Never use Redis.", ("redis",), 1.0, "Never use Redis"
)
CONFLICT = Finding("adr:001", FindingKind.CONFLICT, "ADR 001 No Redis", 2.0, (MATCH,), "", "shares redis")
NOTE = Finding(
    "note:n-7kq2m4",
    FindingKind.NOTE,
    "Redis",
    1.0,
    (PassageMatch("", 1, "", "It was slow.", ("redis",)),),
    "2026-11-15",
    "shares redis",
)
ARTIFACT = Finding(
    "artifact:requirements.md", FindingKind.REQUIREMENT, "requirements.md", 1.5,
    (PassageMatch("docs/requirements.md", 3, "", "- FR-001: Redis", ("redis",)),), "", "shares redis",
)  # fmt: skip
OTHERS = [Finding(f"adr:00{n}", FindingKind.DECISION, "x", 0.0) for n in (2, 3)]


def text_of(findings, detail: Detail, whole=lambda _: "", sections=finding_sections) -> str:
    return fit(sections(findings, whole), View(detail)).text


def test_a_summary_names_one_to_a_line_and_a_standard_page_has_the_passages() -> None:
    everything = [CONFLICT, ARTIFACT, NOTE, *OTHERS]

    assert text_of(everything, Detail.SUMMARY) == (
        "## Possible conflicts\n"
        '- ADR 001 No Redis: "Never use Redis"\n\n'
        "## Requirements\n"
        "- requirements.md: FR-001\n\n"
        "## Notes\n"
        "- n-7kq2m4 Redis (2026-11-15)\n\n"
        "Without any of these words: adr:002 adr:003"
    )
    assert text_of([CONFLICT, NOTE], Detail.STANDARD) == (
        "## Possible conflicts\n"
        "- **ADR 001 No Redis**: shares redis\n"
        "  docs/adrs/001-x.md:9 (Decision)\n"
        "  > Never use Redis.\n\n"
        "## Notes\n"
        "- **n-7kq2m4 Redis** (2026-11-15): shares redis\n"
        "  > It was slow."
    )


def test_full_is_everything() -> None:
    page = text_of([CONFLICT, *OTHERS], Detail.FULL, whole=lambda each: "WHOLE" if each is CONFLICT else "")

    assert "shares redis\nWHOLE" in page
    assert page.endswith("adr:002 adr:003")
    assert "WHOLE" in text_of(OTHERS, Detail.FULL, whole=lambda _: "WHOLE")


def test_a_review_is_a_list_to_tick() -> None:
    assert text_of([CONFLICT, NOTE, *OTHERS], Detail.SUMMARY, sections=review_sections) == (
        "## Possible conflicts\n- [ ] **ADR 001 No Redis**"
    )
    assert "Never use Redis. (docs/adrs/001-x.md:9)" in text_of(
        [CONFLICT], Detail.STANDARD, sections=review_sections
    )
    assert "> Never use Redis." in text_of([CONFLICT], Detail.FULL, sections=review_sections)
    assert text_of([CONFLICT], Detail.FULL, lambda _: "WHOLE", review_sections).endswith("WHOLE")


def test_of_a_long_passage_the_sentences_around_the_words_are_shown() -> None:
    filler = "This sentence is about something else entirely. " * 12
    long = PassageMatch(
        "a.md", 1, "", f"{filler}Sessions live in Redis. They are signed. {filler}", ("redis",)
    )

    assert shortened(long).startswith("… Sessions live in Redis. They are signed.")
    assert shortened(long).endswith(" …")
    assert len(shortened(long)) < 400
    assert shortened(long._replace(text=f"Redis first. {filler}")).startswith("Redis first.")
    assert shortened(long._replace(text=f"{filler}Redis last.")).endswith("Redis last.")
    opposed = long._replace(text=f"{filler}Redis, redis. {filler}Never use it.", against="Never use it")
    assert "Never use it" in shortened(opposed)


def test_a_conflict_without_words_is_named_as_it_is() -> None:
    assert brief(CONFLICT._replace(matches=())) == "- ADR 001 No Redis"


@given(st.integers(0, 400), st.sampled_from(Detail))
def test_what_matters_most_is_named_first(limit: int, detail: Detail) -> None:
    from modicum.engine.page import Budget

    view = View(detail, budget=Budget(limit), order=Order.BREADTH)
    page = fit(finding_sections([CONFLICT, ARTIFACT, NOTE], lambda _: ""), view)

    assert page.size <= limit
    if page.text:
        assert "ADR 001" in page.text or limit < 60
