"""Folders become a library; what is broken is reported and skipped, and the rest is there."""

import os
from pathlib import Path

import pytest

from modicum.packs import folder
from modicum.packs.load import Layer, languages, load_layers
from modicum.packs.merge import ordered
from modicum.packs.model import (
    ALL,
    MINIMAL,
    Hook,
    Journey,
    KnownError,
    Library,
    McpServer,
    Pack,
    PackOrigin,
    PackText,
    Profile,
    Resource,
    Sample,
    Skill,
    Tip,
    Weighted,
)


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def load(folder: Path, language: str = "") -> Library:
    return load_layers([Layer("team", folder)], language)


def only(library: Library) -> Pack:
    assert library.problems == ()
    (pack,) = library.packs
    return pack


def told(library: Library, folder: Path) -> list[str]:
    return [str(problem).removeprefix(f"{folder}{os.sep}") for problem in library.problems]


def words(texts: tuple[PackText, ...]) -> list[str]:
    return [text.text for text in texts]


# What a folder of the kind that this layout was made for holds, legacy files and keys included.
CONTENT = {
    "LICENSES/Apache-2.0.txt": "…",
    "schemas/pack.schema.json": "{}",
    "adapters/tool.yaml": "id: tool\ntemplate: x\n",
    "profiles/grower.yaml": "id: grower\nname: Grower\ndescription: Grows\npacks:\n  - id: roses\n    weight: 100\n  - id: tools\n    weight: 10\ntip_tags: [roses]\n",
    "packs/common/pack.yaml": "id: common\nname: Common\ndescription: For all\ntags: [garden]\nweight: 0\nbase: true\n",
    "packs/common/preamble.md": "Look at the soil first.\n",
    "packs/common/context.md": "# Common\n<!-- verbosity:detail -->\n## More\nText.\n",
    "packs/common/mcp.yaml": "- id: shed\n  name: The shed\n  description: Knows tools\n  install:\n    command: shed\n    args: [serve]\n    type: stdio\n  hosts: [claude-code]\n",
    "packs/common/hook.yaml": "- id: weather/today\n  event: sessionStart\n  command: shed weather\n  tools: [claude-code]\n",
    "packs/common/skills.yaml": "- id: prune\n  name: Pruning\n  description: When and where\n  file: skills/prune/SKILL.md\n  tools: [claude-code]\n",
    "packs/common/skills/prune/SKILL.md": "# Prune\n",
    "packs/common/discovery.yaml": "anything: [at, all",
    "packs/roses/pack.yaml": 'id: roses\nname: Roses\ndescription: Thorny\ntags: [rosa]\nprofiles: [grower]\nweight: 100\nlocales:\n  de:\n    name: Rosen\n    description: Dornig\nversions:\n  "@garden/rose": "9.80"\nchangelog:\n  - "New: climbing roses"\n',
    "packs/roses/context.md": '# Roses\n\n<!-- sync:fetch url="https://example.com/roses" max_lines="10" -->\n',
    "packs/roses/context.de.md": "# Rosen\n",
    "packs/roses/constraints.md": "1. Never in the shade.\n",
    "packs/roses/tips.md": "## Water\nTags: care\nIn the morning.\n",
    "packs/roses/tips.de.md": "## Wasser\nMorgens.\n",
    "packs/roses/mcp.yaml": "# later\n",
    "packs/roses/samples.yaml": "- id: roses/bed\n  label: A bed\n  url: https://example.com/bed\n  description: Laid out well\n  tags: [bed]\n  inject: true\n",
    "packs/roses/known_errors.yaml": '- id: roses/spots\n  pattern: "black spots"\n  cause: Wet leaves\n  fix: Water the ground\n  tags: [leaves]\n',
    "packs/roses/learning.yaml": "profile_filters:\n  roles: [gardener]\njourneys:\n  - slug: pruning-101\n    featured: true\n  - bare-slug\n",
    "packs/roses/resources.yaml": "- id: roses/society\n  title: Society\n  url: https://example.com\n  type: tool\n  tags: [help]\n  advocate: someone\n",
    "packs/roses/tools.yaml": "- id: shears\n",
    "packs/roses/youtube.yaml": ": not even YAML",
    "packs/tools/pack.yaml": "id: tools\nname: Tools\ndescription: Sharp\ntags: []\nweight: 80\n",
}  # fmt: skip


