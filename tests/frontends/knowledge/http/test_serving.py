"""A service on a port: who may reach it, when it is ready, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import AccessKeys, KnowledgeBase, SettingsError
from symfonic.frontends.knowledge._asgi.headers import listening_address, listening_hosts
from symfonic.frontends.knowledge.http import Service, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMMAND = [sys.executable, "-c", "from symfonic.frontends.knowledge.cli import main; main()"]
WORDS = [f"word {place} " for place in range(40)]


@pytest.mark.requirement("HTTP-RUN-1")
@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "kb.example.org", "no address"])
def test_without_keys_only_this_machine_is_listened_to(knowledge: KnowledgeBase, host: str) -> None:
    """And the refusal says how to make one."""
    with pytest.raises(SettingsError, match="symfonic-knowledge access create"):
        serve(Service(knowledge=knowledge), host=host)


@pytest.mark.requirement("HTTP-RUN-1")
@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_at_every_address_names_have_to_be_given(knowledge: KnowledgeBase, keys: AccessKeys, host: str) -> None:
    """For any page could have its own name lead here."""
    with pytest.raises(SettingsError, match="--allowed-host"):
        serve(Service(knowledge=knowledge, access=keys), host=host)


@pytest.mark.requirement("HTTP-RUN-1")
@pytest.mark.parametrize("port", [-1, 65_536, True])
def test_a_port_that_is_none_is_refused(knowledge: KnowledgeBase, port: int) -> None:
    """Before anything is opened."""
    with pytest.raises(SettingsError, match="a port is a number from 0 to 65,535"):
        serve(Service(knowledge=knowledge), port=port)


@pytest.mark.requirement("HTTP-RUN-1")
def test_a_port_that_is_taken_is_told(knowledge: KnowledgeBase) -> None:
    """With what the system says."""
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SettingsError, match="Address already in use"):
        serve(Service(knowledge=knowledge), port=taken.getsockname()[1])


@pytest.mark.requirement("HTTP-RUN-1")
def test_a_service_is_asked_under_the_names_of_its_port() -> None:
    """And those the operator gave."""
    named = ["kb.example.org"]
    given = ("kb.example.org", "kb.example.org:5")
    local = ("localhost:5", "127.0.0.1:5", "[::1]:5", *given)
    assert [listening_hosts(host, 5, named) for host in ("127.0.0.1", "::1", "localhost")] == [local] * 3
    assert listening_hosts("0.0.0.0", 5, named) == given
    assert listening_hosts("192.0.2.1", 5, named) == ("192.0.2.1:5", *given)
    assert listening_hosts("2001:db8::1", 5, named) == ("[2001:db8::1]:5", *given)
    assert listening_hosts("::", 5, ["[2001:db8::1]", "a:6"]) == ("[2001:db8::1]", "[2001:db8::1]:5", "a:6")


@pytest.mark.requirement("HTTP-RUN-4")
def test_a_service_says_an_address_at_which_it_answers() -> None:
    """Every address is none; there it is the first of its names."""
    told = [
        listening_address(host, 5, ["kb.example.org", "b"])
        for host in ("0.0.0.0", "::", "127.0.0.1", "::1", "192.0.2.1")
    ]
    assert told == ["kb.example.org:5", "kb.example.org:5", "127.0.0.1:5", "[::1]:5", "192.0.2.1:5"]
    assert listening_address("0.0.0.0", 5, ["a:6"]) == "a:6"


@contextmanager
def started(store: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A service in a process of its own, ready."""
    environ = {**os.environ, "SYMFONIC_KNOWLEDGE_STORE": str(store)}
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--json", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
    )
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


class Slow(BaseHTTPRequestHandler):
    """A model that takes its time between words."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for word in WORDS:
            self._say({"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]})
            time.sleep(0.03)
        self._say({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.wfile.write(b"data: [DONE]\n\n")

    def _say(self, event: Any) -> None:
        self.wfile.write(b"data: " + json.dumps({"id": "1", "model": "slow", **event}).encode() + b"\n\n")

    def log_message(self, *words: Any) -> None:
        pass


@contextmanager
def slow_model() -> Iterator[str]:
    """Its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def _post(url: str, body: Any) -> Any:
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    return urllib.request.urlopen(request, timeout=20)


@pytest.mark.slow
@pytest.mark.requirement("HTTP-RUN-2")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_service_that_is_told_to_end_finishes_its_streams(
    knowledge: KnowledgeBase, tmp_path: Path, sign: signal.Signals
) -> None:
    """A stream that began is read to its report; new connections are refused; the exit code is 0."""
    options = ["--model", "any", "--base-url"]
    with slow_model() as model, started(tmp_path / "k.db", *options, model) as (process, ready):
        assert ready == {**ready, "host": "127.0.0.1", "asks_for_tokens": False, "pages": f"{ready['url']}/inspector"}
        answer = _post(f"{ready['url']}/v1/answer", {"question": "days of leave", "scope": ["tenant:acme"]})
        first = answer.readline()
        process.send_signal(sign)
        time.sleep(0.3)
        with pytest.raises(urllib.error.URLError):
            urllib.request.urlopen(f"{ready['url']}/readyz", timeout=5)
        text = (first + answer.read()).decode()
        assert text.count("event: piece") >= 1
        assert "".join(WORDS).strip() in json.loads(text.rpartition("event: report\ndata: ")[2])["answer"]
        told, logged = process.communicate(timeout=10)
        assert (process.returncode, told) == (0, "")
        assert [json.loads(line)["route"] for line in logged.splitlines()] == ["/v1/answer"]


@pytest.mark.slow
@pytest.mark.requirement("HTTP-RUN-3")
def test_a_model_that_says_nothing_holds_no_process(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    """Interrupted twice, a service ends although a thread still waits for a model."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        options = ["--model", "any", "--base-url", f"http://127.0.0.1:{silent.getsockname()[1]}/v1"]
        with started(tmp_path / "k.db", *options) as (process, ready):
            answer = _post(f"{ready['url']}/v1/answer", {"question": "days of leave", "scope": ["tenant:acme"]})
            assert answer.readline() == b"event: sources\n"
            waiting, _ = silent.accept()
            with waiting:
                process.send_signal(signal.SIGINT)
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=15)
            assert process.returncode == 130
