"""Adapters from folders: checked at the door, merged key by key, broken ones reported and skipped."""

from pathlib import Path

import pytest

from modicum.targets.load import LoadedAdapters, load_adapters
from modicum.targets.model import Adapter, Detect, Limit, SettingsFile, Target

CHATGPT = "id: chatgpt\nname: ChatGPT\ntype: file-export\nexport_path: ~/x.md\nmax_bytes: 1400\n"
RULES = """\
id: windsurf
type: file-inject
targets:
  - {scope: project, path: .devin/rules/x.md, mode: replace-file, max_chars: 12000}
  - {scope: global, path: ~/.x/rules.md, mode: replace-section, max_chars: 6000}
"""


def layer(folder: Path, **files: str) -> tuple[str, Path]:
    """A layer named like its folder."""
    (folder / "adapters").mkdir(parents=True)
    for name, text in files.items():
        (folder / "adapters" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder.name, folder


def adapter(tmp_path: Path, text: str) -> Adapter:
    loaded = load_adapters([layer(tmp_path / "user", one=text)])
    assert loaded.problems == ()
    return loaded.adapters[0]


def problem(tmp_path: Path, text: str) -> str:
    """The one complaint about an adapter, which is then skipped."""
    loaded = load_adapters([layer(tmp_path / "user", one=text)])
    assert loaded.adapters == ()
    assert len(loaded.problems) == 1
    return str(loaded.problems[0])


# Reading


def test_a_layer_without_adapters_has_none(tmp_path: Path) -> None:
    assert load_adapters([("user", tmp_path)]) == LoadedAdapters((), (), ())


def test_adapters_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    texts = {"a": "id: zed\ntype: clipboard-export", "b": "id: amp\ntype: clipboard-export"}

    assert [found.id for found in load_adapters([layer(tmp_path / "user", **texts)]).adapters] == [
        "amp",
        "zed",
    ]


def test_limits_format_and_preamble_are_read(tmp_path: Path) -> None:
    text = """\
id: x
type: file-inject
format: plain-prose
max_bytes: 10
max_chars: 20
max_tokens: 30
tokenizer: approx
targets:
  - scope: project
    path: x.md
    mode: replace-file
    preamble: "---\\nalwaysApply: true\\n---"
"""
    found = adapter(tmp_path, text)

    assert found.format == "plain-prose"
    assert found.limits == (Limit("bytes", 10), Limit("chars", 20), Limit("approx", 30))
    assert found.targets == (
        Target("project", "x.md", "replace-file", preamble="---\nalwaysApply: true\n---"),
    )


def test_no_limit_and_zero_are_no_limit(tmp_path: Path) -> None:
    assert adapter(tmp_path / "a", "id: x\ntype: clipboard-export").limits == ()
    assert adapter(tmp_path / "b", "id: x\ntype: clipboard-export\nmax_bytes: 0").limits == ()


@pytest.mark.parametrize(
    ("word", "meant"),
    [("minimal", "minimal"), ("summary", "minimal"), ("compact", "minimal"), ("concise", "minimal"),
     ("standard", "standard"), ("full", "full"), ("detailed", "full")],
)  # fmt: skip
def test_verbosity_has_several_spellings(tmp_path: Path, word: str, meant: str) -> None:
    assert adapter(tmp_path, f"id: x\ntype: clipboard-export\nverbosity: {word}").verbosity == meant


def test_an_adapter_of_the_older_kind_loads_unchanged(tmp_path: Path) -> None:
    text = """\
id: claude-code
name: Claude Code
type: file-inject
template: unused
targets:
  - scope: global
    path: "~/.claude/CLAUDE.md"
    mode: replace-section
    section: "SAP Developer Context"
  - scope: project
    path: "./CLAUDE.md"
    mode: replace-section
    section: "SAP Developer Context"
detect:
  - command: "claude --version"
  - path: "~/.claude"
mcp_config:
  path: "~/.claude/settings.json"
  format: json
  key: "mcpServers"
extra_mcp_configs:
  - path: "~/.claude/.mcp.json"
    format: json
    key: "mcpServers"
hook_config:
  path: "~/.claude/settings.json"
  format: json
  key: "hooks.SessionStart"
skill_config:
  path: "~/.claude/skills"
"""
    found = adapter(tmp_path, text)

    assert [(target.scope, target.path, target.section) for target in found.targets] == [
        ("global", "~/.claude/CLAUDE.md", "SAP Developer Context"),
        ("project", "CLAUDE.md", "SAP Developer Context"),
    ]
    assert found.detect == (Detect(command="claude --version"), Detect(path="~/.claude"))
    assert found.mcp == (
        SettingsFile("global", "~/.claude/settings.json", "json", ("mcpServers",), "standard"),
        SettingsFile("global", "~/.claude/.mcp.json", "json", ("mcpServers",), "standard"),
    )
    assert found.hooks[0].events == {"sessionStart": "SessionStart"}
    assert found.skills[0].path == "~/.claude/skills"


# Complaints


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: x", 'user/adapters/one.yaml:1: "id" is missing'),
        ("id: X y", 'user/adapters/one.yaml:1: "id" may have small letters'),
        ("id: x", 'user/adapters/one.yaml:1: "type" is missing'),
        ("id: x\ntype: file-export", 'needs "export_path"'),
        (
            "id: x\ntype: file-injct",
            'one.yaml:2: "type" must be file-inject, clipboard-export or file-export',
        ),
        ("id: x\ntype: file-injct", 'did you mean "file-inject"?'),
        (
            "id: x\ntype: clipboard-export\nverbosity: minimum",
            'one.yaml:3: "verbosity" must be minimal, standard or full',
        ),
        (
            "id: x\ntype: clipboard-export\nverbosty: full",
            'one.yaml:3: unknown key "verbosty" (did you mean "verbosity"?)',
        ),
        (
            "id: x\ntype: clipboard-export\nmax_bytes: -1",
            'one.yaml:3: "max_bytes" must be 0 or more, not "-1"',
        ),
        (
            "id: x\ntype: clipboard-export\nmax_bytes: lots",
            'one.yaml:3: "max_bytes" must be a whole number, not "lots"',
        ),
        (
            "id: x\ntype: clipboard-export\nmax_bytes: [1]",
            'one.yaml:3: "max_bytes" must be a whole number, not a list',
        ),
        (
            "id: x\ntype: clipboard-export\ntokenizer: gpt",
            '"tokenizer" must be o200k_base, cl100k_base, claude or approx',
        ),
        ("id: x\ntype: clipboard-export\nformat: html", '"format" must be markdown or plain-prose'),
        ("id: x\ntype: clipboard-export\nchecked: soon", '"checked" must be a month such as 2026-11'),
        (
            "id: x\ntype: clipboard-export\ndetect: [{command: a, path: b}]",
            "a sign is either a command or a path",
        ),
        ("id: x\ntype: clipboard-export\nmcp: [{path: a}]", '"mcp.key" is missing'),
        ("id: x\ntype: clipboard-export\nhooks: [{path: a, key: b}]", '"hooks.events" is missing'),
        (
            "id: x\ntype: clipboard-export\nhooks: [{path: a, events: {sessionSart: S}}]",
            'did you mean "sessionStart"?',
        ),
        (
            "id: x\ntype: file-inject\ntargets: [{scope: project, path: /x, mode: append}]",
            "be within the project",
        ),
        (
            "id: x\ntype: file-inject\ntargets: [{scope: projct, path: x, mode: append}]",
            'did you mean "project"?',
        ),
        ("id: x\ntype: file-inject\ntargets: [{scope: project, path: 'x{nam}', mode: append}]", "{nam}"),
        (
            "id: x\ntype: file-inject\ntargets: [{scope: project, path: x, mode: append, section: 'a>'}]",
            '"targets.section" may',
        ),
    ],
)
def test_a_bad_value_is_named_with_file_line_and_remedy(tmp_path: Path, text: str, complaint: str) -> None:
    assert complaint in problem(tmp_path, text)


