"""What a user has chosen, kept in a config file."""

from pathlib import Path

from modicum.base.config import Config
from modicum.base.paths import CONFIG_FILE
from modicum.targets.disk import write_own
from modicum.targets.settings.editing import set_entry


def choose(config: Config, key: str, value: str, *, project: bool) -> Path:
    """Keep a choice in the project's config file or in the user's; comments and other keys stay."""
    file = (config.project if project else config.folder) / CONFIG_FILE
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    write_own(file, set_entry(text, "yaml", (key,), value).text.encode(), private=False)
    return file
