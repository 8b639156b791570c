"""Plans the change of a tool's file from its text; status, diff, inject and uninstall all use this plan. Pure."""

import re
from collections.abc import Callable, Mapping

from modicum.base.hashes import sha256
from modicum.base.value import replace
from modicum.targets.change import KINDS, Existing, FileChange, FileRecord, FileState, Position, TargetFile
from modicum.text.markdown import BOM, LINE_END
from modicum.text.regions import Orphan, Region, is_on_top, put_region, region_of, take_region

# Ends a file that is all ours, so that it is known as such on a machine that has no record of it.
OURS = "<!-- written by modicum -->"
# Begins a region that a limit must not cut off, so that everybody's inject leaves it above the user's text.
ROOM_WAS_MADE = "<!-- above your text, because a limit cuts off what is below -->"
# A byte order mark of UTF-16, as it looks in bytes that were read as UTF-8.
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")
# What is left of a settings file that we made when everything of ours is taken out.
_BARE = ("", BOM, "{}", BOM + "{}")


Edit = Callable[[str, Mapping[str, object]], tuple[str, Mapping[str, object]]]


def eol_of(text: str | None) -> str:
    """Returns the line end that a file's text uses, so that a planned change uses the same."""
    found = LINE_END.search(text or "")
    return found[0] if found else "\n"


def payload(place: TargetFile, text: str, eol: str = "\n") -> str:
    """Returns exactly what a plan writes for a page: with marker lines or front matter, in the file's line ends."""
    body = _body(place, text)
    if not body:
        return ""
    if KINDS[place.mode] == "region":
        whole = put_region("", place.section, body).removesuffix("\n")
    else:
        lead = f"{_clean(place.preamble)}\n" if place.preamble and place.mode == "replace-file" else ""
        tail = f"\n{OURS}\n" if place.mode == "replace-file" else ""
        whole = f"{lead}{body}\n{tail}"
    return _in(eol, whole)


def plan(
    place: TargetFile,
    text: str,
    existing: Existing,
    record: FileRecord | None,
    *,
    when_empty: str = "remove",
    force: bool = False,
) -> FileChange:
    """Plans the change that puts a page into a tool's file. `force` also replaces files that are not ours."""
    if not _body(place, text):
        change = unplan(place, existing, record, force=force)
        return _kept(change, record) if when_empty == "keep" else change
    if _is_utf16(place, existing):
        return _utf16(place, existing, record)
    return _PLANS[KINDS[place.mode]](place, text, existing, record, force)


def unplan(
    place: TargetFile, existing: Existing, record: FileRecord | None, *, force: bool = False
) -> FileChange:
    """Plans the change that takes our text out of a tool's file, and nothing else."""
    if _is_utf16(place, existing):
        return _utf16(place, existing, record)
    return _UNPLANS[KINDS[place.mode]](place, existing, record, force)


def plan_edit(place: TargetFile, edit: Edit, existing: Existing, record: FileRecord | None) -> FileChange:
    """Plans the change of a settings file by an edit: a function of its text and of the last edit's record."""
    text, extra = edit(existing.text or "", record.extra if record else {})
    created = existing.text is None or bool(record and record.created)
    gone = not extra and created and text.strip() in _BARE
    after = None if gone else text
    known = (
        replace(record or FileRecord(), digest=digest(text), created=created, extra=extra) if extra else None
    )
    if after == existing.text:
        return FileChange(place, after, after, FileState.CURRENT if known else FileState.ABSENT, known)
    return FileChange(place, existing.text, after, FileState.STALE if record else FileState.ABSENT, known)


def remember(change: FileChange, *, tools: tuple[str, ...], extra: Mapping[str, object]) -> FileChange:
    """Returns a planned change with tools and extra data in its record, if there is a record."""
    if change.record is None:
        return change
    return replace(change, record=replace(change.record, tools=tools, extra=extra))


def fits(place: TargetFile, existing: Existing, record: FileRecord | None) -> bool:
    """Returns True if a planned file is as its record says, or has no part of ours if there is no record."""
    if record is None:
        return place.mode != "settings" and unplan(place, existing, None).state is FileState.ABSENT
    part = part_in(place, existing, record)
    return part is not None and (KINDS[place.mode] == "append" or digest(part) == record.digest)


def part_in(place: TargetFile, existing: Existing, record: FileRecord | None) -> str | None:
    """Returns the part of a file that a plan would replace, as it stands there now; None if there is none."""
    text = existing.text or ""
    match KINDS[place.mode]:
        case "append":
            span = _appended(text, record)
            return text[slice(*span)] if span else None
        case "region":
            found = region_of(text, place.section)
            return None if found is None or isinstance(found, Orphan) else text[found.start : found.end]
    return existing.text


