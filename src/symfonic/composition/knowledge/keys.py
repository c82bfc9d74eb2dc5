"""The key of a deployment: made on first use next to its store, private to its owner, replaced as a whole.

Rules of this module: the one place where randomness enters and where a key touches a disk. The key itself is returned
to the composition root and to nobody else; faces show :func:`fingerprint`. One key serves three purposes through
:func:`derive_keys`, so that a tag of a label never says anything about a tag of a delimiter or an id of a passage.

A key file holds 64 hex digits and a line feed. It appears under its name complete or not at all: it is written under
another name, flushed to the disk, and then linked (first key: whoever links first wins, the other reads that one) or
renamed (replacement). A key that anybody but its owner may read is no secret, so it is refused.

Replacing a key changes every label tag and every delimiter from the next :meth:`KnowledgeBase.open` on. Providers'
prompt caches start anew, and whatever was recorded under the old labels no longer matches. The old key is not kept.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ._private_files import written_beside
from .errors import KeyFileError
from .locations import StoreUrl, user_data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "KEY_BYTES",
    "fingerprint",
    "import_key",
    "key_path",
    "obtain_key",
    "parse_key",
    "read_key",
    "rotate_key",
]

KEY_BYTES: Final = 32
"""Bytes of a key: as many as the digests made with it have."""

_LABEL_DOMAIN: Final = b"symfonic-knowledge/key/labels/v1"
_DELIMITER_DOMAIN: Final = b"symfonic-knowledge/key/delimiters/v1"
_PASSAGE_DOMAIN: Final = b"symfonic-knowledge/key/passages/v1"
_FINGERPRINT_DOMAIN: Final = b"symfonic-knowledge/key/fingerprint/v1\n"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_MOST_READ: Final = 4096
_LEAST_DISTINCT: Final = 8
"""Distinct bytes below which 32 bytes are a pattern; 32 random ones have fewer than eight once in 10^35."""


@dataclass(frozen=True, slots=True)
class DerivedKeys:
    """One deployment key, separated by purpose.

    Attributes:
        labels: Keys the tags of labels.
        delimiters: Keys the tags of untrusted blocks.
        passages: Keys the ids of passages.
    """

    labels: bytes = field(repr=False)
    delimiters: bytes = field(repr=False)
    passages: bytes = field(repr=False)


def derive_keys(key: bytes) -> DerivedKeys:
    """Derive a key for each purpose: HMAC-SHA256 of a purpose's name under ``key``.

    Raises:
        KeyFileError: ``key`` is not exactly 32 bytes.
    """
    if type(key) is not bytes or len(key) != KEY_BYTES:
        raise KeyFileError(
            f"a deployment key is {KEY_BYTES} bytes; this one is not and would be easier to guess; make one with "
            "secrets.token_bytes(32), or let KnowledgeBase.open keep one"
        )
    return DerivedKeys(
        labels=hmac.digest(key, _LABEL_DOMAIN, "sha256"),
        delimiters=hmac.digest(key, _DELIMITER_DOMAIN, "sha256"),
        passages=hmac.digest(key, _PASSAGE_DOMAIN, "sha256"),
    )


def fingerprint(key: bytes) -> str:
    """16 hex digits that tell keys apart and tell nothing about them."""
    return hashlib.sha256(_FINGERPRINT_DOMAIN + key).hexdigest()[:16]


def key_path(store: str | os.PathLike[str] | StoreUrl) -> Path:
    """Where the key of the store at ``store`` lies: the same name with ``.key`` behind it.

    Where ``store`` is a link it is the name of what that leads to, so that a store has one key by all its names. The
    key of a store that is no file lies in the user's data folder, by the place its address names: whoever asks it from
    another machine has to bring the key there, or name it as ``key_file``.

    Raises:
        KeyFileError: ``store`` is the path of no file: it ends in no name, or is no path at all.
        MissingExtraError: ``store`` is an address and platformdirs, which knows the folder, is not installed.
    """
    if isinstance(store, StoreUrl):
        return user_data_folder() / "keys" / f"{store.engine}-{store.identity}.key"
    path = Path(os.path.realpath(store) if os.path.islink(store) else store)  # noqa: PTH114 - Path raises where locked
    if path.name in {"", ".."} or "\0" in path.name:
        raise KeyFileError(
            "a store is a file, and its key has the file's name with .key behind it; this path names no file "
            f"({os.fspath(store)!r}) and no key was looked for; name a file"
        )
    return path.with_name(f"{path.name}.key")


def read_key(path: Path) -> bytes:
    """Return the key kept at ``path``.

    Raises:
        KeyFileError: There is none, it belongs to or can be read by somebody else, it is no key, or one so regular
            that it was not drawn at random.
    """
    with _explained(path):
        # Without O_NONBLOCK a pipe of that name would be waited for.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            _refuse_exposed(os.fstat(handle), path)
            text = os.read(handle, _MOST_READ)
        finally:
            os.close(handle)
    key = _from_hex(text.removesuffix(b"\n"))
    if key is None:
        raise KeyFileError(
            f"a key file holds {2 * KEY_BYTES} hex digits; {path} does not and no key was taken from it; restore it "
            "from a backup, or make a new key with `symfonic-knowledge key rotate`"
        )
    _refuse_pattern(key)
    return key


def obtain_key(path: Path) -> bytes:
    """Return the key kept at ``path``; where there is none, make one and keep it there.

    Processes that do this at the same time all get the same key.

    Raises:
        KeyFileError: As :func:`read_key`, or the key could not be written.
    """
    if not os.path.lexists(path):
        with (
            _explained(path),
            _written(path, secrets.token_bytes(KEY_BYTES)) as ready,
            contextlib.suppress(FileExistsError),
        ):
            os.link(ready, path)
    return read_key(path)


def passing_key() -> bytes:
    """A key that is kept nowhere, for what makes neither labels nor delimiters."""
    return secrets.token_bytes(KEY_BYTES)


def rotate_key(path: Path) -> bytes:
    """Replace the key kept at ``path`` by a new one and return that. A key that was exposed is replaced the same way.

    Raises:
        KeyFileError: It could not be written; the old one is in place.
    """
    return import_key(path, secrets.token_bytes(KEY_BYTES))


def import_key(path: Path, key: bytes) -> bytes:
    """Put ``key`` in place of whatever is kept at ``path`` and return it.

    Raises:
        KeyFileError: It is no key, is too regular for one, or could not be written; what was there is in place.
    """
    derive_keys(key)
    _refuse_pattern(key)
    with _explained(path):
        # A link is followed, so that a key kept elsewhere is replaced where it is kept.
        target = Path(os.path.realpath(path))
        with _written(target, key) as ready:
            ready.replace(target)
    return key


def parse_key(data: bytes) -> bytes:
    """Read a key that was made elsewhere: 64 hex digits, base64 (either alphabet) of 32 bytes, or 32 raw bytes.

    Raises:
        KeyFileError: It is none of these, or so regular that it was not drawn at random.
    """
    text = data.strip()
    key = _from_hex(text) or _from_base64(text)
    if key is None and len(data) == KEY_BYTES and not data.isascii():
        key = data
    if key is None:
        raise KeyFileError(
            f"a key is given as {2 * KEY_BYTES} hex digits, as base64 of {KEY_BYTES} bytes, or as {KEY_BYTES} raw "
            "bytes; this is none of them and the key in place was kept; make one with `openssl rand -hex 32`"
        )
    _refuse_pattern(key)
    return key


def _refuse_pattern(key: bytes) -> None:
    if len(set(key)) < _LEAST_DISTINCT:
        raise KeyFileError(
            "a key is drawn at random; this one is a pattern that could be guessed, so it was not used and the key in "
            "place was kept; make one with `symfonic-knowledge key rotate`, or with `openssl rand -hex 32`"
        )


def _from_hex(text: bytes) -> bytes | None:
    if len(text) != 2 * KEY_BYTES:
        return None
    try:
        return binascii.unhexlify(text)
    except binascii.Error:
        return None


def _from_base64(text: bytes) -> bytes | None:
    standard = text.replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    try:
        key = base64.b64decode(standard + b"=" * (-len(standard) % 4), validate=True)
    except binascii.Error:
        return None
    return key if len(key) == KEY_BYTES else None


def _refuse_exposed(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise KeyFileError(f"a key is kept in a file; {path} is none and no key was read; move it away")
    if status.st_mode & _OTHERS:
        raise KeyFileError(
            f"a key is readable by its owner only; {path} is open to others (mode {stat.S_IMODE(status.st_mode):04o}), "
            "so whoever writes documents could foresee labels and delimiters; replace it with `symfonic-knowledge key "
            "rotate`, or run `chmod 600` on it if nobody else has an account here"
        )
    if status.st_uid != os.geteuid() != 0:
        raise KeyFileError(
            f"a key belongs to the user who runs this program; {path} belongs to user {status.st_uid}, who knows it; "
            "move it away and a new one is made"
        )


@contextlib.contextmanager
def _written(path: Path, key: bytes) -> Iterator[Path]:
    """The key in a private file beside ``path``; the folders above it are made where there are none."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with written_beside(path, key.hex().encode("ascii") + b"\n") as ready:
        yield ready


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        if os.path.islink(path):  # noqa: PTH114 - Path raises where locked
            raise KeyFileError(
                f"a store's key is kept beside it; {path} is a link to {os.path.realpath(path)}, which is not there, "
                "and no key was made; put the key back, or remove the link"
            ) from error
        raise KeyFileError(
            f"a store's key is kept beside it; there is none at {path} yet; it is made when the store is first used"
        ) from error
    except ValueError as error:
        raise KeyFileError(
            f"a path is text the file system can take, without NUL; {str(path)!r} is none and no key was read or "
            "written; name another path"
        ) from error
    except OSError as error:
        raise KeyFileError(
            f"a store's key is kept beside it, in a folder its owner may write; {path} could not be used "
            f"({error.strerror}); check the permissions, or keep the store elsewhere"
        ) from error
