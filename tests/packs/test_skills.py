"""A skill is read from inside its pack, with what lies beside it."""

from pathlib import Path

import pytest

from modicum.packs.load import Layer, load_layers
from modicum.packs.model import Library, Skill


def load(folder: Path, rows: str, files: dict[str, bytes]) -> Library:
    for name, content in {"pack.yaml": b"id: a", "skills.yaml": rows.encode(), **files}.items():
        path = folder / "packs" / "a" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return load_layers([Layer("team", folder)])


def test_files_beside_a_skill_in_its_own_folder_belong_to_it(tmp_path: Path) -> None:
    files = {
        "skills/x/SKILL.md": b"# X",
        "skills/x/help.md": b"help",
        "skills/x/scripts/run.sh": b"echo",
        "skills/x/.hidden": b"no",
        "skills/y/SKILL.md": b"# Y",
    }
    library = load(tmp_path, "- {id: x, file: skills/x/SKILL.md}", files)
    (tmp_path / "packs/a/skills/x/again").symlink_to(".")

    assert library.problems == ()
    assert library.packs[0].skills == (
        Skill("x", "", "", "skills/x/SKILL.md", "# X", (), (("help.md", "help"), ("scripts/run.sh", "echo"))),
    )
    assert load_layers([Layer("team", tmp_path)]) == library


def test_a_single_file_has_nothing_beside_it(tmp_path: Path) -> None:
    files = {"skills/x.md": b"# X", "skills/y.md": b"# Y", "SKILL.md": b"# Z"}

    library = load(tmp_path, "- {id: x, file: skills/x.md}\n- {id: z, file: SKILL.md}", files)

    assert [(skill.text, skill.files) for skill in library.packs[0].skills] == [("# X", ()), ("# Z", ())]


def test_what_is_not_text_beside_a_skill_is_left_out_with_a_remark(tmp_path: Path) -> None:
    files = {"x/SKILL.md": b"# X", "x/logo.png": b"\x89PNG\0", "x/a.bin": b"\0"}

    library = load(tmp_path, "- {id: x, file: x/SKILL.md}", files)

    assert library.packs[0].skills[0].files == ()
    assert [(Path(problem.file).name, problem.fatal) for problem in library.problems] == [
        ("a.bin", False),
        ("logo.png", False),
    ]


@pytest.mark.parametrize("file", ["../b/SKILL.md", "/etc/hostname", "link.md", "folder/../../b/SKILL.md"])
def test_a_skill_stays_inside_its_pack(file: str, tmp_path: Path) -> None:
    outside = tmp_path / "packs" / "b" / "SKILL.md"
    outside.parent.mkdir(parents=True)
    outside.write_text("# B")
    (outside.parent / "pack.yaml").write_text("id: b")
    (tmp_path / "packs" / "a").mkdir()
    (tmp_path / "packs" / "a" / "link.md").symlink_to(outside)

    library = load(tmp_path, f"- id: x\n  file: {file}", {})

    assert [(pack.id, pack.skills) for pack in library.packs] == [("a", ()), ("b", ())]
    assert [str(problem).split("skills.yaml:")[1] for problem in library.problems] == [
        f'2: "file" "{file}" is not inside the pack folder: the entry is left out'
    ]


def test_a_skill_whose_file_is_not_there_is_named(tmp_path: Path) -> None:
    library = load(tmp_path, "- id: x\n  file: x.md", {})

    assert str(library.problems[0]).endswith(
        'skills.yaml:2: "file" "x.md" is not there: the entry is left out'
    )
