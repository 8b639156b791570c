"""Tells what kind of text a draft of a note is, if it is one that nobody needs later: a status, a plan, a log, nothing at all. Pure.

The patterns are of four languages, since agents write in the language of their user.
"""

import re
from enum import StrEnum

from modicum.memory.gate.log_lines import is_log

SHORT = 17  # words: what is longer is hardly empty, even if it names nothing
LOOKED_AT = 4_000  # characters, of which the first tell what kind of text it is
BRIEF = 25  # words: what is longer says more than that it works


class Emptiness(StrEnum):
    """The kind of a draft that holds nothing for later."""

    NOTHING = "nothing"
    STATUS = "status"
    PLAN = "plan"
    LOG = "log"


# Names, numbers, paths, code: what a note can be found and checked by.
_SPECIFIC = re.compile(
    r"`[^`\n]+`|\d|#\w|\w[_/\\.]\w|\w::|\w\(\)|--\w|[a-z][A-Z]|\w/(?:\s|$)|@\w|<\w|[\"“„«][^\"”“»\n]{3,60}[\"”“»]"
)
_PROPER_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_GERMAN = re.compile(r"[äöüß]|\b(?:der|die|das|und|ist|wird|nicht|für|mit)\b")
# Words with which a text gives a reason, a rule or a consequence.
_REASON = re.compile(
    r"(?i)\b(?:because|due to|root cause|cause[ds]?|reason|therefore|otherwise|unless|must|never|only|instead|forbidden|"
    r"don['’]?t|do not|cannot|can['’]t|so that|in order to|not (?:before|until|allowed|to be)|rather than|wants?|prefers?|"
    r"agreed|turned out|weil|damit|grund|ursache|sonst|nur|muss|müssen|darf|dürfen|nie|statt|braucht|"
    r"porque|por lo que|así que|solo|sólo|nunca|debe|deben|no usar|en vez de|para que)\b"
    r"|因为|原因|必须|不要|不能|禁止|只能|限制|否则|所以"
)
_DEMANDS = re.compile(r"(?i)\W*(?:use|avoid|prefer|nutze|verwende|usar?|evitar?)\b|\W*(?:使用|避免)")
_FIRM_REASON = re.compile(
    r"(?i)\b(?:because|due to|root cause|caused? by|cause was|the reason|reason:|therefore|otherwise|unless|never|must|"
    r"instead of|forbidden|don['’]t|do not|so that|rather than|turned out|was that|since (?:the|it|they|we|then|20)|weil|damit|"
    r"grund|ursache|sonst|muss|müssen|nie|porque|por lo que|así que|nunca|debe|en vez de)\b"
    r"|因为|原因|必须|不要|不能|禁止|否则"
)
_WHY = re.compile(
    r"(?i)\b(?:because|due to|root cause|caused by|reason|since (?:the|it|they|we|20)|must not|never|agreed|decided|otherwise|unless|"
    r"weil|grund|sonst|vereinbart|porque|acordad[oa]|nunca)\b|因为|原因|决定|否则"
)
_CONSEQUENCE = re.compile(
    r"(?i)\b(?:but|so(?! far| good)|hence|thus|since|as (?:the|it|they|we)|which|until|keep|kept|use|by \w+ing|breaks?|broke|fails?|"
    r"crash\w*|leak\w*|slower|faster|aber|daher|deshalb|pero)\b|: \w+ \w+ \w+|→|但|所以"
)
_RULE = re.compile(
    r"(?i)\b(?:but|so(?! far| good)|if|when|while|with|may|until|before|use|keep|not|isn['’]t|still|always|only|unless|because|although|"
    r"though|except|since|than|once|due|aber|wenn|pero|cuando|si)\b|如果|但"
)
_DID = (
    "added|adjusted|applied|checked|cleaned|closed|committed|completed|created|debugged|deleted|deployed|discussed|edited|"
    "executed|explored|finished|fixed|formatted|implemented|improved|initiali[sz]ed|installed|investigated|looked|merged|opened|"
    "pushed|ran|re-?ran|read|rebased|refactored|released|renamed|reviewed|saved|sent|started|tidied|updated|uploaded|verified|wrote"
)
_MADE = "bumped|changed|configured|did|extracted|made|migrated|moved|removed|set up|tested|tried|upgraded|worked on"
_SELF = r"(?:(?:i|we)(?:['’]ve| have| had)? (?:(?:just|now|also|successfully|already) )?)?(?:successfully )?"
_STATUS_START = re.compile(
    rf"(?i)\A\W*{_SELF}(?:{_DID})\b|\A\W*(?:in|during) this session\b|\A\W*(?:today|just now),? (?:i|we)\b|\A\W*(?:done|wip|ok)\b"
    r"|\A\W*(?:step|task|phase|part|ticket|item) [\w-]+ (?:of \d+ )?(?:is |was )?(?:done|finished|complete)"
    r"|\A\W*(?:habe|ich habe|wir haben) .{0,200}(?:t|en)\b[.!]?\s*\Z|\A\W*(?:aufgabe|alles|fertig)\b.{0,80}(?:erledigt|grün|fertig|läuft)"
    r"|\A\W*(?:he|hemos|se ha|ya) (?:\w+[ai]do|hecho|puesto)\b|\A\W*(?:pasan|listo|hecho|terminado|todo)\b|\A\W*(?:已|完成|修复了|我已)"
)
_STATUS_SHORT = re.compile(rf"(?i)\A\W*{_SELF}(?:{_MADE})\b")
_STATUS_INSIDE = re.compile(
    r"(?i)\b(?:all green|green again|(?:is|are|now) green|tests? (?:all |now )?(?:pass(?:es|ed|ing)?|succeed(?:ed)?)|pass(?:es|ed)? now|"
    r"(?:check|lint|build|verify|suite|pipeline|ci)\b[^.]{0,30}\b(?:pass(?:es|ed)|succeeded|success|ok|green|clean)|build success(?:ful)?|"
    r"works? (?:now|again|as expected|fine)|working (?:now|again)|looks? (?:good|fine|ok)|no (?:\w+ )?(?:errors?|blockers?|issues?|problems?|warnings?)|"
    r"0 (?:errors|failed|failures|warnings)|without (?:any )?(?:errors|warnings|issues|problems)|everything (?:is |looks? |seems )?(?:fine|good|ok|works)|"
    r"ready (?:for|to) (?:commit|review|merge|be)|(?:is|are|was) (?:done|complete[d]?|finished|fixed|merged|deployed|pushed)|"
    r"moving on|good progress|in progress|all (?:\w+ )?(?:done|running|set)|alle tests|läuft (?:wieder|jetzt)|funktioniert (?:wieder|jetzt)|"
    r"erledigt|sin errores|funciona(?:n)? (?:ya|ahora|bien)|todo (?:bien|listo)|pruebas (?:pasan|en verde))\b|测试(?:全部)?通过|已完成|没有问题|构建成功"
)
_PLAN_START = re.compile(
    r"(?i)\A\W*(?:(?:as |in )?(?:the |a |my )?next(?: \w+){0,2}\s*[:,–-]|next,? (?:i|we)\b|next (?:up|is|on|i['’])|up next|"
    r"(?:as |in )?(?:the|a|my) next (?:step|thing|action|task|turn)\b|going (?:on|to)\b|(?:i|we)(?:['’]m| am|['’]re| are) (?:about|going|now|now going) to|"
    r"(?:now )?(?:i|we)(?:['’]ll| will| shall| should| need to| want to| plan to| intend to)\b|i think i|let me|let['’]s|"
    r"(?:still )?(?:need|needs|have|remains?) to\b|(?:will|should|shall) (?:now|next|then)?\b|now (?:to|for|let|check|run|fix|on to)\b|"
    r"(?:the |my |quick )?plan(?: for \w+(?: \w+)?)?\s*:|(?:#+ )?(?:implementation )?plan\n|to-?\s?do\b|tomorrow\b|after (?:that|this),? i|then i|first,? i|first,|"
    r"continu(?:e|ing)\b|proceed\b|(?:look|looking) (?:at|into)\b|inspect\b|investigate\b|waiting for|trying\b|about to|"
    r"step \d+\b[^.;]*[;,.] ?(?:for|now|next|then)|remaining\s*:|als nächstes|nächste schritte?\b|ich werde|jetzt (?:werde|schaue|gehe)|morgen\b|"
    r"gleich\b|danach\b|ahora (?:voy|toca)|a continuación|voy a|luego\b|mañana\b|próximo paso|siguiente paso|接下来|下一步|然后|我(?:将|会|先|要)|现在(?:开始|去|先)|先看|待办)"
)
_PLAN_INSIDE = re.compile(
    r"(?i)\b(?:i['’]ll|i will|i am going to|i['’]m going to|let me|i['’]m about to|ich werde|voy a)\b|我(?:将|会先|要先)"
)
_POINTER = re.compile(
    r"(?i)\A\W*(?:see|check|refer to|read|look at|siehe|ver|véase|参见|见)\b.{0,80}\b(?:docs?|documentation|wiki|readme|dashboard|details|link|doku\w*|documentación)\W*\Z"
)
_TRUISM = re.compile(
    r"(?i)\b(?:important|careful|carefully|best practices?|matters?|tricky|powerful|patience|worth remembering|interesting|useful|helpful|"
    r"good to know|keep in mind|remember (?:this|that|it)|needs? attention|can be (?:hard|difficult|complex)|wichtig|merken|importante|cuidado)\b|重要|仔细|注意|记住"
)
_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def emptiness_of(content: str) -> Emptiness | None:
    """Returns the kind of a draft that holds nothing for later, or None if its content may be worth keeping."""
    if is_log(content):
        return Emptiness.LOG
    content = content[:LOOKED_AT]
    if _is_plan(content):
        return Emptiness.PLAN
    if _is_status(content):
        return Emptiness.STATUS
    return Emptiness.NOTHING if _says_nothing(content) else None


