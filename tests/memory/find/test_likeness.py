"""What of a text counts for its meaning, and how like two texts are."""

import pytest

from modicum.memory.find.likeness import NEAREST, SCALE, likeness, text_of, without_names


@pytest.mark.parametrize(
    ("title", "content", "names", "expected"),
    [
        ("Refunds", "The money went back", (), "Refunds\nThe money went back"),
        ("The money went", "The money went back", (), "The money went back"),
        ("The money …", "The money went back", (), "The money went back"),
        ("", "Mia: the money went back", (), "the money went back"),
        ("", "Mia: Ben's money, Ben Brown", ("Ben Brown", "Mia"), "money,"),
        ("", "Ben", ("Ben",), "Ben"),
        ("", "", (), ""),
    ],
)
def test_what_counts_of_a_note(title, content, names, expected):
    assert text_of(title, content, names) == expected


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("What did Caroline’s friend buy?", ("Caroline",), "What did friend buy?"),
        ("WHAT DID MIA BUY", ("Mia",), "WHAT DID BUY"),
        ("Miami", ("Mia",), "Miami"),
        ("a.b [c", ("[c", "a.b"), "[c"),
        ("你好 Mia", ("Mia", ""), "你好"),
        (" Mia ", ("Mia",), ""),
    ],
)
def test_names_are_left_out(text, names, expected):
    assert without_names(text, names) == expected


def cosines(*given: float) -> list[tuple[int, int]]:
    return [(number, round(cosine * SCALE**2)) for number, cosine in enumerate(given, 1)]


def test_the_nearest_is_1_if_it_is_near():
    assert likeness(cosines(0.7, 0.4, 0.19)) == {1: 1.0, 2: 0.5}


def test_where_nothing_is_near_nothing_is_very_like():
    assert likeness(cosines(0.25, 0.1)) == {1: 0.5}
    assert likeness(cosines(0.15)) == {}
    assert likeness([]) == {}


def test_among_many_the_last_one_is_far():
    found = likeness(cosines(0.9, *[0.5] * (NEAREST - 2), 0.4))
    assert found[1] == 1.0
    assert found[2] == pytest.approx(0.2)
    assert NEAREST not in found
