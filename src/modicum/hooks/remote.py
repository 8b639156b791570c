"""Remote memory for hooks: requests to /v1 of a modicum server."""

from collections.abc import Mapping
from urllib.parse import quote

from modicum.app.session.events import SUBAGENT_STOP, UNKNOWN, TypedPrompt, without_secrets
from modicum.hooks.http_client import HttpClient, StatusError, rows_of
from modicum.memory.brief.lines import Brief, BriefNote, public_id_in
from modicum.memory.projects.keys import FolderKeys, word_of

_LONGEST_QUESTION = 2_000  # characters, which become part of a URL
_FOUND = 12
_NOT_FOUND = 404


class RemoteMemory:
    """The remote memory of hooks: a modicum server that is read and written through /v1."""

    def __init__(self, address: str, token: str = "") -> None:
        self.client = HttpClient(address, token)

    def recalled(self, folder: FolderKeys, limit: int) -> Brief:
        """Asks a remote modicum server, for a hook, for the notes of a session that begins."""
        found = self._brief(project=word_of(folder), limit=limit)
        pinned, notes = (tuple(map(_note, rows_of(found.get(part)))) for part in ("pinned", "notes"))
        counts = (found.get(name) for name in ("total", "waiting"))
        total, waiting = (count if isinstance(count, int) else 0 for count in counts)
        elsewhere = found.get("elsewhere")
        others = tuple(map(str, elsewhere)) if isinstance(elsewhere, list) else ()
        return Brief(pinned, notes, str(found.get("summary") or ""), total, waiting, others)

    def submit(self, prompt: TypedPrompt, seen: frozenset[int], limit: int) -> tuple[BriefNote, ...]:
        """Saves a prompt of a hook on a remote modicum server, without secrets; returns unseen notes for it."""
        project = word_of(prompt.keys)
        self._start(project, prompt.session, prompt.folder)
        text = without_secrets(prompt.text)
        self.client.post("/v1/prompts", session_id=prompt.session, content=text, project=project)
        if not limit:
            return ()
        found = self._brief(project=project, q=text[:_LONGEST_QUESTION], limit=_FOUND)
        notes = map(_note, rows_of(found.get("notes")))
        return tuple(note for note in notes if note.id not in seen)[:limit]

    def finish_session(self, folder: FolderKeys, session: str) -> None:
        """Ends a session on a remote modicum server, for a hook. An unknown session is no error."""
        try:
            self.client.post(f"/v1/sessions/{quote(session, safe='')}/end")
        except StatusError as error:
            if error.status != _NOT_FOUND:
                raise

    def capture(self, folder: FolderKeys, session: str, text: str) -> None:
        """Saves a sub-agent's learnings on a remote modicum server, for a hook."""
        session, project = session or UNKNOWN, word_of(folder)
        self._start(project, session, "")
        self.client.post(
            "/v1/notes/capture", session_id=session, content=text, project=project, source=SUBAGENT_STOP
        )

    def _start(self, project: str, session: str, folder: str) -> None:
        self.client.post("/v1/sessions", id=session, project=project, directory=folder)

    def _brief(self, **parameters: str | int) -> Mapping[str, object]:
        found = self.client.get("/v1/brief", **parameters)
        return found if isinstance(found, dict) else {}


def _note(row: Mapping[str, object]) -> BriefNote:
    number = row.get("number")
    fields = ("id", "type", "title", "origin", "pinned_by", "saved_at")
    name, kind, title, *whose = (str(row.get(field) or "") for field in fields)
    return BriefNote(number if isinstance(number, int) else 0, kind, title, public_id_in(name), *whose)
