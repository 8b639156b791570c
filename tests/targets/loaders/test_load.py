"""The key `reads` of an adapter: what it may hold, and the loader that it describes."""

import pytest

from modicum.base.yaml.check import check
from modicum.targets.loaders.load import READS, loader_from
from modicum.targets.loaders.model import (
    Loader,
    ReadCondition,
    ReadingSetting,
    ReadLimit,
    ReadRule,
    SettingKey,
)

EVERYTHING = """
source: run on 2026-11-16 with 1.0
imports: behind
trim: false
conditional: [{key: paths, always: ["**"]}]
imported_once: run
links: apart
any_case: true
depth: 2
excludes: {paths: [s.json], key: a.b, merge: true}
limits:
  - {name: all, unit: bytes, most: 10, setting: {paths: [~/s.toml], folders: down, key: most}}
settings:
  - {path: s.json, format: json, key: a.c, add: A.md, names: [B.md], needs: trust}
  - {path: s.toml, format: toml, key: most, raises: all}
rules:
  - {folders: home, home: ~/h, files: [A.md], trim: true}
  - {folders: up, order: names, outside: above, pick: first, names: {paths: [s.json], key: x}, unless: [B.md], since: 1.2, drops: [twins], limit: all}
"""


def test_what_stands_in_reads_holds_for_every_rule_that_says_nothing_else() -> None:
    value, problems = check(EVERYTHING, READS, "x.yaml")
    all_rules = {"imports": "behind", "conditional": (ReadCondition("paths", ("**",)),), "links": "apart"}

    assert problems == ()
    assert loader_from(value) == Loader(
        rules=(
            ReadRule("home", ("A.md",), "~/h", trim=True, **all_rules),
            ReadRule(
                "up",
                outside="above",
                order="names",
                pick="first",
                names=SettingKey(("s.json",), ("x",)),
                unless=("B.md",),
                drops=("twins",),
                trim=False,
                limit="all",
                since="1.2",
                **all_rules,
            ),
        ),
        limits=(ReadLimit("all", "bytes", 10, setting=SettingKey(("~/s.toml",), ("most",), "down")),),
        settings=(
            ReadingSetting("s.json", "json", ("a", "c"), "A.md", ("B.md",), needs="trust"),
            ReadingSetting("s.toml", "toml", ("most",), raises="all"),
        ),
        imported_once="run",
        any_case=True,
        depth=2,
        excludes=SettingKey(("s.json",), ("a", "b"), merge=True),
        source="run on 2026-11-16 with 1.0",
    )


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("rules: []", '"source" is missing'),
        ("source: x\nrules: [{files: [A.md]}]", '"rules.folders" is missing'),
        ("source: x\nrules: [{folders: donw}]", "down"),
        ("source: x\nrules: [{folders: up, since: new}]", "must be a version such as 2.1.277"),
        ("source: x\nimport: inline", "imports"),
        ("source: x\nlimits: [{name: a, unit: words, most: 1}]", "bytes"),
    ],
)
def test_a_wrong_key_or_value_is_told(wrong: str, words: str) -> None:
    value, problems = check(wrong, READS, "x.yaml")

    assert value is None or problems
    assert words in " ".join(problem.message for problem in problems)
