"""What the screens of memory cost the server on a large store: `python bench/workbench.py`, a table on standard output."""

import argparse
import json
import random
import time
from collections.abc import Callable
from functools import partial

from engines import opened
from memory import QUANTILES, SAVED, Times, copy, drafts, fresh, person, settle, timed, vocabulary
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Query
from modicum.memory.store import Store
from modicum.web.memory import actions, log, notes, review, sessions

SIZE = 100_000
ROUNDS = 40
RELATIONS = 4_000
DELETED = 2_000
WAITING = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE)
    size = parser.parse_args().size
    with opened("sqlite") as opening:
        store = Store(opening())
        fill(store, size)
        print(
            f"{size:,} notes, milliseconds: CPU p50 · time {' / '.join(f'p{100 * each:.0f}' for each in QUANTILES)}\n"
        )
        print("| | everybody's | a person's | bytes |\n| --- | --- | --- | --- |")
        for name, work in works().items():
            seen = [timed(partial(work, who), ROUNDS) for who in (store, person(store))]
            print(f"| {name} | {' | '.join(map(cell, seen))} | {len(work(store, 0)):,} |")
        store.close()


def fill(store: Store, size: int) -> None:
    source, chance = drafts(vocabulary()), random.Random(7)
    for _ in range(min(size, SAVED) // 500):
        store.save_all([next(source) for _ in range(500)])
    if size > SAVED:
        copy(store.database, size, time.monotonic() + 3_600)
    settle(store.database)
    for kind in ("contradicts", "supersedes", "relates_to", "part_of"):
        for _ in range(min(size, RELATIONS) // 4):
            one, other = chance.sample(range(1, min(size, SAVED)), 2)
            if not any({one, other} == {edge.from_id, edge.to_id} for edge in store.relations(one)):
                store.relate(one, other, kind)

    for number in chance.sample(range(1, min(size, SAVED)), min(size, DELETED)):
        store.delete(number)
    agent = store.with_origin("agent:codex")
    for each in range(WAITING):
        agent.save_waiting(next(source)._replace(title=f"waits {each}"), "a note says it already")


def works() -> dict[str, Callable[[Store, int], bytes]]:
    words = [word for word in vocabulary() if word.isalpha()]

    def shown(handler: Callable[[ApiRequest], Reply], **asked: str) -> Callable[[Store, int], bytes]:
        return lambda store, _: handler(ApiRequest(store, query=asked)).body

    def searched(store: Store, turn: int) -> bytes:
        return notes.notes(ApiRequest(store, query={"part": "list", "q": fresh(words, turn)})).body

    def pinned(store: Store, turn: int) -> bytes:
        body = json.dumps(
            {"id": store.recent(Query(project="shop", limit=1)).items[0].id, "pinned": bool(turn % 2)}
        ).encode()
        return actions.pin(ApiRequest(store, body=body)).body

    return {
        "the screen": shown(notes.notes),
        "a search": searched,
        "a type": shown(notes.notes, part="list", type="bugfix"),
        "some days": shown(notes.notes, part="list", since="2000-01-01", until="2999-01-01"),
        "an origin": shown(notes.notes, part="list", origin="agent"),
        "pinned": shown(notes.notes, part="list", state="pinned"),
        "in the inbox": shown(notes.notes, part="list", state="inbox"),
        "deleted": shown(notes.notes, part="list", state="deleted"),
        "a note": shown(notes.notes, part="note", note="500"),
        "sessions": shown(sessions.sessions),
        "review": shown(review.review, part="1"),
        "log": shown(log.log, part="1"),
        "version": shown(notes.version),
        "pin": pinned,
    }


def cell(times: Times) -> str:
    used, *waited = times
    return f"{used:.1f} · {' / '.join(f'{each:.1f}' for each in waited)}"


if __name__ == "__main__":
    main()
