"""Which paths name a text that AI tools read, and which lead into git's own folder, however they are spelt. Pure."""

import re
from collections.abc import Sequence
from posixpath import normpath

from modicum.base.git_names import leads_into_git, steps_of
from modicum.targets.bounds import closed_lists as lists

# Signs that mean something else on another system: streams, devices, globs, short names, blanks and dots at the end.
_STRANGE = re.compile(r'[\x00-\x1f\x7f:*?"<>|]|~\d|[ .]\Z|\A ')
_DEVICE = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?\Z")
_HOME = "~/"


def why_strange(path: str) -> str:
    """Returns why a path of somebody else is not taken as it is written; "" if it means the same everywhere."""
    steps = steps_of(path.removeprefix(_HOME))
    if leads_into_git(path):
        return "leads into git's own folder"
    if path.startswith(("/", "\\")) or ".." in steps or steps[0].startswith(("~", "$", "%")):
        return "leads out of its folder"
    if "\\" in path or not path.isprintable() or any(map(_is_strange, steps)):
        return "has signs that mean something else on another system"
    return ""


def _is_strange(step: str) -> bool:
    return not step or bool(_STRANGE.search(step)) or bool(_DEVICE.match(step))


def is_text_in_project(path: str) -> bool:
    """Returns True if a path in a project is a text for AI tools: its ending or name is known, and no tool runs what is there."""
    steps = path.split("/")
    return not why_strange(path) and _is_text(steps) and _is_in_known_folders(steps)


def is_text_at_home(path: str) -> bool:
    """Returns True if a path that starts with ~/ is a text in a folder of an AI tool, or an export."""
    inner = path.removeprefix(_HOME)
    if inner == path or why_strange(path):
        return False
    if inner in lists.HOME_FILES or re.fullmatch(lists.EXPORT, inner):
        return True
    steps = inner.split("/")
    is_known = any(inner.startswith(f"{folder}/") for folder in lists.HOME_FOLDERS)
    return is_known and _is_text(steps) and not _is_run(steps[:-1])


def _is_text(steps: Sequence[str]) -> bool:
    *folders, name = (step.casefold() for step in steps)
    of_tool = any(folder.startswith(".") for folder in folders)
    is_rule = of_tool and "rules" in folders and name.endswith(lists.RULE_ENDINGS)
    return name in lists.TEXT_NAMES or name.endswith(lists.TEXT_ENDINGS) or is_rule


def _is_run(folders: Sequence[str]) -> bool:
    return any(folder.casefold() in lists.RUN_FOLDERS for folder in folders)


def _is_in_known_folders(steps: Sequence[str]) -> bool:
    """Whether the hidden folders on the way are those of AI tools, and only the parts of them that are read as text."""
    names = [step.casefold() for step in steps[:-1]]
    hidden = [at for at, name in enumerate(names) if name.startswith(".")]
    if not hidden:
        return True
    if not all(names[at] in (*lists.TOOL_FOLDERS, *lists.SHARED_FOLDERS) for at in hidden):
        return False
    if _is_run(names[hidden[0] :]):
        return False
    shared = [at for at in hidden if names[at] in lists.SHARED_FOLDERS]
    return all(_is_part(names[at], "/".join(steps[at + 1 :])) for at in shared)


def _is_part(folder: str, inner: str) -> bool:
    known = lists.SHARED_FOLDERS[folder]
    return any(inner == each or (each.endswith("/") and inner.startswith(each)) for each in known)


def is_settings_or_skill(path: str) -> bool:
    """Returns True if a path in a project is a settings file of an AI tool, a file of its hooks, or one below its skills."""
    return (
        any(path in paths for group in lists.SETTINGS for paths in group.values())
        or path in lists.HOOK_FILES
        or any(path.startswith(f"{folder}/") for folder in lists.SKILLS)
    )


def meant_by(reference: str, file: str) -> str:
    """Returns the path that a reference in a file means; it begins with `..` if it leads out of the project."""
    return normpath(f"{file.rpartition('/')[0] or '.'}/{reference}")
