"""Measures: exact where a tokenizer is there, never too small where it is not."""

import importlib.util
import random
import string
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from splintr import Tokenizer

from modicum.engine import tokens
from modicum.engine.tokens import MEASURES, bound, count, exact, measure

TOKENIZERS = {name: Tokenizer.from_pretrained(name) for name in ("o200k_base", "cl100k_base")}

PROSE = """\
It was late in the afternoon when the two of them came down from the hill, tired and a little cold, and saw that the
lights in the village had already been lit. Nobody had expected them so early. The old woman who kept the inn put down
her basket, wiped her hands on her apron and asked, without any greeting, whether they had found what they were looking
for. They had not, but neither of them wanted to say so.

A good summary tells the reader what matters and where to find the rest. Most documents do the opposite: they begin with
history, continue with definitions, and hide the single useful sentence somewhere on the third page. If you are short of
room, keep the sentence and drop the history. Nobody has ever complained that an instruction was too easy to find.
"""

SAMPLES = {
    "prose": PROSE,
    "markdown": "# Title\n\n- **bold** and `code`, [link](https://example.org/a?b=c)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
    "yaml": "packs:\n  - id: cap\n    weight: 100\n    tags: [node, java]\n    on: 2026-07-01T08:00:00Z\n",
    "code": "def f(*args: int, **kw: str) -> None:\n\treturn {'a': args[0] != 1, **kw}  # don't\n",
    "chinese": "知识包把项目背景交给每一个工具。预算决定展示多少，較短的形式優先。",
    "japanese": "知識パックはプロジェクトの背景を各ツールに渡します。",
    "korean": "지식 팩은 프로젝트의 배경을 각 도구에 전달합니다.",
    "emoji": "😀🚀✅ 👩‍💻🇩🇪 done ❌",
    "base64": "TW9kaWN1bSBnaXZlcyBldmVyeSBBSSB0b29sIHRoZSByaWdodCBhbW91bnQgb2YgY29udGV4dC4K==",
    "digits": "3141592653589793238462643383279502884197169399375105820974944592307816406286",
    "whitespace": "  \t\n\n\n        \r\n   a    b\u00a0\u3000c\t\t \n" + " " * 200,
    "capitals": "HTTP API XMLHttpRequest getUserNameFromContext FOO_BAR",
    "unusual": "qzjx vq xkcd's zzyzx'll jjj qQq xX",
    "look-alikes": "\u212aeep \u212aey ſet ｔhe тhe",
    "special": "<|endoftext|> <|im_start|>",
    "nothing": "",
}

MIXED_TEXT = st.one_of(
    st.text(),
    st.text(alphabet=string.printable),
    st.text(alphabet=string.ascii_lowercase + "  '"),
    st.text(alphabet="jkqvxyzQX \n"),
    st.lists(
        st.sampled_from([*sorted(tokens._WHOLE), "The", " ", "\n", ". ", "'s", "é", "1²", "**", "x"])
    ).map(" ".join),
    st.lists(st.sampled_from([*sorted(tokens._WHOLE)[::7], " ", "\n", "\t", ".", "'ll", "—", "中"])).map(
        "".join
    ),
)


