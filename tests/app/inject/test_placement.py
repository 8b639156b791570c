"""Every tool reads our page exactly once, and everything of the user's as often as before, whatever files there are."""

from collections import Counter
from pathlib import Path

import pytest

import modicum
from modicum.app.inject.load import load_knowledge
from modicum.app.reading.tool_reading import ToolReading
from modicum.base.config import load_config
from modicum.targets.load import load_adapters
from modicum.targets.loaders.collect import collect, folders_with_instructions
from modicum.targets.loaders.reading import reading

pytestmark = pytest.mark.usefixtures("starters")

SIX = ("claude-code", "codex", "copilot", "gemini-cli", "opencode", "qwen")
NAMED = tuple(word for tool in SIX for word in ("--tool", tool))
BUILT_IN = load_adapters([("built-in", Path(modicum.__file__).parent / "data")]).adapters
EVERY = tuple(adapter.id for adapter in BUILT_IN if adapter.reads)
OURS = "Our rule of canaries."
LONG = "A line of the user's that takes some room.\n" * 900

# What the user had before. "canary:" lines are looked for.
LAYOUTS: dict[str, dict[str, str]] = {
    "nothing": {},
    "AGENTS.md": {"AGENTS.md": "canary: agents\n"},
    "CLAUDE.md": {"CLAUDE.md": "canary: claude\n"},
    "both": {"AGENTS.md": "canary: agents\n", "CLAUDE.md": "canary: claude\n"},
    "an import": {"AGENTS.md": "canary: agents\n", "CLAUDE.md": "canary: claude\n\n@AGENTS.md\n"},
    "imports in a circle": {
        "AGENTS.md": "canary: agents\n@CLAUDE.md\n",
        "CLAUDE.md": "canary: claude\n@AGENTS.md\n",
    },
    "twins": {"AGENTS.md": "canary: same\n", "CLAUDE.md": "canary: same\n"},
    "a long file": {"AGENTS.md": f"canary: top\n\n{LONG}\ncanary: end\n"},
    "a nearly full file": {"AGENTS.md": f"canary: top\n\n{LONG[:31_000]}\ncanary: end\n"},
    ".claude/CLAUDE.md": {".claude/CLAUDE.md": "canary: dot\n", "AGENTS.md": "canary: agents\n"},
    "rules": {".claude/rules/a.md": "canary: rule\n", "AGENTS.md": "canary: agents\n"},
    "GEMINI.md and QWEN.md": {"GEMINI.md": "canary: gemini\n", "QWEN.md": "canary: qwen\n"},
    "copilot": {
        ".github/copilot-instructions.md": "canary: copilot\n",
        ".github/instructions/x.instructions.md": "---\napplyTo: '**'\n---\ncanary: path\n",
    },
    "override": {"AGENTS.override.md": "canary: override\n", "AGENTS.md": "canary: agents\n"},
    "a setting": {
        ".gemini/settings.json": '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}\n',
        "AGENTS.md": "canary: agents\n",
    },
    "CONTEXT.md": {"CONTEXT.md": "canary: context\n"},
    "Qwen's names": {
        ".qwen/settings.json": '{"context": {"fileName": ["CLAUDE.md"]}}\n',
        "CLAUDE.md": "canary: claude\n",
        "AGENTS.md": "canary: agents\n",
    },
    "nested": {
        "AGENTS.md": "canary: root\n",
        "pkg/AGENTS.md": "canary: pkg agents\n",
        "pkg/CLAUDE.md": "canary: pkg claude\n",
    },
    "nested rules": {"CLAUDE.md": "canary: root\n", "a/b/CLAUDE.md": "canary: deep\n"},
}


def counts(world, folder: str = "", tools: tuple[str, ...] = SIX) -> dict[str, Counter[str]]:
    """How often each tool reads each canary, and our rule."""
    adapters = load_knowledge(load_config()).adapters
    loaders = [adapters[tool].reads for tool in tools]
    nested = folders_with_instructions(world.project, loaders)
    files = collect(world.project, world.project.parent, loaders, ("", *nested))
    found = {}
    for tool, loader in zip(tools, loaders, strict=True):
        text = ToolReading(
            adapters[tool], reading(loader, files, folder, loader.versions[-1]), files
        ).reading.text(files)
        found[tool] = Counter(line for line in text.splitlines() if line.startswith("canary:"))
        found[tool][OURS] = text.count(OURS)
    return found


