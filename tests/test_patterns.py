"""Every pattern of ours takes time in proportion to the text: none can be made to hold the process by what it reads."""

import ast
import importlib.util
import itertools
import re
import re._constants as op
import re._parser as parser
import string
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from modicum.memory.learnings import learnings
from modicum.memory.redact import redact
from modicum.packs.web.html_text import page_text
from modicum.specs.changes.gates import GateDocument, check_requirements, check_text, verdict_of
from modicum.specs.check.passages import split_pieces
from modicum.specs.decisions import parse_decision
from modicum.text.orders import phrases
from modicum.text.rules.intents import intent_of, standing_against
from modicum.text.secret_kinds.services import RULES
from modicum.text.secrets import findings

_spec = importlib.util.spec_from_file_location("layers", Path(__file__).parent / "layers.py")
layers = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(layers)
MODULES = layers.modules()

CALLS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
FROM_START = {"match", "fullmatch"}

# Calls whose pattern is made by the function around them: where the patterns are found instead.
MADE_ELSEWHERE: dict[str, Callable[[Any], Iterable[str]]] = {
    "text.orders.quote": lambda _: [phrases.ORDER, phrases.TURN, phrases.BRACKET],
    "text.secrets": lambda module: [module.EDGE + rule[3] for rule in RULES],
    "text.secret_kinds.announced": lambda module: [
        value for name, value in vars(module).items() if isinstance(value, str) and name.isupper()
    ],
    "targets.loaders.files": lambda module: [
        module.glob_pattern(glob).pattern for glob in ("r/*/**/*.md", "**/x/**", "?*.instructions.md")
    ],
    "text.rules.rivals": lambda module: [
        each.pattern for purpose in module.PURPOSES for each in module._compiled(purpose.name)
    ],
    "text.rules.scopes": lambda module: [each.pattern for each in module._PATTERNS.values()],
    "memory.find.likeness": lambda module: [module.pattern_of_names(("Ana", "Li"))],
    "search.dates": lambda module: [*module._CALENDAR, module._RELATIVE],
}


# Patterns that these modules hand to a function which tries them at one place of a text only.
AT_ONE_PLACE = ("targets.settings.jsonc", "targets.settings.toml_scan")
AFTER_ANOTHER = ("targets.settings.toml_scan._PART",)  # only sees what `_KEY` has matched
PLAIN = int(re.UNICODE)  # every compiled pattern has it, said or not


class Used(NamedTuple):
    """A pattern, where it is, and whether it is only ever tried at the start of a text."""

    where: str
    pattern: str
    flags: int
    anchored: bool


@cache
def tree_of(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def all_patterns() -> tuple[Used, ...]:
    """Each pattern once for each way in which it is tried, under the first of the places that have it."""
    found: dict[tuple[str, int, bool], Used] = {}
    for each in (*compiled(), *inline()):
        if each.where not in AFTER_ANOTHER:
            found.setdefault((each.pattern, each.flags | PLAIN, each.anchored), each)
    return tuple(found.values())


def compiled() -> Iterator[Used]:
    """The patterns that modules hold, also in tables."""
    for name in MODULES:
        for label, value in vars(importlib.import_module(f"modicum.{name}")).items():
            for each in held(value):
                used = methods_of(name, label, default="match" if name in AT_ONE_PLACE else "finditer")
                anchored = used <= FROM_START and isinstance(value, re.Pattern)
                yield Used(f"{name}.{label}", each.pattern, each.flags, anchored)


def held(value: object, depth: int = 3) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict) and depth:
        yield from (each for item in value.values() for each in held(item, depth - 1))
    elif isinstance(value, tuple | list | set | frozenset) and depth:
        yield from (each for item in value for each in held(item, depth - 1))


