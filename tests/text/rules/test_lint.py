"""What lint finds between rules that are read together, and what it leaves alone."""

import pytest

from modicum.text.rules.findings import LintFinding, LintKind
from modicum.text.rules.lint import in_order, lint, material_of
from modicum.text.rules.rules import RulePlace, RuleSource, rules_in


def found(*texts: str) -> list[LintFinding]:
    sources = (RuleSource(f"{at}.md", text) for at, text in enumerate(texts))
    return [*lint(material_of(sources).rules)]


def kinds(*lines: str) -> list[str]:
    return [str(each.kind) for each in found("".join(f"- {line}\n" for line in lines))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never edit files in `gen/`.", "Edit the files in `gen/` by hand."),
        ("Do not squash commits.", "Squash commits before merging."),
        ("Timeouts must not be hard-coded.", "Hard-code the timeouts."),
        ("Loading fonts from a CDN is prohibited.", "Fonts may be loaded from a CDN."),
        ("Ask before you install a dependency.", "Install a dependency without asking."),
        ("Feature flags are mandatory for endpoints.", "Endpoints go out without feature flags."),
        ("Under no circumstances skip the hooks.", "Skip the hooks with `--no-verify` if they are slow."),
        ("Prefer tables over lists.", "Use lists."),
        (
            "Avoid inline styles in components of any size.",
            "Inline styles are preferred for small components.",
        ),
        (
            "In library code call `unwrap()` on results that cannot fail.",
            "Never use `unwrap()` in library code.",
        ),
        ("Force-pushing is forbidden on all branches.", "You may force-push to feature branches."),
        ("Disable telemetry in builds.", "Enable telemetry in builds."),
        ("You need not sign commits.", "Sign commits."),
        ("❌ Use barrel files.", "Use barrel files."),
        ("Never log tokens, or print them.", "Log tokens at debug level."),
    ],
)
def test_one_forbids_what_the_other_demands(one: str, other: str) -> None:
    assert kinds(one, other) == ["contradiction"]
    assert kinds(other, one) == ["contradiction"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never commit secrets.", "Always commit lock files."),
        ("In production, never log at debug level.", "In development, log at debug level."),
        ("Do not forget to run the tests.", "Run the tests."),
        ("Never run migrations without a backup.", "Run migrations after taking a backup."),
        ("Guests can read projects, but never comment.", "Members can comment."),
        ("During the code freeze, do not merge.", "Before the code freeze, merge when green."),
        ("Raw SQL outside the reports is not accepted.", "Reports use raw SQL."),
        ("Use the logger, not `console.log`, in the server.", "Use `console.log` in scripts."),
        ("Merge, and do not rebase, once it is public.", "Rebase your branch while it is private."),
        (
            "When only line ends differ, look again; do not update snapshots.",
            "If they differ for a reason, update snapshots.",
        ),
        ("They must not contain business rules.", "Each business rule has a test."),
        ("We never used tabs until 2020.", "Use tabs."),
        ("Should you never use tabs?", "Use tabs."),
        ('Answer "never use tabs" to that.', "Use tabs."),
        ("Do not start the server.", "The user starts the server."),
        ("No comments.", "Remove comments."),
        ("Not running `make check`.", "Run `make check`."),
        ("Prefer tables over lists.", "Use lists for steps."),
        ("Ask when you do not know.", "Ask for a split."),
        ("They are 5 of 6.", "Never log any of the 5 of 6."),
        ("Not only test, but measure speed.", "Test, measure speed."),
    ],
)
def test_what_only_looks_like_a_contradiction_is_none(one: str, other: str) -> None:
    assert "contradiction" not in kinds(one, other)


def test_under_a_heading_that_forbids_each_item_is_forbidden() -> None:
    assert [each.kind for each in found("## Don't\n- Use barrel files\n\n## Do\n- Use barrel files\n")] == [
        "contradiction"
    ]
    assert (
        found("## Common mistakes\n- Never use barrel files\n\n## Do\n- Use barrel files in each package\n")
        == []
    )


