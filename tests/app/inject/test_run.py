"""Inject, from the packs of a project to the files of its tools."""

import json
import os
import stat
from pathlib import Path

import pytest

from modicum.targets.loaders.placement import _Search

pytestmark = pytest.mark.usefixtures("starters")

START, END = "<!-- modicum:start:modicum -->", "<!-- modicum:end:modicum -->"


# Which tools, which scope


def test_only_tools_that_are_found_are_touched(world) -> None:
    (world.home / ".claude").mkdir()
    before = set(world.files())

    assert world.modicum("inject").code == 0
    assert set(world.files()) - before == {"project/CLAUDE.md"}


def test_without_any_tool_there_is_one_line_that_helps(world) -> None:
    said = world.modicum("inject")

    assert said.code == 4
    assert said.err.startswith("modicum: no AI tool was found here (name yours, as in: modicum inject --tool")
    assert said.err.count("\n") == 1


def test_a_file_that_many_tools_read_is_a_sign_of_none(world) -> None:
    world.write("AGENTS.md", "Be kind.\n")

    for words in (["inject"], ["see"], ["init"]):
        said = world.modicum(*words)
        sentence = "AI tool was found here: AGENTS.md is read by many and is a sign of none"
        assert sentence in said.out + said.err


def test_a_tool_that_was_named_once_is_kept_up_to_date(world) -> None:
    world.modicum("inject", "--tool", "warp")
    world.pack("mine", "My own text.")

    assert world.modicum("inject").code == 0
    assert "My own text." in world.read("AGENTS.md")


def test_placing_the_global_pages_of_all_tools_is_little_work(world) -> None:
    judged = []
    judge = _Search._judge
    world.patch.setattr(_Search, "_judge", lambda self, *rest: judged.append(1) or judge(self, *rest))
    said = world.inject("--dry-run", "--global", "--all-tools")

    assert len(said.json["pages"]) > 20
    assert (
        len(judged) < 300
    )  # most tools have a file of their own at home, so that few choices depend on each other


@pytest.mark.parametrize("scope", ["--here", "--global"])
def test_nothing_is_written_outside_the_scope(world, scope: str) -> None:
    world.write("AGENTS.md", "mine\n")
    world.write("~/.codex/AGENTS.md", "mine\n")
    before = world.files()
    world.modicum("inject", "--all-tools", scope)
    changed = {path for path, data in world.files().items() if before.get(path) != data}

    assert changed
    assert all(path.startswith("project/") == (scope == "--here") for path in changed)


def test_a_global_page_is_made_of_what_is_the_users_own(world) -> None:
    world.write("~/.config/modicum/packs/mine/pack.yaml", "id: mine\nname: Mine\n")
    world.write("~/.config/modicum/packs/mine/context.md", "My own text.\n")
    world.pack("secret", "Only for this project.")
    world.write(".modicum/profiles/team.yaml", "id: team\nname: Team\npacks: [{id: secret}]\n")
    world.write(".modicum/config.yaml", "profile: team\nlanguage: de\n")
    world.write(".modicum/notices.yaml", "not: [a notice\n")
    said = world.modicum("inject", "--global", "--tool", "codex")

    assert said.code == 0, said.err
    page = world.read("~/.codex/AGENTS.md")
    assert "My own text." in page
    assert "Only for this project." not in page
    assert "Team" not in page
    assert world.modicum("status", "--global", "--tool", "codex").code == 0
    assert (
        world.modicum("inject", "--tool", "codex", "--exclude", "mine").code == 1
    )  # the notices, told in the project
    assert "Only for this project." in world.read("AGENTS.md")


def test_a_pack_of_the_project_cannot_be_asked_for_globally(world) -> None:
    world.pack("secret", "Only for this project.")
    said = world.modicum("inject", "--global", "--tool", "codex", "--include", "secret")

    assert said.code == 4
    assert '"secret" belongs to this project, and a global page is read in every project' in said.err
    assert "/.config/modicum/packs" in said.err
    assert not world.path("~/.codex/AGENTS.md").exists()

    world.pack("git", "Git only here.")
    assert world.modicum("inject", "--global", "--tool", "codex", "--include", "git").code == 0
    assert "Git only here." not in world.read("~/.codex/AGENTS.md")


def test_a_projects_adapter_decides_nothing_about_the_home_folder(world) -> None:
    target = "targets: [{scope: global, path: ~/.bashrc, mode: append}]\n"
    world.adapter("codex", targets=target)

    assert world.modicum("inject", "--global", "--tool", "codex").code == 0
    assert not world.path("~/.bashrc").exists()


