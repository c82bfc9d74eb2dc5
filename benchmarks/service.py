"""What the service takes from many clients at once, and what those leave behind who go away or never read.

Usage: ``.venv/bin/python benchmarks/service.py [--clients 64] [--seconds 60] [--documents 2000] [--json FILE]``

Client and server share this machine, so the figures are a lower bound of what the server does alone. The server is the
command ``serve`` in a process of its own, on a store of made-up documents; the model is a third process that says
twenty words at once. Three of four requests are searches, one is an answer that is read to its report. Then half of the
clients begin an answer and go away, and the other half begin one and read nothing; the server's threads, handles and
memory are looked at before and after. At last the server is told to end under load: what it accepted has to be answered
whole, which its log and the clients tell independently.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.composition.knowledge import KnowledgeBase, Settings

WORDS = [f"{chr(97 + at % 26)}{chr(97 + at // 26 % 26)}{at}w" for at in range(5_000)]
SAID = [f"word{place} " for place in range(20)]
COMMAND = [sys.executable, "-c", "from symfonic.frontends.knowledge.cli import main; main()"]
UNBOUND = ["--requests-per-minute", "100000000"]


class Model(BaseHTTPRequestHandler):
    """Says its words at once."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a stream."""
        self.rfile.read(int(self.headers["content-length"]))
        said = [{"index": 0, "delta": {"content": word}, "finish_reason": None} for word in SAID]
        events = [*said, {"index": 0, "delta": {}, "finish_reason": "stop"}]
        lines = [f"data: {json.dumps({'id': '1', 'model': 'said', 'choices': [event]})}\n\n" for event in events]
        body = "".join([*lines, "data: [DONE]\n\n"]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Nothing."""


def serve_model() -> None:
    """Run the model until the process is ended; the first line on standard output is its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


def filled(path: Path, documents: int) -> None:
    """Make the store."""
    chance = random.Random(1)
    with KnowledgeBase.open(path, settings=Settings()) as knowledge:
        for number in range(documents):
            text = " ".join(chance.choices(WORDS, k=80))
            document = Document(
                scope_path="", origin=f"/{number}", file=f"{number}.txt", digest=str(number), kind="text"
            )
            knowledge.store.put(document, [Chunk(text=text, label=f"{number}.txt", ordinal=0)])


@dataclass(slots=True)
class Seen:
    """What became of requests."""

    search: list[float] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)
    whole: int = 0
    refused: int = 0
    unheard: int = 0
    torn: int = 0
    wrong: list[str] = field(default_factory=list)


class Connection:
    """One client's connection, kept open from request to request."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: dict[str, Any]) -> tuple[int, bytes]:
        """Send a request and read the answer.

        Raises:
            ConnectionError: No byte of an answer came.
            EOFError: It broke off.
        """
        reader, _ = await self.begin(path, body)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            self.close()
            if getattr(error, "partial", b""):
                raise EOFError from error
            raise ConnectionError from error
        try:
            text = await _body(reader, head.lower())
        except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
            self.close()
            raise EOFError from error
        if b"connection: close" in head.lower():
            self.close()
        return int(head.split(b" ", 2)[1]), text

    async def begin(self, path: str, body: dict[str, Any]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Send a request."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\ncontent-type: application/json\r\n"
        writer.write(f"{head}content-length: {len(data)}\r\n\r\n".encode() + data)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        return reader, writer

    def close(self) -> None:
        """Go away."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    if b"transfer-encoding: chunked" not in head:
        return await reader.readexactly(int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]))
    found = b""
    while True:
        size = int(await reader.readuntil(b"\r\n"), 16)
        found += (await reader.readexactly(size + 2))[:-2]
        if not size:
            return found


async def client(port: int, seed: int, until: float, seen: Seen) -> None:
    """Ask until the time is over, or until the server is."""
    chance, connection = random.Random(seed), Connection(port)
    while time.monotonic() < until:
        question = {"question": " ".join(chance.choices(WORDS, k=4))}
        path = "/v1/answer" if chance.random() < 0.25 else "/v1/search"
        begun = time.perf_counter()
        try:
            status, text = await connection.ask(path, question)
        except EOFError:
            seen.torn += 1
            return
        except OSError:
            seen.unheard += 1
            return
        taken = time.perf_counter() - begun
        if status == 503:
            seen.refused += 1
            return
        seen.whole += 1
        is_whole = b"event: report" in text if path == "/v1/answer" else text.endswith(b"}")
        if status != 200 or not is_whole:
            seen.wrong.append(f"{path} {status} {text[:200]!r}")
        (seen.answer if path == "/v1/answer" else seen.search).append(taken)
    connection.close()


