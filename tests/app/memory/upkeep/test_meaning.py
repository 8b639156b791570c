"""Finding by meaning as people get it: a command that makes vectors, servers that use them, a doctor who says which is on."""

import sys
import time
from hashlib import sha256

import pytest

from modicum.app.memory.notes import open_store
from modicum.app.memory.upkeep.meaning import found_by_meaning, meaning_state, weights_of
from modicum.base import extras
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.memory.find import meaning_model
from modicum.memory.find.meaning_model import NoModel


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """A file of weights that is taken for the known one: a network of one table, which really runs."""
    content = sys.modules["tiny_network"].tiny_network(
        [((number * 7919 + at * 104729) % 211) / 211 - 0.5 for at in range(16)] for number in range(30522)
    )
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    monkeypatch.setattr(meaning_model, "WEIGHTS_SHA256", sha256(content).hexdigest())
    monkeypatch.setattr(meaning_model, "PACKAGE", "no_such_package")
    return path


@pytest.fixture
def noted(world):
    """Two notes, saved by plain commands."""
    world.modicum("save", "Refund", "The money went back to the customer")
    world.modicum("save", "Orchid", "A flower in the garden")
    return world


def test_the_command_makes_what_is_missing_once(noted, weights):
    noted.patch.setenv("MODICUM_MEANING", str(weights))
    assert noted.modicum("memory", "index").out == "2 new vectors, 2 in all.\n"
    assert noted.modicum("memory", "index", "--json").json == {"made": 0, "total": 2}
    noted.modicum("update", "1", "--content", "Nobody got any money")
    assert noted.modicum("memory", "index", "--json").json == {"made": 1, "total": 2}


def test_the_weights_may_be_in_the_config_or_among_the_data(noted, weights):
    config = load_config()
    config.folder.mkdir(parents=True, exist_ok=True)
    (config.folder / "config.yaml").write_text(f"meaning: {weights}\n")
    assert weights_of(load_config()) == weights
    (config.folder / "config.yaml").unlink()
    cache = config.data / "meaning"
    cache.mkdir(parents=True)
    (cache / "model.onnx").write_bytes(weights.read_bytes())
    assert weights_of(load_config()) == cache / "model.onnx"


def test_a_project_may_not_name_the_weights(world):
    folder = world.project / ".modicum"
    folder.mkdir()
    (folder / "config.yaml").write_text("meaning: model.onnx\n")
    with pytest.raises(ModicumError, match='a project may not set "meaning"'):
        load_config()


@pytest.mark.parametrize("named", ["", "off"])
def test_without_a_model_the_command_says_what_to_do(noted, weights, named):
    noted.patch.setenv("MODICUM_MEANING", named)
    said = noted.modicum("memory", "index")
    assert said.code == 4
    assert ("switched off" if named else "pip install 'modicum[meaning]'") in said.err


def test_a_wrong_file_is_refused_and_the_doctor_tells(noted, weights):
    weights.write_bytes(b"other weights")
    noted.patch.setenv("MODICUM_MEANING", str(weights))
    assert "is not the sentence model that modicum knows" in noted.modicum("memory", "index").err
    said = noted.modicum("doctor")
    assert said.code == 1
    assert "Search: by words alone" in said.out
    assert "wrong  " in said.out


def test_the_doctor_says_which_of_the_two_is_on(noted, weights):
    said = noted.modicum("doctor")
    assert "Search: by words alone" in said.out
    assert "pip install 'modicum[meaning]'" in said.out
    assert said.code == 0
    noted.patch.setenv("MODICUM_MEANING", str(weights))
    said = noted.modicum("doctor").out
    assert "Search: by words and meaning in serve and mcp (0 of 2 notes have a vector" in said
    noted.modicum("memory", "index")
    found = noted.modicum("doctor", "--json").json["search"]
    assert (found["is_on"], found["vectors"], found["missing"]) == (True, 2, 0)


def test_plain_commands_load_no_model(noted, weights, monkeypatch):
    noted.patch.setenv("MODICUM_MEANING", str(weights))
    noted.modicum("memory", "index")
    monkeypatch.setattr(meaning_model, "load_model", None)
    assert "Refund" in noted.modicum("search", "money").out
    assert noted.modicum("search", "shilling").out == "No note answers that.\n"


def test_a_server_finds_by_meaning_as_soon_as_the_model_is_there(noted, weights):
    noted.patch.setenv("MODICUM_MEANING", str(weights))
    config = load_config()
    store = open_store(config)
    with found_by_meaning(config, store):
        end = time.monotonic() + 30
        while not (store.meaning and meaning_state(config, store).vectors == 2):
            assert time.monotonic() < end
            time.sleep(0.02)
        found = store.search("the money went back to the customer refund").items[0]
        assert "close in meaning" in found.reasons
        assert store.seen_by(store.who).meaning is store.meaning
    store.close()


def test_a_server_without_a_model_serves_words(noted, monkeypatch):
    monkeypatch.setattr(extras, "MEANING", ("no_such_library",))
    config = load_config()
    store = open_store(config)
    with found_by_meaning(config, store):
        assert store.meaning is None
        assert store.search("money").items
    with pytest.raises(NoModel):
        weights_of(config)
    store.close()
