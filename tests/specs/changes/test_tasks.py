"""Tasks are data: ids, what each needs and touches, and what may run at the same time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.specs.changes.tasks import Task, Ticks, Waves, parse_tasks, plan_waves, progress


def test_list_items_with_a_box_are_tasks() -> None:
    tasks = parse_tasks(
        "# Tasks\n\n"
        "- [ ] T1: Refuse large files (FR-001; files: src/importer.py)\n"
        "- [x] **T2**: Tell the limit (after: T1; files: `docs\\import.md`, ./src/a.py)\n"
        "* [X] 1.2 Measure\n"
        "- [ ] no id\n"
    )

    assert [task[:6] for task in tasks] == [
        ("T1", "Refuse large files", 3, (), ("src/importer.py",), False),
        ("T2", "Tell the limit", 4, ("T1",), ("docs/import.md", "src/a.py"), True),
        ("1.2", "Measure", 5, (), (), True),
        ("4", "no id", 6, (), (), False),
    ]
    assert "FR-001" in tasks[0].text


def test_headings_are_tasks_with_what_stands_below_them() -> None:
    tasks = parse_tasks(
        "## Work\n\n### TASK-001: First\n- **Depends on**: none\n- **Files**: a.py and b.py\n- [x] one\n- [ ] two\n\n"
        "### TASK-002 Second\n**Dependencies:** TASK-001\nwords\n\n## Notes\n- [ ] not a task of a heading\n"
    )

    assert [(task.id, task.depends, task.files, task.done) for task in tasks] == [
        ("TASK-001", (), ("a.py", "b.py"), False),
        ("TASK-002", ("TASK-001",), (), None),
        ("3", (), (), False),
    ]


def test_what_is_further_in_belongs_to_the_task_above() -> None:
    tasks = parse_tasks(
        "- [x] T1: a\n  - after: T0\n  - [ ] part\n  words\n  - [ ] T2: own\n\n## Else\nwords\n"
    )

    assert [(task.id, task.depends, task.done) for task in tasks] == [
        ("T1", ("T0",), False),
        ("T2", (), False),
    ]


def test_attributes_are_read_in_several_languages() -> None:
    text = "- [ ] T2: x (nach: T1; Dateien: a.py)\n- [ ] T3: y (依赖：T1, T2；文件: b.py、c.py)\n- [ ] T4: [after: -; files: none]\n"

    assert [(task.depends, task.files) for task in parse_tasks(text)] == [
        (("T1",), ("a.py",)),
        (("T1", "T2"), ("b.py", "c.py")),
        ((), ()),
    ]


@pytest.mark.parametrize(
    "text",
    ["", "words\n", "```\n- [ ] T1: x\n```\n", "<!-- - [ ] T1: x -->\n", "<!--\n- [ ] T1: x\n-->\n"],
)
def test_what_is_quoted_is_no_task(text: str) -> None:
    assert parse_tasks(text) == ()


def test_without_boxes_list_items_are_tasks_that_cannot_be_ticked() -> None:
    tasks = parse_tasks("1. one\n2) two\n  - part\n- three\n")

    assert [(task.id, task.title, task.done) for task in tasks] == [
        ("1", "one", None),
        ("2", "two", None),
        ("3", "three", None),
    ]
    assert progress(tasks) == Ticks(0, 0)


def test_progress_is_what_is_ticked() -> None:
    assert progress(parse_tasks("- [x] T1: a\n- [ ] T2: b\n")) == Ticks(1, 2, ("T2",))


def task(name: str, *depends: str, files: tuple[str, ...] = ()) -> Task:
    return Task(name, name, 1, depends, files, done=False)


def test_a_task_is_in_the_first_wave_after_all_that_it_needs() -> None:
    waves = plan_waves(
        [task("D", "B", "C"), task("A"), task("B", "A"), task("C", "A", files=("c",)), task("E")]
    )

    assert waves.waves == (("A", "E"), ("B", "C"), ("D",))
    assert waves.problems == ()


@pytest.mark.parametrize(
    ("tasks", "problem"),
    [
        ([task("A", "B"), task("B", "A")], "tasks wait for one another: A → B → A"),
        ([task("A", "A")], "tasks wait for one another: A → A"),
        ([task("X", "A"), task("A", "B"), task("B", "A")], "tasks wait for one another: A → B → A"),
        ([task("A", "Z")], "A (line 1) comes after Z, which is no task here"),
        ([task("A"), task("A")], "two tasks are called A (lines 1 and 1): give one another id"),
        (
            [task("A", files=("x", "y")), task("B", files=("y",))],
            "A and B both touch y in wave 1: let one come after the other",
        ),
    ],
)
def test_what_cannot_be_planned_names_its_tasks(tasks: list[Task], problem: str) -> None:
    assert plan_waves(tasks).problems == (problem,)


names = st.sampled_from("ABCDEF")
random_tasks = st.lists(
    st.builds(
        lambda name, depends, files: task(name, *depends, files=tuple(files)),
        names,
        st.sets(names),
        st.sets(names),
    ),
    max_size=6,
    unique_by=lambda each: each.id,
)


@given(random_tasks)
def test_no_task_stands_before_what_it_needs_and_nobody_is_lost_in_silence(tasks: list[Task]) -> None:
    planned = plan_waves(tasks)
    wave = {name: number for number, names in enumerate(planned.waves) for name in names}

    assert all(
        wave[need] < wave[each.id]
        for each in tasks
        if each.id in wave
        for need in each.depends
        if need in wave
    )
    assert planned.problems or len(wave) == len(tasks)


@given(st.text(alphabet="-*[]x T1:(after;files)#`\n \t", max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    plan_waves(parse_tasks(text))


def test_many_tasks_are_ordered_and_a_long_circle_is_told_in_short() -> None:
    chain = "\n".join(f"- [ ] T{at}: x (after: T{at - 1})" for at in range(1, 3_000))
    circle = parse_tasks(f"- [ ] T0: x (after: T2999)\n{chain}\n")
    row = parse_tasks(f"- [ ] T0: x\n{chain}\n")

    assert plan_waves(row).waves == tuple((f"T{at}",) for at in range(3_000))
    names = " → ".join(("T0", *(f"T{at}" for at in range(2_999, 2_988, -1))))
    assert plan_waves(circle) == Waves((), (f"tasks wait for one another: {names} → … → T0",))


def test_many_tasks_that_share_a_file_are_told_in_one_sentence() -> None:
    tasks = parse_tasks("\n".join(f"- [ ] T{at}: x (files: a.py)" for at in range(20)))

    names = ", ".join(f"T{at}" for at in range(12))
    assert plan_waves(tasks).problems == (
        f"{names} and 8 more all touch a.py in wave 1: let one come after the other",
    )
