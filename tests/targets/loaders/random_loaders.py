"""Random loaders and files, small enough that odd cases meet: for the laws of reading and placement."""

from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.model import (
    DROPS,
    FOLDERS,
    IMPORTED_ONCE,
    IMPORTS,
    LINKS,
    ORDERS,
    OUTSIDE,
    PICKS,
    Loader,
    ReadCondition,
    ReadLimit,
    ReadRule,
    SettingKey,
)

NAMES = ("A.md", "B.md", "C.md", "r/A.md")
START = "p/q"
PLACES = ("", "p/", "p/q/", "../", "~/", "~/h/")
PIECES = (
    *(
        "one\n",
        "two é 中\n",
        "<!-- note -->\n",
        "in <!-- a --> line\n",
        "<!-- open\n",
        "-->\n",
        "\n\n",
        "```\n",
    ),
    *(
        "@A.md\n",
        "see @./B.md now\n",
        "@../A.md\n",
        "@p/q/B.md\n",
        "---\n",
        "paths: x\n",
        "- item\n",
        "<div>\n",
    ),
)
SETTING = SettingKey(("~/s.json", "s.json"), ("names",), "down")

texts = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
paths = st.sampled_from([f"{place}{name}" for place in PLACES for name in NAMES])


def some(values: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), unique=True, max_size=3).map(tuple)


rules = st.builds(
    ReadRule,
    folders=st.sampled_from(FOLDERS),
    files=some((*NAMES, "r/*.md", "**/A.md")),
    home=st.sampled_from(("", "~/h")),
    outside=st.sampled_from(OUTSIDE),
    order=st.sampled_from(ORDERS),
    pick=st.sampled_from(PICKS),
    names=st.sampled_from((None, SETTING)),
    more=st.sampled_from((None, SETTING)),
    unless=some((*NAMES, "r/*.md")),
    conditional=st.sampled_from(
        ((), (ReadCondition("paths"),), (ReadCondition("paths", ("x",), absent=False),))
    ),
    imports=st.sampled_from(IMPORTS),
    within=st.sampled_from(("", "folder")),
    drops=some(DROPS),
    trim=st.booleans(),
    links=st.sampled_from(LINKS),
    limit=st.sampled_from(("", "all", "each")),
)


@st.composite
def loaders(draw: st.DrawFn, *, least: int = 1) -> Loader:
    limits = tuple(
        ReadLimit(
            name,
            draw(st.sampled_from(("bytes", "chars"))),
            draw(st.integers(0, 40)),
            name == "each",
            whole=draw(st.booleans()),
        )
        for name in ("all", "each")
    )
    return Loader(
        rules=tuple(draw(st.lists(rules, min_size=least, max_size=4))),
        limits=limits,
        imported_once=draw(st.sampled_from(IMPORTED_ONCE)),
        any_case=draw(st.booleans()),
        depth=draw(st.integers(0, 3)),
        excludes=draw(st.sampled_from((None, replace(SETTING, keys=("excludes",), merge=True)))),
    )


@st.composite
def project_files(draw: st.DrawFn) -> ProjectFiles:
    held = draw(st.dictionaries(paths, texts, max_size=8))
    free = sorted({f"{place}{name}" for place in PLACES for name in NAMES} - held.keys())
    meant = st.sampled_from(sorted(held) or ["nowhere"])
    links = draw(st.dictionaries(st.sampled_from(free), meant, max_size=2)) if free else {}
    values = st.fixed_dictionaries(
        {"names": some(NAMES).map(list), "excludes": some(("**/p/*.md", "**/C.md")).map(list)}
    )
    settings = draw(st.dictionaries(st.sampled_from(("~/s.json", "s.json", "p/s.json")), values, max_size=2))
    return ProjectFiles(held, settings, links, draw(st.booleans()), "/x")