def test_an_export_says_how_it_is_taken_out_and_is_not_forgotten(world) -> None:
    said = world.modicum("inject", "--tool", "chatgpt")
    world.write("CLAUDE.md", "# Mine\n")
    told = "~/modicum-chatgpt-context.md is an export for ChatGPT"

    assert "Undo: modicum uninstall --tool chatgpt." in said.out
    assert told in world.modicum("status").out
    assert [row["tool"] for row in world.modicum("status", "--json").json["exports"]] == ["chatgpt"]
    assert told in world.modicum("uninstall").out
    assert world.path("~/modicum-chatgpt-context.md").exists()

    world.modicum("uninstall", "--tool", "chatgpt")
    assert not world.path("~/modicum-chatgpt-context.md").exists()
    assert told not in world.modicum("status").out


def test_an_export_is_as_long_the_second_time(world) -> None:
    world.modicum("notice", "add", "Deploys are frozen")
    first, second = world.inject("--tool", "chatgpt"), world.inject("--tool", "chatgpt")
    told = "Starter packs: modicum, git, testing and reviews, each in three tiers"  # news, told once

    assert len(first.json["pages"]) == 2
    for one, other in zip(first.json["pages"], second.json["pages"], strict=True):
        shown = ({item["key"] for item in page["items"] if item["fate"] == "shown"} for page in (one, other))
        assert {*next(shown)} - {"news:modicum"} == {*next(shown)} - {"news:modicum"}
        assert "Deploys are frozen" in other["text"]
    assert told not in second.page("chatgpt", "clipboard")["text"]


def test_an_export_is_told_of_where_no_other_tool_is(world) -> None:
    said = world.modicum("inject", "--tool", "chatgpt", "--tool", "codex")
    world.modicum("uninstall")

    assert "Undo: modicum uninstall --tool chatgpt and modicum uninstall." in said.out
    assert "is an export for ChatGPT" in world.modicum("status").out


def test_what_was_injected_globally_is_undone_globally(world) -> None:
    assert "Undo: modicum uninstall --global." in world.modicum("inject", "--global", "--tool", "codex").out


def test_stats_say_what_was_written(world) -> None:
    assert "1 of 1 file changed." in world.modicum("inject", "--stats", "--tool", "codex").out
    assert "Nothing changed." in world.modicum("inject", "--stats", "--tool", "codex").out
    world.modicum("uninstall")
    assert "Nothing was written." in world.modicum("inject", "--stats", "--dry-run", "--tool", "codex").out


def test_explain_tells_of_the_page_to_paste_before_the_file_with_everything(world) -> None:
    said = world.modicum("explain", "--tool", "chatgpt").out

    assert said.startswith("ChatGPT: clipboard")
    assert said.index("ChatGPT: clipboard") < said.index("ChatGPT: ~/modicum-chatgpt-context.md")


def test_a_pack_that_makes_way_says_for_which_pack(world) -> None:
    said = world.modicum("explain", "--tool", "codex").out
    covered = [line for line in said.splitlines() if line.startswith("covered")]

    assert covered
    assert all("The pack git is shown, and reviews makes way for it (overlaps)." in line for line in covered)


def test_claude_code_is_found_by_its_file_in_a_project(world) -> None:
    world.write("CLAUDE.md", "# Mine\n")

    assert world.modicum("inject").code == 0
    assert "modicum" in world.read("CLAUDE.md")


def test_all_tools_of_a_project_leave_exports_alone(world) -> None:
    said = world.inject("--all-tools")

    assert {"chatgpt", "claude-ai", "gemini"} == {row["tool"] for row in said.json["idle"]}
    assert not world.path("~/modicum-chatgpt-context.md").exists()


def test_a_named_export_keeps_to_the_project_if_told_to(world) -> None:
    said = world.modicum("inject", "--here", "--tool", "chatgpt")

    assert said.code == 1
    assert "only when asked for" in said.out
    assert not world.path("~/modicum-chatgpt-context.md").exists()


def test_a_tool_without_a_file_in_the_scope_is_told(world) -> None:
    said = world.modicum("inject", "--tool", "cursor", "--global")

    assert said.code == 1
    assert "Cursor  has no file in your home folder: modicum inject --here" in said.out


def test_it_works_from_any_folder_of_the_project(world) -> None:
    folder = world.project / "src" / "deep"
    folder.mkdir(parents=True)
    world.patch.chdir(folder)
    world.modicum("inject", "--tool", "claude-code")

    assert world.path("CLAUDE.md").exists()
    assert list(folder.iterdir()) == []
    assert world.modicum("status", "--tool", "claude-code").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tool", "claude-cod"), 'there is no tool "claude-cod" (did you mean "claude-code"?)'),
        (("--tool", "xyzzy"), 'there is no tool "xyzzy" (modicum tool list shows them)'),
        (("--profile", "minimall"), 'there is no profile "minimall" (did you mean "minimal"?)'),
        (("--detail", "minimum"), 'there is no detail "minimum" (use summary, standard or full)'),
        (("--include", "gti"), 'there is no pack "gti" (did you mean "git"?)'),
        (("--exclude", "xyzzy"), 'there is no pack "xyzzy" (modicum pack list shows them)'),
    ],
)
def test_what_nobody_knows_is_one_line_with_a_remedy(world, arguments: tuple[str, ...], message: str) -> None:
    (world.home / ".claude").mkdir()
    before = world.files()
    said = world.modicum("inject", *arguments)

    assert (said.code, said.out, said.err) == (2, "", f"modicum: {message}\n")
    assert world.files() == before


