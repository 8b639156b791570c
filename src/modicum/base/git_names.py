"""Which paths lead into git's own folder, however they are spelt. Pure."""

import re

# git's own list of what HFS+ leaves out when it compares names.
_IGNORED = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
_GIT = re.compile(r"\.git|git~\d+")


def steps_of(path: str) -> list[str]:
    """Returns the steps of a path, with every separator that some system knows."""
    return path.replace("\\", "/").split("/")


def leads_into_git(path: str) -> bool:
    """Returns True if a step of the path is a name of `.git` on some system: in any case, with blanks, streams or hidden signs."""
    return any(_is_git(step) for step in steps_of(path))


def _is_git(step: str) -> bool:
    seen = step if step.isascii() else _plain(step)
    name = seen.casefold().partition(":")[0].rstrip(". \t")
    return _GIT.fullmatch(name) is not None


def _plain(step: str) -> str:
    import unicodedata  # hardly any path needs it

    return unicodedata.normalize("NFKC", step.translate(_IGNORED))
