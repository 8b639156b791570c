"""The command modicum config."""

import click

from modicum.app.config_file import find_setting, list_settings, set_config, unset_config
from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.groups import group
from modicum.cli.options import here_option, json_option
from modicum.cli.settings.names_to_complete import complete_settings

key_argument = click.argument("key", shell_complete=complete_settings)


@group
def command() -> None:
    """Read and change your settings, and those of the project you are in.

    \b
    Examples:
      modicum config set language de
      modicum config list
    """


@command.command("list")
@json_option
def list_all(*, as_json: bool) -> int:
    """List every setting that is in force, and where it comes from. What is not listed is as usual.

    \b
    Example:
      modicum config list
    """
    found = list_settings(load_config())
    if as_json:
        output.say_json({"settings": [{**each._asdict(), "value": each.words} for each in found]})
    elif found:
        output.table(("Setting", "Value", "From"), [(each.key, each.words, each.origin) for each in found])
    else:
        output.say("Nothing is set: everything is as usual. Example: modicum config set language de")
    return DONE


@command.command("get")
@key_argument
@json_option
def get(key: str, *, as_json: bool) -> int:
    """Print the value of one setting. Exit 1 if nothing sets it.

    \b
    Example:
      modicum config get profile
    """
    found = find_setting(load_config(), key)
    fields = {"key": key, "value": found and found.words, "origin": found and found.origin}
    if as_json:
        output.say_json(fields)
    elif found:
        output.say(found.words)
    return DONE if found else FOUND


@command.command("set")
@key_argument
@click.argument("value")
@here_option
@json_option
def set_value(key: str, value: str, *, here: bool, as_json: bool) -> int:
    """Set a setting: yours, or with --here that of this project. Lists are words with commas.

    \b
    Examples:
      modicum config set language de
      modicum config set tools claude-code,codex --here
      modicum config set hook.lines 12
    """
    file = set_config(load_config(), key, value, project=here)
    return output.say_result(
        {"key": key, "value": value, "file": str(file)}, f"{key} is set in {file}", as_json=as_json
    )


@command.command("unset")
@key_argument
@here_option
@json_option
def unset(key: str, *, here: bool, as_json: bool) -> int:
    """Remove a setting, so that it is as usual again. Exit 1 if the file does not set it.

    \b
    Examples:
      modicum config unset language
      modicum config unset profile --here
    """
    config = load_config()
    file = unset_config(config, key, project=here)
    where = file or (config.project_file if here else config.user_file)
    sentence = f"{key} is no longer set in {where}" if file else f"{key} is not set in {where}"
    output.say_result({"key": key, "file": str(where), "removed": bool(file)}, sentence, as_json=as_json)
    return DONE if file else FOUND


@command.command("edit")
@here_option
@json_option
def edit(*, here: bool, as_json: bool) -> int:
    """Open the config file in your editor, and check it afterwards. VISUAL or EDITOR names the editor.

    \b
    Example:
      modicum config edit
    """
    config = load_config()
    file = config.project_file if here else config.user_file
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        click.edit(filename=str(file))
    except click.ClickException as error:
        remedy = f"set EDITOR to your editor, or open {file} yourself"
        raise ModicumError(error.format_message(), remedy=remedy) from error
    load_config()  # says what is wrong with it now
    return output.say_result({"file": str(file)}, f"{file} is in order.", as_json=as_json)


@command.command("path")
@here_option
@json_option
def path(*, here: bool, as_json: bool) -> int:
    """Print the path of the config file, which need not exist.

    \b
    Example:
      modicum config path --here
    """
    config = load_config()
    file = config.project_file if here else config.user_file
    return output.say_result({"file": str(file), "exists": file.exists()}, str(file), as_json=as_json)
