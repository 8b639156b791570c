"""The screen of what waits for a person's verdict: the inbox, contradictions and duplicates, and an audit's findings."""

from collections import Counter

from modicum.app.workbench.pairs import SHOWN, open_pairs
from modicum.app.workbench.projects import projects_to_choose
from modicum.app.workbench.waiting import audit_findings, open_inbox
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.web.answer import page
from modicum.web.memory.notes import project_asked

MOST_FINDINGS = 100
LONGEST = 4_000  # characters of a note that are shown, and that can be edited here


def review(request: ApiRequest) -> Reply:
    """Replies with the screen of what waits for a verdict; `part` is its lists alone, or what an audit finds."""
    project, part = project_asked(request), request.text("part")
    if part == "audit":
        return _audit(request, project)
    return page(
        request,
        "review_lists.html" if part == "1" else "review.html",
        screen="review",
        inbox=open_inbox(request.store, project),
        pairs=open_pairs(request.store, project),
        most=SHOWN,
        longest=LONGEST,
        project_name=project,
        projects=projects_to_choose(request.store, project),
    )


def _audit(request: ApiRequest, project: str) -> Reply:
    findings = audit_findings(request.store, project)
    return page(
        request,
        "review_audit.html",
        screen="review",
        is_possible=findings is not None,
        findings=findings or (),
        kinds=Counter(each.kind for each in findings or ()),
        most=MOST_FINDINGS,
        project_name=project,
    )
