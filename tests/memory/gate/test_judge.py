"""The gate on single drafts: each reason with an example of it, and a note beside it that must pass."""

import re

import pytest

from modicum.memory.gate.content import Emptiness, emptiness_of, length_of
from modicum.memory.gate.judge import KEPT, GateContext, Outcome, judge
from modicum.memory.gate.log_lines import is_log
from modicum.memory.gate.novelty import facts_of, share_said
from modicum.memory.model import Note, NoteDraft

KNOWN = Note(
    12,
    "obs-1",
    "s",
    "decision",
    "Deadzone",
    "Controller deadzone is 0.22 because old Xbox pads drift up to 0.18.",
)
NOWHERE = GateContext()


def draft(content: str, kind: str = "discovery", **fields: str) -> NoteDraft:
    return NoteDraft("A title", content, kind, **fields)


GOOD = (
    "The queue moved from Redis to SQLite because Redis lost jobs on restart.",
    "Next release (2026.24) must ship with SLOTS_V2=off: the Cardiff depot gets its scanners later.",
    "Plan agreed with hardware: rev D drops the coin cell, so `CONFIG_FERN_COIN` goes after 2027.",
    "Seen: `Error: read ECONNRESET`, 3 per 10k requests. Keep-alive must exceed the balancer's 60 s.",
    "Deploys of the shop go through Heroku.",
    "原因:司机端上传的是 WGS-84,前端直接画在高德上。",
    "Wartung nur mittwochs 19–22 Uhr, Ankündigung vorher im Portal.",
    "- timeout: 6 s, as the service needs 4 s\n- one retry, since more would hit the limit of the service",
    "Error: 'token expired' in the app means the clock is off by 5 minutes. Tell the user to set it.",
    "TODO comments are banned in this repo, the linter rejects them; open an issue instead.",
    "Waiting for a lock longer than 5 s means the nightly vacuum runs; retry after 03:00.",
    "Should be run as user `deploy`, root leaves files that CI cannot delete.",
    "To deploy:\n1. `make image`\n2. `kubectl rollout restart deploy/web`",
    "Folder layout:\nsrc/api – routes\nsrc/jobs – workers\nsrc/lib – shared code",
    "The user wants all dates in ISO format, never in the American one.",
    "Our customers call the list of open invoices their ledger, and the accountants of the office call it the book of debtors.",
    "Started by the systemd unit shop.service, which logs to journald.",
    "Moved sessions from Redis to Postgres to drop one dependency.",
    "EKS 1.31 is on staging only; prod stays at 1.30 until the CSI driver 1.38 is out, as volumes fail to detach.",
)


@pytest.mark.parametrize("content", GOOD)
def test_what_says_something_is_kept(content):
    assert judge(draft(content), NOWHERE) == KEPT


