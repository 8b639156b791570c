"""Takes an instruction apart into statements: what it demands or allows, and what it forbids, in words. Pure; English only."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from modicum.search.terms import stem
from modicum.text.directives import VERBS
from modicum.text.rules.words import LIGHT, content_words, word_stems

MOST_CLAUSES = 40  # of one sentence: what has more is no sentence
_LONGEST = 1_000  # characters of a sentence that are looked at


class Statement(NamedTuple):
    """A statement: what one clause of an instruction demands or forbids, the words that it is about, and its verb."""

    forbids: bool
    words: frozenset[str]
    verb: str = ""  # a stem; "" for a verb that only carries its object
    derived: bool = False  # from a verb's opposite: "keep" forbids to remove
    strict: bool = True  # "never" and "must not" forbid; "not" and "without" may only tell
    mild: bool = False  # it only prefers something else
    excepted: bool = False  # it holds with exceptions: "unless", "apart from"
    guessed: bool = False  # the first word may be a verb that commands, or it may not


_MARK = "\ue000"
_CODE = re.compile(r"(?<!`)`{1,3}+[^`]{1,300}+`{1,3}+")
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|~~")
_HISTORY = re.compile(
    r"(?i)\b(?:used to\b|until (?:19|20)\d\d|up to version|was|were|moved|chosen|chose|switched|no longer|formerly|previously|historically"
    r"|given up|gave up|in the past|at first|originally|migrated|deprecated since|(?:19|20)\d\d\s?:|had been)"
)
_QUOTED = re.compile(r"[\"“«][^\"”»]{0,200}[\"”»]")
_LEAD_IN = re.compile(
    r"(?i)(?:[^\w`❌✅✗✓🚫]+|(?:please|always|also|just|then|first|next|finally|generally|usually|ideally|so|and|important|note|rule|remember)\b[\s,:]*"
    r"|(?:❌|✗|🚫|✅|✓)\s*(?=[❌✗🚫✅✓]))+"
)
_CONDITION = re.compile(
    r"(?i)(?:if|when|whenever|before|after|for|in|on|unless|while|with|where|once|during|until|at|by|from|under|inside|outside"
    r"|as long as|as soon as|except)\b[^,:]{1,120}[,:]\s+"
)
_CONNECTED = re.compile(
    r"(?i)(?:in|for|on|at|during|while|when|where|if|unless|until|once|after|before|inside|outside|within|apart|except|including)\b"
)
_ENDS = re.compile(
    r"(?i)[,;:] | [—–-]{1,2} | (?=(?:but|because|since|so that|so)\b)| and (?=(?:do not|don['’]t|never|not|avoid)\b)"
    r"| (?=(?:that|which|who) (?:can|cannot|could|may|might|must|is|are|do|does|has|have|will|would)\b)"
)
_RELATIVE = re.compile(r"(?i)(?:that|which|who)\b")
_FILLERS = re.compile(r"(?i)^(?:but|because|since|so that|so|and|then|or|instead)\b[\s,]*")
_ASIDE = re.compile(r" ?\([^()]{0,200}+\)")
# Who or what "they" are stands elsewhere; "not running it" and "there is" tell, and rule nothing.
_TELLS = re.compile(r"(?i)(?:they|it|these|those|this|he|she|there|here)\b|not \w+ing\b")
_EXCEPTED = re.compile(
    r"(?i)\b(?:unless|except|apart from|other than|outside(?: of)?|aside from|besides|beyond|reserved for|only (?:if|when|for|in|after|by|with)|by default)\b"
)
_ANY_SIZE = re.compile(r"(?i)\bof (?:any|every|all) (?:size|kind|sort|type)s?\b")
_NEGATED_VERB = re.compile(
    r"(?i)\b(?:never|do(?:es)? not|don['’]t|doesn['’]t|(?:must|shall|should|may|can|will) ?not|(?:must|should|can|won)['’]?n?['’]t|cannot|avoid|refrain from|not allowed to"
    r"|not to|under no circumstances|on no account|refuse to|reject|ban|forbid|prohibit|decided against|move away from|no longer|no|not)(?:\s+ever)?\b"
)
# What is negated in such a clause is not forbidden: "ask when you do not know".
_SUBORDINATE = re.compile(r"(?i) (?:when|whenever|if|where|while|until|once|unless) ")
_WEAK = re.compile(r"(?i)does not|doesn['’]t|will not|won['’]t|cannot|can ?not|can['’]t|no longer|no|not")
_FORBIDDEN = re.compile(
    r"(?i)\b(?:is|are|remains?) (?:strictly |absolutely |always )?(?:forbidden|prohibited|banned|disallowed|off[- ]limits|out of scope|unacceptable"
    r"|not (?:allowed|permitted|acceptable|accepted|an option|welcome|ok|okay))\b(?! to\b)"
)
_FORGETS = re.compile(
    r"(?i)\b(?:never|do not|don['’]t|must not|should not)\s+(?:forget|hesitate|fail|neglect|omit)\s+(?:to\s+)?"
)
_NOT_ONLY = re.compile(
    r"(?i)\bnot (?:only|just|necessarily|yet|sure)\b|\bno (?:matter|doubt|more than|less than|later than|earlier than)\b|\bnot (?:more|less|later|fewer) than\b"
)
_NO_NEED = re.compile(
    r"(?i)\b(?:(?:do(?:es)? not|don['’]t|doesn['’]t|need) (?:need|require|not)(?: to)?|needs? no|no need (?:to|for)|(?:is|are) (?:not (?:required|needed|necessary|mandatory)|optional|unnecessary))\b"
)
_WITHOUT = re.compile(r"(?i)\bwithout\s+(?=\S)")
_INSTEAD = re.compile(r"(?i)\b(?:instead of|rather than|in place of|over)\s+(?=\S)")
_PREFERS = re.compile(r"(?i)\bprefer(?:red)?\b")
_MARKED = re.compile(
    r"(?i)\s*(?:(?P<bad>❌|✗|🚫|(?:bad|wrong|don['’]?ts?|never|avoid)\s*:)|(?:✅|✓|(?:good|right|correct|do)\s*:))\s*"
)
_MODAL = re.compile(
    r"(?i)\b(?:must|shall|should|may|can|will|(?:need|needs|has|have|ought) to|always)\s+(?:always |also |only |then |be |have |to )*(?P<verb>[a-z-]+)"
)
_TOGETHER = re.compile(r"(?i)^(?:we|you)\s+(?:always |also |only )*(?P<verb>[a-z-]+)")
_PLACED = re.compile(
    r"(?i)^(?:in|for|on|at|under|inside|during|within|with)\s+(?:\S+\s+){1,4}?(?P<verb>use|call|run|prefer|write|add|keep|put|create|commit|push|log|set)\b"
)
_PASSIVE = re.compile(
    r"(?i)\b(?:is|are|be|gets?|stays?|remains?)\s+(?:always |also |only |then |automatically |strictly )*(?P<verb>[a-z-]+)"
)
_PARTICIPLE = re.compile(
    r"(?i)\w+ed|\w{2,}en|run|put|set|built|kept|sent|read|made|done|held|left|shown|known|thrown|drawn|cut|split|let|given|final|mandatory|obligatory|fine|ok(?:ay)?|welcome|acceptable|required|optional|good|encouraged"
)
_ACTIVE = re.compile(
    r"(?i)^(?:the |a |an |every |each |all |our |new )?(?:[\w`'’./-]+\s+){1,5}?(?P<verb>use|uses|take|takes|have|has|go|goes|need|needs|require|requires|follow|follows|live|lives|belong|belongs|come|comes)\b"
)
_SUBJECT = re.compile(r"(?i)(?P<subject>(?:[\w`'’-]+\s+){1,4}?)(?:can|may|must|should|shall|will)\b")
# What others do is not asked of the reader.
_OTHER_ACTOR = re.compile(
    r"(?i)(?:only )?(?:the |a |an |our |your |every )?(?:users?|maintainers?|owners?|admin(?:istrator)?s?|reviewers?|humans?|people|bots?|ci|scripts?|pipelines?|release managers?"
    r"|customers?|clients?|developers?|hooks?|servers?|operators?)\s+(?:can|may|must|should|will|[a-z]+s)\b"
)
_FIRST_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_LIGHT_STEMS = LIGHT | {stem(word) for word in ("allow", "prefer", "require", "permit", "welcome", "accept")}
_NEGATIVE_HEADING = re.compile(
    r"(?i)\W*(?:do not|don['’]?ts?\b|never\b|avoid\b|forbidden|prohibited|anti-?patterns?|what not to)"
)
# What is listed under these happened, and is no rule.
_TELLING_HEADING = re.compile(
    r"(?i)\b(?:(?:common )?mistakes?|pitfalls?|gotchas?|history|known (?:issues|problems))\b"
)
# To demand the one is to forbid the other.
_OPPOSITE_VERBS = {
    "disable": ("enable",),
    "enable": ("disable",),
    "hide": ("show",),
    "keep": ("remove", "delete", "drop"),
    "omit": ("",),
    "skip": ("run", ""),
    "exclude": ("include",),
    "leave": ("remove", "delete"),
}


def statements(sentence: str, *, under: str = "") -> tuple[Statement, ...]:
    """Returns the statements of a sentence, what it demands and forbids; none of a question, or of one that tells how things were.

    `under` are the headings above it, the innermost last.
    """
    plain, codes = _without_code(" ".join(sentence[:_LONGEST].split()))
    heading = under.rpartition(". ")[2]
    if is_history(plain) or _TELLING_HEADING.search(heading) or plain.rstrip(" \"')").endswith("?"):
        return ()
    condition, clauses = _clauses(_ASIDE.sub(" ", plain))
    negative = bool(_NEGATIVE_HEADING.match(heading))
    found = (each for clause in clauses for each in _stated(clause, condition, negative=negative))
    return tuple(each._replace(words=_with_code(each.words, codes)) for each in found)


def may_be_negative(text: str) -> bool:
    """Returns False if surely no statement of a text forbids anything."""
    return bool(
        _NEGATED_VERB.search(text)
        or _FORBIDDEN.search(text)
        or _WITHOUT.search(text)
        or _INSTEAD.search(text)
    )


def is_history(sentence: str) -> bool:
    """Returns True for a sentence that makes no statement, as it tells how things were, or came about."""
    return bool(_HISTORY.search(sentence))


def _without_code(sentence: str) -> tuple[str, list[str]]:
    """A sentence without emphasis and quotations, in which a number stands for each piece of code."""
    codes: list[str] = []

    def numbered(found: re.Match[str]) -> str:
        codes.append(next(word_stems(found[0]), ""))
        return f"`{_MARK}{len(codes) - 1}`"

    plain = _CODE.sub(numbered, sentence)
    return _QUOTED.sub(" ", _EMPHASIS.sub("", plain)), codes


def _with_code(words: frozenset[str], codes: list[str]) -> frozenset[str]:
    return frozenset(codes[int(word[1:])] if word.startswith(_MARK) else word for word in words)


def _after_lead_in(text: str) -> str:
    found = _LEAD_IN.match(text)
    return text[found.end() :] if found else text


def _clauses(plain: str) -> tuple[str, list[str]]:
    """The condition of a sentence, and its clauses; a clause that only adds a place or a time belongs to the one before."""
    start = _after_lead_in(plain)
    found = _CONDITION.match(start)
    condition = found[0] if found else ""
    clauses: list[str] = []
    for part in _ENDS.split(_ANY_SIZE.sub(" ", start[len(condition) :]), maxsplit=MOST_CLAUSES):
        if _RELATIVE.match(part):
            continue
        if clauses and _CONNECTED.match(part):
            clauses[-1] = f"{clauses[-1]} {part}"
        elif part.strip():
            clauses.append(part)
    return condition, [*_with_subjects(_rejoined(clauses))]


def _with_subjects(clauses: list[str]) -> Iterator[str]:
    """The clauses, with the subject of the first one before each that goes on without: "Guests can read, but never write"."""
    subject = ""
    for at, clause in enumerate(clauses):
        found = _SUBJECT.match(clause)
        goes_on = at and _NEGATED_VERB.match(_FILLERS.sub("", clause))
        yield f"{subject} {_FILLERS.sub('', clause)}" if goes_on and subject else clause
        subject = found["subject"] if found else "" if not goes_on else subject


def _rejoined(clauses: list[str]) -> list[str]:
    """Puts the place of a clause "use X, not Y, in Z" behind both of its halves."""
    for at in range(1, len(clauses)):
        if re.match(r"(?i)not\b", clauses[at]) and (place := _tail(clauses[at])):
            clauses[at - 1] += f" {place}"
    return clauses


def _tail(clause: str) -> str:
    found = re.search(r"(?i)\s(?:in|for|on|at|during)\s.*", clause)
    return found[0] if found else ""


def _stated(clause: str, condition: str, *, negative: bool) -> Iterator[Statement]:
    marked = _MARKED.match(clause)
    sign = bool(marked["bad"]) if marked else negative or None
    clause = _FILLERS.sub("", _after_lead_in(clause[marked.end() :] if marked else clause))
    if _TELLS.match(clause):
        return
    around = content_words(condition)
    excepted = bool(_EXCEPTED.search(clause) or _EXCEPTED.search(condition))
    for each in _both(_NOT_ONLY.sub(" ", clause), sign):
        if each.words:
            yield each._replace(excepted=each.excepted or excepted, words=each.words | around)


def _both(clause: str, sign: bool | None) -> Iterator[Statement]:
    """What a clause says to do, and what it says not to do in the same breath: "X instead of Y", "X without Y"."""
    instead = _INSTEAD.search(clause)
    if instead and (instead[0].strip().lower() != "over" or _PREFERS.search(clause)):
        rejected = clause[instead.end() :]
        yield Statement(True, content_words(rejected), _verb(rejected), strict=False, mild=True)
        clause = clause[: instead.start()]
    without = _WITHOUT.search(clause)
    if without and not _is_negated(clause[: without.start()]):
        lacking = clause[without.end() :]
        words = content_words(f"{lacking} {clause[: without.start()]}")
        yield Statement(True, words, _verb(lacking, gerund=True), strict=False)
        clause = clause[: without.start()]
    elif without:
        # "No import without a checksum" demands the checksum, and forbids to import with an exception.
        main = clause[: without.start()]
        yield Statement(False, content_words(clause.replace(without[0], " ")))
        yield Statement(True, content_words(main), mild=True, excepted=True)
        return
    yield from _one(clause, sign)


def _is_negated(clause: str) -> bool:
    return bool(_NEGATED_VERB.search(_FORGETS.sub("", clause)) or _FORBIDDEN.search(clause))


def _one(clause: str, sign: bool | None) -> Iterator[Statement]:
    """What is left of a clause: one statement. `sign` is set where a mark or the heading says if it is forbidden."""
    clause = _FORGETS.sub("", clause)
    if passive := _NO_NEED.search(clause) or _FORBIDDEN.search(clause):
        both = f"{clause[: passive.start()]} {clause[passive.end() :]}"
        yield Statement(True, content_words(both), _verb(clause[: passive.start()], gerund=True))
        return
    if negated := _NEGATED_VERB.search(_SUBORDINATE.split(clause, maxsplit=1)[0]):
        yield _negated(clause, negated)
        return
    verb = _demanded(clause)
    if sign is True:
        yield Statement(True, content_words(clause), verb or "")
    elif verb is not None or sign is False:
        yield Statement(False, content_words(clause), verb or "")
        yield from _opposed(clause)
    elif first := _FIRST_WORD.match(clause):
        yield Statement(False, content_words(clause), _heavy(first[0]) or first[0].lower(), guessed=True)


def _negated(clause: str, negated: re.Match[str]) -> Statement:
    after = clause[negated.end() :]
    words = content_words(f"{clause[: negated.start()]} {after}")
    bare = re.match(r"(?i)(?:no|not)$", negated[0])
    return Statement(
        True,
        words,
        "" if bare else _verb(after),
        strict=not _WEAK.fullmatch(negated[0]) or bool(bare and not negated.start()),
    )


def _demanded(clause: str) -> str | None:
    """The verb of a clause that demands or allows something, "" for one that only carries its object; None if it does not."""
    first = _FIRST_WORD.match(clause)
    if (
        first
        and first[0].lower() in VERBS
        and not re.match(r"\s+(?:is|are|has|have|can|must|should|may|goes|take)\b", clause[first.end() :])
    ):
        return _heavy(first[0])
    if _OTHER_ACTOR.match(clause):
        return None
    for pattern in (_TOGETHER, _PLACED, _MODAL, _PASSIVE, _ACTIVE):
        found = pattern.search(clause)
        if found and (pattern is not _PASSIVE or _PARTICIPLE.fullmatch(found["verb"])):
            return _heavy(found["verb"])
    return None


def _opposed(clause: str) -> Iterator[Statement]:
    first = _FIRST_WORD.match(clause)
    for verb in _OPPOSITE_VERBS.get(first[0].lower(), ()) if first else ():
        words = content_words(clause[first.end() :] if first else "")
        yield Statement(
            True, words | ({stem(verb)} if verb else frozenset()), stem(verb), derived=True, strict=False
        )


def _verb(text: str, *, gerund: bool = False) -> str:
    """The stem of the verb with which a text begins; with `gerund`, only of one that ends in -ing."""
    found = _FIRST_WORD.match(_after_lead_in(text))
    if not found or (gerund and not found[0].lower().endswith("ing")):
        return ""
    return _heavy(found[0]) if gerund or found[0].lower() in VERBS else _passive_verb(text)


def _passive_verb(text: str) -> str:
    found = re.match(r"(?i)\s*(?:be|have been|get)\s+([a-z-]+)", text)
    return _heavy(found[1]) if found else ""


def _heavy(verb: str) -> str:
    root = next(word_stems(verb), "")
    known = root in content_words(verb)
    return "" if root in _LIGHT_STEMS or not known else root