def test_a_content_folder_made_elsewhere_loads_without_a_word(tmp_path: Path) -> None:
    library = load(write(tmp_path, CONTENT))

    assert library.problems == ()
    assert [pack.id for pack in library.packs] == ["common", "roses", "tools"]
    grower = Profile("grower", "Grower", "Grows", (Weighted("roses", 100), Weighted("tools", 10)))
    assert library.profiles == (grower, ALL, MINIMAL)


def test_every_part_of_a_pack_is_read(tmp_path: Path) -> None:
    common, roses, tools = load(write(tmp_path, CONTENT)).packs
    packs = tmp_path / "packs"

    assert common == Pack(
        "common",
        "Common",
        "For all",
        ("garden",),
        base=True,
        context=(PackText(str(packs / "common/context.md"), CONTENT["packs/common/context.md"]),),
        preamble=(PackText(str(packs / "common/preamble.md"), "Look at the soil first.\n"),),
        servers=(
            McpServer("shed", "The shed", "Knows tools", "stdio", "shed", ("serve",), hosts=("claude-code",)),
        ),
        hooks=(Hook("weather/today", "sessionStart", "shed weather", ("claude-code",)),),
        skills=(
            Skill(
                "prune", "Pruning", "When and where", "skills/prune/SKILL.md", "# Prune\n", ("claude-code",)
            ),
        ),
        layer="team",
    )
    assert roses == Pack(
        "roses",
        "Roses",
        "Thorny",
        ("rosa",),
        100,
        versions={"@garden/rose": "9.80"},
        changelog=("New: climbing roses",),
        context=(PackText(str(packs / "roses/context.md"), "# Roses\n\n\n"),),
        constraints=(PackText(str(packs / "roses/constraints.md"), "1. Never in the shade.\n"),),
        tips=(Tip("Water", ("care",), "In the morning."),),
        samples=(Sample("roses/bed", "A bed", "https://example.com/bed", "Laid out well", ("bed",), True),),
        known_errors=(
            KnownError("roses/spots", "black spots", "Wet leaves", "Water the ground", "", ("leaves",)),
        ),
        learning=(Journey("pruning-101", featured=True), Journey("bare-slug")),
        resources=(Resource("roses/society", "Society", "https://example.com", "tool", ("help",)),),
        layer="team",
    )
    assert tools == Pack("tools", "Tools", "Sharp", weight=80, layer="team")


def test_a_pack_needs_no_more_than_its_id(tmp_path: Path) -> None:
    write(tmp_path, {"packs/any-name/pack.yaml": "id: cap"})

    assert only(load(tmp_path)) == Pack("cap", layer="team")


def test_all_keys_of_a_pack_are_understood(tmp_path: Path) -> None:
    source = "id: a\noverlaps: [b]\nbase: true\nadditive: true\nglobs: ['**/*.py']\nchangelog: [x, ' ']\n"
    write(tmp_path, {"packs/a/pack.yaml": source})

    pack = only(load(tmp_path))

    assert pack == Pack("a", overlaps=("b",), base=True, globs=("**/*.py",), changelog=("x",), layer="team")


def test_a_missing_folder_is_an_empty_layer(tmp_path: Path) -> None:
    assert load(tmp_path / "nowhere") == Library((), (ALL, MINIMAL), ())


def test_hidden_folders_and_plain_files_are_not_packs(tmp_path: Path) -> None:
    write(tmp_path, {"packs/.idea/x": "", "packs/readme.md": "", "packs/a/pack.yaml": "id: a"})

    assert only(load(tmp_path)).id == "a"


