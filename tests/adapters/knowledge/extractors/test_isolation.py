"""The worker process: what it costs when a parser hangs, dies or lies."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors import _worker, isolation
from symfonic.adapters.knowledge.extractors._worker import allow_seconds, answer, limit_resources, serve
from symfonic.adapters.knowledge.extractors.isolation import ExtractionWorker
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import MakePdf


def python(code: str) -> tuple[str, ...]:
    """A worker that runs some code instead of ours."""
    # Without site packages: nothing may measure a process that is about to be killed.
    return (sys.executable, "-S", "-c", code)


READ = (
    "import sys; i=sys.stdin.buffer\n"
    "def frame(): return i.read(int.from_bytes(i.read(8),'big'))\n"
    "frame(); data=frame()\n"
    "def say(b): sys.stdout.buffer.write(len(b).to_bytes(8,'big')+b); sys.stdout.buffer.flush()\n"
)


def failure(code: str, *, timeout: float = 20.0) -> ExtractionError:
    """What a request to such a worker ends in."""
    with ExtractionWorker(timeout_seconds=timeout, command=python(code)) as worker:
        with pytest.raises(ExtractionError) as caught:
            worker.extract("pdf", b"data", name="a.pdf")
        return caught.value


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.parametrize(
    "code",
    [
        "import os; os.abort()",
        READ + "import os; os.kill(os.getpid(), 11)",
        READ + "sys.stdout.write('printed by a library')",
        READ + "say(b'not json')",
        READ + "say(b'[]')",
        READ + "say(b'{\"sections\": [[1, [], null]]}')",
        READ + 'say(b\'{"sections": [["x", [1], null]]}\')',
        READ + "say(b'{\"sections\": 5}')",
        READ + "sys.stdout.buffer.write((2**60).to_bytes(8,'big'))",
        READ + "sys.stdout.buffer.write((20).to_bytes(8,'big') + b'short')",
    ],
)
def test_a_worker_that_dies_or_lies_costs_its_file(code: str) -> None:
    """Anything but the agreed answer is a damaged file."""
    assert failure(code).code == "damaged"


def test_a_worker_that_dies_before_it_has_read_the_file_costs_it() -> None:
    """More bytes than a pipe takes are on their way when it dies."""
    with ExtractionWorker(command=python("pass")) as dying:
        for _ in range(2):
            with pytest.raises(ExtractionError) as caught:
                dying.extract("pdf", bytes(10_000_000), name="a.pdf")
            assert caught.value.code == "damaged"


@pytest.mark.requirement("EX-ISO-1")
@pytest.mark.slow
def test_a_page_nested_without_end_costs_its_file() -> None:
    """The real parser takes a minute for these elements."""
    with ExtractionWorker(timeout_seconds=3) as worker:
        with pytest.raises(ExtractionError) as caught:
            worker.extract("html", b"<div>" * 200_000, name="a.html")
        assert caught.value.code == "limit"
        assert worker.extract("html", b"<p>next", name="b.html").sections[0].text.strip() == "next"


@pytest.mark.requirement("EX-ISO-1")
def test_a_slow_worker_is_killed_and_the_next_file_gets_a_new_one() -> None:
    """Time ran out for one file only."""
    code = READ + "import time\nif data == b'slow': time.sleep(60)\nsay(b'{\"sections\": [[\"ok\", [], 2]]}')"
    with ExtractionWorker(timeout_seconds=1.5, command=python(code)) as worker:
        with pytest.raises(ExtractionError, match=r"a\.pdf took longer than 1\.5 s") as caught:
            worker.extract("pdf", b"slow", name="a.pdf")
        assert caught.value.code == "limit"
        expected = Extraction(kind="pdf", sections=(Section(text="ok", page=2),))
        assert worker.extract("pdf", b"fast", name="b.pdf") == expected


@pytest.mark.requirement("EX-OPT-1")
def test_a_missing_library_names_the_extra() -> None:
    """The remedy is one command."""
    error = failure(READ + 'say(b\'{"code": "missing-library"}\')')
    assert error.code == "unavailable"
    assert 'pip install "symfonic-knowledge[ingest]"' in str(error)


def test_a_release_of_what_is_not_installed_is_its_name() -> None:
    """So that a document's digest can be computed without the library."""
    with ExtractionWorker() as worker:
        assert worker.release("no-such-library") == "no-such-library"
        assert [worker.release("pytest") for _ in range(2)] == [f"pytest {pytest.__version__}"] * 2


