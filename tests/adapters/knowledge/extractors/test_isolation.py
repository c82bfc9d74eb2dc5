"""The worker process: what it costs when a parser hangs, dies or lies."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading

import pytest

from symfonic.adapters.knowledge.extractors import _worker, isolation
from symfonic.adapters.knowledge.extractors._worker import answer, limit_memory, serve
from symfonic.adapters.knowledge.extractors.isolation import ExtractionWorker
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section


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


def test_the_memory_limit_holds_in_the_child() -> None:
    """Where the platform can; no limit is no limit."""
    limit_memory(0)
    code = (
        "from symfonic.adapters.knowledge.extractors._worker import limit_memory\n"
        "import sys; sys.platform.startswith('linux') or sys.exit(7)\n"
        "limit_memory(300 * 2**20)\n"
        "try: bytearray(2**30)\n"
        "except MemoryError: sys.exit(7)"
    )
    path = json.dumps(sys.path)
    boot = f"import json, sys; sys.path[:] = json.loads({path!r})\n{code}"
    assert subprocess.run([sys.executable, "-c", boot], check=False).returncode == 7


def test_a_limit_the_platform_refuses_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall-time limit still holds."""
    resource = pytest.importorskip("resource")

    def refuse(*args: object) -> None:
        raise ValueError

    monkeypatch.setattr(resource, "setrlimit", refuse)
    limit_memory(1)


def test_main_serves_standard_input_and_output(worker: ExtractionWorker) -> None:
    """The real child, asked by the real parent."""
    assert worker.extract("html", "<p>ä".encode(), name="a.html").sections[0].text.strip() == "ä"
