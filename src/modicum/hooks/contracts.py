"""What each agent tells a hook and takes from it. Written from the adapters by `scripts/contracts`: do not edit.

The adapters are YAML, and reading YAML takes longer than a hook has. Sources and dates stand there.
"""

from modicum.base.named_tuple import NamedTuple


class Contract(NamedTuple):
    """The contract of one agent with a hook: paths into what the agent sends, of which the first that is there counts.

    `context`: events it listens at. `forgets`: a resumed session does not have what it heard at its start. `compacts_at`:
    tokens from which it compacts, for one that announces it at every turn.
    """

    reply: str
    session: tuple[str, ...] = ()
    folder: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    transcript: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    session_start_at: str = "session-start"  # the event with which the session start is told
    max_chars: int = 0
    max_tokens: int = 0
    forgets: bool = False
    compacts_at: int = 0


CONTRACTS: dict[str, Contract] = {
    "claude-code": Contract(
        reply="claude",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        transcript=("agent_transcript_path",),
        context=("session-start", "prompt-submit"),
        max_chars=10000,
    ),
    "cline": Contract(
        reply="cline",
        session=("taskId",),
        folder=("workspaceRoots.0",),
        prompt=("userPromptSubmit.prompt",),
        context=("session-start", "prompt-submit", "pre-compact"),
    ),
    "codex": Contract(
        reply="claude",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        transcript=("agent_transcript_path",),
        context=("session-start", "prompt-submit"),
        max_tokens=2500,
    ),
    "copilot": Contract(
        reply="copilot",
        session=("sessionId", "session_id"),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        transcript=("transcriptPath", "transcript_path"),
        context=("session-start", "prompt-submit"),
        forgets=True,
    ),
    "cursor": Contract(
        reply="cursor",
        session=("conversation_id", "session_id"),
        folder=("workspace_roots.0", "cwd"),
        prompt=("prompt",),
        message=("summary",),
        transcript=("agent_transcript_path",),
        context=("session-start",),
    ),
    "factory": Contract(
        reply="claude",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        transcript=("agent_transcript_path",),
        context=("session-start", "prompt-submit"),
        forgets=True,
    ),
    "gemini-cli": Contract(
        reply="claude",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        transcript=("transcript_path",),
        context=("prompt-submit",),
        session_start_at="prompt-submit",
        compacts_at=524288,
    ),
    "kiro": Contract(
        reply="text",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        context=("session-start", "prompt-submit"),
    ),
    "opencode": Contract(
        reply="text",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        context=("prompt-submit",),
        session_start_at="prompt-submit",
    ),
    "qwen": Contract(
        reply="claude",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        transcript=("agent_transcript_path",),
        context=("prompt-submit",),
        session_start_at="prompt-submit",
    ),
    "windsurf": Contract(
        reply="claude",
        session=("session_id",),
        folder=("cwd",),
        prompt=("prompt",),
        message=("last_assistant_message",),
        transcript=("agent_transcript_path",),
        context=("session-start", "prompt-submit"),
    ),
}
