"""The laws of an adoption, on random instruction files: no instruction is lost, and the pack says what was proposed."""

import re
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from modicum.app.adopt import run
from modicum.app.adopt.pack_text import context_of
from modicum.app.adopt.propose import Proposal, propose
from modicum.app.adopt.sources import find_sources
from modicum.app.adopt.unit import PACK
from modicum.app.inject.load import BUILT_IN
from modicum.app.reading.tool_reading import see_tools
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.packs.model import Pack, PackText
from modicum.packs.sections import STARTS, compose
from modicum.targets.load import load_adapters
from modicum.targets.loaders.files import ProjectFiles
from modicum.text.directives import directives, sentences
from modicum.text.markdown import TIERS

PIECES = st.sampled_from(
    [
        "# CLAUDE.md\n",
        "# The shop\n",
        "## Testing\n",
        "## Never do\n",
        "### Deep\n",
        "Title\n=====\n",
        "#\n",
        "## Testing\n\nRun the unit tests before each push.\n",
        "Never push to the main branch.\n",
        "- Never push to the main branch!\n",
        "- Do not push to the main branch of the shop.\n",
        "- Use `pnpm` and not `npm`.\n- Keep functions short.\n",
        "* Prefer small modules.\n\n  They are read more often.\n",
        "1. Build it with `make`.\n2. Never skip the tests.\n",
        "Before you push:\n\n- run `make lint`\n- run `make test`\n",
        "Never:\n- commit secrets to the repository\n",
        "```sh\nmake test\n```\n",
        "```\nUse no fence that stays open\n",
        "    indented code\n",
        "| Rule | Why |\n|---|---|\n| Use tabs only | it is so |\n",
        "<!-- a comment -->\n",
        "<!-- verbosity:extended -->\n",
        "<!-- open\n",
        "---\n",
        "> Always quote it.\n",
        "请不要提交密码。\n",
        "Text in two\nlines: always like this.\n",
        "Always sign. Never guess.\nNever guess a name.\n",
        "@docs/style.md\n",
        "See @docs/style.md, and always follow it.\n",
        "\n",
        "\n\n",
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
FRONT = st.sampled_from(["", "---\nalwaysApply: true\n---\n", "---\nglobs: src/**/*.ts, {a,b}/**\n---\n"])
FILES = st.fixed_dictionaries(
    {},
    optional={
        "CLAUDE.md": TEXTS,
        "AGENTS.md": TEXTS,
        ".cursor/rules/a.mdc": st.tuples(FRONT, TEXTS).map("".join),
        "pkg/AGENTS.md": TEXTS,
        "docs/style.md": TEXTS,
    },
)


@cache
def loaders():
    return [a.reads for a in load_adapters([("built-in", BUILT_IN)]).adapters if a.reads]


def proposed(texts: dict[str, str], pack: str = "") -> Proposal:
    files = ProjectFiles(texts)
    return propose(find_sources(files, loaders(), ("", "pkg"), {}), files, pack)


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().lower()


@given(FILES, TEXTS)
@example({"CLAUDE.md": "See @docs/style.md, and always follow it.\n@docs/style.md\n"}, "@docs/style.md\n")
def test_every_instruction_is_in_the_pack_or_a_like_one_is(texts: dict[str, str], pack: str) -> None:
    proposal = proposed(texts, pack)
    context = context_of(proposal)
    told = plain(context)
    same = {
        plain(sentence.text): plain(proposal.units[unit.same_as].text)
        for unit in proposal.units
        if unit.same_as >= 0
        for sentence in sentences(unit.text)
    }

    for source in proposal.sources:
        head = re.sub(r"\A---\n.*?\n---\n", "", source.text, flags=re.DOTALL)
        for each in directives(head):
            words = plain(each.text)
            assert words in told or same.get(words, "\0") in told, each


@given(FILES)
def test_the_pack_shows_each_unit_in_its_tier_and_for_its_files(texts: dict[str, str]) -> None:
    proposal = proposed(texts)
    parts = compose(
        [Pack("project", context=(PackText("context.md", context_of(proposal)),))], "markdown"
    ).parts

    for unit in proposal.units:
        if unit.fate in TIERS:
            words = plain(unit.text)
            shown = [
                part
                for part in parts
                for block in part.section.blocks
                if part.globs == unit.globs and words in plain(block.forms.get(STARTS[unit.fate], ""))
            ]
            assert shown or not words, unit


@given(FILES, TEXTS)
def test_the_same_files_give_the_same_bytes(texts: dict[str, str], pack: str) -> None:
    again = dict(reversed(texts.items()))

    assert context_of(proposed(texts, pack)) == context_of(proposed(again, pack))


@given(FILES)
def test_what_is_adopted_already_is_not_adopted_again(texts: dict[str, str]) -> None:
    unconditional = {path: text for path, text in texts.items() if path in ("CLAUDE.md", "AGENTS.md")}
    context = context_of(proposed(unconditional))
    once_more = proposed(unconditional, context)
    new = [unit for unit in once_more.units if unit.path != PACK and unit.fate in TIERS]

    told = plain(context)
    assert all(plain(unit.text) in told for unit in new)


TOOLS = st.sets(
    st.sampled_from(["claude-code", "codex", "copilot", "cursor", "gemini-cli"]), min_size=1, max_size=3
)
LINKS = st.dictionaries(
    st.sampled_from(["GEMINI.md", "CLAUDE.md"]), st.sampled_from(["AGENTS.md", "docs/style.md"]), max_size=1
)


def lines_read(config: Config, tools: list[str], folder: str) -> dict[str, dict[str, Counter[str]]]:
    """By tool and file, the lines that arrive; front matter and lines that only import another file do not count."""
    adapters = run.look(config, tools).tools
    found: dict[str, dict[str, Counter[str]]] = {}
    for seen in see_tools(config, adapters, folder):
        parts = dict.fromkeys((each.path, each.start, each.end) for each in seen.reading.passages)
        of_tool = found.setdefault(seen.adapter.id, {})
        for path, start, end in parts:
            text = (seen.files.text(path) or "")[start:end]
            text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
            lines = [plain(line) for line in text.split("\n") if line.strip() != "@docs/style.md"]
            of_tool[path] = of_tool.get(path, Counter()) + Counter(filter(None, lines))
    return found


def read_by_others(config: Config, tools: list[str]) -> dict[str, set[str]]:
    """The lines of the project's files that tools which are not here read in the root, by the name of the file."""
    seen = run.look(config, tools)
    names = [adapter.id for adapter in seen.knowledge.adapters.values() if adapter not in seen.tools]
    found: dict[str, set[str]] = {}
    for files in lines_read(config, names, "").values():
        for path, lines in files.items():
            if (config.root / path).is_file():
                found.setdefault(path, set()).update(lines)
    return found


def only_for_some_files(texts: dict[str, str]) -> set[str]:
    """The lines of the rule with globs that no other file has; headings and the ends of code are in many."""

    def lines(text: str) -> set[str]:
        rows = (row for row in text.split("\n") if not row.lstrip().startswith(("#", "```", "globs:")))
        return {plain(row) for row in rows} - {""}

    rule = texts.get(".cursor/rules/a.mdc", "")
    others = (lines(text) for path, text in texts.items() if path != ".cursor/rules/a.mdc")
    return lines(rule).difference(*others) if rule.startswith("---\nglobs:") else set()


@settings(max_examples=min(25, settings().max_examples))
@given(FILES, LINKS, TOOLS)
def test_every_tool_that_is_named_reads_what_it_read_and_links_stay(
    texts: dict[str, str], links: dict[str, str], tools: set[str]
) -> None:
    with tempfile.TemporaryDirectory() as top:
        root, names = Path(top) / "home" / "project", sorted(tools)
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        (root / ".git").mkdir(parents=True)
        for link, target in links.items():
            if link not in texts and target in texts:
                (root / link).symlink_to(target)
        config = load_config({"HOME": str(root.parent), "PATH": "/nonexistent"}, root)
        there = [folder for folder in ("", "pkg") if (root / folder).is_dir()]
        before = {folder: lines_read(config, names, folder) for folder in there}
        elsewhere, scoped = read_by_others(config, names), only_for_some_files(texts)
        contents = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        try:
            run.apply(config, names)
        except ModicumError:
            assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == contents
            return
        for folder, of_tools in before.items():
            after = lines_read(config, names, folder)
            for tool, files in of_tools.items():
                told = sum(after[tool].values(), Counter())
                for path, lines in files.items():
                    assert not lines - told, (tool, folder, path)
                assert not scoped & told.keys() - sum(files.values(), Counter()).keys(), (tool, folder)
        for path, lines in elsewhere.items():
            now = (root / path).read_text(encoding="utf-8")
            assert lines <= {plain(line) for line in now.split("\n")}, path
        assert all((root / link).exists() for link in links if (root / link).is_symlink())
        run.undo(config)
        now = {path: path.read_bytes() for path in contents if path.exists()}
        assert now == contents
