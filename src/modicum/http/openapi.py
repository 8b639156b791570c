"""Makes the OpenAPI document from the tables of routes."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from modicum import __version__
from modicum.http.replies import JSON, PROBLEM, Reply, json_reply, problem_reply
from modicum.http.request import ApiRequest
from modicum.http.routes import LazyTable, Parameter, Route, RouteTable, loaded

Schema = dict[str, Any]

REFERENCE = "#/components/schemas/{name}"
TEXT_NAME: Schema = {"type": "string", "minLength": 1}
_OF_THE_SERVER = (401, 403, 404, 405, 429, 500)
_OF_A_BODY = (408, 413, 415)


class ProblemJson(msgspec.Struct):
    """A problem reply in the OpenAPI document: what is wrong, and what to do about it (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str


def document(tables: Sequence[RouteTable]) -> Schema:
    """Returns the OpenAPI document of all routes in the tables."""
    schemas = _Schemas(tables)
    paths: dict[str, Schema] = {}
    for table in tables:
        for route in table.routes:
            path = paths.setdefault(_path(route), {})
            path[route.method.lower()] = _operation(table, route, schemas)
    info = {"title": "modicum", "version": __version__, "description": "Context in the amount asked for."}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": paths,
        "components": {"schemas": schemas.components},
    }


def openapi_table(path: str, tables: Sequence[RouteTable | LazyTable]) -> RouteTable:
    """Returns the route table that serves the OpenAPI document of the other tables at a path."""
    made: list[Reply] = []

    def answer(request: ApiRequest) -> Reply:
        if not made:
            described = [table for table in map(loaded, tables) if table.is_for_programs]
            made.append(json_reply(document(described)))
        return made[0]

    route = Route("GET", path, answer, "This document", reply=dict[str, Any])
    return RouteTable("", (route,), _call, problem_reply, {PROBLEM: ProblemJson})


def _call(route: Route, request: ApiRequest) -> Reply:
    return route.handler(request)


class _Schemas:
    """The JSON schemas, for the OpenAPI document, of all types that the routes name."""

    def __init__(self, tables: Sequence[RouteTable]) -> None:
        types = [*dict.fromkeys(each for each in _types(tables) if not isinstance(each, Mapping))]
        found, self.components = msgspec.json.schema_components(types, ref_template=REFERENCE)
        self._by_type = dict(zip(types, found, strict=True))

    def of(self, kind: object) -> Schema:
        """Returns the JSON schema of a type for the OpenAPI document; a schema is returned as it is."""
        return dict(kind) if isinstance(kind, Mapping) else self._by_type[kind]


def _types(tables: Sequence[RouteTable]) -> Iterator[object]:
    for table in tables:
        yield from table.failures.values()
        for route in table.routes:
            yield from (kind for kind in (route.body, route.reply) if _is_type(kind))


def _is_type(kind: object) -> bool:
    return kind is not None and not isinstance(kind, Mapping)


def _path(route: Route) -> str:
    return route.path.replace(":path}", "}")


def _operation(table: RouteTable, route: Route, schemas: _Schemas) -> Schema:
    names = [part.strip("{}") for part in _path(route).split("/") if part.startswith("{")]
    parameters = [_name(name, route) for name in names] + [_parameter(each) for each in route.parameters]
    operation: Schema = {"summary": route.summary, "responses": _responses(table, route, schemas)}
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        schema = schemas.of(route.body)
        needed = bool(_resolved(schema, schemas).get("required"))
        operation["requestBody"] = {"content": {JSON: {"schema": schema}}, "required": needed}
    return operation


def _resolved(schema: Schema, schemas: _Schemas) -> Schema:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: Schema = schemas.components[name] if name else schema
    return found


def _name(name: str, route: Route) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": route.names.get(name, TEXT_NAME)}


def _parameter(parameter: Parameter) -> Schema:
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "schema": parameter.schema,
        "description": parameter.about,
    }


def _responses(table: RouteTable, route: Route, schemas: _Schemas) -> Schema:
    reply = {"type": "object"} if route.reply is None else schemas.of(route.reply)
    statuses = sorted({*route.failures, *_OF_THE_SERVER, *(_OF_A_BODY if route.writes else ())})
    refused = {kind: schemas.of(schema) for kind, schema in table.failures.items()}
    good = HTTPStatus(route.status)
    return {
        str(int(good)): _response(good, {JSON: reply}),
        **{str(status): _response(HTTPStatus(status), refused) for status in statuses},
    }


def _response(status: HTTPStatus, schemas: Schema) -> Schema:
    content = {kind: {"schema": schema} for kind, schema in schemas.items()}
    return {"description": status.phrase, "content": content}
