"""Findings of lint that a project has silenced for good, each with its reason, kept in .modicum/silenced.yaml."""

from pathlib import Path

from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.base.files import write_own
from modicum.base.value import Value
from modicum.base.yaml.check import Record, list_of, text
from modicum.base.yaml.file import read_yaml_file
from modicum.text.rules.findings import LintFinding

FILE = "silenced.yaml"
_FIELDS = Record(
    {
        "silenced": list_of(
            Record({"id": text(required=True), "reason": text(required=True), "says": list_of(text())})
        )
    }
)


class Silenced(Value):
    """A finding of lint that is not told any more: its id, the reason, and the sentences that it was about."""

    id: str
    reason: str
    says: tuple[str, ...] = ()


def read_silenced(config: Config) -> tuple[Silenced, ...]:
    """Returns the findings that the project has silenced, oldest first."""
    rows = read_yaml_file(_file(config), _FIELDS).get("silenced") or ()
    return tuple(Silenced(row["id"], row["reason"], tuple(row.get("says") or ())) for row in rows)


def silence(config: Config, finding: LintFinding, reason: str) -> Silenced:
    """Silences a finding of lint for good; returns what is kept of it."""
    words = " ".join(reason.split())
    if not words:
        raise WrongUsage("a finding is silenced with a reason", remedy='add: --reason "why both may stand"')
    says = tuple(" ".join(each.text.split()) for each in finding.sentences)
    kept = Silenced(finding.id, words, says)
    others = tuple(each for each in read_silenced(config) if each.id != kept.id)
    _write(config, (*others, kept))
    return kept


def _file(config: Config) -> Path:
    return config.project / FILE


def _write(config: Config, silenced: tuple[Silenced, ...]) -> None:
    import yaml

    rows = [{"id": each.id, "reason": each.reason, "says": [*each.says]} for each in silenced]
    text = yaml.safe_dump({"silenced": rows}, allow_unicode=True, sort_keys=False, width=10_000)
    write_own(
        _file(config), text.encode("utf-8", "surrogateescape"), private=False, aside=config.state / "aside"
    )
