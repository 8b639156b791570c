"""Settings that were tried are kept, and taken back."""

import pytest

from modicum.app.inject.load import load_knowledge
from modicum.app.reading.kept_settings import can_undo, keep_settings, undo_settings, write_pages
from modicum.app.reading.tried_settings import TriedSettings, try_settings
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail


@pytest.fixture
def project(world):
    world.pack(
        "house", context="# House\n\nBe kind.\n\n<!-- verbosity:extended -->\n## More\n\nA long story.\n"
    )
    world.pack("other", context="# Other\n\nBe brief.\n")
    return world


def test_what_is_tried_is_what_inject_writes_once_it_is_kept(project) -> None:
    tried = TriedSettings("codex", Detail.STANDARD, 300, packs=("house",))
    config = load_config()
    shown = try_settings(config, load_knowledge(config), tried)

    keep_settings(config, tried)
    write_pages(load_config(), "codex")

    change = shown.injection.outcomes[0].change
    assert change is not None
    assert project.read("AGENTS.md") == change.after
    assert "Be kind." in project.read("AGENTS.md")
    assert "A long story." not in project.read("AGENTS.md")
    assert "Be brief." not in project.read("AGENTS.md")


def test_trying_writes_nothing(project) -> None:
    before = project.files()
    config = load_config()

    try_settings(config, load_knowledge(config), TriedSettings("codex", Detail.SUMMARY, 0, packs=()))

    assert project.files() == before


def test_other_keys_comments_and_line_ends_stay(project) -> None:
    file = project.write(".modicum/adapters/codex.yaml", b"# ours\r\nid: codex\r\nverbosity: full # all\r\n")
    project.agree_to(file)

    keep_settings(load_config(), TriedSettings("codex", Detail.SUMMARY))

    assert (
        project.read(".modicum/adapters/codex.yaml") == "# ours\r\nid: codex\r\nverbosity: minimal # all\r\n"
    )


def test_undo_gives_back_the_same_bytes(project) -> None:
    before = project.files()
    keep_settings(load_config(), TriedSettings("codex", Detail.SUMMARY, 500, packs=("other",)))
    assert can_undo(load_config(), "codex")

    undo_settings(load_config(), "codex")

    after = project.files()
    agreements = after.pop(".config/modicum/config.yaml").decode()
    assert after == before
    assert agreements.count("\n  -") == 1  # to what was kept; nothing has these bytes now
    assert not can_undo(load_config(), "codex")


def test_what_is_kept_is_in_force_and_an_adapter_of_somebody_else_is_not_changed(project) -> None:
    keep_settings(load_config(), TriedSettings("codex", max_bytes=500))
    assert load_knowledge(load_config()).waiting == ()

    project.write(".modicum/adapters/codex.yaml", "id: codex\nmax_bytes: 700\n")

    with pytest.raises(ModicumError, match="you have not agreed to it"):
        keep_settings(load_config(), TriedSettings("codex", max_bytes=600))
    assert project.read(".modicum/adapters/codex.yaml") == "id: codex\nmax_bytes: 700\n"


def test_undo_refuses_if_somebody_changed_the_file_since(project) -> None:
    keep_settings(load_config(), TriedSettings("codex", max_bytes=500))
    project.write(".modicum/adapters/codex.yaml", "id: codex\nmax_bytes: 700\n")

    with pytest.raises(ModicumError, match="was changed since"):
        undo_settings(load_config(), "codex")

    assert project.read(".modicum/adapters/codex.yaml") == "id: codex\nmax_bytes: 700\n"
    assert not can_undo(load_config(), "codex")


def test_an_unknown_tool_or_pack_is_refused_before_anything_is_written(project) -> None:
    before = project.files()
    for tried in (TriedSettings("codx", Detail.FULL), TriedSettings("codex", packs=("hous",))):
        with pytest.raises(ModicumError, match="there is no"):
            keep_settings(load_config(), tried)

    assert project.files() == before


def test_a_pack_that_is_turned_off_for_a_trial_can_be_all_of_them(project) -> None:
    config = load_config()

    shown = try_settings(config, load_knowledge(config), TriedSettings("codex", packs=()))

    assert shown.packs == ()
    assert not any(each.source.startswith("pack:") for each in shown.passages)
