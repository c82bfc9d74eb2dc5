"""What the process that reads documents gives up besides resources: files, the network, other processes.

Rules of this module: the child's side only, standard library only. Every protection is tried, none is required, and
what is in force is told by name. It is called once, when all modules are imported and before the first byte of a
document is read: afterwards nothing can be opened, not even a module. Each protection would do alone for most of what
it is there for; they are stacked because each is missing on some machine and none is without flaws.

- ``namespaces``: network, shared memory and names of the machine are others, privileges end at the process. Linux,
  where it is allowed.
- ``empty-root``: every path is gone, the root folder is an empty one that cannot be written. The same.
- ``landlock``: files cannot be opened, made or changed, nor TCP used, nor other processes signalled. Linux 5.13 and up,
  the last two from 6.7 and 6.12.
- ``no-descriptors``: nothing at all can be opened, no file, socket or pipe. POSIX.
- ``no-capabilities``: what a privileged user may do is gone, taking limits back included. Linux.
- ``seccomp``: every system call is refused but those that compute, take memory, tell the time, and use the pipes that
  are open. Linux on two processors.

Sources: ``unshare(2)``, ``landlock(7)``, ``getrlimit(2)``, ``capset(2)``, ``seccomp(2)``, and for the numbers of system
calls ``asm/unistd_64.h`` (x86-64) and ``asm-generic/unistd.h`` (arm64).
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
import platform
import struct
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Container

__all__ = ["PROTECTIONS", "confine", "filter_program"]

_ERRORS: Final = (OSError, AttributeError, ValueError, ImportError)


def confine(wanted: Container[str] | None = None) -> tuple[str, ...]:
    """Give up what parsing does not need, for good, and return the names of what is in force.

    Args:
        wanted: Names out of :data:`PROTECTIONS`; all of them when ``None``.
    """
    with suppress(ImportError):
        importlib.import_module("resource")  # while there are files
    in_force: list[str] = []
    for name, step in _STEPS.items():
        if wanted is None or name in wanted:
            try:
                step()
            except _ERRORS:
                continue
            in_force.append(name)
    return tuple(in_force)


def _call(name: str, *arguments: Any) -> int:
    """Call a function of the C library.

    Raises:
        OSError: It failed.
        AttributeError: There is none of this name.
    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, name)
    result = int(getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


# ------------------------------------------------------------------------------------------------------ namespaces

_NEW_MOUNTS: Final = 0x00020000
_NEW_USER: Final = 0x10000000
_NEW_NET: Final = 0x40000000
_NEW_IPC: Final = 0x08000000
_NEW_NAMES: Final = 0x04000000
_READ_ONLY: Final = 0x1 | 0x2 | 0x4 | 0x8  # read-only, no set-uid, no devices, no programs
_PRIVATE: Final = 0x4000 | 0x40000  # recursively


def _leave_namespaces() -> None:
    apart = _NEW_NET | _NEW_IPC | _NEW_NAMES
    try:
        _call("unshare", _NEW_USER | apart)
    except OSError:
        # Containers often refuse users of one's own, and to a privileged user not the rest.
        _call("unshare", apart)


def _empty_root() -> None:
    # First of all, and nothing else if it fails: what is mounted below must be seen by this process alone.
    _call("unshare", _NEW_MOUNTS)
    _call("mount", None, b"/", None, ctypes.c_ulong(_PRIVATE), None)
    folder = next(path for path in (b"/tmp", b"/var", b"/usr", b"/") if os.path.isdir(path))  # noqa: PTH112
    _call("mount", b"none", folder, b"tmpfs", ctypes.c_ulong(_READ_ONLY), b"size=4k")
    os.chroot(folder)
    os.chdir("/")


# -------------------------------------------------------------------------------------------------------- landlock

_CREATE_RULESET: Final = 444  # the same number on every processor
_RESTRICT_SELF: Final = 446
_NO_NEW_PRIVILEGES: Final = 38
# Rights over files that each version of the interface knows, and from which on it knows TCP and signals.
_FILE_RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP_FROM, _SCOPES_FROM = 4, 6


def _landlock() -> None:
    """Deny everything Landlock of this kernel can deny: a set of rules without a rule."""
    version = _call("syscall", ctypes.c_long(_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(1))
    handled = [_FILE_RIGHTS[min(version, max(_FILE_RIGHTS))]]
    handled += [0b11] if version >= _TCP_FROM else []  # bind and connect
    handled += [0b11] if version >= _SCOPES_FROM else []  # abstract sockets and signals
    rules = struct.pack(f"={len(handled)}Q", *handled)
    _call("prctl", _NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    descriptor = _call("syscall", ctypes.c_long(_CREATE_RULESET), rules, ctypes.c_size_t(len(rules)), ctypes.c_uint(0))
    try:
        _call("syscall", ctypes.c_long(_RESTRICT_SELF), ctypes.c_int(descriptor), ctypes.c_uint(0))
    finally:
        os.close(descriptor)


# ------------------------------------------------------------------------------------ descriptors and capabilities


def _no_descriptors() -> None:
    """Let no further descriptor be opened; those that are open stay."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _no_capabilities() -> None:
    header = struct.pack("=Ii", 0x20080522, 0)  # the third version of the interface, this process
    _call("capset", header, bytes(24))


# --------------------------------------------------------------------------------------------------------- seccomp

_AUDIT_BY_MACHINE: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Numbers by processor, x86-64 and arm64; -1 where it has no such call. Whatever is not here is refused: a list of what
# is bad would have to be complete.
_ALLOWED: Final = {
    # the two pipes, and whatever else is open
    "read": (0, 63), "readv": (19, 65), "write": (1, 64), "writev": (20, 66), "close": (3, 57),
    "fstat": (5, 80), "lseek": (8, 62), "poll": (7, -1), "ppoll": (271, 73), "select": (23, -1), "pselect6": (270, 72),
    # memory
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216),
    "madvise": (28, 233),
    # signals to oneself, locks, the end
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "futex": (202, 98), "sched_yield": (24, 124),
    "exit": (60, 93), "exit_group": (231, 94),
    # time, its limit, and limits that can only be lowered
    "alarm": (37, -1), "setitimer": (38, 103), "getitimer": (36, 102), "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "gettimeofday": (96, 169), "time": (201, -1), "times": (100, 153), "getrusage": (98, 165),
    "getrlimit": (97, 163), "setrlimit": (160, 164),
    # what one is, and what the machine is
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getcpu": (309, 168), "uname": (63, 160), "sysinfo": (99, 179),
    "getrandom": (318, 278),
}  # fmt: skip
# Calls that are allowed where an argument has one of these values: limits of process 0, which is oneself, since the C
# library sets them by the call that sets anybody's; and asking what a descriptor is, since the same call can have the
# system send any signal to any process when something comes through a pipe.
_ALLOWED_WITH: Final = {
    "prlimit64": ((302, 261), 0, (0,)),
    "fcntl": ((72, 25), 1, (1, 2, 3)),
}

_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_CALL, _PROCESSOR, _FIRST_ARGUMENT, _ARGUMENT_BYTES = 0, 4, 16, 8  # offsets in seccomp_data
_ALLOW: Final = (_RETURN, 0, 0, 0x7FFF0000)
_REFUSE: Final = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)


def filter_program(machine: str) -> bytes:
    """Return the filter of system calls for a processor, as the kernel reads it.

    Args:
        machine: As :func:`platform.machine` names it.

    Raises:
        ValueError: Its system calls are not known here.
    """
    if machine not in _AUDIT_BY_MACHINE:
        raise ValueError(machine)
    column = list(_AUDIT_BY_MACHINE).index(machine)
    steps = [(_LOAD, 0, 0, _PROCESSOR), (_IF_EQUAL, 1, 0, _AUDIT_BY_MACHINE[machine]), _REFUSE, (_LOAD, 0, 0, _CALL)]
    for numbers in _ALLOWED.values():
        if numbers[column] >= 0:
            steps += [(_IF_EQUAL, 0, 1, numbers[column]), _ALLOW]
    for numbers, argument, values in _ALLOWED_WITH.values():
        asked = [(_LOAD, 0, 0, _FIRST_ARGUMENT + argument * _ARGUMENT_BYTES)]
        asked += [step for value in values for step in ((_IF_EQUAL, 0, 1, value), _ALLOW)]
        steps += [(_IF_EQUAL, 0, len(asked) + 1, numbers[column]), *asked, _REFUSE]
    return b"".join(struct.pack("=HBBI", *step) for step in (*steps, _REFUSE))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _filter_calls() -> None:
    if sys.maxsize < 2**32:
        raise OSError(errno.ENOSYS, "a process of 32 bits")
    program = filter_program(platform.machine())
    _call("prctl", _NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    chosen = _Program(len(program) // 8, program)
    _call("prctl", 22, ctypes.c_ulong(2), ctypes.byref(chosen))


# In this order: what needs privileges first, what forbids system calls last.
_STEPS: Final[dict[str, Callable[[], None]]] = {
    "namespaces": _leave_namespaces,
    "empty-root": _empty_root,
    "landlock": _landlock,
    "no-descriptors": _no_descriptors,
    "no-capabilities": _no_capabilities,
    "seccomp": _filter_calls,
}
PROTECTIONS: Final = tuple(_STEPS)
"""Names of all protections, in the order in which they are put in force."""
