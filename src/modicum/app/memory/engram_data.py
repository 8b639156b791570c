"""Tells users of engram where their notes are: modicum keeps its own, and takes theirs over by an import."""

from pathlib import Path

from modicum.base.config import Config


def about_engram_data(config: Config) -> str:
    """Returns a sentence if the environment names engram's data folder, which modicum does not write to; else ""."""
    folder = config.environment.get("ENGRAM_DATA_DIR", "").strip()
    if not folder:
        return ""
    from modicum.app.config_file import without_password

    file = Path(folder) / "engram.db"
    take = f"modicum import {file} takes its notes over" if file.exists() else f"there is no {file}"
    return (
        f"ENGRAM_DATA_DIR is engram's folder, and memory is in {without_password(config.database) or config.data}: {take}; "
        "MODICUM_HOME moves modicum's own"
    )
