"""Layouts of instruction files, our own and random ones, with a canary in every file, for bench/reach.py."""

import json
import random
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

CANARY = re.compile(r"U-[a-z0-9]+-U")
PROJECT = "home/work/shop"


class Link(NamedTuple):
    """A symbolic link, by its target."""

    target: str


Files = Mapping[str, "str | Link"]
NONE: Files = MappingProxyType({})


class Layout(NamedTuple):
    """Files of a project, of the home and above the project, and the folder in which the program is started."""

    name: str
    files: Files
    home: Files = NONE
    cwd: str = ""
    git: bool = True


def rule(name: str, more: str = "") -> str:
    """Returns a small instruction file with the canary of that name."""
    return f"# Notes on {name}\n\nA rule of the user, U-{name}-U, stands here.\n{more}"


def long(name: str, size: int) -> str:
    """Returns an instruction file of a size, with a canary at its beginning, in every kilobyte, and at its end."""
    text, number = f"# Long notes\n\nFirst U-{name}0-U.\n", 0
    while len(text) < size - 60:
        number += 1
        text += f"- U-{name}{number}-U " + "a sentence about the work of this shop; " * 20 + "\n"
    return text[: size - 30] + f"\nLast U-{name}end-U.\n"


GEMINI_NAMES = json.dumps({"context": {"fileName": ["GEMINI.md", "AGENTS.md"]}})
QWEN_NAMES = json.dumps({"context": {"fileName": ["QWEN.md"]}})
QWEN_CLAUDE = json.dumps({"context": {"fileName": ["CLAUDE.md"]}})
SCOPED = "---\napplyTo: 'src/**'\n---\n"

LAYOUTS = (
    Layout("none", {}),
    Layout("AGENTS.md", {"AGENTS.md": rule("agents")}),
    Layout("CLAUDE.md", {"CLAUDE.md": rule("claude")}),
    Layout("AGENTS.md and CLAUDE.md", {"AGENTS.md": rule("agents"), "CLAUDE.md": rule("claude")}),
    Layout(
        "CLAUDE.md imports AGENTS.md",
        {"AGENTS.md": rule("agents"), "CLAUDE.md": rule("claude", "\n@AGENTS.md\n")},
    ),
    Layout("AGENTS.md links to CLAUDE.md", {"CLAUDE.md": rule("claude"), "AGENTS.md": Link("CLAUDE.md")}),
    Layout("CLAUDE.md links to AGENTS.md", {"AGENTS.md": rule("agents"), "CLAUDE.md": Link("AGENTS.md")}),
    Layout("AGENTS.md of 38 kB", {"AGENTS.md": long("big", 38_000)}),
    Layout(".claude/CLAUDE.md", {".claude/CLAUDE.md": rule("dotclaude"), "AGENTS.md": rule("agents")}),
    Layout("CLAUDE.local.md", {"CLAUDE.local.md": rule("local"), "AGENTS.md": rule("agents")}),
    Layout(
        "in a package with both",
        {
            "AGENTS.md": rule("agents"),
            "CLAUDE.md": rule("claude"),
            "pkg/AGENTS.md": rule("pkgagents"),
            "pkg/CLAUDE.md": rule("pkgclaude"),
        },
        cwd="pkg",
    ),
    Layout("in a package with AGENTS.md", {"pkg/AGENTS.md": rule("pkgagents")}, cwd="pkg"),
    Layout("GEMINI.md and QWEN.md", {"GEMINI.md": rule("gemini"), "QWEN.md": rule("qwen")}),
    Layout(
        "copilot-instructions.md and instructions",
        {
            ".github/copilot-instructions.md": rule("copilot"),
            ".github/instructions/a.instructions.md": rule("inst"),
            ".github/instructions/b.instructions.md": SCOPED + rule("scoped"),
        },
    ),
    Layout(
        ".claude/rules",
        {".claude/rules/style.md": rule("style"), ".claude/rules/deep/test.md": rule("deep"), "AGENTS.md": rule("agents")},
    ),
    Layout(
        "home files",
        {"AGENTS.md": rule("agents")},
        {
            ".claude/CLAUDE.md": rule("homeclaude"),
            ".codex/AGENTS.md": rule("homecodex"),
            ".gemini/GEMINI.md": rule("homegemini"),
            ".qwen/QWEN.md": rule("homeqwen"),
            ".config/opencode/AGENTS.md": rule("homeopencode"),
            ".copilot/copilot-instructions.md": rule("homecopilot"),
        },
    ),
    Layout("AGENTS.override.md", {"AGENTS.md": rule("agents"), "AGENTS.override.md": rule("override")}),
    Layout("Gemini's fileName set", {"AGENTS.md": rule("agents"), ".gemini/settings.json": GEMINI_NAMES}),
    Layout("Qwen's fileName set", {"AGENTS.md": rule("agents"), "QWEN.md": rule("qwen"), ".qwen/settings.json": QWEN_NAMES}),
    Layout("CLAUDE.md in the home's folder above", {"AGENTS.md": rule("agents")}, {"CLAUDE.md": rule("above")}),
    Layout("no repository", {"AGENTS.md": rule("agents"), "CLAUDE.md": rule("claude")}, git=False),
    Layout("in a folder below a package", {"CLAUDE.md": rule("claude"), "pkg/AGENTS.md": rule("pkgagents")}, cwd="pkg/src"),
    Layout("a package with 38 kB", {"pkg/AGENTS.md": long("big", 38_000)}, cwd="pkg"),
    Layout("Qwen's fileName is CLAUDE.md", {"AGENTS.md": rule("agents"), "CLAUDE.md": rule("claude"), ".qwen/settings.json": QWEN_CLAUDE}),
    Layout("CONTEXT.md", {"CONTEXT.md": rule("context"), ".qwen/rules/q.md": rule("qrule")}),
    Layout(
        "imports in a circle",
        {
            "CLAUDE.md": rule("claude", "\n@docs/a.md\n"),
            "docs/a.md": rule("a", "\n@b.md\n"),
            "docs/b.md": rule("b", "\n@../CLAUDE.md\n@a.md\n"),
            "GEMINI.md": rule("gemini", "\n@docs/a.md\n"),
        },
    ),
    Layout("links to a file in docs", {"docs/all.md": rule("docs"), "AGENTS.md": Link("docs/all.md"), "CLAUDE.md": Link("docs/all.md")}),
    Layout("CLAUDE.md links to a file to come", {"CLAUDE.md": Link("AGENTS.md")}),
    Layout("empty CLAUDE.md and override", {"CLAUDE.md": "", "AGENTS.override.md": " \n", "AGENTS.md": rule("agents")}),
    Layout("empty and only a comment", {"AGENTS.md": " \n\n", "CLAUDE.md": "<!-- U-hidden-U -->\n", "GEMINI.md": ""}),
)  # fmt: skip


