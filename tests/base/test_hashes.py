"""The hashes of short texts are those of `hashlib`, without what it loads."""

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.hashes import blake2b, first_of, sha256


@given(st.binary(max_size=300))
def test_they_are_the_same_hashes(data: bytes) -> None:
    assert sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    assert blake2b(data, digest_size=8).digest() == hashlib.blake2b(data, digest_size=8).digest()


def test_nothing_of_openssl_is_loaded() -> None:
    code = "import sys, modicum.base.hashes; print('_hashlib' in sys.modules)"

    assert subprocess.check_output([sys.executable, "-c", code]).strip() == b"False"


def test_a_python_without_them_has_hashlib() -> None:
    assert first_of(("_no_such_module", "hashlib"), "sha256") is hashlib.sha256
    with pytest.raises(ImportError, match="there is no sha256 in _no_such_module"):
        first_of(("_no_such_module",), "sha256")
