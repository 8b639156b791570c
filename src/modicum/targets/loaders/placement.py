"""Placement: decides which files carry our page, so that every AI tool reads it exactly once. Pure.

A placement is a set of carriers. The best one has the fewest violations (first of the user's text, then of ours; those
in the newest version of a tool that is started in the project's root before all others), then makes tools read the fewest files of the user's that they did not read before, then drops the fewest
carriers that are there already, then relies on the fewest conditions that files cannot tell, then changes the fewest settings,
then the fewest files.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from modicum.base.value import NOTHING, replace
from modicum.targets.loaders.carriers import (
    GAP,
    IMPORT,
    PAGE,
    SETTING,
    BestPlacement,
    Carrier,
    Judgement,
    ToolReader,
    Violated,
    Violation,
    apply_carriers,
    choices_among,
    folder_in,
    imported_by,
    in_all_packages,
    is_in_package,
    kinds_of_folders,
    may_import,
    mentioned_by,
    subsets,
)
from modicum.targets.loaders.files import ProjectFiles, first_twins
from modicum.targets.loaders.reading import Reading, ReadPassage, Spans, changes_between, covering, times_read
from modicum.targets.loaders.walk import Unread

_Price = tuple[int, int, int, int]
_Cost = tuple[int, int, int, int, int, int, int]
_Choice = tuple[int, ...]
MOST_READ = (
    10_000  # readings by tools, after which the best placement so far is only improved by files in packages
)


def placement(
    files: ProjectFiles,
    tools: Sequence[ToolReader],
    carriers: Sequence[Carrier],
    present: Iterable[Carrier] = (),
    fixed: Iterable[Carrier] = (),
    *,
    ours_first: Collection[str] = (),
) -> BestPlacement:
    """Returns the best placement of our page for some AI tools, beside carriers that are fixed.

    Carriers that come first are preferred among equals. The tools in `ours_first` may lose text of the user's for our page.
    """
    pinned = {carrier.path: carrier for carrier in fixed}
    named = {carrier.path for carrier in carriers if carrier.kind == PAGE}
    carriers = [carrier for carrier in carriers if carrier.kind != IMPORT or carrier.path not in pinned]
    carriers = [*carriers, *(carrier for path, carrier in pinned.items() if path not in named)]
    search = _Search(files, tools, carriers, present, frozenset(pinned), ours_first=ours_first)
    chosen = search.best()
    return BestPlacement(
        tuple(carriers[index] for index in chosen),
        search.serves(chosen),
        tuple(chain.from_iterable(search.judged(tool, chosen).violations for tool in tools)),
    )


def violations_with(
    files: ProjectFiles, tools: Sequence[ToolReader], chosen: Sequence[Carrier]
) -> tuple[Violation, ...]:
    """Returns what the carriers of a placement violate among other files than those that it was made for."""
    search = _Search(files, tools, chosen, (), frozenset(), ours_first=())
    everyone = tuple(range(len(chosen)))
    return tuple(chain.from_iterable(search.judged(tool, everyone).violations for tool in tools))


class _Search:
    """Looks for the best choice of carriers. Those that concern one tool only are chosen for each tool apart."""

    def __init__(
        self,
        files: ProjectFiles,
        tools: Sequence[ToolReader],
        carriers: Sequence[Carrier],
        present: Iterable[Carrier],
        pinned: frozenset[str],
        *,
        ours_first: Collection[str],
    ) -> None:
        self.ours_first, self.given, self.fixed = ours_first, (*present,), pinned
        self.files, self.tools, self.carriers = files, tools, carriers
        self.places = [files.real(carrier.path) for carrier in carriers]
        self.present = {self._spot(carrier) for carrier in self.given}
        self.imported = {i: files.real(imported_by(c)) for i, c in enumerate(carriers) if c.kind == IMPORT}
        self.pinned = tuple(i for i, c in enumerate(carriers) if c.kind == PAGE and c.path in pinned)
        readings = {tool.tool: [read(files) for read in tool.readings.values()] for tool in tools}
        concerned = {tool.tool: self._concerning(tool, readings[tool.tool]) for tool in tools}
        self.concerned = concerned
        self.same = first_twins(files)
        self.before = {
            tool: [self._spans(reading.passages) for reading in rows] for tool, rows in readings.items()
        }
        self.known = {
            tool: [
                {*self._spans(chain(r.passages, (each for each in r.unread if each.is_cut)))} for r in rows
            ]
            for tool, rows in readings.items()
        }
        self.judgements: dict[tuple[str, _Choice], Judgement] = {}
        self.read = 0
        self.many: Mapping[str, int] = NOTHING  # how many packages one of its kind stands for

    def _concerning(self, tool: ToolReader, readings: Iterable[Reading]) -> tuple[int, ...]:
        found = {index for index, carrier in enumerate(self.carriers) if tool.concerns(carrier.path)}
        texts = {self.files.texts[passage.path] for reading in readings for passage in reading.passages}
        while True:  # what is imported may import
            named = texts | {mentioned_by(self.carriers[index]) for index in found}
            places = {self.imported[index] for index in found if index in self.imported}
            brought = {t for path, t in self.files.texts.items() if path in places or may_import(path, named)}
            more = {
                i
                for i, c in enumerate(self.carriers)
                if self.places[i] in places or may_import(c.path, named | brought)
            }
            if more <= found and brought <= texts:
                return tuple(sorted(found))
            found |= more
            texts |= brought

    def best(self) -> _Choice:
        """Returns the best placement, as indices of carriers.

        What is there already is the best if nothing is violated that could be kept: every other choice drops some of it,
        or has more.
        """
        there = tuple(i for i, carrier in enumerate(self.carriers) if self._is_present(carrier))
        is_whole = len(there) == len(self.present) and self._is_one_for_each_file(there)
        is_whole = is_whole and self._imports_ours(there, there)
        if is_whole and all(self._is_all_it_can(tool, there) for tool in self.tools):
            return tuple(sorted({*there, *self.pinned}))
        rows = (
            (t.tool, c, spans)
            for t in self.tools
            for c, spans in zip(t.readings, self.before[t.tool], strict=True)
        )
        kinds = kinds_of_folders(rows)
        few = self._among_few(kinds)
        found = few._with_packages(few._found())
        found = min([found, in_all_packages(found, self.carriers, kinds)], key=self._cost)
        return tuple(sorted({*self._with_packages(found), *self.pinned}))

    def _is_all_it_can(self, tool: ToolReader, choice: _Choice) -> bool:
        """Whether no choice of carriers can be better for a tool than this one."""
        violations = self.judged(tool, choice).violations
        return all(each.kind == "missing" and self._reads_nothing(tool, each.case) for each in violations)

    def _reads_nothing(self, tool: ToolReader, case: str) -> bool:
        """Whether a tool knows none of the files in a case, not even if all carriers were written.

        Fewer files cannot make it read more; other settings can, so that each set of them is tried.
        """
        concerned = [self.carriers[index] for index in self.concerned[tool.tool]]
        settings = [carrier for carrier in concerned if carrier.kind == SETTING]
        after = apply_carriers(self.files, (c for c in concerned if c.kind != SETTING))
        readings = (tool.readings[case](apply_carriers(after, some)) for some in subsets(settings))
        return not any(reading.passages or reading.unread or reading.dropped for reading in readings)

    def _is_present(self, carrier: Carrier) -> bool:
        return self._spot(carrier) in self.present

    def _spot(self, carrier: Carrier) -> tuple[object, ...]:
        """The identity of a carrier, the same for all names of its file."""
        _, *rest = carrier.spot
        return self.files.real(carrier.path), *rest

    def _found(self) -> _Choice:
        """The best choice of all."""
        counts = Counter(chain.from_iterable(self.concerned.values()))
        private = {
            tool: [i for i in indices if counts[i] == 1 and i not in self.pinned]
            for tool, indices in self.concerned.items()
        }
        self.own = {tool: self._by_cost(indices) for tool, indices in private.items()}
        self.private_present = -sum(self._price(indices)[0] for indices in private.values())
        shared_ones = [i for i in range(len(self.carriers)) if counts[i] > 1 and i not in self.pinned]
        best: tuple[_Cost, _Choice] | None = None
        for shared in self._by_cost(shared_ones):
            if best and self.read > MOST_READ:
                break
            if best is None or self._least_cost(shared) <= best[0]:
                best = self._completed(shared, best) or best
        return best[1] if best else ()

    def _among_few(self, kinds: Mapping[str, Sequence[str]]) -> "_Search":
        """The same search with one package of each kind, which counts for all of them."""
        tools = [
            replace(tool, readings={c: read for c, read in tool.readings.items() if folder_in(c) in kinds})
            for tool in self.tools
        ]
        search = _Search(self.files, tools, self.carriers, self.given, self.fixed, ours_first=self.ours_first)
        search.many = {folder: len(folders) for folder, folders in kinds.items()}
        gone = tuple(f"{other}/" for _, *others in kinds.values() for other in others)
        left = {i for i, c in enumerate(self.carriers) if is_in_package(c) and c.path.startswith(gone)}
        search.concerned = {
            name: tuple(i for i in ix if i not in left) for name, ix in self.concerned.items()
        }
        return search

    def _with_packages(self, choice: _Choice) -> _Choice:
        """The choice with each carrier in a package added or taken away that makes it better, if these are not too many."""
        packages = [i for i, c in enumerate(self.carriers) if is_in_package(c) and i not in self.pinned]
        best = self._cost(choice), choice
        if len(packages) * sum(len(tool.readings) for tool in self.tools) > MOST_READ // 2:
            return choice
        for index in packages:
            other = tuple(sorted({*best[1]} ^ {index}))
            if self._is_one_for_each_file(other) and self._imports_ours(other, other):
                best = min(best, (self._cost(other), other))
        return best[1]

    def _cost(self, choice: _Choice) -> _Cost:
        rows = [(0, 0, 0)]
        for tool in self.tools:
            first = tool.tool in self.ours_first
            rows.append(self.judged(tool, choice).cost(ours_first=first, many=self.many))
        theirs, ours, gained = map(sum, zip(*rows, strict=True))
        return theirs, ours, gained, *self._price(choice)

    def _by_cost(self, indices: Sequence[int]) -> list[_Choice]:
        """All choices among some carriers, the cheapest first; among equals the one that comes first in their order."""
        choices = filter(self._is_one_for_each_file, choices_among(self.carriers, indices))
        return sorted(choices, key=lambda choice: (self._price(choice), choice))

    def _is_one_for_each_file(self, choice: _Choice) -> bool:
        """Whether no file has two carriers: it holds a page, or a line that imports one."""
        places = [self.places[i] for i in choice if not self._is_setting(i)]
        return len({*places}) == len(places)

    def _imports_ours(self, some: _Choice, choice: _Choice) -> bool:
        """Whether what some of the carriers in a choice import is there: a page, or what imports one."""
        wanted = [self.imported[index] for index in some if index in self.imported]
        return not wanted or {*wanted} <= {
            self.places[i] for i in (*choice, *self.pinned) if not self._is_setting(i)
        }

    def _is_setting(self, index: int) -> bool:
        return self.carriers[index].kind == SETTING

    def _least_cost(self, shared: _Choice) -> _Cost:
        kept, unsure, settings, others = self._price(shared)
        return 0, 0, 0, kept - self.private_present, unsure, settings, others

    def _completed(self, shared: _Choice, best: tuple[_Cost, _Choice] | None) -> tuple[_Cost, _Choice] | None:
        """The best choice with just these shared carriers, if it is better: each tool takes what it needs of its own."""
        if not self._imports_ours(shared, shared):
            return None
        violated: Violated = (0, 0, 0)
        own: list[int] = []
        for tool in self.tools:
            more, taken = self._best_own(tool, shared)
            theirs, ours, gained = map(sum, zip(violated, more, strict=True))
            violated = theirs, ours, gained
            own += taken
            if best and violated > best[0][:3]:
                return None
        choice = tuple(sorted((*shared, *own)))
        found = (*violated, *self._price(choice)), choice
        return found if best is None or found < best else None

    def _best_own(self, tool: ToolReader, shared: _Choice) -> tuple[Violated, _Choice]:
        """What a tool needs of its own beside the shared carriers, and what is violated all the same."""
        first = tool.tool in self.ours_first
        options = (
            (
                self._judged_with(tool, shared, own).cost(ours_first=first, many=self.many),
                own,
            )
            for own in self.own[tool.tool]
            if self._imports_ours(own, (*shared, *own))
        )
        best = next(options)
        for option in options:
            if not any(best[0]) or self.read > MOST_READ:
                break
            best = option if option[0] < best[0] else best
        return best

    def _judged_with(self, tool: ToolReader, shared: _Choice, own: _Choice) -> Judgement:
        return self.judged(tool, tuple(sorted((*shared, *own))))

    def _price(self, choice: Iterable[int]) -> _Price:
        chosen = [self.carriers[index] for index in choice]
        kept = sum(map(self._is_present, chosen))
        unsure = sum(bool(carrier.needs) for carrier in chosen)
        settings = sum(carrier.kind == SETTING for carrier in chosen)
        return -kept, unsure, settings, len(chosen) - settings

    def judged(self, tool: ToolReader, choice: _Choice) -> Judgement:
        """Returns how a tool fares with a placement that has a choice of carriers."""
        concerned = self.concerned[tool.tool]
        concerning = tuple(i for i in sorted({*choice, *self.pinned}) if i in concerned)
        key = (tool.tool, concerning)
        if key not in self.judgements:
            self.read += len(tool.readings)
            self.judgements[key] = self._judge(tool, [self.carriers[index] for index in concerning])
        return self.judgements[key]

    def _judge(self, tool: ToolReader, chosen: Sequence[Carrier]) -> Judgement:
        after = apply_carriers(self.files, chosen)
        spans = {c.path: _span(after, c) for c in chosen if c.kind == PAGE}
        shifts = {
            path: end + len(GAP)
            for c, (path, _, end) in zip((c for c in chosen if c.kind == PAGE), spans.values(), strict=True)
            if c.at_top
        }
        violations: list[Violation] = []
        pages, twins = dict[str, None](), dict[str, None]()
        befores, knowns = self.before[tool.tool], self.known[tool.tool]
        for was, known, (case, read) in zip(befores, knowns, tool.readings.items(), strict=True):
            reading = read(after)
            now = self._spans(reading.passages, shifts)
            gone = self._spans(reading.dropped, shifts)
            violations += (
                Violation(tool.tool, kind, case, path) for kind, path in changes_between(was, now, gone)
            )
            newly = (Violation(tool.tool, "gained", case, path) for path in now if path not in known)
            # What brings a page to an older version often brings more, and nothing else would (record 142).
            violations += (each for each in newly if not each.is_older)
            violations += self._of_ours(tool.tool, case, reading, spans, now)
            pages |= dict.fromkeys(path for path in spans if times_read(reading, spans[path]))
            twins |= dict.fromkeys(each.path for each in reading.unread if each.kind == "twin")
        return Judgement(tuple(violations), tuple(pages), tuple(twins))

    def _spans(
        self, passages: Iterable[ReadPassage | Unread], shifts: Mapping[str, int] = NOTHING
    ) -> dict[str, list[tuple[int, int]]]:
        """Which parts of the user's files arrive, white space around them aside; files with the same text count as one.

        `shifts` says how far our page has moved the user's text in a file.
        """
        spans: dict[str, list[tuple[int, int]]] = {}
        for passage in passages:
            text, shift = self.files.text(passage.path) or "", shifts.get(passage.path, 0)
            start, end = _filled(text, max(0, passage.start - shift), min(passage.end - shift, len(text)))
            if start < end:
                spans.setdefault(self.same.get(passage.path, passage.path), []).append((start, end))
        return spans

    def _of_ours(
        self,
        tool: str,
        case: str,
        reading: Reading,
        spans: Mapping[str, tuple[str, int, int]],
        theirs: Spans,
    ) -> Iterator[Violation]:
        times = {path: times_read(reading, span) for path, span in spans.items()}
        reached = [path for path, count in times.items() if count]
        if not reached:
            yield Violation(tool, "missing", case)
        elif len(reached) > 1 or times[reached[0]] > self._allowed(theirs, spans[reached[0]][0]):
            yield Violation(tool, "repeated", case, reached[-1], sum(times.values()))

    def _allowed(self, theirs: Spans, path: str) -> int:
        """How often a file may be read: as often as the user's text in it is."""
        spans = theirs.get(self.same.get(path, path), ())
        return max(1, max((covering(spans, start) for start, _ in spans), default=1))

    def serves(self, choice: _Choice) -> dict[str, tuple[str, ...]]:
        """Returns the tools whose loaders each page of a placement reaches, or find equal to another page, if it reaches none."""
        found = {tool.tool: self.judged(tool, choice) for tool in self.tools}
        paths = [self.carriers[index].path for index in choice if self.carriers[index].kind == PAGE]
        pages = {path: tuple(tool for tool, each in found.items() if path in each.pages) for path in paths}
        twins = {path: tuple(tool for tool, each in found.items() if path in each.twins) for path in paths}
        return {path: pages[path] or twins[path] for path in paths}


def _filled(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without white space at its edges: a line end that is read once more is nothing doubled."""
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def _span(after: ProjectFiles, carrier: Carrier) -> tuple[str, int, int]:
    """Where the page is in its file: the file that a link means, from its first character to its last."""
    path = after.links.get(carrier.path, carrier.path)
    start = after.texts[path].rindex(carrier.text)
    return path, start, start + len(carrier.text)