def build(layout: Layout, top: Path) -> Path:
    """Writes a layout below a folder, and returns the project's folder."""
    project = top / PROJECT
    project.mkdir(parents=True)
    write(layout.home, top / "home")
    write(layout.files, project)
    (project / layout.cwd).mkdir(parents=True, exist_ok=True)
    if layout.git:
        for inner in ("objects", "refs"):
            (project / ".git" / inner).mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return project


def write(files: Files, folder: Path) -> None:
    """Writes files and links below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, Link):
            path.symlink_to(text.target)
        else:
            path.write_bytes(text.encode())


NAMES = (
    *("AGENTS.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", "CLAUDE.local.md"),
    *(".claude/CLAUDE.md", ".claude/AGENTS.md", "AGENTS.override.md", "CONTEXT.md"),
    *(".claude/rules/a.md", ".claude/rules/deep/b.md", ".qwen/rules/c.md", ".qwen/QWEN.local.md"),
    *(".github/copilot-instructions.md", ".github/instructions/d.instructions.md"),
)
HOME_NAMES = (
    *(".claude/CLAUDE.md", ".claude/rules/h.md", ".codex/AGENTS.md", ".codex/AGENTS.override.md"),
    *(".gemini/GEMINI.md", ".qwen/QWEN.md", ".qwen/AGENTS.md", ".config/opencode/AGENTS.md"),
    *(".copilot/copilot-instructions.md", "CLAUDE.md", "AGENTS.md"),
)
FOLDERS = ("", "", "pkg", "pkg/app", "pkg/app/deep", "lib", "..")
SETTINGS = {
    ".gemini/settings.json": ('{"context": {"fileName": ["AGENTS.md"]}}', '{"context": {"fileName": "CLAUDE.md"}}'),
    ".qwen/settings.json": ('{"context": {"fileName": ["QWEN.md"]}}', '{"context": {"fileName": ["CLAUDE.md", "AGENTS.md"]}}'),
    ".codex/config.toml": ("project_doc_max_bytes = 700\n", 'project_doc_fallback_filenames = ["CLAUDE.md"]\n', "project_doc_max_bytes = 65536\n"),
    "opencode.json": ('{"instructions": ["CLAUDE.md"]}', '{"instructions": ["docs/*.md"]}'),
    ".claude/settings.json": ('{"claudeMdExcludes": ["**/pkg/CLAUDE.md"]}',),
}  # fmt: skip


class Words:
    """Makes texts with a canary in every line, by a seeded generator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = 0

    def line(self) -> str:
        self.number += 1
        return f"rule U-x{self.number:05d}-U {'of the shop ' * self.random.randint(0, 3)}".rstrip()

    def text(self, importable: list[str]) -> str:
        """A file: lines, comments, lists, front matter, imports, odd ends of lines."""
        pick = self.random
        lines = [self.line() for _ in range(pick.randint(1, 8))]
        odd = (
            lambda: f"<!-- {self.line()} -->",
            lambda: f"text <!-- {self.line()} --> {self.line()}",
            lambda: f"\n<!--\n{self.line()}\n-->\n",
            lambda: f"- {self.line()}\n- {self.line()}",
            lambda: f"```\n{self.line()}\n```",
            lambda: "",
            lambda: f"\n@{pick.choice(importable)}\n" if importable else "",
            lambda: f"see @{pick.choice(importable)} {self.line()}" if importable else "",
            lambda: f"`@{pick.choice(importable)}`" if importable else "",
        )
        for _ in range(pick.randint(0, 4)):
            lines.insert(pick.randint(0, len(lines)), pick.choice(odd)())
        head = f"---\ndescription: {self.line()}\n---\n" if pick.random() < 0.1 else ""
        ends = pick.choice(("\n", "\n", "\n", "", "\n\n\n"))
        text = head + "\n".join(lines) + ends
        return text.replace("\n", "\r\n") if pick.random() < 0.05 else text

    def size(self, size: int) -> str:
        """A file of a size in bytes, with a canary in every line."""
        text = ""
        while len(text) < size:
            text += f"{self.line()} {'é' if self.random.random() < 0.2 else 'e'}{'x' * 60}\n"
        return text.encode()[:size].decode(errors="ignore")