def test_a_finding_tells_both_places_why_and_what_to_do() -> None:
    (finding,) = found("# A\n\n- Never use tabs.\n", "Always use tabs.\n")

    assert [(str(place), text) for place, text in finding.sentences] == [
        ("0.md:3", "Never use tabs."),
        ("1.md:1", "Always use tabs."),
    ]
    assert (finding.why, finding.remedy) == (
        "one says to do what the other forbids",
        "delete one, or say in each where it holds",
    )
    assert str(RulePlace("note:4")) == "note:4"


def test_the_id_stays_when_a_sentence_moves() -> None:
    (before,) = found("Never use tabs.\n", "Always use tabs.\n")
    (after,) = found("# B\n\nAlways use tabs.\n\nNever  use\ntabs.\n")

    assert before.id == after.id
    assert len(before.id) == 8


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Use npm for packages.", "We use pnpm.", "npm and pnpm for the package manager"),
        ("Indent by 2 spaces.", "Code is indented with four spaces.", "2 and 4 for the depth of indentation"),
        ("Use a 2-space indent.", "Indent with 4 spaces.", "2 and 4 for the depth of indentation"),
        ("Lines have at most 100 characters.", "Wrap lines at 80.", "100 and 80 for the length of lines"),
        ("Use Node 18.", "Develop with Node.js 22.", "18 and 22 for the version of node"),
        (
            "MSRV is Rust 1.70.",
            "The minimum supported Rust version is 1.78.",
            "1.70 and 1.78 for the minimum version of rust",
        ),
        (
            "Functions may have at most 30 lines.",
            "Limit functions to 60 lines.",
            "30 and 60 for the same number (function, line)",
        ),
        (
            "Strings take single quotes.",
            "Use double quotes for strings.",
            "single quotes and double quotes for quotes",
        ),
        ("Tests run with `jest`.", "Use Vitest for tests.", "jest and vitest for the test runner"),
    ],
)
def test_two_tools_or_values_for_one_purpose_are_rivals(one: str, other: str, why: str) -> None:
    (finding,) = found(f"- {one}\n- {other}\n")

    assert (finding.kind, finding.why) == (LintKind.RIVAL, why)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use npm, not pnpm.", "Never use pnpm; npm it is."),
        ("Use tabs in Makefiles.", "Use spaces in Python files."),
        ("Use npm in `apps/site`.", "Use pnpm."),
        ("Unit tests run with Vitest.", "End-to-end tests run with Playwright."),
        ("pnpm was chosen over npm.", "Install with `pnpm install`."),
        ("Can I use npm?", "pnpm only."),
        ("Use Python 3.10 or newer.", "Use Python 3.12."),
        ("Use Python 3.10+.", "Use Python 3.12."),
        ("Support Node 18 and Node 20.", "Use Node 22."),
        ("Code lines have at most 100 characters.", "Commit subjects have at most 72 characters."),
        ("Files are kebab-case.", "React components are PascalCase."),
        ("Python: use single quotes.", "TypeScript: use double quotes."),
        ("Docker builds the images, Podman runs them.", "Use Docker for containers."),
        ("The unit suite must finish in 30 seconds.", "The integration suite must finish in 60 seconds."),
        ("Publish to the npm registry.", "Use pnpm."),
        ("Indent continuation lines by 8 spaces.", "Indent with 4 spaces."),
        ("Use npm in the mobile app.", "Use pnpm."),
    ],
)
def test_what_is_for_different_places_is_no_rival(one: str, other: str) -> None:
    assert "rival" not in kinds(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Every bug fix needs a regression test.", "Add a regression test for each bug fix."),
        ("Money is never a float.", "Never use floats for money."),
        (
            "Business logic lives in services; controllers stay thin.",
            "Keep controllers thin and move business logic into services.",
        ),
    ],
)
def test_what_says_the_same_is_a_duplicate(one: str, other: str) -> None:
    assert kinds(one, other) == ["duplicate"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Run the unit tests before a commit.", "Run the integration tests before a merge."),
        ("Use floats for money.", "Never use floats for money, please."),
        ("Every exported symbol has a doc comment.", "Suggest doc comments for exported symbols."),
        ("Keep 4 copies of each backup tape.", "Keep 5 copies of each backup tape."),
    ],
)
def test_what_says_something_else_is_no_duplicate(one: str, other: str) -> None:
    assert "duplicate" not in kinds(one, other)


