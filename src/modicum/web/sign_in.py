"""Who a person is to the workbench: whoever opens it with a key from a terminal, or signs in with a token made for a person."""

from http import HTTPStatus

from modicum.app.memory.callers import is_for_page_only
from modicum.http.replies import Headers, Problem, Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Forbidden
from modicum.web.answer import SAFE, html_reply, json_answer, refuse
from modicum.web.cookies import OWNER, OWNER_SECRET, PageCookie, cookie_header, known_person, new_cookie
from modicum.web.keys import KEYS, proof_of

LONGEST_QUESTION = 200
USED = Problem(
    HTTPStatus.FORBIDDEN,
    "this address opens the page once, and within a minute",
    "run modicum open in a terminal again",
)


def open_page(request: ApiRequest) -> Reply:
    """Answers an address with a key: gives the browser its cookie, tells the page its word, and leads away from the address."""
    if not KEYS.redeem(request.text("key")):
        return refuse(USED)
    cookie = new_cookie(OWNER, OWNER_SECRET)
    return html_reply("opened.html", cookie_header(request.headers, cookie.value), word=cookie.word)


def sign_in(request: ApiRequest) -> Reply:
    """Answers a person's token with a cookie of the page; a token for agents or scripts, or one of the server, gets none."""
    who = request.store.who
    if not is_for_page_only(request.store):
        raise Forbidden(
            "this token is not a person's",
            remedy="modicum team token new NAME --for person makes one, in a terminal",
        )
    known = known_person(request.store, who.token)
    if known is None:
        raise Forbidden("this token was revoked", remedy="ask for another one")
    cookie = new_cookie(who.token, known.secret)
    return _done(cookie, cookie_header(request.headers, cookie.value, is_lasting=True))


def sign_out(request: ApiRequest) -> Reply:
    """Answers with the header that takes the cookie of the page out of the browser."""
    return _done(PageCookie("", ""), cookie_header(request.headers, ""))


def _done(cookie: PageCookie, headers: Headers) -> Reply:
    reply = json_answer({"word": cookie.word})
    return reply._replace(headers=(*SAFE, *headers))


def about(request: ApiRequest) -> Reply:
    """Answers a question as only this server can, so that `modicum open` knows it from another program at its port."""
    return json_answer({"proof": proof_of(KEYS.secret, request.text("question")[:LONGEST_QUESTION])})
