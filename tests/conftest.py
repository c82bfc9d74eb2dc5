"""What every test shares: Hypothesis profiles, opt-in kinds of tests, and a home folder that is nobody's."""

from __future__ import annotations

import gc
import importlib.util
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Markers whose tests are left out unless asked for, with the option that asks.
OPT_IN = {
    "browser": "--browser",
    "corpora": "--corpora",
    "coexistence": "--coexistence",
    "sdk": "--sdk",
    "stores": "--stores",
}

# `ci` gives the same examples on every run, so that a red build is red again on the next machine; `deep` searches
# (pytest --hypothesis-profile=deep). No deadlines: a shared machine is slow when it likes.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "deep", deadline=None, max_examples=5_000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add one option for each opt-in marker."""
    for marker, option in OPT_IN.items():
        parser.addoption(option, action="store_true", help=f"also run the tests marked '{marker}'")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect opt-in tests nobody asked for, by option or by naming the marker in ``-m``."""
    expression = str(config.getoption("markexpr"))
    left_out = {
        marker for marker, option in OPT_IN.items() if not config.getoption(option) and marker not in expression
    }
    dropped = [item for item in items if any(item.get_closest_marker(marker) for marker in left_out)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if item not in set(dropped)]


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests, which stay to the end, out of every collection of garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Folder of the external corpora. A missing one fails the test: a skipped proof would look like a proof."""
    named = os.environ.get("SYMFONIC_CORPORA", "")
    if not named:
        pytest.fail("SYMFONIC_CORPORA is not set, so this test has no data: set it to the folder with the corpora.")
    folder = Path(named).resolve()
    if not folder.is_dir():
        pytest.fail(f"SYMFONIC_CORPORA names {folder}, which is no folder, so this test has no data: correct it.")
    return folder


@pytest.fixture(scope="session")
def project() -> Path:
    """Root of the source tree."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def postgres(project: Path) -> Iterator[Any]:
    """A PostgreSQL server with pgvector, for all tests of this process."""
    spec = importlib.util.spec_from_file_location("postgres_server", project / "scripts" / "postgres.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with module.running() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Point every default location at a temporary folder, so that no test meets a person's own store or settings."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.delenv(name, raising=False)
        for name in ("COLUMNS", "LINES"):  # how wide a person's terminal is, or a worker's
            patch.delenv(name, raising=False)
        for name in list(os.environ):
            if name.startswith("SYMFONIC_") and name not in {"SYMFONIC_CORPORA", "SYMFONIC_TESTED"}:
                patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def _interruptible() -> Iterator[None]:
    """Let programs that tests start be interrupted: a run in the background ignores SIGINT, and they inherit it."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture
def deadline() -> Iterator[None]:
    """End a test that waits for a pipe nobody writes to: without this the whole run would wait."""

    def ring(*_: object) -> None:
        pytest.fail("something was waited for that never comes")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 60)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
