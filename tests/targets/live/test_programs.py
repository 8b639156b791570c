"""Every program is started with the stub's address, and of settings only what concerns reading is kept."""

import pytest

from modicum.targets.live.programs import PROGRAMS, PROMPT, SETTINGS, kept, merged, names_in

URL = "http://127.0.0.1:4"


@pytest.mark.parametrize("tool", PROGRAMS)
def test_a_program_is_asked_through_the_stub(tool: str) -> None:
    launch = PROGRAMS[tool].launch(URL, "/a b/项目")

    assert PROMPT in launch.arguments
    assert URL in str((launch.arguments, launch.environment))


def test_no_settings_of_servers_or_keys_are_kept_for_reading() -> None:
    reading = {key[0] for rule in SETTINGS for key in rule.reading}

    assert reading == {
        "claudeMdExcludes", "pluginConfigs", "context", "instructions", "project_doc_max_bytes",
        "project_doc_fallback_filenames", "project_root_markers",
    }  # fmt: skip


def test_only_the_named_keys_are_kept() -> None:
    settings = {"env": {"TOKEN": "x"}, "context": {"fileName": "A.md"}, "a": {"b": 1, "c": 2}}

    assert kept(settings, (("context",), ("a", "b"), ("none",))) == {
        "context": {"fileName": "A.md"},
        "a": {"b": 1},
    }
    assert kept("nonsense", (("context",),)) == {}


def test_settings_name_further_files() -> None:
    assert names_in({"context": {"fileName": "A.md"}, "instructions": ["b/*.md", 5]}) == ("A.md", "b/*.md")
    assert names_in({"project_doc_fallback_filenames": ["C.md"]}) == ("C.md",)
    assert names_in([]) == ()


def test_tables_are_merged_and_other_values_replaced() -> None:
    assert merged({"a": {"b": 1}, "c": 1}, {"a": {"d": 2}, "c": {"e": 3}}) == {
        "a": {"b": 1, "d": 2},
        "c": {"e": 3},
    }
