"""The laws of `fit`, on random documents, and each line of its fine print."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.engine.page import (
    BLANK_LINE,
    Block,
    Budget,
    Detail,
    Fate,
    LeftOut,
    Order,
    Page,
    Section,
    View,
    fit,
)
from modicum.engine.tokens import measure
from modicum.engine.views import budget

SUMMARY, STANDARD, FULL = Detail


def in_bytes(text: str) -> int:
    return len(text.encode())


def wrapped(text: str) -> int:
    """A target with front matter, which is not written at all when there is nothing to say."""
    return len(f"---\nalways: yes\n---\n{text}\n") if text else 0


def left_line(left: LeftOut) -> str:
    return f"({len(left.cut)} cut, {len(left.shortened)} shortened, {left.shown} of {left.total} shown)"


words = st.sampled_from(
    ["a", "to", "die", "zwölf", "東京", "🇩🇪", "👩‍🚀 ok", "x" * 30, "end.", "# no", "- item\n- item"]
)
texts = st.one_of(
    st.just(""),
    st.lists(words, min_size=1, max_size=5).map(" ".join),
    st.text(max_size=12),
    st.sampled_from([" ", "\n"]),
)
forms = st.dictionaries(st.sampled_from(Detail), texts, max_size=3)
leads = st.lists(st.sampled_from(["# A", "# B", "## C", "## D 東", "| x | y |\n|---|---|"]), max_size=3).map(
    tuple
)

# Sections that share a lead and differ in their gap are told apart below: room may come back when a lead moves up.
leads_and_gaps = leads.map(
    lambda found: (found, {0: BLANK_LINE, 1: "\n", 2: "", 3: BLANK_LINE}[len(found) % 4])
).map(lambda pair: (tuple(f"{lead} {len(pair[1])}" for lead in pair[0]), pair[1]))


@st.composite
def documents(draw: st.DrawFn) -> list[Section]:
    sizes = draw(st.lists(st.integers(0, 4), max_size=5))
    keys = [f"b{number}" for number in range(sum(sizes))]
    blocks = [
        Block(
            key,
            draw(forms),
            rank=draw(st.integers(-1, 2)),
            pinned=draw(st.integers(0, 4)) == 0,
            covered_by=draw(st.frozensets(st.sampled_from([*keys, "nobody"]), max_size=2)),
        )
        for key in keys
    ]
    cut = iter(blocks)
    return [
        Section(
            tuple(next(cut) for _ in range(size)), draw(leads), draw(st.sampled_from([BLANK_LINE, "\n", ""]))
        )
        for size in sizes
    ]


limits = st.one_of(st.none(), st.integers(0, 400), st.sampled_from([0, 1, 10**9]))
additive = st.sampled_from([len, in_bytes, wrapped])
tokenizers = st.one_of(
    st.sampled_from(["o200k_base", "cl100k_base", "claude", "approx"]).map(measure),
    st.just(budget([("o200k_base", 40), ("bytes", 120)], "around").measure),
)


def budgets(measures: st.SearchStrategy[Callable[[str], int]]) -> st.SearchStrategy[Budget]:
    return st.builds(Budget, limits, measures)


def views(measures: st.SearchStrategy[Callable[[str], int]]) -> st.SearchStrategy[View]:
    return st.builds(
        View,
        detail=st.sampled_from(Detail),
        floor=st.sampled_from(Detail),
        budget=budgets(measures),
        order=st.sampled_from(Order),
        strict=st.booleans(),
        pointer=st.sampled_from([None, left_line, lambda left: " ".join(left.cut) or "short"]),
    )


# ---- The rule once more, told slowly: the page is laid out anew for every improvement that comes up. ----


def offers(block: Block, view: View) -> list[tuple[int, str]]:
    """(place, text) of each improvement, shortest first."""
    count, floor = view.budget.measure, min(view.floor, view.detail)
    usable = [
        (start, text) for start, text in sorted(block.forms.items()) if start <= view.detail and text.strip()
    ]
    found: list[tuple[int, str]] = []
    for index, (start, text) in enumerate(usable):
        better = [other for _, other in usable[index + 1 :] if count("x" + other) <= count("x" + text)]
        found.append((max(start, floor), better[-1] if better else text))
    at_floor = [offer for offer in found if offer[0] == floor][-1:]
    distinct: list[tuple[int, str]] = []
    for offer in [*at_floor, *(o for o in found if o[0] > floor)]:
        if not distinct or distinct[-1][1] != offer[1]:
            distinct.append(offer)
    return distinct


def the_line(sections: Sequence[Section], view: View) -> list[tuple[Block, int]]:
    entries = []
    for position, block in enumerate(b for s in sections for b in s.blocks):
        for level, (place, _) in enumerate(offers(block, view), start=1):
            key = (
                (place, block.rank, position)
                if view.order is Order.BREADTH
                else (block.rank, position, place)
            )
            entries.append(((not block.pinned, *key), block, level))
    return [(block, level) for _, block, level in sorted(entries, key=lambda entry: entry[0])]


def lay_out(sections: Sequence[Section], view: View, levels: dict[str, int]) -> str:
    parts: list[str] = []
    standing: list[str] = []  # the leads of the section above, shown or not
    shown: list[bool] = []
    for section in sections:
        same = 0
        while same < min(len(standing), len(section.leads)) and standing[same] == section.leads[same]:
            same += 1
        standing, shown = list(section.leads), shown[:same] + [False] * (len(section.leads) - same)
        texts = [offers(b, view)[levels[b.key] - 1][1] for b in section.blocks if levels.get(b.key)]
        if texts:
            own = [lead for lead, is_shown in zip(standing, shown, strict=True) if not is_shown]
            shown = [True] * len(shown)
            parts.append(section.gap.join(own + texts))
    return BLANK_LINE.join(parts)


def slow_fit(
    sections: Sequence[Section], view: View, *, reserve: int = 0
) -> tuple[dict[str, int], set[str], set[str]]:
    """What level each block reached, which are covered, and which were refused."""
    order = [block for section in sections for block in section.blocks]
    by_key, limit = {b.key: b for b in order}, view.budget.limit
    levels: dict[str, int] = {}
    covered: set[str] = set()
    refused: set[str] = set()
    stopped = False
    for block, level in the_line(sections, view):
        if block.key in refused | covered:
            continue
        rivals = [by_key[k] for k in block.covered_by if k in by_key and offers(by_key[k], view)]
        rivals = [r for r in rivals if (r.rank, order.index(r)) < (block.rank, order.index(block))]
        rivals = [
            r for r in rivals if offers(r, view)[0][0] <= offers(block, view)[0][0] and levels.get(r.key)
        ]
        if level == 1 and rivals:
            covered.add(block.key)
            continue
        size = view.budget.measure(lay_out(sections, view, {**levels, block.key: level}))
        if stopped or (limit is not None and size + reserve > limit):
            refused.add(block.key)
            stopped = view.strict
            continue
        levels[block.key] = level
    return levels, covered, refused


def everything_left(sections: Sequence[Section], view: View) -> LeftOut:
    blocks = [b for s in sections for b in s.blocks]
    keys = tuple(b.key for b in blocks if offers(b, view))
    return LeftOut(keys, keys, len(keys), len(blocks))


def slow_page(sections: Sequence[Section], view: View) -> str:
    levels, _, refused = slow_fit(sections, view)
    count, limit = view.budget.measure, view.budget.limit
    if not (view.pointer and refused and limit is not None):
        return lay_out(sections, view, levels)
    widest = view.pointer(everything_left(sections, view))
    reserve = count("x" + BLANK_LINE + widest) - count("x")
    levels, covered, _ = slow_fit(sections, view, reserve=reserve)
    if not levels:
        bare = first_alone(sections, view)
        return bare if bare or count(widest) > limit else widest
    fates = {b.key: len(offers(b, view)) for s in sections for b in s.blocks}
    cut = tuple(k for k, most in fates.items() if most and k not in levels and k not in covered)
    shortened = tuple(k for k, most in fates.items() if 0 < levels.get(k, 0) < most)
    line = view.pointer(LeftOut(cut, shortened, len(levels), len(fates)))
    return BLANK_LINE.join(filter(None, (lay_out(sections, view, levels), line)))


def first_alone(sections: Sequence[Section], view: View) -> str:
    """The first improvement that fits, and nothing else; with `strict` the first or none."""
    assert view.budget.limit is not None
    for block, level in the_line(sections, view)[: 1 if view.strict else None]:
        text = lay_out(sections, view, {block.key: 1})
        if level == 1 and view.budget.measure(text) <= view.budget.limit:
            return text
    return ""


@given(
    documents(),
    views(additive).map(lambda view: replace(view, pointer=view.pointer and (lambda left: "x" * 40))),
    st.integers(0, 90),
)
def test_the_pointer_line_never_takes_the_place_of_the_only_content(
    sections: list[Section], view: View, limit: int
) -> None:
    view = replace(view, budget=replace(view.budget, limit=limit), strict=False)
    bare = fit(sections, replace(view, pointer=None))

    assert bool(fit(sections, view).text.removesuffix("x" * 40)) == bool(bare.text)


@given(documents(), views(additive).map(lambda view: replace(view, pointer=view.pointer and left_line)))
def test_fit_is_the_rule_told_slowly(sections: list[Section], view: View) -> None:
    assert fit(sections, view).text == slow_page(sections, view)


# ---- The laws. ----


def never_over(page: Page, view: View) -> None:
    assert page.size == view.budget.measure(page.text)
    assert view.budget.limit is None or page.size <= view.budget.limit


@given(documents(), views(additive))
def test_a_page_is_never_over_its_limit(sections: list[Section], view: View) -> None:
    never_over(fit(sections, view), view)


@given(documents(), views(tokenizers))
def test_a_page_is_never_over_its_limit_in_tokens(sections: list[Section], view: View) -> None:
    never_over(fit(sections, view), view)


@given(
    documents(),
    views(st.sampled_from([lambda text: len(text) ** 2, lambda text: -(-len(text) // 7), lambda _: 3])),
)
@example([Section((Block("a", {SUMMARY: "a"}),))], View(budget=Budget(2, lambda _: 3)))
def test_a_page_is_never_over_in_measures_that_do_not_add_up(sections: list[Section], view: View) -> None:
    page = fit(sections, view)

    assert page.text == "" or view.budget.limit is None or page.size <= view.budget.limit


@given(documents(), views(additive), st.integers(0, 60))
def test_up_to_the_first_difference_a_larger_budget_has_more(
    sections: list[Section], view: View, more: int
) -> None:
    limit = view.budget.limit or 0
    view = replace(view, pointer=None, budget=replace(view.budget, limit=limit))
    small = slow_levels(fit(sections, view), sections, view)
    large = slow_levels(fit(sections, wider(view, more)), sections, view)

    for block, level in the_line(sections, view):
        taken_small, taken_large = small.get(block.key, 0) >= level, large.get(block.key, 0) >= level
        if taken_small != taken_large:
            assert taken_large
            return


@given(documents(), views(additive), st.integers(0, 60))
def test_with_strict_and_a_pointer_line_a_larger_budget_never_shows_fewer_blocks(
    sections: list[Section], view: View, more: int
) -> None:
    plain = [replace(s, blocks=tuple(replace(b, covered_by=frozenset()) for b in s.blocks)) for s in sections]
    view = replace(view, strict=True, pointer=left_line)
    view = replace(view, budget=replace(view.budget, limit=view.budget.limit or 0))
    small, large = fit(plain, view), fit(plain, wider(view, more))

    assert shown_keys(small) <= shown_keys(large)


def shown_keys(page: Page) -> set[str]:
    return {key for key, fate in page.fates.items() if fate in (Fate.SHOWN, Fate.SHORTENED)}


def wider(view: View, more: int) -> View:
    return replace(view, budget=replace(view.budget, limit=(view.budget.limit or 0) + more))


def slow_levels(page: Page, sections: Sequence[Section], view: View) -> dict[str, int]:
    """The level each block reached, read off what the page says of sizes."""
    found = {}
    for block in (b for s in sections for b in s.blocks):
        if page.fates[block.key] in (Fate.SHOWN, Fate.SHORTENED):
            texts = [text for _, text in offers(block, view)]
            gap = next(s.gap for s in sections if block in s.blocks)
            sizes = [view.budget.measure("x" + gap + text) - view.budget.measure("x" + gap) for text in texts]
            found[block.key] = sizes.index(page.sizes[block.key]) + 1
    return found


@given(documents(), views(additive))
def test_with_strict_a_larger_budget_only_adds(sections: list[Section], view: View) -> None:
    plain = [replace(s, blocks=tuple(replace(b, covered_by=frozenset()) for b in s.blocks)) for s in sections]
    view = replace(view, strict=True, pointer=None, budget=replace(view.budget, limit=view.budget.limit or 0))
    small = slow_levels(fit(plain, view), plain, view)
    large = slow_levels(fit(plain, wider(view, 7)), plain, view)

    assert all(large.get(key, 0) >= level for key, level in small.items())


@given(documents(), views(additive))
def test_what_is_left_out_would_not_have_fitted_beside_what_is_shown(
    sections: list[Section], view: View
) -> None:
    view = replace(view, strict=False, pointer=None)
    page = fit(sections, view)
    levels = slow_levels(page, sections, view)

    for block in (b for s in sections for b in s.blocks):
        if page.fates[block.key] in (Fate.CUT, Fate.SHORTENED):
            more = {**levels, block.key: levels.get(block.key, 0) + 1}
            assert view.budget.limit is not None
            assert view.budget.measure(lay_out(sections, view, more)) > view.budget.limit


@given(documents(), views(st.one_of(additive, tokenizers)))
def test_text_is_shown_in_a_form_that_somebody_wrote_and_in_reading_order(
    sections: list[Section], view: View
) -> None:
    page = fit(sections, replace(view, pointer=None))
    rest = page.text
    for block in (b for s in sections for b in s.blocks):
        if page.fates[block.key] in (Fate.SHOWN, Fate.SHORTENED):
            ends = [rest.find(text) + len(text) for _, text in offers(block, view) if text in rest]
            assert ends
            rest = rest[min(ends) :]


@given(documents(), views(st.just(len)))
def test_the_measure_sees_nothing_but_the_blocks_own_words(sections: list[Section], view: View) -> None:
    seen: list[str] = []

    def recording(text: str) -> int:
        seen.append(text)
        return len(text)

    fit(sections, replace(view, pointer=None, budget=replace(view.budget, measure=recording)))
    words = {text for s in sections for b in s.blocks for text in b.forms.values()}
    pieces = sorted(words | {lead for s in sections for lead in s.leads}, key=len, reverse=True)
    for text in seen:
        rest = text
        for piece in pieces:
            rest = rest.replace(piece, "")
        assert rest.strip("\n") == ""


def as_json(text: str, left: LeftOut) -> str:
    """What a program is handed: the text, its items and how many there are."""
    counts = {"shown": left.shown, "total": left.total, "behind": left.behind}
    return json.dumps({"text": text, **counts, "items": left.shown_keys})


@given(documents(), views(st.one_of(additive, tokenizers)), st.integers(0, 3))
def test_what_goes_along_with_the_text_is_in_the_budget(
    sections: list[Section], view: View, behind: int
) -> None:
    view = replace(view, envelope=as_json, behind=behind)
    page, count = fit(sections, view), view.budget.measure
    fates = [(key, fate) for key, fate in page.fates.items() if fate in (Fate.SHOWN, Fate.SHORTENED)]
    keys = tuple(key for key, _ in fates)

    if page.bare:
        assert len(keys) <= 1
        never_over(page, view)
    elif keys:
        left = LeftOut((), (), len(keys), len(page.fates), behind, keys)
        assert page.size == count(as_json(page.text, left))
        assert view.budget.limit is None or page.size <= view.budget.limit


@given(documents(), views(additive), st.integers(0, 60), st.integers(0, 2))
def test_with_strict_and_an_envelope_a_larger_budget_never_shows_fewer_blocks(
    sections: list[Section], view: View, more: int, behind: int
) -> None:
    plain = [replace(s, blocks=tuple(replace(b, covered_by=frozenset()) for b in s.blocks)) for s in sections]
    view = replace(view, strict=True, pointer=left_line, envelope=as_json, behind=behind)
    view = replace(view, budget=Budget(view.budget.limit or 0, len))

    assert shown_keys(fit(plain, view)) <= shown_keys(fit(plain, wider(view, more)))


@given(documents(), views(st.one_of(additive, tokenizers)))
def test_the_same_input_gives_the_same_page(sections: list[Section], view: View) -> None:
    assert fit(sections, view) == fit(list(sections), view)


@given(documents(), views(st.one_of(additive, tokenizers)))
def test_every_block_has_a_fate_and_a_size_and_what_is_not_shown_as_asked_has_a_reason(
    sections: list[Section], view: View
) -> None:
    page = fit(sections, view)
    keys = [b.key for s in sections for b in s.blocks]

    assert list(page.fates) == list(page.sizes) == keys
    assert set(page.reasons) == {key for key, fate in page.fates.items() if fate is not Fate.SHOWN}
    assert all(reason.endswith(".") and "\n" not in reason for reason in page.reasons.values())
    assert all((page.sizes[key] > 0) == (page.fates[key] in (Fate.SHOWN, Fate.SHORTENED)) for key in keys)


@given(documents(), views(additive))
def test_the_pointer_line_is_there_exactly_when_something_is_left_out_and_the_page_is_not_bare(
    sections: list[Section], view: View
) -> None:
    view = replace(view, pointer=left_line)
    page = fit(sections, view)
    fates = list(page.fates.values())
    cut, shortened, covered, hidden = (
        fates.count(f) for f in (Fate.CUT, Fate.SHORTENED, Fate.COVERED, Fate.HIDDEN)
    )
    shown = len(fates) - cut - covered - hidden
    line = f"({cut} cut, {shortened} shortened, {shown} of {len(fates)} shown)"

    assert page.text.endswith(line) == bool((cut or shortened) and not page.bare)


# ---- The classic rule: whole packs in priority order, stop at the first that does not fit. ----


def classic(packs: Sequence[tuple[str, str, frozenset[str]]], max_bytes: int) -> list[str]:
    kept: list[tuple[str, str]] = []
    for name, text, overlaps in packs:
        if not overlaps & {k for k, _ in kept}:
            kept.append((name, text))
    names, used = [], 0
    for name, text in kept:
        if used + in_bytes(text) > max_bytes:
            break
        used += in_bytes(text)
        names.append(name)
    return names


@st.composite
def pack_sets(draw: st.DrawFn) -> list[tuple[str, str, frozenset[str]]]:
    names = [f"p{number}" for number in range(draw(st.integers(0, 8)))]
    plain = [name for name in names if draw(st.booleans())]
    return [
        (
            name,
            draw(st.text("aé東 .", min_size=1, max_size=20).filter(str.strip)),
            frozenset()
            if name in plain
            else draw(st.frozensets(st.sampled_from([*plain, "absent"]), max_size=2)),
        )
        for name in names
    ]


# A fault of one byte at the limit is found after some two hundred at the latest.
@settings(max_examples=settings.default.max_examples * 4)
@given(pack_sets(), st.integers(0, 120), st.sampled_from(Detail))
def test_one_block_per_pack_strict_without_gaps_keeps_the_packs_of_the_classic_rule(
    packs: list[tuple[str, str, frozenset[str]]], max_bytes: int, detail: Detail
) -> None:
    blocks = tuple(Block(name, {SUMMARY: text}, covered_by=overlaps) for name, text, overlaps in packs)
    view = View(detail=detail, floor=detail, strict=True, budget=Budget(max_bytes, in_bytes))
    page = fit([Section(blocks, gap="")], view)

    assert [key for key, fate in page.fates.items() if fate is Fate.SHOWN] == classic(packs, max_bytes)


# ---- The fine print. ----


def one(*blocks: Block, leads: tuple[str, ...] = (), gap: str = BLANK_LINE) -> list[Section]:
    return [Section(blocks, leads, gap)]


def chars(limit: int, **wishes: object) -> View:
    return replace(View(detail=FULL, budget=Budget(limit)), **wishes)  # type: ignore[arg-type]


def test_a_tier_decides_whether_a_passage_appears() -> None:
    passages = one(
        Block("c", {SUMMARY: "core"}), Block("d", {STANDARD: "detail"}), Block("e", {FULL: "extended"})
    )
    texts = {detail: fit(passages, View(detail)).text for detail in Detail}

    assert texts == {SUMMARY: "core", STANDARD: "core\n\ndetail", FULL: "core\n\ndetail\n\nextended"}


def test_a_level_decides_which_wording_appears() -> None:
    note = one(Block("n", {SUMMARY: "title", STANDARD: "title: snippet", FULL: "the whole note"}))

    assert [fit(note, View(detail)).text for detail in Detail] == [
        "title",
        "title: snippet",
        "the whole note",
    ]


def test_breadth_mentions_everything_before_it_elaborates_and_depth_shows_the_best_whole() -> None:
    notes = one(*(Block(k, {SUMMARY: k, FULL: k * 9}) for k in "abc"), gap=" ")

    assert fit(notes, chars(14)).text == "aaaaaaaaa b c"
    assert fit(notes, chars(12)).text == "a b c"
    assert fit(notes, chars(12, order=Order.DEPTH)).text == "aaaaaaaaa b"


def test_importance_is_the_rank_and_not_the_place_on_the_page() -> None:
    passages = one(Block("table", {SUMMARY: "long table"}, rank=9), Block("rule", {SUMMARY: "short rule"}))

    assert fit(passages, chars(12)).text == "short rule"


def test_a_pinned_block_comes_first_in_either_order_and_is_cut_when_it_does_not_fit() -> None:
    passages = one(Block("a", {SUMMARY: "aaaa"}), Block("p", {FULL: "pinned"}, rank=9, pinned=True))

    assert fit(passages, chars(6)).text == fit(passages, chars(6, order=Order.DEPTH)).text == "pinned"
    assert fit(passages, chars(5)).fates == {"a": Fate.SHOWN, "p": Fate.CUT}


def test_a_block_whose_improvement_did_not_fit_offers_no_further_ones() -> None:
    page = fit(one(Block("a", {SUMMARY: "a", STANDARD: "a" * 50, FULL: "a" * 51})), chars(20))

    assert page.text == "a"
    assert page.reasons == {"a": "Its longer form needs another 49 and 19 of 20 were left."}


def test_the_floor_says_how_far_a_block_may_be_shortened() -> None:
    note = one(Block("a", {SUMMARY: "a", STANDARD: "standard", FULL: "a full note"}))

    assert fit(note, chars(9, floor=STANDARD)).text == "standard"
    assert fit(note, chars(7, floor=STANDARD)).fates == {"a": Fate.CUT}


def test_an_improvement_stands_in_the_line_no_earlier_than_the_floor() -> None:
    notes = one(Block("b", {STANDARD: "bb"}), Block("a", {SUMMARY: "aa"}, rank=1))

    assert fit(notes, chars(2)).text == "aa"
    assert fit(notes, chars(2, floor=STANDARD)).text == "bb"


def test_an_empty_form_is_no_form() -> None:
    page = fit(one(Block("a", {SUMMARY: "title", FULL: ""}), Block("b", {SUMMARY: " \n"})), chars(50))

    assert page.text == "title"
    assert page.fates == {"a": Fate.SHOWN, "b": Fate.HIDDEN}


def test_a_form_that_is_not_smaller_than_a_later_one_is_replaced_by_it() -> None:
    page = fit(one(Block("a", {SUMMARY: "a long title", FULL: "short"})), chars(5))

    assert page.text == "short"
    assert page.fates == {"a": Fate.SHOWN}


def test_a_lead_is_shown_once_above_the_first_shown_block_under_it_and_never_alone() -> None:
    sections = [
        Section((Block("a", {FULL: "alpha"}),), ("# T", "## A")),
        Section((Block("b", {SUMMARY: "beta"}),), ("# T", "## B")),
        Section((Block("c", {SUMMARY: "gamma"}),), ("# T",)),
    ]

    assert fit(sections, View(SUMMARY)).text == "# T\n\n## B\n\nbeta\n\ngamma"
    assert fit(sections, View(FULL)).text == "# T\n\n## A\n\nalpha\n\n## B\n\nbeta\n\ngamma"


def test_a_lead_that_returns_after_another_is_a_new_one() -> None:
    sections = [
        Section((Block(k, {SUMMARY: k}),), (lead,)) for k, lead in (("a", "# A"), ("b", "# B"), ("c", "# A"))
    ]

    assert fit(sections, View()).text == "# A\n\na\n\n# B\n\nb\n\n# A\n\nc"


def test_a_lead_is_paid_for() -> None:
    sections = one(Block("a", {SUMMARY: "aaa"}), leads=("# Title",))

    assert fit(sections, chars(12)).text == "# Title\n\naaa"
    assert fit(sections, chars(11)).text == ""


def test_a_table_has_its_head_as_a_lead_and_no_blank_lines() -> None:
    rows = one(
        Block("r", {SUMMARY: "| 1 |"}), Block("s", {SUMMARY: "| 2 |"}), leads=("| n |\n|---|",), gap="\n"
    )

    assert fit(rows, View()).text == "| n |\n|---|\n| 1 |\n| 2 |"


def test_a_block_is_covered_only_while_a_block_it_names_is_shown() -> None:
    packs = one(
        Block("big", {SUMMARY: "b" * 20}), Block("small", {SUMMARY: "s"}, covered_by=frozenset({"big"}))
    )

    assert fit(packs, chars(100)).fates == {"big": Fate.SHOWN, "small": Fate.COVERED}
    assert fit(packs, chars(100)).reasons == {"small": "big is shown and covers it."}
    assert fit(packs, chars(10)).fates == {"big": Fate.CUT, "small": Fate.SHOWN}


def test_names_that_are_less_important_or_start_later_do_not_cover() -> None:
    names = frozenset({"later", "minor", "itself", "nobody"})
    packs = one(
        Block("later", {FULL: "later"}),
        Block("itself", {STANDARD: "itself"}, rank=1, covered_by=names),
        Block("minor", {SUMMARY: "minor"}, rank=2),
    )

    assert set(fit(packs, View(FULL)).fates.values()) == {Fate.SHOWN}


def test_covered_is_not_left_out() -> None:
    packs = one(Block("a", {SUMMARY: "a"}), Block("b", {SUMMARY: "b"}, covered_by=frozenset("a")))

    assert fit(packs, chars(10, pointer=left_line)).text == "a"


def test_the_width_of_the_pointer_line_is_reserved() -> None:
    notes = one(*(Block(f"n{i}", {SUMMARY: "x" * 10}) for i in range(5)))
    page = fit(notes, chars(52, pointer=lambda left: f"{len(left.cut)} more: ask for them"))

    assert page.text == "xxxxxxxxxx\n\nxxxxxxxxxx\n\n3 more: ask for them"


def test_a_page_that_fits_whole_needs_no_room_for_a_pointer_line() -> None:
    assert fit(one(Block("a", {SUMMARY: "x" * 10})), chars(10, pointer=left_line)).text == "x" * 10


def test_where_the_line_alone_is_too_long_only_the_fates_tell() -> None:
    page = fit(one(Block("a", {SUMMARY: "aa"}), Block("b", {SUMMARY: "b" * 30})), chars(9, pointer=left_line))

    assert page.text == "aa"
    assert page.fates == {"a": Fate.SHOWN, "b": Fate.CUT}


def test_a_pointer_that_grows_as_less_is_left_out_gives_way() -> None:
    notes = one(Block("a", {SUMMARY: "aa"}), Block("b", {SUMMARY: "b" * 90}))
    page = fit(notes, chars(20, pointer=lambda left: "x" * (10 if left.shortened else 60)))

    assert page.text == "aa"


def test_strict_stops_at_the_first_improvement_that_does_not_fit() -> None:
    notes = one(Block("a", {SUMMARY: "a" * 9}), Block("b", {SUMMARY: "b"}), gap="")
    page = fit(notes, chars(5, strict=True))

    assert page.text == ""
    assert page.reasons["b"] == "Something before it did not fit, and the page is strict."


def test_zero_is_a_limit_and_none_is_not() -> None:
    assert fit(one(Block("a", {SUMMARY: "a"})), View(budget=Budget(0))).text == ""
    assert fit(one(Block("a", {SUMMARY: "a"})), View(budget=Budget(None))).text == "a"


def test_a_block_whose_coverer_was_taken_back_is_offered_again() -> None:
    """The texts cost nothing one by one; only together with the second do they exceed the limit."""

    def count(text: str) -> int:
        return 100 if "big" in text and "base" in text else len(text)

    notes = one(
        Block("base", {SUMMARY: "base"}),
        Block("big", {SUMMARY: "big"}),
        Block("small", {SUMMARY: "small"}, covered_by=frozenset({"big"})),
    )
    page = fit(notes, View(budget=Budget(50, count)))

    assert page.text == "base\n\nsmall"
    assert page.reasons == {"big": "The finished page was over the limit with it."}


def test_room_that_joining_saves_is_used() -> None:
    """Each text is rounded up to four, so that the sum of the parts is more than the whole."""

    def count(text: str) -> int:
        return -(-len(text) // 4)

    notes = one(*(Block(str(number), {SUMMARY: "xxx"}) for number in range(8)), gap="")
    page = fit(notes, View(budget=Budget(6, count)))

    assert page.text == "xxx" * 8
    assert fit(notes, View(budget=Budget(5, count))).text == "xxx" * 6


def test_room_that_joining_seems_to_save_is_given_back() -> None:
    """Alone the first text is far smaller than with its gap; with the second it is far larger."""

    def count(text: str) -> int:
        return {"": 0, "-": 0, "-cccc": 10, "cccc": 3, "-dddd": 5, "cccc-dddd": 99}.get(text, len(text))

    notes = one(Block("a", {SUMMARY: "cccc"}), Block("b", {SUMMARY: "dddd"}), gap="-")
    page = fit(notes, View(budget=Budget(12, count)))

    assert (page.text, page.size) == ("cccc", 3)
    assert page.reasons == {"b": "The finished page was over the limit with it."}


def test_room_that_comes_back_when_a_lead_moves_up_is_offered_again() -> None:
    sections = [
        Section((Block("late", {SUMMARY: "b"}, rank=2),), ("# T", "## U"), ""),
        Section((Block("first", {SUMMARY: "a"}),), ("# T", "## U"), BLANK_LINE),
        Section((Block("other", {SUMMARY: "ccc"}, rank=1),)),
    ]

    assert fit(
        [*sections, Section((Block("long", {SUMMARY: "x" * 99}, rank=3),))], View(budget=Budget(16))
    ).text == ("# T## Ub\n\na\n\nccc")


def test_a_shared_lead_moves_up_to_the_first_shown_block() -> None:
    sections = [
        Section((Block(k, {SUMMARY: k}, rank=rank),), ("# T",))
        for k, rank in (("b", 1), ("a", 0), ("c" * 50, 2))
    ]

    assert fit(sections, View(budget=Budget(9))).text == "# T\n\nb\n\na"
    assert fit(sections, View(budget=Budget(8))).text == "# T\n\na"


def test_a_page_of_exactly_its_size_in_tokens_is_whole() -> None:
    notes = one(*(Block(str(n), {SUMMARY: f"This is sentence number {n} of the page."}) for n in range(10)))
    whole = fit(notes, View()).text
    tokens = measure("o200k_base")

    assert fit(notes, View(budget=Budget(tokens(whole), tokens), pointer=left_line)).text == whole


def test_a_block_that_came_in_late_does_not_stand_beside_what_it_covers() -> None:
    texts = ["word word word word word end.", "word end.", "word word word end.", "end.", "word end.", "end."]
    blocks = [Block(str(n), {SUMMARY: text}) for n, text in enumerate(texts)]
    blocks[5] = replace(blocks[5], covered_by=frozenset("4"))
    for limit in range(40):
        fates = fit(one(*blocks), View(budget=Budget(limit, measure("o200k_base")))).fates

        assert (fates["4"], fates["5"]) != (Fate.SHOWN, Fate.SHOWN)


def test_a_limit_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="zero or more"):
        Budget(-1)


def test_an_empty_lead_is_no_lead() -> None:
    assert fit(one(Block("a", {SUMMARY: "a"}), leads=("", "# T")), View()).text == "# T\n\na"


def test_the_order_of_hashing_does_not_matter() -> None:
    code = (
        "from modicum.engine.page import *; S = Detail.SUMMARY\n"
        "names = frozenset(f'n{i}' for i in range(20))\n"
        "blocks = tuple(Block(n, {S: n}) for n in sorted(names)) + (Block('x', {S: 'x'}, rank=1, covered_by=names),)\n"
        "print(fit([Section(blocks)], View()).reasons)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(said) == 1


def test_two_blocks_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="same key"):
        fit(one(Block("a", {}), Block("a", {})), View())


@given(documents(), st.integers(0, 3000))
def test_surroundings_that_are_written_only_when_there_is_text_are_paid_for_once(
    sections: list[Section], limit: int
) -> None:
    plain = fit(sections, chars(limit))
    assume(plain.text)
    around = wrapped("x") - 1

    assert fit(sections, View(FULL, budget=Budget(limit + around, wrapped))).text == plain.text


def test_a_page_far_over_its_limit_is_not_measured_whole() -> None:
    seen: list[int] = []
    blocks = tuple(Block(f"b{n}", {Detail.SUMMARY: "x" * 100}) for n in range(30))

    fit((Section(blocks),), View(budget=Budget(1000, lambda text: seen.append(len(text)) or len(text))))

    assert max(seen) <= 1000


def test_a_page_with_room_for_nothing_takes_work_in_proportion_to_its_blocks() -> None:
    def work(blocks: int) -> int:
        """The lines that run, which a busy machine does not change."""
        section = Section(tuple(Block(f"b{number}", {SUMMARY: "x" * 50}) for number in range(blocks)))
        lines = 0

        def count(*_: object) -> object:
            nonlocal lines
            lines += 1
            return count

        before = sys.gettrace()
        sys.settrace(count)  # type: ignore[arg-type]
        try:
            page = fit([section], View(budget=Budget(5), pointer=left_line))
        finally:
            sys.settrace(before)
        assert set(page.fates.values()) == {Fate.CUT}
        return lines

    assert work(400) < 5 * work(100)
