"""Sources are folders used in place, or copies of git repositories at a ref; a lock file says which."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from modicum.base.errors import ModicumError
from modicum.packs import sources
from modicum.packs.load import Layer, load_layers
from modicum.packs.model import Source
from modicum.packs.sources import LOCK, add, installed, remove, update
from modicum.packs.web.fetch_markers import Marker

ENVIRON = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
WHO = {f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
MARK = '<!-- sync:fetch url="https://example.com/x" -->'


def run_git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "init.defaultBranch=main", "-C", str(folder), *words]
    return subprocess.run(
        command, env=ENVIRON | WHO, check=True, capture_output=True, text=True
    ).stdout.strip()


def make_packs(folder: Path, name: str = "cap", context: str = "text\n") -> Path:
    pack = folder / "packs" / name
    pack.mkdir(parents=True, exist_ok=True)
    (pack / "pack.yaml").write_text(f"id: {name}\n")
    (pack / "context.md").write_text(context)
    return folder


def commit(folder: Path) -> str:
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--quiet", "-m", "x")
    return run_git(folder, "rev-parse", "HEAD")


def make_repository(folder: Path, inner: str = "") -> tuple[Path, str]:
    make_packs(folder / inner)
    run_git(folder, "init", "--quiet")
    return folder, commit(folder)


def ids(data: Path) -> list[str]:
    return [pack.id for pack in load_layers([Layer(s.name, s.content) for s in installed(data)]).packs]


def fetched(_marker: Marker) -> str:
    return "fresh"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_there_is_nothing_to_begin_with(data: Path) -> None:
    assert installed(data) == ()
    assert update(data, environ=ENVIRON) == ()


def test_a_folder_is_used_in_place(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_packs(tmp_path / "team")
    (folder / "profiles").mkdir()
    (folder / "profiles" / "dev.yaml").write_text("id: dev")
    (folder / "adapters").mkdir()
    (folder / "adapters" / "tool.yaml").write_text("id: tool")
    (folder / "adapters" / "readme.md").write_text("")
    monkeypatch.chdir(tmp_path)

    report = add(data, "team", environ=ENVIRON)

    assert report.source == Source("team", str(folder), "", "", folder)
    assert (report.packs, report.profiles, report.adapters) == (1, 1, 1)
    assert (report.problems, report.remarks, report.failed) == ((), (), "")
    assert installed(data) == (report.source,)
    assert json.loads((data / LOCK).read_text()) == {
        "version": 1,
        "sources": [{"name": "team", "location": str(folder)}],
    }
    assert sorted(path.name for path in data.iterdir()) == [LOCK, "state"]  # where its lock is


def test_the_packs_may_lie_in_a_folder_content(data: Path, tmp_path: Path) -> None:
    make_packs(tmp_path / "team" / "content")

    first = add(data, str(tmp_path / "team"), environ=ENVIRON).source
    second = add(data, str(tmp_path / "team" / "content"), environ=ENVIRON, name="again").source

    assert first.content == second.content == tmp_path / "team" / "content"
    assert sources.derived_name(str(tmp_path / "team" / "content")) == "team"


def test_a_broken_pack_is_reported_and_the_others_are_added(data: Path, tmp_path: Path) -> None:
    folder = make_packs(tmp_path / "team")
    (folder / "packs" / "broken").mkdir()
    (folder / "packs" / "broken" / "pack.yaml").write_text("idd: cap")

    report = add(data, str(folder), environ=ENVIRON)

    assert (report.packs, len(report.problems)) == (1, 1)
    assert len(installed(data)) == 1


def test_a_source_of_which_nothing_can_be_used_leaves_nothing(data: Path, tmp_path: Path) -> None:
    folder = make_packs(tmp_path / "team")
    (folder / "packs" / "cap" / "pack.yaml").write_text("idd: cap")

    with pytest.raises(ModicumError, match=r"nothing in .*team can be used: .*pack\.yaml.*idd"):
        add(data, str(folder), environ=ENVIRON)

    assert installed(data) == ()


def test_a_repository_of_which_nothing_can_be_used_leaves_no_copy(data: Path, tmp_path: Path) -> None:
    folder, _ = make_repository(tmp_path / "team")
    (folder / "packs" / "cap" / "pack.yaml").write_text("idd: cap")
    commit(folder)

    with pytest.raises(ModicumError, match="can be used"):
        add(data, str(folder), environ=ENVIRON, ref="HEAD")

    assert installed(data) == ()
    assert not (data / "sources" / "team").exists()


def test_sources_keep_their_order_and_later_ones_win(data: Path, tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        add(data, str(make_packs(tmp_path / name, f"of-{name}")), environ=ENVIRON)

    remove(data, "two")

    assert [source.name for source in installed(data)] == ["one", "three"]
    assert ids(data) == ["of-one", "of-three"]
    assert (tmp_path / "two" / "packs").is_dir()


def test_a_repository_is_copied_at_a_ref(data: Path, tmp_path: Path) -> None:
    repository, first = make_repository(tmp_path / "team.git-work", "content")
    run_git(repository, "tag", "v1")
    make_packs(repository / "content", "second")
    second = commit(repository)

    tagged = add(data, str(repository), ref="v1", name="tagged", environ=ENVIRON)
    hashed = add(data, str(repository), ref=first, name="hashed", environ=ENVIRON)
    short = add(data, str(repository), ref=first[:10], name="short", environ=ENVIRON)
    branch = add(data, f"file://{repository}", environ=ENVIRON)

    found = [report.source.commit for report in (tagged, hashed, short, branch)]
    assert found == [first, first, first, second]
    assert [report.packs for report in (tagged, branch)] == [1, 2]
    assert branch.source.name == "team.git-work"
    assert tagged.source.content == data / "sources" / "tagged" / first / "content"
    assert not list(data.rglob(".git"))
    assert sorted(path.name for path in (data / "sources").iterdir()) == [
        "hashed",
        "short",
        "tagged",
        "team.git-work",
    ]


def test_a_bare_repository_is_copied_without_a_ref(data: Path, tmp_path: Path) -> None:
    repository, commit_hash = make_repository(tmp_path / "team")
    run_git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare.git")

    report = add(data, str(tmp_path / "bare.git"), environ={**ENVIRON, "GIT_DIR": "/nowhere"})

    assert (report.source.name, report.source.commit) == ("bare", commit_hash)


def test_an_update_brings_the_newest_commit_of_the_ref(data: Path, tmp_path: Path) -> None:
    repository, first = make_repository(tmp_path / "team")
    add(data, str(repository), ref="main", environ=ENVIRON)
    same = update(data, ["team"], environ=ENVIRON)[0]
    make_packs(repository, "new")
    second = commit(repository)

    report = update(data, environ=ENVIRON)[0]

    assert (same.source.commit, report.source.commit, report.packs) == (first, second, 2)
    assert installed(data) == (report.source,)
    assert [path.name for path in (data / "sources" / "team").iterdir()] == [second]


def test_an_update_that_fails_keeps_the_last_good_copy_and_the_others_proceed(
    data: Path, tmp_path: Path
) -> None:
    repository, first = make_repository(tmp_path / "team")
    other, _ = make_repository(tmp_path / "other")
    add(data, str(repository), ref="main", environ=ENVIRON)
    add(data, str(other), ref="main", environ=ENVIRON)
    run_git(repository, "mv", "packs", "gone")
    commit(repository)
    make_packs(other, "new")
    commit(other)

    emptied, fine = update(data, environ=ENVIRON)
    repository.rename(tmp_path / "moved")
    lost, _ = update(data, environ=ENVIRON)

    assert "has no packs" in emptied.failed
    assert lost.failed.startswith("git fetch failed: ")
    assert (emptied.source.commit, emptied.packs) == (lost.source.commit, lost.packs) == (first, 1)
    assert (fine.failed, fine.packs) == ("", 2)
    assert ids(data) == ["cap", "new"]
    assert sorted(path.name for path in (data / "sources").iterdir()) == ["other", "team"]


def test_an_update_fetches_what_packs_quote_from_the_web(data: Path, tmp_path: Path) -> None:
    repository, _ = make_repository(tmp_path / "team")
    make_packs(repository, "quoting", f"a\n\n{MARK}\n")
    commit(repository)
    folder = make_packs(tmp_path / "mine", "own", f"b\n\n{MARK}\n")

    added = add(data, str(repository), ref="main", environ=ENVIRON)
    add(data, str(folder), environ=ENVIRON)
    update(data, environ=ENVIRON, fetch=fetched)
    make_packs(repository, "other")
    commit(repository)

    def fails(_marker: Marker) -> str:
        raise ModicumError("cannot be fetched")

    reports = update(data, environ=ENVIRON, fetch=fails)

    assert added.remarks == ("1 of its packs quote the web; `modicum source update team` fetches that text",)
    assert [len(report.remarks) for report in reports] == [1, 1]
    packs = load_layers([Layer(s.name, s.content) for s in installed(data)]).packs
    texts = {pack.id: pack.context[0].text for pack in packs}
    assert "> fresh" in texts["quoting"]
    assert "> fresh" in texts["own"]
    assert (folder / "packs" / "own" / "context.expanded.md").is_file()


def test_removing_deletes_our_copy_and_never_a_folder_of_the_users(data: Path, tmp_path: Path) -> None:
    repository, _ = make_repository(tmp_path / "team")
    add(data, str(repository), ref="main", environ=ENVIRON)
    add(data, str(make_packs(tmp_path / "mine")), environ=ENVIRON)

    remove(data, "team")
    remove(data, "mine")

    assert installed(data) == ()
    assert list((data / "sources").iterdir()) == []
    assert (repository / "packs").is_dir()
    assert (tmp_path / "mine" / "packs").is_dir()


def test_links_and_hooks_of_a_repository_do_nothing(data: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    repository, _ = make_repository(tmp_path / "team")
    context = repository / "packs" / "cap" / "context.md"
    context.unlink()
    context.symlink_to(tmp_path / "secret")
    commit(repository)

    report = add(data, str(repository), ref="main", environ=ENVIRON)

    copy = report.source.content / "packs" / "cap" / "context.md"
    assert not copy.is_symlink()
    assert copy.read_text() == str(tmp_path / "secret")


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("http://example.com/x.git", "is not a source"),
        ("git://example.com/x.git", "is not a source"),
        ("ext::sh -c touch% /tmp/x", "is not a source"),
        ("https::x", "is not a source"),
        ("https://me:secret@example.com/x.git", "must not carry a password"),
        ("https://token@example.com/x.git", "must not carry a password"),
        ("nowhere", "is not a folder"),
        ("--upload-pack=x", "is not a source"),
        ("-oProxyCommand:x", "is not a source"),
        ("ssh://-oProxyCommand=x/y", "is not a source"),
        ("ssh://git@-oProxyCommand=x/y", "is not a source"),
        ("https://example.com/x\x1b[2K", "is not a source"),
    ],
)
def test_what_is_no_source_is_refused(where: str, message: str, data: Path) -> None:
    with pytest.raises(ModicumError, match=message):
        add(data, where, environ=ENVIRON)
    assert not data.exists()


def test_what_git_says_of_a_wrong_address_is_told_whole(tmp_path: Path) -> None:
    address = f"file://{tmp_path}/nowhere.git"

    with pytest.raises(ModicumError) as refused:
        sources.add(tmp_path / "data", address, environ=os.environ)
    assert refused.value.message.startswith("git fetch failed: fatal: ")
    assert f"'{tmp_path}/nowhere.git' does not appear to be a git repository" in refused.value.message
    assert refused.value.message.endswith("and the repository exists")


@pytest.mark.parametrize(
    "ref", ["-x", "--upload-pack=touch x", "a b", "a..b", "a:b", "+a", "a\n", ".a", "a/", "@{u}"]
)
def test_a_ref_is_one_ref_and_no_option(ref: str, data: Path, tmp_path: Path) -> None:
    folder = make_packs(tmp_path / "team")

    with pytest.raises(ModicumError, match=r"is not a ref|failed"):
        add(data, str(folder), ref=ref, environ=ENVIRON)
    assert installed(data) == ()


def test_names_are_unique_and_plain(data: Path, tmp_path: Path) -> None:
    folder = str(make_packs(tmp_path / "team"))
    other = str(make_packs(tmp_path / "elsewhere" / "team"))
    add(data, folder, environ=ENVIRON)

    with pytest.raises(ModicumError, match='there is a source "team" already'):
        add(data, other, environ=ENVIRON)
    with pytest.raises(ModicumError, match='installed already, as "team"'):
        add(data, folder, environ=ENVIRON, name="again")
    for name in ("../up", "project", ".hidden", "a b"):
        with pytest.raises(ModicumError, match="cannot be the name"):
            add(data, other, environ=ENVIRON, name=name)


def test_a_source_without_anything_is_refused(data: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / "x").write_text("")
    run_git(tmp_path / "repository", "init", "--quiet")
    commit(tmp_path / "repository")

    for where, ref in (("empty", ""), ("repository", "main")):
        with pytest.raises(ModicumError, match="has no packs"):
            add(data, str(tmp_path / where), ref=ref, environ=ENVIRON)
    assert installed(data) == ()


def test_unknown_names_have_a_remedy(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ModicumError, match="source list"):
        remove(data, "team")
    add(data, str(make_packs(tmp_path / "team")), environ=ENVIRON)
    with pytest.raises(ModicumError, match='did you mean "team"'):
        update(data, ["taem"], environ=ENVIRON)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"sources": [{"odd": 1}]}', '{"sources": 5}', '{"sources": [5]}']
)
def test_a_lock_that_is_not_ours_is_not_guessed_at(content: str, data: Path) -> None:
    data.mkdir()
    (data / LOCK).write_text(content)

    with pytest.raises(ModicumError, match="cannot be understood"):
        installed(data)


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("https://example.com/team/packs.git", "packs"),
        ("git@example.com:team/packs.git", "packs"),
        ("ssh://git@example.com/~/my packs/", "my-packs"),
        ("/home/me/content", "me"),
    ],
)
def test_a_name_is_derived_from_the_address(location: str, name: str) -> None:
    assert sources.derived_name(location) == name


def test_addresses_of_repositories_are_left_to_git() -> None:
    for where in (
        "https://example.com/x.git",
        "ssh://git@example.com/x",
        "git@example.com:team/x.git",
        "file:///x",
    ):
        assert sources.location_of(where) == where
        assert sources._is_git(where, "")


def test_a_missing_git_and_a_slow_one_are_named(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, _ = make_repository(tmp_path / "team")

    with pytest.raises(ModicumError, match="git is not installed"):
        add(data, str(repository), ref="main", environ={"PATH": str(tmp_path)})
    monkeypatch.setattr("modicum.base.git.SECONDS", 0.0001)
    with pytest.raises(ModicumError, match="took more than"):
        add(data, str(repository), ref="main", environ=ENVIRON)
    assert installed(data) == ()


def test_sources_that_are_added_at_once_are_all_there(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(6)]
    for name in names:
        make_packs(tmp_path / name)
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(lambda name: add(tmp_path / "data", str(tmp_path / name), environ=ENVIRON), names))

    assert sorted(source.name for source in installed(tmp_path / "data")) == names
