"""The laws of placement, on random loaders, files and carriers: judged here by counting characters, over all subsets."""

import importlib.util
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.targets.loaders import carriers as carriers_module
from modicum.targets.loaders import placement as placement_module
from modicum.targets.loaders.carriers import (
    IMPORT,
    PAGE,
    SETTING,
    BestPlacement,
    Carrier,
    ToolReader,
    apply_carriers,
)
from modicum.targets.loaders.files import ProjectFiles, glob_pattern
from modicum.targets.loaders.model import Loader, ReadRule
from modicum.targets.loaders.placement import placement, violations_with
from modicum.targets.loaders.reading import LoaderInFolder, Reading, ReadPassage
from modicum.targets.loaders.walk import Unread

_spec = importlib.util.spec_from_file_location("random_loaders", Path(__file__).parent / "random_loaders.py")
random_loaders = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(random_loaders)

FOLDERS = ("", "p")
NAMES = ("A.md", "B.md", "C.md", "D.md")
CARRIERS = (
    *(Carrier(path, PAGE, f"page for {path}, with words") for path in (*NAMES, "r/A.md")),
    Carrier("B.md", IMPORT, "@A.md"),
    Carrier("C.md", IMPORT, "@./B.md"),
    Carrier("C.md", IMPORT, "@A.md"),
    Carrier("D.md", PAGE, "another page for D.md"),
    Carrier("s.json", SETTING, keys=("names",), value=("C.md", "A.md")),
    Carrier("s.json", SETTING, keys=("names",), value=("B.md",), needs="it is trusted"),
)

CHAIN = (("A.md", CARRIERS[0].text), ("B.md", "@A.md"), ("C.md", "@./B.md"))


def named_by(loader: Loader, path: str) -> bool:
    names = {name for rule in loader.rules for name in (*rule.files, *rule.unless)}
    by_setting = any(rule.names or rule.more for rule in loader.rules)
    return any(glob_pattern(name).match(path) for name in names) or (
        by_setting and path in (*NAMES, "s.json")
    )


def reader(tool: str, loader: Loader) -> ToolReader:
    return ToolReader(
        tool,
        {folder: LoaderInFolder(loader, folder) for folder in FOLDERS},
        lambda path: named_by(loader, path),
    )


rules = st.builds(
    ReadRule,
    folders=st.sampled_from(("root", "down", "up", "folder")),
    files=st.lists(st.sampled_from((*NAMES, "r/*.md")), unique=True, min_size=1, max_size=3).map(tuple),
    pick=st.sampled_from(("all", "all", "first", "name")),
    names=st.sampled_from((None, None, random_loaders.SETTING)),
    unless=st.lists(st.sampled_from(NAMES), max_size=1).map(tuple),
    imports=st.sampled_from(("none", "none", "behind", "inline")),
    drops=st.sampled_from(((), ("comments",), ("twins",))),
    limit=st.sampled_from(("", "", "all")),
)
loaders = st.builds(
    Loader,
    rules=st.lists(rules, min_size=1, max_size=3).map(tuple),
    limits=random_loaders.loaders().map(lambda loader: loader.limits[:1]),
    imported_once=st.sampled_from(("run", "file", "chain")),
)
tools = st.lists(loaders, min_size=1, max_size=3).map(
    lambda found: [reader(f"tool {index}", loader) for index, loader in enumerate(found)]
)
texts = st.sampled_from(
    ("one\n", "two words\n", "see @A.md\n", "@B.md\n", "<!-- note -->\n", "one\n<!-- note -->\ntwo\n")
)
files = st.dictionaries(st.sampled_from((*NAMES, "p/A.md", "p/C.md")), texts, max_size=4).map(ProjectFiles)
carriers = st.lists(st.sampled_from(CARRIERS), unique=True, max_size=4)


def counts(spans: Iterable[ReadPassage | Unread], files: ProjectFiles) -> Counter[tuple[str, int]]:
    """How often each character of the user's files is in some spans; files with the same text count as one.

    Line ends do not count: that of a file is read as soon as our page stands behind it.
    """
    found: Counter[tuple[str, int]] = Counter()
    for span in spans:
        text = files.texts.get(span.path, "")
        read = range(span.start, min(span.end, len(text)))
        found.update((text, index) for index in read if text[index] not in "\r\n")
    return found


def violations(tool: ToolReader, files: ProjectFiles, chosen: Sequence[Carrier]) -> Iterator[tuple[str, int]]:
    """The kinds of what a choice violates for a tool, each with its weight."""
    for case, read in tool.readings.items():
        yield from ((kind, 1 if case else 1_000) for kind in violations_of(read, files, chosen))


