"""What an adoption has lost is found line by line, and what it has widened."""

from modicum.app.adopt.comparison import ToolTexts, lost_lines, widened_files
from modicum.app.adopt.sources import AdoptSource, FoundFiles, find_sources, without_inner
from modicum.app.inject.load import BUILT_IN
from modicum.targets.load import load_adapters
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.model import Adapter

TOOL = Adapter("t", "T", "file-inject")


def texts(start: str, later: str = "") -> ToolTexts:
    return ToolTexts(TOOL, {"": start}, {"": {"A.md": start}}, {"scoped.md": later} if later else {})


def test_a_line_for_some_files_is_lost_only_if_it_is_read_nowhere() -> None:
    before = texts("Always this.\n", "Only for Python.\n")

    assert lost_lines(before, texts("Always this.\nOnly for Python.\n")) == []
    assert [(each.path, each.line) for each in lost_lines(before, texts("Always this.\n"))] == [
        ("scoped.md", "Only for Python.")
    ]


def test_what_is_read_always_and_was_for_some_files_is_widened() -> None:
    before = texts("Always this.\n", "# Title\nOnly for Python.\n")
    sources = [
        AdoptSource("A.md", "Always this.\n"),
        AdoptSource("scoped.md", "# Title\nOnly for Python.\nAlways this.\n", ("*.py",)),
    ]

    assert [*widened_files(before, texts("Always this.\nOnly for Python.\n"), sources)] == ["scoped.md"]
    assert [*widened_files(before, texts("Always this.\n# Title\n"), sources)] == []
    assert [*widened_files(before, texts("Only for Python.\n"), sources[:1])] == []


def test_what_a_source_of_a_sub_folder_imports_is_left_with_it() -> None:
    sources = (
        AdoptSource("pkg/A.md", "@b.md\n", folder="pkg"),
        AdoptSource("pkg/b.md", "b\n", importer="pkg/A.md"),
        AdoptSource("A.md", "a\n"),
    )
    found = without_inner(FoundFiles(sources, ()))

    assert [each.path for each in found.sources] == ["A.md"]
    assert {each.path: each.why for each in found.left} == dict.fromkeys(
        ("pkg/A.md", "pkg/b.md"), "it is read at the start in pkg"
    )


def test_what_is_imported_from_git_s_own_folder_is_left() -> None:
    loaders = [each.reads for each in load_adapters([("built-in", BUILT_IN)]).adapters if each.reads]
    files = ProjectFiles({"CLAUDE.md": "Use tabs.\n@.git/info/notes.md\n", ".git/info/notes.md": "Never.\n"})

    found = find_sources(files, loaders, ("",), {})

    assert [each.path for each in found.sources] == ["CLAUDE.md"]
    assert [(each.path, each.why) for each in found.left] == [(".git/info/notes.md", "it is git's own")]
