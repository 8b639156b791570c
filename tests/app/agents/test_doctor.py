"""What a model gets of what a hook prints."""

import pytest

from modicum.app.agents.own_server import text_for_model


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("", ""),
        ("plain words", "plain words"),
        ('{"additional_context": "short", "more": 1}', "short"),
        ('{"hookSpecificOutput": {"hookEventName": "x", "additionalContext": "the text"}}', "the text"),
        ("[1, 2]", "[1, 2]"),
        ('{"hookSpecificOutput": 5}', '{"hookSpecificOutput": 5}'),
        ("{}", ""),
    ],
)
def test_the_longest_text_of_a_reply_is_for_the_model(reply: str, text: str) -> None:
    assert text_for_model(reply) == text
