"""A prompt is told of notes that share two of its words, best first, and of no others."""

import pytest

from modicum.memory.find import for_prompt as module
from modicum.memory.model import NoteDraft, Query
from modicum.memory.people.access import Person

SHOP = Query(project="shop")


@pytest.fixture
def filled(store):
    drafts = [
        NoteDraft("Login of the shop", "fails after a deploy, until the cache is cleared", "bugfix", "shop"),
        NoteDraft("Deploys", "go out on Monday", "config", "shop"),
        NoteDraft("Login of the bank", "fails after a deploy, until the cache is cleared", "bugfix", "bank"),
        NoteDraft("検索の設定", "検索の設定を変更した", "config", "shop"),
    ]
    store.save_all(
        [*drafts, *(NoteDraft(f"Paint {n}", "the wall is white", project="shop") for n in range(9))]
    )
    return store


def titles(store, text, query=SHOP):
    return [noted.title for noted in store.notes_for_prompt(text, query)]


def test_a_note_that_shares_two_words_is_told(filled):
    assert titles(filled, "why does the login fail after each deploy?") == ["Login of the shop"]
    assert filled.notes_for_prompt("the login fails", SHOP)[0]._fields == (
        "id",
        "kind",
        "title",
        "public_id",
        "origin",
        "pinned_by",
        "saved_at",
    )


def test_one_word_of_several_is_too_few_and_of_one_is_enough(filled):
    assert titles(filled, "rename the deploys of kubernetes") == []
    assert titles(filled, "what about Monday?") == ["Deploys"]


def test_only_notes_of_the_project_are_told(filled):
    asked = "login deploy cache"

    assert titles(filled, asked, Query(project="BANK")) == ["Login of the bank"]
    assert len(titles(filled, asked, Query())) == 2


@pytest.mark.parametrize("text", ["", "   ", "?!", "the of and", "\x00\ud800", "xyzzy plugh"])
def test_nothing_to_look_for_finds_nothing(filled, text):
    assert titles(filled, text) == []


def test_chinese_and_giant_prompts_are_searched(filled):
    assert titles(filled, "检索検索の設定はどこですか")[:1] == ["検索の設定"]
    assert titles(filled, "login deploy " + "lorem" * 2_000_000) == ["Login of the shop"]
    assert titles(filled, " ".join(f"word{n}" for n in range(9_999)) + " login deploy") == []


def test_a_deleted_note_is_not_told(filled):
    (noted,) = filled.notes_for_prompt("login deploy", SHOP)
    filled.delete(noted.id)

    assert titles(filled, "login deploy") == []


def test_words_that_are_everywhere_are_bounded_by_what_can_be_compared():
    counts = {"rare": 3, "some": 10, "often": 15_000, "always": 90_000}

    assert module._telling(counts, 20_000) == ("rare", "some", "often")
    assert module._telling({"often": 30_000, "always": 90_000}, 20_000) == ("often", "always")
    assert len(module._telling({f"w{n}": 1 for n in range(99)}, 20_000)) == module.RAREST


def test_a_personal_note_is_told_to_its_owner_alone(store):
    mia, ben = store.seen_by(Person("mia")), store.seen_by(Person("ben"))
    mia.save(NoteDraft("Login of the shop", "fails after a deploy", project="shop", scope="personal"))

    assert titles(mia, "login deploy") == ["Login of the shop"]
    assert titles(ben, "login deploy") == []


@pytest.mark.parametrize(
    "text", ["please change the today screen so that it scrolls", "the screen of Today must scroll"]
)
def test_today_is_a_word_that_a_note_may_share(filled, text):
    filled.save(NoteDraft("Today screen raises KeyError", "at the first start", project="shop"))

    assert titles(filled, text) == ["Today screen raises KeyError"]