def state(pid: int) -> dict[str, int]:
    """Memory in kB, threads and handles of a process."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    values = dict(line.split(":", 1) for line in lines)
    handles = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return {"kB": int(values["VmRSS"].split()[0]), "threads": int(values["Threads"]), "handles": handles}


async def watched(pid: int, until: float) -> list[int]:
    """Memory once a second."""
    found = []
    while time.monotonic() < until:
        await asyncio.sleep(1)
        found.append(state(pid)["kB"])
    return found


async def loaded(port: int, pid: int, clients: int, seconds: float) -> dict[str, Any]:
    """All clients ask for so long."""
    seen, begun = Seen(), time.monotonic()
    until = begun + seconds
    memory, *_ = await asyncio.gather(
        watched(pid, until), *(client(port, seed, until, seen) for seed in range(clients))
    )
    taken = time.monotonic() - begun
    return {
        "requests": seen.whole,
        "a second": round(seen.whole / taken, 1),
        "search ms": _quantiles(seen.search),
        "answer ms": _quantiles(seen.answer),
        "errors": len(seen.wrong) + seen.torn + seen.unheard + seen.refused,
        "wrong": seen.wrong[:3],
        "memory kB": memory[:: max(1, len(memory) // 12)],
    }


def _quantiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        f"p{share}": round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)] * 1000, 1)
        for share in (50, 95, 99)
    }


async def left_alone(port: int, pid: int, clients: int) -> dict[str, Any]:
    """Half of the clients go away in an answer, half read nothing of one; then somebody asks as usual."""
    before = state(pid)
    question = {"question": " ".join(WORDS[:4])}
    quiet = [Connection(port) for _ in range(clients)]
    for connection in quiet:
        await connection.begin("/v1/answer", question)
    await asyncio.sleep(0.2)
    for connection in quiet[::2]:
        connection.close()
    begun = time.perf_counter()
    status, _ = await Connection(port).ask("/v1/search", question)
    waited = time.perf_counter() - begun
    for connection in quiet:
        connection.close()
    after = before
    for _ in range(100):
        await asyncio.sleep(0.1)
        after = state(pid)
        if after["handles"] <= before["handles"] and after["threads"] <= before["threads"]:
            break
    return {"before": before, "after": after, "next request": status, "its ms": round(waited * 1000, 1)}


async def ended(port: int, server: subprocess.Popen[str], clients: int) -> dict[str, Any]:
    """The server is told to end while all clients ask."""
    seen = Seen()
    asking = [asyncio.create_task(client(port, seed, time.monotonic() + 30, seen)) for seed in range(clients)]
    await asyncio.sleep(1.5)
    server.send_signal(signal.SIGTERM)
    await asyncio.gather(*asking)
    return {"answered": seen.whole, "torn": seen.torn, "refused": seen.refused, "unheard": seen.unheard}


async def measured(folder: Path, clients: int, seconds: float) -> dict[str, Any]:
    """All of it, one after the other."""
    model = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs yet
        [sys.executable, __file__, "--model"], stdout=subprocess.PIPE, text=True
    )
    assert model.stdout is not None
    options = ["--model", "said", "--base-url", f"http://127.0.0.1:{int(model.stdout.readline())}/v1", *UNBOUND]
    log = folder / "log.jsonl"
    with log.open("w") as lines:
        server = subprocess.Popen(  # noqa: ASYNC220 - as above
            [*COMMAND, "serve", "--port", "0", "--json", "--store", str(folder / "k.db"), *options],
            stdout=subprocess.PIPE,
            stderr=lines,
            text=True,
        )
        try:
            assert server.stdout is not None
            port = json.loads(server.stdout.readline())["port"]
            await loaded(port, server.pid, 4, 1.0)
            found: dict[str, Any] = {"load": await loaded(port, server.pid, clients, seconds)}
            found["left alone"] = await left_alone(port, server.pid, clients)
            logged = len(log.read_text().splitlines())
            found["end"] = await ended(port, server, clients)
            found["end"] |= {"exit": server.wait(60)}
            last = [json.loads(line) for line in log.read_text().splitlines()[logged:]]
            told = [line for line in last if line["event"] == "request"]
            found["end"] |= {
                "logged whole": sum(line["complete"] and line["status"] == 200 for line in told),
                "logged torn": sum(not line["complete"] for line in told),
            }
        finally:
            server.kill()
            server.wait()
            model.kill()
            model.wait()
    return found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.model:
        serve_model()
        return 0
    with tempfile.TemporaryDirectory() as name:
        print(f"Filling a store with {options.documents:,} documents ...", file=sys.stderr)
        filled(Path(name) / "k.db", options.documents)
        print(f"{options.clients} clients for {options.seconds:g} seconds ...", file=sys.stderr)
        found = asyncio.run(measured(Path(name), options.clients, options.seconds))
    text = json.dumps(found, indent=1)
    print(text)
    if options.json is not None:
        options.json.write_text(text + "\n")
    end, load, left = found["end"], found["load"], found["left alone"]
    is_sound = not load["errors"] and not end["torn"] and not end["logged torn"] and end["exit"] == 0
    return 0 if is_sound and end["answered"] == end["logged whole"] and left["next request"] == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
