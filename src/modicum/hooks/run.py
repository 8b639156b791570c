"""`modicum hook EVENT --harness NAME`: answers within two seconds, or not at all, and never troubles the agent."""

import _thread
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from modicum.base import paths
from modicum.hooks.contracts import CONTRACTS

if TYPE_CHECKING:
    from typing import BinaryIO

DEADLINE_SECONDS = 2.0
LONGEST_SECONDS = 600.0
MOST_TOLD = 16_000_000  # bytes that are read of what an agent tells
USUAL_HARNESS = "claude-code"  # most others have taken over its words


class HookCommand(NamedTuple):
    """What the words of the command say."""

    event: str
    harness: str


def main(arguments: Sequence[str]) -> int:
    """Answer one event. Whatever goes wrong is written to a log, and the agent hears nothing of it."""
    asked = parse(arguments)
    data = paths.folders_of(os.environ)[1]
    speaking = _thread.allocate_lock()
    _thread.start_new_thread(_give_up, (speaking, data, asked))
    try:
        answer = answer_to(asked, sys.stdin.buffer, os.environ)
    except BaseException as error:
        answer = _silence(asked)
        _note(data, asked, error)
    speaking.acquire()
    _say(answer)
    return 0


def parse(arguments: Sequence[str]) -> HookCommand:
    """The event, and the agent that tells of it."""
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


def answer_to(asked: HookCommand, told: "BinaryIO", environment: Mapping[str, str]) -> str:
    """What to print for an event."""
    from modicum.hooks.events import ANSWERS, context_of
    from modicum.hooks.payload import event_of
    from modicum.hooks.replies import reply_of
    from modicum.hooks.sizes import MOST_BYTES

    if asked.event not in ANSWERS or asked.harness not in CONTRACTS:
        raise ValueError("there is no such event, or no such agent")
    contract = CONTRACTS[asked.harness]
    event = event_of(asked.event, read(told), contract)
    text = ANSWERS[asked.event](event, contract, context_of(event.folder, asked.harness, environment))
    reply = reply_of(contract.reply, text if event.kind in contract.context else "", event.kind, event.name)
    if len(reply.encode("utf-8", "replace")) > MOST_BYTES:
        raise ValueError("the answer is too long")
    return reply


def read(told: "BinaryIO") -> object:
    """What an agent tells, as JSON; nothing if it tells nothing, or a person has typed the command."""
    import json

    if told.isatty():
        return {}
    data = told.read(MOST_TOLD)
    # PowerShell puts a byte order mark in front.
    text = data.decode("utf-8-sig", "replace")
    return json.loads(text) if text.strip() else {}


def _silence(asked: HookCommand) -> str:
    from modicum.hooks.replies import reply_of

    return reply_of(CONTRACTS[asked.harness].reply, "", "") if asked.harness in CONTRACTS else ""


def _give_up(speaking: _thread.LockType, data: str, asked: HookCommand) -> None:
    """Ends the process when the time is up, whatever it is waiting for."""
    import time

    seconds = patience(os.environ)
    time.sleep(seconds)
    if speaking.acquire(blocking=False):
        _note(data, asked, f"no answer within {seconds:g} s")
        _say(_silence(asked))
        os._exit(0)


def patience(environment: Mapping[str, str]) -> float:
    """How many seconds an answer may take: two, unless the environment knows better."""
    try:
        asked = float(environment.get("MODICUM_HOOK_SECONDS", ""))
    except ValueError:
        return DEADLINE_SECONDS
    return min(max(asked, 0.0), LONGEST_SECONDS) if asked == asked else DEADLINE_SECONDS


def _note(data: str, asked: HookCommand, error: BaseException | str) -> None:
    from modicum.app.session.hook_log import log_failure

    log_failure(data, asked.event, asked.harness, error)


def _say(answer: str) -> None:
    try:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except (OSError, ValueError):
        os._exit(0)  # nobody listens any more, and the interpreter would complain about it at exit