def violations_of(
    read: Callable[[ProjectFiles], Reading], files: ProjectFiles, chosen: Sequence[Carrier]
) -> Iterator[str]:
    """The kinds of what a choice violates in one case, counted character by character."""
    after = apply_carriers(files, chosen)
    was, now = (counts(read(held).passages, files) for held in (files, after))
    dropped = counts(read(after).dropped, files)  # the mention of a file that is there now is no loss
    for text in {text for text, _ in was}:
        places = [place for place in was if place[0] == text and place not in dropped]
        yield from ["lost"] * any(now[place] < was[place] for place in places)
        yield from ["doubled"] * any(now[place] > max(was[place], 1) for place in places)
    cut = counts((each for each in read(files).unread if each.is_cut), files)
    known = {text for text, _ in (*was, *cut)}
    yield from ("gained" for text in {text for text, _ in now} - known)
    times = {c.path: arrivals(read(after), after, c) for c in chosen if c.kind == PAGE}
    reached = [path for path, count in times.items() if count]
    allowed = [
        max([1, *(n for (text, _), n in now.items() if text == files.texts.get(path))]) for path in reached
    ]
    yield from ["missing"] * (not reached)
    yield from ["repeated"] * (len(reached) > 1 or any(times[path] > allowed[0] for path in reached))


def arrivals(reading: Reading, after: ProjectFiles, carrier: Carrier) -> int:
    text = after.texts[carrier.path]
    start = text.rindex(carrier.text)
    end = start + len(carrier.text) - 1
    spans = [each for each in reading.passages if each.path == carrier.path]
    return min(sum(each.start <= point < each.end for each in spans) for point in (start, end))


def cost(
    tools: Iterable[ToolReader], files: ProjectFiles, chosen: Sequence[Carrier], present: Sequence[Carrier]
) -> tuple[int, ...]:
    kinds: Counter[str] = Counter()
    for kind, weight in chain.from_iterable(violations(tool, files, chosen) for tool in tools):
        kinds[kind] += weight
    kept = sum(c.spot in {p.spot for p in present} for c in chosen)
    settings = sum(c.kind == SETTING for c in chosen)
    return (
        kinds["lost"] + kinds["doubled"],
        kinds["missing"] + kinds["repeated"],
        kinds["gained"],
        -kept,
        sum(bool(c.needs) for c in chosen),
        settings,
        len(chosen) - settings,
    )


def subsets(carriers: Sequence[Carrier]) -> Iterator[tuple[Carrier, ...]]:
    """All choices in which a file holds a page or one line that imports a file of ours, and not both."""
    for chosen in chain.from_iterable(combinations(carriers, size) for size in range(len(carriers) + 1)):
        paths = [carrier.path for carrier in chosen if carrier.kind != SETTING]
        wanted = {carrier.text.strip("@./") for carrier in chosen if carrier.kind == IMPORT}
        if len({*paths}) == len(paths) and wanted <= {*paths}:
            yield chosen


@given(tools, files, carriers, st.lists(st.sampled_from(CARRIERS), max_size=2))
def test_no_other_choice_of_carriers_is_better(
    tools: list[ToolReader], files: ProjectFiles, carriers: list[Carrier], present: list[Carrier]
) -> None:
    carriers = [carrier for carrier in carriers if any(tool.concerns(carrier.path) for tool in tools)]
    best = placement(files, tools, carriers, present)

    assert cost(tools, files, best.carriers, present) == min(
        cost(tools, files, c, present) for c in subsets(carriers)
    )


def test_a_page_is_reached_through_two_imports() -> None:
    page, second, first = (each for each in CARRIERS if (each.path, each.text) in CHAIN)
    of_page = Loader((ReadRule(folders="root", files=("A.md",)),))
    of_chain = Loader((ReadRule(folders="root", files=("C.md",), imports="inline"),))
    tools = [reader("one", of_page), reader("two", of_chain)]

    assert placement(ProjectFiles({}), tools, [page, second, first]).violations == ()


@given(tools, files, carriers)
def test_a_placement_tells_what_it_violates(
    tools: list[ToolReader], files: ProjectFiles, carriers: list[Carrier]
) -> None:
    best = placement(files, tools, carriers)
    found = chain.from_iterable(violations(tool, files, best.carriers) for tool in tools)
    kinds = Counter(kind for kind, _ in found)

    assert Counter(violation.kind for violation in best.violations) == kinds


