"""What the manual says is true."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from console import FENCED
from modicum.base.errors import ModicumError
from modicum.cli.commands import OLD_NAMES
from modicum.cli.main import find_command
from modicum.engine.page import Block, Budget, Detail, Fate, Order, Section, View, fit
from modicum.text.markdown import split_outline

DOCS = Path(__file__).parent.parent / "docs"
ROOT = DOCS.parent
MANUAL = (ROOT / "README.md", *sorted(page for page in DOCS.rglob("*.md") if "decisions" not in page.parts))
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


def test_decisions_are_numbered_and_missing_numbers_are_explained() -> None:
    folder = DOCS / "decisions"
    records = [*folder.glob("[0-9]*.md")]
    numbers = {int(record.name[:4]) for record in records}
    explained = (folder / "README.md").read_text(encoding="utf-8").split("Numbers that are not here:")[1]

    assert {int(word) for word in re.findall(r"\b\d+\b", explained)} == {*range(1, max(numbers))} - numbers
    for record in records:
        assert record.read_text(encoding="utf-8").startswith(f"# {int(record.name[:4])}. ")


# Links.

EVERY_PAGE = (*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")))
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")


def anchors(page: Path) -> set[str]:
    """What a link may name in the page behind its "#": the headings, as GitHub and the site spell them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> list[str]:
    text = re.sub(r"`[^`]*`", "", FENCED.sub("", page.read_text(encoding="utf-8")))
    found = []
    for link in LINK.findall(text):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if "://" in link or link.startswith("mailto:"):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert dead_links(page) == []


def test_a_link_to_no_file_or_no_heading_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# By *meaning*\n[a](page.md#by-meaning) [b](#no) ![c](no.png)\n```\n[d](x.md)\n```\n`[e](y.md)`\n"
    )

    assert dead_links(page) == ["#no", "no.png"]


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.name)
def test_no_page_has_the_markers_of_a_conflict(page: Path) -> None:
    found = re.findall(r"^(?:<{7} .*|={7}|>{7} .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)

    assert found == []


def test_the_glossary_is_sorted_and_has_each_word_once() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert words == sorted(set(words))
    assert {"note", "notice"} <= set(words)


# Commands that the manual names.

TYPED = re.compile(r"^ *(?:\$ )?(?:[A-Z_]+=\S+ )*modicum (.+)$", re.MULTILINE)
END = {"|", "&&", ";", ">", "<"}


def joined(block: str) -> str:
    return block.replace("\\\n", " ")


def named_commands(text: str) -> Iterator[str]:
    """What is typed behind `modicum`: in blocks of code line by line, and in code within a sentence."""
    blocks = FENCED.findall(text)
    typed = [block for kind, block in blocks if kind in ("", "sh", "bash", "text")]
    typed += [
        "".join(re.findall(r"^ *\$ .*\n", joined(block), re.MULTILINE))
        for kind, block in blocks
        if kind == "console"
    ]
    yield from (line for block in typed for line in TYPED.findall(joined(block)))
    prose = FENCED.sub("", text)
    spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose))
    yield from (span.removeprefix("modicum ") for span in spans if span.startswith("modicum "))


def check_command(line: str) -> None:
    """Fails unless the words are a command of the table, with options that it has and no words too many."""
    words = shlex.split(re.sub(r"[\[\]]", "", line), comments=True)
    words = words[: next((at for at, word in enumerate(words) if word in END), len(words))]
    if words[0] in ("--help", "--version"):
        return
    command, rest = find_command(words[0]), words[1:]
    while isinstance(command, click.Group) and rest:
        command, rest = command.commands[rest[0]], rest[1:]
    if not isinstance(command, click.Group):
        _, beyond, _ = command.make_parser(click.Context(command)).parse_args(rest)
        assert beyond == []


@pytest.mark.parametrize(
    "page", [page for page in MANUAL if page.name != "cli.md"], ids=lambda page: page.name
)
def test_every_command_that_the_manual_names_exists(page: Path) -> None:
    wrong = []
    for line in named_commands(page.read_text(encoding="utf-8")):
        try:
            check_command(line)
        except Exception as error:
            wrong.append(f"modicum {line}: {error!r}")

    assert wrong == []


def test_the_check_of_commands_finds_what_is_wrong() -> None:
    text = "```yaml\na: b\n```\n```console\n$ modicum notice ad x\n$ X=1 modicum inject --tol a && modicum x\n```\n`modicum adr\nlist` `modicum packs`"

    assert list(named_commands(text)) == ["notice ad x", "inject --tol a && modicum x", "adr list", "packs"]
    for line in ("notice ad x", "inject --tol a", "packs", "stats", "memory pin 1 2"):
        with pytest.raises((KeyError, click.UsageError, AssertionError, ModicumError)):
            check_command(line)


OLD = re.compile(rf"\bmodicum (?:{'|'.join(sorted(OLD_NAMES))})(?= |`|\"|$)(?! is | was | of )", re.MULTILINE)


def test_no_text_of_ours_names_a_command_by_its_old_name() -> None:
    folders = (
        (ROOT / "src", ("*.py", "*.md", "*.yaml", "*.js")),
        (ROOT / "plugin", ("*",)),
        (ROOT / "scripts", ("*",)),
    )
    files = [
        file for folder, globs in folders for glob in globs for file in folder.rglob(glob) if file.is_file()
    ]
    texts = ((file, file.read_text(encoding="utf-8")) for file in (*files, *MANUAL))
    found = [f"{file.name}: {match}" for file, text in texts for match in OLD.findall(text)]

    assert found == []


PYTHON = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", PYTHON, ids=range(len(PYTHON)))
def test_the_examples_of_the_library_run_as_printed(example: str) -> None:
    assert "assert " in example
    exec(example, {})


def test_the_library_has_the_names_that_its_page_lists() -> None:
    import modicum

    assert all(getattr(modicum, name).__module__.startswith("modicum.engine") for name in modicum.__all__)
    assert dir(modicum) == sorted([*modicum.__all__, "__version__"])
    with pytest.raises(AttributeError):
        modicum.nothing  # noqa: B018
