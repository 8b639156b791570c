"""Hidden characters are found; those that emoji and scripts need are not."""

import time
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.text.hidden import hidden_characters

VISIBLE = st.characters(codec="ascii", exclude_categories=("Cc",))


def places(text: str) -> list[int]:
    return [at for at, _ in hidden_characters(text)]


@pytest.mark.parametrize(
    "character",
    [
        *(
            "\u202e",
            "\u200b",
            "\u2066",
            "\u2065",
            "\u2028",
            "\u2800",
            "\ufff0",
            "\U0001bca0",
            "\U0001d159",
            "\U000e0041",
            "\u00ad",
            "\u2060",
            "\u3164",
            "\u034f",
            "\u180e",
        ),
        *("\ufff9", "\ufffa", "\ufffb", "\u200c", "\u200d", "\U000e0100", "\ufeff", "\u061c", "\u17b4"),
        *map(chr, range(0xFE00, 0xFE10)),
        *(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n\r"),
    ],
)
def test_each_hidden_character_is_found_between_letters(character: str) -> None:
    ((at, message),) = hidden_characters(f"fine\nnot{character}fine\n")

    assert at == 8
    assert f"U+{ord(character):04X} (" in message


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d🚀",
        "🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 👁\ufe0f\u200d🗨\ufe0f",
        "🧑🏽\u200d🦰 🏃🏿\u200d♀\ufe0f",
        "👨\u200d👩\u200d👧\u200d👦",
        "1\ufe0f\u20e3 #\ufe0f\u20e3",
        "©\ufe0e ☎\ufe0e ☎\ufe0f ↔\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم ه\u200d.ش",
        "क्\u200dष ක්\u200dර",
        "葛\U000e0100 㐂\ufe00",
        "⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙",
        "∩\ufe00",
        "ᠠ\u180b",
        "\ufeffa byte order mark",
        "plain\twith\r\nline ends",
        "日本語 🇩🇪 é ß",
    ],
)
def test_what_scripts_and_emoji_need_is_not_hidden(text: str) -> None:
    assert places(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\u200d\u200cb", [1, 2]),  # one joiner does not excuse another
        ("é\u200dé", [1]),
        ("👩\u200da", [1]),
        ("a\u200d🚀", [1]),
        ("م\u200c\u200cخ", [1, 2]),
        ("☎\ufe0f\ufe0f", [2]),
        ("1\ufe0f", [1]),
        ("葛\U000e0100\U000e0101", [2]),
        ("🏴\U000e0067\U000e0062x", [1, 2]),
        ("a\U000e0067\U000e0062\U000e0065\U000e007f", [1, 2, 3, 4]),
        ("a\ufeff", [1]),
        ("\x1b[31mred\x1b[0m", [0, 8]),
    ],
)
def test_what_only_looks_like_a_need_is_found(text: str, found: list[int]) -> None:
    assert places(text) == found


def test_a_control_character_is_called_one() -> None:
    assert [message for _, message in hidden_characters("\x1b[1m\x9b\u200b")] == [
        "control character U+001B (escape, which begins a terminal sequence): delete it",
        "control character U+009B (it has no name): delete it",
        "hidden character U+200B (zero width space): delete it",
    ]


@given(
    st.text(VISIBLE, max_size=20),
    st.text(VISIBLE, max_size=20),
    st.sampled_from("\u200b\u200d\ufe0f\x1b\u2065"),
)
def test_in_plain_text_nothing_hidden_goes_unseen(before: str, after: str, character: str) -> None:
    assert places(before) == []
    assert places(f"{before}x{character}{after}") == [len(before) + 1]


@pytest.mark.parametrize("piece", ["\u200d", "🏴\U000e0067", "👩\u200d", "م\u200c", "\x1b", "日本"])
def test_long_texts_take_linear_time(piece: str) -> None:
    started = time.process_time()
    places(piece * 200_000)

    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "text",
    [
        *("a\ue000", "\uf8ff", "\U000f0001", "\U0010fffd"),
        *("\ufdd0", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff", "\U00013430", "\U0001343f"),
    ],
)
def test_what_no_reader_can_know_the_meaning_of_is_found(text: str) -> None:
    assert [at for at, _ in hidden_characters(text)] == [len(text) - 1]


@pytest.mark.parametrize(
    "stack",
    [
        "e" + "\u0301" * 5,
        "Z" + "\u0334\u0335\u0336\u0337\u0338\u0321",
        "\u0e01" + "\u0e47" * 9,
        "\u05d0" + "\u05b0" * 9,
    ],
)
def test_a_stack_of_accents_is_found_once(stack: str) -> None:
    ((at, message),) = hidden_characters(f"so {stack} it is")

    assert at == 4
    assert message.startswith(f"{len(stack) - 1} accents on one letter")


@pytest.mark.parametrize(
    "text",
    [
        *("ậ ữ Tiếng Việt", "ở đây e\u0301\u0302\u0303 ŋ̊̃ʷ", "ที่นี่ น้ำ ปู่ ญี่ปุ่น", "ເດັກນ້ອຍ"),
        *("क्षत्रिय हिन्दी में ङ्क्ष्म्य", "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם", "السَّلَامُ عَلَيْكُمْ ٱللَّهُ", "བསྒྲུབས ཧཱུྃ"),
        *(
            "ကြွေ မြန်မာ",
            "ខ្ញុំ",
            "👩🏽\u200d🚀 👨\u200d👩\u200d👧\u200d👦 1\ufe0f\u20e3",
            "\U00013000\U00013430\U00013001",
        ),
    ],
)
def test_scripts_with_many_marks_are_left_alone_however_they_are_composed(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert [*hidden_characters(normalize(form, text))] == []


def test_six_points_of_a_script_that_stacks_them_are_no_finding() -> None:
    assert [*hidden_characters("\u05d0" + "\u05b0" * 6)] == []
