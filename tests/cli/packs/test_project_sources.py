"""Sources that a project names: locked in its repository, fetched only from where the user has agreed to."""

import json
import os
import pty
import subprocess
import sys

import pytest

from repositories import commit_all, fresh_home, git, packs_repository

ASK = "Fetch them, now and later? [y/N]"


@pytest.fixture
def shared(git_world):
    """A project that serves Codex, with a repository of packs beside it, at the tag v1, which is its source `packs`."""
    packs_repository(git_world.home / "packs", tag="v1")
    git_world.write(".modicum/config.yaml", "# ours\ntools: [codex]\n")
    git_world.modicum("source", "add", address(git_world), "--ref", "v1", "--here")
    return git_world


def address(world) -> str:
    return (world.home.parent / "home" / "packs").as_uri()


def lock(world) -> list[dict[str, str]]:
    return json.loads(world.read(".modicum/sources.lock.json"))["sources"]


def agree(world) -> None:
    world.patch.setenv("MODICUM_AGREED_SOURCES", f"https://example.com/x.git {address(world)}")


def on_a_terminal(world, answer: str, *words: str) -> tuple[int, str]:
    """Runs modicum on a real terminal, where somebody types an answer; returns the exit code and what is shown."""
    ours, theirs = pty.openpty()
    program = [sys.executable, "-m", "modicum.cli.main", *words]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        program, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, cwd=world.project
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(), said.decode()


def test_a_source_of_the_project_is_named_in_its_config_and_locked_beside_it(shared) -> None:
    commit = git(shared.home / "packs", "rev-parse", "v1")

    assert shared.read(".modicum/config.yaml") == (
        f'# ours\ntools: [codex]\nsources:\n  packs:\n    location: "{address(shared)}"\n    ref: v1\n'
    )
    assert lock(shared) == [{"name": "packs", "location": address(shared), "ref": "v1", "commit": commit}]
    assert shared.modicum("source", "list", "--json").json["sources"] == [
        {"name": "packs", "location": address(shared), "ref": "v1", "commit": commit, "of": "project"}
    ]
    assert shared.modicum("inject").code == 0
    assert "Never round twice." in shared.read("AGENTS.md")


def test_nothing_is_fetched_before_the_user_has_agreed(shared) -> None:
    commit_all(shared.project)
    fresh_home(shared)

    said = shared.modicum("inject")

    assert said.code == 4
    assert said.err == (
        f"modicum: this project takes packs from {address(shared)}, and you have not agreed to that "
        f"(agree once: modicum source agree {address(shared)}; in CI: MODICUM_AGREED_SOURCES={address(shared)})\n"
    )
    assert not shared.path("AGENTS.md").exists()
    assert not shared.path("~/.local/share/modicum/project-sources").exists()
    for words in (("status",), ("explain",), ("inject", "--check"), ("inject", "--json")):
        assert shared.modicum(*words).code == 4
    assert shared.modicum("source", "update").out.startswith("packs: this project takes packs from")


def test_who_has_agreed_once_is_not_asked_again(shared) -> None:
    commit_all(shared.project)
    fresh_home(shared)

    assert shared.modicum("source", "agree", address(shared)).code == 0
    assert shared.modicum("inject").code == 0
    assert shared.modicum("inject", "--check").code == 0
    assert shared.read("~/.config/modicum/config.yaml") == f'agreed_sources:\n  - "{address(shared)}"\n'


def test_on_a_terminal_the_user_is_asked_once(shared) -> None:
    commit_all(shared.project)
    fresh_home(shared)

    refused, no = on_a_terminal(shared, "\n", "inject")
    taken, yes = on_a_terminal(shared, "y\n", "inject")
    again, silent = on_a_terminal(shared, "", "inject", "--check")

    assert (refused, taken, again) == (4, 0, 0)
    assert ASK in no
    assert "you have not agreed" in no
    assert ASK in yes
    assert address(shared) in yes
    assert ASK not in silent
    assert "Never round twice." in shared.read("AGENTS.md")


