"""Counts the length of a text in bytes, in characters, or in the tokens of a named tokenizer."""

from _thread import allocate_lock
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import pairwise

from modicum.base.hashes import blake2b
from modicum.base.named_tuple import NamedTuple

Measure = Callable[[str], int]

# Room for the texts that a measure remembers, in characters (of up to four bytes); an entry costs more than its text.
ROOM = 16_000_000
ROOM_BETWEEN_PAGES = 200_000
ENTRY = 100
MOST_FRESH = 100_000


def count(text: str, measure: str = "o200k_base") -> int:
    """Returns the length of a text in the named measure: bytes, chars, or tokens of a tokenizer."""
    return _named(measure)(text)


def measure(name: str) -> Measure:
    """Returns the function that counts bytes, chars or tokens by that name; it remembers its counts."""
    return _named(name)


def exact(name: str) -> bool:
    """Returns True if a measure counts exact tokens, rather than an upper bound or a rule of thumb."""
    _named(name)
    if name in _TOKENIZERS:
        return _encoder(name) is not None
    return name in ("bytes", "chars")


def unit_name(name: str) -> str:
    """Returns the unit of the tokens, bytes or chars that a measure counts: its name, marked where it only bounds tokens."""
    counts_tokens = name in (*_TOKENIZERS, "claude")
    return name if not counts_tokens or exact(_TOKENIZERS[0]) else f"{name} (upper bound)"


def recall(counts: Mapping[str, Mapping[bytes, int]]) -> None:
    """Takes over token counts from an earlier process, so that no tokenizer is loaded for the same texts, and notes new ones."""
    for name, each in _MEASURES.items():
        if isinstance(each, _Remembered):
            each.noted = _Noted(counts.get(name, {}), {})


def learnt() -> dict[str, dict[bytes, int]]:
    """Returns the token counts that are new since `recall`, by measure; from then on none are noted."""
    found = {name: each.stop_noting() for name, each in _MEASURES.items() if isinstance(each, _Remembered)}
    return {name: noted.fresh for name, noted in found.items() if noted and noted.fresh}


def trim() -> None:
    """Forgets counts of tokens if there are many: a page measures its own texts again and again, and seldom those of the page before."""
    for each in _MEASURES.values():
        if isinstance(each, _Remembered):
            each.trim()


def unload_unused() -> None:
    """Unloads the tokenizers, which take 20 MB each, if no text was counted in tokens since the last call."""
    with _loading:
        if not _lately_used:
            _load.cache_clear()
        _lately_used.clear()


def bound(text: str) -> int:
    """Returns an upper bound on the tokens of a text in o200k_base and cl100k_base; at most its bytes.

    It follows from how they work, not from samples. Both join neighbours within a word for as long as the joined piece
    is in the vocabulary. Each vocabulary holds every pair of lower-case letters but the `_ROUGH` ones, alone and after a
    space, so two single letters are neighbours only in a rough pair: n letters with r such pairs make at most
    (2n + 1 + 2r) / 3 tokens, the space before them included. Words in `_WHOLE`, capitalised or not, are one token. Every
    run of up to 17 spaces is one. Whatever else there is costs its bytes, which no byte-pair encoding can exceed.
    """
    text = _repaired(text)
    lines = text.split("\n")
    return min(_bytes(text), len(lines) - 1 + sum(map(_line_bound, lines)))


def _bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        # A surrogate that stands for an undecodable byte is written as that byte; any other one takes three.
        return len(text.encode("utf-8", "surrogatepass")) - 2 * sum("\udc80" <= c <= "\udcff" for c in text)