def digest(text: str) -> str:
    """Returns a fingerprint of a file's text for planning, the same for all line ends."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def _body(place: TargetFile, text: str) -> str:
    # Lone surrogates cannot be told from undecodable bytes once they are in a file.
    body = _clean(text).lstrip("\r\n").rstrip()
    if body and place.position is Position.ABOVE and KINDS[place.mode] == "region":
        return f"{ROOM_WAS_MADE}\n{body}"
    return f"@{place.reference}" if body and place.mode == "import" else body


def _clean(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)
    return text


def _in(eol: str, text: str) -> str:
    if eol == "\n" and "\r" not in text:
        return text
    return LINE_END.sub(lambda _: eol, text)


def _kept(change: FileChange, record: FileRecord | None) -> FileChange:
    if change.state is FileState.ABSENT:
        return change
    state = FileState.CURRENT if change.state is FileState.STALE else change.state
    note = change.note if change.state is FileState.ORPHANED else "there is no page for it now: kept as it is"
    return replace(change, after=change.before, state=state, record=record, note=note)


def _is_utf16(place: TargetFile, existing: Existing) -> bool:
    return place.mode != "replace-file" and (existing.text or "").startswith(_UTF16)


def _utf16(place: TargetFile, existing: Existing, record: FileRecord | None) -> FileChange:
    note = "the file is in UTF-16, which cannot be mixed with ours: save it as UTF-8"
    return _left(place, existing, FileState.FOREIGN, record, note)


def _left(
    place: TargetFile, existing: Existing, state: FileState, record: FileRecord | None, note: str = ""
) -> FileChange:
    return FileChange(place, existing.text, existing.text, state, record, note)


def _judged(part: str, record: FileRecord | None) -> FileState:
    return FileState.STALE if record is None or digest(part) == record.digest else FileState.EDITED


def _plan_region(
    place: TargetFile, text: str, existing: Existing, record: FileRecord | None, _: bool
) -> FileChange:
    host = existing.text or ""
    found = region_of(host, place.section)
    if isinstance(found, Orphan):
        return _left(place, existing, FileState.ORPHANED, record, _orphan_note(found))
    wanted = payload(place, text, eol_of(host))
    known = replace(record or FileRecord(), digest=digest(wanted), created=existing.text is None)
    if found is None:
        after = put_region(host, place.section, _body(place, text), top=place.position is not Position.END)
        return FileChange(place, existing.text, after, FileState.ABSENT, known)
    if _is_misplaced(place, host, found):
        known = replace(known, created=bool(record and record.created))
        top = place.position is Position.ABOVE
        after = put_region(take_region(host, place.section), place.section, _body(place, text), top=top)
        return FileChange(place, existing.text, after, FileState.STALE, known)
    before, part, rest = host[: found.start], host[found.start : found.end], host[found.end :]
    alone = not (before + rest).strip()
    known = replace(known, created=record.created if record else alone)
    state = FileState.CURRENT if part == wanted else _judged(part, record)
    note = (
        "your edit of the region would be replaced, and kept in a backup" if state is FileState.EDITED else ""
    )
    return FileChange(place, existing.text, before + wanted + rest, state, known, note)


def _is_misplaced(place: TargetFile, host: str, found: Region) -> bool:
    """Whether a limit would cut off the wrong text; else a region stays where it is, wherever somebody has moved it."""
    on_top = is_on_top(host, found)
    is_high = on_top and bool(host[found.end :].strip())
    return (place.position is Position.ABOVE and not on_top) or (place.position is Position.END and is_high)


def _unplan_region(place: TargetFile, existing: Existing, record: FileRecord | None, _: bool) -> FileChange:
    host = existing.text or ""
    found = region_of(host, place.section)
    if isinstance(found, Orphan):
        return _left(place, existing, FileState.ORPHANED, record, _orphan_note(found))
    if found is None:
        return _left(place, existing, FileState.ABSENT, None)
    rest = take_region(host, place.section)
    created = record.created if record else True
    state = _judged(host[found.start : found.end], record)
    note = (
        "your edit of the region would be taken out, and kept in a backup"
        if state is FileState.EDITED
        else ""
    )
    return FileChange(place, existing.text, _remainder(rest, created=created), state, None, note)


def _orphan_note(orphan: Orphan) -> str:
    return f"line {orphan.line}: {orphan.message}; nothing is changed"


def _remainder(text: str, *, created: bool) -> str | None:
    return None if created and text in ("", BOM) else text


def _plan_file(
    place: TargetFile, text: str, existing: Existing, record: FileRecord | None, force: bool
) -> FileChange:
    wanted = payload(place, text, eol_of(existing.text))
    state = _file_state(existing.text, record, wanted)
    if state is FileState.FOREIGN and not force:
        note = "this file was not written by modicum and is left as it is: move it away, or force the change"
        return _left(place, existing, state, None, note)
    known = replace(record or FileRecord(created=True), digest=digest(wanted))
    if state in (FileState.ABSENT, FileState.FOREIGN):
        known = replace(known, created=existing.text is None, original=existing.text)
    note = "what is there would be kept in a backup" if state in (FileState.EDITED, FileState.FOREIGN) else ""
    return FileChange(place, existing.text, wanted, state, known, note)


def _unplan_file(place: TargetFile, existing: Existing, record: FileRecord | None, force: bool) -> FileChange:
    state = _file_state(existing.text, record)
    if state is FileState.EDITED and not force:
        note = "you edited this file, so it is left as it is: delete it yourself, or force the change"
        return _left(place, existing, state, record, note)
    if state in (FileState.ABSENT, FileState.FOREIGN):
        note = (
            "this file was not written by modicum and is left as it is" if state is FileState.FOREIGN else ""
        )
        return _left(place, existing, state, None, note)
    original = record.original if record else None
    note = "" if original is None else "what was there before is put back"
    return FileChange(place, existing.text, original, state, None, note)


def _file_state(text: str | None, record: FileRecord | None, wanted: str | None = None) -> FileState:
    if text is None:
        return FileState.ABSENT
    if text == wanted:
        return FileState.CURRENT
    if record and digest(text) == record.digest:
        return FileState.STALE
    if not text.strip():
        return FileState.ABSENT
    if record is None and text.rstrip().endswith(OURS):
        return FileState.STALE
    # A run that was killed may have left a record of what it was about to replace.
    return FileState.FOREIGN if record is None or text == record.original else FileState.EDITED


def _plan_append(
    place: TargetFile, text: str, existing: Existing, record: FileRecord | None, force: bool
) -> FileChange:
    host = existing.text or ""
    eol = eol_of(host)
    wanted = payload(place, text, eol)
    span = _appended(host, record)
    if record and span:
        return _again(place, wanted, existing, record, span)
    if record is None and _has_lines(host, wanted):
        return _left(
            place, existing, FileState.CURRENT, None, "the file has this text already, not from modicum"
        )
    if record and _remains(host, record) and not force:
        note = "you edited the appended text, so it is left as it is: delete all of it to have it anew"
        return _left(place, existing, FileState.EDITED, record, note)
    added = _lead(host, eol) + wanted
    known = replace(
        record or FileRecord(), digest=digest(added), appended=added, created=existing.text is None
    )
    return FileChange(place, existing.text, host + added, FileState.ABSENT, known)


def _again(
    place: TargetFile, wanted: str, existing: Existing, record: FileRecord, span: tuple[int, int]
) -> FileChange:
    host = existing.text or ""
    before, old, rest = host[: span[0]], host[slice(*span)], host[span[1] :]
    lead = old[: len(old) - len(old.lstrip("\r\n"))]
    new = lead + (wanted if old.endswith(("\r", "\n")) else wanted.rstrip("\r\n"))
    state = FileState.CURRENT if new == old else FileState.STALE
    known = replace(record, digest=digest(new), appended=new)
    return FileChange(place, existing.text, before + new + rest, state, known)


def _unplan_append(
    place: TargetFile, existing: Existing, record: FileRecord | None, force: bool
) -> FileChange:
    host = existing.text or ""
    span = _appended(host, record)
    if record and span:
        before, after = host[: span[0]], host[span[1] :]
        joined = bool(before and after) and not before.endswith(("\r", "\n")) and after[0] not in "\r\n"
        rest = before + (eol_of(host) if joined else "") + after
        return FileChange(
            place, existing.text, _remainder(rest, created=record.created), FileState.STALE, None
        )
    if record and _remains(host, record):
        note = "you edited the appended text, so it is left as it is: delete it yourself"
        return _left(place, existing, FileState.EDITED, None if force else record, note)
    return _left(place, existing, FileState.ABSENT, None)


def _appended(host: str, record: FileRecord | None) -> tuple[int, int] | None:
    """Where the appended text is now, also if line ends or the blank lines around it have changed."""
    if record is None:
        return None
    local = _in(eol_of(host), record.appended)
    for candidate in (record.appended, local, local.strip("\r\n")):
        at = host.rfind(candidate)
        if candidate and at >= 0 and _are_lines(host, at, at + len(candidate)):
            return at, at + len(candidate)
    return None


def _are_lines(host: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends where lines do; else somebody has written into its first or last line."""
    begins = start in (0, len(BOM)) or host[start] in "\r\n" or host[start - 1] in "\r\n"
    return begins and (end == len(host) or host[end] in "\r\n" or host[end - 1] in "\r\n")


def _has_lines(host: str, wanted: str) -> bool:
    lines, ours = (LINE_END.sub("\n", text) for text in (host, wanted))
    return f"\n{ours}" in f"\n{lines}\n"


def _remains(host: str, record: FileRecord) -> bool:
    ours = {line.strip() for line in record.appended.splitlines()} - {""}
    return any(line.strip() in ours for line in host.splitlines())


def _lead(host: str, eol: str) -> str:
    if host in ("", BOM):
        return ""
    return eol if host.endswith(("\r", "\n")) else eol + eol


_PLANS = {"region": _plan_region, "file": _plan_file, "append": _plan_append}
_UNPLANS = {"region": _unplan_region, "file": _unplan_file, "append": _unplan_append}
