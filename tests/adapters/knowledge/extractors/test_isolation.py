"""The worker process: what it costs when a parser hangs, dies or lies."""

from __future__ import annotations

import ast
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.extractors import _answers, _worker, isolation
from symfonic.adapters.knowledge.extractors._answers import header_of
from symfonic.adapters.knowledge.extractors._worker import allow_seconds, answer, limit_resources, prepare, serve
from symfonic.adapters.knowledge.extractors.isolation import (
    ExtractionLimits,
    ExtractionPool,
    ExtractionWorker,
    IsolatedExtractor,
)
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from .conftest import MakePdf


def python(code: str) -> tuple[str, ...]:
    """A worker that runs some code instead of ours."""
    # Without site packages: nothing may measure a process that is about to be killed.
    return (sys.executable, "-S", "-c", code)


READ = (
    "import sys; i=sys.stdin.buffer\n"
    "def frame(): return i.read(int.from_bytes(i.read(8),'big'))\n"
    "number = 0\n"
    "def say(*parts):\n"
    "    if number and parts[0][:2] == b'{\"': parts = (b'{\"request\": %d, ' % number + parts[0][1:], *parts[1:])\n"
    "    for b in parts: sys.stdout.buffer.write(len(b).to_bytes(8,'big')+b)\n"
    "    sys.stdout.buffer.flush()\n"
    'say(b\'{"protections": ["walls"]}\')\n'
    "import json; number=json.loads(frame())[2]; data=frame()\n"
)
FAST = ExtractionLimits(seconds=20)


def failure(code: str, limits: ExtractionLimits = FAST) -> ExtractionError:
    """What a request to such a worker ends in."""
    with ExtractionWorker(limits=limits, command=python(code)) as worker:
        with pytest.raises(ExtractionError) as caught:
            worker.extract("pdf", b"data", name="a.pdf")
        return caught.value


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.parametrize(
    "code",
    [
        READ + "import os; os.abort()",
        READ + "import os; os.kill(os.getpid(), 11)",
        READ + "sys.stdout.write('printed by a library')",
        READ + "say(b'not json', b'')",
        READ + "say(b'[]', b'')",
        READ + "say(b'[' * 100_000, b'')",
        READ + "say(b'{\"sections\": [[1, [], null]]}')",
        READ + "say(b'{\"sections\": [[1, [], null]]}', b'')",
        READ + "say(b'{\"sections\": [[1, [], null]]}', b'two')",
        READ + "say(b'{\"sections\": [[-1, [], null]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [], null]]}', bytes([255]))",
        READ + "say(b'{\"sections\": [[\"x\", [], null]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [1], null]]}', b'x')",
        READ + "say(b'{\"sections\": 5}', b'')",
        READ + "say(b'{\"sections\": []}', b'')",
        READ + "say(b'{\"sections\": [[1, [], true]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [], -1]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [], 0]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [], 1000000001]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [], 1e9]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [], %s]]}' % (b'9' * 4000), b'x')",
        READ + "say(b'{\"sections\": [[true, [], null]]}', b'x')",
        READ + "say(b'{\"sections\": [[1, [\"\\\\ud800\"], null]]}', b'x')",
        READ + 'say(b\'{"code": "damaged", "message": "\\\\ud800", "limit": ""}\', b\'\')',
        READ + 'say(b\'{"code": "damaged", "message": "", "limit": ""}\', b\'\')',
        READ + 'say(b\'{"code": "limit", "message": "m", "limit": ""}\', b\'\')',
        READ + 'say(b\'{"code": "damaged", "message": "m", "limit": "memory"}\', b\'\')',
        READ + 'say(b\'{"code": "limit", "message": "m", "limit": "of nobody"}\', b\'\')',
        READ + 'say(b\'{"code": "of nobody", "message": "m", "limit": ""}\', b\'\')',
        READ + "sys.stdout.buffer.write((2**60).to_bytes(8,'big'))",
        READ + "sys.stdout.buffer.write((20).to_bytes(8,'big') + b'short')",
    ],
)
def test_a_worker_that_dies_or_lies_costs_its_file(code: str) -> None:
    """Anything but the agreed answer is a damaged file."""
    assert (failure(code).code, failure(code).limit) == ("damaged", "")