def test_agreement_is_about_one_address(shared) -> None:
    other = shared.home / "other"
    packs_repository(other, "Round twice.\n", tag="v1")
    text = shared.read(".modicum/config.yaml").replace(address(shared), other.as_uri())
    shared.write(".modicum/config.yaml", text)
    shared.modicum("inject", "--tool", "codex")

    said = shared.modicum("inject")

    assert said.code == 4
    assert f"takes packs from {other.as_uri()}, and you have not agreed" in said.err


def test_a_source_that_the_user_has_installed_needs_no_further_agreement(shared) -> None:
    commit_all(shared.project)
    fresh_home(shared)
    shared.modicum("source", "add", address(shared), "--name", "mine")

    assert shared.modicum("inject").code == 0


def test_a_project_cannot_agree_for_its_users(shared) -> None:
    shared.write(".modicum/config.yaml", f"agreed_sources: [{address(shared)}]\n")

    said = shared.modicum("inject")

    assert said.code == 4
    assert 'a project may not set "agreed_sources"' in said.err
    assert "MODICUM_AGREED_SOURCES" in said.err


def test_without_the_network_a_copy_is_enough(shared) -> None:
    shared.modicum("inject")
    (shared.home / "packs").rename(shared.home / "away")

    assert shared.modicum("inject", "--check").code == 0
    assert shared.modicum("source", "update", "packs").code == 4
    assert shared.modicum("inject", "--check").code == 0


def test_without_the_network_and_without_a_copy_nothing_is_written(shared) -> None:
    commit_all(shared.project)
    agree(shared)
    fresh_home(shared)
    (shared.home.parent / "home" / "packs").rename(shared.home / "away")

    said = shared.modicum("inject")

    assert said.code == 4
    assert "git fetch failed" in said.err
    assert not shared.path("AGENTS.md").exists()


def test_the_lock_decides_until_somebody_moves_it(shared) -> None:
    packs = shared.home / "packs"
    shared.modicum("source", "update", "packs", "--ref", "main")
    old = lock(shared)[0]["commit"]
    new = packs_repository(packs, "Never round at all.\n")
    commit_all(shared.project)
    agree(shared)
    fresh_home(shared)

    shared.modicum("inject")
    kept = shared.read("AGENTS.md")
    said = shared.modicum("source", "update")
    shared.modicum("inject")

    assert "Never round twice." in kept
    assert said.err == f"modicum: the branch main moved from {old[:12]} to {new[:12]}\n"
    assert lock(shared)[0]["commit"] == new
    assert "Never round at all." in shared.read("AGENTS.md")


def test_a_pin_is_moved_by_its_ref(shared) -> None:
    new = packs_repository(shared.home / "packs", "Never round at all.\n", tag="v2")

    said = shared.modicum("source", "update", "packs", "--ref", "v2")

    assert said.code == 0
    assert "    ref: v2\n" in shared.read(".modicum/config.yaml")
    assert (lock(shared)[0]["ref"], lock(shared)[0]["commit"]) == ("v2", new)
    assert shared.modicum("inject").code == 0
    assert "Never round at all." in shared.read("AGENTS.md")


def test_a_pin_does_not_move_to_a_ref_that_is_not_there(shared) -> None:
    before = (shared.read(".modicum/config.yaml"), lock(shared))

    said = shared.modicum("source", "update", "packs", "--ref", "v9")

    assert said.code == 4
    assert (shared.read(".modicum/config.yaml"), lock(shared)) == before
    assert shared.modicum("source", "update", "--ref", "v9").code == 2
    assert shared.modicum("source", "update", "pack", "--ref", "v1").err == (
        'modicum: there is no source "pack" (did you mean "packs"?)\n'
    )


def test_a_ref_of_ones_own_source_moves_too(git_world) -> None:
    packs_repository(git_world.home / "packs", tag="v1")
    packs_repository(git_world.home / "packs", "Never round at all.\n", tag="v2")
    git_world.modicum("source", "add", address(git_world), "--ref", "v1")

    assert git_world.modicum("source", "update", "packs", "--ref", "v2").code == 0
    (row,) = git_world.modicum("source", "list", "--json").json["sources"]
    assert (row["ref"], row["of"]) == ("v2", "you")
    assert row["commit"] == git(git_world.home / "packs", "rev-parse", "v2")


