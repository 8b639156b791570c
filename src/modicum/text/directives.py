"""Finds the instructions in a Markdown text: the sentences that tell a reader to do or not to do something. Pure.

Rules of English only, so that a person can say why a sentence counts. Headings, code and comments are not instructions.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from modicum.text.prose import markdown_parser

# How many instructions agents are usually said to follow well; beyond, each one costs the others.
USUAL_BOUND = 150

VERBS = frozenset(
    """
    abort accept access acknowledge act adapt add address adhere adjust adopt advance affirm align allow analyse analyze
    animate annotate announce anonymise anonymize answer append apply approve archive ask assemble assert assign assume attach
    audit authenticate authorise authorize automate avoid await back backup base batch begin benchmark bind block break bring
    build bump bundle cache calculate call cancel capture catch certify change check choose cite clamp classify clean cleanse
    cleanup clear clone close coalesce collaborate collapse collect combine comment commit communicate compare compile
    complete compose compress compute concatenate configure confirm connect consider construct consult contact contain
    continue convert coordinate copy correct count cover create crop cross-check customise customize cut debounce debug decide
    declare decode decouple decrease dedupe deduplicate default defer define delegate delete demonstrate deploy deprecate
    derive describe design destructure detect determine develop diff differentiate disable discard discover discuss dispatch
    display dispose distinguish divide do document don't double-check download draft draw drive drop duplicate edit elaborate
    embed emit emphasise emphasize enable encapsulate encode encourage encrypt end enforce ensure enter enumerate escape
    establish estimate evaluate examine exclude execute exercise exit expand expect explain explore export expose express
    extend extract extrapolate fail favor favour feature-flag fetch fill filter finalise finalize find finish fix flag flush
    focus follow force forget format free freeze gate gather generate get give go grant grep group guard handle hash hide
    highlight hoist hold honor honour host hydrate identify ignore illustrate implement import improve include increase
    increment indent index infer inform inherit initialise initialize inject inline insert insist inspect install instruct
    instrument intercept interpret introduce invalidate investigate invite invoke isolate issue iterate join judge justify
    keep label launch lay lazy-load lead learn leave let leverage lift limit link lint list load localise localize lock log
    look lower lowercase maintain make manage manipulate map mark match measure memoise memoize mention merge migrate mind
    minify minimise minimize mirror mock model modify monitor mount move name narrow negotiate nest normalise normalize
    notarize note notify obey observe obtain offer omit open optimise optimize order organise organize output override
    overwrite own pack paginate parameterise parameterize parse partition pass paste patch pause perform persist pick pin ping
    pipe place plan pluralise pluralize point poll populate post prefer prefix preload prepare present preserve press pretend
    prevent preview print prioritise prioritize process produce profile propagate propose protect prototype prove provide
    prune publish pull purge push put quarantine query quote raise rate re-export re-read re-run re-use reach read reason
    rebase rebuild receive recheck recommend reconcile reconsider record recover recreate recycle redact redirect reduce
    refactor refer reference refine reflect refresh refuse regard regenerate register reindex reject release reload relocate
    rely remember remove rename render reopen repaint repair repeat replace reply report reproduce republish request require
    rerun reserve reset resize resolve respect respond restart restate restore restrict restructure retain retest rethrow
    retrieve retry return reuse reverse revert review revisit rewrite roll rotate round route run sample sanitise sanitize
    save scan schedule scope seal search see seed select send separate sequence serialise serialize serve set shard share ship
    shorten show shrink sign silence simplify simulate size sketch skip slice smoke-test snapshot solve sort spawn specify
    spell split squash stabilise stabilize stage stamp standardise standardize start stash state stay stick stop store stream
    strip structure stub submit suggest summarise summarize support suppress surface swap sweep switch sync tackle tag take
    tar target teach tell terminate test think thread throttle throw tidy touch trace track transform translate traverse treat
    trigger trim truncate trust try tune turn type type-check understand undo unify uninstall unit-test unwrap update upgrade
    upload uppercase use utilise utilize validate value vary vectorise vectorize vendor verify version view visit wait walk
    warn watch wipe wire work wrap write yield zip
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
_ADVERBS = r"(?:please|always|also|only|just|instead|otherwise|then|first|next|finally|generally|usually|ideally|where possible|if possible)"
_LEADING = re.compile(rf"(?i)(?:[^\w`]+|{_ADVERBS}\b(?!\s+(?:is|are|one|the)\b)[\s,:]*)+")
_LABEL = re.compile(r"[^:.!?`]{1,60}:\s+")
_CONDITION = re.compile(
    r"(?i)(?:if|when|whenever|before|after|for|in|on|unless|while|with|where|once|as|to|during|until|at|by|from|under|inside|outside)\b"
    r"[^.,]*?[,:]\s*"
)
_OBLIGES = re.compile(
    r"(?i)\b(?:must|shall|should|never|always|ought to|(?:need|needs|have|has) to|do not|don['’]t|make sure|be sure|ensure|avoid"
    r"|(?:is|are|be|remains?) (?:strictly |always |absolutely )?(?:forbidden|prohibited|banned|required|mandatory|disallowed|off[- ]limits|preferred"
    r"|not (?:allowed|permitted|acceptable|an option))|may not|may only|can only|cannot be|not allowed|under no circumstances"
    r"|may [\w ]{1,24} only)\b"
)
# "Each bug gets a test": what holds for all of a kind is meant as a rule.
_FOR_ALL = re.compile(
    r"(?i)(?:every|each|all|any|new|one)\b[^.;:]{1,60}?\b(?:needs?|gets?|go(?:es)? (?:to|in|into|through)|comes? from|per)\b"
)
_BARE = re.compile(r"(?i)(?:no|only|zero|be|not)\b\s+(?!longer\b|one\b)[\w`'\"*]")
_FORBIDS = re.compile(
    r"(?i)\b(?:never|do not|don['’]t|(?:must|shall|should|may) not|(?:must|should)n['’]t|cannot|can['’]t|avoid|forbidden|prohibited|banned|disallowed"
    r"|off[- ]limits|not (?:allowed|permitted|acceptable|an option)|under no circumstances|refrain from)\b"
)
_FORGETS = re.compile(
    r"(?i)\b(?:never|do not|don['’]t|must not|should not)\s+(?:forget|hesitate|fail|neglect|omit)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"')\]*_]*\s+(?=[\"'(\[*_`]*[^\W_a-z]|[`*_])|(?<=;)\s+")
_ABBREVIATED = re.compile(r"(?i)(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|fig|incl|max|min)|\b[A-Z])\.$")
_EMPHASIS = re.compile(r"[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}")
_CODE = re.compile(r"`+[^`]*`+")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


class Sentence(NamedTuple):
    """A sentence of a Markdown text that may be a directive, not in headings, code and comments, and its line, from 1 on."""

    text: str
    line: int


def sentences(markdown: str) -> Iterator[Sentence]:
    """Yields the sentences of a Markdown text that may be directives: of paragraphs, list items and table cells, in order."""
    heading = False
    for token in markdown_parser().parse(markdown):
        if token.type == "heading_open":
            heading = True
        elif token.type == "inline":
            if not heading and token.map:
                yield from split_sentences(token.content, token.map[0] + 1)
            heading = False


def directives(markdown: str) -> tuple[Sentence, ...]:
    """Returns the directives of a Markdown text: the sentences that tell a reader to do or not to do something."""
    return tuple(each for each in sentences(markdown) if is_directive(each.text))


def is_directive(sentence: str) -> bool:
    """Tells whether a sentence is a directive: it obliges ("must", "never") or begins with a verb that commands."""
    words = _CODE.sub("`code`", _EMPHASIS.sub("", sentence))
    if _is_question(words):
        return False
    return bool(_OBLIGES.search(words)) or any(map(_commands, _beginnings(words)))


def forbids(sentence: str) -> bool:
    """Tells whether a directive says what not to do; "do not forget to" says what to do."""
    words = _CODE.sub("`code`", _EMPHASIS.sub("", sentence))
    without = _FORGETS.sub("", words)
    return bool(_FORBIDS.search(without) or re.match(r"(?i)\W*no\s", without))


def split_sentences(text: str, line: int) -> Iterator[Sentence]:
    """Yields the sentences that may be directives in a paragraph of Markdown, which starts on a line."""
    start = 0
    for end, after in (*_ends(text), (len(text), len(text))):
        words = text[start:end].split()
        at = text.index(words[0], start) if words else end
        line += text.count("\n", start, at)
        if words:
            yield Sentence(" ".join(words), line)
        line += text.count("\n", at, after)
        start = after


def _ends(text: str) -> Iterator[tuple[int, int]]:
    masked = _CODE.sub(lambda found: "`" + "c" * (len(found[0]) - 2) + "`", text)
    for found in _SENTENCE_END.finditer(masked):
        if not _ABBREVIATED.search(masked[max(0, found.start() - 12) : found.start()]):
            yield found.span()


def _is_question(words: str) -> bool:
    return words.rstrip(" \"')").endswith("?")


def _beginnings(words: str) -> Iterator[str]:
    """Yields where a command may begin: the sentence, and what follows its label or its condition."""
    start = _after(_LEADING, words)
    yield start
    if label := _LABEL.match(start):
        yield _after(_LEADING, start[label.end() :])
    if condition := _CONDITION.match(start):
        yield _after(_LEADING, start[condition.end() :])


def _after(pattern: re.Pattern[str], words: str) -> str:
    found = pattern.match(words)
    return words[found.end() :] if found else words


def _commands(words: str) -> bool:
    if _BARE.match(words) or _FOR_ALL.match(words):
        return True
    found = _WORD.match(words)
    first = found[0] if found else ""
    return first.lower() in VERBS and not _names_a_thing(words[len(first) :])


def _names_a_thing(rest: str) -> bool:
    """Tells whether what follows a word shows that it is no verb here: "Build is slow", "Test: …", "Use of …"."""
    return bool(
        re.match(
            r"\s*(?:$|[:=|—–]|-\s|, [\w-]+\.?$"
            r"|(?:is|are|was|were|has|have|will|can|of|runs?|takes?|lives?)\b|[\w-]+s (?:is|are|was|were|comes?|have)\b)",
            rest,
        )
    )
