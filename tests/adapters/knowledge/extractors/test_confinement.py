"""What a parser that was taken over can still do: documents here are Python, and the parser runs them."""

from __future__ import annotations

import json
import os
import platform
import socket
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors._confinement import PROTECTIONS, confine, filter_program
from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits, ExtractionWorker
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterator

LINUX = sys.platform == "linux"
# A worker with one more format: the document is run, and the text is what it calls `result`. What it may want is
# imported first, as libraries of other formats are.
TAKEN_OVER = """
import ctypes, fcntl, json, os, resource, signal, socket, sys, threading, types
sys.path[:] = json.loads(sys.argv[1])
from symfonic.adapters.knowledge.extractors import _worker
from symfonic.adapters.knowledge.ports import Extraction, Section
def extract(data, *, name):
    found = dict(globals())
    exec(data, found)
    return Extraction(kind="probe", sections=(Section(text=str(found["result"])),))
module = types.ModuleType("probe")
module.extract = extract
sys.modules[_worker.__name__.replace("_worker", "probe")] = module
_worker.EXTRACTORS["probe"] = ("probe:extract", ())
_worker.main()
"""


def taken_over(limits: ExtractionLimits) -> ExtractionWorker:
    """A worker whose parser does what the document says."""
    settings = {"memory_bytes": limits.memory_bytes, "cpu_seconds": 30, "characters": limits.characters}
    command = (sys.executable, "-I", "-B", "-c", TAKEN_OVER, json.dumps(sys.path), json.dumps(settings))
    return ExtractionWorker(limits=limits, command=command)


@pytest.fixture(scope="module")
def probe() -> Iterator[ExtractionWorker]:
    """One such worker, for everything that it survives."""
    with taken_over(ExtractionLimits(seconds=30, characters=1_000, memory_bytes=2**29)) as worker:
        yield worker


def result(worker: ExtractionWorker, code: str) -> str:
    """What a document comes to."""
    return worker.extract("probe", code.encode(), name="a.doc").sections[0].text


def attempt(worker: ExtractionWorker, code: str) -> str:
    """``done``, or ``refused`` where the system does not let a document do what it wants."""
    lines = "".join(f"    {line}\n" for line in code.split("\n"))
    return result(worker, f"try:\n{lines}    result = 'done'\nexcept (OSError, ValueError):\n    result = 'refused'")


def test_the_worker_tells_what_is_in_force_before_it_reads(probe: ExtractionWorker) -> None:
    """Linux has filters of system calls on both kinds of machine; all POSIX systems have limits of descriptors."""
    assert result(probe, "result = 1 + 1") == "2"
    known = {"memory", "no-writes", "no-core", "open-files", *PROTECTIONS}
    assert set(probe.protections) <= known
    always = {"no-descriptors"} | ({"seccomp", "no-capabilities"} if LINUX else set())
    assert always | offered() <= set(probe.protections)


def offered() -> set[str]:
    """What this kernel offers besides, asked in a process of its own and by other code."""
    code = (
        "import ctypes; c = ctypes.CDLL(None)\n"
        "print('landlock' * (c.syscall(444, None, 0, 1) > 0), 'namespaces empty-root' * (c.unshare(0x50020000) == 0))"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()) if LINUX else set()


@pytest.mark.requirement("EX-ISO-4")
@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').close()",
        f"open({sys.executable!r}, 'rb').close()",
        "open('/proc/self/environ').close()",
        "os.listdir('/')",
        "os.close(os.open('/dev/null', os.O_RDONLY))",
        "os.mkdir('/tmp/made-by-a-document')",
        "os.pipe()",
        "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
        "os.dup(0)",
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))",
    ],
)
def test_a_parser_opens_nothing(probe: ExtractionWorker, code: str) -> None:
    """No file, no folder, no socket, and the limit is not taken back."""
    assert attempt(probe, code) == "refused"


@pytest.mark.requirement("EX-ISO-4")
@pytest.mark.parametrize(
    "code",
    [
        "if os.fork() == 0: os._exit(0)",
        "os.execv(EXECUTABLE, ['python', '-c', ''])",
        "os.kill(PARENT, 0)",
        "if ctypes.CDLL(None, use_errno=True).syscall(257, -100, b'/etc/passwd', 0) < 0: raise OSError",
        "if ctypes.CDLL(None).unshare(0x10000000) < 0: raise OSError",
        "os.unlink('/etc/passwd.of-nobody')",
        "resource.prlimit(PARENT, resource.RLIMIT_NOFILE)",
        "resource.prlimit(PARENT, resource.RLIMIT_NOFILE, resource.prlimit(0, resource.RLIMIT_NOFILE))",
        "os.setpriority(os.PRIO_PROCESS, PARENT, os.getpriority(os.PRIO_PROCESS, PARENT))",
        "os.sched_setaffinity(PARENT, os.sched_getaffinity(PARENT))",
        "os.sched_setscheduler(PARENT, os.SCHED_OTHER, os.sched_param(0))",
    ],
)
def test_a_parser_starts_and_reaches_no_other_process(probe: ExtractionWorker, code: str) -> None:
    """Where system calls are filtered; on other systems nothing but open descriptors is limited."""
    expected = {"refused"} if "seccomp" in probe.protections else {"refused", "done"}
    code = code.replace("EXECUTABLE", repr(sys.executable)).replace("PARENT", str(os.getpid()))
    assert attempt(probe, code) in expected


