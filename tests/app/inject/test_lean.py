"""A lean start: little is written without packs, the user's own come before all others, and notices reach every tool."""

from pathlib import Path

import pytest

from modicum.app.inject.load import BUILT_IN
from modicum.app.packs.template import TEMPLATE
from modicum.engine.tokens import count

TOOLS = sorted(path.stem for path in (BUILT_IN / "adapters").glob("*.yaml"))
EVERY_TOOL = tuple(word for tool in TOOLS for word in ("--tool", tool))
STARTERS = ("git", "modicum", "reviews", "testing")
MOST_TOKENS = 600
NOTICES = (
    "Deploys are frozen until Friday",
    "The staging database is gone — 停止",
    "Ask Ana before you merge",
)


def packs_on(page: dict) -> list[str]:
    """The packs that have a passage on a page."""
    shown = [item["key"] for item in page["items"] if item["fate"] in ("shown", "shortened")]
    return [*dict.fromkeys(key.partition(":")[2].split("/")[0] for key in shown if "/" in key)]


# Nothing but what was chosen


@pytest.mark.parametrize("scope", [(), ("--global",)])
def test_without_packs_and_notices_nothing_is_written(world, scope: tuple[str, ...]) -> None:
    before = world.files()
    said = world.modicum("inject", *EVERY_TOOL, *scope)

    assert (said.code, world.files()) == (0, before)
    assert "No pack is in force. Write one: modicum pack new NAME" in said.out
    assert {page["text"] for page in world.inject("--dry-run", *EVERY_TOOL, *scope).json["pages"]} == {""}


def test_the_templates_sentences_never_leave(world) -> None:
    world.modicum("pack", "new", "billing")
    before = world.files()
    said = world.modicum("inject", *EVERY_TOOL)

    assert (said.code, world.files()) == (0, before)
    assert (
        "billing: still the template in context.md and constraints.md: write your own text over it"
        in said.err
    )
    world.write(
        ".modicum/packs/billing/constraints.md", "1. Never round a price.\r\n" + TEMPLATE["constraints.md"]
    )
    texts = [page["text"] for page in world.inject(*EVERY_TOOL).json["pages"]]
    assert any("Never round a price." in text for text in texts)
    assert not any(line.strip() in text for text in texts for line in _own_lines())


def _own_lines() -> list[str]:
    lines = "".join((TEMPLATE["context.md"], TEMPLATE["constraints.md"])).splitlines()
    return [line for line in lines if line and not line.startswith(("#", "<!--"))]


@pytest.mark.parametrize("scope", [(), ("--global",)])
def test_without_packs_every_tool_gets_at_most_600_tokens(world, scope: tuple[str, ...]) -> None:
    for words in NOTICES:
        world.modicum("notice", "add", words)
    pages = world.inject("--dry-run", *EVERY_TOOL, *scope).json["pages"]

    assert {page["tool"] for page in pages} == {*TOOLS} - ({*no_global_file(world)} if scope else set())
    for page in pages:
        assert count(page["text"]) <= MOST_TOKENS, page["tool"]
        # Notices are of a project: what goes to the home folder alone has nothing to say.
        assert bool(page["text"]) == (not scope), page["tool"]
        assert packs_on(page) == []


def test_many_notices_stay_within_600_tokens_and_the_rest_is_told(world) -> None:
    for number in range(30):
        world.modicum(
            "notice", "add", f"Notice {number}: " + "a sentence of several words that goes on. " * 5
        )
    page = world.inject("--dry-run", "--tool", "claude-code").page("claude-code")
    shown = page["text"].count("- Notice ")

    assert 400 < count(page["text"]) <= MOST_TOKENS
    assert 0 < shown < 30
    assert (
        f"Left out for lack of room: {30 - shown} notices. Read them with `modicum notice list`."
        in page["text"]
    )


def test_notices_that_a_small_limit_cuts_are_told_beside_packs(world) -> None:
    world.pack("own", "## Own\n\n" + "".join(f"### P{n}\n\n{'word ' * 30}\n\n" for n in range(9)))
    for number in range(9):
        world.modicum("notice", "add", f"Notice {number}: " + "some more words " * 10)
    world.adapter("codex", "max_bytes: 900\n")
    text = world.inject("--dry-run", "--tool", "codex").page("codex")["text"]

    assert "Left out for lack of room: parts of own, and " in text
    assert "Read them with `modicum show pack:own` and `modicum notice list`." in text