@given(tools, files, carriers, files)
def test_a_placement_is_judged_among_other_files_as_among_its_own(
    tools: list[ToolReader], files: ProjectFiles, carriers: list[Carrier], others: ProjectFiles
) -> None:
    best = placement(files, tools, carriers)
    found = chain.from_iterable(violations(tool, others, best.carriers) for tool in tools)

    assert violations_with(files, tools, best.carriers) == best.violations
    told = Counter(violation.kind for violation in violations_with(others, tools, best.carriers))
    assert told == Counter(kind for kind, _ in found)


@given(tools, files, carriers, st.randoms(use_true_random=False))
def test_the_order_of_the_tools_does_not_matter(
    tools: list[ToolReader], files: ProjectFiles, carriers: list[Carrier], random: st.DataObject
) -> None:
    turned = random.sample(tools, len(tools))
    first, second = placement(files, tools, carriers), placement(files, turned, carriers)

    assert first == placement(files, tools, carriers)
    assert first.carriers == second.carriers
    assert Counter(first.violations) == Counter(second.violations)


@given(tools, files, carriers)
def test_no_text_of_the_user_is_lost_or_doubled_because_nothing_may_be_placed(
    tools: list[ToolReader], files: ProjectFiles, carriers: list[Carrier]
) -> None:
    best = placement(files, tools, carriers)

    assert not [violation for violation in best.violations if violation.kind in ("lost", "doubled")]


@given(tools, files, carriers)
def test_every_tool_reads_one_page_unless_the_placement_tells_otherwise(
    tools: list[ToolReader], files: ProjectFiles, carriers: list[Carrier]
) -> None:
    best = placement(files, tools, carriers)
    after = apply_carriers(files, best.carriers)
    told = {(violation.tool, violation.case) for violation in best.violations}

    for tool in tools:
        for case, read in tool.readings.items():
            pages = [c.path for c in best.carriers if c.kind == PAGE and arrivals(read(after), after, c)]
            assert len(pages) == 1 or (tool.tool, case) in told
            assert all(tool.tool in best.serves[page] for page in pages)


def simple(tool: str, *names: str, **more: object) -> ToolReader:
    return reader(tool, Loader((ReadRule("down", names, **more),)))


def pages(best: BestPlacement) -> list[str]:
    return [f"{carrier.kind} {carrier.path}" for carrier in best.carriers]


def test_a_file_that_all_tools_read_is_enough() -> None:
    best = placement(ProjectFiles(), [simple("x", "A.md", "B.md"), simple("y", "A.md", "C.md")], CARRIERS)

    assert pages(best) == ["page A.md"]
    assert best.serves == {"A.md": ("x", "y")}


def test_a_file_that_would_hide_the_users_is_not_written() -> None:
    best = placement(ProjectFiles({"B.md": "mine"}), [simple("x", "A.md", "B.md", pick="first")], CARRIERS)

    assert pages(best) == ["page B.md"]


def test_what_is_there_stays_where_it_is() -> None:
    tools = [simple("x", "A.md", "B.md")]

    assert pages(placement(ProjectFiles(), tools, CARRIERS, [Carrier("B.md")])) == ["page B.md"]


def test_a_file_that_the_user_imports_is_read_by_the_importing_tool() -> None:
    tools = [simple("x", "B.md", imports="behind"), simple("y", "C.md")]
    files = ProjectFiles({"B.md": "@C.md", "C.md": "mine"})

    best = placement(files, tools, [carrier for carrier in CARRIERS if carrier.kind == PAGE])

    assert pages(best) == ["page C.md"]
    assert best.serves == {"C.md": ("x", "y")}


def test_a_page_comes_by_a_file_of_its_own_where_another_would_bring_what_a_tool_does_not_read() -> None:
    tools = [simple("x", "A.md"), simple("y", "C.md", imports="inline")]
    carriers = [
        CARRIERS[0],
        CARRIERS[7],
        Carrier("own.md", PAGE, "a page"),
        Carrier("C.md", IMPORT, "@own.md"),
    ]

    assert pages(placement(ProjectFiles(), tools, carriers)) == ["page A.md", "import C.md"]
    best = placement(ProjectFiles({"A.md": "mine"}), tools, carriers)
    assert pages(best) == ["page A.md", "page own.md", "import C.md"]
    assert best.violations == ()


def test_what_an_older_version_reads_newly_is_no_violation() -> None:
    read = {
        case: LoaderInFolder(Loader((ReadRule("root", (name,), imports="inline"),)), "")
        for case, name in (("", "A.md"), ("before version 2", "B.md"))
    }
    tools = [ToolReader("x", read, lambda path: True)]

    best = placement(ProjectFiles({"A.md": "mine"}), tools, [CARRIERS[0], CARRIERS[5]])

    assert pages(best) == ["page A.md", "import B.md"]
    assert best.violations == ()