# Verbosity


TIERS = "core\n<!-- verbosity:detail -->\nmiddle\n<!-- verbosity:extended -->\nmuch"
TARGET = "targets: [{scope: project, path: X.md, mode: replace-section%s}]\n"


@pytest.mark.parametrize(
    ("flag", "target", "adapter", "expected"),
    [
        ((), "", "", "full"),
        ((), "", "verbosity: standard\n", "standard"),
        ((), ", verbosity: minimal", "verbosity: standard\n", "summary"),
        (("--detail", "full"), ", verbosity: minimal", "verbosity: standard\n", "full"),
        (("--detail", "concise"), "", "", "summary"),
    ],
)
def test_verbosity_is_that_of_the_flag_the_target_the_adapter_or_full(
    world, flag: tuple[str, ...], target: str, adapter: str, expected: str
) -> None:
    world.pack("mine", TIERS)
    world.adapter("x", f"type: file-inject\n{adapter}", TARGET % target)
    page = world.inject("--tool", "x", "--include", "mine", *flag).page("x")
    shown = [word for word in ("core", "middle", "much") if word in page["text"]]

    assert page["detail"] == expected
    assert len(shown) == {"summary": 1, "standard": 2, "full": 3}[expected]


def test_status_takes_the_verbosity_into_account_and_uninstall_ignores_it(world) -> None:
    world.modicum("inject", "--tool", "codex", "--detail", "minimal")

    assert world.modicum("status", "--tool", "codex").code == 1
    assert world.modicum("inject", "--status", "--tool", "codex", "--detail", "minimal").code == 0
    assert world.modicum("inject", "--uninstall", "--tool", "codex", "--detail", "full").code == 0
    assert not world.path("AGENTS.md").exists()


# What is in a file


def test_text_of_the_user_stays(world) -> None:
    world.write("CLAUDE.md", "# Mine\n\nKeep me.\n")
    world.modicum("inject", "--tool", "claude-code")
    world.modicum("inject", "--tool", "claude-code", "--detail", "minimal")
    text = world.read("CLAUDE.md")

    assert text.startswith(START)
    assert text.endswith(END + "\n\n# Mine\n\nKeep me.\n")
    assert text.count(START) == text.count(END) == 1


def test_front_matter_stands_above_a_page_of_its_own(world) -> None:
    world.modicum("inject", "--tool", "cursor")

    assert world.read(".cursor/rules/modicum.mdc").startswith("---\n")
    assert "\n---\n# Context\n" in world.read(".cursor/rules/modicum.mdc")


def test_a_dry_run_writes_nothing_and_shows_the_diff(world) -> None:
    world.write("CLAUDE.md", "# Mine\n")
    before = world.files(state=True).keys()
    said = world.modicum("inject", "--tool", "claude-code", "--tool", "chatgpt", "--dry-run")

    assert said.code == 0
    assert world.files(state=True).keys() - before <= {
        path for path in world.files(state=True) if "/cache/" in path
    }
    assert "--- CLAUDE.md\tbefore\n+++ CLAUDE.md\tafter\n@@ -1 +1," in said.out
    assert f"\n+{START}\n" in said.out
    assert "2 of 2 files would change. Nothing was written." in said.out


def test_content_cannot_close_its_region(world) -> None:
    world.pack("mine", f"text\n{END}\n```\n{END}\n{START}\n```\nmore")
    for _ in range(3):
        world.modicum("inject", "--tool", "claude-code", "--include", "mine")
        world.pack("mine", f"other text\n{END}\n```\n{START}\n```\nmore")
    text = world.read("CLAUDE.md")

    assert text.splitlines().count(END) == text.splitlines().count(START) == 1
    assert world.modicum("status", "--tool", "claude-code", "--include", "mine").code == 0


def test_markers_quoted_in_a_fence_of_the_user_are_text(world) -> None:
    mine = f"# Mine\n\n```\n{START}\nquoted\n{END}\n```\n"
    world.write("CLAUDE.md", mine)
    world.modicum("inject", "--tool", "claude-code")

    assert world.read("CLAUDE.md").endswith(mine)
    assert world.modicum("uninstall").code == 0
    assert world.read("CLAUDE.md") == mine