EMPTY = {
    "wip": Emptiness.STATUS,
    "All 412 tests pass now.": Emptiness.STATUS,
    "Merged the branch into main, resolved two conflicts.": Emptiness.STATUS,
    "Upgraded the library to the latest version.": Emptiness.STATUS,
    "In this session I read three files and ran the app.": Emptiness.STATUS,
    "Aufgabe erledigt, alle Tests grün.": Emptiness.STATUS,
    "Next I will open checkout/views.py and look at the total.": Emptiness.PLAN,
    "Some thoughts on it. I'll have a look at the cache.": Emptiness.PLAN,
    "Als Nächstes öffne ich Antrag.vue.": Emptiness.PLAN,
    "接下来先看 OrderController,再改 service。": Emptiness.PLAN,
    "Legacy code is hard to change without tests.": Emptiness.NOTHING,
    "See the Zephyr docs for details.": Emptiness.NOTHING,
    "Embedded work needs patience, it is important.": Emptiness.NOTHING,
    "写代码要仔细。": Emptiness.NOTHING,
    "Wichtig, bitte merken!": Emptiness.NOTHING,
    "Segmentation fault (core dumped)": Emptiness.LOG,
    "TypeError: Cannot read properties of undefined (reading 'x')": Emptiness.LOG,
    '{"items":[],"next":null,"total":0}': Emptiness.LOG,
    "2026-03-10 19:17:18 INFO start\r\n2026-03-10 19:17:19 INFO stop": Emptiness.LOG,
    "```\nnpm run build\nsome output of it\n```": Emptiness.LOG,
    "NAME   READY   STATUS\napi    0/1     CrashLoopBackOff\nweb    1/1     Running": Emptiness.LOG,
    "Performance: 92\nAccessibility: 100\nSEO: 100": Emptiness.LOG,
    "test cart::adds ... ok\ntest cart::removes ... FAILED": Emptiness.LOG,
    "GET /api/cart 200 12ms\nPOST /api/order 500 45ms": Emptiness.LOG,
    "Container shop-db-1  Started\nContainer shop-web-1  Recreate": Emptiness.LOG,
    "Got this: AttributeError: 'Cart' object has no attribute 'total'": Emptiness.LOG,
    "Error message: connect ECONNREFUSED 127.0.0.1:5432": Emptiness.LOG,
    "Output: segmentation fault": Emptiness.LOG,
    "curl: (7) Failed to connect to localhost port 8080: Connection refused": Emptiness.LOG,
    "epoch 3 step 1200 loss 0.231 lr 3e-4\nepoch 3 step 1300 loss 0.229 lr 3e-4": Emptiness.LOG,
    "app.py\ncart.py\nREADME.md\ntests": Emptiness.LOG,
    "Deploying... ████████░░ 80%": Emptiness.LOG,
    "Remaining steps:\n1. wire the endpoint\n2. add tests": Emptiness.PLAN,
    "Still to do: error handling in upload.ts, then the tests.": Emptiness.PLAN,
    "First read main.go, then find the handler, then add the route.": Emptiness.PLAN,
    "1. Open cart.py\n2. Find total()\n3. Fix rounding\n4. Run pytest": Emptiness.PLAN,
    "- [x] model\n- [ ] endpoint `/api/cart`\n- [ ] tests": Emptiness.PLAN,
    "Currently working on the cart endpoint in api/cart.py": Emptiness.PLAN,
    "Waiting for the CI of cart.py": Emptiness.PLAN,
    "Noch zu tun: Endpunkt, Tests, Doku.": Emptiness.PLAN,
    "Falta escribir las pruebas de cart.py.": Emptiness.PLAN,
    "剩余步骤:1. 接口 2. 测试": Emptiness.PLAN,
    "Progress: 3 of 7 files converted.": Emptiness.STATUS,
    "PR #231 opened.": Emptiness.STATUS,
    "cart.py has been updated and the tests have been run.": Emptiness.STATUS,
    "There was a bug in the importer of the reports, and it has to do with the encoding of some files somehow.": Emptiness.NOTHING,
}


@pytest.mark.parametrize("content", EMPTY)
def test_what_says_nothing_for_later_is_refused_with_a_remedy(content):
    verdict = judge(draft(content), NOWHERE)

    assert emptiness_of(content) is EMPTY[content]
    assert verdict.outcome is Outcome.REFUSED
    assert verdict.reason
    assert verdict.remedy


def test_a_summary_of_a_session_may_say_what_was_done():
    assert judge(draft("All 412 tests pass now.", "session_summary"), NOWHERE) == KEPT


def test_a_preference_needs_no_names_but_some_words():
    assert judge(draft("Short answers without a summary, and never emojis", "preference"), NOWHERE) == KEPT
    assert judge(draft("Sven möchte kurze Antworten ohne Zusammenfassung", "preference"), NOWHERE) == KEPT
    assert judge(draft("short answers", "preference"), NOWHERE).outcome is Outcome.REFUSED


def test_a_prompt_said_again_is_refused_and_what_was_asked_for_is_in_doubt():
    asked = GateContext(prompt="csv export of members: name, street, city")

    again = judge(draft("User wants a CSV export of members with name, street, city."), asked)
    verbatim = judge(draft("csv export of members: name, street, city"), asked)
    other = judge(
        draft("The user wants the header of `export.csv` in German because the board reads it."), asked
    )

    assert (again.outcome, verbatim.outcome, other.outcome) == (
        Outcome.REFUSED,
        Outcome.REFUSED,
        Outcome.INBOX,
    )
    assert again.reason == "it repeats the prompt"


def test_what_a_note_says_already_is_refused_and_the_note_is_named():
    verdict = judge(draft("Deadzone for gamepads = 0.22; old Xbox pads drift to 0.18."), GateContext([KNOWN]))

    assert (verdict.outcome, verdict.note) == (Outcome.REFUSED, 12)
    assert re.fullmatch(r'n-\w{6} "Deadzone" says it already', verdict.reason)
    assert "supersedes" in verdict.remedy


