"""engram's routes to transfer everything (export, import), and for counts, sync and doctor."""

from collections.abc import Mapping

from modicum.base.errors import ModicumError
from modicum.compat.engram import records
from modicum.compat.engram.go_json import decode
from modicum.compat.engram.http.replies import ok
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Archive, Note, Stats

FROM_ENGRAM = "import:engram"
NO_SYNC = "background sync is not configured"


def sync_status(request: ApiRequest) -> Reply:
    return ok({"enabled": False, "message": NO_SYNC})


def doctor(request: ApiRequest) -> Reply:
    problems = request.store.problems()
    checks = [{"check": "file", "message": problem.sentence, "status": "error"} for problem in problems]
    status = "error" if problems else "ok"
    whole = [{"check": "file", "message": "the file and its indexes are whole", "status": "ok"}]
    return ok({"checks": checks or whole, "project": request.text("project"), "status": status})


def export(request: ApiRequest) -> Reply:
    disposition = ("Content-Disposition", "attachment; filename=engram-export.json")
    return ok(records.export(request.store.export()))._replace(headers=(disposition,))


def import_archive(request: ApiRequest) -> Reply:
    done = request.store.take_in(_archive(decode(request.body)), origin=FROM_ENGRAM)
    counts = {"sessions": done.sessions, "observations": done.notes, "prompts": done.prompts}
    return ok({f"{name}_imported": number for name, number in counts.items()})


def _archive(document: object) -> Archive:
    """The archive in a body. Lists that are missing are empty, and a type that is missing stays empty."""
    from modicum.memory.exchange.archive import from_document

    if not document:
        return Archive()
    if not isinstance(document, Mapping):
        return from_document(document)  # which says what is wrong
    archive, given = from_document({"sessions": None, **document}), document.get("observations")
    if not isinstance(given, list) or len(given) != len(archive.notes):
        return archive
    return archive._replace(notes=tuple(map(_with_given_type, archive.notes, given)))


def _with_given_type(note: Note, record: Mapping[str, object]) -> Note:
    return note._replace(type=str(record.get("type") or ""))


def stats(request: ApiRequest) -> Reply:
    try:
        found = request.store.stats()
    except ModicumError:
        found = Stats(0, 0, 0, ())
    return ok(records.stats(found))
