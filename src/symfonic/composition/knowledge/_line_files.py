"""Files of evaluations, opened for reading.

Rules of this module: only regular files are read, as ingestion does, for a device or a pipe may never end; opening one
never waits for a writer. Whatever a path is, what cannot be read is an :class:`InputError`.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from .errors import InputError, type_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def require_path(path: object) -> str:
    """The path as text.

    Raises:
        InputError: It is none: another type, or with a NUL character in it.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(
            f"a file is named by a path; {type_name(path)} is none and nothing was measured; pass a str or a Path"
        )
    named = os.fspath(path)
    if not isinstance(named, str) or "\0" in named:
        raise InputError(
            f"a path is text without NUL characters; {named!a} is none and nothing was measured; correct it"
        )
    return named


@contextmanager
def opened(path: object) -> Iterator[IO[bytes]]:
    """The file at ``path``, for as long as it is read.

    Raises:
        InputError: ``path`` is none, or what is there cannot be read or is no regular file.
    """
    named = require_path(path)
    try:
        with os.fdopen(os.open(named, _FLAGS), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(
                    f"an evaluation is read from regular files; {named!a} is a folder, a pipe or a device and nothing "
                    "was measured; write what it holds to a file, or name another"
                )
            yield file
    except OSError as error:
        raise InputError(
            f"an evaluation is read from files; {named!a} could not be read ({error.strerror}) and nothing was "
            "measured; check the path"
        ) from error
