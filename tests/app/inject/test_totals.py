"""What is said of limits beside the pages of an inject."""

import pytest

from modicum.app.inject import run
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.totals import TotalRead, about_limits
from modicum.base.config import load_config


@pytest.mark.parametrize("scope", ["project", "global"])
def test_packs_that_stay_out_are_told_of_a_project_and_too_many_directives_of_any(world, scope: str) -> None:
    world.write("~/.config/modicum/packs/mine/pack.yaml", "id: mine\nname: Mine\n")
    world.write(".modicum/config.yaml", "tools: [codex]\n")
    config = load_config()
    job = run.prepare(config, InjectRequest(tools=("codex",), scope=scope))
    totals = [TotalRead("codex", 1, None, "bytes", 1, directives) for directives in (1, 9_999)]

    said = about_limits(config, job.placement, run.survey(job), totals)

    own = [sentence for sentence in said if sentence.startswith("your own packs are not")]
    assert len(own) == (scope == "project")
    assert len([sentence for sentence in said if "codex" in sentence]) == 1
    assert len(said) == len(own) + 1
