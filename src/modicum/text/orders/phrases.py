"""The phrases of orders to ignore instructions, as patterns in eleven languages, and of a conversation's turns. Pure data."""

# Between two words, also across lines and with Markdown's emphasis.
_GAP = r"[\s*_]{1,8}"
_VERB = "(?:ignore|disregard|forget|override|bypass|neglect)"
_EARLIER = "previous|prior|above|earlier|preceding|foregoing|past|former|initial|original|existing|system|developer|safety"
_TAUGHT = rf"instructions?|directives?|guidelines|system{_GAP}(?:prompts?|messages?)|prompts?"
_ABOVE_ENDS = rf"[ \t]{{0,4}}(?:[.,;:!\n]|\Z|and\b|this{_GAP}(?:line|point|message))"
# A word ends here, also where Chinese characters follow, which are written without blanks.
_START, _END = r"(?<![^\W\u2e80-\U0003ffff])", r"(?![^\W\u2e80-\U0003ffff])"
_ANY_WORD = r"\w{1,20}"
# "Do not ignore the earlier instructions" is none.
_UNLESS_NEGATED = r"(?<!\bnot )(?<!n't )(?<!n’t )(?<!\bnever )"


def _some(words: str, most: int = 3) -> str:
    return rf"(?:(?:{words}){_GAP}){{0,{most}}}"


def _phrase(*parts: str) -> str:
    return _GAP.join(parts) + _END


_ENGLISH = (
    rf"{_VERB}{_GAP}{_some('all|any|every|of|the|your|my|our|these|those|other', 4)}(?:(?:{_EARLIER}){_GAP}{_some('and|or', 1)}){{1,3}}(?:{_TAUGHT}){_END}",
    rf"{_VERB}{_GAP}{_some('all|of', 2)}your{_GAP}{_some(_ANY_WORD, 1)}(?:instructions|rules|guidelines|programming|system{_GAP}prompt){_END}",
    rf"(?:ignore|disregard|forget){_GAP}{_some('everything|anything|all|of|the|that', 3)}above(?={_ABOVE_ENDS})",
    rf"(?:ignore|disregard|forget){_GAP}(?:everything|anything|whatever|all|what){_GAP}{_some('that', 1)}you(?:['’]ve)?{_GAP}{_some('were|have|had|been', 2)}(?:told|know|learned|learnt|instructed){_END}",
)
_GERMAN = _phrase(
    "(?:ignorier(?:e|t|en)|vergiss|vergesst|vergessen|missachte)",
    _some("Sie|alle|die|deine|eure|Ihre|sämtliche|all", 4)
    + "(?:vorherige|bisherige|obige|frühere|vorangegangene|vorige|ursprüngliche|alte)n",
    "(?:Anweisungen|Instruktionen|Befehle|Vorgaben|Regeln)",
)
_FRENCH = _phrase(
    "(?:ignor|oubli)(?:e|ez|er)",
    _some("toutes?|les|tes|vos") + "(?:instructions|consignes|directives)",
    "(?:précédentes|antérieures|ci-dessus|initiales)",
)
_SPANISH = _phrase(
    "(?:ignora|ignore|ignorad|olvida|olvide|omite)",
    _some("todas?|las|tus|sus") + "(?:instrucciones|órdenes|indicaciones|reglas)",
    "(?:anteriores|previas)",
)
_PORTUGUESE = _phrase(
    "(?:ignore|ignora|esqueça|desconsidere)",
    _some("todas?|as|suas|tuas") + "(?:instruções|ordens|orientações)",
    "(?:anteriores|prévias|acima)",
)
_ITALIAN = _phrase(
    "(?:ignora|ignorate|dimentica)",
    _some("tutte|le|tue") + "(?:istruzioni|indicazioni)",
    "(?:precedenti|sopra)",
)
_DUTCH = _phrase(
    "(?:negeer|vergeet)",
    _some("alle|de|je|jouw|uw") + "(?:vorige|eerdere|voorgaande|bovenstaande)",
    "(?:instructies|opdrachten|aanwijzingen)",
)
_RUSSIAN = _phrase(
    "(?:про)?(?:игнорируй|забудь)(?:те)?",
    _some("все|всё|свои|эти") + "(?:предыдущие|прежние|предшествующие|прошлые)",
    "(?:инструкции|указания|команды)",
)
_CHINESE = r"(?:忽略|无视|無視|忘记|忘記|忘掉)(?:掉|你|之前|以前|先前|以上|上述|上面|前面|此前|所有|全部|一切|任何|的){1,6}(?:指令|指示|提示词|提示詞|命令|规则|規則)"
_JAPANESE = r"(?:以前|これまで|上記|以上|前|先|今まで)(?:の|までの)(?:すべての|全ての)?(?:指示|命令|プロンプト|指令)(?:を|は)(?:すべて|全て|全部)?(?:無視|忘れ)"
_KOREAN = r"(?:이전|위|앞선|기존)의?\s?(?:모든\s)?(?:지시|명령|지침|프롬프트)(?:사항)?들?(?:을|를|은|는)?\s?(?:모두\s|전부\s)?(?:무시|잊)"

_SPACED = (*_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _ITALIAN, _DUTCH, _RUSSIAN)
_UNSPACED = (_CHINESE, _JAPANESE, _KOREAN)
_QUOTED = r"\[quoted(?: from [^\]\n]{1,100})?, not an order: [^\]]{1,300}\]"
ORDER = rf"(?i)({_QUOTED})|{_UNLESS_NEGATED}(?:{_START}(?:{'|'.join(_SPACED)})|{'|'.join(_UNSPACED)})"  # in the group: quoted before
# As the first models that held conversations were told who speaks.
TURN = r"(?m)^([ \t]{0,8})(?=(?:#{1,6} |\*\*)?(?:Human|HUMAN|Assistant|ASSISTANT|SYSTEM|DEVELOPER)(?:\*\*)?[ \t]?:)"
BRACKET = r"\[(?=/?(?:INST|SYSTEM_PROMPT)\])"
