"""The tools of spec-driven work: each is a row here. `sets.py` names the two of them that every agent is offered.

What they work with is imported when one is called: most sessions begin with memory.
"""

from modicum.app.telling import Manner, Told, tell, tell_whole
from modicum.mcp import fields
from modicum.mcp import spec_writes as writes
from modicum.mcp.asked import Asked
from modicum.mcp.spec_words import spoken_sections, to_agents
from modicum.mcp.tools import ADDS, CHANGES, READS, Desk, Tool
from modicum.page import Detail

NOTHING_BEARS = "Nothing that was written here bears on this."
NOTHING_TO_REVIEW = "No rule, requirement or decision has any of these words."
NO_CHANGE = "No change is open. sdd_change begins one."
NO_REQUIREMENTS = "No requirement has an id here, so that there is nothing to trace."
NOTHING_FOUND = "There is nothing here that a scan knows."


def _broad(asked: Asked, empty: str) -> Manner:
    """Everything is named before anything is told whole, at `full` as well: what is left unsaid may be the conflict."""
    manner = fields.manner(asked, empty)
    return manner._replace(amount=manner.amount._replace(floor=Detail.SUMMARY))


def context_check(desk: Desk, asked: Asked) -> Told:
    from modicum.app.check import checking

    text = asked.text("change_description") or asked.text("task_description")
    fitting = checking(
        desk.config,
        desk.store,
        text,
        change=asked.text("change_id"),
        limit=asked.number("limit") or 0,
        cursor=asked.text("cursor"),
        plain=True,
    )
    return tell(fitting, _broad(asked, NOTHING_BEARS))


def review(desk: Desk, asked: Asked) -> Told:
    from modicum.app.check import reviewing

    fitting = reviewing(
        desk.config,
        desk.store,
        asked.text("change_description"),
        change=asked.text("change_id"),
        limit=asked.number("limit") or 0,
        cursor=asked.text("cursor"),
        plain=True,
    )
    return tell(fitting, _broad(asked, NOTHING_TO_REVIEW))


def get_context(desk: Desk, asked: Asked) -> Told:
    """The overview; or, by its name, one thing in it, which is always whole."""
    from modicum.app.spec_pages import overview, paging, whole_spec

    name, cursor = asked.text("stage").strip(), asked.text("cursor")
    if name:
        most = asked.number("max_tokens")
        whole = whole_spec(desk.config, name)
        return tell_whole(whole, cursor, max_tokens=most, remarks=asked.remarks)
    sections, limit = spoken_sections(overview(desk.config)), asked.number("limit") or 0
    manner = fields.manner(asked, "", usual=Detail.SUMMARY)
    return tell(paging(sections, limit=limit, cursor=cursor), manner)


def change_status(desk: Desk, asked: Asked) -> Told:
    """How a change stands; without a name, all that are open."""
    from modicum.app.spec_pages import listing_changes, standing

    name, cursor, limit = asked.text("change_id").strip(), asked.text("cursor"), asked.number("limit") or 0
    if name:
        fitting = standing(desk.config, name.removeprefix("change:"), limit=limit, cursor=cursor)
    else:
        fitting = listing_changes(desk.config, every=asked.flag("all"), limit=limit, cursor=cursor)
    return tell(fitting, fields.manner(asked, NO_CHANGE))


def audit(desk: Desk, asked: Asked) -> Told:
    from modicum.app.spec_pages import auditing

    limit, cursor = asked.number("limit") or 0, asked.text("cursor")
    fitting = auditing(desk.config, asked.text("path"), limit=limit, cursor=cursor)
    return tell(fitting, fields.manner(asked, NO_REQUIREMENTS))


def scan(desk: Desk, asked: Asked) -> Told:
    from modicum.app.spec_pages import scanning

    limit, cursor = asked.number("limit") or 0, asked.text("cursor")
    fitting = scanning(desk.config, asked.text("path"), limit=limit, cursor=cursor)
    return tell(fitting, fields.manner(asked, NOTHING_FOUND))


_CHANGE_ID = fields.text("default: the open one of this branch")
_PATH = fields.text("a folder inside the project")
_BRIEFLY = fields.one_of(
    "summary", "standard", "full", about="names (default) | a line each | whole documents"
)
_TEXT = fields.text()
_DESPITE = fields.text("why a shut gate is passed; kept with the stage")
_REPLACE = fields.flag("put content in the place of what somebody wrote there")

