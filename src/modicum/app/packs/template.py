"""The template of a new pack, and which packs still hold sentences of it. Pure."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from modicum.packs.model import Pack

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


def still_template(packs: Iterable[Pack]) -> Iterator[str]:
    """Yields a sentence for each pack that has sentences of the template: it names their files."""
    for pack in packs:
        texts = (*pack.context, *pack.constraints)
        found = [each.file for each in texts if _SENTENCES.intersection(each.text.splitlines())]
        if found:
            files = " and ".join(PurePath(file).name for file in dict.fromkeys(found))
            yield f"{pack.id}: still the template in {files}: write your own text over it"
