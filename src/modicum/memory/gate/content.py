"""Tells what kind of text a draft of a note is, if it is one that nobody needs later: a status, a plan, a log, nothing at all. Pure.

The patterns are of four languages, since agents write in the language of their user.
"""

import re
from enum import StrEnum

from modicum.memory.gate.log_lines import is_log
from modicum.memory.gate.plans import gives_reason, is_plan

SHORT = 17  # words: what is longer is hardly empty, even if it names nothing
LOOKED_AT = 4_000  # characters, of which the first tell what kind of text it is
BRIEF = 25  # words: what is longer says more than that it works


class Emptiness(StrEnum):
    """The kind of a draft whose content is nothing for later."""

    NOTHING = "nothing"
    STATUS = "status"
    PLAN = "plan"
    LOG = "log"


# Names, numbers, paths, code: what a note can be found and checked by.
_SPECIFIC = re.compile(
    r"`[^`\n]+`|\d|#\w|\w[_/\\.]\w|\w::|\w\(\)|--\w|→|(?<!\w)/\w|[a-z][A-Z]|\w/(?:\s|$)|@\w|<\w|[\"“„«][^\"”“»\n]{3,60}[\"”“»]"
)
_PROPER_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_GERMAN = re.compile(r"[äöüß]|\b(?:der|die|das|und|ist|wird|nicht|für|mit)\b")
# Words with which a text gives a reason, a rule or a consequence.
_REASON = re.compile(
    r"(?i)\b(?:because|due to|root cause|cause[ds]?|reason|therefore|otherwise|unless|must|never|only|instead|forbidden|"
    r"don['’]?t|do not|cannot|can['’]t|so that|in order to|not (?:before|until|allowed|to be)|rather than|wants?|prefers?|"
    r"needs? (?:an?|the)|requires?|blocks?|rejects?|refuses?|expects?|agreed|turned out|weil|damit|grund|ursache|sonst|nur|muss|müssen|darf|dürfen|nie|statt|braucht|"
    r"porque|por lo que|así que|solo|sólo|nunca|debe|deben|no usar|en vez de|para que)\b"
    r"|: (?:the|it|they|we|keep|use|avoid|prefer|set|run) |, (?:not|nicht|no|never) \w|\bas [\w-]+ (?:is|are|has|cannot|does|ignores|lacks|needs)\b|因为|原因|必须|不要|不能|禁止|只能|限制|否则|所以"
)
_DEMANDS = re.compile(r"(?i)\W*(?:use|avoid|prefer|nutze|verwende|usar?|evitar?)\b|\W*(?:使用|避免)")
_CONSEQUENCE = re.compile(
    r"(?i)\b(?:but|so(?! far| good)|hence|thus|since|as (?:the|it|they|we|[\w-]+ (?:is|are|has|cannot|does|ignores|lacks|needs))|which|until|keep|kept|use|by \w+ing|breaks?|broke|fails?|"
    r"crash\w*|leak\w*|slower|faster|to (?:avoid|drop|save|stop|prevent|allow|keep|reduce|speed|let|get rid|make)|aber|daher|deshalb|pero)\b|: \w+ \w+ \w+|→|但|所以"
)
_RULE = re.compile(
    r"(?i)\b(?:but|so(?! far| good)|if|when|while|with|may|until|before|use|keep|not|isn['’]t|still|always|only|unless|because|although|"
    r"though|except|since|than|once|due|aber|wenn|pero|cuando|si)\b|如果|但"
)
_DID = (
    "added|adjusted|applied|checked|cleaned|closed|committed|completed|created|debugged|deleted|deployed|discussed|edited|"
    "executed|explored|finished|fixed|formatted|implemented|improved|initiali[sz]ed|installed|investigated|looked|merged|opened|"
    "flashed|pushed|ran|re-?(?:ran|built|started|trained|wrote|deployed|generated)|read|rebased|refactored|released|renamed|reviewed|saved|sent|started|tidied|updated|uploaded|verified|wrote"
)
_MADE = "bumped|changed|configured|did|extracted|made|migrated|moved|removed|set up|tested|tried|upgraded|worked on"
_SELF = r"(?:(?:i|we)(?:['’]ve| have| had)? (?:(?:just|now|also|successfully|already) )?)?(?:successfully )?"
_STATUS_START = re.compile(
    rf"(?i)\A\W*{_SELF}(?:{_DID})\b(?! (?:by|via|as|under)\b| \w+s (?:[^.,;\n]{{0,40}} )?(?:are (?:read|sent|kept|cached|stored|\w+ed by)|come|live|go)\b)|\A\W*(?:in|during) this session\b|\A\W*(?:today|just now),? (?:i|we)\b|\A\W*(?:done|wip|ok)\b(?! (?:means|is|when)\b)"
    rf"|\A\W*(?:pr|mr|pull request|merge request|commit|branch|tag|ticket|issue)\b[^.\n]{{0,60}}\b(?:is |was |has been )?(?:{_DID}|approved|moved to)\b[^.\n]{{0,30}}[.!]?\s*\Z"
    r"|\A\W*(?:habe|ich habe|wir haben) .{0,200}(?:t|en)\b[.!]?\s*\Z|\A\W*(?:aufgabe|alles|fertig)\b.{0,80}(?:erledigt|grün|fertig|läuft)"
    r"|\A\W*(?:he|hemos|se ha|ya) (?:\w+[ai]do|hecho|puesto)\b|\A\W*(?:pasan|listo|hecho|terminado|todo (?:bien|listo|pasa|ha|está|funciona|en|verde))\b|\A\W*(?:已|完成|修复了|我已)"
)
# How far the work has come.
_COUNTED = re.compile(
    r"(?i)\A\W*(?:(?:step|task|phase|part|ticket|item) [\w/-]+ (?:of \d+ )?(?:is |was )?(?:done|finished|complete)|"
    r"progress\s*:|files? (?:changed|touched|modified|edited|updated|created)\b[^:\n]{0,30}:|(?:about |roughly )?\d{1,3} ?% (?:of [^.\n]{0,40} )?(?:done|complete|finished|converted|migrated)\b|"
    r"\d+ (?:of|/|out of) (?:the )?\d+ [^.\n]{0,40}\b(?:done|complete|finished|converted|migrated|ported|left|ready)\b)"
)
_STATUS_SHORT = re.compile(rf"(?i)\A\W*{_SELF}(?:{_MADE})\b")
_STATUS_INSIDE = re.compile(
    r"(?i)\b(?:all green|green again|(?:is|are|now) green|tests? (?:all |now )?(?:pass(?:es|ed|ing)?|succeed(?:ed)?)|pass(?:es|ed)? now|"
    r"(?:check|lint|build|verify|suite|pipeline|ci)\b[^.]{0,30}\b(?:pass(?:es|ed)|succeeded|success|ok|green|clean)|build success(?:ful)?|"
    r"works? (?:now|again|as expected|fine)|working (?:now|again)|looks? (?:good|fine|ok)|no (?!un )(?:\w+ )?(?:errors?|blockers?|issues?|problems?|warnings?)|"
    r"(?:has|have) (?:now )?been (?:successfully )?(?:updated|fixed|completed|finished|implemented|added|tested|verified|pushed|committed|merged|refactored|cleaned|reviewed)|"
    r"0 (?:errors|failed|failures|warnings)|without (?:any )?(?:errors|warnings|issues|problems)|everything (?:is |looks? |seems )?(?:fine|good|ok|works)|"
    r"ready (?:for|to) (?:commit|review|merge|be)|(?:is|are|was) (?:done|complete[d]?|finished|fixed|merged|deployed|pushed)|"
    r"and (?:applied|deployed|pushed|committed|merged|tested|released)\W*\Z|moving on|good progress|in progress|all (?:\w+ )?(?:done|running|set)|alle tests|läuft (?:wieder|jetzt)|funktioniert (?:wieder|jetzt)|"
    r"erledigt|sin errores|funciona(?:n)? (?:ya|ahora|bien)|todo (?:bien|listo)|pruebas (?:pasan|en verde))\b|测试(?:全部)?通过|已完成|没有问题|构建成功"
)
_POINTER = re.compile(
    r"(?i)\A\W*(?:see|check|refer to|read|look at|siehe|ver|véase|参见|见)\b.{0,80}\b(?:docs?|documentation|wiki|readme|dashboard|details|link|doku\w*|documentación)\W*\Z"
)
_TRUISM = re.compile(
    r"(?i)\b(?:important|careful|carefully|best practices?|matters?|tricky|powerful|patience|worth remembering|interesting|useful|helpful|"
    r"good to know|keep in mind|remember (?:this|that|it)|needs? attention|can be (?:hard|difficult|complex)|wichtig|merken|importante|cuidado)\b|重要|仔细|注意|记住"
)
_VAGUE = re.compile(
    r"(?i)\b(?:somehow|something|somewhere|sometimes|some (?:things|stuff|issues|problems|changes)|various|stuff|a bit|a few things|and so on|irgendwie|"
    r"irgendwas|manchmal|de alguna manera|algunas cosas)\b"
)
_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def emptiness_of(content: str) -> Emptiness | None:
    """Returns the kind of a draft whose content is nothing for later, or None if it may be worth keeping."""
    if is_log(content):
        return Emptiness.LOG
    content = content[:LOOKED_AT]
    if is_plan(content):
        return Emptiness.PLAN
    if _is_status(content):
        return Emptiness.STATUS
    return Emptiness.NOTHING if _says_nothing(content) else None


