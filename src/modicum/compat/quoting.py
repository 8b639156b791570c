"""Quotes texts as Go prints them with %q, for the replies of engram and Hoofy."""

_NAMED = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def quoted(text: str) -> str:
    """Returns a text in double quotes as Go's %q does; unprintable characters are written as escapes."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(letter: str) -> str:
    code = ord(letter)
    if code in _NAMED:
        return _NAMED[code]
    if letter.isprintable():
        return letter
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
