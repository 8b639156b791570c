"""A connection to PostgreSQL that notices while it waits that it was cut."""

from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.pq import ConnStatus

if TYPE_CHECKING:
    from psycopg.abc import PQGen
    from psycopg.pq.abc import PGconn

Row = TypeVar("Row", covariant=True)
Result = TypeVar("Result")

_READABLE = 1  # what the driver calls ready to be read


class CuttableConnection(psycopg.Connection[Row]):
    """A connection to PostgreSQL whose statements end when the server cuts it, also while they are being sent.

    The C library closes the socket then, and the driver waits for the number of that socket, which may be another
    connection's by now: it would wait for ever.
    """

    def wait(self, gen: "PQGen[Result]", *args: Any, **named: Any) -> Result:  # noqa: ANN401 - the driver's own
        return super().wait(_woken(self.pgconn, gen), *args, **named)


def _woken(pgconn: "PGconn", gen: "PQGen[Result]") -> "PQGen[Result]":
    """Goes on as the generator does; has it read, and fail, if the connection is lost. The driver asks ten times a second."""
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            lost = not ready and pgconn.status == ConnStatus.BAD
            wanted = gen.send(_READABLE if lost else ready)
    except StopIteration as end:
        result: Result = end.value
        return result
