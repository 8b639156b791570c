"""The MCP tools for specs, one row each, and the functions of those that read specs.

`sets.py` names the two in `core`. What they work with is imported when one is called: most sessions begin
with memory.
"""

from modicum.app.answer.answer import list_of
from modicum.engine.page import Detail
from modicum.mcp import schema
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import amount_of, page_reply, whole_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ADDS, CHANGES, READS, Domain, Tool, ToolContext
from modicum.mcp.tools import spec_writes as writes

NOTHING_BEARS = "Nothing that was written here bears on this."
NOTHING_TO_REVIEW = "No rule, requirement or decision has any of these words."
NO_CHANGE = "No change is open. sdd_change begins one."
NO_REQUIREMENTS = "No requirement has an id here, so that there is nothing to trace."
NOTHING_FOUND = "There is nothing here that a scan knows."


def context_check(context: ToolContext, arguments: Arguments) -> ToolReply:
    change = arguments.text("change_id")
    return _checked(context, arguments, arguments.text("change_description"), change)


def suggest(context: ToolContext, arguments: Arguments) -> ToolReply:
    return _checked(context, arguments, arguments.needed("task_description"))


def _checked(context: ToolContext, arguments: Arguments, text: str, change: str = "") -> ToolReply:
    from modicum.app.specs.check import check

    amount = amount_of(arguments)
    found = check(context.config, context.store, text, amount, change=change)
    return page_reply(found, amount, arguments, NOTHING_BEARS)


