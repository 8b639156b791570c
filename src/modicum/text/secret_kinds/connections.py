"""Finds passwords in the connection strings of databases: `jdbc:oracle:thin:user/…@host`, `User Id=sa;Password=…;`. Pure."""

import re
from collections.abc import Iterator

from modicum.text.secret_kinds.announced import Span, folded, is_stand_in, places

KIND = "password of a database"
# Oracle's user/password@database, behind its drivers and its programs.
_BEFORE_LOGIN = (
    *("jdbc:oracle:thin:", "jdbc:oracle:oci:", "jdbc:oracle:oci8:", "jdbc:oracle:kprb:"),
    *("sqlplus ", "sqlcl ", "expdp ", "impdp ", "sqlldr ", "rman target ", "userid="),
)
_LOGIN = r"(?:-\w{1,10} {1,3}){0,4}[\"']?(?P<user>[^\s/@\"'=]{1,64})[\"']?/[\"']?(?P<value>[^\s@\"'<>]{3,200})[\"']?@"
_BEFORE_FIELD = ("password=", "pwd=")
# Beside its user, or in an address of JDBC, also a short password without digits is one.
_CONNECTION = r"(?:jdbc:\S{0,200}[;?&(:,]|\b(?:uid|user(?: ?id|name)?) ?= ?[^;\s]{1,64}; ?)\Z"
_FIELD = r"[\"']?(?P<value>[^\s;&)\"'<>]{3,200})"
_LOOKED_BACK = 260  # letters before a password, where the rest of its connection string is


def in_connections(text: str) -> Iterator[Span]:
    """Yields the passwords in connection strings of databases."""
    small = folded(text)
    for word in filter(small.__contains__, _BEFORE_LOGIN):
        for at in places(small, word):
            found = re.compile(_LOGIN).match(text, at + len(word))
            if found and not is_stand_in(found["user"], found["value"]):
                yield found.start("value"), found.end("value"), KIND
    for word in filter(small.__contains__, _BEFORE_FIELD):
        for at in places(small, word):
            found = re.compile(_FIELD).match(text, at + len(word))
            if found and _is_connection(small, at) and not is_stand_in("", found["value"]):
                yield found.start("value"), found.end("value"), KIND


def _is_connection(small: str, at: int) -> bool:
    return re.search(_CONNECTION, small[max(0, at - _LOOKED_BACK) : at]) is not None
