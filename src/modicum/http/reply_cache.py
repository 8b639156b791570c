"""The reply cache: keeps finished HTTP replies until the store changes."""

from collections import OrderedDict
from threading import Lock

from modicum.http.replies import Reply

Key = tuple[str, ...]
Stamp = tuple[int, int]  # the version of the store, and the day: "yesterday" is another one tomorrow

ROOM = 1 * 1024 * 1024  # bytes: hundreds of replies, all of one state of the store
LARGEST = ROOM // 4
ENTRY = 500  # bytes that an entry takes beside its key and its body


class ReplyCache:
    """A cache of HTTP replies made at one state of the store; the least recently read goes first."""

    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self.used = 0
        self._stamp: Stamp = (-1, -1)
        self._replies: OrderedDict[Key, Reply] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, stamp: Stamp) -> Reply | None:
        """Returns the cached reply for this state of the store, or None."""
        with self._lock:
            if stamp != self._stamp or key not in self._replies:
                return None
            self._replies.move_to_end(key)
            return self._replies[key]

    def put(self, key: Key, stamp: Stamp, reply: Reply) -> None:
        """Caches a reply made at this state of the store; drops the replies of earlier states."""
        with self._lock:
            if stamp < self._stamp or len(reply.body) > LARGEST:
                return
            if stamp > self._stamp:
                self._replies.clear()
                self._stamp, self.used = stamp, 0
            self._drop(key)
            self._replies[key] = reply
            self.used += _size(key, reply)
            while self.used > self.room:
                self._drop(next(iter(self._replies)))

    def _drop(self, key: Key) -> None:
        if (reply := self._replies.pop(key, None)) is not None:
            self.used -= _size(key, reply)


def _size(key: Key, reply: Reply) -> int:
    return len(reply.body) + sum(map(len, key)) + ENTRY
