"""Loads the adapters of AI tools from the YAML files of every layer: checked, and merged key by key."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.base.typing_names import Any
from modicum.base.value import NOTHING, Value, replace
from modicum.base.yaml.check import (
    Check,
    CheckPosition,
    Record,
    Shape,
    WholeNumber,
    YamlProblem,
    check,
    choice,
    flag,
    list_of,
    text,
)
from modicum.targets import agent_facts, model
from modicum.targets.bounds.foreign import complaint_about_foreign
from modicum.targets.bounds.model import WaitingAdapter, hash_of, is_agreed, writes_of
from modicum.targets.loaders.load import READS
from modicum.targets.model import Adapter, Limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.base.yaml.nodes import YamlNode

NO_LIMIT = "none"

_ID = r"[a-z0-9][a-z0-9._-]*"
_MONTH = r"\d{4}-(0[1-9]|1[0-2])(-\d\d)?"


class LoadedAdapters(Value):
    """The loaded adapters of AI tools by id, the problems in their YAML files, and limits that a layer changed."""

    adapters: tuple[Adapter, ...]
    problems: tuple[YamlProblem, ...]
    changed_limits: tuple[str, ...]
    waiting: tuple[WaitingAdapter, ...] = ()  # not in force: their user has not agreed to them


class ForeignLayers(Value):
    """The layers of adapters that somebody else wrote, each with the place that agreements are for, and what was agreed to."""

    places: Mapping[str, str] = NOTHING
    agreed: frozenset[str] = frozenset()


NONE_FOREIGN = ForeignLayers()


class _LimitShape(Value):
    """A limit in an adapter file; 0, or the word `none`, is no limit and takes an earlier layer's away."""

    required: bool = False
    default: int | None = None

    def read(self, node: "YamlNode", place: CheckPosition) -> int | None:
        if node.value == NO_LIMIT:
            return None
        return WholeNumber(default=None, least=0).read(node, place) or None


def _id_complaint(name: str) -> str:
    return "" if re.fullmatch(_ID, name) else "may have small letters, digits and . _ - only"


def _date_complaint(date: str) -> str:
    return "" if re.fullmatch(_MONTH, date) else "must be a month such as 2026-11"


def _one_sign(row: Mapping[str, Any]) -> str:
    return "" if bool(row["command"]) != bool(row["path"]) else "a sign is either a command or a path"


_VERBOSITY = choice(*model.VERBOSITIES, spellings=model.VERBOSITY_SPELLINGS)
_FILLED = text(complaint=model.complaint_about_placeholders)

_LIMITS: dict[str, Shape] = {
    **{key: _LimitShape() for key in model.LIMIT_KEYS},
    "tokenizer": choice(*model.TOKENIZERS),
}
_LIMITED = {*_LIMITS, "targets"}  # the keys that a limit comes from

TARGET = Record(
    {
        "scope": choice(*model.SCOPES, required=True),
        "path": text(required=True, complaint=model.complaint_about_path),
        "mode": choice(*model.MODES, required=True),
        "section": text(default=model.SECTION, complaint=model.complaint_about_section),
        "preamble": _FILLED,
        "verbosity": _VERBOSITY,
        "globs": flag(),
        "globs_style": choice(*model.GLOBS_STYLES, default="comma"),
        "import_path": text(),
        "if_there": flag(),
        "copy_of": text(),
        "nested": flag(),
        **_LIMITS,
    },
    complaint=model.complaint_about_target,
)

