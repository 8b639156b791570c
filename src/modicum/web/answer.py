"""Answers the requests of the workbench: pages with their headers, refused requests, and the page to sign in."""

import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modicum import __version__
from modicum.app.memory.callers import in_browser
from modicum.app.remedies import plain_wording
from modicum.base.errors import ModicumError
from modicum.http.guard import bearer_token
from modicum.http.replies import Headers, Problem, Reply, problem_of, problem_reply
from modicum.http.request import ApiRequest
from modicum.http.routes import Handler, Route
from modicum.memory.model import Forbidden
from modicum.web.cookies import has_page_token, page_cookie, sign_in_cookie, token_of
from modicum.web.files import static_folder
from modicum.web.screens import SCREENS

if TYPE_CHECKING:
    from jinja2 import Environment

HTML = "text/html; charset=utf-8"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SAFE: Headers = (
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
LONGEST_TITLE = 300
FOREIGN = Problem(HTTPStatus.FORBIDDEN, "this page is not from this server", "load the page again")

# Controls, marks that turn the direction, characters of no width, tags, and what is no character.
_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff\\U000e0000-\\U000e007f]"
)


@cache
def templates() -> "Environment":
    """Returns the templates of the workbench; they escape everything that they are given."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"screens": SCREENS, "static": static_folder()}
    made.filters |= {"number": lambda value: f"{value:,}", "shown": shown, "short_title": short_title}
    return made


def shown(text: str) -> str:
    """Returns a text for an answer of the workbench, with signs in place of characters that nobody would see, or that turn it around."""
    return _UNSEEN.sub(_sign, text.replace("\r\n", "\n"))


def short_title(text: str) -> str:
    """Returns a note's title as an answer of the workbench's pages names the note: short, however long it is."""
    return shown(text if len(text) <= LONGEST_TITLE else f"{text[:LONGEST_TITLE]}…")


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 32 else f"⟨U+{code:04X}⟩"


def page(request: ApiRequest, template: str, **values: object) -> Reply:
    """Replies with a page of the workbench."""
    who = request.store.who
    frame = {
        "project": request.config.name if request.config else "",
        "person": who.name if who.token else "",
    }
    html = templates().get_template(template).render(frame | values)
    body = html.encode("utf-8", "replace")
    return Reply(HTTPStatus.OK, body, HTML, (*SAFE, *page_cookie(request.headers)))


def answer(route: Route, request: ApiRequest) -> Reply:
    """Answers a route of the workbench; only pages of this server may change anything."""
    if route.writes and not (_is_program(request) or has_page_token(request.headers)):
        return problem_reply(FOREIGN)
    try:
        return route.handler(_of_person(request))
    except ModicumError as error:
        problem = problem_of(error, plain_wording)
        return problem_reply(problem) if route.writes else refuse(problem)


def _is_program(request: ApiRequest) -> bool:
    """Says whether a request has brought its token in a header; a browser adds a cookie by itself."""
    return request.showed_token and bool(bearer_token(request.headers))


def _of_person(request: ApiRequest) -> ApiRequest:
    """The request with what it saves as a person's: a program that brings its token in a header is none."""
    store = request.store.through("web")
    return request._replace(store=store if bearer_token(request.headers) else in_browser(request.store))


def refuse(problem: Problem) -> Reply:
    """Answers a refused request of the workbench: with a page that says what is wrong, or with the page to sign in."""
    template = "login.html" if problem.status == HTTPStatus.UNAUTHORIZED else "problem.html"
    values = {"project": "", "person": "", "screen": "", "problem": problem}
    html = templates().get_template(template).render(values)
    return Reply(problem.status, html.encode("utf-8", "replace"), HTML, (*SAFE, *problem.headers))


def to_start(request: ApiRequest) -> Reply:
    """Answers with the way to the workbench's start page, for whoever types the path that its other pages are below."""
    return Reply(HTTPStatus.TEMPORARY_REDIRECT, b"", HTML, (*SAFE, ("Location", "/")))


def sign_in(request: ApiRequest) -> Reply:
    """Answers with a cookie that has the request's token, so that the browser shows it from now on."""
    if not request.showed_token:
        raise ModicumError("this server asks nobody for a token", remedy="go to its start page")
    return _done(sign_in_cookie(request.headers, token_of(request.headers)))


def sign_out(request: ApiRequest) -> Reply:
    """Answers with a cookie that takes the person's token out of the browser."""
    return _done(sign_in_cookie(request.headers, ""))


def _done(headers: Headers) -> Reply:
    return Reply(HTTPStatus.OK, b"{}\n", "application/json", (*SAFE, *headers))


def about(request: ApiRequest) -> Reply:
    """Answers the workbench's request for the folder of this server's project, so that `modicum open` finds the right server."""
    return json_answer({"root": str(request.require_config().root), "version": __version__})


def json_answer(value: object) -> Reply:
    """Answers a request of a script of the workbench with a value as JSON."""
    return Reply(HTTPStatus.OK, msgspec.json.encode(value) + b"\n", "application/json", SAFE)


def of_this_machine(handler: Handler, *, screen: str = "") -> Handler:
    """Returns a handler that answers the server's owner alone, for it shows the owner's files. Others are told so on a screen."""

    def checked(request: ApiRequest) -> Reply:
        if not request.store.who.token:
            return handler(request)
        if screen:
            return page(request, "elsewhere.html", screen=screen)
        raise Forbidden("the files of this server are its owner's", remedy="run modicum open on your machine")

    return checked
