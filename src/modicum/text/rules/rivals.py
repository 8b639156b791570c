"""Finds rivals: two rules that choose different tools or values for one purpose. Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from modicum.text.rules.findings import LintFinding, LintKind, PlacedText
from modicum.text.rules.rival_table import PURPOSES, Purpose
from modicum.text.rules.rules import Rule
from modicum.text.rules.scopes import BOUND_BY, are_apart, folders_in, scope_of
from modicum.text.rules.statements import is_history
from modicum.text.rules.words import NUMBERS, content_words, word_stems

MOST_CHOICES = 40  # for one purpose: the first ones are enough to show that something is wrong
REMEDY = "decide for one, and delete the other or say where it holds"


class RuleChoice(NamedTuple):
    """What a rule chooses for a purpose."""

    purpose: str
    option: str
    rule: Rule
    scope: frozenset[str]


def rivals(rules: Sequence[Rule]) -> Iterator[LintFinding]:
    """Yields each rule that chooses a rival of what an earlier one chose: another tool or value for a purpose; with the first such.

    Both must be bound to the same places: an exception is no rival.
    """
    chosen: dict[str, list[RuleChoice]] = {}
    for rule in rules:
        for choice in choices(rule):
            row = chosen.setdefault(choice.purpose, [])
            if len(row) < MOST_CHOICES:
                row.append(choice)
    for row in chosen.values():
        for at, choice in enumerate(row):
            first = next((other for other in row[:at] if _are_rivals(other, choice)), None)
            if first:
                yield _finding(first, choice)


def _are_rivals(one: RuleChoice, other: RuleChoice) -> bool:
    if one.option == other.option or one.rule.place == other.rule.place or are_apart(one.scope, other.scope):
        return False
    return _places(one.scope) == _places(other.scope) and not (
        _is_exception(one, other) or _is_exception(other, one)
    )


def _is_exception(one: RuleChoice, other: RuleChoice) -> bool:
    """Whether a choice is bound to something of which the other rule does not speak: "in the mobile app"."""
    known = other.rule.words | content_words(one.purpose) | frozenset(word_stems(one.option))
    bounds = map(content_words, _bounds(one.rule.text))
    return any(words and not words & known for words in bounds)


def _places(scope: frozenset[str]) -> frozenset[str]:
    """The bounds that make a rule an exception to one without them."""
    return frozenset(
        each
        for each in scope
        if each.startswith(("language:", "place:", "environment:", "folder:", "glob:", "text:", "named:"))
    )


def _finding(one: RuleChoice, other: RuleChoice) -> LintFinding:
    told = PlacedText(one.rule.place, one.rule.text), PlacedText(other.rule.place, other.rule.text)
    return LintFinding(LintKind.RIVAL, told, f"{one.option} and {other.option} for {one.purpose}", REMEDY)


# What a rule chooses.

_SHAPED = re.compile(r"(?i)\b(?:if|when|whenever|unless|once|as long as)\b")
_NOT_IT = re.compile(
    r"(?i)(?:\b(?:not|never|no|avoid|without|instead of|rather than|over|unlike|from|than|replac\w+|drop|remove|old|former|like|port|away|whether|who prefers?)"
    r"|n['’]t)\b[^,.;:—]{0,30}$|[❌✗🚫][^✅✓]{0,20}$"
)
_CHOOSES = re.compile(
    r"(?i)(?:^|\b(?:use|uses|using|used|with|via|through|by|run|runs|call|prefer|prefers|is|are|on|in|to|as|onto|install|choose|follow|follows|adopt|take|takes)\s|[:|—–→(✅✓])"
    r"\s*(?:the |our |a |an |standard |plain |native |only |always )*[`*]*$"
)
_CHOSEN = re.compile(
    r"(?i)[`*]*\s*(?:is|are|for|only|formats?|handles?|as|runs?|builds?|tests?|manages?|everywhere)\b"
)
_PREPOSED = re.compile(
    r"(?i)\b(?:in|for|on|within|under|inside|during|outside)\s+(?!(?:all|any|every|each)\b)(?:the |our |new )*"
    r"(?P<what>(?:(?!(?:with|in|for|on|of|and|at|by|from)\b)[\w./-]+ ?){1,3})"
)
_LABEL = re.compile(r"^[^:.!?`]{1,40}:\s")


def choices(rule: Rule) -> Iterator[RuleChoice]:
    """Yields what a rule chooses among rivals, for each purpose that it speaks of."""
    text = rule.text
    if is_history(text) or text.rstrip(" \"')").endswith("?"):
        return
    lower = text.lower()
    for purpose in PURPOSES:
        if not any(hint in lower for hint in _hints(purpose.name)):
            continue
        option = _option(purpose, rule)
        if option:
            yield RuleChoice(purpose.name, option, rule, _scope(rule, purpose))
    yield from _versions(rule)
    yield from _numbers(rule)


def _scope(rule: Rule, purpose: Purpose | None = None) -> frozenset[str]:
    """What a choice is bound to: places only where the rule says "in" or "for" them, languages unless the tool implies its own."""
    apart = purpose.apart if purpose else ("text", "named")
    text = f"{rule.heading}. {rule.text}"
    around = ". ".join((rule.heading, *_bounds(rule.text)))
    kinds = [
        kind for kind in BOUND_BY if kind != "place" and (kind != "language" or not purpose or purpose.stated)
    ]
    return (
        rule.bound | scope_of(text, (*kinds, *apart)) | scope_of(around, ("place",)) | folders_in(rule.text)
    )


def _bounds(text: str) -> Iterator[str]:
    yield from (found["what"] for found in _PREPOSED.finditer(text))
    if label := _LABEL.match(text):
        yield label[0]


def _option(purpose: Purpose, rule: Rule) -> str:
    """The one option of a purpose that a rule chooses; "" if it names none, or several."""
    patterns = _compiled(purpose.name)
    mentions = [*patterns.options.finditer(rule.text)]
    if (
        not mentions
        or not patterns.about.search(f"{rule.heading}. {rule.text}")
        or patterns.unless.search(rule.text)
    ):
        return ""
    names = tuple(purpose.options)
    chosen = {
        names[int((found.lastgroup or "o0")[1:])]
        for found in mentions
        if _is_chosen(rule.text, found, stated=purpose.stated)
    }
    return chosen.pop() if len(chosen) == 1 else ""


def _is_chosen(text: str, found: re.Match[str], *, stated: bool) -> bool:
    before, after = text[max(0, found.start() - 60) : found.start()], text[found.end() : found.end() + 40]
    if _NOT_IT.search(before):
        return False
    in_code = before.endswith("`")
    return stated or in_code or bool(_CHOOSES.search(before) or _CHOSEN.match(after))


class _Patterns(NamedTuple):
    options: re.Pattern[str]
    about: re.Pattern[str]
    unless: re.Pattern[str]


@cache
def _compiled(name: str) -> _Patterns:
    purpose = next(each for each in PURPOSES if each.name == name)
    options = "|".join(f"(?P<o{at}>{ways})" for at, ways in enumerate(purpose.options.values()))
    return _Patterns(
        re.compile(rf"(?i)(?<![\w./@-])(?:{options})(?![\w-]|\.\w|/\w)"),
        re.compile(f"(?i){purpose.about}"),
        re.compile(f"(?i){purpose.unless}" if purpose.unless else r"(?!)"),
    )


_GROUP = re.compile(r"\(\?[:<!=]{1,3}[^()]{0,400}+\)\??|\[[^\]]{0,80}+\]\??|\\.|.\?")


@cache
def _hints(name: str) -> tuple[str, ...]:
    """Plain texts of which a rule has one if it names an option: most rules are told apart by them at once."""
    purpose = next(each for each in PURPOSES if each.name == name)
    ways = (way for option in purpose.options.values() for way in _outside_groups(option).split("|"))
    return tuple(dict.fromkeys(max(way.lower().split("\0"), key=len) for way in ways))


def _outside_groups(pattern: str) -> str:
    before = ""
    while pattern != before:
        before, pattern = pattern, _GROUP.sub("\0", pattern)
    return pattern


# Versions and other numbers.

_VERSIONED = (
    r"node(?:\.?js)?|python|go|golang|rust|java|jdk|ruby|php|kotlin|swift|typescript|scala|elixir|erlang|\.net|dotnet|react|vue|angular|svelte"
    r"|next(?:\.js)?|nuxt|django|flask|rails|laravel|symfony|spring boot|postgres(?:ql)?|mysql|redis|terraform|gradle|maven|xcode|unity|godot|java(?= sdk)|pydantic|sqlalchemy|tailwind(?: ?css)?|eslint|webpack|c\+\+"
)
_VERSION = re.compile(
    rf"(?i)(?<![\w./-])(?P<name>{_VERSIONED})(?:'s)?\s*(?:(?:minimum |supported |language )*version\s*(?:is|of|:|=)?\s*)?(?:>=\s*|v)?(?P<number>\d{{1,4}}(?:\.\d{{1,4}}){{0,2}})(?P<open>\+|\.x)?(?![\w%])"
)
_OPEN = re.compile(
    r"(?i)\b(?:(?:or|and|to|through)\s+(?:v?\d|newer|later|above|higher|up)|until|newer|later|older|from|upgrad\w+|migrat\w+|features? of|up to|below|before|since|compatib\w+)"
)
_LEAST = re.compile(r"(?i)\b(?:minimum|at least|msrv|minimal|lowest|oldest|>=)\b")
_SAME_NAMES = {
    "nodejs": "node",
    "node.js": "node",
    "golang": "go",
    "postgresql": "postgres",
    "jdk": "java",
    "dotnet": ".net",
    "nextjs": "next",
    "next.js": "next",
    "tailwindcss": "tailwind",
    "tailwind css": "tailwind",
}


def _versions(rule: Rule) -> Iterator[RuleChoice]:
    found = [*_VERSION.finditer(rule.text)]
    if len(found) != 1 or found[0]["open"]:
        return
    rest = rule.text[: found[0].start()] + rule.text[found[0].end() :]
    least = bool(_LEAST.search(rest))
    if _NOT_IT.search(rule.text[: found[0].start()]) or (_OPEN.search(rest) and not least):
        return
    name = found[0]["name"].lower()
    purpose = f"the {'minimum ' if least else ''}version of {_SAME_NAMES.get(name, name)}"
    scope = frozenset(each for each in _scope(rule) if not each.startswith(("language:", "text:", "named:")))
    yield RuleChoice(purpose, found[0]["number"], rule, scope)


_NUMBER = rf"(?P<number>\d{{1,6}}|{'|'.join(NUMBERS)})"
_INDENT = re.compile(
    rf"(?i)\bindent\w*\b[^.;]{{0,30}}?\b{_NUMBER}(?:[ -]spaces?\b|\b(?=\W*$))|(?<![\w])(?P<other>\d|two|four)[ -]spaces?[ -]indent\w*"
)
_CONTINUED = re.compile(r"(?i)\b(?:continu\w+|hanging|wrapped|nested)\b")
_LINE_LENGTH = re.compile(
    r"(?i)\b(?:line (?:length|width)s?|print ?width|column limit|max-len|lines? (?:of code )?(?:have|has|are|may|must|should|is|at|to|under|below|longer|shorter|up|limit\w*|within|stay)|(?:wrap|limit|break)\w* (?:\w+ ){0,3}(?:lines? )?(?:at|to))\b"
    r"[^.;]{0,40}?\b(?P<number>\d{2,3})\b(?! lines)"
)
_MEASURED = re.compile(
    r"(?i)\b(?:at most|at least|max(?:imum)?|min(?:imum)?|no more than|not more than|up to|limit\w*|exceed|below|under|above|over|within|less than|fewer than|more than|longer than|must be|should be|is|are|to|of|for|after|every|port|timeout)\b"
)


def _numbers(rule: Rule) -> Iterator[RuleChoice]:
    """What a rule chooses as a number: the depth of indentation, the length of lines, or any other limit."""
    if (found := _INDENT.search(rule.text)) and not _NOT_IT.search(rule.text[: found.start()]):
        if _CONTINUED.search(rule.text):
            return
        yield RuleChoice(
            "the depth of indentation", _digits(found["number"] or found["other"]), rule, _scope(rule)
        )
    elif found := _LINE_LENGTH.search(rule.text):
        yield RuleChoice("the length of lines", found["number"], rule, _scope(rule))
    elif rule.statements or rule.is_directive:
        yield from _limit(rule)


def _limit(rule: Rule) -> Iterator[RuleChoice]:
    numbers = sorted(word for word in rule.words if word.isdigit())
    about = sorted(rule.words - set(numbers))
    if len(numbers) == 1 and len(about) > 1 and _MEASURED.search(rule.text):
        yield RuleChoice(f"the same number ({', '.join(about)})", numbers[0], rule, _scope(rule))


def _digits(number: str) -> str:
    return NUMBERS.get(number.lower(), number)
