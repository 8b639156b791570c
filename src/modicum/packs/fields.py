"""The YAML fields of every file of a pack, and of a profile: which values are allowed in each field."""

import re
from collections.abc import Callable, Mapping

from modicum.base.typing_names import Any
from modicum.base.yaml.check import List, Record, choice, flag, list_of, map_of, text, whole
from modicum.packs.model import BUILT_IN_PROFILES

_ID = r"\w[\w.-]*\Z"
_RESERVED = frozenset(profile.id for profile in BUILT_IN_PROFILES)


def _id_complaint(value: str) -> str:
    return "" if re.match(_ID, value) else "may only have letters, digits, dots, hyphens and underscores"


def _profile_id_complaint(value: str) -> str:
    return f'"{value}" is built in (choose another one)' if value in _RESERVED else _id_complaint(value)


def _server_complaint(row: Mapping[str, Any]) -> str:
    install = row["install"]
    return (
        ""
        if bool(install["command"]) != bool(install["url"])
        else '"install" needs either a command or a url'
    )


_tags = list_of(text())
_required = text(required=True)

PACK = Record(
    {
        "id": text(required=True, complaint=_id_complaint),
        "name": text(),
        "description": text(),
        "tags": _tags,
        "weight": whole(),
        "overlaps": list_of(text()),
        "base": flag(),
        "additive": flag(),
        "additive_position": choice("before", "after"),
        "locales": map_of(Record({"name": text(), "description": text()})),
        "versions": map_of(text()),
        "changelog": list_of(text()),
        "globs": list_of(text()),
    },
    ignored={"profiles"},
    forgiving=True,
)

SAMPLES = list_of(
    Record(
        {
            "id": _required,
            "label": _required,
            "url": _required,
            "description": text(),
            "tags": _tags,
            "inject": flag(),
        },
        forgiving=True,
    ),
    unique="id",
)

KNOWN_ERRORS = list_of(
    Record(
        {
            "id": _required,
            "pattern": _required,
            "cause": _required,
            "fix": _required,
            "docs": text(),
            "tags": _tags,
        },
        forgiving=True,
    ),
    unique="id",
)

JOURNEY = Record(
    {
        "slug": _required,
        "title": text(),
        "level": text(),
        "duration": text(),
        "url": text(),
        "featured": flag(),
    },
    bare="slug",
    forgiving=True,
)
LEARNING = Record({"journeys": list_of(JOURNEY, unique="slug")}, ignored={"profile_filters"}, forgiving=True)

RESOURCES = list_of(
    Record(
        {"id": _required, "title": _required, "url": _required, "type": text(), "tags": _tags},
        ignored={"advocate"},
        forgiving=True,
    ),
    unique="id",
)

INSTALL = Record(
    {
        "command": text(),
        "args": list_of(text()),
        "type": choice("stdio", "http", "sse", spellings={"streamable-http": "http"}),
        "env": map_of(text()),
        "url": text(),
        "headers": map_of(text()),
    },
    required=True,
)
SERVERS = list_of(
    Record(
        {
            "id": text(required=True, complaint=_id_complaint),
            "name": text(),
            "description": text(),
            "install": INSTALL,
            "hosts": list_of(text()),
        },
        forgiving=True,
        complaint=_server_complaint,
    ),
    unique="id",
)

EVENTS = ("sessionStart", "userPromptSubmit", "preToolUse", "postToolUse", "preCompact", "stop", "sessionEnd")
HOOKS = list_of(
    Record(
        {
            "id": _required,
            "event": choice(
                *EVENTS, required=True, loose=True, spellings={"prompt-submit": "userPromptSubmit"}
            ),
            "command": _required,
            "tools": list_of(text()),
        },
        forgiving=True,
    ),
    unique="id",
)

PROFILE = Record(
    {
        "id": text(required=True, complaint=_profile_id_complaint),
        "name": text(),
        "description": text(),
        "packs": list_of(Record({"id": _required, "weight": whole(default=None)}, bare="id"), unique="id"),
        "include": list_of(text()),
        "exclude": list_of(text()),
    },
    ignored={"tip_tags"},
)


def skills(file_complaint: Callable[[str], str]) -> List:
    """Returns the field definitions of a pack's skills.yaml; `file_complaint` checks that a file exists."""
    row = Record(
        {
            "id": text(required=True, complaint=_id_complaint),
            "name": text(),
            "description": text(),
            "file": text(required=True, complaint=file_complaint),
            "tools": list_of(text()),
        },
        forgiving=True,
    )
    return list_of(row, unique="id")