@pytest.mark.requirement("EX-ISO-4")
@pytest.mark.parametrize(
    "call",
    [
        "fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())",  # with the next one, a way to have the system send any signal
        "fcntl.fcntl(0, fcntl.F_SETFL, os.O_ASYNC)",
        "os.fchmod(2, os.fstat(2).st_mode)",  # of the null device, which is everybody's
        "os.utime(2)",
        "os.chmod(FILE, 0o600)",
        "os.utime(FILE)",
        "os.setxattr(FILE, 'user.a', b'a')",
        "os.stat(FILE)",
        "if ctypes.CDLL(None).syscall(CALL_OF_NO_KERNEL) < 0: raise OSError",
    ],
)
def test_what_is_not_known_to_be_needed_is_refused(probe: ExtractionWorker, call: str) -> None:
    """Calls nobody thought of included: the filter is a list of what is allowed."""
    code = call.replace("FILE", repr(__file__)).replace("CALL_OF_NO_KERNEL", "9_999")
    expected = {"refused"} if "seccomp" in probe.protections else {"refused", "done"}
    assert attempt(probe, code) in expected


@pytest.mark.requirement("EX-ISO-4")
def test_no_thread_takes_a_place_among_those_of_the_user(probe: ExtractionWorker) -> None:
    """Enough of them, and the parent could start none to watch the time."""
    code = "try:\n    threading.Thread(target=int).start()\nexcept RuntimeError as error:\n    raise OSError from error"
    assert attempt(probe, code) in ({"refused"} if "seccomp" in probe.protections else {"refused", "done"})


def test_computing_is_left(probe: ExtractionWorker) -> None:
    """Memory up to the limit, and every encoding."""
    assert result(probe, "result = len(bytearray(10**7))") == "10000000"
    assert (
        result(probe, "result = [b'ab'.decode(n) for n in ('cp932', 'big5', 'utf-7', 'mac-roman', 'cp037')][0]") == "ab"
    )