def test_later_layers_replace_packs_and_profiles(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "one/packs/cap/pack.yaml": "id: cap\nname: One\ntags: [x]",
            "two/packs/other-folder/pack.yaml": "id: cap\nname: Two",
            "one/profiles/dev.yaml": "id: dev\nname: One",
            "two/profiles/dev.yml": "id: dev\nname: Two\npacks: [cap]\ninclude: [a]\nexclude: [b]",
        },
    )

    library = load_layers([Layer("one", tmp_path / "one"), Layer("two", tmp_path / "two")])

    assert library.packs == (Pack("cap", "Two", layer="two"),)
    assert library.profiles[0] == Profile("dev", "Two", "", (Weighted("cap"),), ("a",), ("b",))


def test_additive_layers_stack(tmp_path: Path) -> None:
    resource = "- {id: %s, title: T, url: u}"
    write(
        tmp_path,
        {
            "one/packs/cap/pack.yaml": "id: cap\nname: Official\ntags: [a]",
            "one/packs/cap/context.md": "Official context",
            "one/packs/cap/tips.md": "## One\n",
            "one/packs/cap/resources.yaml": resource % "one",
            "two/packs/cap/pack.yaml": "id: cap\nadditive: true\ntags: [b]",
            "two/packs/cap/context.md": "Company context",
            "two/packs/cap/tips.md": "## Two\n",
            "two/packs/cap/resources.yaml": resource % "two",
            "three/packs/cap/pack.yaml": "id: cap\nname: Project\nadditive: true\nadditive_position: before\ntags: [c]",
            "three/packs/cap/tips.md": "## Three\n",
            "three/packs/cap/context.md": "\n",
        },
    )

    pack = only(load_layers([Layer(name, tmp_path / name) for name in ("one", "two", "three")]))

    assert (pack.name, pack.tags, pack.layer) == ("Project", ("a", "b", "c"), "one")
    assert words(pack.context) == ["Official context", "Company context"]
    assert [tip.title for tip in pack.tips] == ["Three", "One", "Two"]
    assert [resource.id for resource in pack.resources] == ["one", "two"]
    assert not pack.additive


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de_AT.UTF-8", ("de-at", "de")),
        ("pt-br", ("pt-br", "pt")),
        ("zh_Hans_CN@pinyin", ("zh-hans-cn", "zh-hans", "zh")),
        ("ja", ("ja",)),
        ("en", ()),
        ("en_GB", ("en-gb",)),
        ("C.UTF-8", ()),
        ("POSIX", ()),
        ("", ()),
    ],
)
def test_a_language_is_looked_for_from_narrow_to_wide(language: str, expected: tuple[str, ...]) -> None:
    assert languages(language) == expected


LOCALISED = {
    "packs/a/pack.yaml": "id: a\nname: Name\ndescription: D\nlocales:\n  de: {name: Name auf Deutsch}\n  pt_BR: {description: B}",
    "packs/a/context.md": "plain",
    "packs/a/context.de.md": "deutsch",
    "packs/a/context.en.md": "never",
    "packs/a/context.pt_BR.md": "brasil",
    "packs/a/constraints.md": "plain",
    "packs/a/constraints.de.md": "deutsch",
    "packs/a/tips.md": "## plain",
    "packs/a/tips.de.md": "## deutsch",
}


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", ("Name auf Deutsch", "D", "deutsch", "deutsch", "deutsch")),
        ("de_CH.UTF-8", ("Name auf Deutsch", "D", "deutsch", "deutsch", "deutsch")),
        ("pt-br", ("Name", "B", "brasil", "plain", "plain")),
        ("fr", ("Name", "D", "plain", "plain", "plain")),
        ("en", ("Name", "D", "plain", "plain", "plain")),
        ("", ("Name", "D", "plain", "plain", "plain")),
    ],
)
def test_the_readers_language_is_used_where_there_is_one(
    language: str, expected: tuple[str, ...], tmp_path: Path
) -> None:
    pack = only(load(write(tmp_path, LOCALISED), language))

    texts = (pack.context[0].text, pack.constraints[0].text, pack.tips[0].title)
    assert (pack.name, pack.description, *texts) == expected