def test_many_rules_are_compared_with_the_first_ones_only() -> None:
    lines = [f"- Use {'npm' if at < 70 else 'pnpm'} here for case{at}.\n" for at in range(80)]

    assert found("".join(lines)) == []
    assert len(found("- Use npm.\n- Use pnpm.\n" * 50)) < 200


def test_a_third_copy_is_told_beside_the_first() -> None:
    lines = [each.sentences[0].place.line for each in found("- Freeze all string literals.\n" * 3)]

    assert lines == [1, 1]


def test_what_a_rule_for_some_files_repeats_of_one_for_all_is_a_duplicate() -> None:
    rule = "- Hash number plates with the salt.\n"
    everywhere = RuleSource("AGENTS.md", rule)
    bound = [RuleSource(f"{name}.mdc", rule, frozenset({f"glob:**/*.{name}"})) for name in ("ts", "py")]

    assert [each.kind for each in lint(material_of([everywhere, bound[0]]).rules)] == ["duplicate"]
    assert [*lint(material_of(bound).rules)] == []


def test_rules_that_are_bound_to_different_files_do_not_contradict() -> None:
    one = RuleSource("a.mdc", "Never use tabs.\n", frozenset({"glob:**/*.py"}))
    other = RuleSource("b.mdc", "Always use tabs.\n")

    assert [*lint(material_of([one, other]).rules)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Write clean code.",
        "Follow best practices.",
        "Don't write bad code.",
        "Be careful and think before you act.",
    ],
)
def test_what_fits_every_project_is_vague(text: str) -> None:
    assert kinds(text) == ["vague"]


@pytest.mark.parametrize(
    "text",
    [
        "Use a clean database for each test run.",
        "Run `make clean` before a release.",
        "Follow the naming practices in `docs/naming.md`.",
        "Handle errors by returning a Result.",
        "Performance",
        "Write good code, " + "and good code, " * 20 + "always.",
    ],
)
def test_what_says_something_is_not_vague(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ne modifie jamais les fichiers.",
        "不要提交 `.env` 文件。",
        "Nicht die Tests und auch nicht der Code.",
        "1 + 2",
        "a " * 1_000,
    ],
)
def test_other_languages_and_what_is_no_sentence_are_skipped(text: str) -> None:
    assert rules_in(RuleSource("a.md", text)) == ()


def test_rules_are_read_with_their_headings_rows_and_lines() -> None:
    text = (
        "<!-- never\nthis -->\n# Title\n\n## Style\n\n| What | How |\n|---|---|\n| Indentation | 2 spaces |\n| Alone | |\n| | |\n\n"
        "### Names\nUse names; keep them\nshort. Be kind.\n\n## End\n```\ncode\n```\n<!-- a --> Go on here.\n"
    )

    assert [
        (rule.text, rule.place.line, rule.heading)
        for rule in rules_in(RuleSource("a.md", text, first_line=11))
    ] == [
        ("Indentation: 2 spaces", 19, "Style"),
        ("Alone", 20, "Style"),
        ("Use names; keep them short.", 24, "Style. Names"),
        ("Be kind.", 25, "Style. Names"),
        ("Go on here.", 31, "End"),
    ]


def test_findings_stand_in_the_order_of_their_kinds() -> None:
    told = found("- Write clean code.\n- Never use tabs.\n- Always use tabs.\n")

    assert [str(each.kind) for each in in_order(reversed(told))] == ["contradiction", "vague"]
