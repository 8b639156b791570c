"""Makes a demo project in a throw-away folder: files, packs, notes and changes to look around in."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from modicum.app.demo_work import make_changes, make_log
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.run import perform, prepare
from modicum.app.memory.notes import open_store
from modicum.app.whose import project_of
from modicum.base.config import Config, load_config
from modicum.memory.model import Changes, NoteDraft
from modicum.memory.origins import AGENT, PERSON, origin_of
from modicum.memory.store import Store

NAME = "shop"
HOMES = (".claude", ".codex", ".cursor", ".gemini")
PARTS = (
    *("orders", "payments", "invoices", "refunds", "shipping", "stock", "prices", "search", "accounts"),
    *("sessions", "mail", "reports", "imports", "exports", "billing", "taxes", "coupons", "reviews"),
    *("gifts", "returns", "suppliers", "catalogue", "baskets"),
)

_INTRODUCTION = """\
# Shop

An online shop in Python. The folders below `src` are its parts; every part has an owner and rules of its own.

- Run `make test` before every commit.
- Never log a card number, not even shortened.
- Write amounts in cents, as whole numbers.

"""

_PART = """\
## {title}

The code is in `src/{name}`, the tests are in `tests/{name}`. Its tables begin with `{name}_`, and only this part writes to them.

- Call {name} from other parts through `src/{name}/api.py` only. Never import what is below it.
- Add a test to `tests/{name}/test_api.py` for every function that others may call.
- Do not change a column of a `{name}_` table in place: add one, fill it, and drop the old one in the next release.
- Keep every query of {name} under 50 ms; `make slow NAME={name}` lists those that are not.
- Name events after what happened, as in `{name}.created`, and never change the fields of one that was published.
- Use the clock that is handed in. Never call `datetime.now()` in {name}.
- Retry calls to others at most three times, with a pause that doubles, and give up after ten seconds in all.
- Write what went wrong into the log with the number of the order, and nothing that names a person.
- Ask the owner of {name} for a review when a public function changes.
- Ship changes of {name} behind a switch that is off at first, and remove the switch within a month.

Errors of {name} are raised as `{title}Error` with a message for the person at the desk. An error that the caller can mend says how; all others
end in a ticket. When a job of {name} fails twice, stop it and tell the channel of the part. Repeat it by hand only after the cause is known.

To try {name} alone, run `make up PART={name}` and open the address that it prints. The data there are made up and are new each morning.
What {name} keeps for long is listed in `docs/{name}.md`; what is personal among it is deleted after 90 days.

