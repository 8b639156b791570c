"""Foreign packs, those of sources: takes out signs that agents take for their own words, and quotes orders to them. Pure."""

from typing import Any

from modicum.base.value import as_dict, replace
from modicum.base.yaml.check import YamlProblem
from modicum.packs.model import Pack, PackText
from modicum.text.neutralise import neutralise
from modicum.text.orders.quote import first_order

# What is shown of a pack; the rest are names, addresses, and commands, which are asked about before they are run.
_SHOWN = (
    *("name", "description", "changelog", "context", "constraints", "preamble"),
    *("samples", "known_errors", "learning", "tips", "resources", "skills"),
)
_WORDS = frozenset({"name", "description", "text", "label", "cause", "fix", "title", "body", "pattern"})


def harmless_pack(pack: Pack) -> tuple[Pack, tuple[YamlProblem, ...]]:
    """Returns a foreign pack (one from a source) with texts that are harmless for agents, and a problem for each text that was changed."""
    origin = f"source {pack.layer}"
    changed = replace(pack, **{name: _harmless(getattr(pack, name), origin) for name in _SHOWN})
    if changed == pack:
        return pack, ()
    texts = (*pack.context, *pack.constraints, *pack.preamble)
    found = [_problem(text) for text in texts if neutralise(text.text) != text.text]
    return changed, tuple(found or (YamlProblem(f"pack {pack.id} of {origin}", 0, _MARKED, fatal=False),))


_MARKED = "it speaks to agents in their own signs or hides characters; these are written otherwise"


def _problem(text: PackText) -> YamlProblem:
    order, line = first_order(text.text)
    message = f'it tells agents "{order}"; this is marked as a quotation' if order else _MARKED
    return YamlProblem(text.file, line, message, fatal=False)


def _harmless(value: Any, origin: str) -> Any:  # noqa: ANN401 - a field of a pack, and the same kind of it is returned
    if isinstance(value, str):
        return neutralise(value, origin)
    if isinstance(value, tuple):
        return tuple(_harmless(each, origin) for each in value)
    words = {name: word for name, word in as_dict(value).items() if name in _WORDS}
    return replace(value, **{name: neutralise(word, origin) for name, word in words.items()})
