"""The screen of tools: a bar of what each AI tool reads here."""

from modicum.app.reading.tool_amounts import tools_here, with_costs
from modicum.app.reading.tool_reading import folder_below
from modicum.base.config import Config, load_config
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.web.answer import page
from modicum.web.bars import bars


def project_config(request: ApiRequest) -> Config:
    """Returns the configuration for the screen of tools: that of the server's project, as its files are now."""
    config = request.require_config()
    return load_config(config.environment, config.here)


def folder_asked(config: Config, request: ApiRequest) -> str:
    """Returns the folder below the project that a request for the screen of tools names."""
    return folder_below(config, config.root, request.text("folder"))


def tools(request: ApiRequest) -> Reply:
    """Replies with the screen of tools; `part` is its list alone, with what our hook and tools cost."""
    config = project_config(request)
    folder, every = folder_asked(config, request), request.text("all") == "1"
    here = tools_here(config, every=every, folder=folder)
    is_part = request.text("part") == "1"
    if is_part:
        here = with_costs(config, here, folder)
    template = "tools_list.html" if is_part else "tools.html"
    return page(
        request,
        template,
        screen="tools",
        here=here,
        bars=bars(here.amounts),
        folder=folder,
        every=every,
        has_costs=is_part,
    )