def length_of(text: str) -> int:
    """Returns the number of words that the gate counts in a draft of a note; two characters of Chinese or Japanese count as a word."""
    return len(_WORDS.findall(_CJK.sub(" ", text))) + len(_CJK.findall(text)) // 2


def _is_status(content: str) -> bool:
    if gives_reason(content):
        return False
    words = length_of(content)
    if _COUNTED.match(content):
        return words <= BRIEF or not _RULE.search(content)
    if _STATUS_START.match(content) or (words <= SHORT and _STATUS_SHORT.match(content)):
        return not _CONSEQUENCE.search(content)
    return words <= BRIEF and bool(_STATUS_INSIDE.search(content)) and not _RULE.search(content)


def _says_nothing(content: str) -> bool:
    """Whether a short text names nothing in particular and gives no reason and no rule, or only points elsewhere."""
    words = length_of(content)
    if words > 2 * SHORT or _SPECIFIC.search(content):
        return False
    if _VAGUE.search(content) and not gives_reason(content):
        return True
    if words > SHORT:
        return False
    if _POINTER.match(content) or (_TRUISM.search(content) and not gives_reason(content)):
        return True
    # Chinese and Japanese have no capitals, by which names could be told.
    named = _names_somebody(content) or _CJK.search(content)
    return not (_REASON.search(content) or _DEMANDS.match(content) or named)


def _names_somebody(content: str) -> bool:
    """Whether a text has a proper name: a word with a capital inside a sentence, which in German is any noun."""
    return bool(_PROPER_NAME.search(content)) and not _GERMAN.search(content)
