"""What a proposal says of each paragraph, what the pack looks like, and what is left of the files."""

from functools import cache

import pytest

from modicum.app.adopt.pack_text import context_of, pack_yaml, rest_of
from modicum.app.adopt.propose import ChosenFate, Proposal, propose
from modicum.app.adopt.review import parse_review, review_text
from modicum.app.adopt.sources import blanked, find_sources
from modicum.app.adopt.unit import KEEP, SAME
from modicum.app.inject.load import BUILT_IN
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.targets.load import load_adapters
from modicum.targets.loaders.files import ProjectFiles


@cache
def loaders():
    return [a.reads for a in load_adapters([("built-in", BUILT_IN)]).adapters if a.reads]


def found_in(texts: dict[str, str], **links: str):
    files = ProjectFiles(texts, links=links)
    return find_sources(files, loaders(), ("", "pkg"), {}), files


def proposed(texts: dict[str, str], pack: str = "", chosen: dict[int, ChosenFate] | None = None) -> Proposal:
    return propose(*found_in(texts), pack, chosen)


def fates(proposal: Proposal) -> dict[str, str]:
    return {unit.text: unit.fate for unit in proposal.units}


def test_files_that_more_tools_read_come_first_and_those_for_some_files_last() -> None:
    texts = {
        "CLAUDE.md": "- Never a.\n",
        "AGENTS.md": "- Never b.\n",
        ".cursor/rules/x.mdc": "---\nglobs: src/**\nalwaysApply: false\n---\n- Never c.\n",
        "pkg/AGENTS.md": "- Never d.\n",
        "pkg/.windsurf/rules/r.md": "---\ntrigger: glob\nglobs: [a/*.ts, 'b/{x,y}.ts']\n---\n- Never e.\n",
    }
    found, _ = found_in(texts)

    assert [(source.path, source.globs, source.title) for source in found.sources] == [
        ("AGENTS.md", (), ""),
        ("CLAUDE.md", (), ""),
        ("pkg/AGENTS.md", ("pkg/**",), "Pkg"),
        (".cursor/rules/x.mdc", ("src/**",), "X"),
        ("pkg/.windsurf/rules/r.md", ("pkg/a/*.ts", "pkg/b/{x,y}.ts"), "R"),
    ]


def test_files_of_others_are_left_and_those_above_are_not_told() -> None:
    texts = {
        "~/.claude/CLAUDE.md": "- Never a.\n",
        "../CLAUDE.md": "- Never b.\n",
        "CLAUDE.local.md": "- Never c.\n",
        "CLAUDE.md": "- Never d.\n",
        ".windsurf/rules/m.md": "---\ntrigger: manual\n---\n- Never e.\n",
    }
    found, _ = found_in(texts)

    assert [source.path for source in found.sources] == ["CLAUDE.md"]
    assert [left.path for left in found.left] == ["CLAUDE.local.md", ".windsurf/rules/m.md"]


def test_imports_are_followed_once_and_a_chain_of_them_too() -> None:
    texts = {
        "CLAUDE.md": "@a.md and always @b.md now.\n\n@README.md\n\nWrite to @someone.\n",
        "a.md": "- Never a.\n@b.md\n",
        "b.md": "- Never b.\n@CLAUDE.md\n",
        "README.md": "# Shop\n",
    }
    found, _ = found_in(texts)
    proposal = proposed(texts)

    assert [(source.path, source.importer) for source in found.sources] == [
        ("CLAUDE.md", ""),
        ("a.md", "CLAUDE.md"),
        ("b.md", "CLAUDE.md"),
    ]
    assert [left.path for left in found.left] == ["README.md"]
    assert fates(proposal)["@README.md"] == KEEP
    assert "`a.md` and always `b.md` now." in fates(proposal)
    assert "Write to @someone." in fates(proposal)


def test_regions_of_ours_are_blanked_and_lines_keep_their_numbers() -> None:
    text = "a\r\n<x>\r\ny\r\n</x>\r\nb"

    assert blanked(text, [(3, 15)]) == "a\n\n\n\nb"