def test_a_ref_is_for_a_repository(git_world) -> None:
    packs_repository(git_world.home / "packs")
    git_world.modicum("source", "add", str(git_world.home / "packs"))

    said = git_world.modicum("source", "update", "packs", "--ref", "v2")

    assert said.err.startswith('modicum: "packs" is a folder, which has no ref')


def test_a_moved_tag_is_told_and_the_lock_is_kept(shared) -> None:
    old = lock(shared)[0]["commit"]
    new = packs_repository(shared.home / "packs", "Round as you like.\n", tag="v1")
    commit_all(shared.project)
    agree(shared)
    fresh_home(shared)

    said = shared.modicum("inject")
    kept = shared.read("AGENTS.md")
    moved = shared.modicum("source", "update", "packs")

    assert said.code == 0
    assert f"packs: the tag v1 names {new[:12]} now; the lock keeps {old[:12]}" in said.err
    assert "Never round twice." in kept
    assert moved.err == f"modicum: the tag v1 moved from {old[:12]} to {new[:12]}\n"


def test_a_commit_that_is_gone_since_its_tag_was_moved_is_told(shared) -> None:
    packs, old = shared.home / "packs", lock(shared)[0]["commit"]
    git(packs, "checkout", "--quiet", "--orphan", "other")
    new = packs_repository(packs, "Round as you like.\n", tag="v1")
    git(packs, "branch", "--quiet", "-D", "main")
    git(packs, "reflog", "expire", "--expire=now", "--all")
    git(packs, "gc", "--quiet", "--prune=now")
    commit_all(shared.project)
    agree(shared)
    fresh_home(shared)

    said = shared.modicum("inject")

    assert said.code == 4
    assert f"was moved to {new[:12]}, and {old[:12]} is gone" in said.err
    assert "modicum source update packs" in said.err


def test_two_projects_may_use_one_name_for_different_sources(shared) -> None:
    other = shared.home / "elsewhere" / "packs"
    packs_repository(other, "Round as you like.\n")
    shared.modicum("inject")
    second = shared.home / "second"
    second.mkdir()
    commit_all(second)
    shared.patch.chdir(second)
    shared.modicum("init")
    (second / ".modicum" / "config.yaml").write_text("tools: [codex]\n")
    shared.modicum("source", "add", other.as_uri(), "--here")
    shared.modicum("inject")

    assert "Round as you like." in (second / "AGENTS.md").read_text()
    shared.patch.chdir(shared.project)
    assert shared.modicum("inject", "--check").code == 0
    assert "Never round twice." in shared.read("AGENTS.md")


def test_a_lock_that_lags_behind_the_config_is_told(shared) -> None:
    shared.write(".modicum/config.yaml", shared.read(".modicum/config.yaml").replace("ref: v1", "ref: v2"))

    said = shared.modicum("inject")

    assert said.err == (
        'modicum: sources.lock.json has no commit for the source "packs" at v2 '
        "(write it: modicum source update packs)\n"
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"sources": [{"name": "packs"}]}', '{"sources": 3}', "\x00", "[" * 100_000],
)
def test_a_lock_that_cannot_be_understood_is_named(shared, text: str) -> None:
    shared.write(".modicum/sources.lock.json", text)

    said = shared.modicum("inject")

    assert said.code == 4
    assert (
        "sources.lock.json cannot be understood (restore it, or remove it and run: modicum source update)"
        in said.err
    )
    assert shared.modicum("pack", "list").code in (0, 1)  # goes on with what there is


@pytest.mark.parametrize("commit", ["../../../../etc", "HEAD", "abc", "--help", "0" * 41])
def test_a_lock_cannot_lead_out_of_the_copies(shared, commit: str) -> None:
    (row,) = lock(shared)
    shared.write(".modicum/sources.lock.json", json.dumps({"sources": [{**row, "commit": commit}]}))

    assert "cannot be understood" in shared.modicum("inject").err


def test_a_commit_that_the_source_does_not_have_is_told(shared) -> None:
    (row,) = lock(shared)
    shared.write(".modicum/sources.lock.json", json.dumps({"sources": [{**row, "commit": "1" * 40}]}))

    said = shared.modicum("inject")

    assert said.code == 4
    assert not shared.path("AGENTS.md").exists()


