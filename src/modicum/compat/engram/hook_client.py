"""The hook client for an engram server: memory for hooks through engram's own routes."""

from urllib.parse import quote

from modicum.app.session.events import SUBAGENT_STOP, UNKNOWN, TypedPrompt, without_secrets
from modicum.compat.engram.context_reader import read_context
from modicum.hooks.http_client import HttpClient, rows_of
from modicum.memory.brief.lines import Brief, BriefNote
from modicum.memory.projects.keys import FolderKeys

_LONGEST_QUESTION = 400  # characters
_RECENT = 50  # sessions among which the summary of one is looked for


class EngramMemory:
    """Engram's server as the memory of hooks; it may be an old one that ignores our options."""

    def __init__(self, address: str, token: str = "") -> None:
        self.client = HttpClient(address, token)

    def recalled(self, folder: FolderKeys, limit: int) -> Brief:
        """Asks an engram server, for a hook, for the notes that a session gets when it begins."""
        counts = {"limit": limit, "compact": 1, "pinned": limit, "sessions": 5, "prompts": -1}
        answer = self.client.get("/context", project=folder.usual_name, **counts)
        text = answer.get("context") if isinstance(answer, dict) else ""
        return read_context(text if isinstance(text, str) else "")

    def submit(self, prompt: TypedPrompt, seen: frozenset[int], limit: int) -> tuple[BriefNote, ...]:
        """Saves a hook's prompt on an engram server, without secrets; returns unseen notes for it."""
        self._start(prompt.keys.usual_name, prompt.session, prompt.folder)
        text = without_secrets(prompt.text)
        self.client.post("/prompts", session_id=prompt.session, content=text, project=prompt.keys.usual_name)
        return self._called_for(prompt, seen)[:limit] if limit else ()

    def _called_for(self, prompt: TypedPrompt, seen: frozenset[int]) -> tuple[BriefNote, ...]:
        words = " ".join(prompt.text.replace('"', " ").split())[:_LONGEST_QUESTION]
        rows = rows_of(self.client.get("/search", q=words, project=prompt.keys.usual_name, limit=10))
        found = [
            BriefNote(number, str(row.get("type") or ""), str(row.get("title") or ""))
            for row in rows
            if isinstance(number := row.get("id"), int)
        ]
        return tuple(note for note in found if note.id not in seen)

    def finish_session(self, folder: FolderKeys, session: str) -> None:
        """Ends a hook's session on an engram server; sends the summary again, else it is lost."""
        rows = rows_of(self.client.get("/sessions/recent", project=folder.usual_name, limit=_RECENT))
        summary = next((row.get("summary") for row in rows if row.get("id") == session), "")
        self.client.post(f"/sessions/{quote(session, safe='')}/end", summary=str(summary or ""))

    def capture(self, folder: FolderKeys, session: str, text: str) -> None:
        """Saves a sub-agent's learnings on an engram server for a hook."""
        session = session or UNKNOWN
        self._start(folder.usual_name, session, "")
        self.client.post(
            "/observations/passive",
            session_id=session,
            content=text,
            project=folder.usual_name,
            source=SUBAGENT_STOP,
        )

    def _start(self, project: str, session: str, folder: str) -> None:
        self.client.post("/sessions", id=session, project=project, directory=folder)
