"""What is collected from the disk for the loaders: texts, links, imports and settings; and what is passed over."""

import os
from pathlib import Path

import pytest

from modicum.targets.loaders.collect import MAX_BYTES, collect, folders_with_instructions
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import Loader, ReadRule, SettingKey
from modicum.targets.loaders.reading import reading

DOWN = Loader(rules=(ReadRule("down", ("AGENTS.md",)), ReadRule("home", (".tool/AGENTS.md",))))
ABOVE = Loader(
    rules=(ReadRule("home", (".tool/AGENTS.md",)), ReadRule("above", ("AGENTS.md", ".tool/AGENTS.md")))
)
GLOB = Loader(rules=(ReadRule("root", (".tool/rules/**/*.md",)),))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository below a home folder."""
    folder = tmp_path / "home" / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def collected(project: Path, *loaders: Loader, folders: tuple[str, ...] = ("",)) -> ProjectFiles:
    return collect(project, project.parent, loaders or (DOWN,), folders)


def write(project: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = project.parent / name[2:] if name.startswith("~/") else project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def test_other_spellings_are_taken_for_tools_that_take_any_case_and_each_file_once(project) -> None:
    write(project, {"agents.md": "small\n", "pkg/Agents.MD": "mixed\n"})
    is_one = (project / "AGENTS.md").exists()
    any_case = Loader(rules=(ReadRule("down", ("AGENTS.md",)),), any_case=True)

    expected = {"AGENTS.md", "pkg/AGENTS.md"} if is_one else {"agents.md", "pkg/Agents.MD"}
    assert {*collected(project, any_case, folders=("", "pkg")).texts} == expected
    assert {*collected(project, DOWN, folders=("", "pkg")).texts} == (expected if is_one else {*()})
    os.link(project / "agents.md", project / "AGENTS.md") if not is_one else None
    assert {*collected(project, any_case).texts} == {"AGENTS.md"}


def test_a_worktree_knows_the_repository_that_it_lies_in(project) -> None:
    tree = project / ".claude" / "worktrees" / "x"
    (tree / "pkg").mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {project.resolve()}/.git/worktrees/x\n")
    beside = project.parent / "beside"
    beside.mkdir()
    (beside / ".git").write_text(f"gitdir: {project.resolve()}/.git/worktrees/beside\n")

    assert collected(tree, ABOVE).main == "../../.."
    (tree / ".git").write_text("gitdir: ../../../.git/worktrees/x\n")  # as git writes it if it is asked to
    assert collected(tree, ABOVE).main == "../../.."
    assert collected(tree / "pkg", ABOVE).main == "../../../.."
    assert collected(beside, ABOVE).main == collected(project, ABOVE).main == ""


def test_texts_of_the_project_and_of_the_home_folder_are_taken(project) -> None:
    write(
        project,
        {"AGENTS.md": "a\r\n", "~/.tool/AGENTS.md": "\ufeffhome", "other.md": "x", "sub/AGENTS.md": "s"},
    )

    assert collected(project).texts == {"~/.tool/AGENTS.md": "\ufeffhome", "AGENTS.md": "a\r\n"}
    assert collected(project, folders=("", "sub")).texts["sub/AGENTS.md"] == "s"


def test_a_link_is_known_by_the_file_that_it_means(project) -> None:
    write(project, {"docs/rules.md": "rules", "~/shared.md": "shared"})
    (project / "AGENTS.md").symlink_to("docs/rules.md")
    (project / "sub").mkdir()
    (project / "sub/AGENTS.md").symlink_to(project.parent / "shared.md")
    found = collected(project, folders=("", "sub"))

    assert found.links == {"AGENTS.md": "docs/rules.md", "sub/AGENTS.md": "~/shared.md"}
    assert found.texts == {"docs/rules.md": "rules", "~/shared.md": "shared"}


def test_links_that_lead_nowhere_or_to_themselves_are_no_files(project) -> None:
    (project / "AGENTS.md").symlink_to("gone.md")
    (project.parent / ".tool").mkdir()
    (project.parent / ".tool/AGENTS.md").symlink_to("AGENTS.md")

    assert collected(project).texts == {}


@pytest.mark.parametrize("make", ["device", "pipe", "folder", "unreadable", "huge"])
def test_what_cannot_be_read_as_a_file_is_passed_over(project, make: str) -> None:
    path = project / "AGENTS.md"
    if make == "device":
        path.symlink_to("/dev/zero")
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "folder":
        path.mkdir()
    elif make == "unreadable":
        path.symlink_to(project / "AGENTS.md" / "below")
    else:
        with path.open("wb") as file:
            file.truncate(MAX_BYTES + 1)

    assert collected(project).texts == {}


def test_every_byte_of_a_binary_file_is_kept(project) -> None:
    data = bytes(range(256))
    (project / "AGENTS.md").write_bytes(data)

    assert collected(project).texts["AGENTS.md"].encode("utf-8", "surrogateescape") == data


def test_imports_are_followed_in_circles_only_once(project) -> None:
    write(
        project,
        {
            "AGENTS.md": "@docs/a.md @gone.md @/etc/hostname",
            "docs/a.md": "@b.md",
            "docs/b.md": "@../AGENTS.md",
        },
    )

    assert set(collected(project).texts) == {"AGENTS.md", "docs/a.md", "docs/b.md"}


def test_a_long_chain_of_imports_comes_to_an_end(project) -> None:
    write(project, {"AGENTS.md": "@n0.md", **{f"n{n}.md": f"@n{n + 1}.md" for n in range(400)}})

    assert 200 <= len(collected(project).texts) < 220


def test_a_glob_takes_files_of_folders_below(project) -> None:
    write(project, {".tool/rules/a.md": "a", ".tool/rules/in/b.md": "b", ".tool/rules/c.txt": "c"})

    assert set(collected(project, GLOB).texts) == {".tool/rules/a.md", ".tool/rules/in/b.md"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("set.json", '{"read": ["X.md"]}'),
        ("set.json", '{ // mine\n"read": ["X.md",],}'),
        ("set.toml", 'read = ["X.md"]\n'),
        ("set.yml", "# mine\nread:\n  - X.md\n"),
    ],
)
def test_settings_name_files_that_are_taken(project, name: str, text: str) -> None:
    loader = Loader(rules=(ReadRule("root", more=SettingKey((name,), ("read",), "root")),))
    write(project, {name: text, "X.md": "by a setting"})
    found = collected(project, loader)

    assert found.setting(name, ("read",)) == ["X.md"]
    assert found.texts == {"X.md": "by a setting"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("set.json", "{bad"),
        ("set.json", ""),
        ("set.toml", "= ="),
        ("set.yml", "a: [b"),
        ("set.json", "\udcff\udcfe"),
    ],
)
def test_settings_that_cannot_be_parsed_hold_nothing(project, name: str, text: str) -> None:
    loader = Loader(rules=(ReadRule("root", more=SettingKey((name,), ("read",), "root")),))
    write(project, {name: text})

    assert collected(project, loader).setting(name, ("read",)) is None


def test_a_file_of_the_home_folder_above_the_project_is_one_file(project) -> None:
    write(project, {"~/.tool/AGENTS.md": "at home", "AGENTS.md": "here"})
    found = collected(project, ABOVE)

    assert found.links == {"../.tool/AGENTS.md": "~/.tool/AGENTS.md"}
    assert [each.path for each in reading(ABOVE, found).passages] == ["~/.tool/AGENTS.md", "AGENTS.md"]


def test_the_home_folder_as_a_project_has_each_file_once(project) -> None:
    write(project, {"~/.tool/AGENTS.md": "at home", "~/AGENTS.md": "here"})
    found = collect(project.parent, project.parent, (ABOVE,))

    assert [each.path for each in reading(ABOVE, found).passages] == ["~/.tool/AGENTS.md", "AGENTS.md"]


def test_the_repository_may_begin_above_the_project(project) -> None:
    """A package of a monorepo has its own .modicum, and the tools read from the root of the repository down."""
    package = project / "packages" / "app"
    write(project, {"AGENTS.md": "root", "packages/AGENTS.md": "packages", "packages/app/AGENTS.md": "app"})
    write(project, {"~/AGENTS.md": "outside"})
    found = collect(package, project.parent, [DOWN])

    assert found.repository == "../.."
    assert reading(DOWN, found).text(found) == "root\n\npackages\n\napp"


def test_settings_in_the_root_of_the_repository_count_in_a_package(project) -> None:
    loader = Loader(
        rules=(ReadRule("down", ("AGENTS.md",), more=SettingKey(("set.json",), ("read",), "down")),)
    )
    write(project, {"set.json": '{"read": ["X.md"]}', "app/X.md": "named above"})
    found = collect(project / "app", project.parent, [loader])

    assert reading(loader, found).text(found) == "named above"


def test_without_a_repository_nothing_is_one(project) -> None:
    (project / ".git").rmdir()
    write(project, {"AGENTS.md": "here", "sub/AGENTS.md": "below"})
    found = collected(project, folders=("", "sub"))

    assert (found.is_repository, found.repository) == (False, "")
    assert reading(DOWN, found, "sub").text(found) == "below"


def test_a_worktree_is_a_repository(project) -> None:
    (project / ".git").rmdir()
    (project / ".git").write_text("gitdir: elsewhere\n")

    assert collected(project).is_repository


def test_folders_with_instructions_are_found_without_others_packages_and_links(project) -> None:
    names = ("a/b/AGENTS.md", "包/AGENTS.md", "node_modules/x/AGENTS.md", ".hidden/AGENTS.md", "AGENTS.md")
    write(project, dict.fromkeys(names, "x"))
    (project / "loop").symlink_to(".")

    assert folders_with_instructions(project, [DOWN]) == ["包", "a/b"]


@pytest.mark.parametrize("is_worktree", [False, True])
def test_other_repositories_below_are_passed_over(project, is_worktree: bool) -> None:
    write(project, dict.fromkeys(("sub/AGENTS.md", "sub/deep/AGENTS.md", "own/AGENTS.md"), "x"))
    mark = project / "sub/.git"
    mark.write_text("gitdir: elsewhere\n") if is_worktree else mark.mkdir()

    assert folders_with_instructions(project, [DOWN]) == ["own"]


def test_a_folder_that_is_gone_has_no_instructions(tmp_path) -> None:
    assert folders_with_instructions(tmp_path / "gone", [DOWN]) == []
