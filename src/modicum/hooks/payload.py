"""Parses the JSON payload that an agent hands to a hook into an event. Pure."""

from collections.abc import Mapping

from modicum.app.session.events import PROMPT_SUBMIT, SessionAgent, SessionEvent
from modicum.hooks.contracts import Contract
from modicum.hooks.replies import COPIES

_LONGEST_NAME = 40


def event_of(kind: str, payload: object, contract: Contract) -> SessionEvent:
    """Returns the event in a hook's JSON payload. A field that is missing, or no text, is empty."""
    fields = payload if isinstance(payload, Mapping) else {}
    return SessionEvent(
        kind,
        session=_first(fields, contract.session),
        folder=_first(fields, contract.folder),
        prompt=typed_text(_first(fields, contract.prompt)),
        message=_first(fields, contract.message),
        transcript=_first(fields, contract.transcript),
        source=_first(fields, ("source", "trigger", "reason")),
        name=_name(_first(fields, ("hook_event_name", "hookEventName", "hookName"))),
    )


def agent_of(kind: str, contract: Contract) -> SessionAgent:
    """Returns the agent of a payload as the session knows it: what it hears at this kind of event, by its contract."""
    return SessionAgent(
        listens=kind in contract.context,
        starts_at_prompt=contract.session_start_at == PROMPT_SUBMIT,
        forgets=contract.forgets,
        compacts_at=contract.compacts_at,
        copies=COPIES.get(contract.reply, 1),
        max_chars=contract.max_chars,
        max_tokens=contract.max_tokens,
    )


# What hooks of ours, or an agent around them, may have put into a prompt: the start and the end of each.
_TOLD = (
    ("<hook_context>", "</hook_context>"),
    ("<modicum-memory ", "</modicum-memory>"),
    ("&lt;modicum-memory ", "&lt;/modicum-memory&gt;"),
)


def typed_text(prompt: str) -> str:
    """Returns the text in a hook's payload that the user typed, blanks included: without what hooks added to the prompt."""
    typed = prompt
    for start, end in _TOLD:
        typed = _without(typed, start, end)
    return typed if typed == prompt else typed.strip()


def _without(text: str, start: str, end: str) -> str:
    kept, at = list[str](), 0
    # What is not closed is the user's own.
    while (begin := text.find(start, at)) >= 0 and (stop := text.find(end, begin)) >= 0:
        kept.append(text[at:begin])
        at = stop + len(end)
    return "".join((*kept, text[at:]))


def _first(fields: Mapping[str, object], paths: tuple[str, ...]) -> str:
    return next((found for found in (_at(fields, path) for path in paths) if found), "")


def _at(value: object, path: str) -> str:
    for step in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return ""
    return value if isinstance(value, str) else ""


def _name(word: str) -> str:
    return word if word.isascii() and word.isalpha() and len(word) <= _LONGEST_NAME else ""