@pytest.mark.requirement("EX-ISO-1")
def test_headings_and_messages_of_a_worker_are_one_line() -> None:
    """Nothing in them steers a terminal or begins a line of a prompt."""
    code = READ + "say(b'{\"sections\": [[1, [\"a\\\\u0000\\\\u001b[2J\\\\nb\"], 1]]}', b'x')"
    with ExtractionWorker(limits=FAST, command=python(code)) as worker:
        assert worker.extract("pdf", b"", name="a.pdf").sections[0].headings == ("a [2J b",)
    error = failure(READ + 'say(b\'{"code": "damaged", "message": "a\\\\u001b\\\\nb", "limit": ""}\', b\'\')')
    assert str(error) == "a b"


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.parametrize("value", ["[]", "{}", '""', "0"])
def test_an_answer_of_more_values_than_there_may_be_is_never_built(value: str) -> None:
    """Three bytes of JSON can be sixty of memory."""
    with pytest.raises(ValueError, match="too many"):
        header_of(f"[{','.join([value] * 2_000_001)}]".encode())


@pytest.mark.requirement("EX-ISO-5")
@pytest.mark.parametrize("answered", ["0", "2", "true", "null", "1.0"])
def test_an_answer_to_another_request_is_none(answered: str) -> None:
    """The number of the request comes back, or the worker is not believed."""
    code = READ + f"number = 0; say(b'{{\"request\": {answered}, \"sections\": [[1, [], null]]}}', b'x')"
    assert failure(code).code == "damaged"


