"""Origins of notes: who said so, as far as it was proven to the door, and never as a text or a header claims. Pure.

An origin is a kind, and who or what in particular: `person`, `agent:claude-code`, `hook:codex`, `script`, `import:engram`, `sync`.
"""

from modicum.base.named_tuple import NamedTuple

PERSON, AGENT, HOOK, SCRIPT, IMPORT, SYNC = "person", "agent", "hook", "script", "import", "sync"
LONGEST_DETAIL = 40  # characters of who or what in particular


class OriginRights(NamedTuple):
    """What an origin of one kind may do: whether it may pin and be told first, is judged by the gate, and yields to a person."""

    leads: bool  # may pin; its notes may be pinned, and are told when a session starts, as are its summaries
    is_judged: bool  # what it saves passes the gate
    yields: bool  # a person's note that says otherwise counts more


# Person: a terminal, or the page that was opened from one. Agent: its variable, MCP, a token made for agents. Script: neither.
RIGHTS = {
    PERSON: OriginRights(leads=True, is_judged=True, yields=False),
    AGENT: OriginRights(leads=True, is_judged=True, yields=True),
    HOOK: OriginRights(leads=True, is_judged=False, yields=True),
    SCRIPT: OriginRights(leads=False, is_judged=True, yields=True),
    IMPORT: OriginRights(leads=True, is_judged=False, yields=False),
    SYNC: OriginRights(leads=True, is_judged=False, yields=False),
}
KINDS = tuple(RIGHTS)
UNKNOWN_KIND = RIGHTS[
    SYNC
]  # of a note from before there were origins, or of an origin that this version does not know

# The condition of SQL for notes whose origin leads; the index of such notes has the same words.
LEADING = f"origin <> '{SCRIPT}'"

# What a machine says that nobody here has confirmed is no relation between notes yet: its type begins so, and is none of ours.
CLAIMED = f"{SYNC}:"
UNCLAIMED = f"type NOT LIKE '{CLAIMED}%'"

# Variables by which programs say to the commands they run that an agent runs them, and the tool that sets each.
AGENT_VARIABLES = {
    "CLAUDECODE": "claude-code",
    "GEMINI_CLI": "gemini-cli",
    "QWEN_CODE": "qwen-code",
    "OPENCODE": "opencode",
    "CODEX_SANDBOX": "codex",
    "CODEX_THREAD_ID": "codex",
    "COPILOT_CLI": "copilot-cli",
    "CURSOR_AGENT": "cursor",
    "CLINE_ACTIVE": "cline",
    "GOOSE_TERMINAL": "goose",
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def origin_of(kind: str, detail: str = "") -> str:
    """Returns an origin as notes carry it: the kind, and who or what in particular, in small letters; of a script the kind alone."""
    if kind == SCRIPT:
        return SCRIPT
    plain = detail.strip().lower().replace("'s ", " ")
    letters = (letter if letter.isalnum() or letter in "._-@/" else "-" for letter in plain)
    name = "".join(letters)[:LONGEST_DETAIL].strip("-")
    return f"{kind}:{name}" if name else kind


def kind_of(origin: str) -> str:
    """Returns the kind of an origin: what stands before the colon."""
    return origin.partition(":")[0]


def rights_of(origin: str) -> OriginRights:
    """Returns what an origin may do, by its kind."""
    return RIGHTS.get(kind_of(origin), UNKNOWN_KIND)


def is_person(origin: str) -> bool:
    """Returns True if an origin is a person, as was proven to the door."""
    return kind_of(origin) == PERSON


def is_program(origin: str) -> bool:
    """Returns True if an origin is an agent or a script: what it saves is judged, and may wait for a person."""
    return rights_of(origin).is_judged and not is_person(origin)


def of_command(environment: "Mapping[str, str]", *, has_terminal: bool) -> str:
    """Returns the origin of what a command saves: the agent that runs it, else the person at the terminal, else a script."""
    tool = next((tool for name, tool in AGENT_VARIABLES.items() if environment.get(name)), "")
    if tool:
        return origin_of(AGENT, tool)
    return PERSON if has_terminal else SCRIPT


def told_origin(text: str) -> str:
    """Returns the origin that another machine tells, in the form that all have; `sync` for anything else."""
    kind, _, detail = text.partition(":")
    return origin_of(kind, detail) if kind in KINDS else SYNC


def claimed_elsewhere(origin: str) -> str:
    """Returns the origin of what another machine says that nobody here has confirmed: `sync:person` for a person, and so on."""
    kind = kind_of(origin)
    return origin if kind in (SYNC, SCRIPT) else origin_of(SYNC, kind)


def outranks(one: str, other: str) -> bool:
    """Returns True if a note of one origin counts more than a note of another: a person's more than a program's."""
    return is_person(one) and rights_of(other).yields
