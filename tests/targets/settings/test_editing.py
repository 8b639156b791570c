"""Laws that hold for every language, on random documents, and the words that the edits use."""

import copy
import json
import random
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, UndoOutcome

R = TypeVar("R")

KEYS = [
    "a",
    "b",
    "mcpServers",
    "hooks",
    "with space",
    "x.y",
    "sl/ash",
    'quo"te',
    "é",
    "😀",
    "back\\slash",
    "#hash",
    "on",
    "1",
]
NEW_KEYS = ["modicum", "new.key", "new key", 'n"q', "ñ", "null", "2", "#", "// no", "tab\tkey", "~"]
WORDS = [
    "",
    "x",
    "plain words",
    "é😀",
    "a#b",
    "# no comment",
    "// no",
    "/* no */",
    "line\nbreak",
    '"',
    "\\",
    "true",
    "1.0",
    "{",
    "}",
    "a: b",
    "[",
    "\x7f\u2028",
]
COMMENTS = ["note", "{ [", '"', "é", ",", "a: 1", "*", ""]


def pick(rng: random.Random, depth: int = 0, *, null: bool = True) -> object:
    kind = rng.choice(
        ["text", "text", "number", "flag", "object", "list"] if depth < 3 else ["text", "number", "flag"]
    )
    if kind == "object":
        return {key: pick(rng, depth + 1, null=null) for key in rng.sample(KEYS, rng.randint(0, 3))}
    if kind == "list":
        return [pick(rng, depth + 1, null=null) for _ in range(rng.randint(0, 3))]
    if kind == "text":
        return rng.choice(WORDS)
    if kind == "number":
        return rng.choice([0, -1, 2**60, 1.0, 1e5, 0.25, -1e-7, 1e300])
    return rng.choice([True, False, None] if null else [True, False])


def tree(rng: random.Random, *, null: bool = True) -> dict[str, object]:
    keys = rng.sample(KEYS, rng.randint(0, 5))
    return {key: pick(rng, 1, null=null) for key in keys}


