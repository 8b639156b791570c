"""Repairs halves of surrogate pairs in the messages of MCP clients.

JavaScript writes them when it cuts a text inside a character, and the SDK's parser would drop the whole
message.
"""

import re

# An escaped backslash and a whole pair are passed over, so that what is left is half of one.
_ESCAPES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


def repaired(body: bytes) -> bytes:
    """Repairs JSON: returns the bytes with U+FFFD in place of each half of a surrogate pair."""
    return _ESCAPES.sub(lambda found: rb"\ufffd" if found[1] else found[0], body)
