"""Whatever a person asks of any route, after a batch of theirs has touched what others keep to themselves: nothing of that is told."""

from json import dumps

import pytest

from modicum.compat.engram.http.routes import ENGRAM
from modicum.http.v1.routes import V1
from modicum.memory.model import NoteDraft
from modicum.memory.people.access import Person
from modicum.memory.people.tokens import new_token

SECRET = "zanzibar"
NUMBERS = ("1", "2", "3", "4")
# What each route that changes something is sent; a route that is not here fails the test.
WRITES = {
    "POST /v1/notes": {"title": "mine", "content": "an otter", "project": "shop"},
    "POST /v1/notes/capture": {"text": "## Key Learnings:\n\n1. It is about otters and nothing else\n"},
    "PATCH /v1/notes/{id}": {"title": "changed"},
    "DELETE /v1/notes/{id}": {},
    "POST /v1/notes/{id}/restore": {},
    "PUT /v1/notes/{id}/pin": {},
    "DELETE /v1/notes/{id}/pin": {},
    "POST /v1/notes/{id}/relations": {"to": 1},
    "DELETE /v1/relations/{id}": {},
    "POST /v1/undo": {"dry_run": True, "everywhere": True},
    "POST /v1/inbox/{id}/accept": {},
    "DELETE /v1/inbox/{id}": {},
    "POST /v1/sessions": {"id": "s1", "project": "shop"},
    "DELETE /v1/sessions/{id}": {},
    "POST /v1/sessions/{id}/end": {},
    "POST /v1/prompts": {"content": "why?", "project": "shop"},
    "DELETE /v1/prompts/{id}": {},
    "POST /v1/projects/merge": {"from": ["shop"], "into": "store"},
}
QUERY = "?limit=50&q=zanzib&project=shop"


@pytest.fixture
def ben(client, store):
    """Somebody who has merged a project in which mia keeps a note for herself."""
    mia, ben = store.seen_by(Person("mia")), store.seen_by(Person("ben"))
    for number, scope in enumerate(("personal", "personal", "project")):
        word = "seal" if scope == "project" else SECRET
        mia.save(NoteDraft(f"{word} {number}", f"{word} number {number}", project="attic", scope=scope))
    mia.relate(1, 2, note=SECRET)
    mia.add_prompt(f"where is {SECRET}?", project="attic")
    secret, _ = new_token(store.database, "ben", now="2026-11-15T10:00:00.000Z", purpose="agent")
    assert ben.merge_projects(["attic"], "shop").notes == 1
    return lambda method, path, body=None: client.request(
        method, path, dumps(body or {}) if method != "GET" else None, authorization=f"Bearer {secret}"
    )


def paths(route):
    template = route.path.replace(":path", "")
    start, brace, rest = template.partition("{")
    after = rest.partition("}")[2]
    return [f"{start}{each}{after}" for each in NUMBERS] if brace else [template]


def test_every_route_that_changes_something_is_tried():
    assert {f"{each.method} {each.path}" for each in V1.routes if each.method != "GET"} == set(WRITES)


def test_no_route_tells_what_others_keep_to_themselves(ben):
    reads = [each for table in (V1, ENGRAM) for each in table.routes if each.method == "GET"]
    asked = 0
    for route in reads:
        for path in paths(route):
            if "events" in path:
                continue  # a stream, of versions alone
            assert SECRET not in ben("GET", path + QUERY).text.lower(), path
            asked += 1
    for name, body in WRITES.items():
        method, _, path = name.partition(" ")
        route = next(each for each in V1.routes if (each.method, each.path) == (method, path))
        for place in paths(route):
            assert SECRET not in ben(method, place, body).text.lower(), name
            asked += 1
    assert asked > len(reads) + len(WRITES)


@pytest.mark.parametrize("body", [{"dry_run": True}, {}])
def test_an_undo_of_a_merge_counts_and_names_what_its_person_may_see(ben, body):
    batch = ben("GET", "/v1/log").json()["batches"][0]
    refused = ben("POST", "/v1/undo", {**body, "batch": batch["id"]})
    told = ben("POST", "/v1/undo", {**body, "batch": batch["id"], "everywhere": True})

    assert (refused.status, "mia" in refused.text) == (403, True)
    assert [each["title"] for each in told.json()["notes"]] == ["seal 2"]
    assert (told.json()["counts"]["note"], batch["counts"]["note"]) == (1, 1)
    assert told.json()["owners"] == ["mia"]
    assert SECRET not in told.text + refused.text
