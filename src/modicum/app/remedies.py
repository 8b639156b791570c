"""Remedies in plain words: the actions that a remedy may name, for doors without a command, tool or route."""

from modicum.base.errors import wording

PLAIN_WORDS = {
    "adr.list": "look at the list of decisions",
    "adr.parts": "say each of them in a sentence",
    "batch.everywhere": "ask for it everywhere, if it is meant",
    "batch.list": "look at the list of the latest changes of memory",
    "batch.undo": "undo {id} to do it again",
    "change.back": "go back to an earlier stage of {id}",
    "change.cancel": "finish {id}, or cancel it",
    "change.list": "look at the list of all changes",
    "change.new": "begin a change",
    "change.reopen": "reopen {id}",
    "change.status": "look at the status of {id}",
    "check": 'describe it, as in "{text}"',
    "check.names": "take a name from a context check",
    "import.undo": "{first}; or undo the import, which takes back what came in",
    "inbox.list": "look at what waits in the inbox",
    "names.list": "search for notes, or look at the lists of packs and documents",
    "note.find": "search for it",
    "pack.list": "look at the list of packs",
    "project.list": "look at the list of projects",
    "spec.back": "go back to the stage {stage}, if it was finished",
    "spec.bootstrap": "let first specs be drafted from a scan",
    "spec.init": "begin the specs of this project with a name and a description",
    "spec.show": "look at the overview of the specs",
    "stage.write": "write it, or hand over its text. {does}",
    "stage.replace": "finish the stage without a text to take them, or say that yours is to replace them",
    "token.list": "look at the list of tokens",
    "token.new": "give one, such as mia",
}

plain_wording = wording(PLAIN_WORDS)
