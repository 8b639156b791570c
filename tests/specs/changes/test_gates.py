"""What can be computed before a stage counts as finished."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.specs.changes import gates
from modicum.specs.changes.gates import GateDocument
from modicum.specs.changes.tasks import parse_tasks
from modicum.specs.model import Complaint, Severity


def told(complaints) -> list[str]:
    return [f"{each.severity}: {each}" for each in complaints]


def document(text: str, file: str = "spec.md") -> GateDocument:
    return GateDocument(file, text)


@pytest.mark.parametrize("text", ["", "# Spec\n", "# A\n\n## B\n\n<!-- words\n -->\n\n---\n- \n", "  \n"])
def test_headings_alone_are_not_a_stage(text: str) -> None:
    assert told(gates.check_text(document(text))) == [
        "error: spec.md: has nothing but its headings: write it first"
    ]


def test_a_template_is_not_a_stage() -> None:
    template = "# Spec\n\nSay what must hold.\n"

    assert told(gates.check_text(document(template), template)) == [
        "error: spec.md: is still the template: write it first"
    ]
    assert told(gates.check_text(document("# Spec\n\nIt holds.\n"), template)) == []
    assert told(gates.check_text(document("# Describe\n\nLogin.\n"), "# Describe\n\n{description}\n")) == []


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("The limit is TBD.", "TBD"),
        ("TODO write", "TODO"),
        ("_Not yet defined._", "Not yet defined"),
        ("a [NEEDS CLARIFICATION: which?] b", "[NEEDS CLARIFICATION: which?]"),
        ("<fill this in>", "<fill this in>"),
    ],
)
def test_a_placeholder_keeps_the_gate_shut(word: str, found: str) -> None:
    (complaint,) = gates.check_text(document(f"# Spec\n\nx\n\n{word}\n"))

    assert (complaint.severity, complaint.line) == (Severity.ERROR, 5)
    assert complaint.message.startswith(f'"{found}"')


@pytest.mark.parametrize("text", ["A todo list.", "```\nTODO\n```", "<!-- TODO -->\nx", "a <b>bold</b> word"])
def test_words_that_only_look_like_placeholders_pass(text: str) -> None:
    assert told(gates.check_text(document(text))) == []


def test_a_heading_without_words_is_told() -> None:
    text = "# Charter\n\nx\n\n## Why\n\n<!-- why -->\n\n## Who\n\nus\n\n## What\n\n### Inner\n\nx\n\n## End\n"

    assert told(gates.check_text(document(text))) == [
        'warning: spec.md:5: "Why" has nothing below it: write it, or take the heading out',
        'warning: spec.md:19: "End" has nothing below it: write it, or take the heading out',
    ]


def test_requirements_are_found_in_lists_headings_and_tables() -> None:
    text = (
        "- **FR-001**: a\n* FR-2: b\n1. NFR-003 - c\n### FR-004: d\n| FR-005 | e |\n- [ ] REQ-6. f\n"
        "Text about FR-007: no.\n```\n- FR-008: quoted\n```\n"
    )
    found = gates.requirements(document(text))

    assert [(each.id, each.text, each.line) for each in found] == [
        ("FR-001", "a", 1),
        ("FR-2", "b", 2),
        ("NFR-003", "c", 3),
        ("FR-004", "d", 4),
        ("FR-005", "e", 5),
        ("REQ-6", "f", 6),
    ]


def test_an_id_is_given_once() -> None:
    assert told(gates.check_requirements(document("- FR-1: a b\n- FR-1: c d\n"))) == [
        "error: spec.md:2: FR-1 is defined twice (first on line 1): give one another id"
    ]


@pytest.mark.parametrize(
    ("text", "smell"),
    [
        ("The page is fast", '"fast" is vague'),
        ("Supports PDF, PNG etc.", '"etc" is open-ended'),
        ("Imports many files", '"many" is unbounded'),
        ("Errors are logged", '"are logged" is passive'),
    ],
)
def test_wording_that_nobody_can_test_is_told(text: str, smell: str) -> None:
    (complaint,) = gates.check_requirements(document(f"- FR-1: {text}\n"))

    assert complaint.severity is Severity.WARNING
    assert smell in complaint.message


@pytest.mark.parametrize(
    "text", ["Errors are logged by the importer", "The importer refuses files over 10 MB"]
)
def test_wording_that_can_be_tested_passes(text: str) -> None:
    assert told(gates.check_requirements(document(f"- FR-1: {text}\n"))) == []


def test_requirements_without_ids_are_told() -> None:
    (complaint,) = gates.check_requirements(document("It works.\n"))

    assert complaint.severity is Severity.WARNING


def test_every_requirement_is_covered_and_none_is_made_up() -> None:
    wanted = gates.requirements(document("- FR-001: a\n- FR-002: b\n"))
    known = gates.requirements(document("- NFR-001: c\n", "requirements.md"))
    design = document("Serves FR-001 and NFR-001.\n\nAnd FR-020. And ZZ-9.\n", "design.md")

    assert told(gates.check_coverage(design, wanted, known)) == [
        "error: design.md: FR-002 (spec.md:2) is not covered: say what serves it",
        'error: design.md:3: FR-020 is defined nowhere (did you mean "FR-002"?)',
    ]
    assert told(gates.check_coverage(document("US-77777"), wanted))[-1:] == [
        "error: spec.md:1: US-77777 is defined nowhere (define it, or leave it out)"
    ]
    assert told(gates.check_coverage(document("FR-9"), ())) == []
    assert told(gates.check_coverage(document("- FR-9: own\n"), ())) == []


def test_tasks_are_there_and_can_be_planned() -> None:
    def complaints(text: str) -> list[str]:
        return told(gates.check_tasks(document(text, "tasks.md"), parse_tasks(text)))

    assert complaints("words")[0].startswith("error: tasks.md: has no task")
    assert complaints("- [ ] T1: a (after: T1)") == ["error: tasks.md: tasks wait for one another: T1 → T1"]
    assert complaints("- a\n- b\n")[0].startswith("warning: tasks.md: no task has a box")
    assert complaints("- [ ] T1: a") == []


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Verdict: PASS", "PASS"),
        ("**Verdict:** fail", "FAIL"),
        ("## Verdict\n\nPASS_WITH_WARNINGS\n", "PASS_WITH_WARNINGS"),
        ("Verdict: FAIL\n\nVerdict: PASS\n", "PASS"),
        ("```\nVerdict: FAIL\n```", ""),
        ("the verdict is out", ""),
    ],
)
def test_the_last_verdict_counts(text: str, verdict: str) -> None:
    assert gates.verdict_of(text) == verdict


def test_a_change_with_open_tasks_or_a_bad_verdict_is_not_verified() -> None:
    tasks = parse_tasks("- [x] T1: a\n- [ ] T2: b\n")

    assert told(gates.check_verify(document("Verdict: PASS", "verify.md"), tasks, "tasks.md")) == [
        "error: tasks.md: 1 of 2 tasks are ticked; finish and tick T2 (line 2)"
    ]
    assert told(gates.check_verify(document("Verdict: FAIL", "verify.md"), (), ""))[0].startswith(
        "error: verify.md: the verdict"
    )
    assert told(gates.check_verify(document("ran it", "verify.md"), (), ""))[0].startswith(
        "warning: verify.md: has no verdict"
    )
    assert told(gates.check_verify(document("Verdict: PASS"), (), "")) == []


def test_only_errors_shut_a_gate() -> None:
    assert gates.is_shut([Complaint(Severity.ERROR, "x")])
    assert not gates.is_shut([Complaint(Severity.WARNING, "x")])
    assert str(Complaint(Severity.ERROR, "x")) == "x"


# Clarity


@pytest.mark.parametrize(
    ("pairs", "score"),
    [
        ([(10, 100)] * 3, 100),
        ([(10, 100), (10, 0)], 50),
        ([(9, 100), (1, 0)], 90),
        ([(3, 80), (7, 50)], 59),
        ([(0, 100)], 0),
        ([], 0),
    ],
)
def test_a_score_is_the_mean_by_weight(pairs: list[tuple[int, int]], score: int) -> None:
    assert gates.weighted_score(pairs) == score


def test_scores_are_clamped_and_nonsense_is_left_out() -> None:
    assert gates.parse_scores("target_users:150, core_functionality:-10,data_model:abc,junk,x:5") == {
        "target_users": 100,
        "core_functionality": 0,
    }
    assert gates.parse_scores("") == {}


def test_there_are_eight_dimensions_and_two_thresholds() -> None:
    everything = ",".join(f"{name}:100" for name in gates.DIMENSIONS)

    assert (len(gates.DIMENSIONS), sum(gates.DIMENSIONS.values())) == (8, 60)
    assert all(weight > 0 for weight in gates.DIMENSIONS.values())
    assert gates.clarity(gates.parse_scores(everything)) == 100
    assert [gates.threshold(mode) for mode in ("guided", "expert", "other")] == [70, 50, 70]
    assert "security" in gates.uncovered({"security": 30})
    assert "security" not in gates.uncovered({"security": 31})


def test_a_score_alone_never_opens_the_gate() -> None:
    answers = "Only signed-in readers may order, see the charter."
    fine, open_question = document("- FR-1: a b\n"), document("- FR-1: TBD\n")

    assert told(gates.check_clarity(100, "guided", answers, [fine])) == []
    assert told(gates.check_clarity(100, "guided", "none", [fine])) == [
        "error: the answers say next to nothing: a score alone does not pass"
    ]
    assert len(told(gates.check_clarity(100, "guided", answers, [open_question]))) == 1
    (low,) = told(gates.check_clarity(69, "guided", answers, ()))
    assert low == (
        "error: the clarity score is 69 of the 70 that guided mode asks for: "
        f"say how clear each of these is, from 0 to 100: {', '.join(gates.DIMENSIONS)}"
    )


@given(st.text(alphabet="#-*|`~<!> FR-01:TBDverdict\n", max_size=200))
def test_any_text_can_be_judged(text: str) -> None:
    one = document(text)
    for gate in (
        gates.check_text,
        gates.check_requirements,
        lambda d: gates.check_coverage(d, gates.requirements(d)),
    ):
        list(gate(one))
    gates.verdict_of(text)


# Work


class Counted(str):
    """A text that knows how many of its letters were gone through to count line ends."""

    work = 0

    def count(self, part: str, start: int = 0, end: int | None = None) -> int:
        Counted.work += (len(self) if end is None else end) - start
        return super().count(part, start, end)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("TBD", lambda one: len(list(gates.check_text(one)))),
        ("## Part", lambda one: len(list(gates.check_text(one)))),
        ("- **FR-001**: words", lambda one: len(gates.requirements(one))),
        ("serves FR-001", lambda one: len(gates.mentioned(one))),
    ],
)
def test_line_ends_are_counted_once_however_many_findings_there_are(monkeypatch, line, read) -> None:
    monkeypatch.setattr(gates, "_without_quotes", Counted)
    text = f"Words.\n\n{f'{line}{chr(10)}' * 300}"
    monkeypatch.setattr(Counted, "work", 0)

    assert read(gates.GateDocument("spec.md", text)) in (1, 300)
    assert 0 < Counted.work <= 2 * len(text)


def test_the_nearest_id_is_looked_for_a_few_times_only(monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(gates, "nearest", lambda word, words: asked.append(word) or "")
    wanted = gates.requirements(document("- **FR-1**: a\n"))
    found = told(
        gates.check_coverage(document("FR-1 " + " ".join(f"FR-{at}" for at in range(100, 200))), wanted)
    )

    assert len(found) == 100
    assert len(asked) == gates.MOST_HINTS


def test_what_is_kept_of_a_document_has_no_comments_no_empty_parts_and_no_title() -> None:
    text = "# Charter\n\nMaps.\n\n## Why\n\n<!-- The problem. -->\n\n## Not part\n\nGlobes.\n\n## End\n"

    assert gates.written_parts(text) == "Maps.\n\n## Not part\n\nGlobes."
    assert gates.written_parts("No title.\n") == "No title."
    assert gates.written_parts("") == ""
