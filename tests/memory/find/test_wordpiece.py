"""Texts are cut into the pieces that BERT's own tokenizer cuts them into; expected pieces were made with that one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import modicum
from modicum.memory.find.wordpiece import MOST_PIECES, WordPieces, words

VOCABULARY = Path(modicum.__file__).parent / "data" / "meaning" / "vocabulary.txt"
WORDS = VOCABULARY.read_text(encoding="utf-8").split("\n")[:-1]
PIECES = WordPieces({word: number for number, word in enumerate(WORDS)})

# Made with the tokenizers library 0.23 and the same vocabulary.
CUT = {
    "": "",
    "Hello, World!": "hello , world !",
    "un_cased tokenizers": "un _ case ##d token ##izer ##s",
    "Äpfel, naïve café": "ap ##fe ##l , naive cafe",
    "我爱Python 3.11": "我 [UNK] python 3 . 11",
    "don't": "don ' t",
    "tab\tand\r\nline\u00a0end\u200b": "tab and line end",
    "ΟΔΟΣ": "ο ##δ ##ο ##σ",
    "한국": "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ",
    "nul\x00 and \ufffd": "nu ##l and",
    "x" * 101: "[UNK]",
    "a…b": "a … b",
    "😀 ok": "[UNK] ok",
    "[CLS] is text": "[ cl ##s ] is text",
}


def shown(text: str) -> str:
    return " ".join(WORDS[number] for number in PIECES.cut(text)[1:-1])


@pytest.mark.parametrize(("text", "expected"), CUT.items())
def test_cuts_as_the_model_was_trained(text, expected):
    assert shown(text) == expected


def test_begins_and_ends_with_marks():
    assert [WORDS[number] for number in PIECES.cut("yes")] == ["[CLS]", "yes", "[SEP]"]


def test_a_long_text_is_cut_off():
    numbers = PIECES.cut("refund " * 100_000)
    assert len(numbers) == MOST_PIECES
    assert WORDS[numbers[-1]] == "[SEP]"


@given(st.text())
def test_every_text_becomes_known_pieces(text):
    numbers = PIECES.cut(text)
    assert 2 <= len(numbers) <= MOST_PIECES
    assert all(0 <= number < len(WORDS) for number in numbers)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_plain_letters_are_split_alike_with_and_without_others_beside_them(text):
    assert [*words(text), "你"] == list(words(f"{text} 你"))
