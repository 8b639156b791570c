"""The sizes of the texts that a session is told: the user's numbers, within the limits of the agent."""

from collections.abc import Callable, Mapping

from modicum.app.session.events import SessionAgent
from modicum.app.session.start_text import Size

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


def choices_in(configs: Mapping[str, str]) -> Mapping[str, int]:
    """Returns what configs say about the sizes of texts in a session. Reading YAML takes time, so only those are read that have the word."""
    texts = {file: text for file, text in configs.items() if "hook" in text}
    if not texts:
        return {}
    from modicum.base.config import parse_hook

    return {name: value for file, text in texts.items() for name, value in parse_hook(text, file).items()}


def session_start_size(environment: Mapping[str, str], chosen: Mapping[str, int]) -> Size:
    """Returns the size of a session-start text, from environment, configuration or default."""
    asked = _asked(environment, _NAMES, chosen)
    size = USUAL._replace(**{name: number for name, number in asked.items() if name != "max_bytes"})
    return size._replace(max_bytes=asked.get("max_bytes", _room(size)))


def prompt_size(environment: Mapping[str, str], chosen: Mapping[str, int]) -> Size:
    """Returns the size of the text at a prompt, from environment, configuration or default."""
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


def limit_of(size: Size, agent: SessionAgent, more: int = 0) -> int:
    """Returns the largest size in bytes that a text told to a session may have for an agent."""
    return min(size.max_bytes + more, (MOST_BYTES - _AROUND) // agent.copies)


def fits(text: str, agent: SessionAgent) -> bool:
    """Returns True if a text that a session is told by a hook is within the agent's limits of size."""
    most = (MOST_BYTES - _AROUND) // agent.copies
    return measure_of(agent, most)(text) <= most


def measure_of(agent: SessionAgent, limit: int) -> Measure:
    """Returns a function for the size of a text that a session is told; above `limit` if the agent's own limit is passed."""
    tokens = _token_bound() if agent.max_tokens and agent.max_tokens < limit else None

    def measure(text: str) -> int:
        size = len(text.encode("utf-8", "replace"))
        fills = [
            (
                agent.copies * (size + text.count("\n") + text.count('"') + text.count("\\")),
                MOST_BYTES - _AROUND,
            ),
            (len(text), agent.max_chars),
            (tokens(text) if tokens else 0, agent.max_tokens),
        ]
        return max(size, *(-(-used * limit // most) for used, most in fills if most))

    return measure


def _token_bound() -> Measure:
    from modicum.engine.tokens import bound

    return bound
