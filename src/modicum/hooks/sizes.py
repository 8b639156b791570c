"""The sizes of a hook's texts: the user's numbers, within the limits of the agent. Pure."""

from collections.abc import Callable, Mapping

from modicum.app.session.start import Size
from modicum.hooks.contracts import Contract

MOST_BYTES = 10_000  # of what is printed, with everything around the text
_AROUND = 400  # bytes of JSON around a text
USUAL = Size()
FOR_PROMPT = Size(lines=3, width=140, max_bytes=600)

# The older names are engram's. An empty word, or one that is no number, asks for nothing.
_NAMES = {
    "lines": ("MODICUM_CONTEXT_LIMIT", "ENGRAM_CONTEXT_LIMIT"),
    "width": ("MODICUM_CONTEXT_MAXLEN", "ENGRAM_CONTEXT_MAXLEN"),
    "max_bytes": ("MODICUM_CONTEXT_BYTES",),
}
_PROMPT_NAMES = {"lines": ("MODICUM_PROMPT_LIMIT",), "max_bytes": ("MODICUM_PROMPT_BYTES",)}

Measure = Callable[[str], int]


def opening_size(environment: Mapping[str, str], chosen: Mapping[str, int]) -> Size:
    """Returns the size of a hook's text at session start, from environment, configuration or default."""
    asked = _asked(environment, _NAMES, chosen)
    size = USUAL._replace(**{name: number for name, number in asked.items() if name != "max_bytes"})
    return size._replace(max_bytes=asked.get("max_bytes", _room(size)))


def prompt_size(environment: Mapping[str, str], chosen: Mapping[str, int]) -> Size:
    """Returns the size of a hook's text at a prompt, from environment, configuration or default."""
    ours = {name.removeprefix("prompt_"): number for name, number in chosen.items() if "prompt_" in name}
    return FOR_PROMPT._replace(**_asked(environment, _PROMPT_NAMES, ours))


def _asked(
    environment: Mapping[str, str], names: Mapping[str, tuple[str, ...]], chosen: Mapping[str, int]
) -> dict[str, int]:
    told = {
        field: next((word for name in spellings if (word := environment.get(name, "").strip())), "")
        for field, spellings in names.items()
    }
    wanted = {
        field: _number(word) if _is_number(word) else chosen.get(field, -1) for field, word in told.items()
    }
    return {field: number for field, number in wanted.items() if number >= 0}


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _number(word: str) -> int:
    return int(word) if len(word) < 7 else MOST_BYTES


def _room(size: Size) -> int:
    """Returns the bytes for a text: more in all, as more lines or wider ones are chosen."""
    usual = USUAL.lines * USUAL.width
    return max(USUAL.max_bytes, -(-USUAL.max_bytes * size.lines * size.width // usual))


def limit_of(size: Size, contract: Contract, more: int = 0) -> int:
    """Returns the largest size in bytes that a hook's text may have for an agent."""
    return min(size.max_bytes + more, (MOST_BYTES - _AROUND) // _copies(contract))


def fits(text: str, contract: Contract) -> bool:
    """Returns True if a hook's text is within the limits of an agent."""
    most = (MOST_BYTES - _AROUND) // _copies(contract)
    return measure_of(contract, most)(text) <= most


def measure_of(contract: Contract, limit: int) -> Measure:
    """Returns a function for the size of a hook's text; above `limit` if the agent's limit is passed."""
    copies = _copies(contract)
    tokens = _token_bound() if contract.max_tokens and contract.max_tokens < limit else None

    def measure(text: str) -> int:
        size = len(text.encode("utf-8", "replace"))
        fills = [
            (copies * (size + text.count("\n") + text.count('"') + text.count("\\")), MOST_BYTES - _AROUND),
            (len(text), contract.max_chars),
            (tokens(text) if tokens else 0, contract.max_tokens),
        ]
        return max(size, *(-(-used * limit // most) for used, most in fills if most))

    return measure


def _copies(contract: Contract) -> int:
    """Returns how many times a reply holds its text."""
    return 2 if contract.reply == "copilot" else 1


def _token_bound() -> Measure:
    from modicum.engine.tokens import bound

    return bound
