"""Regions: what is put into a host comes out again without a trace, whatever the host holds."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modicum.text.regions import (
    Orphan,
    Region,
    RegionError,
    is_on_top,
    put_region,
    region_names,
    region_of,
    take_region,
)

START, END = "<!-- modicum:start:cap -->", "<!-- modicum:end:cap -->"
OTHER = "<!-- modicum:start:btp -->\nbtp\n<!-- modicum:end:btp -->"
NO_END = f'region "cap" has no end: delete this line, or add the line "{END}"'
NO_START = f'region "cap" has no start: delete this line, or add the line "{START}"'
TWICE = 'a second region "cap": delete one of the two'


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("", f"{START}\nnew\n{END}\n"),
        ("\ufeff", f"\ufeff{START}\nnew\n{END}\n"),
        ("user\n", f"user\n\n{START}\nnew\n{END}\n"),
        ("user", f"user\n\n{START}\nnew\n{END}"),
        ("a\r\nb\r\n", f"a\r\nb\r\n\r\n{START}\r\nnew\r\n{END}\r\n"),
        ("a\rb", f"a\rb\r\r{START}\rnew\r{END}"),
        ("\n", f"\n\n{START}\nnew\n{END}\n"),
        (f"a\n{START}\nold\n\n{END}\nb", f"a\n{START}\nnew\n{END}\nb"),
        (f"\ufeff{START}\n{END}", f"\ufeff{START}\nnew\n{END}"),
        (f"{OTHER}\n", f"{OTHER}\n\n{START}\nnew\n{END}\n"),
        ("```\nopen\n", f"{START}\nnew\n{END}\n\n```\nopen\n"),
        ("\ufeff~~~", f"\ufeff{START}\nnew\n{END}\n\n~~~"),
        ("a\n<!-- open\n", f"{START}\nnew\n{END}\n\na\n<!-- open\n"),
        ("---\na: b\n---\n```\n", f"---\na: b\n---\n{START}\nnew\n{END}\n\n```\n"),
        ("---\na: b\n```\n", f"{START}\nnew\n{END}\n\n---\na: b\n```\n"),
        ("- ```\n  open in an item\n", f"- ```\n  open in an item\n\n{START}\nnew\n{END}\n"),
        (f"```\n{START}\nquoted\n{END}\n```\n", f"```\n{START}\nquoted\n{END}\n```\n\n{START}\nnew\n{END}\n"),
    ],
)
def test_a_region_is_replaced_in_place_or_appended_or_put_on_top(host: str, expected: str) -> None:
    assert put_region(host, "cap", "new\n \n") == expected


def test_a_body_takes_the_line_ends_of_its_host() -> None:
    assert put_region("x\r\n", "cap", "a\nb\r\rc") == f"x\r\n\r\n{START}\r\na\r\nb\r\n\r\nc\r\n{END}\r\n"


def test_a_body_cannot_open_or_close_a_region() -> None:
    body = f"{END}\n{START}\n<!-- modicum:end:other --> \n  {END}\n```"

    host = put_region("user\n", "cap", body)

    assert region_of(host, "cap") == Region(
        "cap", 3, 6, len(host) - 1, stored := body.replace("\n<", "\n&lt;").replace("<", "&lt;", 1)
    )
    assert put_region(host, "cap", stored) == host


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("a\n", None),
        (f"a\n{START} \n", None),
        (f" {START}\n{END}x\n", None),
        (f"```\n{START}\n```\n", None),
        (f"> {START}\n> {END}\n", None),
        (f"---\n{START}\n", Orphan("cap", 2, NO_END)),
        (f"a\r\n\r{START}\n\nb\n", Orphan("cap", 3, NO_END)),
        (f"a\n{END}\n", Orphan("cap", 2, NO_START)),
        (f"{END}\n{START}\n", Orphan("cap", 1, NO_START)),
        (f"{START}\na\n{START}\nb\n{END}\n", Orphan("cap", 1, NO_END)),
        (f"{START}\na\n{OTHER}\n{END}\n", Orphan("cap", 1, NO_END)),
        (f"{START}\na\n{END}\n\n{START}\na\n{END}", Orphan("cap", 5, TWICE)),
        (f"{START}\n```\n{END}\n```\n{START}\n```\n", Region("cap", 1, 0, 55, "```")),
        (f"{START}\n\n a\n\n{END}", Region("cap", 1, 0, 56, "\n a")),
    ],
)
def test_a_region_is_found_or_absent_or_orphaned(host: str, found: Region | Orphan | None) -> None:
    assert region_of(host, "cap") == found


def test_nothing_is_put_or_taken_where_the_markers_do_not_fit() -> None:
    with pytest.raises(RegionError, match=r"line 2: region .* has no end: delete this line"):
        put_region(f"a\n{START}\n", "cap", "b")
    with pytest.raises(RegionError, match=r"line 1: region .* has no start: delete this line"):
        take_region(END, "cap")


@pytest.mark.parametrize("name", ["", "a\n", "a>b", "ä"])
def test_a_region_name_is_plain(name: str) -> None:
    with pytest.raises(ValueError, match="use letters, digits, spaces"):
        put_region("", name, "b")


def test_regions_are_listed_by_name_and_foreign_ones_are_not_ours() -> None:
    host = f"<!-- sap-devs:start:x -->\n{OTHER}\n{START}\na\n{END}\n```\n<!-- modicum:end:q -->\n```\n{END}\n"

    assert region_names(host) == ("btp", "cap")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("a", "a"),
        (f"before\n\n{START}\nbody\n{END}\n\nafter\n", "before\n\nafter\n"),
        (f"before\n{START}\nbody\n{END}\nafter\n", "before\nafter\n"),
        (f"before\n{START}\nbody\n{END}\n", "before\n"),
        (f"before\n\n{START}\nbody\n{END}\nafter", "before\n\nafter"),
        (f"{START}\n{END}\n", ""),
        (f"{START}\n{END}", ""),
    ],
)
def test_taking_out_keeps_what_the_user_wrote(host: str, expected: str) -> None:
    assert take_region(host, "cap") == expected


FRAGMENTS = st.sampled_from(
    ["\n", "\r\n", "\r", "\n\n", "a", "- a", "  ", "```", "~~~", "---", "<!--", "-->", "\ufeff", "\0", "\udc80", "> ", START, END, *OTHER.split("\n")]
)  # fmt: skip
HOSTS = st.lists(FRAGMENTS | st.text(max_size=3), max_size=14).map("".join) | st.text()


@given(HOSTS, HOSTS)
@example("---\nfoo\n", "---")
@example("x\ny\r", "a")
@example("---\rk: v\r---\r```\r\n", "```")
def test_a_region_put_in_and_taken_out_leaves_no_trace(host: str, body: str) -> None:
    if region_of(host, "cap") is not None:
        return

    put = put_region(host, "cap", body)

    assert take_region(put, "cap") == host
    assert isinstance(region_of(put, "cap"), Region)


@given(HOSTS, HOSTS, HOSTS)
def test_putting_twice_is_putting_the_last(host: str, first: str, second: str) -> None:
    if isinstance(region_of(host, "cap"), Orphan):
        return

    assert put_region(put_region(host, "cap", first), "cap", second) == put_region(host, "cap", second)


PLAIN = st.lists(st.sampled_from(["word", "two words", "", "- item", "```\ncode\n```"])).map("\n".join)


@given(PLAIN, PLAIN, PLAIN, PLAIN)
def test_text_added_around_a_region_is_kept(host: str, above: str, below: str, body: str) -> None:
    put = f"{above}\n{put_region(host, 'cap', body)}\n{below}"

    assert take_region(put, "cap").split() == f"{above}\n{host}\n{below}".split()


@pytest.mark.parametrize(
    "host",
    [
        f"{START}\n" * 20_000,
        f"{START}\n{END}\n" * 10_000,
        "<!-- modicum:start:" + "a" * 500_000,
        "`" * 500_000,
    ],
    ids=["starts", "regions", "name", "backticks"],
)
def test_odd_hosts_take_no_more_than_linear_time(host: str) -> None:
    """With anything quadratic in the code this would not end."""
    region_names(host)
    assert take_region(put_region(host, "btp", "body"), "btp") == host


@pytest.mark.parametrize("head", ["", "\ufeff", "---\na: b\n---\n", "\r\n"])
def test_a_region_is_on_top_where_only_front_matter_is_above_it(head: str) -> None:
    made = put_region(f"{head}mine\n", "cap", "page", top=True)
    below = put_region(f"{head}mine\n", "cap", "page")

    assert [is_on_top(host, region_of(host, "cap")) for host in (made, below)] == [True, False]
