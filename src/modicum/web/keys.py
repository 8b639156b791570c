"""Keys from the terminal: a page that is opened there has one in its address, good once and for a minute.

A server and its owner's terminal share a secret. Whoever has it makes a key, and can tell this server from another program at its port.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from hashlib import sha256
from threading import Lock

from modicum.http.guard import KEY_PATH

KEY_SECONDS = 60


class PageKeys:
    """The keys of the page of one server, which takes each of them once."""

    def __init__(self, secret: str = "", clock: Callable[[], float] = time.time) -> None:
        self.secret, self.clock = secret or secrets.token_hex(32), clock
        self._used: dict[str, int] = {}  # until when each would have been good
        self._lock = Lock()

    def redeem(self, key: str) -> bool:
        """Returns True if this is a key of this server's page that is not too old and was not used before."""
        plain, _, mac = key.rpartition(".")
        if not hmac.compare_digest(mac.encode("utf-8", "replace"), _mac(self.secret, "key", plain).encode()):
            return False
        until, now = int(plain.partition(".")[0]), self.clock()
        if not now < until <= now + KEY_SECONDS:
            return False
        with self._lock:
            self._used = {each: end for each, end in self._used.items() if end > now}
            is_new = plain not in self._used
            self._used[plain] = until
        return is_new


KEYS = PageKeys()  # of this process


def new_key(secret: str, now: float) -> str:
    """Returns a new key of the page of the server that has this secret."""
    plain = f"{int(now) + KEY_SECONDS}.{secrets.token_urlsafe(24)}"
    return f"{plain}.{_mac(secret, 'key', plain)}"


def address_with_key(address: str, secret: str) -> str:
    """Returns the address that opens the page of a server, once and within a minute."""
    return f"{address}{KEY_PATH}?key={new_key(secret, time.time())}"


def proof_of(secret: str, question: str) -> str:
    """Returns what only the server with this secret can answer to a question, or whoever shares the secret."""
    return _mac(secret, "proof", question)


def _mac(secret: str, what: str, plain: str) -> str:
    return hmac.new(secret.encode(), f"{what} {plain}".encode("utf-8", "replace"), sha256).hexdigest()
