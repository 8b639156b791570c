"""The brief for a hook on another machine."""

from modicum.app.session.brief import brief_for
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store


def test_a_brief_is_for_a_session_or_for_a_prompt_and_no_longer_than_asked(tmp_path) -> None:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    notes = [f"Retry the payment webhook {n}" for n in range(9)] + ["The colour of the curtains"]
    store.save_all([NoteDraft(title, title, project="shop") for title in notes])

    start = brief_for(store, "shop")
    prompt = brief_for(store, "shop", "why is the payment webhook sent twice?", limit=2)
    none = brief_for(store, "shop", limit=0)
    store.close()

    assert (start.notes[0].title, len(start.notes), start.total) == (notes[-1], 8, 10)
    assert [note.title.startswith("Retry") for note in prompt.notes] == [True, True]
    assert (none.notes, none.total) == ((), 10)
