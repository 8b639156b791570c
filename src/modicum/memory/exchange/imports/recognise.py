"""Recognises the format of an import by its content and reads it: modicum, engram, Markdown and others."""

import codecs
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from modicum.memory.exchange.archive import FORMAT, document_of_lines
from modicum.memory.exchange.imports import foreign_rows, markdown
from modicum.memory.exchange.imports.databases import MAGIC, is_known, read_database
from modicum.memory.exchange.imports.import_contents import UNDERSTOOD
from modicum.memory.exchange.imports.model import ImportContents
from modicum.memory.exchange.imports.read_records import read_contents
from modicum.memory.foreign_json import WrongShape, shaped
from modicum.memory.model import ImportProblem, Refused
from modicum.memory.times import stamp

MOST_BYTES = 1_000_000_000  # of a file
MOST_UNPACKED = 256_000_000  # of a chunk that is compressed
MOST_FILES = 100_000
MANIFEST = "manifest.json"
LARGEST_NOTE = 8_000_000
_GZIP = b"\x1f\x8b"


def recognise(path: Path, project: str, *, too_wide: str = "") -> ImportContents:
    """Recognises the format of a file or folder to import, and reads its notes; `project` is the default.

    `too_wide` is why a folder is not searched for Markdown notes, if it is not.
    """
    try:
        return _folder(path, project, too_wide) if path.is_dir() else _file(path, project)
    except OSError as error:
        raise Refused(
            f"{path} cannot be read: {error.strerror}", remedy="check the path and its rights"
        ) from error


def _unknown(path: Path) -> Refused:
    return Refused(f"{path} is nothing that can be imported", remedy=f"understood are: {UNDERSTOOD}")


def _file(path: Path, project: str) -> ImportContents:
    if not path.is_file():
        raise _unknown(path)
    with path.open("rb") as file:
        start = file.read(4096)
    if start.startswith(MAGIC):
        return read_database(path)
    if start.startswith(_GZIP):
        chunk, problems = _unpacked(path)
        return read_contents("a chunk of engram", chunk or {"observations": []}, problems)
    if path.stat().st_size > MOST_BYTES:
        raise Refused(f"{path} has more than {MOST_BYTES:,} bytes", remedy="import it in parts")
    begun = _decoded(start)
    if not begun.strip():
        raise Refused(f"{path} is empty", remedy="see whether it was written to its end")
    if "\0" in begun:
        raise _unknown(path)
    if begun.lstrip()[:1] in ("{", "["):
        return _json(path, project)
    if path.suffix.lower() in (".md", ".markdown") or markdown.split_front_matter(begun)[0]:
        return _markdown([path], path.parent, project, alone=True)
    raise _unknown(path)


def _decoded(data: bytes) -> str:
    """Decodes the bytes of a file: UTF-8, or UTF-16 with a mark as Windows writes it."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig", errors="replace")


# JSON


def _json(path: Path, project: str) -> ImportContents:
    text = _decoded(path.read_bytes())
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _lines(path, text, project, error)
    if isinstance(document, dict) and document.get("type") in ("entity", "relation"):
        return _graph([document], project, path, [])  # a memory with one thing in it
    if isinstance(document, dict) and isinstance(document.get("entities"), list):
        return _graph(_typed(document), project, path, [])
    if isinstance(document, dict) and {"sessions", "notes", "observations", "prompts"} & document.keys():
        source = "modicum's export" if document.get("format") == FORMAT else "engram's export"
        return read_contents(source, document)
    raise _unknown(path)


def _typed(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a graph that was exported as one document, each with its type."""
    relations = document.get("relations")
    parts = (("entity", document["entities"]), ("relation", relations if isinstance(relations, list) else []))
    return [{**each, "type": kind} for kind, items in parts for each in items if isinstance(each, dict)]


def _lines(path: Path, text: str, project: str, error: Exception) -> ImportContents:
    """Reads lines of JSON; if they are none, refuses the document with the place of the error."""
    records, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            records.append(record)
        else:
            problems.append(ImportProblem(f"{path.name}, line {number}", "it is no JSON object"))
    if records and records[0].get("format") == FORMAT:
        return read_contents("modicum's export", document_of_lines(records[0], records[1:]), problems)
    if any(record.get("type") in ("entity", "relation") for record in records):
        return _graph(records, project, path, problems)
    if not problems:
        raise _unknown(path)
    at = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else ()
    where = "from line {}, column {} on".format(*at) if at else "it is nested too deeply"
    raise Refused(
        f"{path} is not JSON that can be read: {where}", remedy="see whether it is whole, or export it again"
    )


def _graph(
    records: list[dict[str, Any]], project: str, path: Path, problems: list[ImportProblem]
) -> ImportContents:
    entities: list[foreign_rows.Entity] = []
    relations: list[foreign_rows.GraphRelation] = []
    odd = list(problems)
    for number, record in enumerate(records, 1):
        try:
            read = foreign_rows.graph_entry(record)
        except WrongShape as error:
            odd.append(ImportProblem(f"entry {number}", str(error)))
            continue
        if isinstance(read, foreign_rows.Entity):
            entities.append(read)
        else:
            relations.append(read)
    document = foreign_rows.graph(entities, relations, project=project, at=stamp(path.stat().st_mtime))
    return read_contents("the memory of server-memory", document, odd)


# Folders


