"""Finds the paths and commands of the repository that a rule speaks of as if they were there. Pure."""

import re
import shlex
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from modicum.text.rules.repository.manifests import COMPOSER, JUST, MAKE, NODE, POE
from modicum.text.rules.rules import CodeLine, Rule, RulePlace
from modicum.text.rules.statements import is_history

PATH = "path"


class Mention(NamedTuple):
    """A path or a command that a rule mentions, and where."""

    kind: str  # PATH, or the program that should know the command
    name: str
    place: RulePlace
    text: str
    shown: str = ""  # a command as it is typed


_SPAN = re.compile(
    r"(?<!`)(?P<ticks>`{1,3}+)(?P<code>[^`]{1,200}+)(?P=ticks)|\]\((?P<link>[^()\s]{1,200})\)|(?<![\w/.:@~`\\-])(?P<plain>[\w.-]+(?:/[\w.-]+)+\.[A-Za-z]\w{0,4})(?![\w/`])"
)
_MADE = re.compile(
    r"(?i)\b(?:creat\w*|adds?|adding|generat\w*|emit\w*|produc\w*|(?<!-)writ\w*|sav(?:e|es|ed|ing)|outputs?|stor(?:e|es|ed)|dump\w*|export\w*|put|places?|lands?|goes|go|renam\w*"
    r"|new|mov(?:e|es|ed)|becom\w*|call(?:ed)?|nam(?:e|ed)|copy \S{1,80} (?:to|as)|cp \S{1,80}|like|such as|e\.g\.|for example|example|look like|match\w*|pattern|prefix\w*|starts? with"
    r"|redirect\w*|route|routes?|endpoint|url|branch(?:es)?|tags?|topics?|image|ref|import|from npm|package)\b[^.;,]{0,40}$"
)
_NOT_THERE = re.compile(
    r"(?i)\b(?:does not exist|doesn['’]t exist|if (?:it|there|one|they)\b[^,]{0,40}\b(?:exist|missing|present|is)|not (?:yet )?(?:exist|there)|gitignored?|ignored|git-ignored|build output|artefacts?|artifacts?|"
    r"(?:is|are|gets?) (?:generated|created|written|built|produced|downloaded)|removed|deleted|deprecated|optional|each|every|per (?:package|module|folder)|your own|branch(?:es)?|planned|will (?:be|move)|after (?:the |a )?build|(?:other|another|separate) repo(?:sitory)?|submodule|on the (?:server|device|host)|in(?:side)? the (?:container|image))\b"
)
_NEVER_MADE = re.compile(
    r"(?i)\b(?:never|do not|don['’]t|must not|no)\b[^.;]{0,30}\b(?:commit|create|add|check in|push|write|put|introduce|upload|log|print|share|expose|leak)\b"
)
_UNFIT = re.compile(r"[<>{}$*?|=\"'\s()\[\]!%]|\.\.\.|…|://|^[A-Za-z]:/|^[/~@#\\-]|^\.\.(?:/|$)|,")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$")
_POINTS = re.compile(
    r"(?i)\b(?:read|see|follow|consult|refer to|look at|check|described in|documented in|defined in|listed in|according to|details? in|open)\s+(?:the |our |also |file |first )*`?$"
)
_LINE_NUMBER = re.compile(r"(?::\d+(?:-\d+)?|#L?[\w-]+)$")
_OTHERS = frozenset(
    "origin upstream refs feat feature fix release hotfix chore bugfix users application text image audio video font api v1 v2 docker.io ghcr.io github.com".split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
# What programs make when they run, so that it need not be there.
_OUTPUT = frozenset(
    "node_modules dist build out target coverage tmp temp logs log .venv venv .next .nuxt .cache __pycache__ .turbo bin obj vendor .env .env.local .git".split()  # noqa: SIM905 (a table of words reads better than one word a line)
)


def mentions(rules: Iterable[Rule], lines: Iterable[CodeLine] = ()) -> Iterator[Mention]:
    """Yields the paths and commands that rules and blocks of shell code mention as if they were there."""
    for rule in rules:
        if not (is_history(rule.text) or rule.text.endswith("?")):
            yield from _in_rule(rule)
    for line in lines:
        yield from _in_command(line.text, line.place, line.text)


def _in_rule(rule: Rule) -> Iterator[Mention]:
    for found in _SPAN.finditer(rule.text):
        written = (found["code"] or found["link"] or found["plain"]).strip()
        before = rule.text[max(0, found.start() - 80) : found.start()]
        if " " in written:
            yield from _in_command(written, rule.place, rule.text)
        elif not (_MADE.search(before) or _NOT_THERE.search(rule.text) or _NEVER_MADE.search(before)):
            path = _path(written)
            if path and ("/" in path or (found["code"] and _POINTS.search(before))):
                yield Mention(PATH, path, rule.place, rule.text)


def _path(written: str) -> str:
    """A written path in its plain form; "" if it is none, or may well be something else."""
    plain = _LINE_NUMBER.sub("", written.replace("\\", "/")).removeprefix("./")
    if not plain or _UNFIT.search(plain):
        return ""
    first, slash, rest = plain.partition("/")
    if (
        first in _OTHERS
        or (not slash and not _EXTENSION.search(plain))
        or plain.rstrip("/") in _OUTPUT
        or first in _OUTPUT
    ):
        return ""
    if slash and "." in first[1:] and rest:
        return ""  # the name of a host
    if plain.endswith("/") and not rest:
        return ""  # one word with a stroke may be anything
    return plain


_SEPARATORS = re.compile(r"&&|\|\||;|\|")
_ELSEWHERE = re.compile(
    r"^(?:-C|-f|--filter|-F|--prefix|--dir|--cwd|-w|--workspaces?|--file|--directory|-d|--working-dir(?:ectory)?)(?:=|$)"
)
_ASSIGNED = re.compile(r"^\w+=")
_NAME = re.compile(r"^[A-Za-z][\w:.-]*$")
_RUN = ("run", "run-script")
_SCRIPTS = frozenset("test start stop restart".split())  # noqa: SIM905 (a table of words reads better than one word a line)
_NODE_OWN = frozenset(
    """
    add audit autoclean bin build cache ci completion config constraints create dedupe deploy dlx doctor env exec explain fetch fund generate-lock-entry global help
    import info init install i ini link list licenses ll login logout ls node npm outdated owner pack patch patch-commit pkg plugin policies prefix prune publish
    rebuild rb recursive remove rm root search self-update server set setup store tag team unlink uninstall un unplug up update upgrade upgrade-interactive version
    versions view whoami why workspace workspaces x why-not t tst it cit approve-builds ignored-builds catalog bunx repl upgrade
    tsc eslint prettier vitest jest playwright cypress vite next turbo nx tsx ts-node biome webpack rollup esbuild storybook husky lint-staged changeset prisma drizzle-kit
    astro svelte-kit nuxt lerna typedoc madge knip commitlint semantic-release rimraf concurrently nodemon pm2 mocha ava karma tailwindcss wrangler
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
_COMPOSER_OWN = frozenset(
    "install update require remove dump-autoload dumpautoload validate show outdated audit create-project global exec run init self-update status why why-not bump licenses search diagnose clear-cache config archive about".split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
_INTERPRETERS = frozenset(
    "python python3 node bash sh zsh ruby php perl tsx ts-node lua Rscript julia deno".split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
_MAKERS = {"make": MAKE, "gmake": MAKE, "just": JUST, "poe": POE}


def _in_command(code: str, place: RulePlace, text: str) -> Iterator[Mention]:
    for part in _SEPARATORS.split(code):
        words = _words(part)
        if words and words[0] in ("cd", "pushd"):
            return  # what follows runs elsewhere
        if words and not any(map(_ELSEWHERE.match, words)):
            yield from (each._replace(place=place, text=text) for each in _wanted(words))


def _words(part: str) -> list[str]:
    try:
        words = shlex.split(part)
    except ValueError:  # a quotation that does not end
        return []
    while words and (_ASSIGNED.match(words[0]) or words[0] in ("$", "sudo", "time")):
        words.pop(0)
    return words


def _wanted(words: list[str]) -> Iterator[Mention]:
    program, rest = words[0], [word for word in words[1:] if not word.startswith("-")]
    first = rest[0] if rest else ""
    if program in ("npm", "pnpm", "yarn", "bun"):
        yield from _script(program, rest)
    elif program in _MAKERS:
        targets = rest if program != "just" else rest[:1]
        yield from (
            _command(_MAKERS[program], each, program)
            for each in targets
            if _NAME.match(each) and "=" not in each
        )
    elif program == "composer" and first and first not in _COMPOSER_OWN and _NAME.match(first):
        yield _command(COMPOSER, first, program)
    elif (program in _INTERPRETERS and first and (path := _path(first)) and _EXTENSION.search(path)) or (
        program.startswith("./") and (path := _path(program))
    ):
        yield Mention(PATH, path, RulePlace(""), "")


def _script(program: str, rest: list[str]) -> Iterator[Mention]:
    runs = bool(rest) and rest[0] in _RUN
    name = (rest[1] if len(rest) > 1 else "") if runs else rest[0] if rest else ""
    if not _NAME.match(name) or _EXTENSION.search(name):
        return
    if (
        runs
        or (program in ("pnpm", "yarn") and name not in _NODE_OWN)
        or (program != "bun" and name in _SCRIPTS)
    ):
        yield _command(NODE, name, f"{program} run" if runs else program)


def _command(kind: str, name: str, program: str) -> Mention:
    return Mention(kind, name, RulePlace(""), "", f"{program} {name}")
