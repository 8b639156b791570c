"""Moves an engram database into memory and out again, and compares every field.

    .venv/bin/python bench/engram_move.py [notes]

The database has engram's tables, notes of seven projects with topics, counts and deletions, prompts and relations.
"""

import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from modicum.app.memory.exchange import bring_in
from modicum.compat.engram import go_json, records
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.exchange.archive import from_document, to_document
from modicum.memory.exchange.imports.recognise import recognise
from modicum.memory.exchange.transfer import stamped
from modicum.memory.store import Store

Value = TypeVar("Value")


def fixtures() -> ModuleType:
    path = Path(__file__).parent.parent / "tests" / "memory" / "exchange" / "elsewhere.py"
    spec = importlib.util.spec_from_file_location("elsewhere", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed(what: str, action: Callable[[], Value]) -> Value:
    start = time.perf_counter()
    found = action()
    print(f"{what:<44}{time.perf_counter() - start:8.2f} s")
    return found


def main(number: int) -> int:
    elsewhere = fixtures()
    rows = elsewhere.engram_rows(number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = elsewhere.make(folder / "engram.db", elsewhere.ENGRAM + elsewhere.ENGRAM_RELATIONS, **rows)
        store = Store(SqliteDatabase(folder / "ours" / "memory.db"))
        found = timed("recognise and read engram's database", lambda: recognise(source, ""))
        report = timed("import", lambda: bring_in(store, found, dry_run=False, tell=lambda _: None))
        again = timed("import again", lambda: bring_in(store, found, dry_run=False, tell=lambda _: None))
        archive = store.export()
        document = timed("export for engram", lambda: json.loads(go_json.encode(records.export(archive))))
        copy = Store(SqliteDatabase(folder / "copy" / "memory.db"))
        timed(
            "our own export into an empty memory", lambda: copy.take_in(from_document(to_document(archive)))
        )
        differences = compare(elsewhere, folder, rows, document, archive)
        # Each memory says for itself that a note came by import.
        wanted, kept = (stamped(each, "")._replace(exported_at="") for each in (archive, copy.export()))
        differences["our own format"] = int(kept != wanted)
        store.close()
        copy.close()
    print(f"\n{report.source}: {report.came._asdict()}, problems {len(report.problems)}")
    print(f"second import: {sum(again.came)} new")
    for what, count in differences.items():
        print(f"{what:<44}{count:>8} differ")
    return 1 if sum(differences.values()) or report.problems or sum(again.came) else 0


def compare(elsewhere: ModuleType, folder: Path, rows: Any, document: Any, archive: Any) -> dict[str, int]:  # noqa: ANN401
    """What engram's tables hold after it has imported our export, against what they held."""
    connection = elsewhere.engram_import(folder / "back.db", document)
    found = {}
    for table in ("sessions", "observations", "user_prompts"):
        names = [
            name for name in rows[table][0] if name not in ("normalized_hash", "id") or table == "sessions"
        ]
        back = connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
        given = [tuple(row[name] for name in names) for row in rows[table]]
        found[table] = len(set(given) ^ set(back)) + abs(len(given) - len(back))
    connection.close()
    keys = {each.id: each.sync_id for each in archive.notes}
    here = {(keys[each.from_id], keys[each.to_id], each.note) for each in archive.relations}
    found["relations"] = len(
        here ^ {(row["source_id"], row["target_id"], row["reason"]) for row in rows["memory_relations"]}
    )
    found["deletions"] = sum(bool(each.deleted_at) for each in archive.notes) - sum(
        bool(row["deleted_at"]) for row in rows["observations"]
    )
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