def lay_out(world, texts: dict[str, str]) -> dict[str, bytes]:
    for path, text in texts.items():
        world.write(path, text)
    world.pack("canaries", f"## Canaries\n\n{OURS}\n", header="weight: 100\n")
    return snapshot(world.project)


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".git/" not in path.as_posix())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_tool_reads_our_page_once_and_the_users_text_as_before(world, layout: str) -> None:
    first = lay_out(world, LAYOUTS[layout])
    folders = ("", *(["pkg"] if layout == "nested" else []), *(["a/b"] if layout == "nested rules" else []))
    before = {folder: counts(world, folder) for folder in folders}
    said = world.modicum("inject", *NAMED)

    for folder in folders:
        for tool, now in counts(world, folder).items():
            was = before[folder][tool]
            repeated = max([*was.values(), 1])  # what the user's own files make a tool read twice
            assert now[OURS] in (1, repeated), (tool, folder, said.err)
            assert all(count <= now[line] <= max(count, 1) for line, count in was.items() if line != OURS), (
                tool
            )
    assert said.code == 0, said.err

    assert world.modicum("inject", "--check", *NAMED).code == 0
    assert world.modicum("uninstall").code == 0
    assert snapshot(world.project) == first


@pytest.mark.parametrize("layout", ["nothing", "AGENTS.md", "CLAUDE.md", "both", "an import"])
def test_all_tools_at_once_read_our_page_once_each(world, layout: str) -> None:
    """Beside a CLAUDE.md alone, some tools would lose it to an AGENTS.md, and others read no CLAUDE.md."""
    first = lay_out(world, LAYOUTS[layout])
    before = counts(world, tools=EVERY)
    named = [word for tool in EVERY for word in ("--tool", tool)]
    said = world.modicum("inject", *named)

    now = counts(world, tools=EVERY)
    assert all(now[tool][OURS] in (1, max([*before[tool].values(), 1])) for tool in EVERY)
    assert all(now[tool][line] == often for tool in EVERY for line, often in before[tool].items() if often)
    assert said.code == 0, said.err
    assert ("only if the project is trusted" in said.err) == (layout == "CLAUDE.md")
    assert world.modicum("inject", "--check", *named).code == 0
    assert world.modicum("uninstall").code == 0
    assert snapshot(world.project) == first


def test_a_project_that_was_injected_otherwise_moves_over(world) -> None:
    """A page in each of the tools' own files, as an earlier version wrote them, becomes one that is read once."""
    first = lay_out(world, {"CLAUDE.md": "canary: claude\n", "AGENTS.md": "canary: agents\n"})
    for path in ("CLAUDE.md", "AGENTS.md", "GEMINI.md", "QWEN.md", ".github/copilot-instructions.md"):
        old = first.get(path, b"").decode()
        page = "<!-- modicum:start:modicum -->\nold page\n<!-- modicum:end:modicum -->\n"
        world.write(path, f"{old}\n{page}" if old else page)
    world.modicum("inject", *NAMED)

    assert {tool: count[OURS] for tool, count in counts(world).items()} == dict.fromkeys(SIX, 1)
    assert all(b"old page" not in text for text in snapshot(world.project).values())
    world.modicum("uninstall")
    assert snapshot(world.project) == first


@pytest.mark.parametrize("folder", ["", "pkg", "pkg/in", "elsewhere"])
def test_both_versions_of_claude_code_read_our_page_once_in_every_folder(world, folder: str) -> None:
    """Where a package alone has an AGENTS.md, which the older one never reads."""
    first = lay_out(world, {"pkg/AGENTS.md": "canary: pkg\n"})
    told = world.modicum("inject", *NAMED)

    loader = load_knowledge(load_config()).adapters["claude-code"].reads
    files = collect(world.project, world.project.parent, [loader], ("", "pkg", "pkg/in"))
    for version in ("2.1.197", "2.1.325"):
        text = reading(loader, files, folder, version).text(files)
        assert text.count(OURS) == 1, told.out
        assert text.count("canary: pkg") == (version == "2.1.325" and folder.startswith("pkg"))
    assert {tool: count[OURS] for tool, count in counts(world, folder).items()} == dict.fromkeys(SIX, 1)
    assert world.modicum("inject", "--check", *NAMED).code == 0
    world.write("AGENTS.md", "canary: later\n\n" + (world.project / "AGENTS.md").read_text())
    world.modicum("inject", *NAMED)
    assert {tool: count[OURS] for tool, count in counts(world).items()} == dict.fromkeys(SIX, 1)
    assert (world.project / ".claude/rules/modicum.md").read_text().count("@../../AGENTS.md") == 1
    world.modicum("uninstall")
    assert snapshot(world.project) == {**first, "AGENTS.md": b"canary: later\n"}


