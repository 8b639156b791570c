"""The style sheet and scripts of the workbench, served from the package under an address that changes with them."""

from functools import cache
from http import HTTPStatus
from pathlib import Path

from modicum.base.hashes import sha256
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest

FOLDER = Path(__file__).parent / "static"
KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
FOREVER = (("Cache-Control", "public, max-age=31536000, immutable"),)


@cache
def static_files() -> dict[str, bytes]:
    """Returns the files of the workbench by name."""
    return {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}


@cache
def static_folder() -> str:
    """Returns the address of the folder of the workbench's files, which changes when one of them does."""
    digest = sha256(b"".join(static_files().values())).hexdigest()[:10]
    return f"/web/static/{digest}"


def static_file(request: ApiRequest) -> Reply:
    """Replies with a file of the workbench."""
    name = request.path["name"]
    body = static_files().get(name)
    if body is None:
        return Reply(HTTPStatus.NOT_FOUND, b"no such file\n", "text/plain; charset=utf-8")
    return Reply(HTTPStatus.OK, body, KINDS[Path(name).suffix], FOREVER)
