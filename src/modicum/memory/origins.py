"""Origins of notes: who said so, as the door saw it and never as a text claims. Pure.

An origin is a kind, and who or what in particular: `person`, `agent:claude-code`, `hook:codex`, `import:engram`, `sync`.
"""

PERSON, AGENT, HOOK, IMPORT, SYNC = "person", "agent", "hook", "import", "sync"
KINDS = (PERSON, AGENT, HOOK, IMPORT, SYNC)
LONGEST_DETAIL = 40  # characters of who or what in particular

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
    """Returns an origin as notes carry it: the kind, and who or what in particular, in small letters."""
    plain = detail.strip().lower().replace("'s ", " ")
    letters = (letter if letter.isalnum() or letter in "._-@/" else "-" for letter in plain)
    name = "".join(letters)[:LONGEST_DETAIL].strip("-")
    return f"{kind}:{name}" if name else kind


def kind_of(origin: str) -> str:
    """Returns the kind of an origin: what stands before the colon."""
    return origin.partition(":")[0]


def of_command(environment: "Mapping[str, str]", *, has_terminal: bool) -> str:
    """Returns the origin that memory keeps with what a command saves: the agent that runs it, or the person at the terminal."""
    tool = next((tool for name, tool in AGENT_VARIABLES.items() if environment.get(name)), "")
    return origin_of(AGENT, tool) if tool or not has_terminal else PERSON


def told_origin(text: str) -> str:
    """Returns the origin that another machine tells, in the form that all have; `sync` for anything else."""
    kind, _, detail = text.partition(":")
    return origin_of(kind, detail) if kind in KINDS else SYNC


def outranks(one: str, other: str) -> bool:
    """Returns True if a note of one origin counts more than a note of another: a person's more than an agent's."""
    return kind_of(one) == PERSON and kind_of(other) in (AGENT, HOOK)