_SETTINGS: dict[str, Shape] = {
    "scope": choice(*model.SCOPES),
    "path": text(required=True, complaint=model.complaint_about_path),
    "format": choice(*model.SETTINGS_FORMATS, default="json"),
    "key": text(required=True),
}
_LISTS: dict[str, Shape] = {**_SETTINGS, "format": choice(*model.LIST_FORMATS, default="json")}
# With `if_there` a file is only made where its folder is: elsewhere the tool is not installed, or the system another one.
_SERVERS = Record({**_SETTINGS, "shape": choice(*model.SERVER_SHAPES), "if_there": flag()})
_HOOKS = Record(
    {
        **_LISTS,
        # No key: the events stand at the top of the file.
        "key": text(),
        "shape": choice(*model.HOOK_SHAPES),
        "events": Record({event: text() for event in model.EVENTS}, required=True, sparse=True),
    }
)
_SKILLS = Record(
    {"scope": choice(*model.SCOPES), "path": text(required=True, complaint=model.complaint_about_path)}
)
_HOOK_FILES = Record(
    {
        "scope": choice(*model.SCOPES),
        "path": text(required=True, complaint=model.complaint_about_path),
        "shape": choice(*model.HOOK_FILE_SHAPES, default="script"),
        "event": choice(*model.MOMENTS),
    }
)
_PERMISSIONS = Record({**_LISTS, "items": list_of(text())})
_APPROVAL = Record({"key": text(required=True), "value": text(required=True)}, sparse=True)
_CONTRACT = Record(
    {
        "reply": choice(*model.REPLY_SHAPES, required=True),
        **{name: list_of(text()) for name in ("session", "folder", "prompt", "message", "transcript")},
        "context": list_of(choice(*model.MOMENTS)),
        "session_start_at": choice("session-start", "prompt-submit"),
        "max_chars": WholeNumber(least=0),
        "max_tokens": WholeNumber(least=0),
        "forgets": flag(),
        "compacts_at": WholeNumber(least=0),
        "windows": choice(*model.WINDOWS_SHELLS),
        "names_shell": flag(),
        "source": text(required=True),
        "checked": text(required=True, complaint=_date_complaint),
    },
    sparse=True,
)
_TOOL_LIST = Record(
    {
        "sent": choice(*agent_facts.SENT, required=True),
        "prefix": text(),
        "instructions": flag(),
        "each": WholeNumber(least=0),
        "extra": WholeNumber(least=0),
        "note": text(),
        "source": text(required=True),
        "checked": text(required=True, complaint=_date_complaint),
    },
    sparse=True,
)
_FIRST_REQUEST = Record(
    {"tokens": WholeNumber(required=True, least=0), "source": text(required=True)}, sparse=True
)
_CANNOT = Record({"what": text(required=True), "source": text(required=True)})

ADAPTER = Record(
    {
        "id": text(required=True, complaint=_id_complaint),
        "name": text(),
        "also": list_of(text()),
        "type": choice(*model.TYPES),
        "targets": list_of(TARGET),
        "format": choice(*model.FORMATS),
        "verbosity": _VERBOSITY,
        "fit": choice(*model.FITS),
        **_LIMITS,
        "export_path": text(complaint=model.complaint_about_path),
        "instructions": text(),
        "detect": list_of(
            Record(
                {"command": text(), "path": text(complaint=model.complaint_about_path)}, complaint=_one_sign
            )
        ),
        "reads": READS,
        "when_empty": choice(*model.WHEN_EMPTY),
        "mcp": list_of(_SERVERS),
        "hooks": list_of(_HOOKS),
        "skills": list_of(_SKILLS),
        "hook_files": list_of(_HOOK_FILES),
        "permissions": list_of(_PERMISSIONS),
        "approval": _APPROVAL,
        "hook_contract": _CONTRACT,
        "hook_trust": text(complaint=model.complaint_about_path),
        "tool_list": _TOOL_LIST,
        "first_request": _FIRST_REQUEST,
        "cannot": list_of(_CANNOT),
        "source": text(),
        "checked": text(complaint=_date_complaint),
        "mcp_config": _SERVERS,
        "extra_mcp_configs": list_of(_SERVERS),
        "hook_config": Record(_LISTS),
        "skill_config": _SKILLS,
    },
    ignored=("template",),
    sparse=True,
)


