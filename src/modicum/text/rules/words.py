"""The words of an instruction that say what it is about: stems without grammar, pieces of code as they are. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache

from modicum.search.terms import stem, tokens
from modicum.search.word_lists import STOP_WORDS

NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 (reads better)
    )
}
# Two conditions differ if these do, so they count although they are grammar.
TIMES = frozenset(
    "after before during inside once outside since till unless until while without except".split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
# Verbs that only carry an object: "write a comment", "add a comment" and "have a comment" ask for the same.
_LIGHT_WORDS = """
    add apply be belong call come contain create do ensure follow give go goes have has hold include keep live lives make
    mark move need needs place provide put require sit stay take touch treat use utilise utilize want work write
    """
# What every instruction is about, and what only strengthens or limits it.
_BLAND_WORDS = """
    again anymore currently now today
    absolutely acceptable agent all allow allowed always another any anything application app at automatically back banned below beneath
    both circumstances code codebase completely directly each either entire ever every everything everywhere exactly
    fewer first forbid forbidden good great however included including instead into kind less like limit longer
    mandatory maximum may maximal maximally might minimum minimal more most must necessary never new no none not nothing
    obligatory only optional ought per permit permitted place please possible prefer preferably preferred project prohibited reference
    remember repository repo required shall should simply size sort still strictly system than together two-fold under usually via we
    welcome within yes yourself you
    """


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


LIGHT = _stems(_LIGHT_WORDS)
_BLAND = _stems(_BLAND_WORDS) | _stems(" ".join(STOP_WORDS - TIMES)) - _stems("test")
_CODE = r"(?<!`)`{1,3}+[^`]{1,300}+`{1,3}+"
_WORD = re.compile(rf"{_CODE}|[^\W_](?:[^\W_]|['’](?=\w)|[-_.+#/](?=\w))*[+#]?")
_SAME = re.compile(
    r"(?i)\b(?:(?P<pullrequest>(?:pull|merge) requests?|PRs?|MRs?)|(?P<doccomment>doc(?:umentation)?[ -]?(?:comment|string)s?)"
    r"|(?P<regularexpression>regex(?:es|p)?|regular expressions?))(?![\w-])"
)
# Different words for one thing, so far as rules are about it.
_SYNONYMS = {
    stem(word): stem(same)
    for word, same in (
        *(
            ("alter", "edit"),
            ("modify", "edit"),
            ("change", "edit"),
            ("delete", "remove"),
            ("execute", "run"),
            ("launch", "run"),
        ),
        *(
            ("introduce", "add"),
            ("raise", "throw"),
            ("directory", "folder"),
            ("method", "function"),
            ("exception", "error"),
        ),
        *(
            ("email", "mail"),
            ("assure", "ensure"),
            ("docstring", "doccomment"),
            ("colour", "color"),
            ("normalise", "normalize"),
        ),
    )
}
_POSSESSIVE = re.compile(r"['’]s$|['’]$")
# Function words of other languages that no English sentence has.
_FOREIGN = frozenset(
    """
    der und nicht ist ein eine keine immer niemals für auf bei nur wird werden sind oder dem
    le les des une jamais toujours avec dans pour ne sont ou et du aux
    el los las una nunca siempre para por del
    il gli sempre mai della di che è sono
    het een niet altijd nooit voor zijn
    não uma dos
    och inte alltid aldrig är att som på
    nie zawsze nigdy jest oraz dla się
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)
_ENGLISH = frozenset(
    "the a an and or of to in on for with is are be not do never always must should use when if it that by from".split()  # noqa: SIM905 (a table of words reads better than one word a line)
)


def content_words(text: str) -> frozenset[str]:
    """Returns the words of a text that say what it is about, as stems: no grammar, no verbs that only carry an object."""
    return frozenset(word for word in word_stems(text) if word not in _BLAND and word not in LIGHT)


def word_stems(text: str) -> Iterator[str]:
    """Yields the words of a text in order as stems, numbers as digits, `code` as it is written."""
    plain = _SAME.sub(lambda found: found.lastgroup or "", text)
    for found in _WORD.finditer(plain):
        word = found[0]
        if word.startswith("`"):
            yield _code_word(word.strip("` "))
        else:
            yield _word_stem(word)


def _code_word(code: str) -> str:
    """A piece of code as a word: `npm` is the word npm, anything longer stands for itself."""
    return _word_stem(code) if code.isalpha() else code.lower().rstrip("/")


@lru_cache(maxsize=16384)
def _word_stem(word: str) -> str:
    lower = _POSSESSIVE.sub("", word.lower())
    if lower in NUMBERS:
        return NUMBERS[lower]
    if "/" in lower or "." in lower:
        return lower
    root = stem([*tokens(lower.replace("-", ""))][-1]) if lower.isascii() else lower
    return _SYNONYMS.get(root, root)


def is_english(text: str) -> bool:
    """Returns False if the words of a text are of another language, about which rules of English can say nothing."""
    letters = [each for each in text if each.isalpha()]
    if not letters or sum(each.isascii() for each in letters) < len(letters) * 0.8:
        return False
    words = [word.strip(".,;:!?()*_\"'").lower() for word in text.split()]
    foreign = sum(word in _FOREIGN for word in words)
    return foreign == 0 or sum(word in _ENGLISH for word in words) > foreign
