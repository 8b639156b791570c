"""Of a text, the sentence that answers."""

import pytest

from modicum.text.answering import best_sentence

TEXT = "The build was slow. A cache of wheels made it fast.\nNobody objected."


@pytest.mark.parametrize(
    ("text", "asked", "sentence"),
    [
        (TEXT, {"cach", "wheel"}, "… A cache of wheels made it fast. …"),
        (TEXT, {"object"}, "… Nobody objected."),
        (TEXT, {"walrus"}, "The build was slow. …"),
        (TEXT, set(), "The build was slow. …"),
        ("one line", {"line"}, "one line"),
        ("構築は遅い。設定を変更した。", {"設定"}, "… 設定を変更した。 …"),
        ("", {"line"}, ""),
    ],
)
def test_the_sentence_with_most_of_the_words_is_the_answer(text, asked, sentence):
    assert best_sentence(text, asked) == sentence