def test_a_copy_has_the_news_of_the_page_that_it_repeats(world) -> None:
    """Also if it is new, and the page has told its news before; and they change together."""
    lay_out(world, {})
    world.pack("shop", "## Shop\n\nA rule.\n", header="changelog: [Prices are net now.]\n")
    world.modicum("inject", "--tool", "codex")
    world.write("pkg/AGENTS.md", "canary: pkg\n")
    world.modicum("inject", *NAMED)
    page, copy = ((world.project / name).read_text() for name in ("AGENTS.md", ".claude/rules/modicum.md"))

    body = page.partition("-->\n")[2].partition("<!-- modicum:end")[0]
    assert body in copy
    for tool in ("codex", "claude-code"):
        world.pack("canaries", f"## Canaries for {tool}\n\n{OURS}\n", header="weight: 100\n")
        world.modicum("inject", "--tool", tool)
        assert counts(world)["claude-code"][OURS] == 1
        assert f"for {tool}" in (world.project / "AGENTS.md").read_text()


def test_a_tool_more_moves_the_page_of_the_others(world) -> None:
    lay_out(world, {})
    world.modicum("inject", "--tool", "claude-code")
    assert OURS in world.read("CLAUDE.md")
    world.modicum("inject", "--tool", "copilot", "--tool", "codex")

    found = counts(world)
    assert [found[tool][OURS] for tool in ("claude-code", "copilot", "codex")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ("an import", "Claude Code, started in a sub folder, will not read our page"),
        (
            "Qwen's names",
            "Qwen Code, started in a sub folder, will read our page 2 times, the last in .qwen/rules",
        ),
        ("AGENTS.md", ""),
    ],
)
def test_what_a_tool_reads_otherwise_in_a_sub_folder_is_told(world, layout: str, sentence: str) -> None:
    lay_out(world, LAYOUTS[layout])
    said = world.modicum("inject", *NAMED)

    assert (sentence in said.err) if sentence else ("will" not in said.err)
    assert said.code == 0


@pytest.mark.parametrize(
    ("version", "is_told"), [("2.1.197", True), ("2.1.280", True), ("2.1.281", False), ("2.2", False)]
)
def test_what_an_older_version_does_not_read_in_a_sub_folder_is_told_where_it_is_installed(
    world, version: str, is_told: bool
) -> None:
    """Else it would be said to everybody with an AGENTS.md; `see` says it."""
    program = world.project.parent / "programs" / "versions" / version
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    (program.parents[1] / "claude").symlink_to(program)
    world.patch.setenv("PATH", str(program.parents[1]))
    lay_out(world, LAYOUTS["AGENTS.md"])

    said = world.modicum("inject", *NAMED)

    sentence = f"in sub folders, Claude Code {version}, which is installed here, will not read our page: update it to 2.1.281\n"
    assert (sentence in said.err) == ("installed here" in said.err) == is_told
    assert said.code == 0


def test_a_worktree_inside_its_repository_has_the_pages_of_the_repository(world) -> None:
    """Claude Code reads the files of the worktree alone, which are the same ones."""
    lay_out(world, LAYOUTS["CLAUDE.md"])
    world.modicum("inject", *NAMED)
    written = {
        path: text
        for path, text in snapshot(world.project).items()
        if path.startswith((".claude/C", "CLAUDE"))
    }
    tree = world.project / ".claude" / "worktrees" / "x"
    for path, text in snapshot(world.project).items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(text)
    (tree / ".git").write_text(f"gitdir: {world.project.resolve()}/.git/worktrees/x\n")

    loader = load_knowledge(load_config()).adapters["claude-code"].reads
    text = reading(loader, (files := collect(tree, tree.parents[3], [loader])), "").text(files)
    assert len(written) == 2
    assert (text.count(OURS), text.count("canary: claude")) == (1, 1)