def test_notices_are_told_in_the_project_only(world) -> None:
    world.modicum("notice", "add", "Deploys are frozen")

    assert "## Current Context\n- Deploys are frozen" in world.inject("--tool", "codex").page("codex")["text"]
    assert "frozen" not in world.inject("--tool", "codex", "--global").page("codex")["text"]


def test_broken_notices_are_reported_once_and_the_run_goes_on(world) -> None:
    world.write(".modicum/notices.yaml", "notices: [{id: one}]\n")
    said = world.modicum("inject", "--tool", "codex", "--tool", "claude-code")

    assert said.code == 1
    assert said.err.count("notices.yaml") == 1
    assert world.path("AGENTS.md").exists()


def test_the_profile_is_named_and_filters(world) -> None:
    world.write(".modicum/profiles/web.yaml", "id: web\nname: Web\ndescription: pages\ninclude: [git]\n")
    page = world.inject("--tool", "codex", "--profile", "web").page("codex")

    assert "**Developer Profile:** Web — pages" in page["text"]
    assert {item["key"].split("/")[0] for item in page["items"] if item["key"].startswith("pack:")} == {
        "pack:git"
    }


def test_packs_are_chosen_by_hand(world) -> None:
    only = world.inject("--tool", "codex", "--include", "git").page("codex")
    without = world.inject("--tool", "codex", "--exclude", "git").page("codex")

    assert "pack:testing/constraints" not in {item["key"] for item in only["items"]}
    assert "pack:git/commits" not in {item["key"] for item in without["items"]}


# What's new


def news(world, *arguments: str) -> list[str]:
    text = world.inject(*arguments, "--include", "mine").json["pages"][0]["text"]
    return [line for line in text.splitlines() if line.startswith("- ")]


def test_news_are_told_once_to_each_tool(world) -> None:
    world.pack("mine", "text", header="changelog: [first]\n")

    assert news(world, "--tool", "codex") == ["- first"]
    assert news(world, "--tool", "codex") == ["- first"]
    assert world.modicum("status", "--tool", "codex", "--include", "mine").code == 0
    world.pack("mine", "other text", header="changelog: [first]\n")
    assert news(world, "--tool", "codex") == []
    assert news(world, "--tool", "claude-code") == ["- first"]
    world.pack("mine", "other text", header="changelog: [first, second]\n")
    assert news(world, "--tool", "codex") == ["- second"]
    assert world.modicum("status", "--tool", "codex", "--include", "mine").code == 0


def test_news_that_had_no_room_are_told_later(world) -> None:
    world.pack("mine", "text " * 20, header="changelog: [something happened]\n")
    world.adapter("x", "type: file-inject\nmax_chars: 165\n", TARGET % "")
    assert news(world, "--tool", "x") == []
    world.adapter("x", "type: file-inject\nmax_chars: 1000\n", TARGET % "")

    assert news(world, "--tool", "x") == ["- something happened"]


def test_a_file_that_a_colleague_wrote_is_current_with_or_without_news(world) -> None:
    world.pack("mine", "text", header="changelog: [first]\n")
    world.modicum("inject", "--tool", "codex", "--include", "mine")
    world.pack("mine", "other text", header="changelog: [first]\n")
    world.modicum("inject", "--tool", "codex", "--include", "mine")
    world.patch.setenv("XDG_DATA_HOME", str(world.home / "elsewhere"))

    assert world.modicum("inject", "--check", "--tool", "codex", "--include", "mine").code == 0


# Shared files


def test_tools_that_share_a_file_share_the_tightest_limits(world) -> None:
    world.adapter("tight", "type: file-inject\nmax_chars: 900\n", TARGET.replace("X.md", "AGENTS.md") % "")
    said = world.inject("--tool", "codex", "--tool", "tight")

    assert said.page("codex")["text"] == said.page("tight")["text"]
    assert len(said.page("codex")["text"]) <= 900
    assert world.inject("--tool", "codex").page("codex")["changed"] is False
    assert world.modicum("status", "--tool", "codex").code == 0


def test_a_tool_that_reads_a_filled_file_gets_no_second_copy(world) -> None:
    said = world.inject("--tool", "codex", "--tool", "cursor")

    assert said.page("cursor")["path"] == said.page("codex")["path"]
    assert not world.path(".cursor").exists()
    assert "AGENTS.md" in world.modicum("status", "--tool", "cursor").out


def test_a_second_copy_from_before_is_taken_out(world) -> None:
    world.modicum("inject", "--tool", "cursor")
    world.modicum("inject", "--tool", "cursor", "--tool", "codex")

    assert not world.path(".cursor").exists()


