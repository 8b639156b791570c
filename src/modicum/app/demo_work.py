"""Fills the demo project with work: changes at several stages, decisions, and a log of what agents were handed."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from modicum.app.session.handed_log import ENDING, FOLDER, Handed
from modicum.app.specs.changes import advance, new_change
from modicum.app.specs.decisions import new_decision
from modicum.base.config import Config
from modicum.memory.store import Store
from modicum.specs.model import DecisionDraft

_REQUIREMENTS = """\
# Requirements

- **FR-001**: A customer pays an order with one card, by invoice, or with a coupon and one of these.
- **FR-002**: An invoice that was sent is never changed.
- **NFR-001**: Every page answers within 300 ms.
"""

_DECISIONS = (
    ("Amounts are floats", "The first shop had one currency.", "Amounts are floats, rounded for display.", "It was quick to write."),
    ("Sessions live in the database", "There is one server.", "Sessions are rows of a table.", "No second thing to run."),
    ("Amounts are cents", "Sums of many lines were off by a cent.", "Every amount is a whole number of cents.", "Whole numbers add up, and banks use them."),
    ("One queue for each article", "Two workers at once lost updates of the stock.", "Stock is changed through one queue for each article.", "A queue keeps the order, and a lock held too long did not."),
)  # fmt: skip
_SUPERSEDES = {2: "1"}  # the third decision took the place of the first

_TASKS = """\
# Tasks

- [x] T1: Hold two payments for an order (files: src/payments/api.py)
- [x] T2: Show both on the invoice (files: src/invoices/api.py)
- [ ] T3: Refund in the order of payment (after: T1; files: src/refunds/api.py)
- [ ] T4: Tell the customer by mail (after: T2, T3; files: src/mail/api.py)
"""

# The branch, type, size and description of each change, and the texts of the stages that are finished or begun.
_CHANGES = (
    ("old-rates", "fix", "small", "Refunds use the rate of the day of payment",
     ("The bank sends back refunds with another rate.\n", "Nothing speaks against it.\n",
      "- [x] T1: Read the rate of the payment (files: src/refunds/api.py)\n", "Ran `make test`.\n\nVerdict: PASS\n")),
    ("split-payments", "feature", "small", "Let customers split a payment over two cards",
     ("A customer whose card has too low a limit pays with two.\n", "Nothing speaks against it.\n", _TASKS)),
    ("coupon-kinds", "enhancement", "medium", "Show why a coupon does not apply",
     ("Customers write to us because a coupon is refused without a word.\n", "Nothing speaks against it.\n",
      "- **FR-010**: A coupon that does not apply says why, in one sentence.\n- **FR-011**: It should be fast and user-friendly.\n")),
    ("stock-lock", "refactor", "small", "Take the lock out of the stock", ()),
)  # fmt: skip

_AGENTS = ("claude-code", "codex", "cursor", "gemini-cli")
_HANDED = (
    ("hook", "session-start", 1_180, None, 4),
    ("hook", "prompt-submit", 410, None, 2),
    ("mcp", "mem_search", 2_900, 640, 3),
    ("mcp", "mem_get", 1_240, 290, 1),
    ("hook", "prompt-submit", 380, None, 1),
    ("mcp", "sdd_check", 3_800, 905, 0),
)
_DAYS = 7


def make_changes(config: Config, store: Store) -> None:
    """Makes the work in the demo project: changes, each on a branch of its own, and decisions."""
    path = config.root / "docs" / "requirements.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(_REQUIREMENTS, encoding="utf-8", newline="\n")
    _switch(config, "main")
    for at, parts in enumerate(_DECISIONS[:-1]):
        new_decision(config, store, DecisionDraft(*parts), supersedes=_SUPERSEDES.get(at, ""))
    for branch, kind, size, description, texts in _CHANGES:
        _switch(config, branch)
        name = new_change(config, store, kind, size, description).change.id
        for text in texts:
            advance(config, store, change=name, content=text)
    new_decision(config, store, DecisionDraft(*_DECISIONS[-1]))  # of the change that was begun last
    _switch(config, "split-payments")


def _switch(config: Config, branch: str) -> None:
    git = config.root / ".git"
    (git / "refs" / "heads").mkdir(parents=True, exist_ok=True)
    (git / "refs" / "heads" / branch).write_text("0" * 40, encoding="ascii", newline="\n")
    (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n", encoding="ascii", newline="\n")


def make_log(config: Config, notes: Sequence[int]) -> None:
    """Writes a log of what the demo's agents were handed in the last days."""
    folder = config.data / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    for days in range(_DAYS):
        day = now - timedelta(days=days)
        times = 6 + (days * 5) % 11
        lines = [_line(day - timedelta(minutes=7 * (times - at)), at, days, notes) for at in range(times)]
        same = [line for line in lines if line.startswith(f'{{"at": "{day:%Y-%m-%d}')]
        (folder / f"{day:%Y-%m-%d}{ENDING}").write_text("".join(same), encoding="utf-8", newline="\n")


def _line(at: datetime, number: int, days: int, notes: Sequence[int]) -> str:
    door, what, size, tokens, some = _HANDED[(number + days) % len(_HANDED)]
    shown = tuple(notes[(number + each) % len(notes)] for each in range(some)) if notes else ()
    agent = _AGENTS[(number // 3 + days) % len(_AGENTS)]
    row = Handed(door, agent, what, "shop", size, tokens, shown)._asdict()
    return json.dumps({"at": f"{at:%Y-%m-%dT%H:%M:%SZ}", **row}) + "\n"