def test_one_broken_adapter_is_skipped_and_the_others_proceed(tmp_path: Path) -> None:
    loaded = load_adapters([layer(tmp_path / "user", a="id: [", b=CHATGPT, c="id: x\ntype: nothing")])

    assert [found.id for found in loaded.adapters] == ["chatgpt"]
    assert [found.file for found in loaded.problems] == ["user/adapters/a.yaml", "user/adapters/c.yaml"]
    assert all(found.fatal for found in loaded.problems)


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    found = layer(tmp_path / "user", b=CHATGPT)
    (tmp_path / "user" / "adapters" / "a.yaml").mkdir()
    loaded = load_adapters([found])

    assert "user/adapters/a.yaml: cannot be read" in str(loaded.problems[0])
    assert len(loaded.adapters) == 1


def test_an_id_belongs_to_one_file_of_a_layer(tmp_path: Path) -> None:
    loaded = load_adapters([layer(tmp_path / "user", a=CHATGPT, b=CHATGPT.replace("1400", "9"))])

    assert loaded.adapters[0].limits == (Limit("bytes", 1400),)
    assert str(loaded.problems[0]) == 'user/adapters/b.yaml:1: the id "chatgpt" is taken by a.yaml'


def test_an_unknown_variable_in_a_path_names_the_line_and_the_known_ones(tmp_path: Path) -> None:
    text = (
        "id: x\ntype: file-inject\ntargets:\n  - scope: global\n    path: $TOOL_HOME/x.md\n    mode: append\n"
    )
    loaded = load_adapters(
        [layer(tmp_path / "user", x=text), layer(tmp_path / "team", x=text.replace("$TOOL_HOME", "${HOME}"))]
    )

    assert str(loaded.problems[0]) == (
        'user/adapters/x.yaml:5: "targets.path" has the unknown variable $TOOL_HOME (known are ~, HOME, USERPROFILE, '
        "APPDATA, LOCALAPPDATA, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME)"
    )
    assert [adapter.targets[0].path for adapter in loaded.adapters] == ["${HOME}/x.md"]


