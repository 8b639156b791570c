"""What lint finds in rules that are read together: the kind, the places, why, and what to do. Pure."""

import hashlib
from enum import StrEnum
from typing import NamedTuple

from modicum.text.rules.rules import RulePlace


class LintKind(StrEnum):
    """The kind of a finding of lint."""

    CONTRADICTION = "contradiction"
    RIVAL = "rival"
    MISSING = "missing"
    DUPLICATE = "duplicate"
    VAGUE = "vague"
    TOO_MANY = "too-many"


class PlacedText(NamedTuple):
    """A sentence of a finding of lint, and where it stands."""

    place: RulePlace
    text: str


class LintFinding(NamedTuple):
    """A finding of lint: one or two sentences with their places, why they are a problem, and what to do."""

    kind: LintKind
    sentences: tuple[PlacedText, ...]
    why: str
    remedy: str
    tools: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Returns the id of the finding of lint: the same as long as its sentences are, wherever they stand."""
        texts = sorted(" ".join(each.text.split()) for each in self.sentences)
        told = "\0".join([*texts, *([self.why] if self.kind is LintKind.MISSING else [])])
        return hashlib.sha256(f"{self.kind}\0{told}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