def test_what_is_nearly_the_same_is_told_and_stays() -> None:
    texts = {
        "AGENTS.md": "- Write the long release notes of each version in the changelog file.\n",
        "CLAUDE.md": "- You must write the long release notes of each version in the changelog file.\n",
    }
    units = proposed(texts).units

    assert [unit.fate for unit in units] == ["detail", "core"]
    assert units[1].reason == "AGENTS.md:1 says nearly the same"
    steps = "1. Never push to the main branch.\n2. Sign each commit.\n\n- Do not push to the main branch.\n"
    assert [unit.fate for unit in proposed({"CLAUDE.md": steps}).units] == ["core", "core"]


def test_the_better_tier_of_two_that_are_equal_holds() -> None:
    rule = "- Keep the long functions of the shop short.\n"
    marked = f"<!-- verbosity:extended -->\n{rule}"
    units = proposed({"AGENTS.md": marked, "CLAUDE.md": rule}).units

    assert [unit.fate for unit in units] == ["detail", SAME]
    assert "so is CLAUDE.md:1" in units[0].reason
    assert [unit.fate for unit in proposed({"AGENTS.md": rule, "CLAUDE.md": marked}).units] == [
        "detail",
        SAME,
    ]


def test_the_same_words_under_another_heading_or_twice_in_one_file_stay() -> None:
    rule = "- Keep the long functions of the shop short.\n"
    texts = {"AGENTS.md": f"# Shop\n\n## Rules\n\n{rule}", "CLAUDE.md": f"## History\n\n{rule}"}

    assert [unit.fate for unit in proposed(texts).units] == ["detail", "extended"]
    texts["CLAUDE.md"] = f"# CLAUDE.md\n\n## Rules\n\n{rule}\nMore.\n\n{rule}"
    fates = [unit.fate for unit in proposed({"CLAUDE.md": texts["CLAUDE.md"]}).units]
    assert fates == ["detail", "detail", "detail"]
    assert [unit.fate for unit in proposed(texts).units] == ["detail", SAME, "detail", SAME]


def test_a_step_that_repeats_one_of_the_same_steps_is_no_repeat_of_theirs() -> None:
    text = "1. Run the tests of every package.\n2. Change it.\n3. Run the tests of every package.\n"

    assert [unit.fate for unit in proposed({"CLAUDE.md": text}).units] == ["detail"]


def test_an_item_is_not_taken_out_of_its_introduction() -> None:
    item = "- the long list of open issues\n"
    texts = {"AGENTS.md": item, "CLAUDE.md": f"Before a release, check:\n\n{item}"}
    units = proposed(texts).units

    assert [unit.fate for unit in units] == ["detail", "detail", "detail"]


def test_an_introduction_goes_with_the_list_that_is_said_elsewhere() -> None:
    rules = "Rules of the house:\n\n- Never push to the main branch.\n- Never commit the secret keys.\n"
    units = proposed({"AGENTS.md": rules, "CLAUDE.md": rules + "\nEnd of it.\n"}).units

    assert [unit.fate for unit in units if unit.path == "CLAUDE.md"] == [SAME, SAME, SAME, "detail"]


def test_what_holds_for_some_files_does_not_stand_for_all() -> None:
    rule = "- Never push to the main branch.\n"
    front = "---\nglobs: src/**\nalwaysApply: false\n---\n"
    units = proposed(
        {"CLAUDE.md": rule, ".cursor/rules/a.mdc": front + rule, ".cursor/rules/b.mdc": front + rule}
    ).units

    assert [unit.fate for unit in units] == ["core", SAME, SAME]
    pack = f"## X\n<!-- globs: src/** -->\n\n{rule}"
    assert [unit.fate for unit in proposed({"CLAUDE.md": rule}, pack).units][-1] == "core"
    assert [unit.fate for unit in proposed({"CLAUDE.md": rule}, rule).units][-1] == SAME


