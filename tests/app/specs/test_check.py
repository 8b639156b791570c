"""The context check: what it finds, how it is told, and that it never tells more than was asked for."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.whose import enter_folder

from modicum.app.answer.amount import parse_amount
from modicum.app.answer.answer import Rest, answer, answer_as_json
from modicum.app.memory.notes import open_store
from modicum.app.specs import changes
from modicum.app.specs.check import check, review
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.engine.tokens import count
from modicum.memory.model import NoteDraft
from modicum.search.terms import stems

FILLER = (
    "This part of the document is about something else, at some length, and only fills the space above. " * 8
)


def closing(rest: Rest) -> str:
    return f"({rest.left} more: {rest.next})"


class Project:
    """Files of a project, and notes about it."""

    def __init__(self, home: Path) -> None:
        self.home, self.root = home, home / "shop"
        (self.root / ".git").mkdir(parents=True)
        (self.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.write(".modicum/config.yaml", "profile: minimal\n")
        self.store = open_store(self.config)
        enter_folder(self.store, self.root, self.config.environment)

    @property
    def config(self):
        return load_config({"HOME": str(self.home), "MODICUM_HOME": str(self.home / "own")}, self.root)

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def change(
        self, name: str, description: str, status: str = "completed", area: str = "changes", **texts: str
    ) -> None:
        row = {
            "id": name,
            "type": "fix",
            "size": "small",
            "description": description,
            "status": status,
            "branch": "main",
        }
        steps = [{"name": "describe", "status": "in_progress" if status == "active" else "completed"}]
        self.write(
            f"docs/{area}/{name}/change.json",
            json.dumps({**row, "stages": steps, "created_at": "2026-01-01"}, ensure_ascii=False),
        )
        for stage, text in texts.items():
            self.write(f"docs/{area}/{name}/{stage}.md", text)

    def adr(self, number: int, title: str, text: str = "We do so.", status: str = "accepted") -> None:
        body = f"# {number:03}. {title}\n\n- Status: {status}\n\n## Context\n\nx\n\n## Decision\n\n{text}\n"
        self.write(f"docs/adrs/{number:03}-x.md", body)

    def note(
        self, title: str, text: str, kind: str = "discovery", project: str = "shop", topic: str = ""
    ) -> int:
        return self.store.save(NoteDraft(title, text, kind, project, topic_key=topic)).id

    def ask(self, text: str, **options):
        more = {key: options.pop(key) for key in ("change",) if key in options}
        amount = parse_amount(**options)
        return answer(check(self.config, self.store, text, amount, **more), amount, closing)

    def key(self, number: int) -> str:
        return f"note:{self.store.names([number])[number]}"

    def facts(self, text: str, **options) -> dict[str, str]:
        return {key: str(fact["kind"]) for key, fact in self.ask(text, **options).facts.items()}


@pytest.fixture
def shop(tmp_path: Path):
    project = Project(tmp_path)
    yield project
    project.store.close()


def test_every_source_is_looked_at_and_every_kind_is_told(shop) -> None:
    shop.write("docs/requirements.md", "# R\n\n- **FR-001**: Sessions last a day.\n")
    shop.write("docs/business-rules.md", "# B\n\n- Sessions end at night.\n")
    shop.adr(1, "Sessions in Postgres")
    shop.adr(2, "Sessions in files", status="superseded by [001](x.md)")
    shop.adr(3, "No cookies", "Never put a session into Redis.")
    shop.change("old-attempt", "Move sessions", "cancelled")
    shop.change("past", "Other words", area="history", verify="Sessions were slow in Redis.\n")
    shop.write("AGENTS.md", "- Always use a session.\n")
    shop.write(".cursor/rules/ts.md", "Sessions are typed.\n")
    shop.write(".modicum/packs/mine/pack.yaml", "id: mine\nbase: true\n")
    shop.write(".modicum/packs/mine/context.md", "Sessions of the pack.\n")
    number = shop.note("Redis", "Sessions were lost in Redis.")
    kinds = shop.facts("Keep sessions in Redis")

    assert kinds == {
        "adr:003": "possible conflict",
        "adr:002": "superseded",
        "adr:001": "decision",
        "artifact:requirements.md": "requirement",
        "artifact:business-rules.md": "rule",
        "change:old-attempt": "earlier attempt",
        "change:past": "earlier attempt",
        "file:AGENTS.md": "rule",
        "file:.cursor/rules/ts.md": "rule",
        "pack:mine": "rule",
        shop.key(number): "note",
    }


def test_a_finding_says_where_it_is_and_why(shop) -> None:
    shop.adr(3, "No cookies", f"{FILLER}\n\nNever put a session into Redis.")
    item = answer_as_json(shop.ask("Keep sessions in Redis"))["items"][0]

    assert item["where"] == {"file": "docs/adrs/003-x.md", "line": 13, "heading": "Decision"}
    assert item["against"] == "Never put a session into Redis"
    assert item["why"].startswith("shares sessions, redis")
    assert (item["id"], item["kind"], item["name"]) == ("003", "possible conflict", "ADR 003 No cookies")


def test_the_change_itself_is_left_out_and_others_on_the_way_are_not(shop) -> None:
    shop.change("mine", "Update login authentication", "active", describe="login authentication\n")
    shop.change("fix-auth-login-bug", "Fix authentication login bug")
    shop.change("add-oauth-support", "Add OAuth authentication")
    shop.change("refactor-database-layer", "Refactor database layer")
    shop.note("mine", "login", topic="change/shop/mine")

    assert set(shop.facts("Update login authentication flow")) == {
        "change:fix-auth-login-bug",
        "change:add-oauth-support",
    }
    assert set(shop.facts("")) == {"change:fix-auth-login-bug", "change:add-oauth-support"}
    assert "change:mine" in shop.facts("login", change="fix-auth-login-bug")


def test_without_words_and_without_a_change_there_is_nothing_to_ask(shop) -> None:
    with pytest.raises(ModicumError, match="say what you want to change"):
        shop.ask("  ")


def test_copies_in_memory_of_what_is_here_are_told_once(shop) -> None:
    shop.adr(1, "Sessions in Redis")
    shop.note("ADR 001", "Sessions in Redis", topic="adr/shop/001")
    elsewhere = shop.note("ADR 009", "Sessions in Redis on another branch", "decision", topic="adr/shop/009")
    shop.note("Other", "Sessions in Redis", project="bakery")

    assert set(shop.facts("redis sessions")) == {"adr:001", shop.key(elsewhere)}


def test_memory_may_be_absent(shop) -> None:
    shop.adr(1, "Sessions in Redis")

    assert check(shop.config, None, "redis", parse_amount()).total == 1


def test_what_modicum_itself_wrote_into_a_file_is_not_found_there(shop) -> None:
    own = "<!-- modicum:start:x -->\nsessions in redis\n<!-- modicum:end:x -->\n"
    shop.write("AGENTS.md", f"# Mine\n\n{own}\n- Redis is old.\n")
    where = answer_as_json(shop.ask("redis"))["items"][0]["where"]

    assert where["line"] == 7


def test_links_out_of_the_project_are_not_followed(shop, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("redis secret")
    (shop.root / "AGENTS.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "001-secret.md").write_text("# redis secret")
    (shop.root / "docs").mkdir()
    (shop.root / "docs" / "adrs").symlink_to(tmp_path / "away")

    assert "secret" not in shop.ask("redis", detail="full").page.text


# Levels


def filled(shop) -> None:
    shop.write(
        "docs/requirements.md",
        f"# R\n\n{FILLER}\n\n## Redis\n\n- **FR-007**: Redis keeps sessions for a day.\n",
    )
    for number in range(1, 9):
        shop.adr(number, f"Decision {number} on Redis", f"{FILLER}\n\nRedis was chosen for purpose {number}.")
    for number in range(6):
        shop.change(
            f"change-{number}", f"Redis change {number}", spec=f"# S\n\n{FILLER}\n\nRedis in spec {number}.\n"
        )
    shop.note("Redis was slow", "It took 40 ms.")


def test_a_summary_has_names_and_ids_and_no_passages(shop) -> None:
    filled(shop)
    text = shop.ask("redis sessions", detail="summary").page.text

    assert all(line.startswith(("-", "#")) or not line for line in text.splitlines())
    assert "- requirements.md: FR-007" in text
    assert "- change-3 (completed)" in text
    assert "chosen for" not in text


def test_standard_has_the_passages_and_never_the_heads_of_files(shop) -> None:
    filled(shop)
    text = shop.ask("redis sessions").page.text

    assert "Redis was chosen for purpose 8." in text
    assert "Redis keeps sessions for a day." in text
    assert "docs/requirements.md:7 (Redis)" in text
    assert "fills the space" not in text


def test_full_has_whole_artifacts(shop) -> None:
    filled(shop)
    text = shop.ask("redis sessions", detail="full").page.text

    assert (shop.root / "docs" / "requirements.md").read_text().strip() in text
    assert (shop.root / "docs" / "changes" / "change-2" / "spec.md").read_text().strip() in text


def test_a_review_ticks_the_same_findings(shop) -> None:
    filled(shop)
    found = answer(review(shop.config, shop.store, "redis sessions", parse_amount()), parse_amount())

    assert (
        "- [ ] **requirements.md**: - **FR-007**: Redis keeps sessions for a day. (docs/requirements.md:7)"
        in found.page.text
    )
    others = shop.facts("redis sessions")
    assert set(found.facts) == {key for key, kind in others.items() if kind != "note"}
    assert found.total == len(found.facts)


def test_every_decision_is_named_before_any_is_told(shop) -> None:
    filled(shop)
    for number in range(20, 40):
        shop.adr(number, f"Something else {number}")
    text = shop.ask("redis sessions", max_tokens="500").page.text

    assert all(f"ADR {number:03}" in text for number in range(1, 9))
    assert all(f"adr:{number:03}" in text for number in range(20, 40))


def test_all_pages_together_tell_everything_once(shop) -> None:
    filled(shop)
    seen: list[str] = []
    cursor, total = "", 0
    for _ in range(30):
        answer = shop.ask("redis sessions", max_tokens="160", cursor=cursor)
        total = answer.total
        seen += [key for key, fate in answer.page.fates.items() if fate != "cut"]
        assert answer.omitted == total - len(seen)
        cursor = answer.next
        if not cursor:
            break

    assert len(seen) == len(set(seen)) == total
    for wrong in ("nonsense", "0000.1-2", shop.ask("redis sessions", limit="1").next):
        with pytest.raises(ModicumError, match=r"no cursor of ours|cursor of another list"):
            shop.ask("redis", cursor=wrong)


def test_the_closing_line_says_what_is_left_out_and_how_to_get_it(shop) -> None:
    filled(shop)
    answer = shop.ask("redis sessions", max_tokens="200")

    assert answer.page.text.splitlines()[-1] == f"({answer.omitted} more: {answer.next})"
    assert count(answer.page.text, "o200k_base") <= 200


def test_what_was_read_is_remembered_and_read_again_when_it_changes(shop) -> None:
    shop.adr(1, "Use Redis")
    first = shop.ask("redis").page.text
    assert shop.ask("redis").page.text == first
    shop.adr(1, "Use Memcached instead of that")
    (cache,) = (shop.home / "own" / "cache" / "specs").iterdir()

    assert shop.ask("memcached").facts["adr:001"]["name"] == "ADR 001 Use Memcached instead of that"
    cache.write_bytes(b"broken")
    assert shop.ask("memcached").facts["adr:001"]["score"] > 0


@pytest.mark.parametrize(
    "text",
    ["x" * 20_000, '"unclosed', "' OR 1=1 --", "*()[]", "修复登录", "\0\x1b", "a" * 300 + " redis", "🙂"],
)
def test_any_description_is_answered(shop, text: str) -> None:
    filled(shop)

    assert shop.ask(text, max_tokens="300").page.size <= 300


def test_files_of_any_kind_can_be_there(shop) -> None:
    (shop.root / "docs" / "adrs").mkdir(parents=True)
    (shop.root / "docs" / "adrs" / "001-binary.md").write_bytes(b"\0\xff\xfe redis")
    (shop.root / "docs" / "adrs" / "002-crlf.md").write_bytes(
        "# Redis\r\n\r\nUse it.\r\n".encode("utf-8-sig")
    )
    (shop.root / "docs" / "adrs" / "003-latin.md").write_bytes("# Redis für alle\n".encode("latin-1"))
    (shop.root / "docs" / "adrs" / "004-folder.md").mkdir()
    (shop.root / "docs" / "changes" / "empty").mkdir(parents=True)
    shop.write("docs/changes/broken/change.json", "{")
    shop.write("docs/changes/broken/spec.md", "redis")

    assert shop.facts("redis")["change:broken"] == "earlier attempt"
    assert shop.ask("redis").facts["adr:002"]["where"]["line"] == 3


# Random projects

WORDS = st.sampled_from(
    [
        "redis",
        "session",
        "cache",
        "login",
        "never",
        "use",
        "must",
        "not",
        "token",
        "postgres",
        "queue",
        "invoice",
        "é",
        "日本",
        "the",
        "of",
    ]
)
LINES = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
TEXTS = st.lists(st.one_of(LINES, LINES.map("- {}".format), LINES.map("## {}".format)), max_size=12).map(
    "\n\n".join
)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("drawn"))
    yield project
    project.store.close()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(TEXTS, min_size=4, max_size=4),
    adrs=st.lists(st.tuples(LINES, TEXTS), max_size=6),
    changes=st.lists(st.tuples(LINES, TEXTS), max_size=6),
    question=LINES,
    limit=st.integers(0, 900),
)
def test_no_answer_is_over_its_budget(drawn, texts, adrs, changes, question, limit) -> None:
    from shutil import rmtree

    rmtree(drawn.root / "docs", ignore_errors=True)
    for name, text in zip(("requirements", "design", "charter", "business-rules"), texts, strict=True):
        drawn.write(f"docs/{name}.md", text)
    for number, (title, text) in enumerate(adrs, 1):
        drawn.adr(number, title, text)
    for number, (title, text) in enumerate(changes):
        drawn.change(f"change-{number}", title, spec=text)
    for detail in ("summary", "standard", "full"):
        amount = parse_amount(detail=detail, max_tokens=str(limit))
        bounded = answer(check(drawn.config, None, question, amount), amount, closing)
        free = check(drawn.config, None, question, parse_amount(detail=detail))

        assert count(bounded.page.text, "o200k_base") <= limit
    asked = set(stems(question))
    for key, fact in free.facts.items():
        assert fact["where"] is None or asked & set(stems(_passage(drawn, fact["where"], key)))


def _passage(drawn: Project, where: dict[str, object], key: str) -> str:
    """What stands at a place: the paragraph, and the headings above it."""
    lines = (drawn.root / str(where["file"])).read_text().splitlines()
    at = int(str(where["line"])) - 1
    heads = [line for line in lines[:at] if line.startswith("#")]
    return " ".join((lines[at], *heads, key))


def test_a_pack_that_comes_along_is_told_only_where_it_says_something_of_the_change(shop) -> None:
    shop.write(".modicum/config.yaml", "use: [git, modicum, reviews, testing]\n")

    assert shop.facts("a message in a bottle that washed ashore") == {}
    assert "pack:git" in shop.facts("rebase the branch before you push")


@pytest.mark.parametrize("text", ["Keep login sessions in Redis", "update it", "move it without a host"])
def test_everyday_words_and_the_examples_of_our_manual_make_no_pack_bear_on_a_change(shop, text: str) -> None:
    shop.write(".modicum/config.yaml", "")
    shop.write(".modicum/packs/mine/pack.yaml", "id: mine\nbase: true\n")
    shop.write(".modicum/packs/mine/context.md", "Keep amounts in cents. Update prices without a float.\n")

    assert shop.facts(text) == {}
    assert shop.facts("Keep amounts in euros") == {"pack:mine": "rule"}


def test_a_copy_in_memory_of_what_stands_in_a_file_is_not_told_twice(shop) -> None:
    words = "登录页面拒绝空密码" * 6
    made = changes.new_change(shop.config, shop.store, "fix", "small", words)
    changes.cancel(shop.config, shop.store)

    assert list(shop.facts(words)) == [f"change:{made.change.id}"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes in folders")
def test_a_pipe_in_the_place_of_a_file_with_rules_is_left_out(shop) -> None:
    os.mkfifo(shop.root / "AGENTS.md")
    shop.adr(1, "No Redis", "Never Redis.")

    assert list(shop.facts("use Redis")) == ["adr:001"]