@pytest.mark.requirement("EX-ISO-4")
def test_a_parser_reaches_no_server_of_this_machine(probe: ExtractionWorker) -> None:
    """Somebody listens, and nobody comes."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        port = server.getsockname()[1]
        assert attempt(probe, f"socket.socket().connect(('127.0.0.1', {port}))") == "refused"
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.requirement("EX-LIM-1")
@pytest.mark.parametrize(
    ("code", "limit"),
    [
        ("result = 'x' * 1_001", "characters"),
        ("bytearray(2**30)", "memory"),
        ("def down(): down()\ndown()", "depth"),
    ],
)
def test_each_limit_that_bites_is_named(probe: ExtractionWorker, code: str, limit: str) -> None:
    """And the worker goes on."""
    with pytest.raises(ExtractionError) as caught:
        result(probe, code)
    setting = {"characters": "max_extraction_chars", "memory": "max_extraction_memory"}.get(limit, "")
    assert setting in str(caught.value)
    assert (caught.value.code, caught.value.limit) == ("limit", limit if LINUX or limit != "memory" else "memory")
    assert result(probe, "result = 'next'") == "next"


# ------------------------------------------------------------------------------------------- each by itself

ALONE = """
import errno, json, os, socket, sys
sys.path[:] = json.loads(sys.argv[1])
from symfonic.adapters.knowledge.extractors._confinement import confine
import ctypes, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (40, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
server = socket.create_server(("127.0.0.1", 0))
def read(): open("/etc/passwd").close()
def connect():
    s = socket.socket()
    try: s.connect(server.getsockname())
    finally: s.close()
def raise_limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
def fork():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
result = [list(confine({sys.argv[2]}))]
for action in (read, connect, raise_limit, fork):
    try:
        action()
        result.append("done")
    except (OSError, ValueError) as error:
        result.append("refused")
print(json.dumps(result))
"""
READ, CONNECT, RAISE, FORK = 1, 2, 3, 4


@pytest.mark.requirement("EX-ISO-4")
@pytest.mark.parametrize(
    ("protection", "refused"),
    [
        ("namespaces", (CONNECT,)),
        ("empty-root", (READ,)),
        ("landlock", (READ,)),
        ("no-descriptors", (READ, CONNECT)),
        ("no-capabilities", (RAISE,)),
        ("seccomp", (READ, CONNECT, FORK)),
    ],
)
def test_each_protection_does_its_own_part(protection: str, refused: tuple[int, ...]) -> None:
    """Alone, so that none hides that another does nothing; one that is not to be had changes nothing."""
    command = [sys.executable, "-I", "-S", "-B", "-c", ALONE, json.dumps(sys.path), protection]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert told[0] in ([protection], [])
    for number in refused:
        assert told[number] == "refused" or not told[0]
    if not told[0]:
        assert told[READ] == told[FORK] == "done"


@pytest.mark.requirement("EX-ISO-4")
def test_no_protection_is_in_the_way_of_another() -> None:
    """Each that is in force alone is in force together with all others."""
    code = (
        "import json, os, sys; sys.path[:] = json.loads(sys.argv[1])\n"
        "from symfonic.adapters.knowledge.extractors._confinement import PROTECTIONS, confine\n"
        "alone = []\n"
        "for name in PROTECTIONS:\n"
        "    source, sink = os.pipe()\n"
        "    if os.fork() == 0:\n"
        "        os.write(sink, repr(confine({name})).encode())\n"
        "        os._exit(0)\n"
        "    os.close(sink)\n"
        "    alone += eval(os.read(source, 100))\n"
        "print(json.dumps([alone, confine()]))"
    )
    command = [sys.executable, "-I", "-S", "-B", "-c", code, json.dumps(sys.path)]
    alone, together = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert together == alone


def test_nothing_that_is_wanted_is_nothing_in_force() -> None:
    """Names that are not known are none."""
    assert confine(()) == confine({"unknown"}) == ()


def test_a_protection_that_is_refused_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on old kernels and in containers."""
    from symfonic.adapters.knowledge.extractors import _confinement

    def refuse(name: str, *arguments: object) -> int:
        raise OSError(name)

    monkeypatch.setattr(_confinement, "_call", refuse)
    assert confine(set(PROTECTIONS) - {"no-descriptors"}) == ()
    monkeypatch.setattr(platform, "machine", lambda: "mips")
    assert confine({"seccomp"}) == ()


def run(program: bytes, audit: int, number: int, *arguments: int) -> int:
    """What the kernel would return for one system call: a machine of three instructions."""
    data = struct.pack("=iIQ6Q", number, audit, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    at = value = 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
            continue
        assert code == 0x15
        at += if_true if value == operand else if_false


REFUSED, ALLOWED = 0x00050001, 0x7FFF0000
X86, ARM = 0xC000003E, 0xC00000B7
# Every number the processor's header gives to what is allowed whatever its arguments are.
ALLOWED_X86 = {
    0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 23, 24, 25, 28, 35, 36, 37, 38, 39, 60, 63, 96, 97, 98, 99,
    100, 102, 104, 107, 108, 110, 131, 160, 186, 201, 202, 219, 228, 229, 230, 231, 270, 271, 309, 318,
}  # fmt: skip
ALLOWED_ARM = {
    57, 62, 63, 64, 65, 66, 72, 73, 80, 93, 94, 98, 101, 102, 103, 113, 114, 115, 124, 128, 132, 134, 135, 139, 153,
    160, 163, 164, 165, 168, 169, 172, 173, 174, 175, 176, 177, 178, 179, 214, 215, 216, 222, 226, 233, 278,
}  # fmt: skip


@pytest.mark.requirement("EX-ISO-4")
@pytest.mark.parametrize(
    ("machine", "audit", "allowed", "prlimit", "fcntl"),
    [("x86_64", X86, ALLOWED_X86, 302, 72), ("aarch64", ARM, ALLOWED_ARM, 261, 25)],
)
def test_the_filter_lets_computing_be_and_refuses_everything_else(
    machine: str, audit: int, allowed: set[int], prlimit: int, fcntl: int
) -> None:
    """Numbers as in the headers of either processor, those of x86-64's second interface among the refused."""
    program = filter_program(machine)
    told = {number: run(program, audit, number) for base in (0, 0x40000000) for number in range(base, base + 1_000)}
    assert {number for number, answer in told.items() if answer == ALLOWED} == allowed | {prlimit}
    assert set(told.values()) == {ALLOWED, REFUSED}
    assert [run(program, audit, prlimit, process) for process in (0, 1, 2**31)] == [ALLOWED, REFUSED, REFUSED]
    # What a descriptor is and whether it is kept open (1, 2, 3), but not to whom signals go (8, 10, 15).
    assert [run(program, audit, fcntl, 0, what) for what in (1, 2, 3)] == [ALLOWED] * 3
    assert [run(program, audit, fcntl, 0, what) for what in (0, 4, 8, 10, 15, 1_024, 1_031)] == [REFUSED] * 7
    assert run(program, 0x40000003, min(allowed)) == REFUSED
    assert len(program) // 8 < 4096


def test_a_processor_whose_calls_are_not_known_has_no_filter() -> None:
    """A filter by the wrong numbers would be worse."""
    with pytest.raises(ValueError, match="mips"):
        filter_program("mips")
