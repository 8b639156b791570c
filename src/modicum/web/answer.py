"""Answers the requests of the workbench: pages with their headers, refused requests, and the page to sign in."""

import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modicum.app.memory.callers import in_browser
from modicum.app.remedies import plain_wording
from modicum.base.errors import ModicumError
from modicum.http.replies import Headers, Problem, Reply, problem_of, problem_reply
from modicum.http.request import ApiRequest
from modicum.http.routes import Handler, Route
from modicum.memory.model import Forbidden
from modicum.web.cookies import is_own_page
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
LOGIN, LOGOUT = "/web/login", "/web/logout"
FOREIGN = Problem(
    HTTPStatus.FORBIDDEN, "this page is not from this server, or from one before it", "run modicum open again"
)
NOT_A_PERSON = Problem(
    HTTPStatus.FORBIDDEN, "the page is for people, and a token proves none", "run modicum open in a terminal"
)

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
    return Reply(HTTPStatus.OK, body, HTML, SAFE)


def answer(route: Route, request: ApiRequest) -> Reply:
    """Answers a route of the workbench. Its pages are a person's, and only they may change anything."""
    if not (route.is_public or request.is_person or route.path == LOGIN):
        return refuse(NOT_A_PERSON)
    if route.writes and route.path not in (LOGIN, LOGOUT) and not is_own_page(request.store, request.headers):
        return problem_reply(FOREIGN)
    try:
        return route.handler(_of_person(request) if request.is_person else request)
    except ModicumError as error:
        problem = problem_of(error, plain_wording)
        return problem_reply(problem) if route.writes else refuse(problem)


def _of_person(request: ApiRequest) -> ApiRequest:
    return request._replace(store=in_browser(request.store))


def refuse(problem: Problem) -> Reply:
    """Answers a refused request of the workbench: with a page that says what is wrong, or with the page to sign in."""
    template = "login.html" if problem.status == HTTPStatus.UNAUTHORIZED else "problem.html"
    return html_reply(template, problem.headers, problem.status, problem=problem)


def html_reply(template: str, headers: Headers, status: int = HTTPStatus.OK, **values: object) -> Reply:
    """Replies with a page of the workbench that tells nothing of the project or of memory."""
    frame = {"project": "", "person": "", "screen": ""}
    html = templates().get_template(template).render(frame | values)
    return Reply(status, html.encode("utf-8", "replace"), HTML, (*SAFE, *headers))


def to_start(request: ApiRequest) -> Reply:
    """Answers with the way to the workbench's start page, for whoever types the path that its other pages are below."""
    return Reply(HTTPStatus.TEMPORARY_REDIRECT, b"", HTML, (*SAFE, ("Location", "/")))


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