def test_no_heading_is_left_out_but_the_title_that_stays_above_a_page() -> None:
    texts = {
        "AGENTS.md": "# AGENTS.md\n\nHello there.\n\n## Testing\n\n- Never a.\n\n#### Deep\n\nText.\n",
        "CLAUDE.md": "Shop\n====\n\nThe shop.\n\nTesting\n-------\n\n- Never b.\n\n## Empty\n\n## Also empty\n",
    }

    assert context_of(proposed(texts)) == (
        "<!-- verbosity:detail -->\n\n**Empty**\n\n**Also empty**\n\n## AGENTS.md\n\nHello there.\n\n"
        "<!-- verbosity:core -->\n\n### Testing\n\n- Never a.\n\n"
        "<!-- verbosity:detail -->\n\n#### Deep\n\nText.\n\n## Shop\n\nThe shop.\n\n"
        "<!-- verbosity:core -->\n\n### Testing\n\n- Never b.\n"
    )
    hosted = replace(proposed(texts), hosts=frozenset(texts))
    assert "## Testing\n\n- Never a.\n- Never b.\n" in context_of(hosted)
    assert "AGENTS.md" not in context_of(hosted)
    assert [rest_of(hosted, source, source.text, []) for source in hosted.sources] == [
        "# AGENTS.md\n",
        "Shop\n====\n",
    ]
    assert pack_yaml(proposed(texts), "x").splitlines()[1] == 'name: "Shop"'
    assert (
        pack_yaml(proposed({"CLAUDE.md": "# A\n\n- b\n\n# C\n\n- d\n"}), "x").splitlines()[1] == 'name: "x"'
    )


def test_two_rules_of_one_title_for_other_files_are_told_apart() -> None:
    texts = {
        ".cursor/rules/a.mdc": "---\ndescription: A\nglobs: a/**\nalwaysApply: false\n---\n# Same\n\n- Never x.\n",
        ".cursor/rules/b.mdc": "---\ndescription: A\nglobs: b/**\nalwaysApply: false\n---\n# Same\n\n## In\n\n- Never y.\n",
        "CLAUDE.md": "# #\n\n- Never z.\n",
    }
    context = context_of(proposed(texts))

    assert "## A\n<!-- globs: a/** -->\n\n### Same" in context
    assert "## A (b/**)\n<!-- globs: b/** -->\n\n### Same\n\n#### In" in context


