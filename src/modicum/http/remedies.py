"""Words the remedies of errors for HTTP: as a route where there is one, else in plain words."""

from modicum.app.remedies import PLAIN_WORDS
from modicum.base.errors import wording

ROUTES_BY_ACTION: dict[str, str] = {}

route_wording = wording(PLAIN_WORDS | ROUTES_BY_ACTION)