def test_closing_twice_is_fine_and_a_closed_worker_starts_again() -> None:
    """Nothing is left running."""
    worker = ExtractionWorker()
    assert worker.extract("html", b"<p>a", name="a.html").sections[0].text.strip() == "a"
    worker.close()
    worker.close()
    assert worker.extract("html", b"<p>b", name="b.html").sections[0].text.strip() == "b"
    worker.close()


def test_a_worker_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits, but not for ever."""
    monkeypatch.setattr(isolation, "_PATIENCE_SECONDS", 0.2)
    code = READ + "say(b'{\"sections\": []}')\nimport time; time.sleep(60)"
    worker = ExtractionWorker(command=python(code))
    assert worker.extract("pdf", b"", name="a.pdf").sections == ()
    worker.close()


def test_several_threads_share_one_worker(worker: ExtractionWorker) -> None:
    """Requests wait for each other and every thread gets its own answer."""
    got: dict[int, str] = {}

    def read(number: int) -> None:
        page = f"<p>{number}".encode()
        got[number] = worker.extract("html", page, name="a.html").sections[0].text.strip()

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == {number: str(number) for number in range(8)}


# ------------------------------------------------------------------------------------------------ the child's side


def frames(*parts: bytes) -> bytes:
    """Requests as the parent would write them."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def test_the_child_answers_every_request() -> None:
    """One frame for each pair of frames, until the pipe is closed."""
    request = json.dumps(["html", "a.html"]).encode()
    replies = io.BytesIO()
    serve(io.BytesIO(frames(request, b"<h1>A</h1>", request, b"")), replies)
    raw = replies.getvalue()
    size = int.from_bytes(raw[:8], "big")
    assert json.loads(raw[8 : 8 + size]) == {"sections": [["A\n\n", ["A"], None]]}
    assert json.loads(raw[16 + size :])["code"] == "empty"


def test_the_child_reads_both_formats(make_pdf: MakePdf) -> None:
    """Each by its own parser."""
    assert answer("pdf", make_pdf("Words."), "a.pdf") == {"sections": [["Words.", (), 1]]}
    assert answer("html", b"<p>Words.", "a.html") == {"sections": [["Words.\n\n", (), None]]}


@pytest.mark.parametrize(("error", "code"), [(MemoryError(), "limit"), (RuntimeError("bug"), "damaged")])
def test_a_parsers_bug_is_an_answer(monkeypatch: pytest.MonkeyPatch, error: Exception, code: str) -> None:
    """The child lives on."""

    def broken(data: bytes, *, name: str) -> Extraction:
        raise error

    monkeypatch.setattr(_worker, "_extractor", lambda kind: broken)
    assert answer("pdf", b"", "a.pdf")["code"] == code


def test_lone_surrogates_never_leave_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """No store could encode them."""
    extraction = Extraction(kind="pdf", sections=(Section(text="a\ud800b😀"),))
    monkeypatch.setattr(_worker, "_extractor", lambda kind: lambda data, *, name: extraction)
    assert answer("pdf", b"", "a.pdf") == {"sections": [["a\ufffdb😀", (), None]]}


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
    """What was used before does not count; the limit is taken back where none is wanted."""
    code = """
import resource, time
while time.process_time() < 1.2:
    pass
for seconds in (5, 7, 0):
    allow_seconds(seconds)
    print(resource.getrlimit(resource.RLIMIT_CPU)[0])
"""
    assert child(code).split() == (["7", "9", "-1"] if os.name == "posix" else [])


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


def test_limits_that_hold_already_are_only_ever_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.requirement("EX-ISO-2")
def test_the_child_inherits_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the environment only what finds shared libraries."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    report = "import json, os; say(json.dumps({'sections': [[json.dumps(dict(os.environ)), [], None]]}).encode())"
    with ExtractionWorker(command=python(READ + report)) as worker:
        seen = json.loads(worker.extract("pdf", b"", name="a.pdf").sections[0].text)
    # The interpreter itself sets a locale where it finds none.
    assert {name: value for name, value in seen.items() if name != "LC_CTYPE"} == {"LD_LIBRARY_PATH": "/nowhere"}


@pytest.mark.requirement("EX-ISO-2")
def test_a_pdf_and_a_page_are_read_under_all_limits(worker: ExtractionWorker, make_pdf: MakePdf) -> None:
    """Both parsers load and work with what is left."""
    assert worker.extract("pdf", make_pdf("Words."), name="a.pdf").sections[0].text == "Words."
    assert worker.extract("html", b"<p>Words.", name="a.html").sections[0].text.strip() == "Words."


def test_main_serves_standard_input_and_output(worker: ExtractionWorker) -> None:
    """The real child, asked by the real parent."""
    assert worker.extract("html", "<p>ä".encode(), name="a.html").sections[0].text.strip() == "ä"