class _Loader:
    """Reads adapter files layer by layer and merges them."""

    def __init__(self, check: Check, foreign: ForeignLayers) -> None:
        self.check, self.foreign = check, foreign
        self.waiting: list[WaitingAdapter] = []
        self.foreign_ids: set[str] = set()
        self.rows: dict[str, dict[str, Any]] = {}
        self.problems: list[YamlProblem] = []
        self.changed_limits: list[str] = []

    def add_layer(self, layer: str, folder: Path) -> None:
        first: dict[str, str] = {}
        for path in sorted(folder.glob("*.yaml")):
            file = f"{layer}/adapters/{path.name}"
            content = self._content(path, folder.parent, file, is_foreign=layer in self.foreign.places)
            row = self._row(content, file) if content is not None else None
            if content is None or row is None:
                continue
            if row["id"] in first:
                self._complain(file, 1, f'the id "{row["id"]}" is taken by {first[row["id"]]}')
                continue
            first[row["id"]] = path.name
            if layer not in self.foreign.places or self._may_count(layer, path, file, row, content):
                self._merge(layer, file, row)

    def _content(self, path: Path, layer: Path, file: str, *, is_foreign: bool) -> bytes | None:
        if is_foreign and not path.resolve().is_relative_to(layer.resolve()):
            self._complain(file, 0, "is a link that leads out of its layer (copy the file instead)")
            return None
        try:
            return read_bounded(path)
        except OSError as error:
            self._complain(file, 0, f"cannot be read: {error.strerror}")
            return None

    def _may_count(self, layer: str, path: Path, file: str, row: dict[str, Any], content: bytes) -> bool:
        """Whether somebody else's adapter keeps to the closed lists, and its user has agreed to these very bytes."""
        if complaint := complaint_about_foreign(row):
            self._complain(file, 1, complaint)
            return False
        name, place, code = row["id"], self.foreign.places[layer], hash_of(content)
        if not is_agreed(self.foreign.agreed, code=code, name=name, place=place):
            self.waiting.append(WaitingAdapter(name, layer, place, str(path), code, (*writes_of(row),)))
            return False
        self.foreign_ids.add(name)
        return True

    def _row(self, content: bytes, file: str) -> dict[str, Any] | None:
        checked = self.check(content, ADAPTER, file)
        self.problems += checked.problems
        row: dict[str, Any] | None = checked.value
        return row

    def _merge(self, layer: str, file: str, row: dict[str, Any]) -> None:
        name = row["id"]
        merged = self.rows.get(name, {}) | row
        if complaint := model.complaint_about(merged):
            self._complain(file, 1, complaint)
            return
        if name in self.rows and not _LIMITED.isdisjoint(row):
            old, new = model.adapter_from(self.rows[name]), model.adapter_from(merged)
            self.changed_limits += _changed_limits(layer, old, new)
        self.rows[name] = merged

    def _complain(self, file: str, line: int, message: str) -> None:
        self.problems.append(YamlProblem(file, line, message))


def load_adapters(
    layers: Sequence[tuple[str, Path]], check: Check = check, foreign: ForeignLayers = NONE_FOREIGN
) -> LoadedAdapters:
    """Loads the adapters of AI tools from the folder `adapters` of each layer; later layers override earlier.

    Those of a foreign layer count only as far as their user has agreed to them.
    """
    loader = _Loader(check, foreign)
    for layer, folder in layers:
        loader.add_layer(layer, folder / "adapters")
    adapters = tuple(
        replace(adapter, is_foreign=True) if adapter.id in loader.foreign_ids else adapter
        for adapter in (model.adapter_from(loader.rows[name]) for name in sorted(loader.rows))
    )
    return LoadedAdapters(
        adapters, tuple(loader.problems), tuple(loader.changed_limits), tuple(loader.waiting)
    )


def _changed_limits(layer: str, old: Adapter, new: Adapter) -> Iterator[str]:
    scopes = {target.scope for target in new.targets}
    before, after = _limits_by_place(old, scopes), _limits_by_place(new, scopes)
    for place in dict.fromkeys((*before, *after)):
        was, is_now = before.get(place), after.get(place)
        if was == is_now:
            continue
        key, where = place
        subject = f"{key} of {new.id}" + (f" in {where}" if where else "")
        if was is None:
            yield f"{layer} sets {subject} to {is_now}"
        elif is_now is None:
            why = "" if where else f" (0 and {NO_LIMIT} mean no limit)"
            yield f"{layer} takes away {subject}, which was {was}{why}"
        else:
            yield f"{layer} changes {subject} from {was} to {is_now}"


def _limits_by_place(adapter: Adapter, scopes: Collection[str]) -> dict[tuple[str, str], str]:
    # Where nothing is written any more, no limit is missed.
    targets = [target for target in adapter.targets if target.scope in scopes]
    everywhere = [("", limit) for limit in adapter.limits]
    somewhere = [(target.path, limit) for target in targets for limit in target.limits]
    return {(_key(limit), where): _amount(limit) for where, limit in (*everywhere, *somewhere)}


def _key(limit: Limit) -> str:
    return {"bytes": "max_bytes", "chars": "max_chars"}.get(limit.unit, "max_tokens")


def _amount(limit: Limit) -> str:
    return f"{limit.most} {limit.unit}" if limit.unit in model.TOKENIZERS else str(limit.most)
