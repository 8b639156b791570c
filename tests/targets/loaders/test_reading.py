"""The laws of reading, on random loaders and files."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.targets.loaders.files import ProjectFiles, joined
from modicum.targets.loaders.model import Loader, ReadLimit, ReadRule, SettingKey
from modicum.targets.loaders.reading import (
    MOST_IMPORTED,
    MOST_IMPORTED_TEXT,
    LoaderInFolder,
    Reading,
    beginning,
    limit_in_force,
    measured,
    most_of,
    reading,
)

_spec = importlib.util.spec_from_file_location("random_loaders", Path(__file__).parent / "random_loaders.py")
random_loaders = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(random_loaders)

folders = st.sampled_from(("", "p", random_loaders.START))


def covered(found: Reading, path: str) -> set[int]:
    """The characters of a file that are read, or told as not read."""
    spans = [span for span in (*found.passages, *found.unread, *found.dropped) if span.path == path]
    return {index for span in spans for index in range(span.start, span.end)}


@given(random_loaders.loaders(), random_loaders.project_files(), folders)
def test_a_passage_is_a_part_of_a_file_that_is_there(
    loader: Loader, files: ProjectFiles, folder: str
) -> None:
    found = reading(loader, files, folder)

    for span in (*found.passages, *found.unread, *found.dropped):
        assert 0 <= span.start <= span.end <= len(files.texts[span.path])
    assert all(files.texts[each.path][each.start : each.end].strip() for each in found.passages)
    assert all(each.importer in (*files.texts, "") for each in found.passages)


@given(random_loaders.loaders(), random_loaders.project_files(), folders)
def test_what_is_read_and_what_is_not_make_up_every_file_that_is_known(
    loader: Loader, files: ProjectFiles, folder: str
) -> None:
    found = reading(loader, files, folder)

    for path in {span.path for span in (*found.passages, *found.unread, *found.dropped)}:
        told = covered(found, path)
        assert not "".join(c for index, c in enumerate(files.texts[path]) if index not in told).strip(
            "\ufeff \t\r\n\f\v"
        )


@given(random_loaders.loaders(), random_loaders.project_files())
def test_every_file_that_a_rule_names_in_the_folder_is_told_of(loader: Loader, files: ProjectFiles) -> None:
    plain = [
        rule
        for rule in loader.rules
        if rule.folders in ("folder", "down", "up", "above")
        and not (rule.names or rule.more)
        and (files.is_repository or rule.outside != "none")
    ]
    named = {joined(random_loaders.START, name) for rule in plain for name in rule.files}
    found = reading(loader, files, random_loaders.START)
    told = {span.path for span in (*found.passages, *found.unread, *found.dropped)}

    assert {path for path in named if files.texts.get(path, "").strip()} <= told


@given(random_loaders.loaders(), random_loaders.project_files(), folders)
def test_the_same_files_are_read_the_same_way_in_any_order_of_finding_them(
    loader: Loader, files: ProjectFiles, folder: str
) -> None:
    prepared = LoaderInFolder(loader, folder)
    turned = replace(
        files, texts=dict(reversed(files.texts.items())), links=dict(reversed(files.links.items()))
    )

    assert prepared(files) == prepared(files) == prepared(turned) == reading(loader, files, folder)


@given(random_loaders.loaders(), random_loaders.project_files(), folders, st.sampled_from(("all", "each")))
def test_a_limit_is_never_exceeded(loader: Loader, files: ProjectFiles, folder: str, name: str) -> None:
    loader = replace(loader, rules=tuple(replace(rule, limit=name) for rule in loader.rules))
    limit = next(limit for limit in loader.limits if limit.name == name)
    sizes = [
        measured(files.texts[each.path][each.start : each.end], limit.unit)
        for each in reading(loader, files, folder).passages
    ]

    assert (max(sizes, default=0) if limit.each else sum(sizes)) <= limit.most


@given(random_loaders.loaders(), random_loaders.project_files(), folders)
def test_without_limits_everything_arrives_that_arrives_with_them(
    loader: Loader, files: ProjectFiles, folder: str
) -> None:
    limited, free = reading(loader, files, folder), reading(replace(loader, limits=()), files, folder)

    for path in {each.path for each in limited.passages}:
        arrived = {
            index for each in limited.passages if each.path == path for index in range(each.start, each.end)
        }
        free_spans = [each for each in free.passages if each.path == path]
        assert arrived <= {index for each in free_spans for index in range(each.start, each.end)}


@given(st.text(max_size=30), st.integers(0, 40), st.sampled_from(("bytes", "chars")))
def test_the_beginning_of_a_text_is_as_long_as_a_limit_allows(text: str, most: int, unit: str) -> None:
    start = beginning(text.encode("utf-8", "replace").decode(), most, unit)
    longer = text.encode("utf-8", "replace").decode()[: len(start) + 1]

    assert measured(start, unit) <= most
    assert longer == start or measured(longer, unit) > most


def test_bytes_that_are_no_text_count_as_bytes() -> None:
    broken = b"a\xff\xfe\xc3\xa9b".decode("utf-8", "surrogateescape")

    assert measured(broken, "bytes") == 6
    assert beginning(broken, 4, "bytes") == broken[:3]


@pytest.mark.parametrize(("value", "most"), [(None, 9), (5, 5), (0, 0), (True, 9), ("7", 9), (1.5, 9)])
def test_only_a_whole_number_in_the_settings_replaces_a_limit(value: object, most: int) -> None:
    assert most_of(ReadLimit("all", "bytes", 9), value) == most


def test_a_limit_is_in_force_with_the_settings_of_the_folder() -> None:
    limit = ReadLimit("all", "bytes", 9, setting=SettingKey(("s.json",), ("most",), "down"))
    files = ProjectFiles(settings={"s.json": {"most": 5}, "p/s.json": {"most": 7}})

    assert [limit_in_force(files, limit, folder) for folder in ("", "p", "q")] == [5, 7, 5]
    assert limit_in_force(ProjectFiles(), limit) == 9


def test_settings_at_the_root_count_in_every_folder() -> None:
    key = SettingKey(("s.json",), ("names",), "root")
    loader = Loader((ReadRule("down", ("A.md",), names=key),))
    files = ProjectFiles(
        {"A.md": "a", "X.md": "x"}, {"s.json": {"names": "X.md"}, "p/s.json": {"names": "A.md"}}
    )

    assert [each.path for each in reading(loader, files, "p").passages] == ["X.md"]


def test_a_limit_of_one_feature_cuts_nothing() -> None:
    loader = Loader(
        (ReadRule("root", ("A.md",), limit="review"),), (ReadLimit("review", "chars", 1, feature="review"),)
    )

    assert reading(loader, ProjectFiles({"A.md": "abc"})).passages[0].end == 3


def test_a_version_reads_by_its_own_rules() -> None:
    loader = Loader((ReadRule("root", ("A.md",), until="2.0"), ReadRule("root", ("B.md",), since="1.10")))
    files = ProjectFiles({"A.md": "a", "B.md": "b"})

    assert loader.versions == ("", "1.10", "2.0")
    assert {
        version: [each.path for each in reading(loader, files, version=version).passages]
        for version in ("", "1.9", "1.10", "2", "2.0.1")
    } == {"": ["A.md"], "1.9": ["A.md"], "1.10": ["A.md", "B.md"], "2": ["A.md", "B.md"], "2.0.1": ["B.md"]}


def test_a_package_reads_from_the_root_of_its_repository_down() -> None:
    """Its files above are in the repository, so that imports and the folders `root` and `parent` reach them."""
    texts = {"../A.md": "root @./b.md", "../b.md": "imported", "A.md": "package", "../../A.md": "outside"}
    files = ProjectFiles(texts, repository="..")
    inline = Loader(rules=(ReadRule("down", ("A.md",), imports="inline"),))

    assert reading(inline, files).text(files) == "root \n\nimported\n\npackage"
    assert [p.path for p in reading(Loader(rules=(ReadRule("root", ("A.md",)),)), files).passages] == [
        "../A.md"
    ]
    parents = reading(Loader(rules=(ReadRule("parent", ("A.md",)),)), files).passages
    assert [p.path for p in parents] == ["../../A.md", "../A.md", "A.md"]


@pytest.mark.parametrize("once", ["chain", "below"])
def test_files_that_import_each_other_are_not_followed_without_an_end(once: str) -> None:
    names = [f"{number}.md" for number in range(30)]
    files = ProjectFiles(dict.fromkeys(("A.md", *names), " ".join(f"@./{name}" for name in names)))
    loader = Loader(
        (ReadRule("root", ("A.md",), imports="inline"),), imported_once=once
    )  # 30 * 29 * 28 * 27 * 26 ways
    found = reading(loader, files)

    assert len(found.passages) <= 2 * MOST_IMPORTED + 2
    assert [each.why for each in found.dropped if "are not followed" in each.why] == [
        f"more than {MOST_IMPORTED:,} imports, or {MOST_IMPORTED_TEXT:,} characters of them, are not followed"
    ]


def test_a_large_file_that_is_imported_often_is_not_read_without_an_end() -> None:
    large = "x" * (MOST_IMPORTED_TEXT // 4)
    files = ProjectFiles({"A.md": "@./b.md @./b.md " * 50, "b.md": large})
    loader = Loader((ReadRule("root", ("A.md",), imports="inline"),), imported_once="chain")

    assert [each.path for each in reading(loader, files).passages].count("b.md") == 4
