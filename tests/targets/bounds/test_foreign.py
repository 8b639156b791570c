"""What an adapter that is not built in may name."""

from pathlib import Path

import pytest

import modicum
from modicum.base.yaml.check import check
from modicum.targets.bounds.foreign import complaint_about_foreign
from modicum.targets.load import ADAPTER

BUILT_IN = sorted((Path(modicum.__file__).parent / "data" / "adapters").glob("*.yaml"))
REST = {".config/AGENTS.md", "GEMINI.md"}


def row_of(text: str) -> dict[str, object]:
    checked = check(text, ADAPTER, "adapters/x.yaml")
    assert not checked.problems, checked.problems
    return checked.value


@pytest.mark.parametrize("file", BUILT_IN, ids=lambda file: file.stem)
def test_every_file_of_the_built_in_adapters_is_on_the_closed_lists(file) -> None:
    assert complaint_about_foreign(row_of(file.read_text())) == ""
