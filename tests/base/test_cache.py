"""What has not changed is not parsed, counted or searched again."""

from pathlib import Path

import pytest

from modicum.base import cache
from modicum.base.cache import YamlCache, cached_findings, cached_token_counts
from modicum.base.yaml.check import Record, list_of, text
from modicum.engine import tokens

SHAPE = Record({"id": text(required=True), "tags": list_of(text())})
SOURCE = b"id: a\ntags: [x, y]\n"


def parse_twice(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Check a file in a first run and in a second; return which files were really parsed in the second."""
    first = YamlCache(path)
    first.check(SOURCE, SHAPE, "packs/a/pack.yaml")
    first.save()
    parsed: list[str] = []
    real = cache.check
    monkeypatch.setattr(
        cache, "check", lambda source, shape, file: parsed.append(file) or real(source, shape, file)
    )
    assert YamlCache(path).check(SOURCE, SHAPE, "packs/a/pack.yaml").value == {"id": "a", "tags": ("x", "y")}
    return parsed


def test_what_was_sound_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse_twice(tmp_path / "cache" / "yaml", monkeypatch) == []


def test_a_caller_may_change_what_it_got(tmp_path: Path) -> None:
    memory = YamlCache(tmp_path / "yaml")
    memory.check(SOURCE, SHAPE, "a/pack.yaml").value.pop("tags")
    memory.save()

    again = YamlCache(tmp_path / "yaml")
    again.check(SOURCE, SHAPE, "a/pack.yaml").value.pop("id")
    assert again.check(SOURCE, SHAPE, "a/pack.yaml").value == {"id": "a", "tags": ("x", "y")}


def test_problems_are_found_anew_each_time(tmp_path: Path) -> None:
    memory = YamlCache(tmp_path / "yaml")
    found = [memory.check(b"ip: a\n", SHAPE, "a/pack.yaml").problems for _ in range(2)]

    assert found[0] == found[1] != ()


def test_another_kind_of_file_with_the_same_text_is_another_thing(tmp_path: Path) -> None:
    memory = YamlCache(tmp_path / "yaml")
    memory.check("id: a\n", SHAPE, "built-in/adapters/a.yaml")
    memory.save()

    other = Record({"id": text(required=True), "name": text(default="unnamed")})
    assert YamlCache(tmp_path / "yaml").check("id: a\n", other, "a/pack.yaml").value == {
        "id": "a",
        "name": "unnamed",
    }


def test_a_damaged_file_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "yaml"
    path.write_bytes(b"\xff\x00 damaged")

    assert parse_twice(path, monkeypatch) == []


def test_a_changed_program_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "__version__", "0")
    YamlCache(tmp_path / "yaml").save()
    memory = YamlCache(tmp_path / "yaml")
    memory.check(SOURCE, SHAPE, "a/pack.yaml")
    memory.save()
    monkeypatch.setattr(cache, "__version__", "1")

    assert YamlCache(tmp_path / "yaml").known == {}


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    memory = YamlCache(tmp_path / "file" / "yaml")
    memory.check(SOURCE, SHAPE, "a/pack.yaml")

    memory.save()


def test_it_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST_ENTRIES", 2)
    for number in range(4):
        memory = YamlCache(tmp_path / "yaml")
        memory.check(f"id: a{number}\n", SHAPE, "a/pack.yaml")
        memory.save()

    assert len(YamlCache(tmp_path / "yaml").known) <= 2


def test_texts_that_were_counted_in_an_earlier_run_need_no_tokenizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "counted once: 東京 camelCase"
    with cached_token_counts(tmp_path / "tokens"):
        number = tokens.count(words)
    forget_counts()
    monkeypatch.setattr(tokens, "_encoder", lambda name: pytest.fail(f"{name} was loaded"))

    with cached_token_counts(tmp_path / "tokens"):
        assert tokens.count(words) == number


def test_counts_are_noted_only_for_a_cache(tmp_path: Path) -> None:
    forget_counts()
    tokens.count(f"before {tmp_path}")
    with pytest.raises(ZeroDivisionError), cached_token_counts(tmp_path / "tokens"):
        raise ZeroDivisionError(tokens.count(f"within {tmp_path}"))
    tokens.count(f"after {tmp_path}")

    assert tokens.learnt() == {}
    assert cache._load(tmp_path / "tokens") == {}


def test_new_counts_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST_FRESH", 3)
    tokens.recall({})
    for number in range(10):
        tokens.count(f"{number} {tmp_path}")

    assert 0 < len(tokens.learnt()["o200k_base"]) <= 3


def test_counts_do_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST_ENTRIES", 2)
    for number in range(4):
        forget_counts()
        with cached_token_counts(tmp_path / "tokens"):
            tokens.count(f"text {number} {tmp_path}")

    assert [len(counts) for counts in cache._load(tmp_path / "tokens").values()] == [2]


def test_counts_are_made_anew_when_a_tokenizer_comes_or_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_counts()
    with cached_token_counts(tmp_path / "tokens"):
        tokens.count("some words")
    monkeypatch.setattr(cache.PathFinder, "find_spec", lambda name: None)

    assert cache._load(tmp_path / "tokens") == {}


def forget_counts() -> None:
    for found in tokens._MEASURES.values():
        if isinstance(found, tokens._Remembered):
            found._answers.clear()


def searches(path: Path, texts: list[str], found: list[str]) -> int:
    """Ask twice for the findings of texts; return how often the texts were searched."""
    calls: list[str] = []
    for _ in range(2):
        assert cached_findings(path, texts, lambda: calls.append("searched") or found) == found
    return len(calls)


def test_texts_without_findings_are_searched_once(tmp_path: Path) -> None:
    assert searches(tmp_path / "clean", ["a", "b\ud800"], []) == 1
    assert searches(tmp_path / "clean", ["a", "b"], []) == 1
    assert searches(tmp_path / "clean", ["a", "b"], []) == 0


def test_texts_in_a_row_are_not_those_that_are_cut_elsewhere(tmp_path: Path) -> None:
    rows = (["a", "b"], ["a\0b"], ["ab"], ["a", "b", ""], ["a1 b"], ["1 a", "b"])

    assert [searches(tmp_path / "clean", row, []) for row in rows] == [1] * len(rows)


def test_texts_with_findings_are_searched_each_time(tmp_path: Path) -> None:
    assert searches(tmp_path / "clean", ["a"], ["a:1: a secret"]) == 2


def test_clean_texts_do_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_MOST_ENTRIES", 2)
    assert [searches(tmp_path / "clean", [text], []) for text in "abca"] == [1, 1, 1, 1]
