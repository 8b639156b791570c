"""The screen of the log: the latest changes of memory, who made them, and which of them were taken back."""

from modicum.app.counted import enumerated
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.web.answer import page

SHOWN = 50


def log(request: ApiRequest) -> Reply:
    """Replies with the screen of the log, the latest changes of memory; `part` is their list alone."""
    template = "memory_log_list.html" if request.text("part") == "1" else "memory_log.html"
    batches = request.store.log(SHOWN)
    return page(
        request,
        template,
        screen="memory",
        tab="log",
        batches=batches,
        most=SHOWN,
        enumerated=enumerated,
    )
