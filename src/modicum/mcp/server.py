"""The MCP server: runs each tool call in a thread, and answers errors with a remedy."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from modicum import __version__
from modicum.app.answer.harmless import harmless_json
from modicum.app.memory.callers import for_agent
from modicum.app.memory.notes import STORE
from modicum.app.session.handed_log import Handed, log_handed, notes_in
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.engine.tokens import count
from modicum.mcp.arguments import Arguments
from modicum.mcp.family import OfferedTools, PromptTemplate
from modicum.mcp.reply import ONE_FORM, Data, ToolReply
from modicum.mcp.tool import Domain, ToolContext

THREADS = 8
UNNAMED = "a client without a name"

_log = logging.getLogger(__name__)


def make_server(context: ToolContext, offered: OfferedTools) -> Server[Any]:
    """Returns an MCP server that offers these tools, and packs, notes and specs as resources."""
    door = _Door(context, offered)
    return Server(
        "modicum",
        version=__version__,
        instructions=offered.instructions,
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
        on_list_resources=door.list_resources,
        on_list_resource_templates=door.list_templates,
        on_read_resource=door.read_resource,
        on_list_prompts=door.list_prompts,
        on_get_prompt=door.get_prompt,
    )


class _Door:
    """Answers the requests of the MCP protocol. Everything that blocks is done in a thread."""

    def __init__(self, context: ToolContext, offered: OfferedTools) -> None:
        self.context, self.offered = context, offered
        self.threads = anyio.CapacityLimiter(THREADS)

    def context_of(self, call: object) -> ToolContext:
        """Returns what the MCP server gives a tool to work with: over HTTP the caller's own store; a request without one is not answered."""
        request = getattr(call, "request", None)
        return self.context if request is None else replace(self.context, store=request.scope[STORE])

    def context_for_agent(self, call: ServerRequestContext[Any, Any]) -> ToolContext:
        """Returns what the MCP server gives a tool to work with, with the agent as the origin of what the tool saves."""
        context = self.context_of(call)
        client = _client_of(call) or context.store.origin.partition(":")[2]
        return replace(context, store=for_agent(context.store, client))

    async def list_tools(self, context: object, params: object) -> types.ListToolsResult:
        described = [tool.described() for tool in self.offered.tools.values()]
        return types.ListToolsResult.model_validate({"tools": described})

    async def call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        client = _client_of(context)
        calling = partial(
            self._call, self.context_for_agent(context), client, params.name, params.arguments or {}
        )
        result = await run_sync(calling, limiter=self.threads)
        if client not in ONE_FORM:
            result.pop("structuredContent", None)
        return types.CallToolResult.model_validate(result)

    def _call(
        self, context: ToolContext, client: str, name: str, arguments: Mapping[str, object]
    ) -> dict[str, Any]:
        """Calls a tool in a thread, and logs what its client is handed."""
        result: dict[str, Any] = call(context, self.offered, name, arguments)
        if "isError" not in result:
            text, data = str(result["content"][0]["text"]), result.get("structuredContent")
            # What a tool reads was counted already. To load a tokenizer for a short receipt would take too long.
            reads = self.offered.tools[name].hints.reads
            tokens, notes = (count(text), notes_in(data)) if reads else (None, ())
            who, size = context.store.who, len(text.encode("utf-8", "replace"))
            to = client or (who.name if who.token else UNNAMED)
            handed = Handed("mcp", to, name, context.project or context.config.name, size, tokens, notes)
            log_handed(str(context.config.data), handed)
        return result

    async def list_resources(self, context: object, params: object) -> types.ListResourcesResult:
        from modicum.mcp import resources

        caller = self.context_of(context)
        found = harmless_json(await run_sync(lambda: [*resources.listed(caller)], limiter=self.threads))
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
            text = await run_sync(resources.read, self.context_of(context), uri, limiter=self.threads)
        except ModicumError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=error.worded(self.offered.word)) from None
        content = {"uri": uri, "mimeType": resources.MARKDOWN, "text": harmless_json(text)}
        return types.ReadResourceResult.model_validate({"contents": [content]})

    async def list_prompts(self, context: object, params: object) -> types.ListPromptsResult:
        described = [_described(prompt) for prompt in self.offered.prompts.values()]
        return types.ListPromptsResult.model_validate({"prompts": described})

    async def get_prompt(
        self, context: object, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        prompts, given = self.offered.prompts, params.arguments or {}
        prompt = prompts.get(params.name)
        if prompt is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"use one of: {', '.join(prompts)}")
        if prompt.argument and not given.get(prompt.argument):
            raise MCPError(code=types.INVALID_PARAMS, message=f"{params.name} needs {prompt.argument}")
        text = self.offered.prompt_text(prompt)
        text = text.format(**given) if prompt.argument else text
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return types.GetPromptResult.model_validate({"description": prompt.about, "messages": [message]})


def _client_of(call: ServerRequestContext[Any, Any]) -> str:
    """The name by which the client introduced itself; empty over HTTP where it did so in another request."""
    about = call.session.client_params
    return about.client_info.name if about else ""


def _described(prompt: PromptTemplate) -> Data:
    arguments = [{"name": prompt.argument, "required": True}] if prompt.argument else []
    return {"name": prompt.name, "description": prompt.about, "arguments": arguments}


def call(context: ToolContext, offered: OfferedTools, name: str, arguments: Mapping[str, object]) -> Data:
    """Calls an MCP tool for the server; returns its result, or the error and remedy as a result."""
    tool = offered.tools.get(name)
    if tool is None:
        from modicum.base.near_words import nearest

        near = nearest(name, offered.tools)
        hint = f'did you mean "{near}"?' if near else f"use one of: {', '.join(offered.tools)}"
        return _failed(f'there is no tool "{name[:60]}" ({hint})')
    try:
        if tool.domain is Domain.SPECS:
            context.check_specs(writing=not tool.hints.reads)
        worded = replace(context, word=offered.word)
        return _result(tool.answer(worded, Arguments(arguments, tool.known)))
    except ModicumError as error:
        return _failed(error.worded(offered.word))
    except Exception as error:
        _log.exception("%s", name)
        return _failed(f"this is a bug in modicum: {type(error).__name__} (please report it)")


def _result(reply: ToolReply) -> Data:
    result: Data = {"content": [{"type": "text", "text": harmless_json(reply.text)}]}
    return {**result, "structuredContent": harmless_json(reply.data)} if reply.data is not None else result


def _failed(sentence: str) -> Data:
    return {"content": [{"type": "text", "text": harmless_json(sentence)}], "isError": True}