@cache
def calls_in(module: str) -> dict[str, set[str]]:
    """The methods that are called on each name in a module."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def methods_of(module: str, label: str, *, default: str) -> set[str]:
    return calls_in(module).get(label, set()) & CALLS or {default}


def inline() -> Iterator[Used]:
    """The patterns that are handed to `re` where they are used."""
    for name, path in MODULES.items():
        if not re.search(r"^ *import re$", path.read_text(encoding="utf-8"), re.MULTILINE):
            continue
        module = importlib.import_module(f"modicum.{name}")
        inside = filter(is_call, in_functions(tree_of(name)))
        found = sorted(inside, key=lambda node: (node.lineno, node.col_offset))
        for node in found:  # what is outside of functions is held by the module
            yield from called(name, module, node)


def in_functions(node: ast.AST, *, inside: bool = False) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if inside:
            yield child
        yield from in_functions(child, inside=inside or isinstance(child, FUNCTIONS))


def is_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in CALLS
    )


def called(name: str, module: Any, node: ast.Call) -> Iterator[Used]:
    code = compile(ast.Expression(node.args[0]), name, "eval")
    where = f"{name}:{node.lineno}"
    try:
        pattern = eval(code, vars(module))
    except NameError:
        yield from (Used(where, each, 0, False) for each in MADE_ELSEWHERE[name](module))
        return
    flags = [
        each for each in (*node.args[1:], *(k.value for k in node.keywords)) if "re." in ast.unparse(each)
    ]
    number = 0
    for each in flags:
        number |= int(eval(compile(ast.Expression(each), name, "eval"), vars(module)))
    if isinstance(pattern, str):
        yield Used(where, pattern, number, node.func.attr in FROM_START)
    elif isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
        yield Used(where, pattern.pattern, pattern.flags, node.func.attr in FROM_START)


# Texts that are made of what a pattern looks for, again and again


class Shape(NamedTuple):
    """What a pattern looks for: the starts of a text that it takes, its words, and what it repeats behind which start."""

    starts: tuple[str, ...]
    literals: tuple[str, ...]
    repeated: tuple[tuple[str, str], ...]


ALTERNATIVES = 16
SAMPLES = string.ascii_lowercase + " \n1A-.#*_`<>=:|é/\t"
CATEGORIES = {
    op.CATEGORY_DIGIT: "1", op.CATEGORY_NOT_DIGIT: "a", op.CATEGORY_SPACE: " ", op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_WORD: "a", op.CATEGORY_NOT_WORD: " ",
}  # fmt: skip


def shape_of(pattern: str, flags: int) -> Shape:
    """The shapes of all alternatives together."""
    shapes = [shape_by(pattern, flags, Random(seed)) for seed in range(ALTERNATIVES)]
    return Shape(
        *(
            tuple(dict.fromkeys(each for part in parts for each in part))
            for parts in zip(*shapes, strict=True)
        )
    )


def shape_by(pattern: str, flags: int, random: Random) -> Shape:
    """The shape of a pattern where of every set of alternatives one is taken, always the same ones."""
    starts: list[str] = [""]
    repeated: list[tuple[str, str]] = []
    literals: list[str] = []

    def walk(items: Iterable[Any]) -> str:
        text = ""
        for kind, value in items:
            piece = one(kind, value)
            text += piece
            if kind is op.LITERAL and literals and literals[-1] + piece == text[-len(literals[-1]) - 1 :]:
                literals[-1] += piece
            elif kind is op.LITERAL:
                literals.append(piece)
            starts.append(starts[-1] + piece)
        return text

    def one(kind: Any, value: Any) -> str:
        if kind is op.LITERAL:
            return chr(value)
        if kind is op.NOT_LITERAL:
            return next(each for each in SAMPLES if ord(each) != value)
        if kind is op.ANY:
            return "a"
        if kind is op.IN:
            return member(value if value[0][0] is op.NEGATE else [random.choice(value)])
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            low, _, inner = value
            before, piece = starts[-1], walk(inner)
            repeated.extend((before, each) for each in {piece, *("\n" for _ in piece if piece == " ")})
            return piece * (min(low, 3) or random.choice((0, 1)))
        if kind is op.SUBPATTERN:
            return walk(value[-1])
        if kind is op.ATOMIC_GROUP:
            return walk(value)
        if kind is op.BRANCH:
            return walk(random.choice(value[1]))
        if kind in (op.ASSERT, op.ASSERT_NOT):
            walk(value[1])
        return ""

    walk(parser.parse(pattern, flags))
    return Shape(tuple(starts), tuple(literals), tuple(repeated))


def member(items: list[Any]) -> str:
    if items[0][0] is op.NEGATE:
        spelled = "".join(member([each]) for each in items[1:])
        return next(
            each for each in SAMPLES if each not in spelled and not any(within(each, i) for i in items[1:])
        )
    kind, value = items[0]
    if kind is op.LITERAL:
        return chr(value)
    return chr(value[0]) if kind is op.RANGE else CATEGORIES[value]


def within(letter: str, item: Any) -> bool:
    kind, value = item
    if kind is op.RANGE:
        return value[0] <= ord(letter) <= value[1]
    if kind is op.CATEGORY:
        name = str(value)
        found = (
            letter.isdigit()
            if "DIGIT" in name
            else letter.isspace()
            if "SPACE" in name
            else letter.isalnum() or letter == "_"
        )
        return found != ("NOT" in name)
    return kind is op.LITERAL and ord(letter) == value


def attacks(shape: Shape, size: int) -> Iterator[str]:
    """Texts of about this size: a unit again and again, or a start and then what the pattern repeats."""
    words = (*shape.literals, *(unit for _, unit in shape.repeated), *shape.starts)
    for unit in sorted({*words, *(each + " " for each in shape.literals), " ", "\n", "a", "a "} - {""}):
        yield (unit * (size // len(unit) + 1))[:size]
    for start, unit in shape.repeated:
        yield start + unit * (size // max(1, len(unit))) + "\0"


def seconds(used: Used, text: str) -> float:
    pattern = re.compile(used.pattern, used.flags)
    started = time.process_time()
    if used.anchored:
        pattern.match(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - started


SIZES = (500, 2_000, 8_000)
GROWTH = 4
SLOW_SECONDS = 0.002  # what so few letters may take before we look more closely


def holding(used: Used) -> str:
    """The start of a text that would hold the process, if there is one."""
    shape = shape_of(used.pattern, used.flags)
    for texts in zip(*(attacks(shape, size) for size in (SIZES[0] // GROWTH, *SIZES)), strict=True):
        taken = seconds(used, texts[0])
        for short, long in itertools.pairwise(texts):
            before, taken = taken, seconds(used, long)
            # A machine that does something else for a moment does so once; a pattern that is slow is so each time.
            if not (is_linear(before, taken) or any(stays_linear(used, short, long) for _ in range(4))):
                return long[:60]
    return ""


def is_linear(few: float, many: float) -> bool:
    """Whether four times the text takes about four times as long; a slow machine slows down both."""
    return many < max(few * GROWTH * 2, SLOW_SECONDS)


def stays_linear(used: Used, short: str, long: str) -> bool:
    """The same, looked at more closely."""
    few = min(seconds(used, short) for _ in range(3))
    return is_linear(few, min(seconds(used, long) for _ in range(2)))


@pytest.mark.parametrize("used", all_patterns(), ids=lambda used: used.where)
def test_every_pattern_takes_time_in_proportion(used):
    assert holding(used) == ""


@pytest.mark.parametrize(
    "pattern", [r"\s*x", r"<!--.*?-->", r"secret=(?=\S*[0-9])", r"[a-z]+=", r"(?:a|b)*c", r"\[x[^\]]*\]"]
)
def test_a_pattern_that_would_hold_the_process_is_noticed(pattern):
    assert holding(Used("here", pattern, re.DOTALL, anchored=False))


# The same from end to end: what was seen to hold a hook, a server or a check


MOST_SECONDS = 3.0  # of the processor; each took from 4 to 60


@pytest.fixture
def at_once():
    """The test must not take longer than an eye notices, however slow the machine is."""
    started = time.process_time()
    yield
    assert time.process_time() - started < MOST_SECONDS


def test_words_that_announce_a_secret_again_and_again_are_read_at_once(at_once):
    text = "secret=" * 14_000

    assert redact(text) == text
    assert findings(text) == ()


@pytest.mark.parametrize("text", ["no " * 13_000, "<!-- " * 40_000, "drop no " * 5_000])
def test_rules_that_repeat_one_word_are_checked_at_once(text, at_once):
    pieces = split_pieces(text)
    intent = intent_of("We remove the cache, and use no lock")

    assert pieces
    assert [standing_against(intent, piece.text, lambda _: False) for piece in pieces] == [""] * len(pieces)
    assert intent_of(text)


@pytest.mark.parametrize("mark", ["*", " ", "#", "> ", "\n"])
def test_a_decision_that_repeats_one_sign_is_read_at_once(mark, at_once):
    assert parse_decision("docs/adr/001-one.md", f"# One\n\n{mark * 20_000}\n").title == "One"


@pytest.mark.parametrize("mark", ["\n", " ", "# ", "## x \n", "[NEEDS CLARIFICATION ", "verdict ", "- FR-1 "])
def test_a_gate_reads_a_text_that_repeats_one_sign_at_once(mark, at_once):
    document = GateDocument("spec.md", f"# Spec\n\nWords.\n{mark * (20_000 // len(mark))}")
    list(check_text(document))
    list(check_requirements(document))

    assert verdict_of(document.text) == ""


@pytest.mark.parametrize("mark", ["<a ", "<!-- ", "<a b='", "<p>", "</p ", '<a b="<" '])
def test_a_page_that_repeats_half_a_tag_is_read_at_once(mark, at_once):
    assert page_text(f"<p>Words.</p>{mark * 7_000}").startswith("Words.")


def test_learnings_below_many_headings_are_read_at_once(at_once):
    assert learnings("## Key Learnings:\n\n" * 5_000 + "1.\n" * 3_000 + "\n" * 20_000) == ()


@pytest.mark.parametrize("text", ["no redis " * 4_400, "<!-- " * 40_000])
def test_a_file_of_rules_that_repeats_itself_does_not_hold_a_check(world, text, at_once):
    world.write("AGENTS.md", text)

    assert world.modicum("check", "use redis").code == 0
