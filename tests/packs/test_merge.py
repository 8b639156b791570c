"""Layers merge pack by pack, and a profile puts the packs in order."""

from collections.abc import Iterable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.packs.merge import merge, ordered, unknown_packs, with_choice
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

BASE_TEXT, EXTRA_TEXT = PackText("base.md", "base context"), PackText("extra.md", "extra context")


def added(base: Pack, extra: Pack) -> Pack:
    (merged,) = merge([base, replace(extra, additive=True)])
    return merged


def library(*packs: Pack, use: Sequence[str] = (), skip: Sequence[str] = ()) -> Library:
    return with_choice(Library(merge(packs)), use=use, skip=skip, kept=use)


def ids(packs: Iterable[Pack]) -> list[str]:
    return [pack.id for pack in packs]


def test_tags_are_the_union_of_both_in_order() -> None:
    assert added(Pack("cap", tags=("a", "b")), Pack("cap", tags=("b", "c"))).tags == ("a", "b", "c")
    assert added(Pack("cap"), Pack("cap")).tags == ()
    assert added(Pack("cap", tags=("a",)), Pack("cap")).tags == ("a",)


ENTRIES = {
    "samples": lambda name, note: Sample(name, note, "u"),
    "known_errors": lambda name, note: KnownError(name, note, "c", "f"),
    "learning": Journey,
    "resources": lambda name, note: Resource(name, note, "u"),
    "servers": McpServer,
    "hooks": lambda name, note: Hook(name, "stop", note),
    "skills": Skill,
}


@pytest.mark.parametrize("part", ENTRIES)
def test_an_entry_of_the_same_id_is_replaced_in_place_and_new_ones_come_last(part: str) -> None:
    entry = ENTRIES[part]
    base = Pack("cap", **{part: (entry("one", "old"), entry("two", "old"))})
    extra = Pack("cap", **{part: (entry("three", "new"), entry("one", "new"))}, additive_position="before")

    merged = getattr(added(base, extra), part)

    assert merged == (entry("one", "new"), entry("two", "old"), entry("three", "new"))


def test_a_later_pack_replaces_an_earlier_one_whole() -> None:
    first = Pack("cap", name="First", tags=("a",), context=(BASE_TEXT,))
    addition = Pack("cap", tags=("b",), additive=True)
    last = Pack("cap", name="Last")

    assert merge([first, addition, last]) == (last,)


def test_packs_keep_the_order_in_which_they_first_appear() -> None:
    assert ids(merge([Pack("b"), Pack("a"), Pack("b", name="again")])) == ["b", "a"]


@pytest.mark.parametrize("part", ["context", "constraints"])
def test_both_texts_are_kept_as_they_are_in_the_order_that_is_asked_for(part: str) -> None:
    base = Pack("cap", **{part: (BASE_TEXT,)})
    extra = Pack("cap", **{part: (EXTRA_TEXT,)})

    assert getattr(added(base, extra), part) == (BASE_TEXT, EXTRA_TEXT)
    assert getattr(added(base, replace(extra, additive_position="before")), part) == (EXTRA_TEXT, BASE_TEXT)
    assert getattr(added(base, Pack("cap")), part) == (BASE_TEXT,)
    assert getattr(added(Pack("cap"), extra), part) == (EXTRA_TEXT,)


def test_tips_are_joined_in_the_order_that_is_asked_for() -> None:
    base, extra = Pack("cap", tips=(Tip("one"),)), Pack("cap", tips=(Tip("two"),))

    assert added(base, extra).tips == (Tip("one"), Tip("two"))
    assert added(base, replace(extra, additive_position="before")).tips == (Tip("two"), Tip("one"))


def test_an_addition_may_change_name_description_and_weight() -> None:
    base = Pack("cap", name="Base", description="of base", weight=10)

    assert added(base, Pack("cap", name="New", description="new", weight=5)) == replace(
        base, name="New", description="new", weight=5
    )
    assert added(base, Pack("cap")) == base


def test_an_addition_can_not_change_what_the_pack_is() -> None:
    base = Pack(
        "cap", overlaps=("x",), base=True, globs=("*.py",), versions={"a": "1"}, preamble=(BASE_TEXT,)
    )
    extra = Pack(
        "cap", overlaps=("y",), globs=("*.js",), versions={"b": "2"}, preamble=(EXTRA_TEXT,), layer="x"
    )

    assert added(base, extra) == base


