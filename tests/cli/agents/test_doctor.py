"""modicum doctor"""

from contextlib import closing

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config

HINT = "Try modicum doctor --fix; your notes are not touched by it.\n"


def test_a_damaged_index_is_made_anew(world) -> None:
    world.modicum("save", "a", "walrus")
    with closing(open_store(load_config())) as store, store.database.writing() as tx:
        tx.run("UPDATE packed_passages SET texts = packed('a', '', 'seal')")

    damaged = world.modicum("doctor")

    assert "wrong  the full-text index passages_fts is damaged: rebuild it\n" in damaged.out
    assert damaged.out.endswith(HINT)
    assert "is damaged" not in world.modicum("doctor", "--fix").out


def test_a_problem_that_only_speaks_of_an_index_is_not_mended_by_making_it_anew(world) -> None:
    source = "https://example.com/index.git"
    world.write(".modicum/config.yaml", f"sources:\n  index: {{location: {source}}}\n")

    said = world.modicum("doctor")

    assert [line for line in said.out.splitlines() if line.startswith("wrong") and "index" in line]
    assert HINT not in said.out
