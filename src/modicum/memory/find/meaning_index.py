"""Makes the vectors that notes lack: some at a time, or in the background of a server for as long as it runs."""

import logging
import threading
import time
from collections.abc import Callable

from modicum.base.errors import ModicumError
from modicum.memory.engines.database import Database
from modicum.memory.find.likeness import text_of
from modicum.memory.find.meaning import Embedder, Meaning
from modicum.memory.find.wordpiece import MOST_READ
from modicum.memory.names import default_session
from modicum.memory.tables import lists, vectors
from modicum.memory.tables.notes import lock_of
from modicum.memory.tables.sql import COUNT_CHANGE
from modicum.memory.tables.vectors import Unembedded

BATCH = 16
FIRST_SECONDS = 1.0  # a server answers its first requests before it loads a model
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 600.0  # between two tries, where memory cannot be written
REST = 20  # times as long as looking took, at least, is not looked again
ALONE = default_session("")  # notes outside of any session have no speakers in common

_log = logging.getLogger(__name__)


def embed_some(database: Database, model: Embedder, limit: int = BATCH) -> int:
    """Adds some notes to the index by meaning, with the vectors that they lack; returns how many it looked at, 0 if none lacks one."""
    with database.reading() as tx:
        found = vectors.missing(tx, model.name, limit, MOST_READ)
        sessions = {note.session_id for note in found if not note.session_id.startswith(ALONE)}
        speakers = {session: vectors.speakers(tx, session) for session in sessions}
    for note in found:
        vector = model.embed(text_of(note.title, note.content, speakers.get(note.session_id, ())))
        _keep(database, model, note, vector, is_last=note is found[-1])
    return len(found)


def _keep(database: Database, model: Embedder, note: Unembedded, vector: bytes, *, is_last: bool) -> None:
    # Whoever changes the note holds the same name: so a vector is never of words that are gone.
    with database.writing(lock_of(note.id)) as tx:
        vectors.put(tx, model.name, [(note, vector)])
        if is_last:
            tx.run(COUNT_CHANGE)  # whoever keeps answers or vectors must hear of these


class VectorKeeper:
    """Keeps the index by which notes are found by meaning up to date, in the background of a server, once the sentence model is loaded."""

    def __init__(
        self,
        database: Database,
        load: Callable[[], Embedder],
        ready: Callable[[Meaning], None],
        *,
        first: float = FIRST_SECONDS,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._database, self._load, self._ready = database, load, ready
        self._first, self._pause = first, pause
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="vectors", daemon=True)

    def start(self) -> None:
        """Starts to keep the index by which notes are found by meaning up to date, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread that keeps the index by which notes are found by meaning, after the note that it is at. May be called twice."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        if self._stopped.wait(self._first):
            return
        try:
            model = self._load()
        except ModicumError as error:
            _log.warning("notes are found by their words alone: %s", error)
            return
        self._ready(Meaning(model))
        self._tell_of_the_model()
        self._keep_up(model)

    def _tell_of_the_model(self) -> None:
        """Counts as a change: answers that were kept before are by words alone."""
        try:
            with self._database.writing("vectors") as tx:
                tx.run(COUNT_CHANGE)
        except ModicumError as error:
            _log.warning("memory cannot be written: %s", error)

    def _keep_up(self, model: Embedder) -> None:
        seen, pause = -1, 0.0
        while not self._stopped.wait(pause):
            started = time.monotonic()
            try:
                version = lists.version(self._database)
                # What is made counts as a change, too: then it is looked once more, and nothing is missing.
                if version != seen and not self._embed_all(model):
                    seen = version
                pause = max(self._pause, REST * (time.monotonic() - started))
            except ModicumError as error:
                pause = min(LONGEST_PAUSE_SECONDS, max(self._pause, 2 * pause))
                _log.warning("vectors are made later: %s", error)

    def _embed_all(self, model: Embedder) -> int:
        """Returns how many were missing; a note that is changed all the time is not waited for."""
        made = 0
        while not self._stopped.is_set() and (some := embed_some(self._database, model)):
            made += some
        return made
