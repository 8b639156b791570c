"""The hashes sha256 and blake2b for short texts, from Python itself: `hashlib` loads OpenSSL, which takes longer than they do."""

TYPE_CHECKING = False


def first_of(modules: tuple[str, ...], name: str) -> object:
    """Returns a hash by its name from the first of these modules that this Python has."""
    for module in modules:
        try:
            return getattr(__import__(module), name)
        except ImportError:
            continue
    raise ImportError(f"there is no {name} in {', '.join(modules)}")


if TYPE_CHECKING:
    from hashlib import blake2b as blake2b
    from hashlib import sha256 as sha256
else:
    blake2b = first_of(("_blake2", "hashlib"), "blake2b")
    sha256 = first_of(("_sha2", "_sha256", "hashlib"), "sha256")  # _sha256 until Python 3.11