def test_two_tools_that_read_each_others_files_do_not_both_go_empty(world) -> None:
    for name in ("a", "b"):
        path = TARGET.replace("X.md", f"{name.upper()}.md") % ""
        reads = "{source: x, rules: [{folders: root, files: [A.md, B.md]}]}"
        world.adapter(name, f"type: file-inject\nreads: {reads}\n", path)
    said = world.inject("--tool", "a", "--tool", "b")

    assert len({page["path"] for page in said.json["pages"]}) == 1
    assert world.path("A.md").exists() != world.path("B.md").exists()


def test_a_link_from_one_file_to_another_is_one_file(world) -> None:
    world.write("AGENTS.md", "mine\n")
    world.path("CLAUDE.md").symlink_to("AGENTS.md")
    world.modicum("inject", "--tool", "claude-code", "--tool", "codex")
    once = world.read("AGENTS.md")
    world.modicum("inject", "--tool", "claude-code", "--tool", "codex")

    assert once.count(START) == 1
    assert world.read("AGENTS.md") == once
    assert world.path("CLAUDE.md").is_symlink()
    assert world.modicum("status").code == 0


def test_a_link_that_leads_out_of_the_project_is_refused_and_the_others_proceed(world) -> None:
    outside = world.write("~/elsewhere.md", "mine\n")
    world.path("AGENTS.md").symlink_to(outside)
    said = world.modicum("inject", "--tool", "codex", "--tool", "claude-code")

    assert said.code == 1
    assert "outside of" in said.err
    assert outside.read_text() == "mine\n"
    assert world.path("CLAUDE.md").exists()


# Conditional files


def test_packs_with_globs_have_files_of_their_own(world) -> None:
    world.pack("web", "## Web\n\ntext", header="globs: ['*.ts', '*.{css,scss}']\n")
    world.modicum("inject", "--tool", "cursor")
    rule = world.read(".cursor/rules/modicum-web.mdc")

    assert "globs: *.ts,*.css,*.scss\n" in rule
    assert "---\n## Web\n\ntext\n" in rule
    assert "## Web" not in world.read(".cursor/rules/modicum.mdc")
    assert "(Applies to `*.ts`, `*.{css,scss}`.)" in world.inject("--tool", "codex").page("codex")["text"]


def test_conditional_names_that_look_alike_lose_nothing(world) -> None:
    sections = [("A!", "*.a"), ("A?", "*.b"), ("x" * 100, "*.c"), ("x" * 99, "*.d")]
    text = "\n\n".join(f"## {title}\n<!-- globs: {glob} -->\n\nfor {glob}" for title, glob in sections)
    world.pack("p", text)
    world.modicum("inject", "--tool", "cursor", "--include", "p")
    rules = [path.read_text() for path in (world.project / ".cursor/rules").glob("modicum-*.mdc")]

    assert len(rules) == len(sections)
    assert all(sum(f"for {glob}" in rule for rule in rules) == 1 for _, glob in sections)
    assert world.modicum("status", "--tool", "cursor", "--include", "p").code == 0


def test_a_conditional_file_goes_when_its_section_does(world) -> None:
    world.pack("web", "text", header="globs: ['*.ts']\n")
    world.modicum("inject", "--tool", "cursor")
    world.pack("web", "text")
    stale = world.modicum("status", "--tool", "cursor")
    world.modicum("inject", "--tool", "cursor")

    assert stale.code == 1
    assert "no longer needed" in stale.out
    assert not world.path(".cursor/rules/modicum-web.mdc").exists()
    assert world.modicum("status", "--tool", "cursor").code == 0


# Exports


def test_an_export_has_a_file_in_full_and_a_text_within_the_limit(world) -> None:
    said = world.inject("--tool", "chatgpt")
    file, clipboard = said.page("chatgpt", ".md"), said.page("chatgpt", "clipboard")

    assert file["limit"] is None
    assert (file["detail"], file["format"], file["omitted"]) == ("full", "markdown", 0)
    assert world.read("~/modicum-chatgpt-context.md") == file["text"]
    assert (clipboard["limit"], clipboard["unit"], clipboard["format"]) == (1400, "bytes", "plain-prose")
    assert len(clipboard["text"].encode()) == clipboard["used"] <= 1400
    assert clipboard["text"].endswith("attach ~/modicum-chatgpt-context.md.")
    assert "attach" not in file["text"]


def test_without_a_clipboard_the_text_is_printed(world) -> None:
    world.rule()
    said = world.modicum("inject", "--tool", "claude-ai")

    assert said.code == 0
    assert "There is no clipboard here, so copy the text below.\n\n## Constraints" in said.out


def test_the_clipboard_is_used_for_the_tool_that_is_named(world) -> None:
    program = world.write("~/bin/pbcopy", "#!/bin/sh\ncat > ~/clipboard\n")
    program.chmod(0o755)
    world.patch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    said = world.inject("--tool", "chatgpt")
    world.path("~/clipboard").unlink()
    again = world.modicum("inject", "--global", "--all-tools")

    assert any("are on the clipboard" in sentence for sentence in said.json["warnings"])
    assert again.code == 0
    assert not world.path("~/clipboard").exists()