def test_the_locale_beats_the_expanded_file_which_beats_the_plain_one(tmp_path: Path) -> None:
    write(tmp_path, {**LOCALISED, "packs/a/context.expanded.md": "expanded"})

    found = [words(only(load(tmp_path, language)).context) for language in ("de", "fr", "en", "")]

    assert found == [["deutsch"], ["expanded"], ["expanded"], ["expanded"]]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"pack.yaml": "id: [x"}, "packs/bad/pack.yaml:1: not YAML: did not find expected ',' or ']'"),
        ({"pack.yaml": "name: x"}, 'packs/bad/pack.yaml:1: "id" is missing'),
        ({"readme.md": "x"}, "packs/bad/pack.yaml: is missing (every folder of packs needs one)"),
        (
            {"pack.yaml": "id: a/b"},
            'packs/bad/pack.yaml:1: "id" may only have letters, digits, dots, hyphens and underscores',
        ),
        ({"pack.yaml": "id: b", "context.md": b"a\nb\0"}, "packs/bad/context.md:2: is not text: it has a NUL character"),
        (
            {"pack.yaml": "id: b", "tips.md": b"ok\n\ncaf\xe9"},
            "packs/bad/tips.md:3: is not UTF-8 text (save the file as UTF-8)",
        ),
        ({"pack.yaml": "id: good"}, 'packs/bad/pack.yaml: the id "good" is taken by a in the same layer (change one of them)'),
    ],
)  # fmt: skip
def test_one_broken_pack_is_reported_and_skipped(
    files: dict[str, str | bytes], expected: str, tmp_path: Path
) -> None:
    write(tmp_path, {"packs/a/pack.yaml": "id: good", "packs/z/pack.yaml": "id: fine"})
    write(tmp_path / "packs" / "bad", files)

    library = load(tmp_path)

    assert told(library, tmp_path) == [expected]
    assert [pack.id for pack in library.packs] == ["good", "fine"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"pack.yaml": "id: b\nlocales: [de]"}, 'packs/bad/pack.yaml:2: "locales" must be keys with values, not a list'),
        (
            {"pack.yaml": "id: b\nlocales:\n  de: {nam: x}"},
            'packs/bad/pack.yaml:3: unknown key "locales.de.nam" (did you mean "name"?)',
        ),
        (
            {"pack.yaml": "id: b", "samples.yaml": "- id: x\n  label: y"},
            'packs/bad/samples.yaml:1: "url" is missing',
        ),
        (
            {"pack.yaml": "id: b", "mcp.yaml": "- id: x\n  install: {args: [y]}"},
            'packs/bad/mcp.yaml:1: "install" needs either a command or a url',
        ),
        (
            {"pack.yaml": "id: b", "hook.yaml": "- {id: x, event: sesionStart, command: y}"},
            'packs/bad/hook.yaml:1: "event" must be sessionStart, userPromptSubmit, preToolUse, postToolUse, preCompact, stop or sessionEnd, not "sesionStart" (did you mean "sessionStart"?)',
        ),
        ({"pack.yaml": "id: b\nwieght: 5"}, 'packs/bad/pack.yaml:2: unknown key "wieght" (did you mean "weight"?)'),
        ({"pack.yaml": "id: b\nweight: heavy"}, 'packs/bad/pack.yaml:2: "weight" must be a whole number, not "heavy"'),
        ({"pack.yaml": "id: b\nname: x\nname: y"}, 'packs/bad/pack.yaml:3: "name" is given twice (first on line 2)'),
    ],
)  # fmt: skip
def test_a_wrong_key_or_row_is_reported_and_left_out_and_the_pack_stays(
    files: dict[str, str | bytes], expected: str, tmp_path: Path
) -> None:
    write(tmp_path / "packs" / "bad", {"context.md": "Text.", **files})

    library = load(tmp_path)

    what = "it" if "pack.yaml:" in expected else "the entry"
    assert told(library, tmp_path) == [f"{expected}: {what} is left out"]
    assert [words(pack.context) for pack in library.packs] == [["Text."]]