def random_layout(seed: int) -> Layout:
    """Returns a layout with many files in many folders; the same for the same seed."""
    words = Words(seed)
    pick = words.random
    shared = ["docs/one.md", "docs/two.md", "three.md"]
    files: dict[str, str | Link] = {}
    for name in shared:
        files[name] = words.text(["two.md", "../three.md"] if name.startswith("docs/") else ["docs/one.md"])
    for folder in FOLDERS:
        for name in NAMES:
            if pick.random() < 0.22:
                importable = shared if folder == "" and "/" not in name else ["docs/one.md", "nowhere.md"]
                files[f"{folder}/{name}" if folder else name] = words.text(importable)
    for name, values in SETTINGS.items():
        if pick.random() < 0.25:
            files[name] = pick.choice(values)
    _add_limits(files, words)
    _add_links(files, pick)
    home: Files = {name: words.text([]) for name in HOME_NAMES if pick.random() < 0.3}
    cwd = pick.choice(("", "", "pkg", "pkg/app", "pkg/app/deep"))
    return Layout(f"random {seed}", files, home, cwd, git=pick.random() < 0.85)


def _add_limits(files: dict[str, str | Link], words: Words) -> None:
    """Sometimes a chain that is just within, at, or over 32 KiB."""
    if words.random.random() < 0.4:
        size = words.random.choice((32_767, 32_768, 32_769, 40_000, 20_000))
        files["AGENTS.md"] = words.size(size)
        if words.random.random() < 0.5:
            files["pkg/AGENTS.md"] = words.size(words.random.choice((12_768, 12_767, 13_000, 500)))


def _add_links(files: dict[str, str | Link], pick: random.Random) -> None:
    pairs = (
        ("AGENTS.md", "CLAUDE.md"),
        ("CLAUDE.md", "AGENTS.md"),
        ("GEMINI.md", "AGENTS.md"),
        ("QWEN.md", "AGENTS.md"),
    )
    for name, target in pairs:
        if pick.random() < 0.08 and isinstance(files.get(target), str):
            files[name] = Link(target)
