"""The audit of requirements: what the documents define, and what the code mentions."""

from modicum.app.specs import sections
from modicum.engine.page import Detail, View, fit


def test_an_audit_tells_what_is_defined_nowhere_and_what_the_code_mentions(place) -> None:
    place.write("docs/requirements.md", "- FR-001: a\n- FR-002: b\n")
    place.write("docs/design.md", "FR-001 and FR-099\n")
    place.write("src/a.py", "# FR-001\n")
    text = fit(sections.requirements(place.config), View(Detail.SUMMARY)).text

    assert (
        text
        == "## Defined nowhere\n- FR-099: design.md\n\n## Not seen in the code\n- FR-002\n\n## Seen in the code\n- FR-001"
    )
