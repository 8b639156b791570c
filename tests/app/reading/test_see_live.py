"""What an agent program really sent is attributed to files, and counted in tokens."""

import os
import sys
from pathlib import Path

import pytest

from modicum.app.reading.see_live import disagreeing, live_reading
from modicum.engine.tokens import count
from modicum.targets.live import run
from modicum.targets.live.programs import PROMPT, Launch, Program

FAKE = Path(__file__).parent.parent.parent / "targets" / "live" / "fake_agent.py"
RULES = "# Rules of the shop\n\nUse tabs in every file.\n"


@pytest.mark.skipif(os.name == "nt", reason="the small program is started as POSIX does")
def test_a_live_reading_says_what_arrived(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def launch(url: str, root: str) -> Launch:
        return Launch((str(FAKE), PROMPT), {"STUB_URL": url})

    monkeypatch.setattr(run, "PROGRAMS", {"fake": Program("fake", "fake-agent", launch)})
    folder = tmp_path.resolve()
    (folder / ".codex").mkdir()
    (folder / ".codex" / "AGENTS.md").write_text(RULES, encoding="utf-8")
    (folder / "AGENTS.md").write_text(RULES, encoding="utf-8")
    (folder / "CLAUDE.md").write_text("Never read by this one.\n\nNot this either.\n", encoding="utf-8")

    found = live_reading("fake", folder, folder, os.environ, executable=sys.executable)

    by_name = {Path(each.path).relative_to(folder).as_posix(): each for each in found.files}
    assert {name: (each.lines, each.missing, each.doubled) for name, each in by_name.items()} == {
        "AGENTS.md": (2, 0, 0),
        "CLAUDE.md": (2, 2, 0),
        ".codex/AGENTS.md": (2, 0, 0),
    }
    assert by_name["AGENTS.md"].places == ("0 system",)
    assert by_name["AGENTS.md"].tokens == count(RULES)
    assert found.system_tokens == count(found.request.parts[0].text)
    assert found.total_tokens == found.system_tokens + found.message_tokens + found.tool_tokens["read"]
    assert disagreeing(found, [RULES, RULES]) == ()
    assert [(each.told, each.sent) for each in disagreeing(found, [RULES])] == [(1, 2), (1, 2)]
