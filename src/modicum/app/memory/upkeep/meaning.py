"""Finding notes by meaning, for the doors: whether it can be, vectors for all notes, and a server's background work."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modicum.base.config import Config
from modicum.base.extras import has_meaning, install_command
from modicum.memory.find import meaning_model
from modicum.memory.find.meaning_model import NAME, NoModel, SentenceModel
from modicum.memory.store import Store
from modicum.memory.tables import vectors

if TYPE_CHECKING:
    from modicum.memory.find.meaning import Meaning

OFF = "off"
WORDS = "by words alone"


class MeaningState(NamedTuple):
    """The state of finding notes by meaning, for the doctor: in words, with counts, and with what is wrong unless somebody turned it off."""

    is_on: bool
    sentence: str
    problem: str = ""
    vectors: int = 0
    missing: int = 0


class MadeVectors(NamedTuple):
    """The vectors of all notes after `modicum memory index`: how many were made now, and how many there are."""

    made: int
    total: int


def weights_of(config: Config) -> Path:
    """Returns the file of the sentence model by which notes are found here, as the config names it or as it is installed.

    Raises NoModel if notes cannot be found by meaning here.
    """
    if config.meaning == OFF:
        raise NoModel(
            "finding notes by meaning is switched off", remedy='take "meaning: off" out of config.yaml'
        )
    if not has_meaning():
        raise NoModel(
            "the libraries for finding notes by meaning are not installed", remedy=install_command("meaning")
        )
    return meaning_model.find_weights(config.meaning, config.data / "meaning")


def load_sentence_model(config: Config) -> SentenceModel:
    """Loads for a door the sentence model that the config names, to find notes by meaning; raises NoModel if there is none that is known."""
    return meaning_model.load_model(weights_of(config))


@contextmanager
def found_by_meaning(config: Config, store: Store) -> Iterator[None]:
    """While a server runs: its store finds notes by meaning, too, as soon as the model is there, and makes vectors.

    Without a model it does nothing; about a named file that cannot be used there is a line in the log.
    """
    try:
        weights = weights_of(config)
    except NoModel:
        yield
        return

    from modicum.memory.find.meaning_index import VectorKeeper

    def ready(meaning: "Meaning") -> None:
        store.meaning = meaning

    keeper = VectorKeeper(store.database, lambda: meaning_model.load_model(weights), ready)
    keeper.start()
    try:
        yield
    finally:
        keeper.stop()


def index_meaning(
    config: Config, store: Store, *, begin: Callable[[int], None], tell: Callable[[int], None]
) -> MadeVectors:
    """Makes the index by meaning for the doors: vectors of all notes without one; `begin` hears how many, `tell` the progress."""
    from modicum.memory.find.meaning_index import embed_some

    model = load_sentence_model(config)
    with store.database.reading() as tx:
        todo = vectors.count_missing(tx, model.name)
        there = vectors.count(tx, model.name)
    begin(todo)
    # Notes that come meanwhile are made, too, but it ends also if a note is changed again and again.
    done = 0
    while done < todo and (some := embed_some(store.database, model)):
        done += some
        tell(min(some, todo - done + some))
    with store.database.reading() as tx:
        total = vectors.count(tx, model.name)
    return MadeVectors(total - there, total)


def meaning_state(config: Config, store: Store) -> MeaningState:
    """Returns whether notes are found by meaning here, for the doctor; checks the weights without loading them."""
    try:
        weights = weights_of(config)
        meaning_model.check_weights(weights)
    except NoModel as error:
        wanted = config.meaning not in ("", OFF)
        return MeaningState(False, f"{WORDS}: {error}", str(error) if wanted else "")
    with store.database.reading() as tx:
        made, missing = vectors.count(tx, NAME), vectors.count_missing(tx, NAME)
    counted = f"{made:,} of {made + missing:,} notes have a vector"
    rest = "; modicum memory index makes the others" if missing else ""
    return MeaningState(True, f"by words and meaning in serve and mcp ({counted}{rest})", "", made, missing)
