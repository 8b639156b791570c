"""Laws of the paths that an adapter of somebody else may name."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from modicum.base.git_names import leads_into_git
from modicum.targets.bounds import closed_lists as lists
from modicum.targets.bounds.paths import (
    is_settings_or_skill,
    is_text_at_home,
    is_text_in_project,
    meant_by,
    why_strange,
)

IGNORED = st.sampled_from([chr(code) for code in (0x200C, 0x200F, 0x202A, 0x202E, 0x206A, 0x206F, 0xFEFF)])
ENDS = st.sampled_from(["", ".", " ", ". .", "::$INDEX_ALLOCATION", ":x", " .:x"])
NAMES = st.text(st.characters(exclude_characters="/\\"), min_size=1, max_size=8)
STEPS = st.one_of(
    NAMES,
    st.sampled_from(
        (".git", "..", ".", "~", "", ".husky", ".claude", "rules", "commands", "hooks", "AGENTS.md")
    ),
    st.sampled_from(("Makefile", "package.json", "x.py", ".rules", "rules.txt", "$HOME", "git~1", ".github")),
)
PATHS = st.lists(STEPS, min_size=1, max_size=5).map("/".join)


@st.composite
def git_names(draw: st.DrawFn) -> str:
    """A spelling of `.git` that some system takes for it."""
    letters = [draw(st.sampled_from([letter, letter.upper()])) for letter in ".git"]
    between = [draw(st.lists(IGNORED, max_size=2).map("".join)) for _ in letters]
    spelt = "".join(hidden + letter for hidden, letter in zip(between, letters, strict=True))
    return draw(st.sampled_from([spelt, "GIT~1", "git~2"])) + draw(ENDS)


@given(git_names(), st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=3), st.sampled_from("/\\"))
def test_git_is_git_in_every_spelling(name: str, above: list[str], below: list[str], separator: str) -> None:
    path = separator.join([*above, name, *below, "AGENTS.md"])

    assert leads_into_git(path)
    assert not is_text_in_project(path)
    assert not is_text_at_home(f"~/.claude/{path}")


@given(PATHS)
def test_a_text_in_the_project_is_below_it_and_on_the_closed_list(path: str) -> None:
    if not is_text_in_project(path):
        return
    *folders, name = path.split("/")

    assert not {"", ".", ".."} & {*folders, name}
    assert path.isprintable()
    assert unicodedata.normalize("NFKC", path).casefold().count(".git/") == 0
    ends = (*lists.TEXT_ENDINGS, *lists.RULE_ENDINGS)
    assert name.casefold() in lists.TEXT_NAMES or name.casefold().endswith(ends)
    hidden = {folder.casefold() for folder in folders if folder.startswith(".")}
    assert hidden <= {*lists.TOOL_FOLDERS, *lists.SHARED_FOLDERS}


@given(PATHS)
def test_a_text_at_home_is_in_a_folder_of_a_tool(path: str) -> None:
    known = (*(f"~/{folder}/" for folder in lists.HOME_FOLDERS), *(f"~/{file}" for file in lists.HOME_FILES))

    assert not is_text_at_home(path)
    assert not is_text_at_home(f"~/{path}") or f"~/{path}".startswith((*known, "~/modicum-"))


@given(PATHS, PATHS)
def test_a_reference_that_leads_out_is_no_text_of_the_project(reference: str, file: str) -> None:
    meant = meant_by(reference, file)

    assert not (meant.startswith(("..", "/")) and is_text_in_project(meant))


@given(PATHS)
def test_settings_are_exactly_the_ones_that_are_listed(path: str) -> None:
    assert not is_settings_or_skill(path) or not why_strange(path)


def test_settings_scripts_and_skills_of_tools_are_known() -> None:
    for path in (".mcp.json", ".clinerules/hooks/TaskStart", ".claude/skills/x/run.sh"):
        assert is_settings_or_skill(path)
    assert not is_settings_or_skill("package.json")
    assert not is_settings_or_skill(".claude/skills")
