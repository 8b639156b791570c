"""Parses YAML into nodes that know their lines and quotes; no types are guessed, no aliases followed."""

import re
from functools import cache

from modicum.base.typing_names import Any, Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    import yaml

MAX_BYTES = 10 * 1024 * 1024
_DEEPEST = 50
PLAIN, QUOTED = "plain", "quoted"

_MAYBE_ALIAS = r"(?m)(?:^|[\s,\[{])\*[^\s*]"
_REMEDIES = {
    "tab": "indent with spaces",
    "cannot start any token": "put the value in quotes, and indent with spaces",
    "mapping values are not allowed": "put a value that contains a colon in quotes",
    "another document": "one document per file",
}


class Mark(Protocol):
    """The line and column where a YAML node starts, counted from 0."""

    line: int


class YamlNode(Protocol):
    """A YAML node: its id is scalar, sequence or mapping, its tag PLAIN or QUOTED or one that was written."""

    id: str
    tag: str
    value: Any
    start_mark: Mark


class UnreadableError(Exception):
    """The error for a text that cannot be parsed into YAML nodes: what is wrong, at which line (0: unknown)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def decoded(source: bytes | str) -> str:
    """Returns the text that YAML nodes are parsed from, without byte order mark; raises UnreadableError if it is not UTF-8."""
    if len(source) > MAX_BYTES:
        raise UnreadableError(0, f"larger than {MAX_BYTES // 1024 // 1024} MB")
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableError(line, "not UTF-8 text (save the file as UTF-8)") from error


def compose(source: str) -> YamlNode | None:
    """Parses the one YAML document of a text into nodes; None if it is empty."""
    from yaml import MarkedYAMLError
    from yaml.reader import ReaderError

    try:
        if re.search(_MAYBE_ALIAS, source):
            _refuse_aliases(source)
        node: YamlNode | None = _loader()(source).get_single_node()
    except ReaderError as error:
        character = error.character if isinstance(error.character, str) else chr(error.character)
        line = source.count("\n", 0, source.find(character)) + 1
        message = f"not YAML: the character U+{ord(character):04X} is not allowed"
        raise UnreadableError(line, message) from error
    except MarkedYAMLError as error:
        last = source.rstrip().count("\n") + 1
        line = min(_begin(error.problem_mark), last)
        raise UnreadableError(line, f"not YAML: {_explained(error, line)}") from error
    except RecursionError as error:
        raise UnreadableError(0, "not YAML: nested too deeply") from error
    return node


def _begin(mark: "yaml.Mark | None") -> int:
    return mark.line + 1 if mark else 0


def _explained(error: "yaml.MarkedYAMLError", line: int) -> str:
    problem, context = error.problem or "", error.context or ""
    begin = _begin(error.context_mark)
    if context.startswith("while") and 0 < begin < line:
        problem += f" {context} that begins on line {begin}"
    remedy = next((remedy for words, remedy in _REMEDIES.items() if words in problem), "")
    return f"{problem} ({remedy})" if remedy else problem


def _refuse_aliases(source: str) -> None:
    from yaml import AliasToken, scan

    for token in scan(source, Loader=_loader()):
        if isinstance(token, AliasToken):
            raise UnreadableError(
                token.start_mark.line + 1, f"the alias *{token.value} is not supported (write the value out)"
            )


@cache
def _loader() -> Any:
    """A loader that tells plain from quoted values and guesses no types: the table of fields knows them."""
    import yaml

    class Untyped:
        depth = 0

        def resolve(self, _kind: object, _value: object, implicit: object) -> str:
            return PLAIN if implicit is True or (isinstance(implicit, tuple) and implicit[0]) else QUOTED

        def descend_resolver(self, _node: object, _index: object) -> None:
            self.depth += 1
            if self.depth > _DEEPEST:
                raise RecursionError  # before the compiled parser runs out of stack

        def ascend_resolver(self) -> None:
            self.depth -= 1

    parser = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    return type("_Loader", (Untyped, parser), {})


@cache
def nothing(spelt: str) -> YamlNode:
    """Returns a YAML node for an absent value: null ("~") or an empty mapping ("{}")."""
    node: YamlNode = _loader()(spelt).get_single_node()
    return node
