"""What a project keeps in files of ours holds no secret: notices, changes, decisions."""

from pathlib import Path

from modicum.app.packs.notices import add_notice
from modicum.base.config import load_config

TOKEN = "ghp_" + "a1" * 18


def texts_in(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return "".join(f"{path}\n{path.read_text(encoding='utf-8', errors='replace')}" for path in files).lower()


def test_no_file_of_a_project_holds_a_secret_that_was_given_to_a_command(world):
    add_notice(load_config(), f"Deploy with {TOKEN}")
    begun = ("change", "new", "--type", "fix", "--size", "small", f"Rotate {TOKEN}")
    assert world.modicum(*begun).code == 0
    assert world.modicum("change", "advance", "--content", f"# Why\n\nBecause {TOKEN} was seen.\n").code in (
        0,
        1,
    )
    decided = ("adr", "new", f"Keep {TOKEN}", "--context", TOKEN, "--decision", TOKEN, "--rationale", TOKEN)
    assert world.modicum(*decided).code == 0

    text = texts_in(world.project)
    assert "[redacted]" in text
    assert "rotate-redacted" in text
    assert "a1a1a1" not in text
