"""Words the remedies of errors as calls of our MCP tools."""

CALLS_BY_ACTION = {
    "adr.list": "sdd_get_context lists them",
    "adr.parts": "call again with each of them, a text",
    "change.back": "go back instead: sdd_change action=back change_id={id}",
    "change.cancel": "finish it, or: sdd_change action=cancel change_id={id}",
    "change.list": "sdd_change_status all=true",
    "change.new": "begin one: sdd_change action=new type=fix size=small description=…",
    "change.reopen": "sdd_change action=reopen change_id={id}",
    "change.status": "look at sdd_change_status change_id={id} first",
    "check": 'sdd_context_check change_description="{text}"',
    "check.names": "take a name from sdd_context_check",
    "note.find": "mem_search finds notes",
    "pack.list": "pack_read detail_level=summary lists them",
    "spec.back": "sdd_project action=back stage={stage}, if it was finished",
    "spec.bootstrap": "sdd_bootstrap drafts them from a scan",
    "spec.init": "sdd_project action=init name=… description=…",
    "spec.show": "sdd_get_context",
    "stage.write": "write it, or call again with content. {does}",
    "stage.replace": "call again without content to take them, or with replace=true to put yours in their place",
}