def clipboard_of(world) -> None:
    program = world.write("~/bin/pbcopy", "#!/bin/sh\ncat > ~/clipboard\n")
    program.chmod(0o755)
    world.patch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def test_news_are_on_the_clipboard_until_they_were_copied_once(world) -> None:
    world.pack("shop", "## Shop\n\nText.\n", header="changelog: [Prices are in cents now]\n")
    arguments = ("--tool", "claude-ai", *world.only("shop"))
    seen = [world.inject("--dry-run", *arguments), world.inject(*arguments)]
    clipboard_of(world)
    copied = [world.inject(*arguments), world.inject(*arguments), world.inject("--dry-run", *arguments)]
    world.modicum("uninstall", "--tool", "claude-ai")
    anew = world.inject("--dry-run", *arguments)

    told = ["Prices are in cents now" in said.page("claude-ai")["text"] for said in (*seen, *copied, anew)]
    assert told == [True, True, True, False, False, True]


def test_an_unreadable_list_of_what_was_given_is_as_good_as_none(world) -> None:
    clipboard_of(world)
    world.pack("shop", "## Shop\n\nText.\n", header="changelog: [Prices are in cents now]\n")
    world.write("~/.local/share/modicum/state/given/claude-ai.json", "{broken")
    arguments = ("--tool", "claude-ai", *world.only("shop"))
    told = ["Prices" in world.inject(*arguments).page("claude-ai")["text"] for _ in range(2)]

    assert told == [True, False]


# Limits


def test_the_tool_whose_limit_shortens_a_shared_file_is_named(world) -> None:
    world.adapter(
        "tight", "type: file-inject\nname: Tight\nmax_chars: 900\n", TARGET.replace("X.md", "AGENTS.md") % ""
    )
    world.pack("shop", "## Shop\n\n" + "".join(f"### S{n}\n\n{'word ' * 40}\n\n" for n in range(9)))
    arguments = ("--tool", "codex", "--tool", "tight", *world.only("shop"))
    said = world.inject("--dry-run", *arguments)

    assert [page["limit_of"] for page in said.json["pages"]] == ["Tight", "Tight"]
    assert "of the 900 characters that Tight has room for" in world.modicum("explain", *arguments).out
    assert "  cut for the limit of Tight:" in world.modicum("inject", "--stats", *arguments).out
    alone = world.inject("--dry-run", "--tool", "claude-code", *world.only("shop"))
    assert alone.page("claude-code")["limit_of"] is None


def test_a_variable_that_is_not_set_here_leaves_the_tool_alone(world) -> None:
    target = (TARGET % "").replace("X.md", "'%APPDATA%/x.md'").replace("scope: project", "scope: global")
    world.adapter("winner", "type: file-inject\nname: Winner\n", target, layer="~/.config/modicum")
    said = world.modicum("inject", "--global", "--tool", "winner")

    assert "a variable in its path is not set here: %APPDATA%/x.md" in said.out
    assert not any("APPDATA" in path for path in world.files())


def test_a_limit_that_holds_nothing_is_told_and_the_run_goes_on(world) -> None:
    world.adapter("codex", "max_chars: 60\n")
    said = world.modicum("inject", "--tool", "codex", "--tool", "claude-code")

    assert said.code == 1
    assert "nothing fits into the limit of Codex (AGENTS.md): raise it, or ask for less detail" in said.err
    assert not world.path("AGENTS.md").exists()
    assert world.path("CLAUDE.md").exists()
    assert "too small" in world.modicum("inject", "--stats", "--tool", "codex").out


@pytest.mark.parametrize(("when_empty", "kept"), [("remove", False), ("keep", True)])
def test_an_old_page_goes_or_stays_as_the_adapter_says(world, when_empty: str, kept: bool) -> None:
    world.write("AGENTS.md", "mine\n")
    world.modicum("inject", "--tool", "codex")
    world.adapter("codex", f"max_chars: 60\nwhen_empty: {when_empty}\n")
    world.modicum("inject", "--tool", "codex")

    assert (START in world.read("AGENTS.md")) == kept
    assert world.read("AGENTS.md").endswith("mine\n")


def test_a_page_takes_what_is_left_beside_the_text_of_the_user(world) -> None:
    world.write("AGENTS.md", "x" * 30_000 + "\n")
    said = world.inject("--tool", "codex")

    assert said.page("codex")["limit"] == 32_768 - 30_001
    assert 30_000 < len(world.read("AGENTS.md")) <= 32_768


