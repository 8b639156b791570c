"""Tells whether a draft is a plan for the next minutes: next steps, things to do, a list of boxes to tick. Pure."""

import re

_WHY = re.compile(
    r"(?i)\b(?:because|due to|root cause|caused by|reason|since (?:the|it|they|we|20)|must not|never|agreed|decided|otherwise|unless|"
    r"weil|grund|sonst|vereinbart|porque|acordad[oa]|nunca)\b|因为|原因|决定|否则"
)
_FIRM_REASON = re.compile(
    r"(?i)\b(?:because|due to|root cause|caused? by|cause was|the reason|reason:|therefore|otherwise|unless|never|must|"
    r"instead of|forbidden|don['’]t|do not|so that|rather than|turned out|was that|since (?:the|it|they|we|then|20)|weil|damit|"
    r"grund|ursache|sonst|muss|müssen|nie|porque|por lo que|así que|nunca|debe|en vez de)\b"
    r"|因为|原因|必须|不要|不能|禁止|否则"
)
# Words that also begin statements: "Waiting for a lock means…", "TODO comments are banned".
_MAYBE_START = re.compile(
    r"(?i)\A\W*(?:to-?dos?\b|tomorrow\b|first,|continu(?:e|ing)\b|proceed\b|(?:look|looking) (?:at|into)\b|inspect\b|investigate\b|"
    r"waiting for|trying\b|(?:will|should|shall)\b(?! (?:be|not|never|only|always)\b)|starting (?:with|on)\b|going on\b|mañana\b|morgen\b|luego\b|gleich\b|danach\b)"
)
_STATES = re.compile(
    r"(?i)\A[^.;!?\n]{0,120}(?:\b(?:is|are|was|were|means?|has|takes?|fails?|expires?|returns?|gives?|breaks?|lives?|comes?|holds?|"
    r"ist|sind|heißt|es|son|significa)\b|, (?:not|never) \w)|\A\W*\w+\.\w"
)
_SURE_START = re.compile(
    r"(?i)\A\W*(?:(?:as |in )?(?:the |a |my )?next(?: \w+){0,2}\s*[:,–-]|next,? (?:i|we)\b|next (?:up|is|on|i['’])|up next|next (?:step|action|task|thing)s?\b|step \w{1,3} next\b|"
    r"(?:as |in )?(?:the|a|my) next (?:step|thing|action|task|turn)\b|going to\b|(?:i|we)(?:['’]m| am|['’]re| are) (?:about|going|now|now going) to|"
    r"(?:now )?(?:i|we)(?:['’]ll| will| shall| should|['’]d like to| would like to| (?:still |also |now )?(?:need|want|have|plan|intend|hope) to)\b|(?:planning|hoping|preparing|about|ready) to\b|(?:right now,? )?i(?:['’]m| am) (?:now |still |currently )?(?!us|runn)\w{2,14}ing\b|i think i|let me|let['’]s|gonna\b|"
    r"(?:still )?(?:need|needs|have|remains?) to\b|now (?:to|for|let|check|run|fix|on to)\b|now (?:i['’]m |we['’]re )?\w{3,12}ing\b|"
    r"(?:the |my |quick )?plan(?: for \w+(?: \w+)?)?\s*:|(?:#+ )?(?:implementation )?plan\n|after (?:that|this)(?:,? i|\s*:)|then i|first,? i|then,? (?:move|update|run|add|fix|write|check|refactor|rename|remove|delete|commit|push|test)\b|"
    r"step \d+\b[^.;]*[;,.] ?(?:for|now|next|then)|(?:maybe|perhaps|could|might) (?:i |we )?(?:try|check|look|need)\b|"
    r"(?:i['’]m |we['’]re )?(?:current(?:ly)?|presently|right now)(?: (?:task|focus))?\s*(?::|,? (?:i['’]m |we['’]re )?(?:working|debugging|fixing|looking|"
    r"writing|reading|refactoring|implementing|testing|adding|updating|investigating|checking|trying)\b)|working on\s*:|"
    r"(?:the )?next session (?:should|will|must|can|needs?)|(?:goals?|tasks?|focus) for (?:the next|this|today|tomorrow)\b|"
    r"(?:picking|pick|continue|resume|resuming) (?:up )?(?:from here|here|where|at)\b|"
    r"als nächstes|nächste schritte?\b|ich (?:werde|schaue|gehe|mache|fange|prüfe)\b|(?:ich )?m[uü]ss(?:en)? (?:ich |wir )?noch\b|jetzt (?:werde|schaue|gehe)|ahora (?:voy|toca)|a continuación|"
    r"voy a|próximos? pasos?|siguientes? pasos?|primero (?:leo|miro|reviso|voy|hay que)|faltan? (?:por )?\w+[aei]r\b|"
    r"接下来|下一步|然后|我(?:将|会|先|要)|现在(?:开始|去|先)|先看|待办|准备|打算|还(?:需要|要|得)|剩(?:余|下))"
)
# A heading over what is left to be done.
_HEADING = re.compile(
    r"(?i)\A\W*(?:(?:immediate|next|remaining|open|outstanding|pending|upcoming|further|unfinished)(?: next)? (?:steps?|work|tasks?|items?|things|actions?|to-?dos?|points?)|"
    r"remaining|outstanding|pending|(?:still )?(?:to[- ]?do|to be done|open|missing|left)(?: to do)?|(?:what(?:['’]s| is) |steps |work )?left(?: to do)?|things to do|to finish|"
    r"follow[- ]?ups?|noch (?:zu tun|offen)|offen|zu erledigen|pendientes?|por hacer|faltan?|queda(?:n)?)(?: (?:for|in|from|of|on|before|after) [^:\n]{1,40})?\s*(?:[:：]|\n|[–—-] )"
)
_INSIDE = re.compile(
    r"(?i)\b(?:continue (?:on \w+day|tomorrow|here|there|later)|i['’]ll|i will|i am going to|i['’]m going to|let me|i['’]m about to|ich werde|voy a)\b|我(?:将|会先|要先)"
)
_BOX = re.compile(r"(?m)^\s{0,8}(?:[-*+]|\d{1,2}[.)])?\s{0,3}\[([ xX✓])\]")
# What is done while working on a change, and hardly ever in a description of how things are done.
_WORK = r"(?:read|open|look|find|locate|grep|inspect|investigate|debug|understand|explore|fix|write|add|wire|implement|refactor|rename)"
_STEP = re.compile(rf"(?i)\s*(?:[-*+]|(?:step )?\(?[0-9a-h]{{1,2}}[.):])\s+{_WORK}\b")
_FIRST_THEN = re.compile(
    rf"(?i)\A\W*(?:first(?:ly)?,? |start by )?{_WORK}(?:g?ing)?\b[^\n]{{0,160}}\b(?:(?:then|after ?wards|next|finally),? (?:i )?(?:{_WORK}|run|check|test|update|see|ask)\b|tomorrow\b|currently at\b)"
)
_STEPS = re.compile(r"(?i)(?:^|(?<=[.;,\n:])) *(?=step \d|[-*+] |\(?\d{1,2}[.)] )")


def gives_reason(content: str) -> bool:
    """Returns True if a draft gives a reason or a rule in so many words, be it a plan or not."""
    return bool(_FIRM_REASON.search(content))


def is_plan(content: str) -> bool:
    """Returns True if a draft is a plan: it says what somebody is about to do, and not why."""
    if _SURE_START.match(content) or _HEADING.match(content):
        return not _WHY.search(content)
    if _MAYBE_START.match(content) and not _STATES.match(content):
        return not _WHY.search(content)
    return not gives_reason(content) and bool(_INSIDE.search(content) or _is_list_of_work(content))


def _is_list_of_work(content: str) -> bool:
    """Whether a text is boxes to tick, or steps that are taken once; what names commands is for every time."""
    if " " in _BOX.findall(content):
        return 2 * len(_BOX.findall(content)) > len([line for line in content.splitlines() if line.strip()])
    steps = [part for part in _STEPS.split(content) if part.strip()]
    work = sum(bool(_STEP.match(step)) for step in steps)
    return "`" not in content and (2 * work > len(steps) > 1 or bool(_FIRST_THEN.match(content)))
