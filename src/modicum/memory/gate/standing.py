"""Tells the standing of a note: low if it looks like what nobody needs later. Such a note is kept, and stands last. Pure.

Only what is clear is told: the output of a program, and a few words that name nothing. What else may be junk is a
matter of taste, and rules for it took a fifth of other people's changelogs for junk (bench/gate.py).
"""

import re

from modicum.memory.model import COMPACTION_SUMMARY, SESSION_SUMMARY, Note
from modicum.memory.origins import is_program

NORMAL, LOW = 0, 1
OUTPUT = "it looks like the output of a program"
NOTHING = "it names nothing in particular"
# What its own kind is for: to say how far the work has come.
TELLS_STATE = (SESSION_SUMMARY, COMPACTION_SUMMARY)

LOOKED_AT = 4_000  # characters of a text
FEWEST_LINES = 3  # of an output
FEW_WORDS = 6

# Compiled only when an agent saves several lines.
_PRINTED = (
    r"\s*+(?:"
    # a time first, or a level
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?[A-Z][a-z]{2} {1,2}\d\d? \d\d:\d\d|[IWEF]\d{4} \d\d:\d\d:"
    r"|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|ERR!|FATAL|CRITICAL)\b[\]: ]|(?:error|warning|fatal|panic|npm ERR!)(?:\[\w{1,9}\])?:"
    # frames of a stack, requests that were served, steps of a build, results of tests, data
    r"|at [\w.$<>/@ ]{1,120}\(|File \"|Traceback|Caused by:|\.{3} \d+ more|goroutine \d|thread '"
    r"|(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /\S{0,200} (?:HTTP/\S{1,9} )?\d{3}\b"
    r"|#\d+ \[|#\d+ \d+\.\d+ |#\d+ (?:DONE|CACHED|sha256)|(?:PASS|FAIL|ok|not ok|---) |[✓✔✗✘×❯] "
    r"|[{}\[\]]|\"\w{1,60}\": )"
)
_COLOUR = "\x1b["  # only programs write it
_EMPTY = frozenset(
    """
    again all and build builds cleanup clean code commit committed done everything finished fix fixed fixes fixup good green is it
    lint looks merge minor misc more now ok okay pass passed passes passing progress ready small some stuff test tested tests
    the this typo typos update updated updates wip work works working
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)


def standing_of(note: Note) -> int:
    """Returns the standing of a note: low for what an agent saved that looks like junk."""
    if not is_program(note.origin) or note.type in TELLS_STATE:
        return NORMAL
    return LOW if doubt_about(note.content) else NORMAL


def doubt_about(text: str) -> str:
    """Returns why a text gets a low standing where an agent saves it, or nothing."""
    lines = [line for line in text[:LOOKED_AT].splitlines() if line.strip()]
    printed = sum(_COLOUR in line or bool(re.match(_PRINTED, line)) for line in lines)
    if len(lines) >= FEWEST_LINES and 3 * printed >= 2 * len(lines):
        return OUTPUT
    words = re.findall(r"\w+", text.lower()) if len(text) <= LOOKED_AT else []
    is_empty = all(word in _EMPTY or word.isdigit() for word in words)
    return NOTHING if 0 < len(words) <= FEW_WORDS and is_empty else ""