def length_of(text: str) -> int:
    """Returns the number of words in the content of a draft; two characters of Chinese or Japanese count as a word."""
    return len(_WORDS.findall(_CJK.sub(" ", text))) + len(_CJK.findall(text)) // 2


def _is_plan(content: str) -> bool:
    if _PLAN_START.match(content):
        return not _WHY.search(content)
    return bool(_PLAN_INSIDE.search(content)) and not _FIRM_REASON.search(content)


def _is_status(content: str) -> bool:
    if _FIRM_REASON.search(content):
        return False
    words = length_of(content)
    if _STATUS_START.match(content) or (words <= SHORT and _STATUS_SHORT.match(content)):
        return not _CONSEQUENCE.search(content)
    return words <= BRIEF and bool(_STATUS_INSIDE.search(content)) and not _RULE.search(content)


def _says_nothing(content: str) -> bool:
    """Whether a short text names nothing in particular and gives no reason and no rule, or only points elsewhere."""
    if length_of(content) > SHORT or _SPECIFIC.search(content):
        return False
    if _POINTER.match(content) or (_TRUISM.search(content) and not _FIRM_REASON.search(content)):
        return True
    return not (_REASON.search(content) or _DEMANDS.match(content) or _names_somebody(content))


def _names_somebody(content: str) -> bool:
    """Whether a text has a proper name: a word with a capital inside a sentence, which in German is any noun."""
    return bool(_PROPER_NAME.search(content)) and not _GERMAN.search(content)
