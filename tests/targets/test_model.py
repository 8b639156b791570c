"""What an adapter's values mean: limits, verbosity, globs in a tool's own notation, and older spellings."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from modicum.engine import tokens
from modicum.targets import globs as globs_of
from modicum.targets import model
from modicum.targets.loaders.model import Loader, ReadRule
from modicum.targets.model import Adapter, Detect, Limit, SettingsFile, SkillFolder, Target

LIMITS = st.builds(Limit, st.sampled_from(["bytes", "chars", *model.TOKENIZERS]), st.integers(0, 10_000))
ADAPTER = Adapter("a", "A", "file-inject")
RULES = Target(
    "project",
    ".cursor/rules/modicum-{name}.mdc",
    "replace-file",
    preamble="---\ndescription: {description}\nglobs: {globs}\n---",
    globs=True,
    globs_style="yaml-list",
)


def target_row(**changes: object) -> dict[str, Any]:
    """A target as the door hands it over: every key is there."""
    return {
        "scope": "project",
        "path": "CLAUDE.md",
        "mode": "replace-section",
        "section": "modicum",
        "preamble": "",
        "verbosity": "",
        "globs": False,
        "globs_style": "comma",
        "if_there": False,
        "copy_of": "",
        "nested": False,
        "import_path": "",
        "max_bytes": None,
        "max_chars": None,
        "max_tokens": None,
        "tokenizer": "",
        **changes,
    }


def front_matter(text: str) -> Mapping[str, object]:
    found = yaml.safe_load(text.strip("-"))
    assert isinstance(found, dict)
    return found


# Limits and verbosity


def test_every_unit_of_a_limit_is_a_measure() -> None:
    assert {"bytes", "chars", *model.TOKENIZERS} <= set(tokens.MEASURES)


def test_the_limits_of_an_adapter_and_of_a_target_hold_together() -> None:
    adapter = Adapter("a", "A", "file-inject", limits=(Limit("chars", 12000), Limit("bytes", 50000)))
    target = Target(
        "global", "~/x.md", "replace-section", limits=(Limit("chars", 6000), Limit("claude", 900))
    )

    assert model.limits_of(adapter, target) == (
        Limit("chars", 6000),
        Limit("bytes", 50000),
        Limit("claude", 900),
    )
    assert model.limits_of(adapter) == (Limit("chars", 12000), Limit("bytes", 50000))


def test_a_target_cannot_loosen_a_limit() -> None:
    adapter = Adapter("a", "A", "file-inject", limits=(Limit("chars", 10),))

    assert model.limits_of(adapter, Target("project", "x", "append", limits=(Limit("chars", 99),))) == (
        Limit("chars", 10),
    )


@given(st.lists(LIMITS))
def test_a_size_is_within_the_tightest_limits_exactly_if_it_is_within_all_of_them(
    limits: list[Limit],
) -> None:
    tight = model.tightest(limits)

    assert len({limit.unit for limit in tight}) == len(tight)
    assert {limit.unit for limit in tight} == {limit.unit for limit in limits}
    assert set(tight) <= set(limits)
    assert all(found.most <= limit.most for found in tight for limit in limits if found.unit == limit.unit)


def test_a_target_may_ask_for_another_verbosity_than_its_adapter() -> None:
    adapter = Adapter("a", "A", "file-inject", verbosity="standard")

    assert model.verbosity_of(adapter, Target("project", "x", "append", verbosity="minimal")) == "minimal"
    assert model.verbosity_of(adapter, Target("project", "x", "append")) == "standard"
    assert model.verbosity_of(adapter) == "standard"
    assert model.verbosity_of(ADAPTER) == "full"


# Globs


@pytest.mark.parametrize(
    ("style", "written"),
    [
        ("comma", "src/**/*.ts,*.go"),
        ("quoted-comma", '"src/**/*.ts,*.go"'),
        ("yaml-list", '["src/**/*.ts", "*.go"]'),
    ],
)
def test_globs_are_written_in_the_notation_of_the_tool(style: str, written: str) -> None:
    assert globs_of.written_globs(["src/**/*.ts", "*.go"], style) == written


def test_braces_are_spelled_out_where_a_comma_would_end_the_glob() -> None:
    assert globs_of.written_globs(["a/*.{ts,tsx}", "{b,c}.md"], "comma") == "a/*.ts,a/*.tsx,b.md,c.md"
    assert globs_of.written_globs(["*.{ts,tsx}"], "yaml-list") == '["*.{ts,tsx}"]'


def test_braces_that_stand_for_too_many_globs_are_left_alone() -> None:
    glob = "{a,b,c}" * 8

    assert globs_of.written_globs([glob], "comma") == glob


@given(st.lists(st.text(min_size=1)))
def test_a_list_of_globs_is_one_line_of_yaml(globs: list[str]) -> None:
    written = globs_of.written_globs(globs, "yaml-list")

    assert "\n" not in written
    assert json.loads(written) == [" ".join(glob.split()) for glob in globs]


def test_a_target_for_globs_has_no_placeholder_left() -> None:
    scoped = globs_of.for_globs(RULES, name="Type Script", globs=["*.ts"], description="Typed code only")

    assert scoped.path == ".cursor/rules/modicum-type-script.mdc"
    assert scoped.preamble == '---\ndescription: Typed code only\nglobs: ["*.ts"]\n---'


def test_a_glob_that_looks_like_a_placeholder_is_not_filled() -> None:
    assert '["{name}"]' in globs_of.for_globs(RULES, name="x", globs=["{name}"]).preamble


def test_braces_that_are_no_placeholder_stay_in_the_front_matter() -> None:
    target = Target("project", "r/{name}.md", "replace-file", preamble="{globs} {other}", globs=True)

    assert globs_of.for_globs(target, name="x", globs=["*.go"]).preamble == "*.go {other}"


def test_the_name_describes_a_rule_that_has_no_description() -> None:
    assert (
        front_matter(globs_of.for_globs(RULES, name="typescript", globs=["*.ts"]).preamble)["description"]
        == "typescript"
    )


@pytest.mark.parametrize(
    "description",
    ["a: b", "true", "7", "- x", "# no", 'say "hi"', "a\n---\nb: c", "plain words", "@x y", "*a b"],
)
def test_a_description_never_breaks_the_front_matter(description: str) -> None:
    preamble = globs_of.for_globs(RULES, name="x", globs=["*.ts"], description=description).preamble

    assert front_matter(preamble) == {"description": " ".join(description.split()), "globs": ["*.ts"]}


@given(st.text())
def test_any_name_makes_one_part_of_a_file_name(name: str) -> None:
    part = globs_of.file_name(name)

    assert 0 < len(part) <= 80
    assert not set(part) & set('/\\:*?"<>|. \n')


# Checked keys to values


def test_an_adapter_needs_little() -> None:
    found = model.adapter_from({"id": "x", "type": "clipboard-export"})

    assert found == Adapter("x", "x", "clipboard-export")
    assert (found.format, found.verbosity, found.fit, found.when_empty) == (
        "markdown",
        "full",
        "thin",
        "remove",
    )


def test_an_adapter_takes_what_its_keys_say() -> None:
    row = {
        "id": "x",
        "name": "X",
        "type": "file-export",
        "format": "plain-prose",
        "verbosity": "minimal",
        "fit": "whole",
        "max_bytes": 0,
        "max_tokens": 10,
        "export_path": "~/x.md",
        "instructions": "Paste.",
        "detect": ({"command": "x", "path": ""},),
        "reads": {"source": "a page", "rules": ({"folders": "root", "files": ("A.md",)},)},
        "when_empty": "keep",
        "source": "a page",
        "checked": "2026-11",
    }

    assert model.adapter_from(row) == Adapter(
        id="x",
        name="X",
        type="file-export",
        format="plain-prose",
        verbosity="minimal",
        fit="whole",
        limits=(Limit("bytes", 0), Limit("o200k_base", 10)),
        export_path="~/x.md",
        instructions="Paste.",
        detect=(Detect(command="x"),),
        reads=Loader((ReadRule("root", ("A.md",)),), source="a page"),
        when_empty="keep",
        source="a page",
        checked="2026-11",
    )


def test_a_target_counts_with_the_tokenizer_of_its_adapter_unless_it_names_one() -> None:
    targets = (target_row(max_tokens=5), target_row(path="b", max_tokens=6, tokenizer="approx"))
    found = model.adapter_from({"id": "x", "type": "file-inject", "tokenizer": "claude", "targets": targets})

    assert [target.limits for target in found.targets] == [(Limit("claude", 5),), (Limit("approx", 6),)]


def test_two_spellings_of_a_path_are_one() -> None:
    rows = (target_row(path="./CLAUDE.md"), target_row(path=".cursor\\rules\\x.mdc", verbosity="full"))
    found = model.adapter_from({"id": "x", "type": "file-inject", "targets": rows})

    assert found.targets == (
        Target("project", "CLAUDE.md", "replace-section"),
        Target("project", ".cursor/rules/x.mdc", "replace-section", verbosity="full"),
    )


def test_a_key_is_split_at_its_dots_unless_they_are_escaped() -> None:
    entries = tuple(
        {"path": "s.json", "format": "json", "key": key} for key in ("a.b", r"amp\.mcpServers", "")
    )
    found = model.adapter_from({"id": "x", "type": "file-inject", "mcp": entries})

    assert [entry.key for entry in found.mcp] == [("a", "b"), ("amp.mcpServers",), ()]


def test_the_scope_of_settings_follows_from_their_path_unless_it_is_given() -> None:
    paths = ["~/.x.json", "$XDG_CONFIG_HOME/x", "%APPDATA%/x", "/etc/x", "C:/x", ".x.json"]
    entries = tuple({"path": path, "format": "json", "key": "k"} for path in paths)
    given_scope = {"scope": "global", "path": "x.json", "format": "json", "key": "k"}
    found = model.adapter_from({"id": "x", "type": "file-inject", "mcp": (*entries, given_scope)})

    assert [entry.scope for entry in found.mcp] == ["global"] * 5 + ["project", "global"]


def test_older_keys_for_settings_still_count() -> None:
    config = {"path": "~/.x/settings.json", "format": "json", "key": "mcpServers"}
    row = {
        "id": "x",
        "type": "file-inject",
        "mcp_config": config,
        "extra_mcp_configs": ({**config, "path": "~/.x/more.json"},),
        "hook_config": {**config, "key": "hooks.SessionStart"},
        "skill_config": {"path": "~/.x/skills"},
    }
    found = model.adapter_from(row)

    assert [(entry.path, entry.key, entry.shape) for entry in found.mcp] == [
        ("~/.x/settings.json", ("mcpServers",), "standard"),
        ("~/.x/more.json", ("mcpServers",), "standard"),
    ]
    assert found.hooks == (
        SettingsFile(
            "global", "~/.x/settings.json", "json", ("hooks",), "claude", {"sessionStart": "SessionStart"}
        ),
    )
    assert found.skills == (SkillFolder("global", "~/.x/skills"),)


def test_the_present_keys_for_settings_win_over_the_older_ones() -> None:
    old = {"path": "~/old.json", "format": "json", "key": "hooks.SessionStart"}
    new = {"path": "~/new.json", "format": "json", "key": "k", "shape": "list", "events": {}}
    row = {
        "mcp": (new,),
        "mcp_config": old,
        "hooks": (),
        "hook_config": old,
        "skills": (),
        "skill_config": old,
    }
    found = model.adapter_from({"id": "x", "type": "file-inject", **row})

    assert [(entry.path, entry.shape) for entry in found.mcp] == [("~/new.json", "list")]
    assert (found.hooks, found.skills) == ((), ())


# What does not go together


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({}, '"type" is missing (file-inject, clipboard-export, file-export)'),
        ({"type": "file-inject", "targets": ()}, 'needs "targets"'),
        ({"type": "file-export"}, 'needs "export_path"'),
    ],
)
def test_an_adapter_that_could_do_nothing_is_complained_about(row: dict[str, Any], words: str) -> None:
    assert words in model.complaint_about(row)


@pytest.mark.parametrize(
    "row",
    [
        {"type": "file-inject", "targets": (target_row(),)},
        {"type": "file-export", "export_path": "~/x"},
        {"type": "clipboard-export"},
    ],
)
def test_an_adapter_that_can_do_something_is_not(row: dict[str, Any]) -> None:
    assert model.complaint_about(row) == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"path": "/etc/x"}, "be within the project"),
        ({"path": "~/x"}, "be within the project"),
        ({"path": "C:\\x"}, "be within the project"),
        ({"path": "a/../../x"}, 'must not lead out with ".."'),
        ({"path": "..\\x"}, 'must not lead out with ".."'),
        ({"scope": "global", "path": "x.md"}, "start with ~/"),
        ({"mode": "import"}, 'needs "import_path"'),
        ({"globs": True}, "needs {name} in its path and {globs} in its preamble"),
        ({"globs": True, "path": "{name}.md"}, "needs {name} in its path and {globs} in its preamble"),
        ({"path": "{name}.md"}, 'placeholders need "globs: true"'),
        ({"preamble": "{description}"}, 'placeholders need "globs: true"'),
    ],
)
def test_a_target_that_does_not_fit_together_is_complained_about(changes: dict[str, Any], words: str) -> None:
    assert words in model.complaint_about_target(target_row(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"path": "./a..b/x.md"},
        {"scope": "global", "path": "~/x.md"},
        {"scope": "global", "path": "%APPDATA%/x.md"},
        {"mode": "import", "import_path": ".modicum/context.md"},
        {"globs": True, "path": "{name}.md", "preamble": "globs: {globs}"},
        {"preamble": 'applyTo: "**/*.{ts,tsx}"'},
    ],
)
def test_a_target_that_fits_together_is_not(changes: dict[str, Any]) -> None:
    assert model.complaint_about_target(target_row(**changes)) == ""


def test_a_placeholder_that_nobody_fills_is_named() -> None:
    complaint = model.complaint_about_placeholders("{name} {pattern}")

    assert complaint == "has the unknown placeholder {pattern} (known are {name}, {globs}, {description})"
    assert model.complaint_about_placeholders("{name} {globs} {description} {ts,tsx}") == ""


def test_the_name_of_a_section_must_fit_into_its_marker() -> None:
    assert model.complaint_about_section("SAP Developer Context") == ""
    assert "only" in model.complaint_about_section("a -->")
    assert "only" in model.complaint_about_section("")
