"""modicum check"""

import re


def test_the_check_tells_what_bears_on_a_change(world) -> None:
    world.write("AGENTS.md", "- Never keep sessions in Redis.\n")
    said = world.modicum("check", "keep", "sessions", "in", "Redis", "--max-tokens", "200")
    item = world.modicum("check", "sessions in redis", "--json").json["items"][0]

    assert said.out.startswith("## Possible conflicts\n- **AGENTS.md**")
    assert (item["kind"], item["where"]["line"]) == ("possible conflict", 1)
    assert "AGENTS.md" in world.modicum("spec", "suggest", "sessions in redis").out
    assert "- [ ] **AGENTS.md**" in world.modicum("spec", "review", "sessions in redis").out
    assert world.modicum("check", "zebras").out == "Nothing that was written here bears on that.\n"
    assert world.modicum("check").err.startswith("modicum: say what you want to change")


def test_what_does_not_fit_is_told(world) -> None:
    for number in range(40):
        world.write(f"docs/adrs/{number:03}-x.md", f"# {number:03}. Redis {number}\n\nUse Redis.\n")
    small = world.modicum("check", "redis", "--max-tokens", "60")
    none = world.modicum("check", "redis", "--max-tokens", "3")

    assert re.search(r"\n… \d+ more of 40: add --cursor \S+\n$", small.out)
    assert none.out == ""
    assert none.err == "modicum: nothing of 40 items fits: say a larger --max-tokens\n"
