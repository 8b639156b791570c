"""What changes rarely is read first: whatever changes on a page, everything before its place stays the same bytes."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.engine.page import Detail, Fate, Page, Section, View, fit
from modicum.packs.merge import ordered
from modicum.packs.model import Journey, KnownError, Library, Pack, PackOrigin, PackText, Sample
from modicum.packs.sections import compose, compose_whole, pack_of
from modicum.packs.surrounding import News, PageFacts, surrounding

NAMES = "abcde"
TEXTS = st.lists(
    st.sampled_from(
        [
            "Plain words.",
            "## Shared heading\n\nBelow it.",
            "### Deeper\n\nMore words.",
            "<!-- verbosity:detail -->\nDetails.",
            "<!-- verbosity:extended -->\n```\ncode\n```",
            "## For some files\n\n<!-- globs: *.py -->\nOnly there.",
            "中文 and 🙂",
        ]
    ),
    max_size=4,
).map("\n\n".join)
ROWS = st.sampled_from(["", "one", "two"])


def texts(found: str) -> tuple[PackText, ...]:
    return (PackText("x.md", found),) if found else ()


# All that an author may edit in a pack without moving it to another place.
CONTENT = st.fixed_dictionaries(
    {
        "context": TEXTS.map(texts),
        "constraints": TEXTS.map(texts),
        "preamble": TEXTS.map(texts),
        "samples": st.lists(
            st.builds(Sample, ROWS, label=ROWS, url=ROWS, description=ROWS, inject=st.booleans()), max_size=2
        ).map(tuple),
        "learning": st.lists(st.builds(Journey, ROWS, featured=st.just(True)), max_size=1).map(tuple),
        "known_errors": st.lists(st.builds(KnownError, ROWS, ROWS, ROWS, ROWS), max_size=2).map(tuple),
    }
)
PACKS = st.lists(
    st.builds(
        lambda content, **more: Pack(**content, **more),
        CONTENT,
        id=st.sampled_from(NAMES),
        weight=st.integers(0, 3),
        base=st.booleans(),
        origin=st.sampled_from(PackOrigin),
        globs=st.sampled_from([(), (), ("*.ts",)]),
        overlaps=st.lists(st.sampled_from(NAMES), max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda pack: pack.id,
)
FACTS = st.builds(
    PageFacts,
    profile=st.sampled_from(["", "Web"]),
    news=st.lists(st.builds(News, st.sampled_from(NAMES), st.just("new")), max_size=2).map(tuple),
    notices=st.lists(st.tuples(st.integers(1, 9), st.just("Deploys are frozen")), max_size=3).map(tuple),
    runtime=st.just(("More: modicum show",)),
    version=st.just("0.1"),
)


def sections_of(packs: Sequence[Pack], facts: PageFacts, *, whole: bool) -> tuple[Section, ...]:
    read = ordered(Library(tuple(packs)), None)
    around = surrounding([pack.id for pack in read], facts, "markdown")
    packed = compose_whole(read, "markdown", Detail.FULL) if whole else compose(read, "markdown")
    return (*around.above, *packed.whole(), *around.below)


def page_of(sections: Sequence[Section]) -> Page:
    return fit(sections, View(Detail.FULL))


def those_that_make_way_for(name: str, packs: Sequence[Pack]) -> set[str]:
    """The pack, and those that overlap it, on and on."""
    found, before = {name}, set[str]()
    while found != before:
        before = set(found)
        found |= {pack.id for pack in packs if before & {*pack.overlaps}}
    return found


def place_of(names: set[str], sections: Sequence[Section]) -> int:
    """The number of the first heading or table that has something of these packs."""
    owners = (any(pack_of(block.key) in names for block in section.blocks) for section in sections)
    return next((at for at, is_theirs in enumerate(owners) if is_theirs), len(sections))


def text_before(sections: Sequence[Section], place: int, page: Page) -> str:
    """What a page shows of its first sections."""
    shown = (Fate.SHOWN, Fate.SHORTENED)
    kept = [
        replace(
            s,
            blocks=tuple(replace(b, covered_by=frozenset()) for b in s.blocks if page.fates[b.key] in shown),
        )
        for s in sections[:place]
    ]
    return page_of(kept).text


@given(PACKS, FACTS, CONTENT, st.booleans())
def test_a_change_of_one_pack_leaves_everything_before_its_place(
    packs: list[Pack], facts: PageFacts, content: dict[str, object], whole: bool
) -> None:
    changed = [replace(packs[0], **content), *packs[1:]]
    before, after = (sections_of(found, facts, whole=whole) for found in (packs, changed))
    names = those_that_make_way_for(packs[0].id, packs)
    place = min(place_of(names, before), place_of(names, after))
    old, new = page_of(before), page_of(after)
    kept = text_before(before, place, old)

    assert old.text.startswith(kept)
    assert new.text.startswith(kept)


@given(PACKS, FACTS, st.booleans())
def test_a_new_notice_leaves_everything_before_it(packs: list[Pack], facts: PageFacts, whole: bool) -> None:
    more = replace(facts, notices=(*facts.notices, (10, "Another one")))
    old = page_of(sections_of(packs, replace(facts, news=()), whole=whole)).text
    new = page_of(sections_of(packs, more, whole=whole)).text

    assert new.startswith(old)
    assert "- Another one" in new[len(old) :]


@given(PACKS, FACTS, st.booleans())
def test_what_is_new_stands_below_everything_else(packs: list[Pack], facts: PageFacts, whole: bool) -> None:
    silent = page_of(sections_of(packs, replace(facts, news=()), whole=whole)).text

    assert page_of(sections_of(packs, facts, whole=whole)).text.startswith(silent)
