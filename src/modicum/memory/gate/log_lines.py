"""Tells whether a text is the output of a program: log lines, stack frames, test runs, tables, data. Pure."""

import re

from modicum.search.word_lists import STOP_WORDS

_MOST = 400  # lines that are looked at
_LONGEST = 400  # characters of a line that are looked at

_SURE_STARTS = (
    # a time first
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d",
    r"\[?\d\d:\d\d:\d\d",
    r"\[?\w{3} +\d\d? \d\d:\d\d",
    r"\d\d-\d\d \d\d:\d\d:",
    r"\d{1,3}(?:\.\d{1,3}){3} ",
    r"[IWEF]\d{4} \d\d:\d\d:",
    # requests that were served, tests that were run one by one, streams by their name
    r"(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /\S{0,200} (?:HTTP/\S+ )?\d{3}\b",
    r"test [\w:.<>]{1,120} \.{3} |test result: |running \d+ tests?$",
    r"[a-z][\w.-]{1,20}: (?:error|fatal|warning|cannot|unable|failed|could not|no such)\b",
    r"PING \S+ \(|\d+ bytes from |There (?:was|were) \d+ (?:failure|error)s?:|Failed asserting ",
    r"(?:Uncaught|Unhandled) |\d+ (?:passed|failed)(?:,| in \d)|[\w ./-]{1,40} compiled (?:with|success)",
    r"(?:stdout|stderr|remote)[:>|] ",
    r"Tests run: \d|HTTP(?:/[\d.]+)? \d{3} [A-Z][A-Za-z ]{1,40}$|error [A-Z]{1,4}\d{2,6}:|[a-z][\w.-]{1,20}: \[\w{1,20}\] ",
    r"(?:✓ |✔ )?(?:[Bb]uilt|Compiled|Finished|Done)(?: successfully)? in \d|[\w ]{0,40}\b(?:listening|running|started) (?:on|at) (?:http|port \d|:\d)\S*$",
    r"[^\n]{0,60}[█▓░]{3}",
    r"(?:(?:ba|z|fi|da|k)?sh|curl|make(?:\[\d\])?|wget|cp|mv|rm|ls|cat|ssh): (?:\(\d+\)|\*{3}|[^\s:]{1,80}: |command not)",
    # frames of a stack
    r"(?:at|in|from|by) [\w.$<>/@ ]{1,120}\(",
    r"\\tat ",
    r"File \"",
    r"Traceback|Caused by:|\.{3} \d+ more|\[stacktrace\]|panicked at|thread '|goroutine \d|stack backtrace",
    # levels, results and errors
    r"\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|ERR!|FATAL|FAIL(?:ED|URE)?|PASS(?:ED)?|SKIP(?:PED)?|CRITICAL)\b",
    r"(?:error|warning|fatal|panic|npm ERR!|note)(?:\[\w+\])?:|[EWID] \d",
    r"[\w.$]{0,120}(?:Exception|Error|Warning)\b\s*[:(]",
    r"[\w./\\-]{1,160}\.\w{1,5}(?::\d|\(\d|::)",
)
_STARTS = (
    r"#\d+ |(?:ok|not ok|help|npm|E|W|I|D)[:\s(\[/]",
    r"(?:✓|✔|✗|✘|×|√|●|○|⚠|❯|→|=>|->|└|├|│|\.{3,})",
    r"-{2,} |={3,}|\*{3,}|#{5,}|~{3,}|_{3,}",
    # differences, listings and status of files
    r"\+{3} |@@ |diff --git|index [0-9a-f]{7}|[+-](?:[ \t]{2,}|[\w.]+\()",
    r"(?:modified|deleted|new file|renamed|On branch|Changes (?:to|not)|Untracked|commit [0-9a-f]{7}|Author:|Date:)",
    r"(?:\* )?[0-9a-f]{7,40} \S|[dl-][rwx-]{9}|[ MADRCU?]{2} [\w./-]+$|total \d+$|\d+ files? changed",
    # data, headers, prompts of a shell
    r"\d{0,6}+\s{0,8}+\|(?: |$)|-->|[\^~]{2,}|[|+][-=+|]{3,}",
    r"HTTP/\d|[A-Za-z][\w-]{1,40}: \S[^.]{0,80}$|[<>*] [\w-]+: |[\w.-]{1,60}=\S*$",
    r"\$ |>{1,3} |% |PS [A-Z]:|\[\d+/\d+\]|\(\d+ rows?\)",
    r"[\[{\"].*[\]},:]\s*$|[}\]],?$|<[A-Za-z/][^>]{0,200}>",
    # programs that install, build and test
    r"(?:Collecting|Downloading|Downloaded|Installing|Using cached|Successfully|Requirement already|Compiling|Running|Finished in|Finished `)",
    r"(?:Building|Linking|Resolving|Fetching|Pulling|Pushed|Step \d+/|Task :|BUILD |Tests?:|Test Suites|Snapshots|Time:|Ran \d+|Took )",
    r"(?:added|removed|changed|audited|found|up to date) .{0,40}\b(?:packages?|vulnerabilit)|\d+ (?:vulnerabilit|passed|failed|tests?|examples?|errors?|warnings?|packages?)",
    r"Severity:|fix available|node_modules/|Plan: \d|\* [\w.-]+ \d|locked at|Process exited|exit (?:code|status)",
    r"(?:Container|Network|Volume|Image) \S{1,80}\s{1,20}(?:Start|Creat|Recreat|Stopp|Remov|Runn|Health|Wait|Built|Pull)",
    r"\S{1,120} {1,20}\d+/\d+ {1,20}\w+ {1,20}\d+ |Terraform will|[+~-] (?:resource|data|\w{1,60} {1,20}=) ",
    r"(?:\w{2,20}:? )?\d{1,3}%\||\[[=#>. -]{5,80}\]|[0-9a-f]{7,40}\.\.",
    r"(?:Seq|Index|Bitmap|Nested|Hash|Sort|Limit|Aggregate)\b.{0,60}\((?:cost|actual)",
)
_SURE = re.compile(rf"\s*+(?:{'|'.join(_SURE_STARTS)})")
_PRINTED = re.compile(rf"\s*+(?:{'|'.join(_STARTS)})")
_COLUMNS = re.compile(r"\S(?:\t|\s{2,})\S.*(?:\t|\s{2,}|\d)|^\S+(?:\t|\s{3,})\S+$")
_RESULT = re.compile(
    r"\.{3}\s{0,4}(?:ok|done|failed|yes|no|skipped|passed)\.?\s*$|, done\.\s*$", re.IGNORECASE
)
_PAIR = re.compile(
    r"\s*+[\w .()/-]{2,40}[:=]\s{0,20}+[\d.,]{1,30}+\s{0,20}+(?:%|[a-zA-Z]{1,3}|/ ?\d{1,12})?\s{0,20}$"
)
_CRASH = re.compile(
    r"(?i)\A\W*(?:segmentation fault|oomkilled|core dumped|killed|exit (?:code|status) \d+|command not found|permission denied|out of memory|"
    r"bus error|aborted|connection (?:refused|reset)|build (?:failed|success\w*))[^.\n]{0,40}\W*\Z"
)
# What somebody writes before a message that he has copied.
_LABEL = re.compile(
    r"(?i)\A\W*(?:(?:i |we )?(?:got|get|saw|see|hit)(?: this| the following)?(?: error| message)?|(?:the )?(?:error|failure|console|terminal|command|tests?|build|lint(?:er)?|compiler|ci|pytest|npm)?"
    r"[ -]?(?:message|output|log|error|result|trace)(?: (?:was|is|says))?|it (?:says|said|printed|failed with)|fehler(?:meldung)?|ausgabe|mensaje de error|salida|报错|错误信息|输出)\s*[:：]\s*"
)
# What somebody writes who makes a list: bullets, names of code, a heading, words beside a dash.
_WRITTEN = re.compile(r"^\s*(?:[-+•] |\* (?![0-9a-f]{7})|\d+[.)] |#)|`|:\s*$| [–—] |[。，；]")
_SIGN_OF_DATA = re.compile(r"\d|[\w)\]][_./=(\[{<>|%]|[{}\\;]|\w:\w")
_ANOTHER_SENTENCE = re.compile(r"(?<=[\w)\]`\"'])[.;!?] +\S| [–—] ")
_FENCED = re.compile(r"\A\s*```[^`]*```\s*\Z")
_LETTERS = re.compile(
    r"(?<![a-zà-ÿ])[a-zà-ÿ]{2,40}[,;]? [a-zà-ÿ]{1,40}[,;]? [a-zà-ÿ]{1,40}[,;]? [a-zà-ÿ].{0,200}[.!?:](?:\s|$)"
)
_WORDY = re.compile(r"[\u3400-\u9fff][，。；、]")
_WORD = re.compile(r"[^\W\d_]+")
_JOINING = STOP_WORDS | frozenset(
    """
    der die das den dem ein eine und oder ist sind wird werden nicht nur mit für von auf bei nach wenn weil dass wir im zu
    el la los las un una y o es son se no de del en con por para que si al lo como
    """.split()  # noqa: SIM905 (a table of words reads better than one word a line)
)