@pytest.mark.parametrize(
    "location",
    [
        "ext::sh -c touch% pwned",
        "--upload-pack=touch pwned",
        "-oProxyCommand=touch",
        "ssh://-oProxyCommand=touch/x",
        "git@-oProxyCommand:x",
        "http://example.com/x.git",
        "https://me:secret@example.com/x.git",
        "fd::17/x",
    ],
)
def test_an_address_that_git_must_not_be_asked_for_is_refused(git_world, location: str) -> None:
    git_world.write(".modicum/config.yaml", f'sources:\n  team: {{location: "{location}"}}\ntools: [codex]\n')
    git_world.patch.setenv("MODICUM_AGREED_SOURCES", location)
    git_world.write("~/.config/modicum/config.yaml", f'agreed_sources: ["{location}"]\n')
    before = git_world.files(state=True)

    for words in (("inject",), ("source", "update"), ("source", "agree", "--", location)):
        said = git_world.modicum(*words)
        assert said.code == 4
        assert "is not a source" in said.err or "password" in said.err or "is not a folder" in said.err
    assert set(git_world.files(state=True)) - set(before) == set()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("toolz: [codex]\n", 'unknown key "toolz" (did you mean "tools"?)'),
        ("tools: codex\n", "write [codex]"),
        ("tools: {codex: true}\n", '"tools" must be a list'),
        ("sources: [x]\n", '"sources" must be keys with values'),
        ("sources: {team: {loction: x}}\n", '(did you mean "location"?)'),
        ("sources: {team: {ref: v1}}\n", '"sources.team.location" is missing'),
        ("sources: {team: {location: /x, ref: '-x'}}\n", '"-x" is not a ref'),
        ("sources: {project: {location: /x}}\n", '"project" cannot be the name of a source'),
    ],
)
def test_what_is_wrong_in_the_config_is_named(git_world, text: str, message: str) -> None:
    git_world.write(".modicum/config.yaml", text)

    said = git_world.modicum("inject")

    assert said.code == 4
    assert message in said.err


def test_tools_and_sources_are_not_for_the_users_own_config(git_world) -> None:
    git_world.write("~/.config/modicum/config.yaml", "tools: [codex]\n")

    said = git_world.modicum("inject")

    assert '"tools" is for a single project (move it to .modicum/config.yaml in the project)' in said.err


def test_a_source_of_the_project_is_removed_with_its_lock(shared) -> None:
    shared.pack("ours", "Prices are in cents.")
    assert shared.modicum("source", "remove", "packs").code == 0

    assert shared.read(".modicum/config.yaml") == "# ours\ntools: [codex]\n"
    assert lock(shared) == []
    assert shared.modicum("inject").code == 0
    assert "Never round twice." not in shared.read("AGENTS.md")


def test_a_source_that_cannot_be_used_is_not_added(git_world) -> None:
    empty = git_world.home / "empty"
    empty.mkdir()
    commit_all(empty)

    said = git_world.modicum("source", "add", empty.as_uri(), "--here")

    assert said.code == 4
    assert "has no packs" in said.err
    assert not git_world.path(".modicum/config.yaml").exists()
    assert not git_world.path("~/.config/modicum/config.yaml").exists()


def test_a_name_is_given_once(shared) -> None:
    said = shared.modicum("source", "add", address(shared), "--here")

    assert said.err.startswith('modicum: this project has a source "packs" already')


def test_a_path_below_the_project_is_a_location_too(git_world) -> None:
    packs_repository(git_world.project / "vendor" / "packs")
    git_world.write(".modicum/config.yaml", "tools: [codex]\nsources: {team: {location: vendor/packs}}\n")
    git_world.modicum("source", "agree", "vendor/packs")

    assert git_world.modicum("source", "update", "team").code == 0
    assert lock(git_world)[0]["location"] == "vendor/packs"
    assert git_world.modicum("inject").code == 0
    assert "Never round twice." in git_world.read("AGENTS.md")


def test_a_relative_path_is_written_from_the_root_on_so_that_it_holds_on_other_machines(git_world) -> None:
    packs_repository(git_world.project / "vendor" / "packs", tag="v1")
    (git_world.project / "src").mkdir()
    git_world.patch.chdir(git_world.project / "src")

    assert git_world.modicum("source", "add", "../vendor/packs", "--ref", "v1", "--here").code == 0
    assert "    location: vendor/packs\n" in git_world.read(".modicum/config.yaml")
    assert [row["location"] for row in lock(git_world)] == ["vendor/packs"]
    assert git_world.modicum("inject", "--tool", "codex").code == 0
    assert "Never round twice." in git_world.read("AGENTS.md")


