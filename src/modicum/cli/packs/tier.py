"""The command modicum pack tier."""

import click

from modicum.app.inject.load import load_library
from modicum.app.packs.tiering import TieredText, tier_pack, write_tiers
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import SubCommand
from modicum.cli.options import json_option
from modicum.cli.settings.names_to_complete import complete_packs


@click.command(cls=SubCommand)
@click.argument("name", shell_complete=complete_packs)
@click.option(
    "--apply", "do_apply", is_flag=True, help="Write the markers; without it, only the diff is shown."
)
@json_option
def tier_command(name: str, *, do_apply: bool, as_json: bool) -> int:
    """Put tiers into a pack that has none, by modicum adopt's rules. Shown as a diff, with reasons.

    \b
    Examples:
      modicum pack tier billing            the diff, and why
      modicum pack tier billing --apply    write it
    """
    config = load_config()
    library = load_library(config)
    texts = tier_pack(library, name)
    if do_apply and texts:
        write_tiers(next(pack for pack in library.packs if pack.id == name), texts, config.state / "aside")
    if as_json:
        output.say_json(
            {"pack": name, "applied": do_apply and bool(texts), "files": [_as_json(text) for text in texts]}
        )
        return 0
    for text in texts:
        output.say_diff(output.diff_lines(text.before, text.after, text.file.name))
        for choice in text.choices:
            output.say(f"  {text.file.name}:{choice.line}  {choice.tier}: {choice.reason}")
    if not texts:
        output.say(
            f"{name}: nothing to do. Its texts have tiers already, or are core from the first line to the last."
        )
    else:
        output.say(
            "Written." if do_apply else f"Nothing was written. To do it: modicum pack tier {name} --apply"
        )
    return 0


def _as_json(text: TieredText) -> dict[str, object]:
    choices = [{"line": c.line, "tier": c.tier, "reason": c.reason} for c in text.choices]
    return {
        "file": str(text.file),
        "choices": choices,
        "text": text.after.encode("utf-8", "replace").decode(),
    }
