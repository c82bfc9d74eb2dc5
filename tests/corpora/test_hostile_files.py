"""Hostile files that take seconds, and the memory of the process that asked, over the whole set."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge.ingestion import FileOutcome, ingest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.corpora

# In a process of its own: the most memory one has had includes what other tests needed. Writing 5 there forgets it.
MEASURE = """
import json, sys, time
from pathlib import Path
sys.path[:] = json.loads(sys.argv[1])
import hostile
from symfonic.adapters.knowledge.extractors.detection import default_extractors, detect_kind
from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits
from symfonic.adapters.knowledge.ports import ExtractionError

def memory(what):
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(what))

def outcome(extractors, name, data):
    try:
        extractors[detect_kind(name, data)].extract(data, name=name)
    except ExtractionError as error:
        return f"{error.code}:{error.limit}".rstrip(":")
    return "text"

told = []
with default_extractors(limits=ExtractionLimits(seconds=10)) as extractors:
    for case in (*hostile.CASES, *hostile.large_cases()):
        data = case.make()
        Path("/proc/self/clear_refs").write_text("5")
        before, start = memory("VmRSS"), time.monotonic()
        found = outcome(extractors, case.name, data)
        spent = round(time.monotonic() - start, 2)
        told.append([case.name, found, case.outcomes, spent, memory("VmHWM") - before, len(data)])
print(json.dumps(told))
"""


@pytest.mark.requirement("EX-HOSTILE-1")
def test_every_hostile_file_has_its_outcome_and_the_asking_process_stays_small(project: Path) -> None:
    """Each within its time, and none makes this process grow by more than the text it may hand over, twice."""
    path = [str(project / "tests" / "adapters" / "knowledge" / "extractors"), *sys.path]
    command = [sys.executable, "-B", "-c", MEASURE, json.dumps(path)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for name, found, _, seconds, grown, size in told:
        print(f"{name:20} {found:22} {seconds:6.2f} s {grown / 1e6:7.1f} MB grown, {size / 1e6:6.1f} MB read")  # noqa: T201
    assert [(name, found) for name, found, outcomes, *_ in told if found not in outcomes] == []
    assert max(seconds for *_, seconds, _, _ in told) < 15
    assert max(grown for *_, grown, _ in told) < 2 * 64_000_000 + 4 * 20_000_000


@pytest.mark.requirement("EX-HOSTILE-1")
def test_a_gigabyte_that_is_not_there_is_not_read(tmp_path: Path) -> None:
    """A file of holes, under names of every kind."""
    for name in ("a.txt", "a.csv", "a.pdf", "a.docx", "a.html"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(2**30)
    store = SqliteStore(tmp_path / "kb.sqlite")
    report = ingest(store, [tmp_path / name for name in ("a.txt", "a.csv", "a.pdf", "a.docx", "a.html")])
    store.close()
    assert {item.outcome for item in report.items} == {FileOutcome.TOO_LARGE}