def test_a_wrong_row_leaves_the_others(tmp_path: Path) -> None:
    rows = "- {id: a, label: A, url: u}\n- {id: b, labl: B, url: u}\n- {id: a, label: C, url: u}\n"
    write(tmp_path / "packs" / "a", {"pack.yaml": "id: a", "samples.yaml": rows})

    library = load(tmp_path)

    assert [sample.label for sample in library.packs[0].samples] == ["A"]
    assert [problem.line for problem in library.problems] == [2, 3]


def test_a_broken_list_is_left_out_and_the_pack_stays(tmp_path: Path) -> None:
    write(tmp_path / "packs" / "a", {"pack.yaml": "id: a", "context.md": "Text.", "samples.yaml": "- [x"})

    library = load(tmp_path)

    assert library.packs[0].samples == ()
    assert told(library, tmp_path) == [
        "packs/a/samples.yaml:1: not YAML: did not find expected ',' or ']': the file is left out"
    ]


def test_a_broken_pack_leaves_the_one_below_it_in_place(tmp_path: Path) -> None:
    write(tmp_path, {"one/packs/a/pack.yaml": "id: a\nname: One", "two/packs/a/pack.yaml": "id: a\ntags: [x"})

    library = load_layers([Layer("one", tmp_path / "one"), Layer("two", tmp_path / "two")])

    assert [pack.name for pack in library.packs] == ["One"]
    assert len(library.problems) == 1


def test_an_addition_may_stand_in_the_same_layer(tmp_path: Path) -> None:
    write(tmp_path, {"packs/a/pack.yaml": "id: a", "packs/b/pack.yaml": "id: a\nname: B\nadditive: true"})

    assert only(load(tmp_path)).name == "B"


def test_the_names_of_the_built_in_profiles_are_taken(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "profiles/all.yaml": "id: all\nname: Mine",
            "profiles/x.yaml": "id: x\npack: [a]",
            "profiles/y.txt": "id: y",
        },
    )

    library = load(tmp_path)

    assert library.profiles == (ALL, MINIMAL)
    assert told(library, tmp_path) == [
        'profiles/all.yaml:1: "id" "all" is built in (choose another one)',
        'profiles/x.yaml:2: unknown key "pack" (did you mean "packs"?)',
    ]
    assert (ALL.name, MINIMAL.name) == ("All Packs", "Minimal")


def test_an_empty_profile_file_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {"profiles/x.yaml": "# later"})

    assert told(load(tmp_path), tmp_path) == ['profiles/x.yaml:1: "id" is missing']


def test_servers_may_be_commands_or_addresses(tmp_path: Path) -> None:
    rows = "- {id: a, install: {command: x, env: {KEY: 1}}}\n- {id: b, install: {url: 'https://x', headers: {H: v}}}\n- {id: c, install: {url: u, type: sse}}"
    write(tmp_path, {"packs/a/pack.yaml": "id: a", "packs/a/mcp.yaml": rows})

    assert only(load(tmp_path)).servers == (
        McpServer("a", "", command="x", env={"KEY": "1"}),
        McpServer("b", "", type="http", url="https://x", headers={"H": "v"}),
        McpServer("c", "", type="sse", url="u"),
    )


