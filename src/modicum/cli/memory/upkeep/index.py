"""The command modicum memory index."""

from contextlib import closing

import click

from modicum.app.counted import counted
from modicum.cli import output
from modicum.cli.options import json_option
from modicum.cli.progress_bar import ProgressBar
from modicum.cli.store import open_memory


@click.command("index")
@json_option
def index(*, as_json: bool) -> int:
    """Make the vectors by which notes are found by meaning, for all notes that have none.

    modicum serve and modicum mcp do the same in the background. It needs pip install 'modicum[meaning]';
    nothing is downloaded. Stopped half-way, it goes on when it is started again.

    \b
    Example:
      modicum memory index
    """
    from modicum.app.memory.upkeep.meaning import index_meaning

    with open_memory() as (config, store), closing(ProgressBar("Indexing")) as bar:
        done = index_meaning(config, store, begin=bar.begin, tell=bar.tell)
    sentence = f"{counted(done.made, 'new vector')}, {done.total:,} in all."
    return output.say_result(done._asdict(), sentence, as_json=as_json)