def no_global_file(world) -> list[str]:
    return [row["tool"] for row in world.inject("--dry-run", *EVERY_TOOL, "--global").json["idle"]]


def test_starters_are_on_only_if_they_are_chosen(world) -> None:
    assert packs_on(world.inject("--tool", "codex").page("codex")) == []
    world.modicum("pack", "use", "git")
    assert packs_on(world.inject("--tool", "codex").page("codex")) == ["git"]
    assert packs_on(world.inject("--tool", "codex", "--include", "testing").page("codex")) == ["testing"]


def test_a_source_neither_brings_starters_nor_takes_them_away(world) -> None:
    world.write("~/team/packs/shop/pack.yaml", "id: shop\n")
    world.write("~/team/packs/shop/context.md", "Prices are in cents.\n")
    world.modicum("source", "add", str(world.home / "team"))
    assert packs_on(world.inject("--tool", "codex").page("codex")) == ["shop"]
    world.modicum("pack", "use", "git")

    assert packs_on(world.inject("--tool", "codex").page("codex")) == ["git", "shop"]


def test_inject_says_how_to_begin_while_no_pack_is_in_force(world) -> None:
    hint = (
        "No pack is in force. Write one: modicum pack new NAME, or turn on a starter pack: modicum pack use"
    )

    assert hint in world.modicum("inject", "--tool", "codex").out
    world.modicum("pack", "new", "billing")
    assert "No pack is in force" not in world.modicum("inject", "--tool", "codex").out


def test_the_doors_have_nothing_to_list_and_say_so(world) -> None:
    assert world.modicum("pack", "list", "--json").json["packs"] == []
    assert world.modicum("pack", "validate").out == "0 packs: nothing wrong, nothing odd.\n"
    assert world.modicum("show", "pack:git/commits").out.startswith("## Git\n\n### Commits\n")


# The user's own first


def test_a_pack_of_ones_own_gets_the_chat_box_before_any_starter(world) -> None:
    world.modicum("pack", "use", *STARTERS)
    world.modicum("pack", "new", "billing")
    core = "\n\n".join(f"### Rule {n}\n\nAmounts of kind {n} are integers in cents." for n in range(20))
    world.write(".modicum/packs/billing/context.md", f"## Billing\n\n{core}\n")
    alone, beside = (
        world.inject("--tool", "chatgpt", *flags).page("chatgpt", "clipboard")
        for flags in (("--include", "billing"), ())
    )
    own, others = (
        [
            item
            for item in page["items"]
            if item["key"].startswith("pack:billing/") and item["fate"] == "shown"
        ]
        for page in (alone, beside)
    )

    assert beside["limit"] == 1_400
    assert sum(item["size"] for item in own) > 800
    assert len(own) - len(others) <= 1  # the closing line is longer, for it names the starters, too


def write_layers(world, text: str) -> None:
    """A pack in each layer, the lighter the nearer, and a starter."""
    world.write("~/team/packs/far/pack.yaml", "id: far\nweight: 1000\n")
    world.write("~/team/packs/far/context.md", f"## Far\n\n{text}\n")
    world.modicum("source", "add", str(world.home / "team"))
    world.write("~/.config/modicum/packs/mine/pack.yaml", "id: mine\nweight: 1\n")
    world.write("~/.config/modicum/packs/mine/context.md", f"## Mine\n\n{text}\n")
    world.pack("ours", f"## Ours\n\n{text}\n", header="weight: -5\n")
    world.modicum("pack", "use", "testing")
    world.adapter(
        "tiny", "type: file-inject\n", "targets: [{scope: project, path: T.md, mode: replace-file}]\n"
    )


def test_nearer_layers_outrank_whatever_their_weights(world) -> None:
    write_layers(world, "word " * 100)
    found = []
    for most in (800, 1_400, 2_000, 40_000):
        world.adapter(
            "tiny",
            f"type: file-inject\nmax_bytes: {most}\n",
            "targets: [{scope: project, path: T.md, mode: replace-file}]\n",
        )
        page = world.inject("--tool", "tiny", "--detail", "minimal").page("tiny")
        found.append([name for name in packs_on(page) if name != "testing" or most > 2_000])

    assert found == [["ours"], ["mine", "ours"], ["far", "mine", "ours"], ["testing", "far", "mine", "ours"]]


