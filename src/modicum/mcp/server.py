"""The server: hands calls to the tools of the table, in threads, and turns whatever goes wrong into words."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from modicum import __version__
from modicum.app.memory.notes import STORE
from modicum.base.errors import ModicumError
from modicum.mcp.args import Arguments
from modicum.mcp.instructions import INSTRUCTIONS, PROMPTS
from modicum.mcp.reply import Data, ToolReply
from modicum.mcp.tool import SPECS, Tool, ToolContext

THREADS = 8

_log = logging.getLogger(__name__)


def make_server(desk: ToolContext, tools: Mapping[str, Tool]) -> Server[Any]:
    """A server that offers these tools, and packs, notes and specs as resources."""
    door = _Door(desk, tools)
    return Server(
        "modicum",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
        on_list_resources=door.list_resources,
        on_list_resource_templates=door.list_templates,
        on_read_resource=door.read_resource,
        on_list_prompts=door.list_prompts,
        on_get_prompt=door.get_prompt,
    )


class _Door:
    """Translates. Everything that blocks is done in a thread."""

    def __init__(self, desk: ToolContext, tools: Mapping[str, Tool]) -> None:
        self.desk, self.tools = desk, tools
        self.threads = anyio.CapacityLimiter(THREADS)

    def desk_of(self, context: object) -> ToolContext:
        """Over HTTP everybody has a store of their own; a request without one is not answered."""
        request = getattr(context, "request", None)
        return self.desk if request is None else replace(self.desk, store=request.scope[STORE])

    async def list_tools(self, context: object, params: object) -> types.ListToolsResult:
        told = {"tools": [tool.described() for tool in self.tools.values()]}
        return types.ListToolsResult.model_validate(told)

    async def call_tool(self, context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        asking = partial(call, self.desk_of(context), self.tools, params.name, params.arguments or {})
        return types.CallToolResult.model_validate(await run_sync(asking, limiter=self.threads))

    async def list_resources(self, context: object, params: object) -> types.ListResourcesResult:
        from modicum.mcp import resources

        desk = self.desk_of(context)
        found = await run_sync(lambda: [*resources.listed(desk)], limiter=self.threads)
        return types.ListResourcesResult.model_validate({"resources": found})

    async def list_templates(self, context: object, params: object) -> types.ListResourceTemplatesResult:
        from modicum.mcp import resources

        return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": resources.TEMPLATES})

    async def read_resource(
        self, context: object, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from modicum.mcp import resources

        uri = str(params.uri)
        try:
            text = await run_sync(resources.read, self.desk_of(context), uri, limiter=self.threads)
        except ModicumError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=str(error)) from None
        content = {"uri": uri, "mimeType": resources.MARKDOWN, "text": text}
        return types.ReadResourceResult.model_validate({"contents": [content]})

    async def list_prompts(self, context: object, params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult.model_validate({"prompts": [_prompt(name) for name in PROMPTS]})

    async def get_prompt(
        self, context: object, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        prompt, given = PROMPTS.get(params.name), params.arguments or {}
        if prompt is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"use one of: {', '.join(PROMPTS)}")
        if prompt.argument and not given.get(prompt.argument):
            raise MCPError(code=types.INVALID_PARAMS, message=f"{params.name} needs {prompt.argument}")
        text = prompt.text.format(**given) if prompt.argument else prompt.text
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return types.GetPromptResult.model_validate({"description": prompt.about, "messages": [message]})


def _prompt(name: str) -> Data:
    prompt = PROMPTS[name]
    arguments = [{"name": prompt.argument, "required": True}] if prompt.argument else []
    return {"name": name, "description": prompt.about, "arguments": arguments}


def call(desk: ToolContext, tools: Mapping[str, Tool], name: str, arguments: Mapping[str, object]) -> Data:
    """The seam: what a tool answers, or what is wrong, as a result that the model can act on."""
    tool = tools.get(name)
    if tool is None:
        from modicum.base.yaml_check import nearest

        near = nearest(name, tools)
        hint = f'did you mean "{near}"?' if near else f"use one of: {', '.join(tools)}"
        return _failed(f'there is no tool "{name[:60]}" ({hint})')
    try:
        if name.startswith(SPECS):
            desk.open_specs(writing=not tool.hints.reads)
        return _result(tool.answer(desk, Arguments(arguments, tool.known)))
    except ModicumError as error:
        return _failed(str(error))
    except Exception as error:
        _log.exception("%s", name)
        return _failed(f"this is a bug in modicum: {type(error).__name__} (please report it)")


def _result(told: ToolReply) -> Data:
    result: Data = {"content": [{"type": "text", "text": told.text}]}
    return {**result, "structuredContent": told.data} if told.data is not None else result


def _failed(sentence: str) -> Data:
    return {"content": [{"type": "text", "text": sentence}], "isError": True}


def serve_stdio(server: Server[Any]) -> None:
    """Serve the one client that started us, until it closes our input."""
    from mcp.server.stdio import stdio_server

    from modicum.mcp.surrogates import Mended

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(Mended(reading), writing, server.create_initialization_options())

    anyio.run(run)
