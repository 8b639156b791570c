"""Turns the options of inject, status, explain and uninstall into an inject request; inject's also without click."""

from collections.abc import Mapping, Sequence

from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import may_bring_adapters, split_names, tool_ids
from modicum.base.config import Config, load_config
from modicum.base.typing_names import Any
from modicum.engine.page import Detail

# Of `modicum inject`. An option that is not here is left to the library, which knows them all and explains what is wrong.
_FLAGS = {
    f"--{name.replace('_', '-')}": name
    for name in ("all_tools", "dry_run", "check", "stats", "strict", "force", "wire", "make_room")
}
_FLAGS["--json"] = "as_json"
_SCOPES = {"--here": "project", "--global": "global"}
_WORDS = {"--profile": "profile", "--detail": "detail"}
_LISTS = {"--tool": "tools", "--include": "include", "--exclude": "exclude", "--trust": "trust"}


def plain_options(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Returns the options of `modicum inject`, parsed without click; None if only click can parse them."""
    options: dict[str, Any] = {
        **dict.fromkeys((*_FLAGS.values(), "as_status", "as_uninstall"), False),
        "scope": None,
        "profile": "",
        "detail": "",
        "tools": (),
        "include": (),
        "exclude": (),
        "trust": (),
    }
    words = iter(arguments)
    for word in words:
        if word in _FLAGS:
            options[_FLAGS[word]] = True
        elif word in _SCOPES:
            options["scope"] = _SCOPES[word]
        elif (word not in _WORDS and word not in _LISTS) or (given := next(words, "-")).startswith("-"):
            return None
        elif word in _WORDS:
            options[_WORDS[word]] = given
        else:
            options[_LISTS[word]] += (given,)
    return options


def request_from(config: Config, options: Mapping[str, Any]) -> InjectRequest:
    """Returns the inject request that the command's options ask for."""
    word = options.get("detail", "")
    return InjectRequest(
        tools=tool_ids(config, split_names(options.get("tools", ()))),
        all_tools=options.get("all_tools", False),
        scope=options.get("scope") or config.scope,
        exports=options.get("scope") != "project",
        profile=options.get("profile", ""),
        detail=_detail(word) if word else None,
        include=tuple(options.get("include", ())),
        exclude=tuple(options.get("exclude", ())),
        force=options.get("force", False),
        make_room=options.get("make_room", False),
    )


def _detail(word: str) -> Detail:
    from modicum.app.answer.amount import detail_named  # hardly any inject names a detail

    return detail_named(word)


def ready_config(options: Mapping[str, Any]) -> Config:
    """Returns the configuration for an inject request, once the user agreed to what the project brings, and its sources are here."""
    config = load_config()
    if not (may_bring_adapters(config) or options.get("trust")):
        return config
    from modicum.cli.packs.adapter_questions import settle_adapters
    from modicum.cli.questions import can_ask

    may_ask = not options["as_json"] and can_ask()
    is_global = (options.get("scope") or config.scope) == "global"
    if config.sources and not is_global:
        from modicum.cli.packs.project_sources import bring_sources

        config = bring_sources(config, may_ask=may_ask)
    may_ask = may_ask and "trust" in options and not (options["dry_run"] or options["check"])
    return settle_adapters(config, options.get("trust", ()), may_ask=may_ask)