def test_a_profile_orders_within_a_layer(world) -> None:
    write_layers(world, "text")
    world.pack("heavy", "## Heavy\n\ntext\n", header="weight: 9\n")
    world.write(".modicum/profiles/p.yaml", "id: p\npacks: [{id: ours, weight: 99}, {id: far, weight: -1}]\n")

    rows = world.modicum("profile", "show", "p", "--json").json["packs"]
    assert [row["id"] for row in rows] == ["testing", "far", "mine", "ours", "heavy"]


# Notices


def test_notices_reach_every_tool_within_its_budget(world) -> None:
    world.modicum("pack", "use", *STARTERS)
    for words in NOTICES:
        world.modicum("notice", "add", words)
    pages = world.inject("--dry-run", *EVERY_TOOL).json["pages"]
    read = {tool: "".join(page["text"] for page in pages if page["tool"] == tool) for tool in TOOLS}

    assert [tool for tool in TOOLS if not all(words in read[tool] for words in NOTICES)] == []
    assert all(page["limit"] is None or page["used"] <= page["limit"] for page in pages)


@pytest.mark.parametrize("most", [40, 60, 120, 400])
def test_in_a_small_chat_box_notices_come_before_packs(world, most: int) -> None:
    world.modicum("pack", "use", *STARTERS)
    world.modicum("notice", "add", NOTICES[0])
    world.adapter("chatgpt", f"max_bytes: {most}\n")
    page = world.inject("--tool", "chatgpt").page("chatgpt", "clipboard")

    assert page["used"] <= most
    assert (NOTICES[0] in page["text"]) == (most >= 60)


# What is kept of the old page


def test_inject_tells_how_much_of_the_old_page_is_kept(world) -> None:
    world.pack("first", "## First\n\nIt stays.\n", header="weight: 2\n")
    world.pack("second", "## Second\n\nIt changes.\n", header="weight: 1\n")
    assert world.inject("--tool", "codex").page("codex")["prefix"] is None
    old = world.read("AGENTS.md")
    world.pack("second", "## Second\n\nIt has changed, 中文.\n", header="weight: 1\n")
    dry = world.inject("--tool", "codex", "--dry-run").page("codex")
    stats = world.modicum("inject", "--tool", "codex", "--dry-run", "--stats").out
    said = world.modicum("inject", "--tool", "codex").out
    kept, size = len(old.partition("changes.")[0]), len(old.encode()) - 1  # without the last line end

    assert dry["prefix"] == {"kept": kept, "of": size}
    assert (
        f"updated, {dry['used']:,} of 32,768 bytes, the first {kept:,} of {size:,} bytes as before\n" in said
    )
    assert f"\n  the first {kept:,} of {size:,} bytes as before\n" in stats
    assert "as before" not in world.modicum("inject", "--tool", "codex").out
    again = world.inject("--tool", "codex").page("codex")
    assert again["prefix"] == {"kept": again["used"], "of": again["used"]}


@pytest.mark.parametrize(
    "target",
    [
        "mode: replace-file, preamble: '---'",
        "mode: replace-section",
        "mode: append",
    ],
)
@pytest.mark.parametrize("mine", [b"", b"# Mine\r\n\r\ntext\r\n"])
def test_a_new_notice_keeps_the_whole_page_in_every_kind_of_file(world, target: str, mine: bytes) -> None:
    world.adapter("x", "type: file-inject\n", f"targets: [{{scope: project, path: X.md, {target}}}]\n")
    if mine and "file" not in target:
        world.write("X.md", mine)
    world.pack("shop", "## Shop\n\nPrices are in cents.\n")
    world.inject("--tool", "x")
    world.modicum("notice", "add", "Deploys are frozen")
    prefix = world.inject("--tool", "x").page("x")["prefix"]

    assert prefix["of"] - prefix["kept"] <= len("<!-- written by modicum -->\r\n" * 2)
    assert world.inject("--check", "--tool", "x").code == 0


def test_a_file_that_is_left_alone_keeps_nothing(world) -> None:
    world.write(".cursor/rules/modicum.mdc", "somebody's\n")

    assert world.inject("--tool", "cursor").page("cursor")["prefix"] is None
    world.inject("--tool", "cursor", "--force")
    Path(world.project, ".cursor/rules/modicum.mdc").unlink()
    assert world.inject("--tool", "cursor").page("cursor")["prefix"] is None
