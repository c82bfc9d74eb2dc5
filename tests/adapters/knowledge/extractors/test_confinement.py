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
import ctypes, json, os, resource, signal, socket, sys, threading, types
sys.path[:] = json.loads(sys.argv[1])
from symfonic.adapters.knowledge.extractors import _worker
from symfonic.adapters.knowledge.ports import Extraction, Section
def extract(data, *, name):
    found = dict(os=os, ctypes=ctypes, resource=resource, signal=signal, socket=socket, threading=threading)
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


def test_threads_and_computing_are_left(probe: ExtractionWorker) -> None:
    """A library may use more than one thread, and memory up to the limit."""
    code = "found = []\nt = threading.Thread(target=found.append, args=(1,))\nt.start()\nt.join()\nbytearray(10**7)"
    assert result(probe, code + "\nresult = found") == "[1]"
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


def run(program: bytes, audit: int, number: int, argument: int = 0) -> int:
    """What the kernel would return for one system call: a machine of four instructions."""
    data = struct.pack("=iIQ6Q", number, audit, 0, argument, 0, 0, 0, 0, 0)
    at, value = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("=HBBI", program, at * 8)
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("=I", data, operand)[0]
            continue
        holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
        at += if_true if holds else if_false


# Priority, scheduling, input and output, memory: calls that take the number of another process.
TURNS_X86 = (141, 142, 144, 203, 251, 256, 279, 310, 311, 312, 314, 440, 448)
TURNS_ARM = (140, 118, 119, 122, 30, 238, 239, 270, 271, 272, 274, 440, 448)


@pytest.mark.requirement("EX-ISO-4")
@pytest.mark.parametrize(
    ("machine", "audit", "refused", "allowed", "clone", "prlimit"),
    [
        (
            "x86_64",
            0xC000003E,
            (2, 41, 56 | 0x40000000, 59, 257, 437, *TURNS_X86),
            (0, 1, 3, 9, 60, 231, 160, 38),
            56,
            302,
        ),
        ("aarch64", 0xC00000B7, (56, 198, 203, 221, 437, *TURNS_ARM), (57, 63, 64, 93, 94, 222, 103), 220, 261),
    ],
)
def test_the_filter_refuses_what_opens_and_lets_reading_and_memory_be(
    machine: str, audit: int, refused: tuple[int, ...], allowed: tuple[int, ...], clone: int, prlimit: int
) -> None:
    """Numbers as in the headers of either processor."""
    program = filter_program(machine)
    assert {run(program, audit, number) for number in refused} == {0x00050001}
    assert {run(program, audit, number) for number in allowed} == {0x7FFF0000}
    assert run(program, audit, clone, 0x00010000) == 0x7FFF0000
    assert run(program, audit, clone, 0x11) == 0x00050001
    assert {run(program, audit, prlimit, argument) for argument in (1, 2**31)} == {0x00050001}
    assert run(program, audit, prlimit, 0) == 0x7FFF0000
    assert run(program, audit, 435) == 0x00050026
    assert run(program, 0x40000003, allowed[0]) == 0x00050001
    assert len(program) // 8 < 4096


def test_a_processor_whose_calls_are_not_known_has_no_filter() -> None:
    """A filter by the wrong numbers would be worse."""
    with pytest.raises(ValueError, match="mips"):
        filter_program("mips")
