"""The imports in instruction files: `@path` in running text, not in code."""

import pytest

from modicum.targets.loaders.imports import Import, imports_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@x.md", ["x.md"]),
        ("see @./x.md and @~/y.md now", ["./x.md", "~/y.md"]),
        ("- @sub/z.md\n> @q.md\n# @h.md\n", ["sub/z.md", "q.md", "h.md"]),
        ("@r\\ s.md", ["r s.md"]),
        ("@x.md#part", ["x.md"]),
        ("@q.md,", ["q.md,"]),
        ("**@bold.md** *@a.md* _@my_b.md_ [@c.md](x)", ["bold.md", "a.md", "my_b.md", "c.md"]),
        ("(@p.md) a@b.md *@open", []),
        ("`@x.md` ``a ` @y.md`` @z.md", ["z.md"]),
        ("```\n@x.md\n```\n~~~\n@y.md\n~~~\n@z.md", ["z.md"]),
        ("a\n\n    @x.md\n\n@y.md", ["y.md"]),
        ("a\n    @x.md", ["x.md"]),
        ("- a\n\n    @x.md\n", ["x.md"]),
        ("- a\n  ```\n  @x.md\n  ```\n  @y.md", ["y.md"]),
        ("@ #x @#y", []),
        ("nothing", []),
    ],
)
def test_what_is_an_import(text: str, found: list[str]) -> None:
    assert [each.path for each in imports_in(text)] == found


def test_an_import_knows_where_it_stands() -> None:
    text = "a\nsee @x.md now **@b.md**"

    assert [*imports_in(text)] == [Import("x.md", 6, 11), Import("b.md", 18, 23, in_marks=True)]
    assert text[6:11] == "@x.md"
    assert text[18:23] == "@b.md"
