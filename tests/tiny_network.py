"""A network in ONNX's format, of one table: each word piece has a row in it. Written byte by byte, without a library."""

from collections.abc import Iterable

FLOAT, INT64 = 1, 7


def number(value: int) -> bytes:
    """A number as protocol buffers write it: seven bits in a byte."""
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes((*parts, value))


def field(at: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return number(at << 3) + number(value)
    content = value.encode() if isinstance(value, str) else value
    return number(at << 3 | 2) + number(len(content)) + content


def tensor_type(kind: int, sizes: Iterable[str | int]) -> bytes:
    dims = b"".join(field(1, field(2 if isinstance(each, str) else 1, each)) for each in sizes)
    return field(1, field(1, kind) + field(2, dims))


def tiny_network(rows: Iterable[Iterable[float]]) -> bytes:
    """The bytes of a network that looks up each word piece in a table."""
    from array import array

    table = [list(row) for row in rows]
    wide = len(table[0])
    raw = array("f", (value for row in table for value in row)).tobytes()
    lookup = field(1, "table") + field(1, "input_ids") + field(2, "hidden") + field(4, "Gather")
    weights = field(1, len(table)) + field(1, wide) + field(2, FLOAT) + field(8, "table") + field(9, raw)
    asked = field(1, "input_ids") + field(2, tensor_type(INT64, ("batch", "sequence")))
    hidden = field(1, "hidden") + field(2, tensor_type(FLOAT, ("batch", "sequence", wide)))
    graph = field(1, lookup) + field(2, "tiny") + field(5, weights) + field(11, asked) + field(12, hidden)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))
