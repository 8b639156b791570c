"""The laws of a page whose pointer line comes late, on random documents: more room never shows less, at any limit."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.engine.late_line import LEAST_SHARE, fit_line_last
from modicum.engine.offers import Offers
from modicum.engine.page import Block, Budget, Detail, Fate, LeftOut, Order, Page, Section, View, fit
from modicum.engine.tokens import measure

LEFT = "Left out for lack of room: parts of one. Read them with `show`."


def in_bytes(text: str) -> int:
    return len(text.encode())


def wrapped(text: str) -> int:
    return len(f"<!-- start -->\n{text}\n<!-- end -->\n") if text else 0


def left_line(left: LeftOut) -> str:
    return LEFT if left.cut or left.shortened else ""


words = st.sampled_from(["a", "Ask first.", "東京 停止", "Never round a price. " * 3, "word " * 30])
forms = st.dictionaries(st.sampled_from(Detail), words, max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> list[Section]:
    sections = []
    for number in range(draw(st.integers(0, 4))):
        blocks = tuple(
            Block(f"{number}.{at}", draw(forms), draw(st.integers(0, 2)), pinned=draw(st.integers(0, 5)) == 0)
            for at in range(draw(st.integers(1, 4)))
        )
        lead = draw(st.sampled_from([(), (f"## {number}",), (f"## {number}", "### In it")]))
        sections.append(Section(blocks, lead))
    return sections


views = st.builds(
    View,
    detail=st.sampled_from(Detail),
    order=st.sampled_from(Order),
    strict=st.booleans(),
    pointer=st.just(left_line),
)


def reached(sections: list[Section], view: View, page: Page) -> dict[tuple[int, int], bool]:
    """Each improvement in the order of the line, and whether the page has it."""
    offers = Offers(sections, view, breadth=view.order is Order.BREADTH)
    levels = {}
    for number, (block, steps) in enumerate(zip(offers.blocks, offers.steps, strict=True)):
        if page.fates[block.key] in (Fate.SHOWN, Fate.SHORTENED):
            levels[number] = [offers.count(step.text) for step in steps].index(page.sizes[block.key]) + 1
    return {(number, level): levels.get(number, 0) >= level for number, level in offers.line}


@given(documents(), views, st.sampled_from([len, in_bytes, wrapped]), st.integers(0, 700), st.integers(1, 80))
def test_up_to_the_first_difference_more_room_shows_more_at_every_limit(
    sections: list[Section], view: View, count, limit: int, more: int
) -> None:
    pages = []
    for most in (limit, limit + more):
        wide = replace(view, budget=Budget(most, count))
        page = fit_line_last(sections, wide)
        assert count(page.text) <= most or not page.text
        pages.append(reached(sections, wide, page))
    small, large = pages

    first = next((each for each in small if small[each] != large[each]), None)
    assert first is None or large[first]


@given(documents(), views, st.integers(0, 700))
def test_what_it_shows_without_a_line_is_a_page_of_the_rule(
    sections: list[Section], view: View, limit: int
) -> None:
    view = replace(view, budget=Budget(limit, len))
    page = fit_line_last(sections, view)
    bare = fit(sections, replace(view, pointer=None))

    is_short = {Fate.CUT, Fate.SHORTENED} & {*bare.fates.values()}
    if not is_short or limit <= LEAST_SHARE * len(LEFT):
        assert page.text.removesuffix(LEFT).rstrip("\n") == bare.text.rstrip("\n")
    if LEFT in page.text:
        assert len(page.text.replace(LEFT, "").strip()) > 0


@given(documents(), views, st.integers(0, 200))
def test_in_tokens_a_page_is_never_over_its_limit(sections: list[Section], view: View, limit: int) -> None:
    count = measure("o200k_base")
    page = fit_line_last(sections, replace(view, budget=Budget(limit, count)))

    assert not page.text or count(page.text) <= limit


def test_the_line_waits_until_it_fits_beside_what_it_would_displace() -> None:
    rules = [Section(tuple(Block(str(n), {Detail.SUMMARY: "x" * 40}, n) for n in range(20)), gap="")]
    shown, lines = [], []
    for limit in range(600):
        page = fit_line_last(rules, View(budget=Budget(limit, len), pointer=left_line))
        shown.append(page.text.count("x") // 40)
        lines.append(LEFT in page.text)

    assert shown == sorted(shown)
    assert not any(lines[: 40 + len(LEFT)])
    assert all(lines[(LEAST_SHARE + 1) * (len(LEFT) + 2) :])


def test_without_a_limit_or_a_line_it_is_the_page_of_the_rule() -> None:
    one = [Section((Block("a", {Detail.SUMMARY: "x"}),))]

    assert fit_line_last(one, View(pointer=left_line)) == fit(one, View())
    assert fit_line_last(one, View(budget=Budget(0, len))) == fit(one, View(budget=Budget(0, len)))
    assert fit_line_last([], View(budget=Budget(0, len), pointer=left_line)).text == ""


def test_the_line_comes_before_blocks_that_are_named_for_after_it() -> None:
    frame = Section((Block("frame", {Detail.SUMMARY: "f" * 40}, 9),))
    told = [
        frame,
        Section((Block("a", {Detail.SUMMARY: "a" * 90}), Block("b", {Detail.SUMMARY: "b" * 200}, 1))),
    ]
    small, large, whole = (
        fit_line_last(told, View(budget=Budget(limit, len), pointer=left_line), ("frame",))
        for limit in (180, 320, 400)
    )

    assert small.text == f"{'a' * 90}\n\n{LEFT}"
    assert small.fates == {"frame": Fate.CUT, "a": Fate.SHOWN, "b": Fate.CUT}
    assert small.reasons["frame"] == "What is left out is told before it."
    assert large.text == f"{'a' * 90}\n\n{'b' * 200}"
    assert whole.text.startswith("f" * 40)