def review(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs import check

    text, amount = arguments.text("change_description"), amount_of(arguments)
    found = check.review(context.config, context.store, text, amount, change=arguments.text("change_id"))
    return page_reply(found, amount, arguments, NOTHING_TO_REVIEW)


def get_context(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs the MCP tool that returns the overview of the specs, or one whole item of specs by name."""
    from modicum.app.specs.pages import whole_spec
    from modicum.app.specs.sections import standing

    if name := arguments.text("stage").strip():
        return whole_reply(whole_spec(context.config, name), arguments)
    items = list_of(standing(context.config, context.word))
    return page_reply(items, amount_of(arguments, usual=Detail.SUMMARY), arguments, "")


def change_status(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs the MCP tool that returns the status of a change in the specs, or of all open changes."""
    from modicum.app.specs import pages

    name = arguments.text("change_id").strip().removeprefix("change:")
    items = (
        pages.standing(context.config, name)
        if name
        else pages.changes(context.config, every=arguments.flag("all"))
    )
    return page_reply(items, amount_of(arguments), arguments, NO_CHANGE)


def audit(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs.sections import requirements

    items = list_of(requirements(context.config, arguments.text("path")))
    return page_reply(items, amount_of(arguments), arguments, NO_REQUIREMENTS)


def scan(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.specs.sections import contents

    items = list_of(contents(context.config, arguments.text("path")))
    return page_reply(items, amount_of(arguments), arguments, NOTHING_FOUND)


_CHANGE_ID = schema.text("default: the open one of this branch")
_PATH = schema.text("a folder inside the project")
_BRIEFLY = schema.one_of(
    "summary", "standard", "full", about="names (default) | a line each | whole documents"
)
_TEXT = schema.text()
_DESPITE = schema.text("why a shut gate is passed; kept with the stage")
_REPLACE = schema.flag("put content in the place of what somebody wrote there")

CHECK = Tool(
    "sdd_context_check",
    "Check context",
    "What was specified, decided, tried or noted that bears on a change: conflicts, rules, requirements, decisions, "
    "earlier attempts, with file and line. Use before you change code.",
    {
        "change_description": schema.text("what you want to change; default: the open change"),
        "change_id": schema.text("of the change it is for, which is left out"),
        **schema.READING,
    },
    READS,
    context_check,
    Domain.SPECS,
)
GET = Tool(
    "sdd_get_context",
    "Get specs",
    "Where the project stands: documents, open changes, decisions. With stage: that one thing, whole.",
    {
        "stage": schema.text("requirements, design, …; change:ID, change:ID/tasks, adr:003, file:AGENTS.md"),
        **schema.AMOUNT,
        "detail_level": _BRIEFLY,
    },
    READS,
    get_context,
    Domain.SPECS,
)
SUGGEST = Tool(
    "sdd_suggest_context",
    "Suggest context",
    "What to read before a task: the findings of sdd_context_check.",
    {"task_description*": _TEXT, **schema.READING},
    READS,
    suggest,
    Domain.SPECS,
)
REVIEW = Tool(
    "sdd_review",
    "Review list",
    "The same findings as a list to tick: what a finished change is held against.",
    {"change_description": schema.text("default: the open change"), "change_id": _TEXT, **schema.READING},
    READS,
    review,
    Domain.SPECS,
)
CHANGE = Tool(
    "sdd_change",
    "Work on a change",
    "Begin a change (new), finish its stage (advance), or: back, reopen, resize, cancel, archive. "
    "A gate that is shut says why, and the text is kept.",
    {
        "action*": schema.one_of(*writes.CHANGE_ACTIONS),
        "type": schema.text("new: feature, fix, refactor, enhancement"),
        "size": schema.text("new, resize: small, medium, large"),
        "description": schema.text("new: one sentence"),
        "content": schema.text("advance: the text of the stage; default: what its file says"),
        "stage": schema.text("back, reopen: to which; advance: which it must be"),
        "change_id": _CHANGE_ID,
        "reason": schema.text("cancel"),
        "despite": _DESPITE,
        "replace": _REPLACE,
    },
    CHANGES,
    writes.change,
    Domain.SPECS,
)
STATUS = Tool(
    "sdd_change_status",
    "Status of changes",
    "Changes and their stages; with change_id, one of them with its files, tasks and waves.",
    {"change_id": _TEXT, "all": schema.flag("finished ones, too"), **schema.READING},
    READS,
    change_status,
    Domain.SPECS,
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
        "status": schema.text("proposed, accepted (default), deprecated, superseded"),
        "supersedes": schema.text("number of the one whose place it takes"),
        "change_id": _CHANGE_ID,
    },
    ADDS,
    writes.decide,
    Domain.SPECS,
)
PROJECT = Tool(
    "sdd_project",
    "Write the project's documents",
    "Begin the project's specs (init), finish the stage at hand (write), ask and answer (clarify), go back.",
    {
        "action*": schema.one_of(*writes.PROJECT_ACTIONS),
        "stage": schema.text(
            "principles, charter, specify, business-rules, clarify, design, tasks, validate"
        ),
        "content": schema.text("write: the document; default: what its file says"),
        "name": schema.text("init"),
        "description": schema.text("init"),
        "mode": schema.text("init: guided (default) or expert"),
        "answers": schema.text("clarify"),
        "scores": schema.text("clarify: target_users:80, …"),
        "despite": _DESPITE,
        "replace": _REPLACE,
    },
    CHANGES,
    writes.project,
    Domain.SPECS,
)
EXPLORE = Tool(
    "sdd_explore",
    "Keep thoughts",
    "Keep thoughts about what may become a change. The same title again adds to them, part by part.",
    {"title*": _TEXT, **dict.fromkeys(writes.EXPLORE_PARTS, _TEXT)},
    CHANGES,
    writes.explore,
    Domain.SPECS,
)
AUDIT = Tool(
    "sdd_audit",
    "Audit requirements",
    "Which requirement ids are mentioned in the code, which nowhere, and which nobody defined.",
    {"path": _PATH, **schema.READING},
    READS,
    audit,
    Domain.SPECS,
)
SCAN = Tool(
    "sdd_scan",
    "Scan the project",
    "What is in a project without specs: manifests, conventions, decisions, layout, tests.",
    {"path": _PATH, **schema.READING},
    READS,
    scan,
    Domain.SPECS,
)
BOOTSTRAP = Tool(
    "sdd_bootstrap",
    "Draft first specs",
    "Write requirements, rules and design from a scan, marked as drafts. Nothing is replaced.",
    {"name": _TEXT},
    ADDS,
    writes.bootstrap,
    Domain.SPECS,
)

TOOLS = (CHECK, GET, SUGGEST, REVIEW, CHANGE, STATUS, ADR, PROJECT, EXPLORE, AUDIT, SCAN, BOOTSTRAP)