def is_log(text: str) -> bool:
    """Returns True if most lines of a note are log lines, such as programs print and not people, for the gate."""
    lines = [line[:_LONGEST] for line in text.replace("\r", "\n").split("\n", _MOST)[:_MOST] if line.strip()]
    if len(lines) < 2:
        return _is_printed_line(text.strip()[:_LONGEST])
    if _FENCED.match(text):
        return True
    printed, told = sum(map(_is_printed, lines)), sum(map(_is_told, lines))
    mostly = 3 * printed >= 2 * len(lines) or (4 * printed >= len(lines) and 3 * told <= len(lines))
    return mostly or (told == 0 and _is_unexplained(lines))


def _is_unexplained(lines: list[str]) -> bool:
    """Whether lines are data or code without a word of somebody: no list, hardly a small word, signs in half of them."""
    if any(map(_WRITTEN.search, lines)):
        return False
    joining = sum(word in _JOINING for line in lines for word in _WORD.findall(line.lower()))
    return 2 * joining <= len(lines) + 1 and 2 * sum(
        bool(_SIGN_OF_DATA.search(each)) for each in lines
    ) >= len(lines)


def _is_printed_line(line: str) -> bool:
    """Whether a text of a single line is a message of a program, with no word on what it means."""
    labelled = _LABEL.match(line)
    if labelled:
        line = line[labelled.end() :]
    if _CRASH.match(line):
        return True
    if labelled and line:
        return not (_is_told(line) or _ANOTHER_SENTENCE.search(line))
    if _SURE.match(line):
        return not _ANOTHER_SENTENCE.search(line)
    return _is_printed(line) and (_is_dense(line) or not (_is_told(line) or _ANOTHER_SENTENCE.search(line)))


def _is_printed(line: str) -> bool:
    if _SURE.match(line):
        return True
    if _LETTERS.search(line) or _WORDY.search(line):
        return False
    return any((_PRINTED.match(line), _PAIR.match(line), _COLUMNS.search(line), _RESULT.search(line)))


def _is_told(line: str) -> bool:
    """Whether a line is a sentence of somebody: it has the small words that join others, or is in Chinese."""
    joining = sum(word in _JOINING for word in _WORD.findall(line.lower()))
    return not _SURE.match(line) and (joining > 1 or bool(_WORDY.search(line)))


def _is_dense(line: str) -> bool:
    """Whether a single line has the signs of data: many marks beside its words."""
    marks = sum(not letter.isalnum() and not letter.isspace() for letter in line)
    return 6 * marks > len(line)