def test_a_preamble_that_does_not_fit_is_told(world) -> None:
    world.pack("base", "text", header="base: true\n", preamble="word " * 100)
    world.adapter("codex", "max_chars: 300\n")

    assert (
        "pack:base/preamble does not fit"
        in world.modicum("inject", "--tool", "codex", "--include", "base").err
    )


def test_whole_packs_are_kept_or_trimmed(world) -> None:
    world.pack("big", "b" * 500, header="weight: 3\n")
    world.pack("small", "s" * 200, header="weight: 2\n")
    world.adapter("x", "type: file-inject\nfit: whole\nmax_chars: 640\n", TARGET % "")
    flags = ("--tool", "x", "--include", "big", "--include", "small")

    assert world.inject(*flags).page("x")["status"] == "OK (1 pack left out)"
    assert "OK (1 pack left out)" in world.modicum("inject", "--stats", *flags).out


def test_whole_packs_keep_profile_and_base_text_and_share_one_heading_of_constraints(world) -> None:
    world.pack("base", "Base text.", "1. Never b.", "base: true\nweight: 1\n", preamble="Be kind.")
    world.pack("one", "One.", "1. Never o.", "weight: 9\n")
    world.pack("two", "Two.", "1. Never t.", "weight: 8\n")
    world.pack("long", "word " * 200, "1. Never l.", "weight: 7\n")
    world.write(".modicum/profiles/dev.yaml", "id: dev\nname: Dev\npacks: [base, one, two, long]\n")
    world.adapter("x", "type: file-inject\nfit: whole\nmax_bytes: 900\n", TARGET % "")
    flags = ("--profile", "dev", *world.only("base", "one", "two", "long"))
    text = world.inject("--tool", "x", *flags).page("x")["text"]

    order = (
        "Dev",
        "Be kind.",
        "## Constraints",
        "Never b.",
        "Never o.",
        "Never t.",
        "Base text.",
        "One.",
        "Two.",
    )
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert text.count("## Constraints") == 1
    assert "Never l." not in text
    assert "Left out for lack of room: parts of long." in text
    assert len(text.encode()) <= 900


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("limit", [200, 250, 400, 700, 1000])
def test_an_imported_file_and_the_region_that_imports_it_share_the_limit(world, limit: int, end: str) -> None:
    target = "targets: [{scope: project, path: X.md, mode: import, import_path: docs/context.md}]\n"
    world.adapter("mine", f"name: Mine\ntype: file-inject\nmax_bytes: {limit}\n{target}")
    for number in range(30):
        world.pack(f"p{number}", f"## P{number}\n\nA sentence of pack {number}.\n")
    mine = f"# Mine{end}"
    world.write("X.md", mine)

    assert world.modicum("inject", "--tool", "mine").code == 0
    read_by_the_tool = world.path("X.md").read_bytes() + world.path("docs/context.md").read_bytes()
    ours = len(read_by_the_tool) - len(mine + end)  # beside what is the user's
    assert 0 < ours <= limit
    if limit >= 400:  # below, there is room for one block and not for the closing line
        # Between four and five times the width of the closing line a larger limit shows the same.
        assert ours > limit - (190 if limit == 700 else 90)


def test_an_import_is_one_line_and_a_file(world) -> None:
    target = "targets: [{scope: project, path: X.md, mode: import, import_path: docs/context.md}]\n"
    world.adapter("x", "type: file-inject\n", target)
    world.modicum("inject", "--tool", "x")

    assert world.read("X.md") == f"{START}\n@docs/context.md\n{END}\n"
    assert world.read("docs/context.md").startswith("# Context")
    world.adapter("x", "type: file-inject\nmax_chars: 10\n", target)
    world.modicum("inject", "--tool", "x")
    assert not world.path("X.md").exists()
    assert not world.path("docs").exists()


def test_appended_text_comes_and_goes(world) -> None:
    world.adapter("x", "type: file-inject\n", TARGET.replace("replace-section", "append") % "")
    world.write("X.md", "mine")
    world.modicum("inject", "--tool", "x", "--detail", "minimal")
    world.modicum("inject", "--tool", "x")

    assert world.read("X.md").count("# Context") == 1
    assert world.modicum("status", "--tool", "x").code == 0
    world.modicum("uninstall")
    assert world.read("X.md") == "mine"


# Troubles


def test_one_broken_pack_and_one_broken_adapter_are_reported_and_the_rest_proceeds(world) -> None:
    world.pack("good", "Good text.")
    world.pack("bad", "Bad text.", header="tags: [x\n")
    world.adapter("codex", "verbosty: full\n")
    said = world.modicum("inject", "--tool", "claude-code")

    assert said.code == 1
    assert "packs/bad/pack.yaml:2: not YAML" in said.err
    assert 'unknown key "verbosty" (did you mean "verbosity"?)' in said.err
    assert "Good text." in world.read("CLAUDE.md")
    assert "Bad text." not in world.read("CLAUDE.md")