def _approx(text: str) -> int:
    return -(-_bytes(text) // 4)


def _claude(text: str) -> int:
    """Not below Claude's count on prose, Markdown, YAML, code and tables; a long row of one letter can exceed it.

    Anthropic publishes no tokenizer. The weights were fitted in November 2026 to ctok 1.3.0, an unofficial reconstruction,
    taking the greatest of its counts for Claude 3, 4.7 and 4.8, without the frame of a message, on 600 samples in 13
    languages. The median there is 1.5 times o200k_base, Markdown reaches 2.2, capitals and Thai 2.4, so no single factor
    is both safe and close. These weights were never below ctok, nor on 300 further samples, and 1.4 times it on Markdown.
    """
    data = _repaired(text).encode()
    capitals = len(data) - len(data.translate(None, _CAPITALS))
    visible = len(text) - text.count(" ") - text.count("\n")
    tenths = 14 * count(text) + 2 * visible + 5 * capitals + 3 * (len(data) - len(text))
    return -(-tenths // 10)


def _tokens(name: str, text: str) -> int:
    encode = _encoder(name)
    if encode is None:
        return bound(text)
    try:
        return len(encode(text))
    except UnicodeEncodeError:
        return len(encode(_repaired(text)))


def _repaired(text: str) -> str:
    """Lone surrogates become the replacement character, as they do for whoever reads the text."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _encoder(name: str) -> Callable[[str], list[int]] | None:
    # The lock is for the first call only in effect: it keeps two threads from loading the same vocabulary.
    with _loading:
        _lately_used.add(name)
        return _load(name)


@cache
def _load(name: str) -> Callable[[str], list[int]] | None:
    try:
        from splintr import Tokenizer
    except ImportError:
        return None
    encode: Callable[[str], list[int]] = Tokenizer.from_pretrained(name).encode_ordinary
    return encode


_loading = allocate_lock()  # `threading` would take longer to import than all that is here
_lately_used: set[str] = set()


class _Noted(NamedTuple):
    """Token counts by a hash of their text: those of earlier processes, and those that are new."""

    earlier: Mapping[bytes, int]
    fresh: dict[bytes, int]

    def counted(self, text: str, count: Measure) -> int:
        name = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        for known in self:
            if name in known:
                return known[name]
        if len(self.fresh) >= MOST_FRESH:
            self.fresh.clear()
        answer = self.fresh[name] = count(text)
        return answer


class _Remembered:
    """A counting function that keeps its answers by content. When the room is used up, they become the older ones, and those that
    were older go."""

    __slots__ = ("_answers", "_count", "_filling", "_older", "_used", "noted")

    def __init__(self, count: Measure) -> None:
        self._count = count
        self._answers: dict[str, int] = {}
        self._older: dict[str, int] = {}
        self._used = 0
        self._filling = allocate_lock()
        self.noted: _Noted | None = None

    def __call__(self, text: str) -> int:
        # Reading takes no lock: the dictionaries are replaced, and never emptied.
        answer = self._answers.get(text)
        return self._learn(text) if answer is None else answer

    def _learn(self, text: str) -> int:
        answer = self._older.get(text)
        if answer is None:
            noted = self.noted
            answer = noted.counted(text, self._count) if noted else self._count(text)
        # A giant would push out everything else for one answer.
        if len(text) <= ROOM // 8:
            with self._filling:
                self._keep(text, answer)
        return answer

    def stop_noting(self) -> _Noted | None:
        """Stops to note new counts; returns those that were noted, if any were."""
        noted, self.noted = self.noted, None
        return noted

    def trim(self) -> None:
        """Forgets its answers if they take more room than a server should hold between two pages."""
        if self._older or self._used > ROOM_BETWEEN_PAGES:
            with self._filling:
                self._answers, self._older, self._used = {}, {}, 0

    def _keep(self, text: str, answer: int) -> None:
        if text in self._answers:
            return
        self._answers[text] = answer
        self._used += len(text) + ENTRY
        if self._used > ROOM:
            self._answers, self._older, self._used = {}, self._answers, 0


def _named(name: str) -> Measure:
    try:
        return _MEASURES[name]
    except KeyError:
        raise ValueError(_unknown(name)) from None


def _unknown(name: str) -> str:
    from modicum.base.near_words import nearest

    close = nearest(name, MEASURES)
    hint = f' (did you mean "{close}"?)' if close else ""
    return f'unknown measure "{name}"{hint}; choose one of: {", ".join(MEASURES)}'


_TOKENIZERS = ("o200k_base", "cl100k_base")

_MEASURES: dict[str, Measure] = {
    "bytes": _bytes,
    "chars": len,
    **{name: _Remembered(partial(_tokens, name)) for name in _TOKENIZERS},
    "claude": _Remembered(_claude),
    "approx": _approx,
}

MEASURES: tuple[str, ...] = tuple(_MEASURES)


def _line_bound(line: str) -> int:
    body = line.lstrip(" ")
    indent = len(line) - len(body)
    # The last space of the indent belongs to the first word; those before it join in pairs that exceed 17.
    margin = min(indent, 2 * -(-indent // 17))
    if not body:
        return margin
    first, *others = body.split(" ")
    return margin + _chunk_bound(first) + sum(map(_spaced_bound, others))


def _chunk_bound(chunk: str) -> int:
    return _whole_bound(chunk) or _pieces_bound(chunk)


def _spaced_bound(chunk: str) -> int:
    return _whole_bound(chunk) or _pieces_bound(chunk) + (not _takes_space(chunk))


def _whole_bound(chunk: str) -> int:
    # Only ASCII capitals count: the Kelvin sign has a small letter k, too.
    word = chunk[:1].lower() + chunk[1:] if chunk.isascii() else ""
    if word in _WHOLE:
        return 1
    return 2 if word[-1:] in _STOPS and word[:-1] in _WHOLE else 0


def _takes_space(chunk: str) -> bool:
    """Whether the space before it is within the bound of the chunk: a space joins a letter or sign after it."""
    first, second = chunk[:1], chunk[1:2]
    if "A" <= first <= "Z":
        # Unless the capital joins a small letter, for the bound of small letters does not reckon with that.
        return not "a" <= second <= "z"
    return "!" <= first <= "~" and not first.isdigit()


def _pieces_bound(chunk: str) -> int:
    data = chunk.encode()
    words = data.translate(_LOWER).decode().split()
    # An apostrophe may split the letters after it ('s, 't), which makes one token more.
    others = len(data) - sum(map(len, words)) + chunk.count("'")
    return others + sum(map(_word_bound, words))


def _word_bound(word: str) -> int:
    rough = sum(a + b in _ROUGH for a, b in pairwise(word))
    # Many rough pairs must not lift the bound over one token per letter.
    return min(len(word), (2 * len(word) + 1 + 2 * rough) // 3)


_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_LOWER = bytes(code if 97 <= code <= 122 else 32 for code in range(256))

_STOPS = frozenset(".,:;!?")

# Pairs of letters that one of the two vocabularies lacks, alone or after a space.
_ROUGH = frozenset(
    """
    aq bq fj fz gj gk gq hj hq hz iu jf jg jh jk jn jv jw jx jy jz kf kq kx kz lq lz mz nq oj oq pz qd qe qf
    qg qh qj qk ql qm qn qo qv qx qy qz rj tj tq uj uo uq vj vq vz wj wq wu wv wz xg xh xj xk xq xu xv xw xz
    yb yd yf yh yj yk yl ym yq yu yv yw yx yz zc zf zg zj zl zp zq zr zt zv zy
    """.split()  # noqa: SIM905 (a list would be one word a line)
)

# Common words that are one token in both vocabularies, alone and after a space,
# capitalised or not.
_WHOLE = frozenset(
    """
    about above access additional address after again against all allow allows already also always among and
    another answer any application applications are around available back because been before being below
    best better between block blocks both build but call called calls can cannot case cases change changed
    changes check class classes client close closed code come command commands common configuration contains
    content context copy could count create created creates current data database day days default
    description development did different directory documentation does doing done down during each early
    either end environment error errors even event events every example examples existing false few field
    fields file files find first following for form format found from full function functions general get
    give given global good got great group had has have help her here high his how however human important
    include includes including information input instead interface into issue its just keep key keys know
    knowledge known language large last later layer learn left less letter level like limit line lines list
    little local long look low machine made make makes manage many may mean means measure memory message
    messages method methods model models module modules more most move much multiple must name names need
    needs never new next none not note notes nothing now null number numbers object objects off often old
    once one only open operation option options order original other our out output over own package
    packages page pages paragraph parent part parts path pattern people performance person place places
    platform point points policy position possible power present private problem process product production
    program project projects provide public purpose question range rather read reader reading real reason
    receive record reference release remove removed report represent request requests required resource
    resources response result results return returns right role root rule rules run running safe same sample
    save say schema search second section sections security see select send sent sequence server service
    services session set sets settings share she short should show shows side similar simple since single
    size small software solution some something sometimes source space special specific standard start
    started state statement status step steps still storage store string strings structure style sub subject
    success such summary support supported sure syntax system systems table take taken target task team term
    terms test tests text than that the their them then there these they thing things think third this those
    thought thread three through time times token tokens too tool tools topic total training transaction
    true two type types under unique unit unless until update updated upon use used user users using value
    values variable variables version versions very view visible want was way website week well were what
    when where whether which while who whole why will window with within without word words work working
    works world would write writing written year years yes you your
    """.split()  # noqa: SIM905 (a list would be one word a line)
)
