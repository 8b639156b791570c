"""Makes the rows of the tables that a page shows of packs: samples, learning and known errors."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from modicum.base.value import Value, replace
from modicum.engine.page import Block, Detail
from modicum.packs.model import Journey, KnownError, Pack, Sample

PATTERNS, JOURNEYS, ERRORS = "## Canonical Patterns", "## Recommended Learning", "## Known Errors"


class TableRow(Value):
    """A row of a table that a page shows of packs: the key of its block, and its cells."""

    key: str
    cells: tuple[str, ...]


Rows = Callable[[Pack], Iterator[TableRow]]


def _sample_rows(pack: Pack) -> Iterator[TableRow]:
    def row(sample: Sample) -> TableRow:
        return TableRow(_row_key("sample", pack, sample.id), (sample.label, sample.description, sample.url))

    return (row(sample) for sample in pack.samples if sample.inject)


def _journey_rows(pack: Pack) -> Iterator[TableRow]:
    def row(journey: Journey) -> TableRow:
        title = journey.title or _title_of(journey.slug)
        linked = f"[{title}]({journey.url})" if journey.url else title
        return TableRow(_row_key("learning", pack, journey.slug), (linked, journey.level, journey.duration))

    return (row(journey) for journey in pack.learning if journey.featured)


def _title_of(slug: str) -> str:
    words = slug.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _error_rows(pack: Pack) -> Iterator[TableRow]:
    def row(error: KnownError) -> TableRow:
        return TableRow(_row_key("error", pack, error.id), (error.pattern, error.cause, error.fix))

    return (row(error) for error in pack.known_errors)


TABLES: tuple[tuple[str, Rows, str, tuple[str, ...], Detail], ...] = (
    ("samples", _sample_rows, PATTERNS, ("Pattern", "Description", "URL"), Detail.STANDARD),
    ("learning", _journey_rows, JOURNEYS, ("Title", "Level", "Duration"), Detail.FULL),
    ("errors", _error_rows, ERRORS, ("Error", "Cause", "Fix"), Detail.FULL),
)


def each_once(blocks: Sequence[Block], texts: Sequence[str]) -> tuple[Block, ...]:
    """Returns the rows of a table about packs; of rows that say the same, the most important one covers the others."""
    best: dict[str, Block] = {}
    for block, text in zip(blocks, texts, strict=True):
        if block.rank < best.setdefault(text, block).rank:
            best[text] = block
    return tuple(
        block if best[text] is block else replace(block, covered_by=frozenset({best[text].key}))
        for block, text in zip(blocks, texts, strict=True)
    )


def _row_key(kind: str, pack: Pack, name: str) -> str:
    return f"{kind}:{pack.id}/{name.removeprefix(f'{pack.id}/')}"


def table_head(columns: Sequence[str]) -> str:
    """Returns the head of a table of packs in Markdown."""
    return f"{table_line(columns)}\n{'|---' * len(columns)}|"


def table_line(cells: Iterable[str]) -> str:
    """Returns a row of a table of packs in Markdown."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"