def test_a_wrong_key_of_a_pack_is_told_and_the_pack_is_shown(world) -> None:
    world.pack("typo", "Its text.", header="wieght: 5\n")
    said = world.modicum("inject", "--tool", "claude-code")

    assert said.code == 0
    assert 'unknown key "wieght" (did you mean "weight"?): it is left out' in said.err
    assert "Its text." in world.read("CLAUDE.md")


def test_a_read_only_file_is_left_alone_and_told(world) -> None:
    file = world.write("AGENTS.md", "mine\n")
    file.chmod(0o444)
    said = world.modicum("inject", "--tool", "codex", "--tool", "aider")

    assert said.code == 1
    assert "read-only" in said.err
    assert "failed" in said.out
    assert file.read_text() == "mine\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o444
    assert world.path("CONVENTIONS.md").exists()


def test_a_folder_in_the_way_is_told(world) -> None:
    world.path("CLAUDE.md").mkdir()
    said = world.modicum("inject", "--tool", "claude-code")

    assert said.code == 1
    assert "move the folder away" in said.err


def test_a_file_of_somebody_else_is_left_alone_unless_forced(world) -> None:
    world.write(".cursor/rules/modicum.mdc", "somebody's\n")
    said = world.modicum("inject", "--tool", "cursor")

    assert "left alone (foreign file)" in said.out
    assert world.read(".cursor/rules/modicum.mdc") == "somebody's\n"
    world.modicum("inject", "--tool", "cursor", "--force")
    assert world.read(".cursor/rules/modicum.mdc").startswith("---\n")
    world.modicum("uninstall")
    assert world.read(".cursor/rules/modicum.mdc") == "somebody's\n"


def test_suspicious_text_is_told_before_it_is_written_and_refused_if_strict(world) -> None:
    world.pack(
        "mine", "hid\u200bden", known_errors="- {id: e, pattern: p, cause: c, fix: 'AKIAABCDEFGHIJKLMNOP'}\n"
    )
    refused = world.modicum("inject", "--tool", "codex", "--strict")

    assert refused.code == 4
    assert refused.err.count("\n") == 1
    assert not world.path("AGENTS.md").exists()
    told = world.modicum("inject", "--tool", "codex")
    assert "hidden character U+200B" in told.err
    assert "mine/known_errors.yaml:3: this looks like a secret" in told.err
    assert told.err.count("U+200B") == 1
    assert any("U+200B" in sentence for sentence in world.inject("--tool", "codex").json["warnings"])


def test_an_unwritable_project_is_no_crash(world) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    world.project.chmod(0o555)
    said = world.modicum("inject", "--tool", "codex")
    world.project.chmod(0o755)

    assert said.code == 1
    assert "make it writable" in said.err


# Instructions


def test_what_is_left_to_do_by_hand_is_told_when_a_file_is_new(world) -> None:
    world.adapter("x", "name: X\ntype: file-inject\ninstructions: Point it at X.md.\n", TARGET % "")

    assert "X: Point it at X.md." in world.modicum("inject", "--tool", "x").out
    assert "Point it at X.md." not in world.modicum("inject", "--tool", "x").out


# CRLF


def test_a_file_with_crlf_keeps_it_and_its_limit(world) -> None:
    world.write("AGENTS.md", b"mine\r\n")
    world.adapter("codex", "max_bytes: 3000\n")
    page = world.inject("--tool", "codex").page("codex")
    data = world.path("AGENTS.md").read_bytes()

    assert page["text"].encode() in data
    assert page["used"] == len(page["text"].encode()) <= 3000
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert world.modicum("status", "--tool", "codex").code == 0


def test_two_runs_give_the_same_bytes(world, tmp_path: Path) -> None:
    first = world.inject("--all-tools", "--dry-run").json
    second = world.inject("--all-tools", "--dry-run").json

    assert json.dumps(first) == json.dumps(second)


@pytest.mark.parametrize(
    ("file", "flags", "kind"),
    [
        (".modicum/packs/bad/pack.yaml", ("--include", "bad"), "pack"),
        (".modicum/adapters/bad.yaml", ("--tool", "bad"), "tool"),
        (".modicum/profiles/bad.yaml", ("--profile", "bad"), "profile"),
    ],
)
def test_a_name_that_could_not_be_read_is_told_why(
    world, file: str, flags: tuple[str, ...], kind: str
) -> None:
    world.write(file, "idd: bad\n")
    said = world.modicum("inject", "--tool", "codex", *flags)

    assert said.err.startswith(f'modicum: there is no {kind} "bad" (it could not be read: ')
    assert 'unknown key "idd" (did you mean "id"?)' in said.err
    assert said.err.count("\n") == 1
