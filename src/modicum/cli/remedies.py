"""The remedies of errors, worded as commands to type on the command line."""

from modicum.base.errors import wording

COMMANDS_BY_ACTION = {
    "adr.list": "modicum adr list",
    "adr.parts": "modicum adr new --help has an example",
    "batch.list": "modicum memory log lists what can be undone",
    "batch.everywhere": "modicum undo {id} --everywhere, if that is meant",
    "batch.undo": "modicum undo {id} does it again",
    "change.back": "go back instead: modicum change back {id}",
    "change.cancel": "finish it, or: modicum change cancel {id}",
    "change.list": "modicum change list --all",
    "change.new": 'begin one: modicum change new --type fix --size small "…"',
    "change.reopen": "modicum change reopen {id}",
    "change.status": "look at modicum change status {id} first",
    "check": 'modicum check "{text}"',
    "check.names": "modicum check names what there is",
    "import.undo": "{first}; or modicum import --undo takes back what came in",
    "inbox.list": "modicum memory inbox list shows what waits",
    "names.list": "modicum search finds notes, modicum pack list packs, modicum spec context documents",
    "note.find": "modicum search finds notes",
    "pack.list": "modicum pack list",
    "project.list": "modicum memory projects list",
    "spec.back": "modicum spec back {stage}, if it was finished",
    "spec.bootstrap": "modicum spec bootstrap drafts them from a scan",
    "spec.init": "modicum spec init NAME DESCRIPTION",
    "spec.show": "modicum spec context",
    "stage.write": "write it, or hand it over with --content. {does}",
    "stage.replace": "advance without a text to take them, or with --replace to put yours in their place",
    "token.list": "modicum team token list shows them",
    "token.new": "give one, as in: modicum team token new mia",
}

command_wording = wording(COMMANDS_BY_ACTION)