def test_news_of_both_are_kept() -> None:
    assert added(Pack("cap", changelog=("a",)), Pack("cap", changelog=("b", "a"))).changelog == ("a", "b")


def test_additions_stack_and_the_result_is_not_additive() -> None:
    packs = [
        Pack("cap", tips=(Tip("1"),)),
        Pack("cap", tips=(Tip("2"),), additive=True, additive_position="after"),
        Pack("cap", name="Project", tips=(Tip("3"),), additive=True, additive_position="before"),
    ]

    assert merge(packs) == (Pack("cap", name="Project", tips=(Tip("3"), Tip("1"), Tip("2"))),)


def test_an_addition_to_nothing_is_a_pack_of_its_own() -> None:
    alone = Pack("cap", name="Alone", additive=True, additive_position="before")

    assert merge([alone]) == (Pack("cap", name="Alone"),)


CAP, ABAP, FIORI, BASE = (
    Pack("cap", weight=100),
    Pack("abap", weight=90),
    Pack("fiori", weight=70),
    Pack("base", base=True),
)


def test_base_packs_come_first_then_the_heaviest() -> None:
    light, heavy = Pack("base2", weight=10, base=True), Pack("base1", weight=50, base=True)

    assert ids(ordered(library(CAP, ABAP, BASE), None)) == ["base", "cap", "abap"]
    assert ids(ordered(library(CAP, light, heavy), None)) == ["base1", "base2", "cap"]


def test_packs_of_one_weight_stand_by_id_whatever_order_they_come_in() -> None:
    packs = [Pack(name, weight=50) for name in "dacb"]

    assert {tuple(ids(ordered(library(*order), None))) for order in permutations(packs)} == {
        ("a", "b", "c", "d")
    }


def test_a_profile_sets_weights() -> None:
    profile = Profile("p", packs=(Weighted("fiori", 200), Weighted("cap", 50), Weighted("abap")))

    found = ordered(library(ABAP, CAP, FIORI), profile)

    assert [(pack.id, pack.weight) for pack in found] == [("fiori", 200), ("abap", 90), ("cap", 50)]


def test_a_profile_may_set_a_weight_to_zero_or_below() -> None:
    profile = Profile("p", packs=(Weighted("cap", 0), Weighted("abap", -1)))

    assert ids(ordered(library(CAP, ABAP, FIORI), profile)) == ["fiori", "cap", "abap"]


def test_of_two_weights_for_one_pack_the_last_counts() -> None:
    profile = Profile("p", packs=(Weighted("abap", 500), Weighted("abap", 1)))

    assert ids(ordered(library(CAP, ABAP), profile)) == ["cap", "abap"]


def test_without_a_profile_or_with_all_every_pack_is_there() -> None:
    assert ordered(library(CAP, BASE), None) == ordered(library(CAP, BASE), ALL) == (BASE, CAP)


def test_minimal_has_the_base_packs_only() -> None:
    assert ordered(library(CAP, BASE, ABAP), MINIMAL) == (BASE,)


def test_a_profile_may_exclude() -> None:
    assert ids(ordered(library(CAP, ABAP, BASE), Profile("p", exclude=("cap", "base")))) == ["abap"]


def test_a_profile_that_includes_has_only_what_it_names_and_the_base_packs() -> None:
    profile = Profile("p", packs=(Weighted("fiori", 1),), include=("cap",))

    assert ids(ordered(library(CAP, ABAP, BASE, FIORI), profile)) == ["base", "cap", "fiori"]


def test_a_run_may_choose_for_itself() -> None:
    packs = [CAP, ABAP, BASE, FIORI]
    profile = Profile("p", packs=(Weighted("cap", 1),), exclude=("abap",))

    assert ids(ordered(library(*packs), profile, include=["abap", "cap"])) == ["base", "abap", "cap"]
    assert ids(ordered(library(*packs), MINIMAL, include=["cap"])) == ["base", "cap"]
    assert ids(ordered(library(*packs), None, exclude=["base", "cap"])) == ["abap", "fiori"]
    assert ids(ordered(library(*packs), None, include=["cap"], exclude=["cap"])) == ["base"]