def test_indented_code_that_moves_is_fenced_and_marked_text_keeps_its_tier() -> None:
    text = "Never push to the main branch.\n\n    make it\n"
    context = context_of(proposed({"AGENTS.md": "- Never push to the main branch.\n", "CLAUDE.md": text}))

    assert "```\nmake it\n```" in context
    marked = proposed({"CLAUDE.md": "<!-- verbosity:extended -->\nNever a.\n"})
    assert [(unit.fate, unit.reason) for unit in marked.units] == [("extended", "it is marked so")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_left_has_its_headings_and_front_matter(end: str) -> None:
    text = f"---{end}a: b{end}---{end}# T{end}{end}## One{end}{end}- Never a.{end}{end}## Two{end}{end}- Never b.{end}- Never c.{end}"
    region = f"<!-- modicum:start:modicum -->{end}x{end}<!-- modicum:end:modicum -->{end}"
    whole = text + region
    found = find_sources(
        ProjectFiles({"CLAUDE.md": whole}),
        loaders(),
        ("",),
        {"CLAUDE.md": [(len(text), len(whole) - len(end))]},
    )
    proposal = propose(found, ProjectFiles({"CLAUDE.md": whole}), "", {1: ChosenFate(KEEP)})
    spans = [(len(text), len(whole) - len(end))]

    assert rest_of(proposal, found.sources[0], whole, spans) == (
        f"---{end}a: b{end}---{end}# T{end}{end}## Two{end}{end}- Never b.{end}{end}{region}"
    )


def test_a_review_says_each_block_once_and_wrong_words_are_refused() -> None:
    texts = {
        "CLAUDE.md": "@a.md\n\n- Never a.\n- Never b.\n\n## Two\n\n- Never a thing.\n",
        "a.md": "- Never c.\n",
    }
    proposal = proposed(texts)
    text = review_text(proposal)

    assert parse_review(text, proposal) == ({}, ())
    assert "core      " in text
    assert "(+1)" in text
    line = next(line for line in text.splitlines() if "a.md:1" in line and "Never c" in line)
    with pytest.raises(ModicumError, match="only imported"):
        parse_review(line.replace("core", "keep"), proposal)
    with pytest.raises(ModicumError, match="is said by no other block"):
        parse_review(line.replace("core", "same"), proposal)
    with pytest.raises(ModicumError, match="is no choice"):
        parse_review("quatsch", proposal)
    assert parse_review("core 00000000", proposal) == ({}, ("00000000",))
    assert len({block.key for block in proposal.blocks()}) == len(proposal.blocks())


def test_blocks_with_the_same_text_have_keys_of_their_own() -> None:
    chosen = {1: ChosenFate("core"), 0: ChosenFate("core")}
    proposal = proposed({"CLAUDE.md": "## A\n\n- x y\n\n## B\n\n- x y\n"}, chosen=chosen)

    assert [block.key.endswith(".2") for block in proposal.blocks()] == [False, True]


def test_what_is_no_text_is_left_with_a_remedy() -> None:
    found, _ = found_in({"CLAUDE.md": "\udcff\udcfe-\0", "AGENTS.md": "- Use \0\n"})

    assert found.sources == ()
    assert {left.path: left.why.split(":")[0] for left in found.left} == {
        "CLAUDE.md": "it is in UTF-16",
        "AGENTS.md": "it has zero bytes, and is no text",
    }


def test_what_is_no_utf8_stays_in_its_file_under_its_heading_and_the_rest_is_adopted() -> None:
    texts = {
        "AGENTS.md": "## Caf\udce9\n\n- Never a.\n\n## Rules\n\n- Never b.\n- Use \udcff.\n\n## E\udce9\n"
    }
    proposal = proposed(texts)

    assert [(unit.text, unit.fate) for unit in proposal.units] == [
        ("- Never a.", KEEP),
        ("- Never b.", "core"),
        ("- Use \udcff.", KEEP),
        ("**E\udce9**", KEEP),
    ]
    assert rest_of(proposal, proposal.sources[0], texts["AGENTS.md"], []).encode(
        "utf-8", "surrogateescape"
    ) == (b"## Caf\xe9\n\n- Never a.\n\n## Rules\n\n- Use \xff.\n\n## E\xe9\n")


def test_a_line_that_imports_and_stays_keeps_what_it_imports() -> None:
    texts = {"CLAUDE.md": "See @a.md for all.\n\n- Never b.\n", "a.md": "- Never c.\n"}
    proposal = proposed(texts, chosen={0: ChosenFate(KEEP), 1: ChosenFate("detail")})

    assert [(unit.fate, unit.reason) for unit in proposal.units] == [
        (KEEP, "you chose it"),
        ("detail", "you chose it"),
        (KEEP, "a line that stays in CLAUDE.md imports it"),
    ]
    assert rest_of(proposal, proposal.sources[0], texts["CLAUDE.md"], []) == "See @a.md for all.\n"
    assert rest_of(proposed(texts), proposal.sources[0], texts["CLAUDE.md"], []) == ""


def test_what_is_said_elsewhere_and_wanted_all_the_same_is_said_twice() -> None:
    texts = {
        "AGENTS.md": "- Never push to the main branch.\n",
        "CLAUDE.md": "- Never push to the main branch.\n",
    }
    proposal = proposed(texts)
    text = "\n".join(line.replace("same ", "core ", 1) for line in review_text(proposal).splitlines())
    chosen, _ = parse_review(text, proposal)

    assert chosen == {1: ChosenFate("core")}
    assert [unit.fate for unit in proposed(texts, chosen=chosen).units] == ["core", "core"]
