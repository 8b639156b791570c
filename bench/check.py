"""The context check on a large repository: `python bench/check.py`, a table on standard output.

200 finished changes, 60 decisions, 5,000 notes, and in each of 20 topics a decision that forbids what is wanted, a
decision that was superseded, and a change that was given up. Each description shares at least one stem with them.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from modicum.app.answer.amount import parse_amount
from modicum.app.answer.answer import Answer, answer
from modicum.app.memory.notes import open_store
from modicum.app.specs.check import check
from modicum.base.config import Config, load_config
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store

HERE = Path(__file__).parent
CHANGES, DECISIONS, NOTES = 200, 60, 5_000
TOKENS = 1_500
SEED = 11
# A description; what a rule forbids; what was decided and superseded; what was tried. They share few words on purpose.
TOPICS = (
    ("Store login sessions in Redis", "Never keep anything in Redis that must survive a restart.", "Sessions live in signed cookies", "Session storage behind a proxy"),
    ("Cache product prices in the browser", "Prices must not be cached outside of the server.", "Price lists are cached for an hour", "Browser-side price cache"),
    ("Use websockets for order updates", "Do not open websockets to clients.", "Order updates are polled", "Live order feed"),
    ("Generate invoices with a headless browser", "Never render invoices in a headless browser.", "Invoices come from LaTeX", "Invoice templates in HTML"),
    ("Let users upload SVG avatars", "Uploads of SVG are forbidden.", "Avatars are stored as PNG", "Avatar cropping"),
    ("Retry failed webhooks forever", "Webhooks shall not be retried more than five times.", "Webhooks are sent once", "Webhook redelivery queue"),
    ("Write audit logs to the main database", "The audit trail must not share a database with orders.", "Audit entries go to syslog", "Audit export"),
    ("Add GraphQL to the public API", "We decided against GraphQL for anything public.", "The API speaks SOAP", "GraphQL gateway prototype"),
    ("Send newsletters from the web process", "Never send mail from a web process.", "Newsletters are sent by cron", "Newsletter batching"),
    ("Use floating point for discounts", "Avoid floating point in anything that is money.", "Discounts are percentages", "Discount engine rewrite"),
    ("Replace Postgres with a document store", "All orders must be kept in Postgres.", "Postgres runs on one host", "Document store trial"),
    ("Drop the nightly backup of attachments", "A nightly backup of attachments is required.", "Backups are weekly", "Attachment deduplication"),
    ("Run migrations at start-up", "Migrations are not allowed to run at start-up.", "Migrations are run by hand", "Zero-downtime migrations"),
    ("Show stack traces to administrators", "Stack traces must never reach a page.", "Errors are shown in full", "Error pages with trace ids"),
    ("Import customers from spreadsheets", "No spreadsheet is imported without a checksum.", "Customers are typed in", "Spreadsheet importer"),
    ("Translate labels at runtime with a model", "Labels shall not be translated at runtime.", "Translations are kept in gettext", "Machine translation of labels"),
    ("Charge subscriptions in advance", "Subscriptions must not be charged before delivery.", "Subscriptions are charged yearly", "Subscription pausing"),
    ("Share cookies between subdomains", "Cookies are prohibited across subdomains.", "Cookies are set by the gateway", "Single sign-on by cookie"),
    ("Index comments in Elasticsearch", "Don't put comments into Elasticsearch.", "Comments are searched with LIKE", "Comment search"),
    ("Throttle the export endpoint by address", "Never throttle by address, only by account.", "Exports have no throttle", "Export quotas"),
)  # fmt: skip


def vocabulary() -> list[str]:
    rows = (json.loads(line) for line in (HERE / "notes" / "notes.jsonl").read_text().splitlines())
    words = " ".join(str(value) for row in rows for value in row.values()).split()
    topical = " ".join(part for topic in TOPICS for part in topic).lower().split()
    return words * 4 + topical


def sentences(rng: random.Random, words: list[str], number: int) -> str:
    return " ".join(
        " ".join(rng.choices(words, k=rng.randint(8, 18))).capitalize().rstrip(".,") + "."
        for _ in range(number)
    )


def build(root: Path, store: Store) -> None:
    """The repository and its notes, always the same."""
    rng, words = random.Random(SEED), vocabulary()
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "AGENTS.md").write_text(f"# Conventions\n\n{sentences(rng, words, 20)}\n")
    docs = root / "docs"
    for name in ("charter", "requirements", "business-rules", "design"):
        _write(
            docs / f"{name}.md",
            f"# {name}\n\n" + "\n\n".join(f"## Part {n}\n\n{sentences(rng, words, 4)}" for n in range(12)),
        )
    for number, (title, body, status) in enumerate(_decisions(rng, words), 1):
        _write(
            docs / "adrs" / f"{number:03}-decision.md",
            f"# {number:03}. {title}\n\n- Status: {status}\n\n## Context\n\n{sentences(rng, words, 4)}\n\n## Decision\n\n{body}\n\n## Rationale\n\n{sentences(rng, words, 3)}\n",
        )
    for number, (name, status) in enumerate(_changes(rng, words), 1):
        _write_change(docs / "changes" / f"change-{number:03}", name, status, rng, words)
    drafts = [
        NoteDraft(
            sentences(rng, words, 1)[:60], sentences(rng, words, rng.randint(2, 6)), "discovery", root.name
        )
        for _ in range(NOTES)
    ]
    store.save_all(drafts)


def _decisions(rng: random.Random, words: list[str]) -> Iterator[tuple[str, str, str]]:
    for at, (_, forbids, before, _) in enumerate(TOPICS):
        yield f"Rule {at + 1}", f"{sentences(rng, words, 2)} {forbids} {sentences(rng, words, 1)}", "accepted"
        yield before, sentences(rng, words, 3), f"superseded by [{2 * at + 1:03}](x.md)"
    for _ in range(DECISIONS - 2 * len(TOPICS)):
        yield sentences(rng, words, 1)[:50], sentences(rng, words, 3), "accepted"


def _changes(rng: random.Random, words: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((tried, "cancelled") for *_, tried in TOPICS)
    for _ in range(CHANGES - len(TOPICS)):
        yield sentences(rng, words, 1)[:60], "completed"


def _write_change(folder: Path, name: str, status: str, rng: random.Random, words: list[str]) -> None:
    stages = ("describe", "context-check", "spec", "tasks", "verify")
    row = {
        "id": folder.name,
        "type": "fix",
        "size": "medium",
        "description": name,
        "status": status,
        "created_at": "2026-01-01T00:00:00Z",
    }
    _write(
        folder / "change.json",
        json.dumps(row | {"stages": [{"name": s, "status": "completed"} for s in stages]}),
    )
    for stage in stages:
        parts = "\n\n".join(f"## Part {n}\n\n{sentences(rng, words, 3)}" for n in range(3))
        _write(folder / f"{stage}.md", f"# {stage}\n\n{name if stage == 'describe' else ''}\n\n{parts}\n")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(answer: Answer, at: int) -> tuple[bool, bool, bool]:
    """Whether the conflict, the superseded decision and the earlier attempt of a topic are on the page."""
    page = {key: str(fate) for key, fate in answer.page.fates.items()}
    wanted = (
        (f"adr:{2 * at + 1:03}", "possible conflict"),
        (f"adr:{2 * at + 2:03}", "superseded"),
        (f"change:change-{at + 1:03}", ""),
    )
    return tuple(
        page.get(key) in ("shown", "shortened") and kind in ("", answer.facts[key]["kind"])
        for key, kind in wanted
    )  # type: ignore[return-value]


def measure(config: Config, store: Store, text: str, detail: str) -> tuple[Answer, float]:
    started = time.perf_counter()
    amount = parse_amount(detail=detail, max_tokens=str(TOKENS))
    found = answer(check(config, store, text, amount), amount)
    return found, (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="build it here and leave it")
    parser.add_argument("--misses", action="store_true", help="say what was not found")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = options.folder or Path(temporary)
        run(home, misses=options.misses)


def run(home: Path, *, misses: bool) -> None:
    root = home / "shop"
    config = load_config({"HOME": str(home), "MODICUM_HOME": str(home / "modicum")}, root)
    store = open_store(config)
    if not root.exists():
        build(root, store)
        config = load_config({"HOME": str(home), "MODICUM_HOME": str(home / "modicum")}, root)
    _, first = measure(config, store, TOPICS[0][0], "standard")
    print(f"first check, nothing remembered: {first:,.0f} ms\n")
    print(
        f"{'detail':<10}{'all three':>10}{'conflict':>10}{'superseded':>12}{'attempt':>9}{'over':>6}{'median ms':>11}{'most ms':>9}"
    )
    for detail in ("summary", "standard", "full"):
        _row(config, store, detail, misses=misses)
    store.close()


def _row(config: Config, store: Store, detail: str, *, misses: bool) -> None:
    results = [(*measure(config, store, topic[0], detail), at) for at, topic in enumerate(TOPICS)]
    marks = [found(answer, at) for answer, _, at in results]
    times = sorted(milliseconds for _, milliseconds, _ in results)
    over = sum(answer.page.size > TOKENS for answer, _, _ in results)
    kinds = [sum(mark[at] for mark in marks) for at in range(3)]
    print(
        f"{detail:<10}{sum(map(all, marks)):>7}/20{kinds[0]:>10}{kinds[1]:>12}{kinds[2]:>9}{over:>6}{times[len(times) // 2]:>11.0f}{times[-1]:>9.0f}"
    )
    for mark, topic in zip(marks, TOPICS, strict=True) if misses else ():
        if not all(mark):
            print(f"  {topic[0]}: {mark}", file=sys.stderr)


if __name__ == "__main__":
    main()
