"""What our tools cost in an agent's first request, from what the agent was seen to send."""

import pytest

from modicum.targets.agent_facts import ToolList, tokens_of

TOOLS = (
    {"name": "a", "description": "Do a.", "inputSchema": {"type": "object"}},
    {"name": "b", "description": "Do b."},
)


@pytest.mark.parametrize(
    ("listed", "size"),
    [
        (ToolList("nothing"), 1),
        (ToolList("names", "x_"), len("x_a\nx_b")),
        (ToolList("lines", "x_"), len("x_a: Do a.\nx_b: Do b.")),
        (ToolList("names", "x_", instructions=True), len("x_a\nx_b") + len("Read me.")),
        (ToolList("names", "x_", each=10, extra=100), len("x_a\nx_b") + 120),
    ],
)
def test_what_is_sent_is_counted(listed: ToolList, size: int) -> None:
    assert tokens_of(listed, TOOLS, "Read me.", len) == size


def test_an_agent_that_was_not_measured_is_taken_to_send_everything() -> None:
    whole = '{"name":"a","description":"Do a.","parameters":{"type":"object"}}'
    bare = '{"name":"b","description":"Do b.","parameters":{}}'

    assert tokens_of(None, TOOLS, "Read me.", len) == len(f"{whole}\n{bare}")