CHECK = Tool(
    "sdd_context_check",
    "Check context",
    "What was specified, decided, tried or noted that bears on a change: conflicts, rules, requirements, decisions, "
    "earlier attempts, with file and line. Use before you change code.",
    {
        "change_description": fields.text("what you want to change; default: the open change"),
        "change_id": fields.text("of the change it is for, which is left out"),
        **fields.READING,
    },
    READS,
    to_agents(context_check),
)
GET = Tool(
    "sdd_get_context",
    "Get specs",
    "Where the project stands: documents, open changes, decisions. With stage: that one thing, whole.",
    {
        "stage": fields.text("requirements, design, …; change:ID, change:ID/tasks, adr:003, file:AGENTS.md"),
        **fields.AMOUNT,
        "detail_level": _BRIEFLY,
    },
    READS,
    to_agents(get_context),
)
SUGGEST = Tool(
    "sdd_suggest_context",
    "Suggest context",
    "What to read before a task: the findings of sdd_context_check.",
    {"task_description*": _TEXT, **fields.READING},
    READS,
    to_agents(context_check),
)
REVIEW = Tool(
    "sdd_review",
    "Review list",
    "The same findings as a list to tick: what a finished change is held against.",
    {"change_description": fields.text("default: the open change"), "change_id": _TEXT, **fields.READING},
    READS,
    to_agents(review),
)
CHANGE = Tool(
    "sdd_change",
    "Work on a change",
    "Begin a change (new), finish its stage (advance), or: back, reopen, resize, cancel, archive. "
    "A gate that is shut says why, and the text is kept.",
    {
        "action*": fields.one_of(*writes.CHANGE_ACTIONS),
        "type": fields.text("new: feature, fix, refactor, enhancement"),
        "size": fields.text("new, resize: small, medium, large"),
        "description": fields.text("new: one sentence"),
        "content": fields.text("advance: the text of the stage; default: what its file says"),
        "stage": fields.text("back, reopen: to which; advance: which it must be"),
        "change_id": _CHANGE_ID,
        "reason": fields.text("cancel"),
        "despite": _DESPITE,
        "replace": _REPLACE,
    },
    CHANGES,
    to_agents(writes.change),
)
STATUS = Tool(
    "sdd_change_status",
    "Status of changes",
    "Changes and their stages; with change_id, one of them with its files, tasks and waves.",
    {"change_id": _TEXT, "all": fields.flag("finished ones, too"), **fields.READING},
    READS,
    to_agents(change_status),
)
ADR = Tool(
    "sdd_adr",
    "Record a decision",
    "Write a decision into a numbered file of its own. sdd_get_context lists them; stage=adr:003 shows one.",
    {
        "title*": _TEXT,
        "context*": _TEXT,
        "decision*": _TEXT,
        "rationale*": _TEXT,
        "alternatives_rejected": _TEXT,
        "status": fields.text("proposed, accepted (default), deprecated, superseded"),
        "supersedes": fields.text("number of the one whose place it takes"),
        "change_id": _CHANGE_ID,
    },
    ADDS,
    to_agents(writes.decide),
)
PROJECT = Tool(
    "sdd_project",
    "Write the project's documents",
    "Begin the project's specs (init), finish the stage at hand (write), ask and answer (clarify), go back.",
    {
        "action*": fields.one_of(*writes.PROJECT_ACTIONS),
        "stage": fields.text(
            "principles, charter, specify, business-rules, clarify, design, tasks, validate"
        ),
        "content": fields.text("write: the document; default: what its file says"),
        "name": fields.text("init"),
        "description": fields.text("init"),
        "mode": fields.text("init: guided (default) or expert"),
        "answers": fields.text("clarify"),
        "scores": fields.text("clarify: target_users:80, …"),
        "despite": _DESPITE,
        "replace": _REPLACE,
    },
    CHANGES,
    to_agents(writes.project),
)
EXPLORE = Tool(
    "sdd_explore",
    "Keep thoughts",
    "Keep thoughts about what may become a change. The same title again adds to them, part by part.",
    {"title*": _TEXT, **dict.fromkeys(writes.EXPLORE_PARTS, _TEXT)},
    CHANGES,
    to_agents(writes.explore),
)
AUDIT = Tool(
    "sdd_audit",
    "Audit requirements",
    "Which requirement ids are mentioned in the code, which nowhere, and which nobody defined.",
    {"path": _PATH, **fields.READING},
    READS,
    to_agents(audit),
)
SCAN = Tool(
    "sdd_scan",
    "Scan the project",
    "What is in a project without specs: manifests, conventions, decisions, layout, tests.",
    {"path": _PATH, **fields.READING},
    READS,
    to_agents(scan),
)
BOOTSTRAP = Tool(
    "sdd_bootstrap",
    "Draft first specs",
    "Write requirements, rules and design from a scan, marked as drafts. Nothing is replaced.",
    {"name": _TEXT},
    ADDS,
    to_agents(writes.bootstrap),
)

TOOLS = (CHECK, GET, SUGGEST, REVIEW, CHANGE, STATUS, ADR, PROJECT, EXPLORE, AUDIT, SCAN, BOOTSTRAP)
