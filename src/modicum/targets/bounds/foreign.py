"""Checks an adapter that is not built in: it writes only texts for AI tools and their own settings, and reads nothing else. Pure."""

from collections.abc import Iterator, Mapping
from itertools import chain

from modicum.base.typing_names import Any
from modicum.targets.bounds import closed_lists as lists
from modicum.targets.bounds.paths import (
    is_text_at_home,
    is_text_in_project,
    meant_by,
    why_strange,
)
from modicum.targets.model import tidy_path

Row = Mapping[str, Any]

REMEDY = "docs/adapters.md has the closed list; what goes beyond it belongs in an adapter in your own config folder"
_GROUPS: dict[str, Mapping[str, tuple[str, ...]]] = {
    "mcp": lists.SERVERS,
    "mcp_config": lists.SERVERS,
    "extra_mcp_configs": lists.SERVERS,
    "hooks": lists.HOOKS,
    "hook_config": lists.HOOKS,
    "permissions": lists.PERMISSIONS,
}
_FOLDERS = {
    "skills": lists.SKILLS,
    "skill_config": lists.SKILLS,
    "hook_files": lists.HOOK_FILES,
}
_FORMATS = {"json": ("json", "jsonc"), "jsonc": ("json", "jsonc"), "toml": ("toml",), "yaml": ("yaml", "yml")}


def complaint_about_foreign(row: Row) -> str:
    """Returns what an adapter that is not built in may not name, with what to do; "" if all of it is on the closed lists."""
    found = chain(_about_texts(row), _about_settings(row), _about_reading(row))
    complaint = next(found, "")
    return f"{complaint} ({REMEDY})" if complaint else ""


def _about_texts(row: Row) -> Iterator[str]:
    for target in row.get("targets", ()):
        path, is_home = tidy_path(target["path"]), target["scope"] == "global"
        if not _is_text(target["path"], path, is_home=is_home):
            yield _not_listed(target["path"])
        for meant in _imported(target, path):
            if not _is_text(target["import_path"], f"~/{meant}" if is_home else meant, is_home=is_home):
                yield _not_listed(target["import_path"])
        if (copy := target["copy_of"]) and not _is_text(copy, tidy_path(copy), is_home=is_home):
            yield _not_listed(copy)
    if (path := row.get("export_path", "")) and not _is_text(path, path, is_home=True):
        yield _not_listed(path)


def _is_text(written: str, path: str, *, is_home: bool) -> bool:
    # A backslash is a name here and a separator elsewhere.
    return "\\" not in written and (is_text_at_home(path) if is_home else is_text_in_project(path))


def _imported(target: Row, file: str) -> Iterator[str]:
    """What a line that imports a file means: to the tool, from that file on; and in the mode `import` we write it, from the root on."""
    if reference := target["import_path"]:
        yield meant_by(reference, file.removeprefix("~/"))
        if target["mode"] == "import":
            yield tidy_path(reference)


def _not_listed(path: str) -> str:
    why = why_strange(path.removeprefix("./").replace("*", "x"))
    return f'the path "{_shown(path)}" {why or "is no file that AI tools read as text"}'


def _about_settings(row: Row) -> Iterator[str]:
    for key, group in _GROUPS.items():
        for entry in _entries(row, key):
            if not _is_listed(entry, group, key):
                yield f'"{key}" may not name "{_shown(entry["path"])}" with the key "{_shown(entry["key"])}"'
    for key, paths in _FOLDERS.items():
        for entry in _entries(row, key):
            if entry["path"] not in paths:
                yield f'"{key}" may not name "{_shown(entry["path"])}"'
    approval = row.get("approval") or {}
    if approval and (approval["key"], approval["value"]) not in lists.APPROVALS:
        yield f'"approval" may not set "{_shown(approval["key"])}"'
    if (path := row.get("hook_trust")) and path not in lists.HOOK_TRUST:
        yield f'"hook_trust" may not name "{_shown(path)}"'


def _entries(row: Row, key: str) -> list[Row]:
    found = row.get(key) or []
    return [found] if isinstance(found, Mapping) else list(found)


def _is_listed(entry: Row, group: Mapping[str, tuple[str, ...]], key: str) -> bool:
    way = entry["key"].rpartition(".")[0] if key == "hook_config" else entry["key"]
    ending = entry["path"].rpartition(".")[2]
    return entry["path"] in group.get(way, ()) and ending in _FORMATS[entry["format"]]


def _about_reading(row: Row) -> Iterator[str]:
    reads = row.get("reads") or {}
    for rule in reads.get("rules", ()):
        yield from _about_rule(rule)
    for setting in reads.get("settings", ()):
        if setting["path"] not in lists.READING.get(setting["key"], ()):
            yield f'"reads" may not set "{_shown(setting["key"])}" in "{_shown(setting["path"])}"'
        for name in (setting.get("add") or "", *setting.get("names", ())):
            if name and not is_text_in_project(tidy_path(name)):
                yield _not_listed(name)
    for path in _settings_read(reads):
        if path not in lists.READ_SETTINGS:
            yield f'"reads" may not look into "{_shown(path)}"'


def _about_rule(rule: Row) -> Iterator[str]:
    home = rule.get("home") or ""
    if home and home.removeprefix("~/") not in lists.HOME_FOLDERS:
        yield _not_listed(home)
    for name in (*rule.get("files", ()), *rule.get("unless", ())):
        plain = name.replace("*", "x").replace("?", "x")
        at_home = rule["folders"] == "home" and not home
        listed = is_text_at_home(f"~/{plain}") if at_home else is_text_in_project(plain)
        if not listed or name.endswith(("*", "?")) or "\\" in name:
            yield _not_listed(name)


def _settings_read(reads: Row) -> Iterator[str]:
    keys = [reads.get("excludes"), *(limit.get("setting") for limit in reads.get("limits", ()))]
    keys += [rule.get(name) for rule in reads.get("rules", ()) for name in ("names", "more")]
    for key in filter(None, keys):
        yield from key["paths"]


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:120])