@pytest.mark.parametrize(
    "content",
    [
        "Switch build overrides deadzone to 0.30, all others stay at 0.22.",  # another number
        "Controller deadzone is no longer 0.22, as old Xbox pads are not supported.",  # corrects it
        "The shader of the lantern is unlit because the lit one was slow on the Deck.",  # another matter
    ],
)
def test_news_on_a_known_matter_is_kept(content):
    assert judge(draft(content), GateContext([KNOWN])) == KEPT


def test_the_opposite_of_a_note_is_no_repetition():
    note = KNOWN._replace(content="Never use class-validator in new modules of the API.")

    verdict = judge(draft("Use class-validator in new modules of the API."), GateContext([note]))

    assert (verdict.outcome, verdict.note) == (Outcome.INBOX, 12)
    assert "is on the same matter" in verdict.reason


def test_a_note_of_the_same_topic_is_revised_and_not_repeated():
    around = GateContext([KNOWN._replace(topic_key="pads/deadzone")])

    assert judge(draft(KNOWN.content, topic_key="pads/deadzone"), around) == KEPT


def test_a_copy_of_what_was_handed_over_is_refused():
    page = "# Rules\n\nErrors are wrapped with %w.\n\nGolden files are in testdata/, refresh with `go test -update`.\n"

    copied = judge(
        draft("Golden files in testdata/, refresh with `go test -update`."), GateContext(injected=[page])
    )

    assert (copied.outcome, copied.reason) == (Outcome.REFUSED, "it copies what you were handed")


def test_a_secret_alone_is_refused_and_one_among_words_is_in_doubt():
    key = "sk-ant-" + "api03-" + "Zq8vKx2LmN4pRt6wYb1cDf3gHj5kQs7u" * 2

    alone = judge(draft(key), NOWHERE)
    among = judge(
        draft(f"The bot of the deploy channel posts with {key} since the old one was revoked"), NOWHERE
    )

    assert (alone.outcome, among.outcome) == (Outcome.REFUSED, Outcome.INBOX)
    assert "secret" in among.reason


def test_what_is_too_long_is_in_doubt():
    text = " ".join(f"The table part{n} holds rows of customer {n} because of rule {n}." for n in range(300))

    verdict = judge(draft(text), NOWHERE)

    assert verdict.outcome is Outcome.INBOX
    assert "too long for a note" in verdict.reason


def test_the_same_draft_gets_the_same_verdict_whatever_it_holds():
    for content in (
        "",
        " \n ",
        "\0",
        "x" * 200_000,
        "a.b_c/" * 5_000,
        "```" * 9_000,
        "\ud800",
        "!?;" * 3_000,
    ):
        first = judge(draft(content), GateContext([KNOWN], [content], content))
        assert first == judge(draft(content), GateContext([KNOWN], [content], content))


def test_words_of_chinese_are_counted_by_two_characters():
    assert length_of("两个字 and more") == 3
    assert not is_log("")


def test_a_long_text_says_nothing_by_having_the_words_somewhere():
    long = "\n".join(f"The word{n} of line {n} is here." for n in range(50))

    assert share_said("word1 word20 word40 word49 line", [long]) < 0.5
    assert share_said("", [long]) == share_said("words", []) == 0.0
    assert facts_of("50 000 rows in dim_date") == facts_of("50000 rows in dim_date")


def test_a_short_fact_in_chinese_is_no_junk() -> None:
    assert judge(NoteDraft("税", "发票按税率四舍五入一次。"), GateContext()).outcome is Outcome.KEPT
    assert judge(NoteDraft("x", "这很重要，请仔细。"), GateContext()).outcome is not Outcome.KEPT


def test_the_inbox_keeps_a_reason_without_the_title_of_another_note() -> None:
    known = Note(
        12, "obs-12", "s", "bugfix", "Deadzone", "The deadzone of the stick is 0.12 since firmware 3."
    )
    verdict = judge(NoteDraft("Stick", known.content), GateContext(neighbours=(known,)))

    assert "Deadzone" in verdict.reason
    assert "Deadzone" not in verdict.kept_reason
    assert KEPT._replace(reason="a log").kept_reason == "a log"