def test_a_file_that_one_tool_finds_under_another_spelling_is_not_displaced(world) -> None:
    """Copilot reads agents.md where there is no AGENTS.md, which others would need."""
    lay_out(world, {"agents.md": "canary: agents\n"})
    if (world.project / "AGENTS.md").exists():
        pytest.skip("the file system does not tell case apart")
    said = world.modicum("inject", *NAMED)

    found = counts(world)
    assert found["copilot"]["canary: agents"] == found["copilot"][OURS] == 1
    assert said.code == 1
    assert "Codex (AGENTS.md) gets nothing" in said.err
    assert "Rename agents.md to AGENTS.md, as most tools spell it." in said.err


def test_a_link_is_one_file_with_two_names(world) -> None:
    lay_out(world, {"CLAUDE.md": "canary: both\n"})
    world.path("AGENTS.md").symlink_to("CLAUDE.md")
    before = counts(world)
    world.modicum("inject", *NAMED)

    for tool, now in counts(world).items():
        assert now["canary: both"] >= before[tool]["canary: both"]
        assert now["canary: both"] <= 1
        assert now[OURS] == 1, tool
    assert world.path("AGENTS.md").is_symlink()


def test_private_files_are_no_reason_for_other_bytes(world) -> None:
    lay_out(world, {"AGENTS.md": "canary: agents\n"})
    world.modicum("inject", *NAMED)
    shared = snapshot(world.project)
    world.modicum("uninstall")
    world.write("CLAUDE.local.md", "private\n")
    world.write("~/.claude/CLAUDE.md", "at home\n")
    world.modicum("inject", *NAMED)

    assert snapshot(world.project) == {**shared, "CLAUDE.local.md": b"private\n"}


ORDERS = (
    ("gemini-cli", "claude-code", "copilot", "codex", "qwen", "opencode"),
    ("qwen", "opencode", "codex", "gemini-cli", "copilot", "claude-code"),
)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("layout", ["nothing", "a long file"])
def test_tools_one_after_the_other_end_like_all_at_once(world, layout: str, order: tuple[str, ...]) -> None:
    """The file of a tool that is not named changes its role when another tool comes."""
    first = lay_out(world, LAYOUTS[layout])
    for tool in order:
        assert world.modicum("inject", "--tool", tool).code == 0

    assert {tool: count[OURS] for tool, count in counts(world).items()} == dict.fromkeys(SIX, 1)
    assert world.modicum("inject", "--check", *NAMED).code == 0
    for tool in SIX:
        world.modicum("uninstall", "--tool", tool)
    assert snapshot(world.project) == first


def package(world, above: str) -> Path:
    """A package of a monorepo with its own .modicum, below a file in the root of the repository."""
    lay_out(world, {"AGENTS.md": above})
    folder: Path = world.path("packages/app")
    folder.mkdir(parents=True)
    world.path(".modicum").rename(folder / ".modicum")
    world.patch.chdir(folder)
    return folder


def test_a_package_has_the_room_that_the_repository_above_it_leaves(world) -> None:
    above = LONG[:30_000]
    folder = package(world, above)
    first = snapshot(folder)
    assert world.modicum("inject", *NAMED).code == 0
    page = (folder / "AGENTS.md").read_bytes()
    seen = world.modicum("see", "codex", "--json").json["tools"][0]

    assert 0 < len(page) <= 32_768 - len(above)
    assert (seen["lost"], seen["ours"] > 1_000) == (0, True)
    assert world.modicum("inject", "--check", *NAMED).code == 0
    assert world.modicum("uninstall").code == 0
    assert snapshot(folder) == first
    assert world.read("AGENTS.md") == above