def test_packs_that_nobody_has_are_named_in_one_sentence() -> None:
    profile = Profile("dev", packs=(Weighted("cpa"),), include=("cap", "cpa"), exclude=("zzz", "git"))
    starter = Pack("git", origin=PackOrigin.STARTER)

    assert unknown_packs(library(CAP), None) == ()
    assert unknown_packs(library(CAP, starter, use=["capp"], skip=["gone"]), profile) == (
        'the profile "dev" names what no layer has: the packs "cpa" (did you mean "cap"?), "zzz"',
        '"use" in the config names what no layer has: the pack "capp" (did you mean "cap"?)',
    )


STARTER = Pack("git", weight=500, origin=PackOrigin.STARTER)


def test_a_starter_is_in_force_only_if_somebody_names_it() -> None:
    off = library(CAP, STARTER)

    assert (off.packs, off.off, off.offered) == ((CAP,), (STARTER,), (STARTER,))
    assert library(CAP, STARTER, skip=["git", "cap"]).offered == ()
    assert ids(ordered(off, None)) == ids(ordered(off, ALL)) == ["cap"]
    assert ids(ordered(library(CAP, STARTER, use=["git"]), None)) == ["git", "cap"]
    assert ids(ordered(off, None, include=["git"])) == ["git"]
    assert ids(ordered(off, Profile("p", packs=(Weighted("git", 1),)))) == ["git", "cap"]
    assert ids(ordered(off, Profile("p", include=("git",)))) == ["git"]
    assert ids(ordered(library(STARTER, skip=["git"]), Profile("p", include=("git",)))) == []


def test_what_is_added_to_a_starter_chooses_it() -> None:
    extra = Pack("git", context=(EXTRA_TEXT,), additive=True, origin=PackOrigin.USER)

    assert ids(library(STARTER, extra).packs) == ["git"]


def test_the_config_has_the_last_word_over_a_profile_and_the_run_over_both() -> None:
    profile = Profile("p", include=("abap",), exclude=("cap",))
    chosen = library(CAP, ABAP, BASE, use=["cap"], skip=["abap", "base"])

    assert ids(ordered(chosen, profile)) == ["cap"]
    assert ids(ordered(chosen, profile, include=["abap"])) == ["abap"]
    assert ids(ordered(chosen, profile, exclude=["cap"])) == []


def test_what_changes_more_often_is_read_later_and_what_is_nearer_matters_more() -> None:
    packs = [Pack(origin.name.lower(), weight=-origin, origin=origin) for origin in PackOrigin]
    read = ordered(library(*packs, use=["starter"]), None)

    assert ids(read) == ["starter", "source", "user", "project"]
    assert ids(sorted(read, key=lambda pack: pack.importance)) == ["project", "user", "source", "starter"]


def test_a_pack_belongs_to_the_nearest_layer_that_adds_to_it() -> None:
    base = Pack("a", origin=PackOrigin.SOURCE, layer="team")
    extra = Pack("a", origin=PackOrigin.PROJECT, layer="project")

    assert added(base, extra).origin is PackOrigin.PROJECT
    assert added(replace(base, origin=PackOrigin.PROJECT), extra).layer == "team"


packs_of_any_kind = st.lists(
    st.builds(
        Pack,
        st.sampled_from("abcd"),
        weight=st.integers(-2, 2),
        base=st.booleans(),
        additive=st.booleans(),
        additive_position=st.sampled_from(["before", "after"]),
        tags=st.lists(st.sampled_from("xyz"), max_size=2).map(tuple),
        samples=st.sampled_from("pq").map(lambda name: (Sample(name, "", ""),)),
    ),
    max_size=8,
)


@given(packs_of_any_kind)
def test_each_id_is_there_once_and_nothing_is_lost_by_merging_again(packs: list[Pack]) -> None:
    merged = merge(packs)

    assert {pack.id for pack in packs} == set(ids(merged))
    assert len(ids(merged)) == len(set(ids(merged)))
    assert merge(merged) == merged
    assert not any(pack.additive or pack.additive_position for pack in merged)


@given(packs_of_any_kind, st.integers(0, 23))
def test_the_order_does_not_depend_on_the_order_of_arrival(packs: list[Pack], number: int) -> None:
    merged = merge(packs)
    orders = list(permutations(merged))

    assert ordered(library(*merged), None) == ordered(library(*orders[number % len(orders)]), None)
