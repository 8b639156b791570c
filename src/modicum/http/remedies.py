"""Words the remedies of errors for HTTP: as a route, and as a command where no route can do it."""

from modicum.base.errors import wording

ROUTES_BY_ACTION = {
    "adr.list": "GET /v1/specs lists them",
    "adr.parts": "say each of them in a sentence; on the command line: modicum adr new",
    "batch.list": "GET /v1/log lists what can be undone",
    "batch.everywhere": 'POST /v1/undo with {{"batch": {id}, "everywhere": true}}, if that is meant',
    "batch.undo": "POST /v1/undo with batch {id} does it again",
    "change.back": "no route goes back; on the command line: modicum change back {id}",
    "change.cancel": "finish it; no route cancels it, on the command line: modicum change cancel {id}",
    "change.list": "GET /v1/specs lists the open ones; on the command line: modicum change list --all",
    "change.new": 'no route begins one; on the command line: modicum change new --type fix --size small "…"',
    "change.reopen": "no route reopens it; on the command line: modicum change reopen {id}",
    "change.status": "no route tells its status; on the command line: modicum change status {id}",
    "check": 'GET /v1/specs/check with q, as in "{text}"',
    "check.names": "take a name from GET /v1/specs/check",
    "import.undo": "{first}; or POST /v1/undo takes back what came in",
    "inbox.list": "GET /v1/inbox lists what waits",
    "names.list": "GET /v1/search finds notes, GET /v1/packs packs, GET /v1/specs documents",
    "note.find": "GET /v1/search finds notes",
    "pack.list": "GET /v1/packs lists them",
    "project.list": "GET /v1/projects lists them",
    "spec.back": "if it was finished, on the command line: modicum spec back {stage}",
    "spec.bootstrap": "no route drafts them; on the command line: modicum spec bootstrap",
    "spec.init": "no route begins one; on the command line: modicum spec init NAME DESCRIPTION",
    "spec.show": "GET /v1/specs",
    "stage.replace": "no route replaces them; on the command line: modicum change advance --replace, or spec advance",
    "stage.write": "write it; no route takes its text. {does}",
    "token.list": "no route shows tokens; on the command line: modicum team token list",
    "token.new": "no route makes tokens; on the command line: modicum team token new mia",
}

route_wording = wording(ROUTES_BY_ACTION)
