"""What the manual says is true."""

from pathlib import Path

from modicum.engine.page import Block, Budget, Detail, Fate, Order, Section, View, fit
from modicum.text.markdown import split_outline

DOCS = Path(__file__).parent.parent / "docs"
STARTS = {"core": Detail.SUMMARY, "detail": Detail.STANDARD, "extended": Detail.FULL}


def test_the_pack_file_in_how_a_page_is_made_comes_out_as_told() -> None:
    manual = (DOCS / "how-a-page-is-made.md").read_text(encoding="utf-8")
    pack = manual.split("```markdown\n")[1].split("```")[0]
    passages = split_outline(pack).passages
    sections = [Section((Block(str(i), {STARTS[p.tier]: p.text}),), p.leads) for i, p in enumerate(passages)]

    tight = fit(sections, View(budget=Budget(120)))
    roomy = fit(sections, View(budget=Budget(171)))

    assert [len(passage.text) for passage in passages] == [20, 81, 31]
    assert (tight.size, tight.reasons) == (88, {"1": "It needs 83 and 32 of 120 were left."})
    assert set(roomy.fates.values()) == {Fate.SHOWN}


def test_the_three_notes_in_how_a_page_is_made_come_out_as_told() -> None:
    notes = [Section(tuple(Block(k, {Detail.SUMMARY: k, Detail.FULL: k * 9}) for k in "abc"), gap=" ")]

    def page(limit: int, order: Order) -> str:
        return fit(notes, View(Detail.FULL, budget=Budget(limit), order=order)).text

    assert page(14, Order.BREADTH) == page(14, Order.DEPTH) == "aaaaaaaaa b c"
    assert page(12, Order.BREADTH) == "a b c"
    assert page(12, Order.DEPTH) == "aaaaaaaaa b"


def test_every_page_that_the_manual_links_to_is_there() -> None:
    for page in (DOCS.parent / "README.md", *DOCS.glob("*.md")):
        for link in page.read_text(encoding="utf-8").split("](")[1:]:
            target = link.split(")")[0].split("#")[0]
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_sizes_in_the_readme_are_those_of_the_starter_packs(world) -> None:
    for folder in (".claude", ".cursor"):
        (world.home / folder).mkdir()
    said = world.modicum("inject").out.splitlines()[:2]

    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert all(line in readme for line in said)
