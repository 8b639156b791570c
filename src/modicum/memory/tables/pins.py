"""Pins of notes in the database: who may set one, and who stands for what is pinned."""

from modicum.memory.engines.database import Transaction
from modicum.memory.model import Forbidden
from modicum.memory.origins import is_person, rights_of
from modicum.memory.tables.notes import require

VOUCH = "UPDATE notes SET origin = :origin WHERE id = :id"
PIN = "UPDATE notes SET pinned = :pinned, pinned_by = '' WHERE id = :id AND deleted_at = ''"


def pin(tx: Transaction, number: int, *, pinned: bool, origin: str = "") -> None:
    """Pins or unpins a note in the database; raises NotFound if there is none, Forbidden if its origin may not pin it.

    A person who pins what a script has said stands for it from then on.
    """
    if pinned:
        _check_pin(tx, number, origin)
    if not tx.run(PIN, {"id": number, "pinned": int(pinned)}):
        require(tx, number)


def _check_pin(tx: Transaction, number: int, origin: str) -> None:
    note = require(tx, number)
    if not rights_of(origin).leads:
        raise Forbidden(
            "a script pins nothing", remedy="pin it at a terminal or on the page; an agent may, too"
        )
    if rights_of(note.origin).leads:
        return
    if not is_person(origin):
        remedy = "a person pins it at a terminal or on the page"
        raise Forbidden(f"{note.public_id} was said by a script, and only a person pins that", remedy=remedy)
    tx.run(VOUCH, {"id": number, "origin": origin})