def true_count(text: str) -> int:
    return max(len(tokenizer.encode_ordinary(text)) for tokenizer in TOKENIZERS.values())


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it is where splintr is not installed."""
    monkeypatch.setitem(sys.modules, "splintr", None)
    spec = importlib.util.spec_from_file_location("bare_tokens", tokens.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_measures_are_these_six() -> None:
    assert MEASURES == ("bytes", "chars", "o200k_base", "cl100k_base", "claude", "approx")


def test_each_measure_counts_its_own_unit() -> None:
    assert {name: count("hi — ö", name) for name in MEASURES} == {
        "bytes": 9,
        "chars": 6,
        "o200k_base": 3,
        "cl100k_base": 3,
        "claude": 6,
        "approx": 3,
    }
    assert {count("", name) for name in MEASURES} == {0}


def test_tokens_are_those_of_o200k_base_unless_another_measure_is_named() -> None:
    assert count(PROSE) == count(PROSE, "o200k_base") == len(TOKENIZERS["o200k_base"].encode_ordinary(PROSE))


def test_an_unknown_measure_is_refused_with_the_good_names() -> None:
    with pytest.raises(
        ValueError, match=r'unknown measure "o200k" \(did you mean "o200k_base"\?\); choose one of: bytes, '
    ):
        measure("o200k")
    with pytest.raises(
        ValueError, match=r'unknown measure "§"; choose one of: bytes, chars, o200k_base, cl100k_base, '
    ):
        count("text", "§")
    with pytest.raises(ValueError, match="unknown measure"):
        exact("§")


def test_exactness_is_told_apart_from_bounds_and_rules_of_thumb() -> None:
    assert {name: exact(name) for name in MEASURES} == {
        "bytes": True,
        "chars": True,
        "o200k_base": True,
        "cl100k_base": True,
        "claude": False,
        "approx": False,
    }


def test_words_that_look_like_special_tokens_are_ordinary_text() -> None:
    assert count("<|endoftext|>") > 1


@given(st.text())
def test_bytes_are_those_of_utf_8(text: str) -> None:
    assert count(text, "bytes") == len(text.encode("utf-8"))


@given(st.binary())
def test_an_undecodable_byte_counts_as_the_byte_it_stands_for(data: bytes) -> None:
    assert count(data.decode("utf-8", "surrogateescape"), "bytes") == len(data)


@given(st.text(alphabet=st.characters(codec=None, categories=("Cs", "L"))), st.sampled_from(MEASURES))
def test_lone_surrogates_are_counted_by_every_measure(text: str, name: str) -> None:
    assert count(text, name) >= 0
    assert bound(text) >= count(text)


def test_a_lone_surrogate_is_read_as_the_replacement_character() -> None:
    assert count("a\ud800b") == count("a\ufffdb")
    assert count("\ud800", "bytes") == 3


@given(MIXED_TEXT, st.sampled_from(sorted(TOKENIZERS)))
def test_the_token_count_is_the_length_of_an_encoding_that_decodes_to_the_text(text: str, name: str) -> None:
    encoding = TOKENIZERS[name].encode_ordinary(text)

    assert TOKENIZERS[name].decode(encoding) == text
    assert count(text, name) == len(encoding)


@given(st.text())
def test_the_rule_of_thumb_is_four_bytes_a_token_rounded_up(text: str) -> None:
    assert count(text, "approx") * 4 - len(text.encode()) in range(4)


@given(MIXED_TEXT)
def test_the_claude_bound_is_not_below_o200k_base(text: str) -> None:
    assert count(text, "claude") >= count(text)


def test_the_claude_bound_is_at_most_two_and_a_half_times_o200k_base_on_prose_and_markdown() -> None:
    assert count(PROSE, "claude") <= 2.5 * count(PROSE)
    assert count(SAMPLES["markdown"], "claude") <= 2.5 * count(SAMPLES["markdown"])


@given(MIXED_TEXT)
def test_the_bound_lies_between_the_true_count_and_the_bytes(text: str) -> None:
    assert true_count(text) <= bound(text) <= len(text.encode())


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_bound_is_not_below_the_true_count_of_any_kind_of_text(kind: str) -> None:
    assert bound(SAMPLES[kind]) >= true_count(SAMPLES[kind])


def test_the_bound_is_not_below_the_true_count_of_thousands_of_made_up_words() -> None:
    dice = random.Random(7)
    alphabets = (
        string.ascii_lowercase,
        "jkqvxyzwu",
        string.ascii_letters,
        string.ascii_letters + string.digits + "+/'",
    )
    for alphabet in alphabets * 1_000:
        text = " ".join("".join(dice.choices(alphabet, k=dice.randint(1, 12))) for _ in range(4))
        assert bound(text) >= true_count(text), text


def test_the_bound_is_at_most_two_and_a_fifth_times_the_truth_on_english_prose() -> None:
    assert bound(PROSE) <= 2.2 * true_count(PROSE)


@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=list(TOKENIZERS))
def test_the_vocabularies_hold_what_the_bound_relies_on(tokenizer: Tokenizer) -> None:
    small = string.ascii_lowercase
    pairs = {a + b for a in small for b in small} - tokens._ROUGH
    words = tokens._WHOLE | {word.capitalize() for word in tokens._WHOLE}
    signs = {*string.ascii_letters, *string.punctuation}
    contractions = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}
    pieces = pairs | words | contractions | {f" {piece}" for piece in pairs | words | signs}
    pieces |= {" " * width for width in range(1, 18)}

    assert [piece for piece in pieces if len(tokenizer.encode_ordinary(piece)) != 1] == []


def test_without_splintr_token_measures_are_the_bound_and_say_so(bare: ModuleType) -> None:
    assert bare.count(PROSE) == bare.count(PROSE, "cl100k_base") == bound(PROSE)
    assert bare.count(PROSE, "claude") >= count(PROSE, "claude")
    assert not bare.exact("o200k_base")
    assert bare.exact("bytes")
    assert [bare.unit_name(name) for name in tokens.MEASURES] == [
        "bytes",
        "chars",
        "o200k_base (upper bound)",
        "cl100k_base (upper bound)",
        "claude (upper bound)",
        "approx",
    ]


def test_the_unit_of_exact_counts_is_the_name_of_the_measure() -> None:
    assert [tokens.unit_name(name) for name in tokens.MEASURES] == [*tokens.MEASURES]


def test_importing_the_module_loads_neither_tokenizer_nor_regular_expressions() -> None:
    script = "import sys, modicum.engine.tokens; print([m for m in ('splintr', 're', 'difflib') if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, text=True, env={"PYTHONPATH": source()}
    )

    assert run.stdout == "[]\n", run.stderr


def source() -> str:
    return str(tokens.__file__).removesuffix("/modicum/engine/tokens.py")


@given(MIXED_TEXT, st.sampled_from(MEASURES))
def test_the_same_text_is_counted_the_same_again(text: str, name: str) -> None:
    assert count(text, name) == count("".join(list(text)), name)


def test_a_text_is_counted_once_while_there_is_room() -> None:
    counted: list[str] = []
    remembered = tokens._Remembered(lambda text: counted.append(text) or len(text))

    assert [remembered(text) for text in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert counted == ["a", "bb"]


def test_the_oldest_answers_go_when_the_room_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "ROOM", 3 * (tokens.ENTRY + 1))
    counted: list[str] = []
    remembered = tokens._Remembered(lambda text: counted.append(text) or len(text))

    answers = [remembered(text) for text in "abcd" + "da" + "efgh" + "cah"]

    assert set(answers) == {1}
    assert "".join(counted) == "abcd" + "ef" + "gh" + "c"  # a was asked for again, and went later


def test_little_is_held_between_two_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = tokens._Remembered(len)
    monkeypatch.setitem(tokens._MEASURES, "o200k_base", remembered)
    monkeypatch.setattr(tokens, "ROOM_BETWEEN_PAGES", tokens.ENTRY + 50)
    for text, left in (("x", 1), ("y" * 50, 0)):
        remembered(text)
        tokens.trim()
        assert len(remembered._answers) == left


def test_tokenizers_that_nobody_used_meanwhile_are_unloaded_and_count_the_same_when_they_are_back() -> None:
    def is_loaded() -> bool:
        return bool(tokens._load.cache_info().currsize)

    before = tokens._tokens("o200k_base", "an unwieldy sentence")
    tokens.unload_unused()  # it was used since the last time
    assert is_loaded()
    tokens.unload_unused()
    assert not is_loaded()

    assert tokens._tokens("o200k_base", "an unwieldy sentence") == before
    assert is_loaded()


def test_a_giant_text_is_counted_but_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "ROOM", 800)
    counted: list[str] = []
    remembered = tokens._Remembered(lambda text: counted.append(text) or len(text))

    assert [remembered("x" * 101), remembered("x" * 101)] == [101, 101]
    assert len(counted) == 2


def test_an_answer_that_another_thread_kept_meanwhile_is_kept_once() -> None:
    def count_twice(text: str) -> int:
        return remembered(text) if not nested.append(text) and len(nested) == 1 else len(text)

    nested: list[str] = []
    remembered = tokens._Remembered(count_twice)

    assert remembered("abc") == 3
    assert remembered._used == tokens.ENTRY + 3


def test_threads_get_the_answers_that_one_thread_gets(
    bare: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    texts = [f"{PROSE[n : n + 80]} {n}" for n in range(200)] * 4
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(bare.measure("o200k_base"), texts))

    assert bare.exact("o200k_base")
    assert answers == [len(TOKENIZERS["o200k_base"].encode_ordinary(text)) for text in texts]


def test_counting_ten_thousand_short_texts_again_is_nearly_free() -> None:
    texts = [f"observation {n}: the build was green again" for n in range(10_000)]
    counting = measure("o200k_base")
    first = [counting(text) for text in texts]

    started = time.process_time()
    again = [counting(text) for text in texts]
    seconds = time.process_time() - started

    assert again == first
    assert seconds < 0.1


@pytest.mark.parametrize("character", ["a", " ", "中", "\n"])
def test_a_long_row_of_one_character_takes_no_quadratic_time(character: str) -> None:
    started = time.process_time()
    count(character * 400_000)
    bound(character * 400_000)

    assert time.process_time() - started < 5
