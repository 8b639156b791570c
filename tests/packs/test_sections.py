"""Packs as sections: what is read where, what matters more, what covers what, and which files it is for."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.engine.page import Budget, Detail, Fate, Page, Section, View, fit
from modicum.packs.model import Journey, KnownError, Pack, PackText, Sample
from modicum.packs.sections import compose, compose_whole, pack_of
from modicum.packs.surrounding import News, PageFacts, surrounding

DETAIL = "<!-- verbosity:detail -->"
EXTENDED = "<!-- verbosity:extended -->"
NO_FACTS = PageFacts()


def pack(name: str, context: str = "", constraints: str = "", preamble: str = "", **more) -> Pack:
    def texts(text: str) -> tuple[PackText, ...]:
        return (PackText(f"{name}.md", text),) if text else ()

    parts = {"context": texts(context), "constraints": texts(constraints), "preamble": texts(preamble)}
    return Pack(name, **parts | more)


def page(
    *packs: Pack,
    facts: PageFacts = NO_FACTS,
    detail: Detail = Detail.FULL,
    limit: int | None = None,
    style: str = "markdown",
) -> Page:
    return fit(all_sections(packs, facts, style), View(detail, budget=Budget(limit)))


def all_sections(packs: Sequence[Pack], facts: PageFacts, style: str = "markdown") -> tuple[Section, ...]:
    around = surrounding([pack.id for pack in packs], facts, style)
    return (*around.above, *compose(packs, style).whole(), *around.below)


def body(*packs: Pack, **more) -> str:
    """The page without its header."""
    return page(*packs, **more).text.partition("not this text.")[2].removeprefix("\n\n")


def in_order(text: str, *words: str) -> bool:
    places = [text.index(word) for word in words]
    return places == sorted(places)


def keys(*packs: Pack) -> list[str]:
    return [block.key for section in compose(packs, "markdown").whole() for block in section.blocks]


# Layout


def test_without_packs_there_is_the_header_and_nothing_else() -> None:
    text = page().text

    assert text.startswith("# Context\n\n")
    assert "\n\n\n" not in text
    assert text == text.strip()


def test_everything_stands_in_its_place() -> None:
    facts = PageFacts(
        "Developer — writes code", (News("b", "new thing"),), ((1, "a notice"),), ("runtime line",)
    )
    base = pack("base", "## Base\n\nbase text", preamble="Be kind.", base=True)
    other = pack(
        "b",
        "## B\n\nb text",
        "1. Never.",
        samples=(Sample("b/s", "label", "https://s", inject=True),),
        learning=(Journey("slug", featured=True),),
        known_errors=(KnownError("b/e", "oops", "cause", "fix"),),
    )
    text = page(base, other, facts=facts).text

    assert in_order(
        text,
        "# Context",
        "**Developer Profile:** Developer — writes code",
        "runtime line",
        "Be kind.",
        "## Constraints\n\n1. Never.",
        "## Base\n\nbase text",
        "## B\n\nb text",
        "## Canonical Patterns\n\n| Pattern | URL |\n|---|---|\n| label | https://s |",
        "## Recommended Learning\n\n| Title |\n|---|\n| Slug |",
        "## Known Errors\n\n| Error | Cause | Fix |\n|---|---|---|\n| oops | cause | fix |",
        "## Current Context\n- a notice",
        "## What's New\n- new thing",
    )


def test_packs_are_read_in_the_order_in_which_they_come() -> None:
    assert in_order(body(pack("z", "zebra"), pack("a", "ant")), "zebra", "ant")


def test_what_is_blank_leaves_no_blank_lines() -> None:
    text = body(
        pack("a", "first\n\n\n\n"), pack("b", "  \n"), pack("c", "\n\nlast"), facts=PageFacts(runtime=("",))
    )

    assert text == "first\n\nlast"


def test_preambles_come_from_base_packs_only_and_in_order() -> None:
    packs = [pack(name, preamble=name.upper(), base=name != "c") for name in "abc"]

    assert body(*packs) == "A\n\nB"


def test_a_preamble_has_tiers_and_shows_no_markers() -> None:
    base = pack("a", preamble="Be kind.\n\n<!-- verbosity:detail -->\nAnd calm.\n", base=True)

    assert body(base, detail=Detail.SUMMARY) == "Be kind."
    assert body(base, detail=Detail.STANDARD) == "Be kind.\n\nAnd calm."


def test_the_facts_of_a_page_stand_below_its_packs() -> None:
    facts = PageFacts(version="0.1", notices=((1, "now"),))
    notice = "\n\n## Current Context\n- now"

    assert (
        body(pack("a", "A"), pack("b", "B"), facts=facts)
        == f"A\n\nB\n\nMade by modicum 0.1 from the packs a, b.{notice}"
    )
    assert body(facts=facts) == notice.lstrip()


def test_constraints_of_all_packs_stand_under_one_heading() -> None:
    text = body(pack("a", "A", "1. Never a."), pack("b", "B", "1. Never b."), pack("c", "C"))

    assert text == ("## Constraints\n\n1. Never a.\n\n1. Never b.\n\n## a\n\nA\n\n## b\n\nB\n\n## c\n\nC")


def test_a_text_without_a_heading_stands_under_the_name_of_its_pack_if_a_heading_is_above_it() -> None:
    headed, bare = pack("a", "## Money\n\nCents."), pack("b", "B\n\n## b\n\nMore.")

    assert body(bare) == "B\n\n## b\n\nMore."
    assert body(headed, bare) == "## Money\n\nCents.\n\n## b\n\nB\n\nMore."


def test_only_samples_that_are_meant_for_it_and_featured_journeys_are_shown() -> None:
    quiet = pack("a", samples=(Sample("a/s", "label", "url"),), learning=(Journey("slug"),))

    assert body(quiet) == ""


def test_a_journey_shows_its_title_as_a_link() -> None:
    journey = Journey("slug", "Title", "beginner", "2 hr", "https://j", featured=True)

    assert "| [Title](https://j) | beginner | 2 hr |" in body(pack("a", learning=(journey,)))


def test_a_journey_without_a_title_has_the_words_of_its_slug_and_no_empty_cells() -> None:
    text = body(pack("a", learning=(Journey("developing-with-cap", featured=True),)))

    assert text == "## Recommended Learning\n\n| Title |\n|---|\n| Developing with cap |"


def test_a_column_that_only_some_rows_fill_stays() -> None:
    journeys = (Journey("one", featured=True), Journey("two", level="beginner", featured=True))

    assert "| Title | Level |\n|---|---|\n| One |  |\n| Two | beginner |" in body(
        pack("a", learning=journeys)
    )


@pytest.mark.parametrize("weights", [(1, 2), (2, 1), (1, 1)])
def test_what_two_packs_list_alike_is_shown_once_for_the_heavier(weights: tuple[int, int]) -> None:
    journey = Journey("shared", featured=True)
    packs = [pack(name, learning=(journey,), weight=w) for name, w in zip("ab", weights, strict=True)]
    shown = page(*packs)

    assert shown.text.count("Shared") == 1
    heavier, lighter = ("b", "a") if weights == (1, 2) else ("a", "b")
    assert shown.fates[f"learning:{heavier}/shared"] is Fate.SHOWN
    assert shown.fates[f"learning:{lighter}/shared"] is Fate.COVERED


def test_cells_are_escaped_and_their_newlines_folded() -> None:
    error = KnownError("a/e", "a | b\r\nc", "line\none", "`x|y`")

    assert body(pack("a", known_errors=(error,))).endswith("| a \\| b c | line one | `x\\|y` |")


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_notices_and_news_are_one_line_each(line_end: str) -> None:
    words = line_end.join(("one", "two"))
    text = body(facts=PageFacts(news=(News("a", words),), notices=((1, words),)))

    assert text == "## Current Context\n- one two\n\n## What's New\n- one two"


def test_a_long_notice_is_shortened() -> None:
    text = body(facts=PageFacts(notices=((1, "x" * 600),)))

    assert text.endswith("…")
    assert not re.search("x{501}", text)


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        (Detail.SUMMARY, "core profile news notice runtime preamble never"),
        (Detail.STANDARD, "core profile news notice runtime preamble never middle pattern"),
        (Detail.FULL, "core profile news notice runtime preamble never middle pattern much journey oops"),
    ],
)
def test_synthetic_parts_have_tiers(detail: Detail, shown: str) -> None:
    facts = PageFacts("profile", (News("a", "news"),), ((1, "notice"),), ("runtime",))
    full = pack(
        "a",
        f"core\n{DETAIL}\nmiddle\n{EXTENDED}\nmuch",
        "never",
        "preamble",
        base=True,
        samples=(Sample("a/s", "pattern", "u", inject=True),),
        learning=(Journey("journey", "journey", featured=True),),
        known_errors=(KnownError("a/e", "oops", "c", "f"),),
    )
    words = ("core", "profile", "news", "notice", "runtime", "preamble", "never", "middle", "pattern")
    text = page(full, facts=facts, detail=detail).text.replace("Developer Profile", "")

    assert [word for word in (*words, "much", "journey", "oops") if word in text] == shown.split()


def test_markers_of_constraints_are_their_own() -> None:
    told = pack("a", constraints=f"1. Always.\n{DETAIL}\n2. Mostly.")

    assert "Mostly" not in page(told, detail=Detail.SUMMARY).text
    assert "Mostly" in page(told, detail=Detail.STANDARD).text


def test_authored_order_is_kept_across_tiers() -> None:
    text = body(pack("a", f"1\n{DETAIL}\n2\n<!-- verbosity:core -->\n3\n{EXTENDED}\n4\n{DETAIL}\n5"))

    assert text.split() == ["1", "2", "3", "4", "5"]


def test_plain_prose_has_no_markdown() -> None:
    told = pack(
        "a",
        "## Title\n\n**bold** `code`",
        "1. *Never*.",
        known_errors=(KnownError("a/e", "`oops`", "the **cause**", ""),),
        samples=(Sample("a/s", "label", "https://s", inject=True),),
    )
    facts = PageFacts("profile", notices=((1, "a *notice*"),))
    text = page(told, facts=facts, style="plain-prose").text

    assert "Title\n\nbold code" in text
    assert "Canonical Patterns\n\n- label; URL: https://s" in text
    assert "Known Errors\n\n- oops; Cause: the cause" in text
    assert not re.search(r"[*`#|]", text)


def test_an_open_fence_is_closed_before_it_swallows_the_next_pack() -> None:
    composition = compose(
        [pack("a", "x\n\n~~~~sh\nrun"), pack("b", "<!-- todo"), pack("c", "`` ` ``")], "markdown"
    )
    text = fit(composition.whole(), View()).text

    assert text == "x\n\n~~~~sh\nrun\n~~~~\n\n<!-- todo\n-->\n\n`` ` ``"
    assert [(file, remark.line) for file, remark in composition.remarks] == [("a.md", 1), ("b.md", 1)]


def test_a_closed_fence_is_left_alone() -> None:
    assert body(pack("a", "```sh\nrun\n```\n\nafter")) == "```sh\nrun\n```\n\nafter"


def test_what_is_odd_is_told_with_its_file_and_line() -> None:
    ((file, remark),) = compose([pack("a", "x\n<!-- verbosity:bogus -->\ny")], "markdown").remarks

    assert (file, remark.line) == ("a.md", 2)


# Keys


def test_keys_name_the_pack_and_the_heading() -> None:
    told = pack(
        "a",
        "intro\n\n## First Thing!\n\nx\n\n## ???\n\ny\n\n## 中文 标题\n\nz",
        "never",
        samples=(Sample("a/s", "l", "u", inject=True), Sample("bare", "l", "u", inject=True)),
        known_errors=(KnownError("a/e", "p", "c", "f"),),
        learning=(Journey("j", featured=True),),
    )

    assert keys(told) == [
        "pack:a/constraints",
        "pack:a/context",
        "pack:a/first-thing",
        "pack:a/context.2",
        "pack:a/中文-标题",
        "sample:a/s",
        "sample:a/bare",
        "learning:a/j",
        "error:a/e",
    ]
    assert {pack_of(key) for key in keys(told)} == {"a"}


def test_headings_with_the_same_name_have_keys_of_their_own() -> None:
    assert keys(pack("a", "## A b\n\nx\n\n## A-B\n\ny\n\n## a_b\n\nz")) == [
        "pack:a/a-b",
        "pack:a/a-b.2",
        "pack:a/a-b.3",
    ]


@pytest.mark.parametrize("key", ["header", "profile", "notice:1", "notice:2", "runtime", "news:a"])
def test_boilerplate_is_of_no_pack(key: str) -> None:
    assert pack_of(key) == ""


# Importance


def order_of_loss(*packs: Pack, facts: PageFacts = NO_FACTS) -> list[str]:
    """The keys from the first to go to the last."""
    lost: list[str] = []
    whole = page(*packs, facts=facts)
    for limit in range(whole.size, -1, -1):
        fates = page(*packs, facts=facts, limit=limit).fates
        lost += [key for key, fate in fates.items() if fate is Fate.CUT and key not in lost]
    return lost


def test_boilerplate_goes_first_then_the_light_packs_and_notices_and_preambles_last() -> None:
    same = "x" * 80
    facts = PageFacts(same, (News("a", same),), ((1, same),), (same * 2,))
    packs = [
        pack("base", same, same, same, base=True, weight=5),
        pack("heavy", same, same, weight=100),
        pack("light", same, same, weight=1),
    ]
    blocks = [block for section in all_sections(packs, facts) for block in section.blocks]
    ranked = [block.key for block in sorted(blocks, key=lambda b: (not b.pinned, b.rank))]

    assert ranked == [
        "pack:base/preamble",
        "notice:1",
        "pack:heavy/constraints",
        "pack:heavy/context",
        "pack:base/constraints",
        "pack:base/context",
        "pack:light/constraints",
        "pack:light/context",
        "header",
        "profile",
        "news:a",
        "runtime",
    ]
    assert order_of_loss(*packs, facts=facts)[0] == "runtime"
    assert order_of_loss(*packs, facts=facts)[-1] in ("pack:base/preamble", "notice:1")


def test_tables_of_a_pack_matter_less_than_its_text_and_more_than_the_next_pack() -> None:
    heavy = pack("a", "text", weight=2, known_errors=(KnownError("a/e", "p", "c", "f"),))
    blocks = [b for s in compose([pack("b", "text", weight=1), heavy], "markdown").whole() for b in s.blocks]

    assert [b.key for b in sorted(blocks, key=lambda b: b.rank)] == [
        "pack:a/context",
        "error:a/e",
        "pack:b/context",
    ]


def test_of_equal_weights_the_first_id_matters_more() -> None:
    blocks = [b for s in compose([pack("b", "x"), pack("a", "x")], "markdown").whole() for b in s.blocks]

    assert min(blocks, key=lambda block: block.rank).key == "pack:a/context"


def test_tiers_are_lowered_before_anything_is_left_out() -> None:
    packs = [
        pack(name, f"{name * 20}\n{DETAIL}\n{name.upper() * 20}", weight=w)
        for name, w in (("a", 2), ("b", 1))
    ]
    fates = fit(compose(packs, "markdown").whole(), View(Detail.FULL, budget=Budget(70))).fates

    assert fates == {
        "pack:a/context": Fate.SHOWN,
        "pack:a/context.2": Fate.SHOWN,
        "pack:b/context": Fate.SHOWN,
        "pack:b/context.2": Fate.CUT,
    }


# Overlaps


def kept(packs: Sequence[Pack], limit: int | None = None, detail: Detail = Detail.FULL) -> list[str]:
    """The packs that have something on the page."""
    fates = fit(compose(packs, "markdown").whole(), View(detail, budget=Budget(limit))).fates
    return list(dict.fromkeys(pack_of(key) for key, fate in fates.items() if fate is Fate.SHOWN))


def test_a_pack_makes_way_for_one_that_outweighs_it() -> None:
    assert kept([pack("cap", "x", weight=2), pack("btp", "y", weight=1, overlaps=("cap",))]) == ["cap"]


def test_a_pack_does_not_make_way_for_a_lighter_one() -> None:
    assert kept([pack("hi", "x", weight=2, overlaps=("lo",)), pack("lo", "y", weight=1)]) == ["hi", "lo"]


def test_a_pack_whose_rival_is_not_there_is_kept() -> None:
    assert kept([pack("btp", "y", overlaps=("cap",))]) == ["btp"]


def test_of_two_that_overlap_one_is_always_kept() -> None:
    packs = [pack("big", "b" * 100, weight=2), pack("small", "s" * 5, weight=1, overlaps=("big",))]

    assert kept(packs, 50) == ["small"]
    assert kept(packs, 100) == ["big"]


def test_overlaps_are_followed_in_turn() -> None:
    packs = [
        pack("c", "c", weight=3),
        pack("b", "b", weight=2, overlaps=("c",)),
        pack("a", "a", weight=1, overlaps=("b",)),
    ]

    assert kept(packs) == ["c"]


def test_overlaps_in_a_circle_keep_the_heaviest() -> None:
    packs = [
        pack(name, name, weight=w, overlaps=(other,)) for name, w, other in (("a", 2, "b"), ("b", 1, "a"))
    ]

    assert kept(packs) == ["a"]


def test_an_empty_pack_covers_nothing() -> None:
    packs = [pack("empty", weight=2), pack("a", "a", weight=1, overlaps=("empty",))]

    assert kept(packs) == ["a"]


def test_a_tier_is_covered_by_the_same_tier_only() -> None:
    packs = [pack("a", "core", weight=2), pack("b", f"core\n{DETAIL}\nmore", weight=1, overlaps=("a",))]
    fates = fit(compose(packs, "markdown").whole(), View(Detail.FULL)).fates

    assert fates["pack:b/context"] is Fate.COVERED
    assert fates["pack:b/context.2"] is Fate.SHOWN


def test_a_base_pack_is_overlapped_like_any_other() -> None:
    base = pack("base", "b", base=True)

    assert kept([base, pack("cap", "c", weight=9, overlaps=("base",))]) == ["base", "cap"]
    assert kept(
        [pack("base", "b", base=True, weight=10), pack("cap", "c", weight=9, overlaps=("base",))]
    ) == ["base"]


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 3), st.lists(st.integers(0, 4), max_size=2)),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 120),
)
def test_what_is_covered_is_covered_by_something_that_is_shown(
    shapes: list[tuple[int, int, list[int]]], limit: int
) -> None:
    packs = [
        pack(f"p{n}", "x" * size, weight=weight, overlaps=tuple(f"p{other}" for other in overlaps))
        for n, (size, weight, overlaps) in enumerate(shapes)
    ]
    found = fit(compose(packs, "markdown").whole(), View(budget=Budget(limit)))

    assert len(found.text) <= limit
    if Fate.COVERED in found.fates.values():
        assert Fate.SHOWN in found.fates.values()


# Globs


def files(*packs: Pack) -> dict[str, tuple[tuple[str, ...], str]]:
    """What has a file of its own: its name, its globs, and its text."""
    found = compose(packs, "markdown").conditional()
    return {name: (globs, fit(sections, View(Detail.FULL)).text) for (name, globs), sections in found.items()}


def common(*packs: Pack) -> str:
    return fit(compose(packs, "markdown").unconditional(), View(Detail.FULL)).text


def test_a_pack_with_globs_has_a_file_of_its_own() -> None:
    web = pack(
        "web",
        "## Web\n\ntext",
        "never",
        globs=("*.ts", "*.css"),
        known_errors=(KnownError("e", "p", "c", "f"),),
    )

    assert common(web, pack("b", "b")) == "## b\n\nb"
    assert files(web)["web"][0] == ("*.ts", "*.css")
    assert in_order(
        files(web)["web"][1], "## Constraints\n\nnever", "## Web\n\ntext", "## Known Errors\n\n| Error"
    )


def test_on_one_page_a_pack_with_globs_says_what_it_applies_to() -> None:
    web = pack(
        "web",
        "## Web\n\ntext\n\n### More\n\nmore",
        "never",
        globs=("*.ts",),
        samples=(Sample("s", "l", "u", inject=True),),
    )
    other = pack("b", "## B\n\nb", "always", samples=(Sample("t", "m", "v", inject=True),))

    assert body(web, other) == (
        "## Constraints\n\nalways\n\n(Applies to `*.ts`.)\n\nnever\n\n"
        "## Web\n\n(Applies to `*.ts`.)\n\ntext\n\n### More\n\nmore\n\n"
        "## B\n\nb\n\n"
        "## Canonical Patterns\n\n| Pattern | URL |\n|---|---|\n| m | v |\n\n"
        "(Applies to `*.ts`.)\n\n| Pattern | URL |\n|---|---|\n| l | u |"
    )


def test_the_globs_of_a_section_hold_for_all_that_is_under_its_heading() -> None:
    text = (
        "## A\n\na\n\n## B\n<!-- globs: src/**/*.{ts,tsx}, *.css -->\nb\n"
        f"{DETAIL}\nbb\n\n### C\n\nc\n\n<!-- verbosity:core -->\n## D\n\nd"
    )
    told = pack("p", text)

    assert common(told) == "## A\n\na\n\n## D\n\nd"
    assert files(told) == {"p-b": (("src/**/*.{ts,tsx}", "*.css"), "## B\n\nb\n\nbb\n\n### C\n\nc")}
    assert body(told) == (
        "## A\n\na\n\n## B\n\n(Applies to `src/**/*.{ts,tsx}`, `*.css`.)\n\nb\n\nbb\n\n### C\n\nc\n\n## D\n\nd"
    )


def test_globs_above_the_first_heading_hold_for_the_whole_text() -> None:
    told = pack("p", "<!-- globs: *.py -->\n\n## A\n\na\n\n## B\n\nb", globs=("*",))

    assert files(told) == {"p-context": (("*.py",), "## A\n\na\n\n## B\n\nb")}
    assert body(told, style="plain-prose").startswith("A\n\n(Applies to *.py.)\n\na")


def test_empty_globs_are_none() -> None:
    assert common(pack("p", "<!-- globs: , -->\ntext")) == "text"


# Whole packs


def whole(packs: Sequence[Pack], limit: int | None = None, detail: Detail = Detail.FULL) -> list[str]:
    """The packs that the classic rule keeps within so many characters."""
    sections = compose_whole(packs, "markdown", detail).whole()
    fates = fit(sections, View(detail, floor=detail, budget=Budget(limit), strict=True)).fates
    return [key.removeprefix("pack:") for key, fate in fates.items() if fate is Fate.SHOWN]


def sized(name: str, size: int, **more) -> Pack:
    return pack(name, "x" * size, **more)


def by_weight(*packs: Pack) -> list[Pack]:
    from modicum.base.value import replace

    return [replace(p, weight=len(packs) - n) for n, p in enumerate(packs)]


@pytest.mark.parametrize(
    ("packs", "limit", "expected"),
    [
        pytest.param([sized("cap", 5), sized("btp", 5)], None, ["cap", "btp"], id="T1"),
        pytest.param([], 10, [], id="T2"),
        pytest.param([sized("cap", 5), sized("btp", 5, overlaps=("cap",))], None, ["cap"], id="T3"),
        pytest.param([sized("btp", 5, overlaps=("cap",))], None, ["btp"], id="T4"),
        pytest.param([sized("cap", 14), sized("btp", 5)], 10, [], id="T5"),
        pytest.param([sized("cap", 12), sized("big", 28), sized("abap", 5)], 20, ["cap"], id="T6"),
        pytest.param(
            [sized("cap", 16), sized("btp", 9, overlaps=("cap",)), sized("abap", 12)],
            100,
            ["cap", "abap"],
            id="T8",
        ),
        pytest.param([sized("base", 20, base=True), sized("cap", 5)], 5, [], id="T9: base packs count"),
        pytest.param(
            [sized("base", 17, base=True), sized("big", 32), sized("s", 2)], 10, [], id="T12: and stop"
        ),
        pytest.param([sized("a", 9, base=True), sized("b", 9, base=True)], 5, [], id="T13: all of them"),
        pytest.param([sized("cap", 10), sized("next", 8)], 20, ["cap", "next"], id="an exact fit is kept"),
    ],
)
def test_whole_packs_are_kept_in_order_until_one_does_not_fit(
    packs: list[Pack], limit: int | None, expected: list[str]
) -> None:
    assert whole(by_weight(*packs), limit) == expected


def test_whole_packs_count_their_constraints_and_tables() -> None:
    told = pack("a", "12345", "67890", known_errors=(KnownError("e", "p", "c", "f"),))
    size = len(fit(compose_whole([told], "markdown", Detail.SUMMARY).whole(), View()).text)

    assert size == len("## Constraints\n\n67890\n\n## a\n\n12345")
    assert whole([told], size - 1, Detail.SUMMARY) == []
    assert whole([told], size, Detail.SUMMARY) == ["a"]
    assert whole([told], size, Detail.FULL) == []


def test_an_empty_pack_always_fits_and_covers_nothing() -> None:
    packs = by_weight(pack("meta"), sized("cap", 17, overlaps=("meta",)))

    assert whole(packs, 5) == []
    assert whole(packs, 17) == ["cap"]


def test_whole_packs_keep_labels_preambles_and_remarks() -> None:
    packs = [
        pack("a", "x", preamble="Hi.", base=True, globs=("*.py",)),
        pack("b", "y\n<!-- verbosity:odd -->"),
    ]
    composition = compose_whole(packs, "markdown", Detail.FULL)

    assert fit(composition.whole(), View()).text == "Hi.\n\n(Applies to `*.py`.)\n\nx\n\ny"
    assert [file for file, _ in composition.remarks] == ["b.md"]
