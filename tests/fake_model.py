"""A sentence model for tests: texts with words of the same group are alike, whatever the words are."""

from modicum.memory.find.likeness import SCALE

GROUPS = (
    {"money", "refund", "payment", "charge", "customer", "shopper"},
    {"database", "postgres", "table", "index", "rows"},
    {"release", "deploy", "ship", "production", "rollout"},
    {"orchid", "garden", "flower", "plant"},
)


class FakeModel:
    """An embedder without weights: a dimension for each group of words, and one for the rest."""

    name = "fake"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, text: str) -> bytes:
        self.texts.append(text)
        words = set(text.lower().replace(".", " ").replace(",", " ").split())
        counts = [len(words & group) for group in GROUPS]
        length = sum(count * count for count in counts) ** 0.5
        numbers = [round(count / length * 127) if length else 0 for count in counts]
        # 127 * 127 is a tenth of SCALE squared, so each number is there ten times.
        times = round(SCALE**2 / 127**2)
        return bytes(number for number in numbers for _ in range(times))
