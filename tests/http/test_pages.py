"""Pages in the amount asked for, on /context, /search and /timeline."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.engine.tokens import MEASURES, count
from modicum.memory.model import NoteDraft

KEYS = ["text", "used", "limit", "unit", "shown", "total", "omitted", "next", "items"]


@pytest.fixture
def notes(store) -> None:
    store.start_session("s", project="shop")
    store.save_all(
        [
            NoteDraft(f"Cache bug {n}", f"The cache was stale {n}. " * (n % 7 * 6 + 1), "bugfix", "shop", "s")
            for n in range(40)
        ]
    )
    for n in range(12):
        store.add_prompt(f"prompt {n}", session_id="s", project="shop")
    store.pin(5)


def union(client, url: str) -> tuple[list[str], list[dict]]:
    keys, pages, cursor = [], [], ""
    while True:
        page = client.get(f"{url}&cursor={cursor}").json()
        pages.append(page)
        keys += [item["key"] for item in page["items"] if item["fate"] in ("shown", "shortened")]
        cursor = page["next"]
        if not cursor:
            return keys, pages


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("given_one", ["detail=full", "max_tokens=300", "cursor="])
def test_any_of_our_parameters_makes_the_reply_a_page(client, given_one: str) -> None:
    for url in ("/context?", "/search?q=cache&", "/timeline?observation_id=9&"):
        reply = client.get(url + given_one)

        assert (reply.status, list(reply.json())) == (200, KEYS)


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize(
    "url", ["/context?max_bytes=300", "/search?q=cache&tokenizer=chars", "/timeline?observation_id=9"]
)
def test_without_them_it_is_what_engram_replies(client, url: str) -> None:
    found = client.get(url).json()

    assert isinstance(found, list) or "text" not in found


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("detail", ["summary", "standard", "full"])
@pytest.mark.parametrize("max_tokens", [40, 250, 3000])
@pytest.mark.parametrize(
    "url", ["/context?project=shop", "/search?q=stale+cache", "/timeline?observation_id=20&before=15&after=9"]
)
def test_all_pages_together_show_everything_once(client, url: str, detail: str, max_tokens: int) -> None:
    keys, pages = union(client, f"{url}&detail={detail}&max_tokens={max_tokens}")

    assert len(keys) == len(set(keys)) == pages[0]["total"] == sum(page["shown"] for page in pages)
    assert all(page["used"] == count(page["text"], "o200k_base") <= max_tokens for page in pages)
    assert all(page["total"] == pages[0]["total"] for page in pages)
    assert [page["omitted"] for page in pages] == [
        pages[0]["total"] - sum(page["shown"] for page in pages[: at + 1]) for at in range(len(pages))
    ]


@pytest.mark.usefixtures("notes")
def test_a_context_counts_notes_sessions_and_prompts(client) -> None:
    keys, pages = union(client, "/context?detail=summary")

    assert pages[0]["total"] == 40 + 1 + 10
    assert pages[0]["text"].startswith(
        "### Pinned\n- #5 2026-04-07 [bugfix] Cache bug 4\n\n### Notes\n- #40 "
    )
    assert {key.split(":")[0] for key in keys} == {"note", "session", "prompt"}


@pytest.mark.usefixtures("notes")
def test_parts_can_be_left_out(client) -> None:
    page = client.get("/context?detail=full&observations=-1&prompts=-1&sessions=-1").json()

    assert [item["key"] for item in page["items"]] == ["note:5"]
    assert (page["total"], page["omitted"], page["next"]) == (1, 0, None)


@pytest.mark.usefixtures("notes")
def test_a_search_tells_the_best_whole_before_the_next(client) -> None:
    page = client.get("/search?q=stale+cache&detail=full&max_tokens=400").json()

    whole = [item["fate"] == "shown" for item in page["items"]]
    assert whole[0]
    assert page["items"][0]["score"] >= page["items"][-1]["score"]
    assert page["items"][0]["why"]
    assert page["text"].startswith(f"#{page['items'][0]['id']} ")


def test_a_hit_costs_hardly_more_than_its_text(client, store) -> None:
    notes = [(f"Title {n}", f"The cache of region {n} was stale after the deploy.") for n in range(100, 150)]
    store.save_all([NoteDraft(*note) for note in notes])

    page = client.get("/search?q=stale+cache&detail=full&limit=50").json()

    texts = sum(count(f"{title}\n{content}", "o200k_base") for title, content in notes)
    assert page["shown"] == 50
    assert (page["used"] - texts) / 50 <= 5


@pytest.mark.usefixtures("notes")
def test_a_page_takes_up_to_500_items(client, store) -> None:
    store.save_all([NoteDraft(f"n {n}", f"cache {n}") for n in range(600)])

    assert client.get("/search?q=cache&limit=9999&detail=summary").json()["shown"] == 500
    assert len(client.get("/search?q=cache&limit=9999").json()) == 20


@pytest.mark.usefixtures("notes")
def test_bytes_bound_a_page_too(client) -> None:
    page = client.get("/search?q=cache&detail=full&max_tokens=5000&max_bytes=700").json()

    assert len(page["text"].encode()) <= 700
    assert (page["limit"], page["unit"]) == (5000, "o200k_base")
    only = client.get("/search?q=cache&detail=full&max_bytes=700").json()
    assert (only["limit"], only["unit"], only["used"]) == (700, "bytes", len(only["text"].encode()))


@pytest.mark.parametrize(
    ("url", "detail"),
    [
        ("/context?max_tokens=many", 'max_tokens is "many"'),
        ("/context?max_tokens=-1", 'max_tokens is "-1"'),
        ("/context?detail=loud", 'there is no detail "loud"'),
        ("/context?detail=full&tokenizer=abc", 'there is no tokenizer "abc"'),
        ("/context?cursor=nonsense", "this is no cursor of ours"),
        ("/context?cursor=%F0%9F", "this is no cursor of ours"),
        ("/context?detail=full&limit=x", 'limit is "x"'),
        ("/context?detail=full&since=yesterday", '"yesterday" is no time'),
        ("/search?detail=full", "q is missing"),
        ("/timeline?detail=full", 'observation_id is ""'),
    ],
)
def test_what_is_wrong_is_told_with_a_remedy(client, url: str, detail: str) -> None:
    reply = client.get(url)
    problem = reply.json()

    assert (reply.status, reply.headers["content-type"]) == (400, "application/problem+json")
    assert (problem["detail"], problem["status"], problem["title"]) == (detail, 400, "Bad Request")
    assert problem["remedy"]


def test_an_observation_that_is_not_there_is_not_found(client) -> None:
    reply = client.get("/timeline?observation_id=7&detail=full")

    assert (reply.status, reply.json()["detail"]) == (404, "note #7 not found")


def test_a_cursor_of_another_question_is_refused(client, store) -> None:
    store.save_all([NoteDraft(f"n {n}", f"cache {n}") for n in range(30)])
    cursor = client.get("/search?q=cache&detail=full").json()["next"]

    assert client.get(f"/search?q=other&cursor={cursor}").status == 400


def test_filters_narrow_a_page(client, store, clock) -> None:
    store.save_all([NoteDraft("a", "cache one", project="x"), NoteDraft("b", "cache two", project="y")])
    clock.seconds += 10 * 24 * 3600
    store.save(NoteDraft("c", "cache three", project="x", namespace="n"))

    def titles(filters: str) -> list[int]:
        return sorted(
            item["id"] for item in client.get(f"/search?q=cache&detail=full&{filters}").json()["items"]
        )

    assert titles("project=x") == [1, 3]
    assert titles("since=2026-04-10") == [3]
    assert titles("until=2026-04-07") == [1, 2]
    assert titles("namespace=n") == [3]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.text(max_size=60), st.text(min_size=1, max_size=400)), max_size=6),
    st.integers(0, 400),
    st.sampled_from(MEASURES),
    st.sampled_from(["summary", "standard", "full"]),
)
def test_no_page_is_ever_over_its_limit(client, store, notes, most, tokenizer, detail) -> None:
    store.save_all([NoteDraft(title, f"word {content}") for title, content in notes])

    for url in ("/context?", "/search?q=word&", "/timeline?observation_id=1&"):
        page = client.get(f"{url}max_tokens={most}&tokenizer={tokenizer}&detail={detail}").json()
        assert count(page.get("text", ""), tokenizer) <= most