"""

_FILES = {
    "CLAUDE.md": "@AGENTS.md\n\n- Answer in short sentences.\n- Run `make test` before every commit.\n",
    "GEMINI.md": "# Shop\n\n- Run `make test` before every commit.\n- Write amounts in cents, as whole numbers.\n",
    ".modicum/config.yaml": "use: [git, testing]\n",
    ".modicum/packs/billing/pack.yaml": "id: billing\ndescription: How invoices and payments are written and checked\n",
    ".modicum/packs/billing/constraints.md": "- Round once, at the end of an invoice, and never in between.\n- An invoice that was sent is never changed: cancel it and write a new one.\n",
    ".modicum/packs/billing/context.md": "# Invoices\n\nAn invoice has a number, a date and lines. Numbers have no gaps, because the tax office looks for them.\n\n<!-- verbosity:detail -->\n## Rounding\n\nAmounts are cents. Taxes are computed for the sum of each rate and rounded half up.\n\n<!-- tier: extended -->\n## History\n\nUntil 2024 taxes were rounded line by line. Old invoices keep their sums.\n",
}

# Days ago, session, title, type, text.
_NOTES = (
    (12, "checkout-1", "Amounts are floats in the basket", "architecture", "The basket adds prices as floats and rounds when it shows them."),
    (12, "checkout-1", "Taxes are rounded line by line", "decision", "Each line of an invoice is rounded by itself, half up, so that lines add up on paper."),
    (9, "stock-queue", "Stock is counted in a queue", "architecture", "Two workers at once lost updates. One queue for each article keeps the order."),
    (9, "stock-queue", "make slow needs the replica", "discovery", "On the main database the plans differ, so slow queries stay unseen.\n\nSet `DATABASE=replica` before `make slow`, and wait for the statistics to be new."),
    (6, "refunds", "Refunds keep the rate of the day", "decision", "The bank wants the rate of the payment, not of the refund."),
    (6, "refunds", "The payment provider answers 200 for refused cards", "bugfix", "Look at `status` in the body, never at the HTTP status alone. A refused card is `\"status\": \"declined\"`."),
    (3, "checkout-2", "Taxes are rounded once per rate", "decision", "Rounding line by line was off by a cent on long invoices. Now the sum of each rate is rounded, half up."),
    (3, "checkout-2", "Amounts are cents everywhere", "architecture", "Whole numbers add up. The basket, invoices and the ledger all keep cents."),
    (1, "coupons", "Coupons stack only by kind", "pattern", "Two coupons of one kind never apply together; the larger one wins."),
    (1, "coupons", "Refused cards come with HTTP 200", "bugfix", "Look at `status` in the body, never at the HTTP status alone."),
    (1, "coupons", "结算页面的优惠券", "discovery", "优惠券在结算页面才检查，购物车里显示的价格可能更高。"),
)  # fmt: skip
# Who saved the notes of a session; what is not here, a person saved.
_AGENTS = {
    "checkout-1": "claude-code",
    "stock-queue": "codex",
    "refunds": "claude-code",
    "coupons": "gemini-cli",
}
# What agents saved of late and waits in the inbox: agent, title, type, text, reason, the note above that says it.
_WAITING = (
    ("codex", "Progress", "manual", "Fixed the first two tests, running the rest now.", "it tells what is being done now, and nothing to know later", None),
    ("claude-code", "Amounts are in cents", "architecture", "Whole numbers add up. The basket, invoices and the ledger keep cents.", "a note says it already", 7),
    ("gemini-cli", "The tax table is cached for a day", "discovery", "A new rate is used from the next day on. `make taxes` empties the cache.", "all notes of agents wait here first", None),
)  # fmt: skip
_SUMMARIES = {
    "checkout-1": "Read the code of the basket and of invoices. Next: find out why long invoices are off by a cent.",
    "stock-queue": "Moved the counting of stock into a queue. Next: remove the old locks.",
    "refunds": "Refunds use the rate of the payment. The provider's answers are read by their body.",
    "checkout-2": "Rounding is per rate, amounts are cents. Next: migrate old baskets.",
}
# From, to, type: places in the list above.
_RELATIONS = ((6, 1, "contradicts"), (7, 0, "supersedes"), (7, 6, "relates_to"), (4, 5, "relates_to"))
_PINNED = 7
_DAY = 86_400.0


def make_demo(folder: Path) -> Config:
    """Makes the demo project below a folder that is its own home; returns its configuration."""
    root = folder / NAME
    for name in HOMES:
        (folder / name).mkdir(parents=True)
    (folder / ".gemini" / "settings.json").write_text("{}\n", encoding="utf-8", newline="\n")
    (root / ".git").mkdir(parents=True)
    for path, text in {"AGENTS.md": long_instructions(), **_FILES}.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    config = load_config(environment_of(folder), root)
    _remember(config)
    perform(prepare(config, InjectRequest(tools=("cursor", "gemini-cli"))))
    return config


def environment_of(folder: Path) -> Mapping[str, str]:
    """Returns the environment of a demo, in which nothing of the user's machine is found."""
    return {"HOME": str(folder), "USERPROFILE": str(folder), "PATH": "", "LANG": "C.UTF-8"}


def long_instructions() -> str:
    """Returns instructions for the demo that are longer than some tools read."""
    return _INTRODUCTION + "".join(_PART.format(name=name, title=name.capitalize()) for name in PARTS)


def _remember(config: Config) -> None:
    store = open_store(config, "cli")
    try:
        numbers = _save_notes(store, project_of(store, config, writing=True))
        make_changes(config, store)
        make_log(config, numbers)
    finally:
        store.close()


def _save_notes(store: Store, project: str) -> list[int]:
    """Saves the notes of the demo as if they had been made over some days, with sessions, relations and a history."""
    now, numbers = store.clock(), []
    for at, (days, session, title, kind, text) in enumerate(_NOTES):
        store.clock = partial(float, now - days * _DAY + 60 * at)
        door = _door(store, _AGENTS.get(session))
        door.start_session(session, project=project)
        numbers.append(door.save(NoteDraft(title, text, type=kind, project=project, session_id=session)).id)
        if summary := _SUMMARIES.get(session):
            door.end_session(session, summary)
    store.clock = partial(float, now)
    _let_wait(store, numbers, project)
    own = _door(store)
    own.update(numbers[6], Changes(content=_NOTES[6][4] + "\n\nOld invoices keep their sums."))
    own.pin(numbers[_PINNED])
    for one, other, kind in _RELATIONS:
        own.relate(numbers[one], numbers[other], kind)
    return numbers


def _let_wait(store: Store, numbers: Sequence[int], project: str) -> None:
    for agent, title, kind, text, reason, known in _WAITING:
        said_by = 0 if known is None else numbers[known]
        draft = NoteDraft(title, text, type=kind, project=project)
        _door(store, agent).save_waiting(draft, reason, said_by=said_by)


def _door(store: Store, agent: str | None = None) -> Store:
    """The store as an agent uses it over MCP, or the person at the command line."""
    return store.through("mcp").with_origin(origin_of(AGENT, agent)) if agent else store.with_origin(PERSON)