class JsonWriter:
    """Writes JSON with comments the way people do, each time differently."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.trailing = rng.random() < 0.3
        self.comments = rng.random() < 0.6
        self.unit = rng.choice(["  ", "    ", "\t", " "])

    def gap(self) -> str:
        rng = self.rng
        parts = [rng.choice(["", "", " ", "  ", "\n", "\n\n", "\t"])]
        if self.comments and rng.random() < 0.2:
            note = rng.choice(COMMENTS)
            parts += rng.choice([f"// {note}\n", f"/*{note}*/", f"/* {note}\n {note} */", f" // {note}\n"])
            parts += rng.choice(["", " ", "\n"])
        return "".join(parts)

    def write(self, value: object, indent: str, *, tidy: bool) -> str:
        if not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=self.rng.random() < 0.5)
        opener, closer = "{}" if isinstance(value, dict) else "[]"
        items = (
            [self.entry(value, key, indent, tidy=tidy) for key in value]
            if isinstance(value, dict)
            else [self.write(v, indent + self.unit, tidy=tidy) for v in value]
        )
        if tidy and items:
            comma = "," if self.trailing else ""
            inner = indent + self.unit
            return opener + "\n" + inner + (",\n" + inner).join(items) + comma + "\n" + indent + closer
        comma = "," + self.gap() if self.trailing and items else ""
        return (
            opener + self.gap() + ",".join(self.gap() + item + self.gap() for item in items) + comma + closer
        )

    def entry(self, value: dict[str, object], key: str, indent: str, *, tidy: bool) -> str:
        colon = ": " if tidy else self.gap() + ":" + self.gap()
        return (
            json.dumps(key, ensure_ascii=self.rng.random() < 0.5)
            + colon
            + self.write(value[key], indent + self.unit, tidy=tidy)
        )

    def document(self, value: object) -> str:
        tidy = self.rng.random() < 0.5
        before, after = ("", self.rng.choice(["", "\n"])) if tidy else (self.gap(), self.gap())
        return before + self.write(value, "", tidy=tidy) + after


class YamlWriter:
    """Writes block and flow YAML with comments."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.unit = rng.choice([2, 4, 3])
        self.indentless = rng.random() < 0.4

    def text(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\x7f").replace("\u2028", "\\u2028")

    def scalar(self, value: object) -> str:
        if isinstance(value, float):
            return {1e5: "1.0e+5", -1e-7: "-1.0e-7", 1e300: "1.0e+300"}.get(value, repr(value))
        if isinstance(value, str) and value in ("x", "plain words", "é😀", "a#b") and self.rng.random() < 0.7:
            return value
        return self.text(value)

    def flow(self, value: object) -> str:
        space = self.rng.choice(["", " "])
        if isinstance(value, dict):
            return (
                "{"
                + space
                + ", ".join(f"{self.text(k)}: {self.flow(v)}" for k, v in value.items())
                + space
                + "}"
            )
        if isinstance(value, list):
            return (
                "["
                + space
                + ("," + self.rng.choice([" ", ""])).join(self.flow(v) for v in value)
                + space
                + "]"
            )
        return self.text(value) if isinstance(value, str) else self.scalar(value)

    def note(self) -> str:
        return self.rng.choice(["", "", "", " # " + self.rng.choice(COMMENTS)])

    def between(self, indent: int) -> list[str]:
        return self.rng.choice([[], [], [], [""], [" " * indent + "# between"], ["# far left", ""]])

    def lines(self, value: object, indent: int) -> list[str]:
        out: list[str] = []
        pairs = (
            [(f"{self.text(k)}:", v) for k, v in value.items()]
            if isinstance(value, dict)
            else [("-", v) for v in value]
        )  # type: ignore[attr-defined]
        for head, item in pairs:
            out += self.between(indent) if out else []
            out += self.member(" " * indent + head, item, indent)
        return out

    def member(self, head: str, value: object, indent: int) -> list[str]:
        if isinstance(value, str) and value == "line\nbreak" and self.rng.random() < 0.6:
            pad = " " * (indent + self.unit)
            return [f"{head} |-", f"{pad}line", f"{pad}break", *self.rng.choice([[], [""]])]
        if isinstance(value, dict | list) and value and self.rng.random() < 0.7:
            flush = self.indentless and isinstance(value, list) and head.endswith(":")
            inner = self.lines(value, indent if flush else indent + self.unit)
            if head.endswith("-") and self.rng.random() < 0.7:
                return [head + inner[0][indent + 1 :], *inner[1:]]
            return [head + self.note(), *inner]
        written = self.flow(value) if isinstance(value, dict | list) else self.scalar(value)
        if value is None and self.rng.random() < 0.5:
            return [head + self.note()]
        return [f"{head} {written}{self.note()}"]

    def document(self, value: object) -> str:
        rng = self.rng
        head = rng.choice(["", "", "# head\n", "---\n", "\n"])
        if not value:
            return head + rng.choice(["", "{}", "{}\n", "{ } # c\n"])
        if rng.random() < 0.15:
            return head + self.flow(value) + rng.choice(["", "\n"])
        return head + "\n".join(self.lines(value, 0)) + rng.choice(["", "\n", "\n\n", "\n# tail\n"])


class TomlWriter:
    """Writes TOML with headers, dotted keys, inline tables and arrays of tables."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def text(self, value: str) -> str:
        if "'" not in value and value.isprintable() and self.rng.random() < 0.3:
            return f"'{value}'"
        if "\n" in value and self.rng.random() < 0.5:
            return '"""\n' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""'
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

    def key(self, key: str) -> str:
        return key if key.isascii() and key.isalnum() else json.dumps(key, ensure_ascii=False)

    def value(self, value: object) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.key(k)} = {self.value(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            gap = self.rng.choice(["", " ", "\n  ", " # c\n "])
            comma = "," if value and self.rng.random() < 0.3 else ""
            return "[" + gap + ("," + gap).join(self.value(v) for v in value) + comma + gap + "]"
        return self.text(value) if isinstance(value, str) else repr(value).lower()

    def note(self) -> str:
        return self.rng.choice(["", "", " # note", "  # [x] = 1"])

    def table(self, path: tuple[str, ...], value: dict[str, object]) -> list[str]:
        rng, later, out = self.rng, list[str](), list[str]()
        for key, item in value.items():
            name = ".".join(map(self.key, (*path, key)))
            if isinstance(item, dict) and rng.random() < 0.7:
                body = self.table((*path, key), item)
                pairs_come_first = bool(body) and not body[0].startswith("[")
                later += (
                    [f"[{name}]{self.note()}", *body]
                    if pairs_come_first or not body or rng.random() < 0.5
                    else body
                )
            elif isinstance(item, dict) and item and rng.random() < 0.5:
                out += [f"{self.key(key)} . {self.key(k)} = {self.value(v)}" for k, v in item.items()]
            elif (
                isinstance(item, list)
                and item
                and all(isinstance(i, dict) for i in item)
                and rng.random() < 0.8
            ):
                for element in item:
                    later += [
                        f"[[{name}]]",
                        *(f"{self.key(k)} = {self.value(v)}" for k, v in element.items()),
                    ]
            else:
                out += [
                    *rng.choice([[], [], ["# above"], [""]]),
                    f"{self.key(key)} = {self.value(item)}{self.note()}",
                ]
        return [*out, *rng.choice([[], [""]]), *later] if later else out

    def document(self, value: dict[str, object]) -> str:
        rng = self.rng
        return (
            rng.choice(["", "# head\n", "\n"])
            + "\n".join(self.table((), value))
            + rng.choice(["", "\n", "\n\n# tail\n"])
        )


WRITERS: dict[str, Callable[[random.Random], JsonWriter | YamlWriter | TomlWriter]] = {
    "jsonc": JsonWriter,
    "yaml": YamlWriter,
    "toml": TomlWriter,
}


def written(language: str, seed: int) -> tuple[random.Random, str, dict[str, object]]:
    rng = random.Random(seed)
    value = tree(rng, null=language != "toml")
    text = WRITERS[language](rng).document(value)  # type: ignore[arg-type]
    if rng.random() < 0.3:
        text = text.replace("\n", "\r\n")
    if rng.random() < 0.1:
        text = "\ufeff" + text
    return rng, text, editing.read(text, language)  # type: ignore[return-value]


def some_path(rng: random.Random, value: object, new: int) -> tuple[str, ...]:
    """A way down existing objects, then new keys."""
    path: tuple[str, ...] = ()
    while isinstance(value, dict) and rng.random() < 0.6:
        inner = [key for key, item in value.items() if isinstance(item, dict) and isinstance(key, str)]
        if not inner:
            break
        path, value = (*path, inner[0]), value[inner[0]]
    return (*path, *rng.sample(NEW_KEYS, new))


def with_value(document: object, path: tuple[str, ...], value: object) -> object:
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner.setdefault(key, {})  # type: ignore[attr-defined]
    inner[path[-1]] = value  # type: ignore[index]
    return changed


def attempt(edit: Callable[..., R], *args: object) -> R | DocumentError:
    try:
        return edit(*args)
    except DocumentError as error:
        return error


LAWS = pytest.mark.parametrize("language", ["jsonc", "yaml"])  # those of TOML are with its tables
SEEDS = st.integers(0, 2**40)


@pytest.mark.parametrize("language", WRITERS)
@given(seed=SEEDS)
def test_a_writer_writes_what_the_reader_reads(language: str, seed: int) -> None:
    rng = random.Random(seed)
    value = tree(rng, null=language != "toml")

    text = WRITERS[language](rng).document(value)  # type: ignore[arg-type]

    assert editing.read(text, language) == value


@LAWS
@given(seed=SEEDS)
@settings(max_examples=200)
def test_a_new_entry_is_added_and_undone_to_the_byte(language: str, seed: int) -> None:
    rng, text, before = written(language, seed)
    path = some_path(rng, before, rng.randint(1, 3))
    value = pick(rng)

    edit = editing.set_entry(text, language, path, value)

    assert editing.read(edit.text, language) == with_value(before, path, value)
    assert editing.set_entry(edit.text, language, path, value) == editing.Edit(edit.text, None)
    assert edit.undo is not None
    record = editing.undo_from(json.loads(json.dumps(edit.undo.as_json())))
    assert editing.undo(edit.text, language, record) == editing.Undone(text, UndoOutcome.RESTORED)


def entries(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths to all values that can be reached through objects."""
    found: list[tuple[str, ...]] = []
    for key, item in value.items() if isinstance(value, dict) else ():
        if isinstance(key, str):
            found += [(*path, key), *entries(item, (*path, key))]
    return found


def at(value: object, path: tuple[str, ...]) -> object:
    for key in path:
        value = value[key]  # type: ignore[index]
    return value


def without(document: object, path: tuple[str, ...], *, prune: bool) -> object:
    changed = copy.deepcopy(document)
    del at(changed, path[:-1])[path[-1]]  # type: ignore[attr-defined]
    if prune and len(path) > 1 and at(changed, path[:-1]) == {}:
        return without(changed, path[:-1], prune=True)
    return changed


@LAWS
@given(seed=SEEDS)
def test_a_replaced_value_comes_back_to_the_byte(language: str, seed: int) -> None:
    rng, text, before = written(language, seed)
    paths = entries(before)
    if not paths:
        return
    path, value = rng.choice(paths), pick(rng)
    edit = editing.set_entry(text, language, path, value)

    assert editing.read(edit.text, language) == with_value(before, path, value)
    assert editing.set_entry(edit.text, language, path, value).text == edit.text
    assert edit.undo is None or editing.undo(edit.text, language, edit.undo).text == text


@LAWS
@given(seed=SEEDS)
def test_an_item_is_added_once_and_undone_to_the_byte(language: str, seed: int) -> None:
    rng, text, before = written(language, seed)
    lists = [path for path in entries(before) if isinstance(at(before, path), list)]
    path = rng.choice(lists) if lists and rng.random() < 0.7 else some_path(rng, before, rng.randint(1, 2))
    value = pick(rng)
    old = at(before, path) if path in lists else []

    edit = editing.add_item(text, language, path, value)

    assert editing.add_item(edit.text, language, path, value) == editing.Edit(edit.text, None)
    if edit.undo is None:
        assert value in old  # type: ignore[operator]
        return
    assert editing.read(edit.text, language) == with_value(before, path, [*old, value])  # type: ignore[misc]
    assert editing.undo(edit.text, language, edit.undo).text == text
    cleaned = editing.read(editing.remove_item(edit.text, language, path, value), language)
    assert pruned(cleaned, (*path, "")) == pruned(before, (*path, ""))


@LAWS
@given(seed=SEEDS)
def test_an_entry_is_removed_without_a_record(language: str, seed: int) -> None:
    rng, text, before = written(language, seed)
    paths = entries(before)
    if not paths:
        return
    path = rng.choice(paths)
    shorter = attempt(editing.remove_entry, text, language, path)
    if isinstance(shorter, DocumentError):
        assert (language, "shares its line" in shorter.message) == ("yaml", True)
        return

    after = editing.read(shorter, language)
    assert path not in entries(after)
    assert pruned(after, path) == pruned(without(before, path, prune=True), path)


def pruned(document: object, path: tuple[str, ...]) -> object:
    """Without containers on the path that are empty; comments in them may keep them alive."""
    for length in range(len(path) - 1, 0, -1):
        if path[:length] in entries(document) and at(document, path[:length]) in ({}, [], None):
            document = without(document, path[:length], prune=False)
    return document


@LAWS
@given(seed=SEEDS)
def test_an_undo_keeps_what_was_added_in_the_meantime(language: str, seed: int) -> None:
    rng, text, before = written(language, seed)
    path = some_path(rng, before, rng.randint(1, 3))
    ours = pick(rng)
    first = editing.set_entry(text, language, path, ours)
    cut = rng.randint(0, len(path) - 1)
    theirs = (*path[:cut], "theirs")
    second = editing.set_entry(first.text, language, theirs, 7)
    assert first.undo is not None
    assert second.undo is not None

    undone = editing.undo(second.text, language, first.undo)

    assert undone.outcome is UndoOutcome.RESTORED
    assert editing.read(undone.text, language) == with_value(before, theirs, 7)
    assert (
        editing.undo(editing.undo(second.text, language, second.undo).text, language, first.undo).text == text
    )