def in_packages(number: int, *names: str) -> tuple[list[ToolReader], list[Carrier], ProjectFiles]:
    """A tool that reads the file of the folder in which it starts, and a carrier in each of so many packages."""
    folders = [f"p{index}" for index in range(number)]
    loader = Loader((ReadRule("folder", ("A.md", *names)),))
    readings = {f"in {folder}": LoaderInFolder(loader, folder) for folder in folders}
    tool = ToolReader("x", {"": LoaderInFolder(loader, ""), **readings}, lambda path: True)
    paths = ["A.md", *(f"{folder}/A.md" for folder in folders)]
    files = ProjectFiles({path: f"mine in {path}" for path in paths})
    return [tool], [Carrier(path, PAGE, f"page for {path}") for path in paths], files


@pytest.mark.parametrize("number", [1, 5, 60])
def test_each_package_of_a_kind_gets_what_one_of_them_needs(number: int) -> None:
    tools, carriers, files = in_packages(number)

    best = placement(files, tools, carriers)

    assert len(best.carriers) == number + 1
    assert best.violations == ()
    assert placement(files, tools, carriers, best.carriers) == best


def test_packages_of_many_kinds_get_their_pages_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carriers_module, "MOST_CHOICES", 1)
    tools, carriers, files = in_packages(4, *(f"X{index}.md" for index in range(4)))
    files = ProjectFiles({**files.texts, **{f"p{index}/X{index}.md": "other" for index in range(4)}})
    line = Carrier("p1/A.md", IMPORT, "@../A.md")

    best = placement(files, tools, [*carriers, line])

    assert pages(best) == [f"page {carrier.path}" for carrier in carriers]


@pytest.mark.parametrize("own", [False, True])
def test_a_search_that_takes_too_long_ends_with_what_it_has(
    monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    monkeypatch.setattr(placement_module, "MOST_READ", 0)
    tools, carriers, files = in_packages(3)
    others = [] if own else [simple("y", "A.md"), simple("z", "A.md")]

    best = placement(files, [*tools, *others], carriers)

    assert best.violations == violations_with(files, [*tools, *others], best.carriers)


def test_what_an_imported_file_of_the_users_imports_counts() -> None:
    """By the line in C.md the tool y would read A.md, which brings B.md: a second page, and two files that are not its own."""
    files = ProjectFiles({"A.md": "mine @B.md", "B.md": "theirs"})
    tools = [simple("x", "B.md"), simple("y", "C.md", imports="inline"), simple("z", "A.md")]
    carriers = [CARRIERS[0], CARRIERS[1], CARRIERS[7]]

    best = placement(files, tools, carriers)

    assert pages(best) == ["page A.md", "page B.md"]
    assert {(violation.tool, violation.kind) for violation in best.violations} == {("y", "missing")}


def test_a_users_file_that_would_be_read_twice_is_told() -> None:
    files, page, line = ProjectFiles({"A.md": "mine"}), CARRIERS[0], CARRIERS[5]

    told = violations_with(files, [simple("x", "A.md", "B.md", imports="inline")], [page, line])

    assert {(violation.kind, violation.path) for violation in told} == {("doubled", "A.md")}


@pytest.mark.parametrize("tools", [[], [simple("x", "Z.md")]])
def test_nothing_is_placed_that_nobody_reads(tools: list[ToolReader]) -> None:
    best = placement(ProjectFiles({"A.md": "mine"}), tools, CARRIERS)

    assert best.carriers == ()
    assert [violation.kind for violation in best.violations] == ["missing", "missing"] * bool(tools)


@pytest.mark.parametrize(("carrier", "most"), [(CARRIERS[0], 6), (CARRIERS[-1], 7)])
def test_what_is_there_stays_without_a_search_where_nothing_could_be_better(
    carrier: Carrier, most: int
) -> None:
    """In the folder p the tool knows no file at all, whatever is written."""
    loader = Loader((ReadRule("folder", NAMES, names=random_loaders.SETTING),))
    calls: list[str] = []

    def counted(folder: str) -> Callable[[ProjectFiles], Reading]:
        read = LoaderInFolder(loader, folder)
        return lambda files: (calls.append(folder), read(files))[1]

    tool = ToolReader("t", {folder: counted(folder) for folder in FOLDERS}, lambda path: True)
    carriers = [*dict.fromkeys((CARRIERS[0], CARRIERS[1], CARRIERS[2], carrier))]
    best = placement(ProjectFiles(), [tool], carriers, [CARRIERS[0]])
    assert best.carriers == (CARRIERS[0],)
    assert [(violation.kind, violation.case) for violation in best.violations] == [("missing", "p")]
    assert len(calls) <= most
