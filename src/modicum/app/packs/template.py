"""The template of a new pack, and which packs still hold sentences of it. Pure."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from modicum.base.value import replace
from modicum.packs.model import Pack, PackText

_PACK = """\
id: {id}
name: {name}
description: {name}, as this team uses it
tags: [{id}]
weight: 50
"""

_CONTEXT = """\
## {name}

### Overview

What it is, in one paragraph, and what an agent gets wrong without this page.

<!-- verbosity:detail -->
### How we work

- How you do things here, one rule to a line.

<!-- verbosity:extended -->
### Background

Why it is so. Shown to tools that have room for it.
"""

_CONSTRAINTS = "1. What must never happen here, one rule to a line.\n"

TEMPLATE = {"pack.yaml": _PACK, "context.md": _CONTEXT, "constraints.md": _CONSTRAINTS}
_SENTENCES = frozenset(
    line for line in (_CONTEXT + _CONSTRAINTS).splitlines() if line and not line.startswith(("#", "<!--"))
)


def without_template(pack: Pack) -> Pack:
    """Returns the pack without the template's own sentences, which are addressed to whoever writes it."""
    context, constraints = map(_own_texts, (pack.context, pack.constraints))
    is_same = (context, constraints) == (pack.context, pack.constraints)
    return pack if is_same else replace(pack, context=context, constraints=constraints)


def _own_texts(texts: Iterable[PackText]) -> tuple[PackText, ...]:
    return tuple(replace(each, text=_own(each.text)) if _told_in(each.text) else each for each in texts)


def _own(text: str) -> str:
    lines = text.splitlines(keepends=True)
    # An empty line stays in its place: remarks name lines by number.
    return "".join("\n" if line.strip() in _SENTENCES else line for line in lines)


def _told_in(text: str) -> bool:
    return any(line.strip() in _SENTENCES for line in text.splitlines())


def still_template(packs: Iterable[Pack]) -> Iterator[str]:
    """Yields a sentence for each pack that has sentences of the template: it names their files."""
    for pack in packs:
        texts = (*pack.context, *pack.constraints)
        found = [each.file for each in texts if _told_in(each.text)]
        if found:
            files = " and ".join(PurePath(file).name for file in dict.fromkeys(found))
            yield f"{pack.id}: still the template in {files}: write your own text over it"