def test_an_empty_address_is_no_source(git_world) -> None:
    assert "it is empty" in git_world.modicum("source", "add", "", "--here").err


def test_the_doctor_names_a_source_that_cannot_be_used(shared) -> None:
    commit_all(shared.project)
    fresh_home(shared)

    assert "you have not agreed to that" in shared.modicum("doctor").out


def test_two_runs_may_fetch_at_once(shared) -> None:
    commit_all(shared.project)
    agree(shared)
    fresh_home(shared)
    program = [sys.executable, "-m", "modicum.cli.main", "explain"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    runs = [subprocess.Popen(program, env=environ, stdout=subprocess.DEVNULL) for _ in range(4)]

    assert [run.wait() for run in runs] == [0, 0, 0, 0]
    copies = shared.path("~/.local/share/modicum/project-sources")
    assert [path for path in copies.iterdir() if path.name.startswith(".new-")] == []


def test_a_data_folder_that_cannot_be_written_is_told(shared) -> None:
    commit_all(shared.project)
    agree(shared)
    fresh_home(shared)
    shared.write("~/.local/share/modicum/project-sources", "a file")

    said = shared.modicum("inject")

    assert said.code == 4
    assert "project-sources" in said.err
    assert "a part of the path is a file: move it away" in said.err


def test_what_was_injected_can_be_taken_out_without_agreeing(shared) -> None:
    shared.modicum("inject")
    commit_all(shared.project)
    fresh_home(shared)

    assert shared.modicum("uninstall").code == 0
    assert not shared.path("AGENTS.md").exists()


@pytest.mark.parametrize(
    "before", ["", "agreed_sources:\n", "agreed_sources: []\n", "agreed_sources: [a]\r\n"]
)
def test_an_agreement_is_added_to_what_is_in_the_users_config(git_world, before: str) -> None:
    git_world.write("~/.config/modicum/config.yaml", f"# mine\nlanguage: de\n{before}")

    for _ in range(2):
        assert git_world.modicum("source", "agree", "https://example.com/x.git").code == 0

    text = git_world.read("~/.config/modicum/config.yaml")
    assert text.startswith("# mine\nlanguage: de\n")
    assert text.count("https://example.com/x.git") == 1
    assert git_world.modicum("source", "list").code == 0


def test_who_adds_a_source_for_themselves_learns_that_a_shared_project_does_not_take_it(shared) -> None:
    packs_repository(shared.home / "mine")

    said = shared.modicum("source", "add", str(shared.home / "mine"))

    assert said.code == 0
    assert "your own packs are not in the files of this project" in said.err


def test_a_config_file_with_other_line_ends_keeps_them(git_world) -> None:
    packs_repository(git_world.home / "packs", tag="v1")
    git_world.write(".modicum/config.yaml", "# ours\r\ntools: [codex]\r\n")
    git_world.modicum("source", "add", address(git_world), "--here")
    git_world.modicum("source", "update", "packs", "--ref", "v1")

    text = git_world.path(".modicum/config.yaml").read_bytes()
    assert text.count(b"\r\n") == text.count(b"\n") == 6
    assert git_world.modicum("inject").code == 0


def test_the_lock_keeps_the_order_and_what_cannot_be_reached_from_here(shared) -> None:
    before = lock(shared)
    text = shared.read(".modicum/config.yaml")
    shared.write(
        ".modicum/config.yaml", text.replace("sources:\n", "sources:\n  far: {location: /nowhere/packs}\n")
    )
    far = {"name": "far", "location": "/nowhere/packs", "commit": "1" * 40}
    shared.write(".modicum/sources.lock.json", json.dumps({"sources": [far, *before]}))
    packs_repository(shared.home / "other")

    assert shared.modicum("source", "add", (shared.home / "other").as_uri(), "--here").code == 0
    assert [row["name"] for row in lock(shared)] == ["far", "packs", "other"]
    assert lock(shared)[:2] == [far, *before]