def _folder(path: Path, project: str, too_wide: str) -> ImportContents:
    chunks = path / "chunks" if (path / "chunks").is_dir() else path / ".engram" / "chunks"
    if chunks.is_dir() and list(chunks.glob("*.jsonl.gz")):
        return _engram(chunks)
    databases = [each for each in sorted(path.glob("*.db")) if each.is_file()]
    known = [each for each in databases if is_known(each)]
    if known:
        others = [
            ImportProblem(each.name, "one database is read of a folder: import it by itself")
            for each in known[1:]
        ]
        read = read_database(known[0])
        return read._replace(problems=(*others, *read.problems))
    if too_wide:
        raise Refused(
            f"{too_wide}, which is not searched for notes",
            remedy="name the folder or file that has the notes",
        )
    problems: list[ImportProblem] = []
    notes = list(_notes_in(path, problems))
    if notes:
        return _markdown(notes, path, project, problems)
    if databases:
        return _file(databases[0], project)  # which says why not
    raise _unknown(path)


def _engram(folder: Path) -> ImportContents:
    """Reads all chunks of engram; of two copies of a note, the later one."""
    document: dict[str, list[Any]] = {"sessions": [], "observations": [], "prompts": []}
    problems: list[ImportProblem] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        chunk, odd = _unpacked(path)
        problems += odd
        for name in document:
            items = (chunk or {}).get(name)
            document[name] += items if isinstance(items, list) else []
    document["observations"] = _latest(document["observations"])
    return read_contents("engram's chunks", document, [*problems, *_lost(folder)])


def _lost(folder: Path) -> list[ImportProblem]:
    """Problems: chunks that engram's manifest lists and that are not there."""
    path = folder.parent / MANIFEST
    if not path.is_file():
        return []
    try:
        listed = shaped(json.loads(path.read_bytes()), _Manifest).chunks or ()
    except WrongShape as error:
        return [ImportProblem(MANIFEST, f"it is damaged ({error})")]
    except (ValueError, RecursionError):
        return [ImportProblem(MANIFEST, "it is damaged")]
    there = {each.name for each in folder.iterdir()}
    names = [f"{chunk.id}.jsonl.gz" for chunk in listed]
    return [
        ImportProblem(name, "it is in the list of chunks, and not there")
        for name in names
        if name not in there
    ]


class _ListedChunk(msgspec.Struct):
    id: str


class _Manifest(msgspec.Struct):
    chunks: list[_ListedChunk] | None


def _latest(notes: list[Any]) -> list[Any]:
    known: dict[object, Any] = {}
    for number, note in enumerate(notes):
        named = note.get("sync_id") if isinstance(note, dict) else None
        key = named if named and isinstance(named, str) else number
        if key not in known or str(note.get("updated_at")) > str(known[key].get("updated_at")):
            known[key] = note
    return list(known.values())


def _unpacked(path: Path) -> tuple[dict[str, Any] | None, list[ImportProblem]]:
    """Unpacks a chunk of engram; returns problems if it is damaged or its hash is not its name."""
    data = b""
    try:
        unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
        data = unpack.decompress(path.read_bytes(), MOST_UNPACKED)
        if unpack.unconsumed_tail:
            return None, [ImportProblem(path.name, f"it unpacks to more than {MOST_UNPACKED:,} bytes")]
        document = json.loads(data) if unpack.eof else None
    except OSError as error:
        return None, [_unread(path.name, error)]
    except (zlib.error, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        return None, [ImportProblem(path.name, "it is damaged")]
    name = path.name.removesuffix(".jsonl.gz")
    if len(name) == 8 and sha256(data).hexdigest()[:8] != name:
        return None, [ImportProblem(path.name, "its content is not what its name stands for")]
    return document, []


def _unread(name: str, error: OSError) -> ImportProblem:
    return ImportProblem(name, f"it cannot be read: {error.strerror}")


def _notes_in(folder: Path, problems: list[ImportProblem]) -> Iterator[Path]:
    """The Markdown files below a folder; hidden folders are left alone, and so are links to elsewhere."""

    def cannot(error: OSError) -> None:
        problems.append(_unread(os.path.relpath(error.filename, folder), error))

    count = 0
    for place, folders, files in os.walk(folder, onerror=cannot):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in (Path(place) / name for name in sorted(files) if name.lower().endswith(".md")):
            count += 1
            if path.is_symlink() or not path.is_file():
                problems.append(
                    ImportProblem(path.relative_to(folder).as_posix(), "it is a link, or no file")
                )
            elif count <= MOST_FILES:
                yield path
    if count > MOST_FILES:
        problems.append(
            ImportProblem(str(folder), f"it has {count:,} files, and {MOST_FILES:,} are read at a time")
        )


def _markdown(
    paths: list[Path],
    root: Path,
    project: str,
    problems: Sequence[ImportProblem] = (),
    *,
    alone: bool = False,
) -> ImportContents:
    read = [_note_file(path, path.relative_to(root).as_posix()) for path in paths]
    files = [each for each in read if isinstance(each, markdown.MarkdownFile)]
    problems = [*problems, *(each for each in read if isinstance(each, ImportProblem))]
    document, odd = markdown.notes(files, markdown.MarkdownFolder(root.absolute().name, project))
    kind = markdown.folder_kind([file.path for file in files])
    named = "a Markdown note" if alone and kind == markdown.PLAIN else kind
    unused = {problem.where for problem in odd}
    used = tuple(file.path for file in files if file.path not in unused)
    return read_contents(named, document, [*problems, *odd])._replace(files=used)


def _note_file(path: Path, name: str) -> markdown.MarkdownFile | ImportProblem:
    """Reads a Markdown file; returns a problem if it cannot be read."""
    try:
        if path.stat().st_size > LARGEST_NOTE:
            return ImportProblem(name, f"it has more than {LARGEST_NOTE:,} bytes")
        text = _decoded(path.read_bytes())
        if "\0" in text or (text.strip() and not text.strip("\ufffd \t\r\n")):
            return ImportProblem(name, "it is no text")
        return markdown.MarkdownFile(name, text, stamp(path.stat().st_mtime))
    except OSError as error:
        return _unread(name, error)