def test_a_page_of_the_repository_above_a_package_is_left_alone(world) -> None:
    page = "mine\n\n<!-- modicum:start:modicum -->\npage of the repository\n<!-- modicum:end:modicum -->\n"
    package(world, page)
    world.modicum("inject", *NAMED)
    world.modicum("uninstall")

    assert world.read("AGENTS.md") == page


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (b"\xff\xfe" + "canary: agents\n".encode("utf-16-le"), "save it as UTF-8"),
        (b"canary: agents\n<!-- modicum:start:modicum -->\n", "delete this line"),
        (None, "move the folder away"),
    ],
)
def test_nothing_is_written_that_depends_on_a_file_without_its_page(
    world, text: bytes | None, remedy: str
) -> None:
    """AGENTS.md cannot have our page, so that no file imports it and no setting names it, and the run fails."""
    first = lay_out(world, {"CLAUDE.md": "canary: claude\n"})
    if text is None:
        world.path("AGENTS.md").mkdir()
    else:
        world.path("AGENTS.md").write_bytes(text)
        first = snapshot(world.project)
    said = world.modicum("inject", *NAMED)

    new = {path: text for path, text in snapshot(world.project).items() if first.get(path) != text}
    assert said.code == 1
    assert len([line for line in said.err.splitlines() if line.startswith("modicum: ")]) == 1
    assert remedy in said.err
    assert not [path for path, text in new.items() if b"AGENTS.md\n" in text or not path.endswith(".md")]


def test_what_imports_a_page_stays_while_the_page_cannot_be_written(world) -> None:
    lay_out(world, {"AGENTS.md": "canary: agents\n"})
    world.modicum("inject", *NAMED)
    importer = world.read("GEMINI.md")
    whole = world.read("AGENTS.md")
    world.write("AGENTS.md", whole.replace("<!-- modicum:end:modicum -->", ""))
    said = world.modicum("inject", *NAMED)

    assert said.code == 1
    assert world.read("GEMINI.md") == importer
    world.write("AGENTS.md", whole)
    assert world.modicum("inject", *NAMED).code == 0


def test_a_settings_file_that_cannot_be_read_is_no_way_to_a_page(world) -> None:
    """OpenCode would need a setting so that an AGENTS.md does not hide the user's file, and cannot get it."""
    lay_out(world, {"CLAUDE.md": "canary: claude\n", "opencode.json": "{,"})
    said = world.modicum("inject", "--tool", "codex", "--tool", "opencode")

    assert said.code == 0, said.err
    assert not world.path("AGENTS.md").exists()
    assert world.read("opencode.json") == "{,"
    assert OURS in world.read("CLAUDE.md")


LONE = {
    "amp": ("AGENT.md", "CLAUDE.md"),
    "cline": (".clinerules", ".cursorrules"),
    "kilo": ("CLAUDE.md", "CONTEXT.md"),
    "opencode": ("CLAUDE.md", "CONTEXT.md"),
    "pi": ("CLAUDE.md",),
    "zed": (
        ".clinerules",
        ".cursorrules",
        ".github/copilot-instructions.md",
        ".rules",
        ".windsurfrules",
        "AGENT.md",
        "CLAUDE.md",
        "GEMINI.md",
    ),
}


@pytest.mark.parametrize(("tool", "file"), [(tool, file) for tool, files in LONE.items() for file in files])
def test_a_tool_alone_reads_our_page_beside_the_one_file_that_it_would_lose_to_another(
    world, tool: str, file: str
) -> None:
    lay_out(world, {file: "canary: mine\n"})

    world.inject("--tool", tool)

    assert counts(world, tools=(tool,)) == {tool: Counter({"canary: mine": 1, OURS: 1})}


@pytest.mark.parametrize("tools", ["claude-code,codex", "claude-code,codex,copilot,gemini-cli,opencode,qwen"])
def test_each_of_many_packages_gets_the_page_that_it_needs(world, tools: str) -> None:
    """A choice among all sets of so many files would have no end: work doubled with each package."""
    packages = [f"packages/m{number}" for number in range(25)]
    world.write(".git/HEAD", "ref: refs/heads/main\n")
    for folder in (".", *packages):
        world.write(f"{folder}/AGENTS.md", f"Use make in {folder}.\n")
        world.write(f"{folder}/CLAUDE.md", "@AGENTS.md\n")
    before = world.files()

    assert "started in packages/" not in world.modicum("inject", "--tool", tools).err
    assert all((world.project / folder / ".claude" / "CLAUDE.md").exists() for folder in packages)
    again = world.files()
    world.modicum("inject", "--tool", tools)
    assert world.files() == again
    world.modicum("uninstall")
    assert {path: text for path, text in world.files().items() if path in before} == before
