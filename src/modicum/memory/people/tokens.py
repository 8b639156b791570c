"""Tokens of people in the database: made once, shown once, kept only as a hash."""

import hmac
import secrets
from collections.abc import Sequence

from modicum.base.errors import Remedy
from modicum.memory.engines.database import Database
from modicum.memory.model import SCOPES, NotFound, Refused
from modicum.memory.names import project_name
from modicum.memory.origins import AGENT, PERSON, SCRIPT
from modicum.memory.people.access import ANYBODY, Person, person_named
from modicum.memory.people.model import Token, list_in_token
from modicum.memory.tables.audit import TOKEN, AuditAction, record
from modicum.memory.tables.sql import COUNT_CHANGE, VERSION, insert, select

PREFIX = "modicum_"
PURPOSES = (AGENT, PERSON, SCRIPT)  # as whom a token speaks; one of a person opens the page, and nothing else


FIELDS = Token._fields
ADD = insert("tokens", FIELDS[1:], f"RETURNING {', '.join(FIELDS)}")
ALL = select(FIELDS, "tokens", "ORDER BY id")
ANY = "SELECT 1 FROM tokens LIMIT 1"
IN_USE = "SELECT count(*), count(DISTINCT name) FROM tokens WHERE revoked_at = ''"
REVOKE = f"""
UPDATE tokens SET revoked_at = :now WHERE (name = :name OR id = :id) AND revoked_at = '' RETURNING {", ".join(FIELDS)}
"""  # noqa: S608 - from our own field names
# Who comes with a token, and which state of the store that is true for, in one statement.
KNOWN = f"""
SELECT state.value, {", ".join(f"tokens.{field}" for field in FIELDS)} FROM ({VERSION}) AS state
LEFT JOIN tokens ON tokens.hash = :hash AND tokens.revoked_at = ''
"""  # noqa: S608 - from our own field names
BY_ID = select(FIELDS, "tokens", "WHERE id = :id AND revoked_at = ''")


def new_token(
    database: Database, name: str, *, now: str, projects: Sequence[str] = (), reads: Sequence[str] = (),
    scopes: Sequence[str] = (), read_only: bool = False, purpose: str = AGENT, by: Person = ANYBODY,
) -> tuple[str, Token]:  # fmt: skip
    """Makes a person's token in the database; returns its secret, shown only now, and the kept row."""
    person = person_named(name.strip()).name
    if not person:
        raise Refused("a token needs the name of a person", remedy=Remedy("token.new"))
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        raise Refused(f'there is no scope "{unknown[0]}"', remedy=f"choose from {', '.join(SCOPES)}")
    if purpose not in PURPOSES:
        raise Refused(
            f'there are no tokens for "{purpose[:60]}"', remedy=f"choose from {', '.join(PURPOSES)}"
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    lists = {"projects": map(project_name, projects), "reads": map(project_name, reads), "scopes": scopes}
    texts = {field: list_in_token(values) for field, values in lists.items()}
    token = Token(
        0, person, hash_of(secret), **texts, read_only=int(read_only), purpose=purpose, created_at=now
    )
    with database.writing() as tx:
        tx.run(COUNT_CHANGE)
        made = Token(*tx.rows(ADD, token._asdict())[0])
        record(tx, by, now, _action("made", made))
        return secret, made


def tokens(database: Database) -> tuple[Token, ...]:
    """Returns all tokens of people that the database has, also revoked ones, oldest first."""
    return tuple(Token(*row) for row in database.ask(ALL))


def tokens_in_use(database: Database) -> tuple[int, int]:
    """Counts the tokens in the database that are not revoked, and the people who have them."""
    ((number, people),) = database.ask(IN_USE)
    return int(number), int(people)


def needs_token(database: Database) -> bool:
    """Returns True if every person needs a token: one is in use. A database that machines share asks for one for good."""
    return bool(database.ask(ANY)) if database.is_shared else tokens_in_use(database)[0] > 0


def _action(action: str, token: Token) -> AuditAction:
    return AuditAction(action, TOKEN, f"{token.id} of {token.name}")


def revoke(database: Database, which: str, *, now: str, by: Person = ANYBODY) -> tuple[Token, ...]:
    """Revokes all tokens of a person, or the one with a number, in the database; returns them."""
    word = which.strip()
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 18 else 0
    with database.writing() as tx:
        gone = tuple(Token(*row) for row in tx.rows(REVOKE, {"name": word, "id": number, "now": now}))
        tx.run(COUNT_CHANGE)
        record(tx, by, now, *(_action("revoked", each) for each in gone))
    if not gone:
        raise NotFound(f'there is no token of "{word}" in use', remedy=Remedy("token.list"))
    return gone


def token_of(database: Database, number: int) -> Token | None:
    """Returns the token with a number that the database has; None if it is unknown or revoked."""
    return next((Token(*row) for row in database.ask(BY_ID, {"id": number})), None)


def person_of(database: Database, secret: str) -> Person | None:
    """Returns the person who has the token with this secret; None if it is unknown or revoked."""
    return known(database, secret)[0]


def known(database: Database, secret: str) -> tuple[Person | None, int]:
    """Returns the person who has the token with this secret, and the version of the store at that time."""
    wanted = hash_of(secret)
    ((version, *fields),) = database.ask(KNOWN, {"hash": wanted})
    found = Token(*fields) if fields[0] is not None else None
    # By the time this is compared the index has found it by its hash, which tells nothing about the token.
    person = found.person if found and hmac.compare_digest(found.hash, wanted) else None
    return person, int(version)


def hash_of(secret: str) -> str:
    """Returns the hash of a token's secret; one round is enough, as the secret is 256 random bits."""
    from hashlib import sha256

    return sha256(secret.encode(errors="replace")).hexdigest()
