"""A memory with one of everything that an export holds."""

import pytest

from modicum.memory.model import NoteDraft


@pytest.fixture
def filled(store, clock):
    store.start_session("s", project="p", directory="/d", namespace="n")
    ids = [
        store.save(NoteDraft(f"t{i}", f"walrus {i}", "decision", "p", "s", topic_key="k" if i < 2 else "")).id
        for i in range(4)
    ]
    clock.pass_(minutes=1)
    store.save(
        NoteDraft("solo", "elsewhere", namespace="agent/a", scope="global", author="mia", tool_name="bash")
    )
    store.add_prompt("why?", session_id="s", project="p", namespace="n")
    store.relate(ids[0], ids[2], "depends_on", note="n")
    store.pin(ids[2])
    store.delete(ids[3])
    store.put_progress("p", '{"a": 1}')
    store.end_session("s", "done")
    return store
