"""Runs `modicum hook EVENT --harness NAME`: answers within two seconds or not at all, without errors."""

import _thread
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from modicum.base import paths
from modicum.base.named_tuple import NamedTuple
from modicum.hooks.contracts import CONTRACTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from modicum.app.session.events import SessionAgent, SessionEvent, SessionPlace
    from modicum.app.session.start_text import ComposedText

DEADLINE_SECONDS = 2.0
LONGEST_SECONDS = 600.0
MOST_READ = 16_000_000  # bytes of standard input
USUAL_HARNESS = "claude-code"  # most others have taken over its words


class HookCommand(NamedTuple):
    """The parsed arguments of a hook run: the event and the agent."""

    event: str
    harness: str


def main(arguments: Sequence[str]) -> int:
    """Runs a hook for one event. An error is written to a log, and the agent gets an empty answer."""
    command = parse(arguments)
    data = paths.folders_of(os.environ)[1]
    speaking = _thread.allocate_lock()
    _thread.start_new_thread(_give_up, (speaking, data, command))
    try:
        answer = answer_to(command, sys.stdin.buffer, os.environ)
    except BaseException as error:
        answer = _silence(command)
        _note(data, command, error)
    speaking.acquire()
    _say(answer)
    return 0


def parse(arguments: Sequence[str]) -> HookCommand:
    """Parses the arguments of a hook run; returns the event and the agent."""
    words, harness = list[str](), USUAL_HARNESS
    rest = iter(arguments)
    for word in rest:
        if word == "--harness":
            harness = next(rest, "")
        elif word.startswith("--harness="):
            harness = word.partition("=")[2]
        else:
            words.append(word)
    return HookCommand(words[0] if words else "", harness)


def answer_to(command: HookCommand, payload: "BinaryIO", environment: Mapping[str, str]) -> str:
    """Returns the text that a hook run prints for an event."""
    from modicum.app.session.events import EVENTS, place_of
    from modicum.app.session.handed_log import MEASURED, Handed, log_handed
    from modicum.app.session.sizes import MOST_BYTES
    from modicum.hooks.payload import agent_of, event_of
    from modicum.hooks.replies import reply_of
    from modicum.hooks.servers import server_of

    if command.event not in EVENTS or command.harness not in CONTRACTS:
        raise ValueError("there is no such event, or no such agent")
    contract = CONTRACTS[command.harness]
    event, agent = event_of(command.event, read(payload), contract), agent_of(command.event, contract)
    server = server_of(environment)
    place = place_of(event.folder, command.harness, environment, server.memory if server else None)
    found = _use_case(event.kind)(event, agent, place)
    text = found.text if agent.listens else ""
    reply = reply_of(contract.reply, text, event.kind, event.name)
    if len(reply.encode("utf-8", "replace")) > MOST_BYTES:
        raise ValueError("the answer is too long")
    if text and event.source != MEASURED:
        size, remote = len(text.encode("utf-8", "replace")), server is not None
        log_handed(
            place.data,
            Handed("hook", place.harness, event.kind, place.project, size, None, found.shown, remote),
        )
    return reply


def _use_case(kind: str) -> "Callable[[SessionEvent, SessionAgent, SessionPlace], ComposedText]":
    """What is done at an event. Each use case is imported only for its own event."""
    from modicum.app.session.events import PRE_COMPACT, PROMPT_SUBMIT, SESSION_START, SUBAGENT_STOP

    if kind == PROMPT_SUBMIT:
        from modicum.app.session.prompt import prompt_submit

        return prompt_submit
    if kind in (SESSION_START, PRE_COMPACT):
        from modicum.app.session.start import pre_compact, session_start

        return pre_compact if kind == PRE_COMPACT else session_start
    from modicum.app.session.end import session_end, subagent_stop

    return subagent_stop if kind == SUBAGENT_STOP else session_end


def read(payload: "BinaryIO") -> object:
    """Reads the standard input of a hook run, which is JSON; an empty object if there is none or a terminal."""
    import json

    if payload.isatty():
        return {}
    data = payload.read(MOST_READ)
    # PowerShell puts a byte order mark in front.
    text = data.decode("utf-8-sig", "replace")
    return json.loads(text) if text.strip() else {}


def _silence(command: HookCommand) -> str:
    from modicum.hooks.replies import reply_of

    return reply_of(CONTRACTS[command.harness].reply, "", "") if command.harness in CONTRACTS else ""


def _give_up(speaking: _thread.LockType, data: str, command: HookCommand) -> None:
    """Ends the process of a hook when its time is over, whatever the process waits for."""
    import time

    seconds = patience(os.environ)
    time.sleep(seconds)
    if speaking.acquire(blocking=False):
        _note(data, command, f"no answer within {seconds:g} s")
        _say(_silence(command))
        os._exit(0)


def patience(environment: Mapping[str, str]) -> float:
    """Returns how many seconds a hook run may take: two, unless the environment sets a number."""
    try:
        seconds = float(environment.get("MODICUM_HOOK_SECONDS", ""))
    except ValueError:
        return DEADLINE_SECONDS
    return min(max(seconds, 0.0), LONGEST_SECONDS) if seconds == seconds else DEADLINE_SECONDS


def _note(data: str, command: HookCommand, error: BaseException | str) -> None:
    from modicum.app.session.hook_log import log_failure

    log_failure(data, command.event, command.harness, error)


def _say(answer: str) -> None:
    try:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except (OSError, ValueError):
        os._exit(0)  # nobody listens any more, and the interpreter would complain about it at exit