# Layers


def test_a_later_layer_changes_single_keys(tmp_path: Path) -> None:
    layers = [
        layer(tmp_path / "built-in", a=CHATGPT),
        layer(tmp_path / "company", b="id: chatgpt\nmax_bytes: 900"),
    ]
    loaded = load_adapters(layers)

    assert loaded.adapters == (
        Adapter("chatgpt", "ChatGPT", "file-export", export_path="~/x.md", limits=(Limit("bytes", 900),)),
    )
    assert loaded.changed_limits == ("company changes max_bytes of chatgpt from 1400 to 900",)


def test_three_layers_stack(tmp_path: Path) -> None:
    texts = [CHATGPT, "id: chatgpt\nmax_bytes: 900", "id: chatgpt\nname: Ours\nmax_bytes: 800"]
    layers = [layer(tmp_path / name, a=text) for name, text in zip("xyz", texts, strict=True)]
    loaded = load_adapters(layers)

    assert (loaded.adapters[0].name, loaded.adapters[0].limits) == ("Ours", (Limit("bytes", 800),))
    assert [remark.split()[-3:] for remark in loaded.changed_limits] == [
        ["1400", "to", "900"],
        ["900", "to", "800"],
    ]


@pytest.mark.parametrize("word", ["none", "0"])
def test_a_limit_can_be_taken_away_and_another_set(word: str, tmp_path: Path) -> None:
    text = f"id: chatgpt\nmax_bytes: {word}\nmax_tokens: 300"
    loaded = load_adapters([layer(tmp_path / "built-in", a=CHATGPT), layer(tmp_path / "user", a=text)])

    assert loaded.adapters[0].limits == (Limit("o200k_base", 300),)
    assert loaded.changed_limits == (
        "user takes away max_bytes of chatgpt, which was 1400 (0 and none mean no limit)",
        "user sets max_tokens of chatgpt to 300 o200k_base",
    )


def test_targets_are_replaced_as_a_whole_and_their_lost_limits_reported(tmp_path: Path) -> None:
    text = "id: windsurf\ntargets:\n  - {scope: project, path: .devin/rules/x.md, mode: replace-file, max_chars: 9000}"
    loaded = load_adapters([layer(tmp_path / "built-in", a=RULES), layer(tmp_path / "user", a=text)])

    # Nothing is written in the global scope any more, so the limit there is not missed.
    assert [target.scope for target in loaded.adapters[0].targets] == ["project"]
    assert loaded.changed_limits == (
        "user changes max_chars of windsurf in .devin/rules/x.md from 12000 to 9000",
    )


def test_a_target_that_moves_away_from_its_limit_is_reported(tmp_path: Path) -> None:
    text = "id: windsurf\ntargets:\n  - {scope: project, path: y.md, mode: replace-file}"
    loaded = load_adapters([layer(tmp_path / "built-in", a=RULES), layer(tmp_path / "user", a=text)])

    assert loaded.changed_limits == (
        "user takes away max_chars of windsurf in .devin/rules/x.md, which was 12000",
    )


def test_a_broken_layer_leaves_the_earlier_adapter_in_force(tmp_path: Path) -> None:
    texts = {"a": "id: chatgpt\nmax_bytes: lots", "b": "id: gemini\nexport_path: x"}
    loaded = load_adapters([layer(tmp_path / "built-in", a=CHATGPT), layer(tmp_path / "user", **texts)])

    assert [found.limits for found in loaded.adapters] == [(Limit("bytes", 1400),)]
    assert len(loaded.problems) == 2
    assert loaded.changed_limits == ()


def test_a_layer_that_changes_no_limit_is_not_remarked_on(tmp_path: Path) -> None:
    layers = [
        layer(tmp_path / "built-in", a=CHATGPT),
        layer(tmp_path / "user", a="id: chatgpt\nverbosity: full"),
    ]

    assert load_adapters(layers).changed_limits == ()