@pytest.mark.requirement("EX-ISO-5")
@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeoutError, MemoryError, SystemExit])
def test_who_stops_waiting_leaves_no_answer_behind(error: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """The file after it gets its own text, from a new process."""
    exchange = isolation._exchange

    def interrupted(process: subprocess.Popen[bytes], request: bytes, data: bytes, most: int) -> object:
        if data != b"first":
            return exchange(process, request, data, most)
        assert process.stdin is not None
        _worker.write_frame(process.stdin, request)
        _worker.write_frame(process.stdin, data)
        raise error

    monkeypatch.setattr(isolation, "_exchange", interrupted)
    code = READ + "while True:\n    say(b'{\"sections\": [[%d, [], null]]}' % len(data), data)\n"
    code += "    number = json.loads(frame())[2]; data = frame()"
    with ExtractionPool(limits=FAST, command=python(code)) as pool:
        assert told(pool, b"before") == "before"
        with pytest.raises(error):
            told(pool, b"first")
        assert [worker.running for worker in pool._workers] == [False]
        assert told(pool, b"second") == "second"


@pytest.mark.requirement("EX-ISO-5")
def test_an_interrupt_at_the_terminal_does_not_reach_a_worker() -> None:
    """It is in a session of its own."""
    code = READ + "import os; alone = os.name != 'posix' or os.getsid(0) == os.getpid()\n"
    code += "say(b'{\"sections\": [[1, [], null]]}', b'%d' % alone)"
    with ExtractionWorker(limits=FAST, command=python(code)) as worker:
        assert told(worker) == "1"


@pytest.mark.requirement("EX-ISO-6")
def test_a_process_forked_off_has_workers_of_its_own() -> None:
    """It takes no answer from those of its parent, and leaves them alone."""
    with ExtractionPool(limits=FAST, command=python(COUNTING)) as pool:
        assert [told(pool), told(pool)] == ["1", "2"]
        source, sink = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # there may be threads
            child = os.fork()
        if child == 0:
            try:
                os.write(sink, f"{told(pool)} {told(pool)}".encode())
                pool.close()
            finally:
                os._exit(0)
        os.close(sink)
        assert os.read(source, 100) == b"1 2"
        os.waitpid(child, 0)
        os.close(source)
        assert told(pool) == "3"


@pytest.mark.requirement("EX-LIM-1")
def test_what_a_worker_has_started_does_not_outlive_the_limit_of_time() -> None:
    """It may hold the pipe open; it is ended with the worker."""
    code = READ + "import subprocess, time; subprocess.Popen(['sleep', '30']); time.sleep(30)"
    before = time.monotonic()
    error = failure(code, ExtractionLimits(seconds=0.5))
    assert (error.code, error.limit, time.monotonic() - before < 10) == ("limit", "seconds", True)


@pytest.mark.requirement("EX-ISO-6")
def test_a_worker_whose_parent_is_gone_ends_with_its_file() -> None:
    """Even one that sleeps, and so uses no time of the processor."""
    code = (
        "import signal, time\nfrom symfonic.adapters.knowledge.extractors import _worker\n"
        "_worker.answer = lambda *_: time.sleep(30)\n"
        "_worker.serve(sys.stdin.buffer, sys.stdout.buffer, {'cpu_seconds': 1})"
    )
    boot = "import json, sys; sys.path[:] = json.loads(sys.argv[1])\n"
    command = [sys.executable, "-B", "-S", "-c", boot + code, json.dumps(sys.path)]
    asked = frames(b'["pdf", "a.pdf", 1]', b"")
    assert subprocess.run(command, input=asked, check=False, capture_output=True, timeout=20).returncode == -14


def test_a_worker_that_lied_is_not_asked_again() -> None:
    """Whoever took it over would answer for the next file as well."""
    code = READ + "say(b'[]', b'')\nframe(); frame()\nsay(b'{\"sections\": []}', b'')"
    with ExtractionWorker(limits=FAST, command=python(code)) as worker:
        for _ in range(2):
            with pytest.raises(ExtractionError, match="ended the process"):
                worker.extract("pdf", b"data", name="a.pdf")
            assert not worker.running


@pytest.mark.requirement("EX-LIM-1")
@pytest.mark.parametrize(("number", "limit"), [("SIGXCPU", "seconds"), ("SIGALRM", "seconds"), ("SIGKILL", "memory")])
def test_a_death_by_a_limit_names_it(number: str, limit: str) -> None:
    """Processor time that ran out before wall time, and a system without memory, which kills."""
    error = failure(READ + f"import os, signal; os.kill(os.getpid(), signal.{number})")
    assert (error.code, error.limit) == ("limit", limit)


@pytest.mark.requirement("EX-LIM-1")
def test_every_limit_an_extractor_raises_has_a_name_the_parent_knows() -> None:
    """One without would be no answer: the file would be read twice, and told as damaged."""
    folder = Path(_answers.__file__).parent
    errors = [
        {key.arg: key.value for key in call.keywords}
        for path in sorted(folder.glob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "ExtractionError"
    ]
    limits = [
        error.get("limit")
        for error in errors
        if isinstance(error["code"], ast.Constant) and error["code"].value == "limit"
    ]
    assert len(limits) > 8
    written = {limit.value for limit in limits if isinstance(limit, ast.Constant)}
    assert written <= _answers._LIMITS
    assert None not in limits


@pytest.mark.requirement("EX-LIM-2")
@pytest.mark.parametrize(
    "wrong",
    [
        *({"seconds": value} for value in (0, -1.0, float("nan"), float("inf"), 86_401, True, "60")),
        *({"memory_bytes": value} for value in (-1, 2.0**31, 2**63, False, None)),
        *({"characters": value} for value in (0, -1, 1e6)),
        {"output_bytes": 0},
    ],
)
def test_a_limit_that_would_not_hold_is_refused(wrong: dict[str, Any]) -> None:
    """A negative ceiling on memory is none to the system, and nobody would be told."""
    (name,) = wrong
    with pytest.raises(ValueError, match=f"{name} of ExtractionLimits is .*; as it is, that limit would not hold"):
        ExtractionLimits(**wrong)


@pytest.mark.requirement("EX-LIM-2")
def test_the_least_limits_are_taken() -> None:
    """No limit on memory, and one character."""
    least = ExtractionLimits(seconds=1, memory_bytes=0, characters=1, output_bytes=1)
    assert (least.seconds, least.memory_bytes, least.characters, least.output_bytes) == (1, 0, 1, 1)


@pytest.mark.requirement("EX-LIM-1")
def test_a_death_with_most_of_the_memory_in_use_is_put_down_to_memory() -> None:
    """Native code that gets no more ends its process."""
    most = isolation._peak_bytes() + 60_000_000  # more than it inherits
    code = READ + f"import os; kept = b'x' * {most}; os.abort()"
    error = failure(code, ExtractionLimits(seconds=20, memory_bytes=most * 3 // 2))
    assert (error.code, error.limit) == ("limit", "memory")


@pytest.mark.requirement("EX-LIM-1")
def test_a_failure_keeps_the_name_of_its_limit_on_the_way() -> None:
    """Code, message and limit are those of the child; a message without end is cut."""
    code = "import json; say(json.dumps({'code': 'limit', 'message': 'm' * 5000, 'limit': 'depth'}).encode(), b'')"
    error = failure(READ + code)
    assert (error.code, error.limit, str(error)) == ("limit", "depth", "m" * 1000)


@pytest.mark.requirement("EX-LIM-1")
def test_the_parent_reads_no_more_than_the_limit() -> None:
    """Whatever the child may say."""
    code = READ + "say(b'{\"sections\": [[101, [], null]]}', bytes(101))"
    assert failure(code, ExtractionLimits(seconds=20, output_bytes=100)).code == "damaged"


def test_a_worker_that_dies_before_it_has_read_the_file_costs_it() -> None:
    """More bytes than a pipe takes are on their way when it dies."""
    with ExtractionWorker(command=python(READ[: READ.index("import json")])) as dying:
        for _ in range(2):
            with pytest.raises(ExtractionError) as caught:
                dying.extract("pdf", bytes(10_000_000), name="a.pdf")
            assert caught.value.code == "damaged"


@pytest.mark.parametrize("code", ["pass", "print('no frame')", READ.replace("walls", "\\ud800")[:-30] + "say(b'5')"])
def test_a_process_that_does_not_start_is_not_the_files_fault(code: str) -> None:
    """Nothing was read; the installation is to be looked at."""
    error = failure(code.replace("protections", "nothing"))
    assert error.code == "unavailable"
    assert "did not start" in str(error)


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.slow
def test_a_page_nested_without_end_costs_its_file() -> None:
    """The real parser takes a minute for these elements."""
    with ExtractionWorker(limits=ExtractionLimits(seconds=0.8)) as worker:
        with pytest.raises(ExtractionError) as caught:
            worker.extract("html", b"<div>" * 200_000, name="a.html")
        assert (caught.value.code, caught.value.limit) == ("limit", "seconds")
        assert worker.extract("html", b"<p>next", name="b.html").sections[0].text.strip() == "next"


@pytest.mark.requirement("EX-ISO-1")
def test_a_slow_worker_is_killed_and_the_next_file_gets_a_new_one() -> None:
    """Time ran out for one file only."""
    code = READ + "import time\nif data == b'slow': time.sleep(60)\nsay(b'{\"sections\": [[2, [], 2]]}', b'ok')"
    with ExtractionWorker(limits=ExtractionLimits(seconds=0.5), command=python(code)) as worker:
        with pytest.raises(
            ExtractionError, match=r"a\.pdf took longer than 0\.5 s .* raise max_extraction_seconds"
        ) as caught:
            worker.extract("pdf", b"slow", name="a.pdf")
        assert (caught.value.code, caught.value.limit) == ("limit", "seconds")
        expected = Extraction(kind="pdf", sections=(Section(text="ok", page=2),))
        assert worker.extract("pdf", b"fast", name="b.pdf") == expected


@pytest.mark.requirement("EX-OPT-1")
@pytest.mark.parametrize(
    ("kind", "library"), [("pdf", "pypdfium2"), ("xlsx", "lxml and python-calamine"), ("csv", "csv")]
)
def test_a_missing_library_names_the_extra(kind: str, library: str) -> None:
    """The remedy is one command."""
    code = READ + 'say(b\'{"code": "unavailable", "message": ""}\', b"")'
    with ExtractionWorker(command=python(code)) as worker, pytest.raises(ExtractionError) as caught:
        worker.extract(kind, b"data", name="a")
    assert caught.value.code == "unavailable"
    assert str(caught.value).startswith(f"a needs {library}, which is not installed")
    assert 'pip install "symfonic-knowledge[ingest]"' in str(caught.value)


def test_a_release_of_what_is_not_installed_is_its_name() -> None:
    """So that a document's digest can be computed without the library."""
    with ExtractionWorker() as worker:
        assert worker.release("no-such-library") == "no-such-library"
        assert [worker.release("pytest") for _ in range(2)] == [f"pytest {pytest.__version__}"] * 2


def test_the_version_of_an_extractor_names_all_that_decides_the_text() -> None:
    """Our rules and each library."""
    with ExtractionPool() as pool:
        extractor = IsolatedExtractor("epub", pool, version="4", libraries=("pytest", "no-such-library"))
        assert extractor.version == f"4 pytest {pytest.__version__} no-such-library"
        assert IsolatedExtractor("csv", pool, version="1").version == "1"


def test_closing_twice_is_fine_and_a_closed_worker_starts_again() -> None:
    """Nothing is left running."""
    worker = ExtractionWorker(command=python(COUNTING))
    assert told(worker) == "1"
    worker.close()
    worker.close()
    assert not worker.running
    assert told(worker) == "1"
    worker.close()


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.parametrize("peak", ["0", "99999999999999"])
def test_a_worker_that_would_not_end_is_not_waited_for(peak: str) -> None:
    """Neither where it is closed, nor where it says itself that its turn is over."""
    say = f"say(b'{{\"sections\": [[1, [], null]], \"peak_bytes\": {peak}}}', b'x')"
    worker = ExtractionWorker(command=python(f"{READ}{say}\nimport time; time.sleep(60)"))
    began = time.monotonic()
    assert told(worker) == "x"
    worker.close()
    assert time.monotonic() - began < isolation._PATIENCE_SECONDS


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.parametrize(
    "trap", ["os.close(0)", "os.write(1, bytes(8))", "os.write(1, bytes(16))", "os._exit(0)"], ids=lambda trap: trap
)
def test_a_file_does_not_pay_for_the_one_before(trap: str) -> None:
    """What a worker did after its answer shows with the next file, which is given to another worker."""
    code = COUNTING.replace("    count += 1", "    count += 1; bad = size == 2**20").rstrip()
    with ExtractionWorker(command=python(f"import os\n{code}\n    if bad: {trap}")) as worker:
        assert [told(worker, data) for data in (b"0", b"1", b"0", b"0")] == ["1", "2", "1", "2"]


@pytest.mark.requirement("EX-ISO-1")
def test_a_file_that_ends_two_workers_is_why() -> None:
    """The second had read no other."""
    code = COUNTING.replace("    count += 1", "    count += 1\n    if size == 2**20: sys.exit()")
    with ExtractionWorker(command=python(code)) as worker:
        assert told(worker) == "1"
        with pytest.raises(ExtractionError, match=r"a\.pdf ended the process that read it") as caught:
            told(worker, b"1")
        assert caught.value.code == "damaged"
        assert told(worker) == "1"


@pytest.mark.requirement("EX-ISO-1")
def test_what_a_worker_says_after_its_last_answer_is_not_kept() -> None:
    """One that says it grew is ended, and may go on talking as fast as it can; it is not listened to."""
    code = READ + (
        "say(b'{\"sections\": [[1, [], null]], \"peak_bytes\": 99999999999999}', b'x')\n"
        "import os, signal; signal.signal(signal.SIGPIPE, signal.SIG_IGN)\n"
        "while True:\n"
        "    try: os.write(1, b'x' * 1_000_000)\n"
        "    except OSError: pass"
    )
    worker = ExtractionWorker(command=python(code))
    tracemalloc.start()
    try:
        assert told(worker) == "x"
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.parametrize("what", ["subprocess.Popen", "threading.Timer.start"])
def test_a_system_that_starts_nothing_more_is_not_the_files_fault(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process or no thread: an error that says so, and the next file is read."""
    with ExtractionPool(workers=1, command=python(COUNTING)) as pool:
        with monkeypatch.context() as patched:
            patched.setattr(f"{isolation.__name__}.{what}", refuse_to_start)
            for _ in range(2):
                with pytest.raises(ExtractionError, match="more processes") as caught:
                    told(pool)
                assert caught.value.code == "unavailable"
        assert told(pool) == "1"


def refuse_to_start(*_: object, **__: object) -> None:
    """As the system refuses: of a process, and of a thread."""
    raise (BlockingIOError if __ else RuntimeError)("no more")


# ---------------------------------------------------------------------------------------------- turns, and the pool

# Answers with the number of files it was given; a file is how many megabytes it claims to have had at most.
COUNTING = (
    READ[: READ.index("import json")]
    + """
import json
count = 0
while asked := int.from_bytes(i.read(8), "big"):
    number = json.loads(i.read(asked))[2]
    size = int(frame() or b"0") * 2**20
    count += 1
    say(json.dumps({"sections": [[1, [], None]], "peak_bytes": size}).encode(), b"%d" % count)
"""
)


def told(isolated: ExtractionWorker | ExtractionPool, data: bytes = b"") -> str:
    """What such a worker answers."""
    return isolated.extract("pdf", data, name="a.pdf").sections[0].text


@pytest.mark.requirement("EX-ISO-3")
def test_a_worker_has_its_turn_and_a_new_one_takes_over() -> None:
    """After so many files, and after one that took a quarter of the memory it may have."""
    with ExtractionWorker(files_per_worker=3, command=python(COUNTING)) as worker:
        assert [told(worker) for _ in range(7)] == list("1231231")
    with ExtractionWorker(command=python(COUNTING)) as worker:
        assert [told(worker, data) for data in (b"512", b"513", b"0", b"0")] == list("1212")


@pytest.mark.requirement("EX-ISO-3")
def test_threads_of_a_pool_have_a_worker_each() -> None:
    """Two files that wait for each other are both read."""
    code = (
        READ
        + "import pathlib, time\nmine, other = data.decode().split(':')\n"
        + (
            "pathlib.Path(mine).touch()\n"
            "while not pathlib.Path(other).exists(): time.sleep(0.01)\n"
            "say(b'{\"sections\": [[1, [], null]]}', b'k')"
        )
    )
    with tempfile.TemporaryDirectory() as folder, ExtractionPool(workers=2, limits=FAST, command=python(code)) as pool:
        one, two = f"{folder}/1:{folder}/2".encode(), f"{folder}/2:{folder}/1".encode()
        with ThreadPoolExecutor(2) as threads:
            assert list(threads.map(lambda data: told(pool, data), (one, two))) == ["k", "k"]
        assert pool.protections == ("walls",)


@pytest.mark.requirement("EX-ISO-3")
def test_more_threads_than_workers_wait_for_each_other() -> None:
    """Every thread gets an answer, from as few processes as there may be."""
    with ExtractionPool(workers=1, limits=FAST, command=python(COUNTING)) as pool, ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(lambda _: told(pool), range(8))) == list("12345678")


@pytest.mark.requirement("EX-ISO-3")
def test_a_worker_that_dies_costs_its_file_and_not_the_pool() -> None:
    """The next file finds a worker, and it is the first one of a new process."""
    with ExtractionPool(workers=1, limits=FAST, command=python(COUNTING)) as pool:
        assert told(pool) == "1"
        with pytest.raises(ExtractionError, match="ended the process"):
            told(pool, b"no number")
        assert told(pool) == "1"


@pytest.mark.requirement("EX-ISO-3")
def test_files_one_after_the_other_need_one_process() -> None:
    """However many there may be."""
    with ExtractionPool(workers=3, limits=FAST, command=python(COUNTING)) as pool:
        assert [told(pool) for _ in range(3)] == list("123")


@pytest.mark.requirement("EX-ISO-3")
def test_a_worker_without_work_is_ended() -> None:
    """Memory is given back; whoever comes later waits for a start."""
    with ExtractionPool(idle_seconds=0.05, limits=FAST, command=python(COUNTING)) as pool:
        assert told(pool) == "1"
        for _ in range(400):
            if not any(worker.running for worker in pool._workers):
                break
            time.sleep(0.01)
        assert told(pool) == "1"


@pytest.mark.requirement("EX-ISO-3")
def test_a_pool_that_is_stopped_reads_nothing_more() -> None:
    """What is being read ends at once, and what comes later is not begun."""
    code = READ + "import time; time.sleep(60)"
    with ExtractionPool(workers=1, limits=FAST, command=python(code)) as pool:
        reader = IsolatedExtractor("pdf", pool, version="1")
        stopping = threading.Timer(0.2, reader.stop)
        stopping.start()
        for _ in range(2):
            with pytest.raises(ExtractionError, match="so nothing of it is used"):
                reader.extract(b"data", name="a.pdf")
        stopping.join()


def test_a_pool_that_was_never_asked_has_started_nothing() -> None:
    """Nothing is known of protections then, and closing is fine."""
    pool = ExtractionPool(workers=2)
    assert (pool.protections, pool.release("no-such-library")) == ((), "no-such-library")
    pool.close()


# ------------------------------------------------------------------------------------------------ the child's side


def frames(*parts: bytes) -> bytes:
    """Requests as the parent would write them."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def parted(raw: bytes) -> list[bytes]:
    """The frames a worker wrote."""
    found = []
    while raw:
        size = int.from_bytes(raw[:8], "big")
        found.append(raw[8 : 8 + size])
        raw = raw[8 + size :]
    return found


def test_the_child_answers_every_request() -> None:
    """One frame for each pair of frames, until the pipe is closed."""
    request = json.dumps(["html", "a.html", 7]).encode()
    replies = io.BytesIO()
    serve(io.BytesIO(frames(request, "<h1>Ä</h1>".encode(), request, b"")), replies, {})
    first, text, second, nothing = parted(replies.getvalue())
    assert json.loads(first)["sections"] == [[4, ["Ä"], None]]
    assert json.loads(first)["request"] == 7
    assert (text.decode(), json.loads(second)["code"], nothing) == ("Ä\n\n", "empty", b"")


def test_memory_of_whoever_started_the_child_is_not_told_as_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small child of a large process would be replaced after every file."""
    peaks = iter([700, 700, 900])
    monkeypatch.setattr(_worker, "_peak_bytes", lambda: next(peaks))
    replies = io.BytesIO()
    request = json.dumps(["html", "a.html", 7]).encode()
    serve(io.BytesIO(frames(request, b"<p>A", request, b"<p>B")), replies, {})
    assert [json.loads(head)["peak_bytes"] for head in parted(replies.getvalue())[::2]] == [0, 900]


def test_the_child_reads_both_formats(make_pdf: MakePdf) -> None:
    """Each by its own parser."""
    assert answer("pdf", make_pdf("Words."), "a.pdf", {}) == ({"sections": [[6, [], 1]]}, b"Words.")
    assert answer("html", b"<p>Words.", "a.html", {}) == ({"sections": [[8, [], None]]}, b"Words.\n\n")


def test_a_format_whose_module_or_library_is_missing_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one nobody knows."""
    monkeypatch.setitem(_worker.EXTRACTORS, "newer", ("no_such_module:extract", ("no_such_library",)))
    for kind in ("newer", "unknown"):
        assert answer(kind, b"data", "a", {})[0]["code"] == "unavailable"
    ready = prepare()
    assert {"html", "pdf"} <= set(ready)
    assert "newer" not in ready


@pytest.mark.requirement("EX-LIM-1")
@pytest.mark.parametrize(
    ("error", "code", "limit"),
    [
        (MemoryError(), "limit", "memory"),
        (RecursionError(), "limit", "depth"),
        (RuntimeError("bug"), "damaged", ""),
        (ExtractionError("m \ud800", code="limit", limit="ratio"), "limit", "ratio"),
    ],
)
def test_a_parsers_bug_is_an_answer(monkeypatch: pytest.MonkeyPatch, error: Exception, code: str, limit: str) -> None:
    """The child lives on, and a limit has its name."""

    def broken(data: bytes, *, name: str) -> Extraction:
        raise error

    monkeypatch.setattr(_worker, "_extractor", lambda kind: broken)
    header, text = answer("pdf", b"", "a.pdf", {})
    assert (header["code"], header["limit"], text) == (code, limit, b"")
    assert header["message"].encode()


@pytest.mark.requirement("EX-LIM-1")
@pytest.mark.parametrize(
    ("settings", "limit"),
    [
        ({"characters": 7}, "characters"),
        ({"characters": 8}, None),
        ({"output_bytes": 8}, "bytes"),
        ({"output_bytes": 9}, None),
        ({}, None),
    ],
)
def test_an_answer_is_measured_before_it_is_written(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, int], limit: str | None
) -> None:
    """Characters with headings, then bytes of the text."""
    extraction = Extraction(
        kind="pdf", sections=(Section(text="äää", headings=("H",)), Section(text="abc", headings=("H",)))
    )
    monkeypatch.setattr(_worker, "_extractor", lambda kind: lambda data, *, name: extraction)
    assert answer("pdf", b"", "a.pdf", settings)[0].get("limit") == limit


@pytest.mark.requirement("EX-LIM-1")
def test_sections_and_headings_without_end_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What describes the text is bounded like the text."""
    section = Section(text="", headings=("H" * 10,))
    monkeypatch.setattr(
        _worker, "_extractor", lambda kind: lambda data, *, name: Extraction(kind="pdf", sections=(section,) * 6)
    )
    monkeypatch.setattr(_worker, "MAX_SECTIONS", 5)
    header, _ = answer("pdf", b"", "a.pdf", {})
    assert (header["code"], header["limit"]) == ("limit", "bytes")
    monkeypatch.setattr(_worker, "MAX_SECTIONS", 6)
    monkeypatch.setattr(_worker, "MAX_HEADER_BYTES", 100)
    replies = io.BytesIO()
    serve(io.BytesIO(frames(b'["pdf", "a.pdf", 1]', b"")), replies, {})
    header = json.loads(parted(replies.getvalue())[0])
    assert (header["code"], header["limit"]) == ("limit", "bytes")


def test_lone_surrogates_never_leave_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """No store could encode them."""
    extraction = Extraction(kind="pdf", sections=(Section(text="a\ud800b😀", headings=("\udfff",)),))
    monkeypatch.setattr(_worker, "_extractor", lambda kind: lambda data, *, name: extraction)
    assert answer("pdf", b"", "a.pdf", {}) == ({"sections": [[9, ["\ufffd"], None]]}, "a\ufffdb😀".encode())


def child(code: str, **environment: str) -> str:
    """What a process prints that gave up what the worker gives up."""
    boot = (
        "import json, sys; sys.path[:] = json.loads(sys.argv[1])\n"
        "from symfonic.adapters.knowledge.extractors._worker import allow_seconds, limit_resources\n"
    )
    # Without coverage: it writes a file at the end, and none can be written.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COV")} | environment
    command = [sys.executable, "-B", "-c", boot + code, json.dumps(sys.path)]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=plain).stdout.strip()


LIMITED = sys.platform == "linux"  # elsewhere a limit may be unknown or refused; then nothing is limited and all works


@pytest.mark.requirement("EX-ISO-2")
@pytest.mark.parametrize(
    ("attempt", "error"),
    [
        ("bytearray(2**30)", "MemoryError"),
        ("os.write(os.open('written', os.O_CREAT | os.O_WRONLY), b'x')", "OSError"),
        ("[open(os.devnull) for _ in range(100)]", "OSError"),
    ],
)
def test_the_child_cannot_take_what_it_gave_up(
    attempt: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory, files to write, many open files; on Linux each fails, elsewhere each that the platform limits."""
    monkeypatch.chdir(tmp_path)
    code = f"""
import os
limit_resources(300 * 2**20)
try:
    {attempt}
    print("done")
except (MemoryError, OSError) as error:
    print(type(error).__name__)
"""
    assert child(code) in ({error} if LIMITED else {error, "done"})


@pytest.mark.requirement("EX-ISO-2")
def test_processor_time_is_given_for_one_file_at_a_time() -> None:
    """The limit moves with each file, and is taken back where none is wanted."""
    code = """
import resource
for seconds in (5, 7, 0):
    allow_seconds(seconds)
    print(resource.getrlimit(resource.RLIMIT_CPU)[0])
"""
    assert child(code).split() == (["6", "8", "-1"] if os.name == "posix" else [])


@pytest.mark.requirement("EX-ISO-2")
@pytest.mark.parametrize("missing", ["all", "one"])
def test_a_limit_the_platform_refuses_is_left_out(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """The wall-time limit still holds."""
    called: list[object] = []

    def refuse(*arguments: object) -> None:
        called.append(arguments)
        raise ValueError

    platform = SimpleNamespace(
        setrlimit=refuse, getrlimit=lambda _: (-1, -1), RLIM_INFINITY=-1, RLIMIT_AS=1, RLIMIT_CPU=2, RLIMIT_CORE=3,
        RLIMIT_FSIZE=4, getrusage=lambda _: SimpleNamespace(ru_utime=1.0, ru_stime=0.5), RUSAGE_SELF=0,
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "resource", None if missing == "all" else platform)
    limit_resources(1)
    allow_seconds(1)
    assert called == ([] if missing == "all" else [(1, (1, 1)), (4, (0, 0)), (3, (0, 0)), (2, (3, -1))])


def test_limits_that_hold_already_are_only_ever_lowered(monkeypatch: pytest.MonkeyPatch, alarms: list[int]) -> None:
    """Whoever started us may have been stricter."""
    set_to: list[object] = []
    platform = SimpleNamespace(
        setrlimit=lambda *arguments: set_to.append(arguments), getrlimit=lambda _: (5, 10), RLIM_INFINITY=-1,
        RLIMIT_AS=1, RLIMIT_CPU=2, RLIMIT_CORE=3, RLIMIT_FSIZE=4, RLIMIT_NOFILE=5,
        getrusage=lambda _: SimpleNamespace(ru_utime=1.0, ru_stime=0.5), RUSAGE_SELF=0,
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "resource", platform)
    limit_resources(0)
    allow_seconds(30)
    assert set_to == [(4, (0, 0)), (3, (0, 0)), (5, (10, 10)), (2, (10, 10))]
    assert alarms == ([30] if hasattr(signal, "alarm") else [])


@pytest.mark.requirement("EX-ISO-2")
def test_the_child_inherits_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the environment only what finds shared libraries."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    report = (
        "import json, os; found = json.dumps(dict(os.environ)).encode()\n"
        "say(json.dumps({'sections': [[len(found), [], None]]}).encode(), found)"
    )
    with ExtractionWorker(command=python(READ + report)) as worker:
        seen = json.loads(worker.extract("pdf", b"", name="a.pdf").sections[0].text)
    # The interpreter itself sets a locale where it finds none.
    assert {name: value for name, value in seen.items() if name != "LC_CTYPE"} == {"LD_LIBRARY_PATH": "/nowhere"}


@pytest.mark.requirement("EX-ISO-2")
def test_what_a_child_inherits_of_a_large_process_is_no_memory_it_took() -> None:
    """Its file is named as what ended it, and not as one that needs more memory."""
    error = failure(READ + "import os; os._exit(1)", ExtractionLimits(memory_bytes=isolation._peak_bytes()))
    assert (error.code, error.limit) == ("damaged", "")


@pytest.mark.requirement("EX-ISO-2")
def test_a_pdf_and_a_page_are_read_under_all_limits(worker: ExtractionWorker, make_pdf: MakePdf) -> None:
    """Both parsers load and work with what is left."""
    assert worker.extract("pdf", make_pdf("Words."), name="a.pdf").sections[0].text == "Words."
    assert worker.extract("html", b"<p>Words.", name="a.html").sections[0].text.strip() == "Words."


def test_main_serves_standard_input_and_output(worker: ExtractionWorker) -> None:
    """The real child, asked by the real parent."""
    assert worker.extract("html", "<p>ä".encode(), name="a.html").sections[0].text.strip() == "ä"
