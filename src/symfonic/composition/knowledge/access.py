"""Access keys of a service: who may ask, for whose knowledge, and until when.

Rules of this module: a token is shown once, when it is made; what is kept of it is a digest of its secret part, made
for this purpose alone. Whatever is wrong with the file is an error and never taken for "no keys": where it is gone,
damaged, or open to others, nobody is let in. A key's scope is the widest its holder can name; nobody widens it.

An access file is JSON, complete or not there at all, readable by its owner only. It is read for every token, so that a
revocation holds at the next request. Those that change it take turns, by a lock on a file beside it. That a file is
there says that tokens are asked for, even where it holds no key any more.

The deployment's own key (``keys``) is another thing: it makes labels and delimiters and lets nobody in.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import scope_ancestors, shows_blank

from ._access_files import READING, AccessRecord, parse_records, written_records
from ._private_files import locked_beside, written_beside
from ._scopes import Scope, scope_path_of
from .errors import AccessFileError, AccessRefusedError, InputError, type_name
from .keys import key_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .locations import StoreUrl

__all__ = [
    "TOKEN_PREFIX",
    "AccessKey",
    "AccessKeys",
    "access_in_force",
    "access_path",
    "narrowed",
    "require_writer",
]

TOKEN_PREFIX: Final = "symfonic_"  # noqa: S105 - what tokens begin with is no secret
"""What every token begins with, so that one is recognised where it does not belong."""

_ID_BYTES: Final = 6
_SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(rf"{TOKEN_PREFIX}([0-9a-f]{{{2 * _ID_BYTES}}})_([0-9a-f]{{{2 * _SECRET_BYTES}}})")
_DOMAIN: Final = b"symfonic-knowledge/access/token/v1\n"
_NOBODY: Final = ("0" * 2 * _ID_BYTES, "0" * 2 * _SECRET_BYTES)
_NOBODYS_DIGEST: Final = bytes(32)
"""Compared with where there is no such key, so that it takes as long. Nobody knows what has this digest."""
_MOST_KEYS: Final = 2_000
_MOST_NAME_CHARS: Final = 100
_MOST_DAYS: Final = 36_500
_DAY: Final = 86_400
_LOCK_SECONDS: Final = 10.0
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """What is known of a key: everything but its token.

    Attributes:
        id: 12 hex digits that stand in its token; no secret, and good for logs.
        name: What it was called for people.
        scope_path: The widest scope its holder may name; ``""`` for the whole deployment.
        may_write: Whether its holder may change what is stored.
        created: Seconds since the epoch.
        expires: Seconds since the epoch from which it lets nobody in; ``None`` for never.
    """

    id: str
    name: str
    scope_path: str
    may_write: bool
    created: float
    expires: float | None

    def is_expired(self, now: float) -> bool:
        """Whether it lets nobody in at ``now``, in seconds since the epoch."""
        return self.expires is not None and now >= self.expires


@dataclass(slots=True)
class AccessKeys:
    """The access keys kept in one file. Threads may share it; so may processes, each with its own.

    Args:
        path: The file. Where it is a link, what it leads to is used.
        clock: Seconds since the epoch.
        token_bytes: So many random bytes.
    """

    path: Path
    clock: Callable[[], float] = field(default=time.time, kw_only=True, repr=False)
    token_bytes: Callable[[int], bytes] = field(default=secrets.token_bytes, kw_only=True, repr=False)
    _seen: tuple[bytes, dict[str, AccessRecord]] = field(default=(b"", {}), init=False, repr=False)
    _alone: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def create(
        self, name: str, *, scope: Scope = None, may_write: bool = False, days: int | None = None
    ) -> tuple[AccessKey, str]:
        """Make a key and return it with its token, which nobody can show again.

        Args:
            name: What people call it, at most 100 characters on one line; several may have the same.
            scope: The widest scope its holder may name; ``None`` for the whole deployment.
            may_write: Whether its holder may change what is stored.
            days: So many days from now it lets nobody in any more, 1 to 36,500; ``None`` for never.

        Raises:
            InputError: The name or the number of days is none.
            ScopeError: The scope is none.
            AccessFileError: The file cannot be used, or holds 2,000 keys already.
        """
        created = self.clock()
        key = AccessKey(
            id="",
            name=_name(name),
            scope_path=scope_path_of(scope),
            may_write=_is_true(may_write),
            created=created,
            expires=_expiry(created, days),
        )
        secret = self.token_bytes(_SECRET_BYTES).hex()
        with self._changed() as records:
            if len(records) >= _MOST_KEYS:
                raise AccessFileError(
                    f"an access file holds at most {_MOST_KEYS:,} keys; {self.path} does already and none was made; "
                    "revoke those that nobody uses"
                )
            key = replace(key, id=self._free_id(records))
            records[key.id] = AccessRecord(
                id=key.id,
                name=key.name,
                scope_path=key.scope_path,
                may_write=key.may_write,
                created=key.created,
                expires=key.expires,
                digest=_digest(key.id, secret),
            )
        return key, f"{TOKEN_PREFIX}{key.id}_{secret}"

    def listed(self) -> tuple[AccessKey, ...]:
        """All keys, the oldest first, those that expired as well; none where there is no file.

        Raises:
            AccessFileError: The file cannot be used.
        """
        records = self._records(missing_is_empty=True).values()
        return tuple(_key(record) for record in sorted(records, key=lambda record: (record.created, record.id)))

    def revoke(self, id: str) -> AccessKey:  # noqa: A002 - it is what an id is called
        """Remove a key and return what it was; its token lets nobody in from the next request on.

        Raises:
            InputError: There is no key with that id; none was removed.
            AccessFileError: The file cannot be used.
        """
        with self._changed() as records:
            record = records.pop(id, None)
            if record is None:
                # The id is not repeated: it could be a token that was pasted.
                raise InputError(
                    f"a key is revoked by its id, 12 hex digits; this is that of none in {self.path}, and none was "
                    "revoked; `symfonic-knowledge access list` shows them"
                )
        return _key(record)

    def verify(self, token: str) -> AccessKey | None:
        """The key a token belongs to; ``None`` where it belongs to none, or to one that expired.

        It takes as long whether there is such a key or not.

        Raises:
            AccessFileError: The file is not there, or cannot be used: nobody is let in until it can.
        """
        found = _TOKEN.fullmatch(token)
        key_id, secret = found.groups() if found else _NOBODY
        record = self._records().get(key_id)
        expected = record.digest if record else _NOBODYS_DIGEST
        same = hmac.compare_digest(_digest(key_id, secret), expected)
        if not same or record is None or found is None:
            return None
        key = _key(record)
        return None if key.is_expired(self.clock()) else key

    def _free_id(self, records: dict[str, AccessRecord]) -> str:
        while (key_id := self.token_bytes(_ID_BYTES).hex()) in records or key_id == _NOBODY[0]:
            pass
        return key_id

    def _records(self, *, missing_is_empty: bool = False) -> dict[str, AccessRecord]:
        """What the file holds; parsed only where its bytes differ from what was read before."""
        data = _read(self.path, missing_is_empty=missing_is_empty)
        with self._alone:
            seen, records = self._seen
            if not data or data != seen:
                records = parse_records(data, self.path) if data is not None else {}
                self._seen = (data or b"", records)
        return records

    @contextlib.contextmanager
    def _changed(self) -> Iterator[dict[str, AccessRecord]]:
        """What the file holds, to be changed while nobody else does; written when the block ends without an error."""
        self._records(missing_is_empty=True)  # what cannot be read is refused before anything is made beside it
        with _explained(self.path):
            target = Path(os.path.realpath(self.path))
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked_beside(target, seconds=_LOCK_SECONDS):
                records = dict(self._records(missing_is_empty=True))
                yield records
                with written_beside(target, written_records(records.values())) as ready:
                    ready.replace(target)


def access_path(store: str | os.PathLike[str] | StoreUrl) -> Path:
    """Where the access keys of the store at ``store`` lie: beside its key, with ``.access`` in place of ``.key``.

    Raises:
        KeyFileError, MissingExtraError: As :func:`key_path`.
    """
    return key_path(store).with_suffix(".access")


def access_in_force(path: Path, *, clock: Callable[[], float] = time.time) -> AccessKeys | None:
    """The keys of a service that starts now: ``None`` where there is no access file, and no token is asked for.

    A service asks once, when it starts. One that got keys stays closed whatever becomes of the file.

    Raises:
        AccessFileError: There is one and it cannot be used.
    """
    if _is_missing(path):
        return None
    keys = AccessKeys(path, clock=clock)
    keys.verify("")
    return keys


def narrowed(key: AccessKey | None, asked: Scope) -> str:
    """The scope path of a request: what is asked where the key allows it, the key's own where nothing is asked.

    Args:
        key: Who asks; ``None`` where no tokens are asked for, and any scope may be named.
        asked: The scope the request names, if any.

    Raises:
        AccessRefusedError: The scope is neither the key's nor below it.
        ScopeError: What is asked is no scope.
    """
    if key is None:
        return scope_path_of(asked)
    if asked is None:
        return key.scope_path
    path = scope_path_of(asked)
    if key.scope_path not in scope_ancestors(path):
        raise AccessRefusedError(
            "a key reaches its own scope and what is below it; the one that was asked for is neither and nothing was "
            "done; leave the scope out, or use a key made for it"
        )
    return path


def require_writer(key: AccessKey | None) -> None:
    """Refuse a key that may not change what is stored.

    Raises:
        AccessRefusedError: It may not.
    """
    if key is not None and not key.may_write:
        raise AccessRefusedError(
            "a key changes what is stored only where it was made with --write; this one was not, and nothing was done; "
            "use one that may"
        )


def _key(record: AccessRecord) -> AccessKey:
    return AccessKey(
        id=record.id,
        name=record.name,
        scope_path=record.scope_path,
        may_write=record.may_write,
        created=record.created,
        expires=record.expires,
    )


def _digest(key_id: str, secret: str) -> bytes:
    return hashlib.sha256(_DOMAIN + f"{key_id}\n{secret}".encode("ascii")).digest()


def _name(name: object) -> str:
    if not isinstance(name, str) or len(name) > _MOST_NAME_CHARS or not name.isprintable() or shows_blank(name):
        raise InputError(
            f"a key's name is text on one line that shows something, of at most {_MOST_NAME_CHARS} characters; "
            f"{_shown(name)} is not and no key was made; name whom it is for"
        )
    return name


def _is_true(value: object) -> bool:
    """Nothing that merely counts as true lets anybody write."""
    return value is True


def _expiry(created: float, days: object) -> float | None:
    if days is None:
        return None
    if type(days) is not int or not 1 <= days <= _MOST_DAYS:
        raise InputError(
            f"a key lasts a whole number of days, 1 to {_MOST_DAYS:,}; {_shown(days)} is none and no key was made; "
            "correct it, or leave it out for a key that lasts until it is revoked"
        )
    return created + days * _DAY


def _shown(value: object) -> str:
    text = ascii(value) if isinstance(value, str | int) else type_name(value)
    return text if len(text) <= 100 else f"{text[:100]}…"


def _read(path: Path, *, missing_is_empty: bool) -> bytes | None:
    """The bytes of the file; ``None`` where there is none and that is no error."""
    if missing_is_empty and _is_missing(path):
        return None
    with _explained(path):
        # Without O_NONBLOCK a pipe of that name would be waited for.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            _refuse_exposed(os.fstat(handle), path)
            with open(handle, "rb", closefd=False) as file:
                return file.read(READING)
        finally:
            os.close(handle)


def _is_missing(path: Path) -> bool:
    """Whether there is certainly nothing at ``path``; where that cannot be told, it is an error."""
    with _explained(path):
        try:
            os.lstat(path)
        except FileNotFoundError:
            return True
    return False


def _refuse_exposed(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise AccessFileError(
            f"access keys are kept in a file; {path} is none and nobody is let in; move it away, or name another file"
        )
    if status.st_mode & _OTHERS:
        raise AccessFileError(
            f"an access file is its owner's alone; {path} is open to others (mode {stat.S_IMODE(status.st_mode):04o}), "
            "who may have changed who is let in, so nobody is; look at it with `symfonic-knowledge access list` after "
            "`chmod 600`, and revoke what you do not know"
        )
    if status.st_uid != os.geteuid() != 0:
        raise AccessFileError(
            f"an access file belongs to the user who runs this program; {path} belongs to user {status.st_uid}, who "
            "could let in anybody, so nobody is; run the service as that user, or make keys of your own"
        )


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise AccessFileError(
            f"access keys are kept in a file; there is none at {path} and nobody is let in; make keys "
            "with `symfonic-knowledge access create`, or put back the file that was there; where that is a link, put "
            "back what it leads to"
        ) from error
    except TimeoutError as error:
        raise AccessFileError(
            f"those that change access keys take turns; others held {path} longer than {_LOCK_SECONDS:g} seconds and "
            "nothing was changed; try again"
        ) from error
    except ValueError as error:
        raise AccessFileError(
            f"a path is text the file system can take, without NUL; {str(path)!a} is none and nobody is let in; name "
            "another"
        ) from error
    except OSError as error:
        raise AccessFileError(
            f"access keys are kept in a folder their owner may write; {path} could not be used ({error.strerror}), and "
            "nobody is let in; check the permissions, or name another file"
        ) from error
