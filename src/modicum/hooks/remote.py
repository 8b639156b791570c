"""Memory behind a server: ours, or engram's, which knows fewer of the questions and answers the rest all the same."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import quote, urlencode, urlsplit

from modicum.app.session.events import TypedPrompt
from modicum.memory.brief.lines import Brief, BriefNote, read_context

PATIENCE_SECONDS = 1.5
MOST_BYTES = 1_000_000  # of an answer
SOURCE = "subagent-stop"
_LONGEST_QUESTION = 400  # characters


class Remote:
    """The routes of a server that hooks use."""

    def __init__(self, address: str, token: str = "") -> None:
        parts = urlsplit(address if "//" in address else f"http://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address} is no address of a server")
        self.make = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self.host, self.port, self.base = parts.hostname, parts.port, parts.path.rstrip("/")
        self.headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def recalled(self, project: str, limit: int) -> Brief:
        """What the server has for a session that begins. One that ignores an option is asked for it in vain."""
        asked = {"project": project, "limit": limit, "compact": 1, "ids": 1}
        answer = self._ask(
            "GET", f"/context?{urlencode({**asked, 'pinned': limit, 'sessions': 5, 'prompts': -1})}"
        )
        text = answer.get("context") if isinstance(answer, dict) else ""
        return read_context(text if isinstance(text, str) else "")

    def submit(self, prompt: TypedPrompt, seen: frozenset[int], limit: int) -> tuple[BriefNote, ...]:
        """Keep what a user typed, without secrets, and find the notes that it calls for and that were not seen yet."""
        from modicum.memory.redact import redact

        self._start(prompt.project, prompt.session, prompt.folder)
        kept = {"session_id": prompt.session, "content": redact(prompt.text), "project": prompt.project}
        self._ask("POST", "/prompts", kept)
        return self._called_for(prompt, seen)[:limit] if limit else ()

    def _called_for(self, prompt: TypedPrompt, seen: frozenset[int]) -> tuple[BriefNote, ...]:
        words = " ".join(prompt.text.replace('"', " ").split())[:_LONGEST_QUESTION]
        answer = self._ask(
            "GET", f"/search?{urlencode({'q': words, 'project': prompt.project, 'limit': 10})}"
        )
        rows = [row for row in answer if isinstance(row, dict)] if isinstance(answer, list) else []
        found = [_noted(row) for row in rows]
        return tuple(noted for noted in found if noted.id not in seen)

    def finish_session(self, project: str, session: str) -> None:
        """End a session. engram forgets a summary that is not told again."""
        answer = self._ask("GET", f"/sessions/recent?{urlencode({'project': project, 'limit': 50})}")
        rows = [row for row in answer if isinstance(row, dict)] if isinstance(answer, list) else []
        summary = next((row.get("summary", "") for row in rows if row.get("id") == session), "")
        self._ask("POST", f"/sessions/{quote(session, safe='')}/end", {"summary": summary or ""})

    def capture(self, project: str, session: str, text: str) -> None:
        """Keep the learnings that a sub-agent lists."""
        self._start(project, session, "")
        told = {"session_id": session, "content": text, "project": project, "source": SOURCE}
        self._ask("POST", "/observations/passive", told)

    def _start(self, project: str, session: str, folder: str) -> None:
        self._ask("POST", "/sessions", {"id": session, "project": project, "directory": folder})

    def _ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> object:
        connection = self.make(self.host, self.port, timeout=PATIENCE_SECONDS)
        try:
            data = json.dumps(body).encode() if body is not None else None
            connection.request(method, self.base + path, data, self.headers)
            reply = connection.getresponse()
            content = reply.read(MOST_BYTES)
        finally:
            connection.close()
        if reply.status >= 400:
            raise HTTPException(f"{method} {path.partition('?')[0]}: {reply.status}")
        return json.loads(content or b"null")


def _noted(row: Mapping[str, object]) -> BriefNote:
    number, kind, title = row.get("id"), row.get("type"), row.get("title")
    return BriefNote(number if isinstance(number, int) else 0, str(kind or ""), str(title or ""))
