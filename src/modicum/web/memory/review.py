"""The screen of what waits for a person's verdict: contradictions and duplicates, side by side."""

from modicum.app.browse.pairs import SHOWN, open_pairs
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.web.answer import page
from modicum.web.memory.notes import project_asked, projects_of


def review(request: ApiRequest) -> Reply:
    """Replies with the screen of what waits for a verdict; `part` is its lists alone."""
    project = project_asked(request)
    template = "review_lists.html" if request.text("part") == "1" else "review.html"
    return page(
        request,
        template,
        screen="review",
        pairs=open_pairs(request.store, project),
        most=SHOWN,
        project_name=project,
        projects=projects_of(request, project),
    )
