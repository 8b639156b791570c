"""Prints what a session costs with each agent, for `modicum see --costs` and `modicum doctor`."""

from collections.abc import Sequence
from textwrap import fill

from modicum.app.agents.costs import SessionCost
from modicum.cli import output

HEAD = ("Agent", "Program", "Tools", "Yours", "Ours", "Hook", "Tokens", "Hook ms")
NOT_COUNTED = "their tools are not counted, because only running them tells what they offer"


def say_costs(costs: Sequence[SessionCost]) -> None:
    """Prints a table of what each agent pays for in every session, in tokens, and below it what could be saved.

    The program itself, our MCP tools, your files, our pages, our hook, and all together; `Hook ms` is the time of the hook.
    """
    output.say("What is in every session before you type, in tokens:")
    output.table(HEAD, [_row(each) for each in costs], right=HEAD[1:])
    for each in costs:
        for sentence in _sentences(each):
            output.say(fill(sentence, 80, initial_indent="  ", subsequent_indent="    "))


def _row(each: SessionCost) -> tuple[str, ...]:
    return (
        each.name[:24],
        output.amount(each.program) if each.program >= 0 else "?",
        output.amount(each.tools),
        output.amount(sum(each.own.values())),
        output.amount(sum(each.ours.values())),
        output.amount(each.hook),
        output.amount(each.total),
        f"{each.hook_seconds * 1000:.0f}" if each.hook_seconds >= 0 else "",
    )


def _sentences(each: SessionCost) -> list[str]:
    files = dict.fromkeys((*each.own, *each.ours))
    told = [
        *(
            [f"program: {each.program_source}"]
            if each.program_source
            else ["program: nobody has measured it"]
        ),
        *([f"tools: {each.tools_note}"] if each.tools_note else []),
        *([f"other servers: {', '.join(each.servers)}; {NOT_COUNTED}"] if each.servers else []),
        *(f"could save up to {saving.tokens:,} tokens: {saving.how}" for saving in each.savings),
        *each.lost,
        *each.cannot,
    ]
    reads = [f"{each.name} reads {', '.join(files)}"] if files else []
    return [*reads, *(f"{each.name}: {sentence}" for sentence in told)]


def cost_as_json(each: SessionCost) -> dict[str, object]:
    """Returns what a session costs with one agent as the JSON that `modicum see --costs` prints."""
    return {
        "id": each.tool,
        "program": each.program if each.program >= 0 else None,
        "program_source": each.program_source,
        "tools": each.tools,
        "tools_note": each.tools_note,
        "own_files": dict(each.own),
        "our_files": dict(each.ours),
        "hook": each.hook,
        "hook_bytes": each.hook_bytes,
        "hook_seconds": round(each.hook_seconds, 3) if each.hook_seconds >= 0 else None,
        "total": each.total,
        "other_servers": [*each.servers],
        "savings": [{"tokens": saving.tokens, "how": saving.how} for saving in each.savings],
        "lost": [*each.lost],
        "cannot": [*each.cannot],
    }
