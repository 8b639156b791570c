"""Remote memory for hooks: requests to /v1 of a modicum server."""

from collections.abc import Mapping
from urllib.parse import quote

from modicum.app.session.events import SOURCE, Brief, BriefNote, TypedPrompt, public_range, without_secrets
from modicum.hooks.http_client import HttpClient, StatusError, rows_of

_LONGEST_QUESTION = 2_000  # characters, which become part of a URL
_FOUND = 12
_NOT_FOUND = 404


class RemoteMemory:
    """The remote memory of a hook: reads and writes through /v1 of a modicum server."""

    def __init__(self, address: str, token: str = "") -> None:
        self.client = HttpClient(address, token)

    def recalled(self, project: str, limit: int) -> Brief:
        """Returns, from a remote modicum server, the notes for a session that begins."""
        found = self._brief(project=project, limit=limit)
        pinned, notes = (tuple(map(_note, rows_of(found.get(part)))) for part in ("pinned", "notes"))
        counts = (found.get(name) for name in ("total", "waiting"))
        total, waiting = (count if isinstance(count, int) else 0 for count in counts)
        return Brief(pinned, notes, str(found.get("summary") or ""), total, waiting)

    def submit(self, prompt: TypedPrompt, seen: frozenset[int], limit: int) -> tuple[BriefNote, ...]:
        """Saves a prompt on a remote modicum server, without secrets; returns unseen notes for it."""
        self._start(prompt.project, prompt.session, prompt.folder)
        text = without_secrets(prompt.text)
        self.client.post("/v1/prompts", session_id=prompt.session, content=text, project=prompt.project)
        if not limit:
            return ()
        found = self._brief(project=prompt.project, q=text[:_LONGEST_QUESTION], limit=_FOUND)
        notes = map(_note, rows_of(found.get("notes")))
        return tuple(note for note in notes if note.id not in seen)[:limit]

    def finish_session(self, project: str, session: str) -> None:
        """Ends a session on a remote modicum server. An unknown session is no error."""
        try:
            self.client.post(f"/v1/sessions/{quote(session, safe='')}/end")
        except StatusError as error:
            if error.status != _NOT_FOUND:
                raise

    def capture(self, project: str, session: str, text: str) -> None:
        """Saves a sub-agent's learnings on a remote modicum server."""
        self._start(project, session, "")
        self.client.post(
            "/v1/notes/capture", session_id=session, content=text, project=project, source=SOURCE
        )

    def _start(self, project: str, session: str, folder: str) -> None:
        self.client.post("/v1/sessions", id=session, project=project, directory=folder)

    def _brief(self, **parameters: str | int) -> Mapping[str, object]:
        found = self.client.get("/v1/brief", **parameters)
        return found if isinstance(found, dict) else {}


def _note(row: Mapping[str, object]) -> BriefNote:
    number, letters = row.get("number"), public_range(str(row.get("id") or ""))
    kind, title, origin = (str(row.get(name) or "") for name in ("type", "title", "origin"))
    lowest = letters[0] if letters else 0
    return BriefNote(number if isinstance(number, int) else 0, kind, title, lowest, origin)
