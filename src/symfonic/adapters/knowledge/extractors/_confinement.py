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
- ``seccomp``: system calls that open, connect, start, signal, trace, or set limits and turns of other processes are
  refused. Linux on two processors.

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
_CLONE_BY_MACHINE: Final = {"x86_64": 56, "aarch64": 220}
_CLONE3: Final = 435
_PRLIMIT_BY_MACHINE: Final = {"x86_64": 302, "aarch64": 261}
_FOREIGN_CALLS: Final = 0x40000000  # x86-64: numbers of a second interface begin here
_A_THREAD: Final = 0x00010000
# Numbers by processor, x86-64 and arm64; -1 where it has no such call.
_DENIED: Final = {
    # files
    "open": (2, -1), "openat": (257, 56), "openat2": (437, 437), "creat": (85, -1),
    "open_by_handle_at": (304, 265), "memfd_create": (319, 279), "truncate": (76, 45),
    "unlink": (87, -1), "unlinkat": (263, 35), "rmdir": (84, -1),
    "rename": (82, -1), "renameat": (264, 38), "renameat2": (316, 276),
    "link": (86, -1), "linkat": (265, 37), "symlink": (88, -1), "symlinkat": (266, 36),
    "mkdir": (83, -1), "mkdirat": (258, 34), "mknod": (133, -1), "mknodat": (259, 33),
    "chmod": (90, -1), "fchmodat": (268, 53), "chown": (92, -1), "lchown": (94, -1), "fchownat": (260, 54),
    "mount": (165, 40), "umount2": (166, 39), "chroot": (161, 51), "pivot_root": (155, 41),
    # network
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "sendto": (44, 206),
    # programs and other processes
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, -1), "vfork": (58, -1),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272),
    # limits, turns and memory of other processes; for a process of its own, reading them is enough
    "setpriority": (141, 140), "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274), "setpgid": (109, 154),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    # parts of the kernel nobody needs for reading
    "unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
}  # fmt: skip

_LOAD, _IF_EQUAL, _IF_NOT_LESS, _IF_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_CALL, _PROCESSOR, _FIRST_ARGUMENT = 0, 4, 16  # offsets in seccomp_data
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000


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
    refuse = (_RETURN, 0, 0, _REFUSE | errno.EPERM)
    steps = [(_LOAD, 0, 0, _PROCESSOR), (_IF_EQUAL, 1, 0, _AUDIT_BY_MACHINE[machine]), refuse, (_LOAD, 0, 0, _CALL)]
    if machine == "x86_64":
        steps += [(_IF_NOT_LESS, 0, 1, _FOREIGN_CALLS), refuse]
    for numbers in _DENIED.values():
        if numbers[column] >= 0:
            steps += [(_IF_EQUAL, 0, 1, numbers[column]), refuse]
    # Libraries take the older call where the newer one is missing, whose flags cannot be seen from here.
    steps += [(_IF_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    allow = (_RETURN, 0, 0, _ALLOW)
    # Limits of one's own (process 0), which the C library sets by the same call; anybody's else are refused, and so is
    # this process by its number.
    steps += [(_IF_EQUAL, 0, 4, _PRLIMIT_BY_MACHINE[machine]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    steps += [(_IF_EQUAL, 0, 1, 0), allow, refuse]
    steps += [(_IF_EQUAL, 0, 4, _CLONE_BY_MACHINE[machine]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    steps += [(_IF_SET, 0, 1, _A_THREAD), allow, refuse, allow]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


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
