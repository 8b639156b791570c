"""The command modicum team."""

from modicum.cli.groups import group
from modicum.cli.teams.log import log
from modicum.cli.teams.migrate import migrate
from modicum.cli.teams.token import token


@group
def command() -> None:
    """Share memory among several people: their tokens, a log of what they did, and a store on PostgreSQL.

    \b
    Examples:
      modicum team token new ana
      modicum team log
    """


for each in (token, log, migrate):
    command.add_command(each)
