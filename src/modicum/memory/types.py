"""The types of notes that memory suggests. Any other word is a type, too. Pure."""

# What a note of each type is for: help, tools, the page and docs tell it from here.
NOTE_TYPES = {
    "decision": "what was chosen, and why",
    "bugfix": "what was broken, the cause, the cure",
    "discovery": "what was found out about the code or its tools",
    "pattern": "how something is done here each time",
    "config": "a setting, where it stands, what depends on it",
    "preference": "what somebody wants done in a certain way",
    "architecture": "how the parts hang together",
}
NOTE_TYPES_LISTED = ", ".join(NOTE_TYPES)
