"""What a target means on the disk: links, run bits and other names of a file."""

from pathlib import Path

import pytest

from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.targets.apply import look, update
from modicum.targets.bounds.on_disk import located
from modicum.targets.change import Existing, FileChange, FileRecord, FileState, TargetFile
from modicum.targets.plan import plan


def place_in(root: Path, path: str = "AGENTS.md", **more: object) -> TargetFile:
    return TargetFile(str(root / path), "replace-section", root=str(root), **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git" / "hooks").mkdir(parents=True)
    (folder / "docs").mkdir()
    for name in ("Makefile", "docs/x.md", "setup.py", "package.json", ".git/config"):
        (folder / name).write_text("as it was\n")
    return folder


@pytest.mark.parametrize(
    "target", ["Makefile", "setup.py", "package.json", ".git/config", ".git/hooks/pre-commit"]
)
def test_a_link_to_what_is_no_text_is_refused_and_the_file_stays(root: Path, target: str) -> None:
    (root / "AGENTS.md").symlink_to(target)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}

    with pytest.raises(ModicumError, match=r"no file that AI tools read as text|git's own folder"):
        update(place_in(root), page, root.parent / "state")
    with pytest.raises(ModicumError):
        look(place_in(root), root.parent / "state")

    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def page(existing: Existing, record: FileRecord | None) -> FileChange:
    return plan(place_in(Path("/nowhere")), "touch x", existing, record)


def test_a_link_on_the_way_is_refused_like_one_at_the_end(root: Path) -> None:
    (root / ".claude").symlink_to(".git")

    with pytest.raises(ModicumError, match="git's own folder"):
        located(place_in(root, ".claude/CLAUDE.md"))


def test_a_link_to_another_text_of_the_project_is_followed(root: Path) -> None:
    (root / "AGENTS.md").symlink_to("docs/x.md")

    assert located(place_in(root)) == (root / "docs/x.md").resolve()


def test_a_link_to_a_text_with_a_run_bit_is_refused(root: Path) -> None:
    (root / "AGENTS.md").symlink_to("docs/x.md")
    (root / "docs/x.md").chmod(0o755)

    with pytest.raises(ModicumError, match="run bit"):
        located(place_in(root))


def test_a_foreign_adapter_writes_no_file_with_a_run_bit_or_another_name(root: Path) -> None:
    (root / "HOUSE.md").write_text("x")
    (root / "HOUSE.md").chmod(0o755)
    (root / "SECOND.md").hardlink_to(root / "Makefile")

    with pytest.raises(ModicumError, match="run bit"):
        located(place_in(root, "HOUSE.md", is_foreign=True))
    with pytest.raises(ModicumError, match="other names"):
        located(place_in(root, "SECOND.md", is_foreign=True))
    assert located(place_in(root, "HOUSE.md"))  # of a built-in adapter: some disks give every file a run bit


def test_a_foreign_adapter_writes_no_other_kind_of_file_even_without_a_link(root: Path) -> None:
    with pytest.raises(ModicumError, match="no file that AI tools read as text"):
        located(place_in(root, "Makefile", is_foreign=True))


def test_links_at_home_are_the_users_own_but_not_into_git(root: Path) -> None:
    (root / ".dotfiles").mkdir()
    (root / ".dotfiles" / "agents").write_text("x")
    (root / "AGENTS.md").symlink_to(".dotfiles/agents")
    (root / "GEMINI.md").symlink_to(".git/config")

    assert located(place_in(root, is_home=True)).name == "agents"
    with pytest.raises(ModicumError, match="git's own folder"):
        located(place_in(root, "GEMINI.md", is_home=True))


def test_a_project_may_lie_behind_a_link_and_without_a_root_anything_goes(root: Path) -> None:
    (root.parent / "again").symlink_to(root)

    assert located(place_in(root.parent / "again")) == (root / "AGENTS.md").resolve()
    assert located(TargetFile(str(root / "Makefile"), "append")) == (root / "Makefile").resolve()


def test_a_folder_that_becomes_a_link_while_it_is_written_is_not_followed(root: Path) -> None:
    place = place_in(root, "docs/y.md")
    calls = []

    def swapped(existing: Existing, record: FileRecord | None) -> FileChange:
        if not calls:
            (root / "docs").rename(root / "old")
            (root / "docs").symlink_to(".git")
        calls.append(1)
        change = plan(place, "touch x", existing, record)
        return replace(change, state=FileState.ABSENT)

    with pytest.raises(ModicumError):
        update(place, swapped, root.parent / "state")

    assert not (root / ".git" / "y.md").exists()
