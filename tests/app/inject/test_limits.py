"""What is written stays within every limit, whatever the tool, the profile, the verbosity and the packs."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.app.inject.destination import Destination
from modicum.app.inject.load import BUILT_IN, load_library
from modicum.app.inject.pages import PageMaker
from modicum.app.packs.notices import Notice
from modicum.base.config import load_config
from modicum.engine.page import Detail, Fate, Page
from modicum.engine.tokens import count
from modicum.packs.model import KnownError, Pack, PackText, Sample
from modicum.packs.sections import pack_of
from modicum.targets.change import TargetFile
from modicum.targets.model import Adapter, Limit
from modicum.targets.plan import payload

TOOLS = sorted(path.stem for path in (BUILT_IN / "adapters").glob("*.yaml"))
BUDGETS = (1, 2, 40, 90, 300, 1_000, 1_400, 4_000, 12_000, None)
UNITS = {"max_bytes": "bytes", "max_chars": "chars", "max_tokens": "o200k_base"}
EVERY_TOOL = tuple(word for tool in TOOLS for word in ("--tool", tool))


def set_limits(world, key: str, tools: list[str], shift: int) -> dict[str, int | None]:
    """Give every tool another one of the budgets, and return them."""
    budgets = {tool: BUDGETS[(number + shift) % len(BUDGETS)] for number, tool in enumerate(tools)}
    for tool, most in budgets.items():
        world.adapter(tool, f"{key}: {'none' if most is None else most}\n")
    return budgets


def overruns(world, key: str, shift: int, *flags: str) -> tuple[list[str], int]:
    """The pages that are over their limit, and how many there are."""
    budgets = set_limits(world, key, TOOLS, shift)
    pages = world.inject("--dry-run", *EVERY_TOOL, *flags).json["pages"]
    limited = [page for page in pages if not (page["path"] or "").endswith("chatgpt-context.md")]
    found = [
        f"{page['tool']}: {count(page['text'], UNITS[key])} of {most} {key}"
        for page in limited
        if (most := budgets[page["tool"]]) is not None and count(page["text"], UNITS[key]) > most
    ]
    return found, sum(bool(page["text"]) for page in pages)


@pytest.mark.parametrize("key", UNITS)
@pytest.mark.parametrize("verbosity", ["minimal", "standard", "full"])
@pytest.mark.parametrize("profile", ["all", "minimal"])
def test_no_starter_pack_leads_over_a_limit(
    world, starters: None, key: str, verbosity: str, profile: str
) -> None:
    world.modicum("notice", "add", "Deploys are frozen until Friday — 停止")
    filled = []
    for shift in range(len(BUDGETS)):
        over, pages = overruns(world, key, shift, "--profile", profile, "--detail", verbosity)
        filled.append(pages)

        assert over == []
    # Most tools share a file, which the tightest of their limits may empty, but not at every shift.
    assert sum(filled) > 3 * len(BUDGETS)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_by_itself_gets_a_page_within_its_limit(world, starters: None, tool: str) -> None:
    for most in (1, 40, 1_400, 12_000):
        world.adapter(tool, f"max_bytes: {most}\n")
        said = world.inject("--dry-run", "--tool", tool)
        pages = [p for p in said.json["pages"] if not (p["path"] or "").endswith("chatgpt-context.md")]

        assert all(count(page["text"], "bytes") <= most for page in pages)
        assert any(page["text"] for page in pages) == (most >= 1_400)


PIECES = (
    "Plain words that say something useful.",
    "- one\n- two with `code | pipe`\n- three",
    "```sh\n# a comment\nrun --all <!-- verbosity:core -->\n```",
    "| a | b |\n|---|---|\n| 中文 | 🙂🙂 |",
    "<!-- modicum:end:modicum -->",
    "Grüße, 世界. " * 5,
    "1. Never.\n2. Always **bold** and *slanted*.",
    "    indented code",
)


def random_text(chance: random.Random) -> str:
    lines = []
    for _ in range(chance.randint(0, 12)):
        tier = chance.choice(("", "", "<!-- verbosity:detail -->\n", "<!-- verbosity:extended -->\n"))
        heading = chance.choice(("", f"{'#' * chance.randint(1, 4)} Heading {chance.randint(1, 5)}\n\n"))
        lines.append(tier + heading + chance.choice(PIECES) * chance.choice((1, 1, 1, 30)))
    return "\n\n".join(lines)


def random_pack(chance: random.Random, name: str) -> Pack:
    def texts() -> tuple[PackText, ...]:
        return (PackText("x.md", random_text(chance)),)

    return Pack(
        name,
        weight=chance.randint(0, 9),
        overlaps=tuple(chance.sample("abcdef", chance.randint(0, 2))),
        base=chance.random() < 0.2,
        globs=("*.py",) if chance.random() < 0.2 else (),
        changelog=("Something new",) if chance.random() < 0.3 else (),
        context=texts(),
        constraints=texts(),
        preamble=(PackText("p.md", "Be kind."),),
        samples=(Sample(f"{name}/s", "label", "https://example.com", inject=True),),
        known_errors=(KnownError(f"{name}/e", "p | q", "cause\n" * 5, "fix"),),
    )


def is_bare_frame(page: Page) -> bool:
    """What a page consists of if something of its packs and notices was left out, and nothing of them is on it."""
    content = {fate for key, fate in page.fates.items() if pack_of(key) or key.startswith("notice:")}
    return Fate.CUT in content and not content & {Fate.SHOWN, Fate.SHORTENED}


def within(page: Page, destination: Destination, line_end: str) -> bool:
    written = payload(destination.place, page.text, line_end) if destination.place else page.text
    return all(count(written, limit.unit) <= limit.most for limit in destination.limits)


MODES = ("replace-section", "replace-file", "append", "")
LIMITS = st.dictionaries(
    st.sampled_from(("bytes", "chars", "o200k_base", "cl100k_base", "claude", "approx")),
    st.one_of(st.integers(0, 400), st.integers(0, 20_000)),
    min_size=1,
    max_size=3,
)


@settings(max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    limits=LIMITS,
    mode=st.sampled_from(MODES),
    style=st.sampled_from(("markdown", "plain-prose")),
    detail=st.sampled_from(Detail),
    whole=st.booleans(),
    line_end=st.sampled_from(("\n", "\r\n", "\r")),
    only=st.booleans(),
)
def test_no_random_pack_leads_over_any_of_several_limits(
    seed: int,
    limits: dict[str, int],
    mode: str,
    style: str,
    detail: Detail,
    whole: bool,
    line_end: str,
    only: bool,
) -> None:
    chance = random.Random(seed)
    packs = tuple(random_pack(chance, name) for name in "abcdef"[: chance.randint(0, 6)])
    maker = PageMaker(packs, notices=(Notice(1, "A note " * chance.randint(1, 40)),))
    conditions = maker.conditions(style)
    destination = Destination(
        adapters=(Adapter("x", "X", "file-inject"),),
        scope="project",
        place=TargetFile("/x", mode, preamble="---\nglobs: '*'\n---") if mode else None,
        shown_path="x",
        detail=detail,
        limits=tuple(Limit(unit, most) for unit, most in limits.items()),
        format=style,
        whole_packs=whole,
        only=conditions[0] if only and conditions and not whole else None,
        separate=only,
        guidance="~/file.md" if not mode else "",
    )

    page = maker.page(destination, maker.news(), line_end)

    assert within(page, destination, line_end)
    assert not (page.text and is_bare_frame(page))


def test_fifty_random_packs_stay_within_the_limits_of_every_tool(world) -> None:
    chance = random.Random(7)
    for number in range(50):
        name = f"p{number:02}"
        world.pack(name, random_text(chance), random_text(chance), f"weight: {chance.randint(0, 99)}\n")
    for shift, (key, verbosity) in enumerate(zip(UNITS, ("minimal", "standard", "full"), strict=True)):
        assert overruns(world, key, 2 * shift, "--detail", verbosity)[0] == []


def test_real_packs_put_the_preamble_the_constraints_and_the_core_into_1400_bytes(world) -> None:
    """The shape of the flagship case: a long base pack, three packs, a small box."""
    world.pack(
        "base",
        "## Reference\n\n" + "| a | b |\n" * 400,
        "1. Prefer the tools.",
        "base: true\n",
        preamble="Ask first.",
    )
    world.pack("cap", f"## CAP\n\n### Overview\n\n{'cap core. ' * 60}", "1. Never raw SQL.", "weight: 100\n")
    world.pack("btp", "btp core. " * 80, "1. Never btp.", "weight: 80\n")
    page = world.inject("--dry-run", "--tool", "chatgpt", *world.only("cap", "btp")).page(
        "chatgpt", "clipboard"
    )

    assert len(page["text"].encode()) <= 1400
    assert all(words in page["text"] for words in ("Ask first.", "Never raw SQL", "cap core. " * 59))


@pytest.mark.parametrize("key", UNITS)
@pytest.mark.parametrize("mode", ["replace-section", "replace-file", "append"])
def test_a_file_that_is_all_ours_is_within_the_limit_to_the_last_byte(world, key: str, mode: str) -> None:
    world.starters()
    target = f"targets: [{{scope: project, path: X.md, mode: {mode}}}]\n"
    for most in range(1_200, 1_240):
        world.adapter("x", f"type: file-inject\n{key}: {most}\n", target)
        world.modicum("inject", "--tool", "x")

        assert 0 < count(world.read("X.md"), UNITS[key]) <= most


def test_what_limits_are_told_in_is_the_scarcest_unit(world) -> None:
    world.starters()
    target = "targets: [{scope: project, path: X.md, mode: replace-section}]\n"
    world.adapter("x", "type: file-inject\nmax_bytes: 24000\nmax_chars: 2000\n", target)
    page = world.inject("--tool", "x").page("x")
    reasons = [item["reason"] for item in page["items"] if item["fate"] == "cut"]

    assert (page["limit"], page["unit"]) == (2000, "chars")
    assert all("of 2,000 were left" in reason for reason in reasons)


def test_a_chat_box_of_1400_bytes_holds_the_preamble_and_the_heaviest_pack(world) -> None:
    """A base pack of several kilobytes must not crowd out what matters most."""
    long = "".join(f"- `command-{number}` does number {number}\n" for number in range(150))
    world.pack(
        "base", f"## Reference\n\n{long}", header="base: true\n", preamble="> **Ask the tool first.**\n"
    )
    core = "## Cap\n\n### Overview\n\nThe framework of choice.\n\n### Practice\n\n- Lint before you commit.\n"
    world.pack("cap", core, "1. Never write raw SQL.\n", header="weight: 100\n")
    world.pack("other", "Other words. " * 200, header="weight: 10\n")
    text = world.inject("--dry-run", "--tool", "chatgpt").page("chatgpt", "clipboard")["text"]

    assert len(text.encode()) <= 1400
    for words in (
        "Ask the tool first.",
        "Never write raw SQL.",
        "The framework of choice.",
        "Lint before you commit.",
    ):
        assert words in text


@pytest.mark.parametrize("fit", ["thin", "whole"])
@pytest.mark.parametrize("limits", ["max_bytes: {0}", "max_chars: {0}", "max_bytes: {0}\nmax_chars: {0}"])
def test_more_room_never_shows_fewer_rules_at_any_limit(world, fit: str, limits: str) -> None:
    for number in range(9):
        world.pack(f"p{number}", constraints=f"- Rule {number} holds.", header=f"weight: {9 - number}\n")
    library = load_library(load_config())
    maker = PageMaker(library.packs)
    most = {"max_bytes": "bytes", "max_chars": "chars"}
    found = []
    for limit in range(500):
        named = (most[key] for key in most if key in limits)
        adapter = Adapter("x", "X", "file-inject", limits=tuple(Limit(unit, limit) for unit in named))
        place = TargetFile("X.md", "replace-section", section="modicum", root="")
        destination = Destination(
            (adapter,), "project", place, "X.md", limits=adapter.limits, whole_packs=fit == "whole"
        )
        page = maker.page(destination, (), "\n")
        assert within(page, destination, "\n")
        found.append(sum(f"Rule {number} holds." in page.text for number in range(9)))

    assert found == sorted(found)
    assert found[-1] == 9
    assert "# Context" not in "".join(p.text for p in maker.pages.values() if "Rule 8" not in p.text)


def test_a_chat_box_is_filled_by_its_limit_and_framed_by_one_line(world) -> None:
    text = f"## Refunds\n\n{'core ' * 50}\n\n<!-- verbosity:detail -->\nNever tell a customer.\n\n"
    world.pack("small", f"{text}<!-- verbosity:extended -->\n{'more ' * 70}\n")
    page, least = (
        world.inject("--tool", "chatgpt", *flags).page("chatgpt", "clipboard")["text"]
        for flags in ((), ("--detail", "minimal"))
    )
    export = world.read("~/modicum-chatgpt-context.md")

    frame = "Made by modicum "
    assert all(words in page for words in ("core core", "Never tell a customer.", "more more"))
    told = [
        line for line in (page + export).splitlines() if "modicum" in line and not line.startswith("<!--")
    ]
    assert all(line.startswith(frame) for line in told)
    assert page.count(frame) == export.count(frame) == 1
    assert least.startswith("Refunds\n\ncore")
    assert "Never tell" not in least
    assert "`" not in page
    world.adapter("chatgpt", "max_bytes: 330\n")
    short = world.inject("--tool", "chatgpt").page("chatgpt", "clipboard")["text"]
    assert "core core" in short
    assert frame not in short
    assert short.count("modicum") <= 1


def test_a_chat_box_without_a_file_names_what_is_left_out_without_a_command(world) -> None:
    world.pack("long", "\n\n".join(f"## Part {n}\n\n{'word ' * 20}" for n in range(40)))
    world.adapter("claude-ai", "max_bytes: 2000\n")
    page = world.inject("--tool", "claude-ai").page("claude-ai", "clipboard")["text"]

    assert page.endswith("Left out for lack of room: parts of long.")