def test_no_link_leads_out_of_the_layer(tmp_path: Path) -> None:
    write(tmp_path, {"secret.md": "secret", "layer/common.md": "shared", "layer/packs/a/pack.yaml": "id: a"})
    (tmp_path / "layer/packs/a/context.md").symlink_to("../../common.md")
    pack = only(load(tmp_path / "layer"))

    (tmp_path / "layer/packs/a/constraints.md").symlink_to("../../../secret.md")
    library = load(tmp_path / "layer")

    assert words(pack.context) == ["shared"]
    assert library.packs == ()
    assert told(library, tmp_path / "layer") == [
        "packs/a/constraints.md: is a link that leads out of its layer (copy the file instead)"
    ]


def test_a_pack_folder_of_the_user_may_be_a_link_and_a_pipe_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"elsewhere/pack.yaml": "id: a", "elsewhere/context.md": "text", "layer/packs/x.md": ""})
    (tmp_path / "layer/packs/a").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "elsewhere/constraints.md")

    pack = only(load_layers([Layer("user", tmp_path / "layer", PackOrigin.USER)]))

    assert words(pack.context) == ["text"]
    assert pack.constraints == ()


@pytest.mark.parametrize("link", ["layer/packs/a", "layer/packs"])
@pytest.mark.parametrize("origin", [PackOrigin.PROJECT, PackOrigin.SOURCE])
def test_no_folder_outside_is_read_as_a_pack_of_a_project_or_a_source(
    tmp_path: Path, link: str, origin: PackOrigin
) -> None:
    write(tmp_path, {"private/a/pack.yaml": "id: a", "private/a/context.md": "secret", "layer/x.md": ""})
    place = tmp_path / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(tmp_path / ("private" if link.endswith("packs") else "private/a"))

    library = load_layers([Layer("project", tmp_path / "layer", origin)])

    assert library.packs == ()
    assert ["leads out of its layer" in str(each) for each in library.problems] == [True]


def test_no_folder_outside_is_read_as_the_profiles_of_a_project(tmp_path: Path) -> None:
    write(tmp_path, {"private/a.yaml": "id: secret", "layer/x.md": ""})
    (tmp_path / "layer/profiles").symlink_to(tmp_path / "private")

    library = load_layers([Layer("project", tmp_path / "layer")])

    assert "secret" not in [profile.id for profile in library.profiles]
    assert ["leads out of its layer" in str(each) for each in library.problems] == [True]


def test_what_may_not_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"packs/a/pack.yaml": "id: a", "packs/a/context.md": "x", "profiles": "a file"})
    read = folder.read_bounded

    def refuse(path: Path) -> bytes:
        if path.name == "context.md":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(folder, "read_bounded", refuse)

    assert told(load(tmp_path), tmp_path) == [
        "packs/a/context.md: cannot be read: Permission denied",
        "profiles: cannot be read: Not a directory",
    ]


def test_a_byte_order_mark_is_no_part_of_a_text_and_other_bytes_stay(tmp_path: Path) -> None:
    write(tmp_path, {"packs/a/pack.yaml": "\ufeffid: a", "packs/a/context.md": "\ufeffone\r\ntwo\r"})

    assert words(only(load(tmp_path)).context) == ["one\r\ntwo\r"]


def test_a_large_text_is_read_whole(tmp_path: Path) -> None:
    write(tmp_path, {"packs/a/pack.yaml": "id: a", "packs/a/context.md": b"0123456789abcdef" * 655_360})

    assert len(only(load(tmp_path)).context[0].text) == 10 * 1024 * 1024


def test_any_number_of_loads_have_one_order(tmp_path: Path) -> None:
    for name in "fbdace":
        write(tmp_path, {f"packs/{name}/pack.yaml": f"id: {name}\nweight: 50"})

    orders = {tuple(pack.id for pack in ordered(load(tmp_path), None)) for _ in range(20)}

    assert orders == {tuple("abcdef")}


def test_the_starter_packs_load_without_a_word() -> None:
    import modicum

    library = load(Path(modicum.__file__).parent / "data")

    assert library.problems == ()
    assert {pack.id for pack in library.packs} == {"git", "modicum", "reviews", "testing"}
