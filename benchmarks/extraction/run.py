"""Files to text beside the loaders of LangChain and LlamaIndex: the same files, one run, ratios side by side.

Run ``make bench-extraction``; the folder of files is ``realdocs`` in the folder that ``SYMFONIC_CORPORA`` names, or the
argument: ``FILES=FOLDER``. Every figure is the median of its rounds, and the ways of reading take turns round by round.

- *kinds*: copies of the files of one kind, read in a process that has read each of them before. For this project that
  is extraction in worker processes, which are started and ended within the time, and cutting into passages; for peers
  it is loading alone, in their process.
- *folder*: a fresh process that reads every file once and ends, imports and the start of workers included.
- *store*: the same, into a new SQLite file; this project only.

Peers are in an environment of their own (``.venv-bench-loaders``); one that fails is a line that says why.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import report
from worker import PARTIES, files_of

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "bench"
PEERS_AT = ROOT / ".venv-bench-loaders" / "bin" / "python"
#: Copies of the files of a kind: until there are so many bytes and files, unless there are too many files.
BYTES, FILES, MOST_FILES = 2_000_000, 24, 600


class FailedError(Exception):
    """A process that ended badly; the message goes into the report."""


def wanted_folder(argument: str, *, optional: bool) -> Path:
    """The folder of files; ends the program where there is none, in good order if it was not asked for by name."""
    corpora = os.environ.get("SYMFONIC_CORPORA", "")
    folder = Path(argument) if argument else Path(corpora) / "realdocs"
    if (argument or corpora) and folder.is_dir() and files_of(folder):
        return folder.resolve()
    if argument or corpora:
        sys.exit(f"Extraction: {folder} is no folder with files, so there is nothing to measure: name another.")
    text = (
        "Extraction beside peers: not measured, because SYMFONIC_CORPORA is not set and no folder of files is named.\n"
        "  SYMFONIC_CORPORA=FOLDER make bench-extraction, where FOLDER/realdocs has files, or make bench-extraction "
        "FILES=FOLDER."
    )
    if optional:
        print(text)
        sys.exit(0)
    sys.exit(text)


def copies(source: Path, into: Path) -> dict[str, dict[str, int]]:
    """Lay out the files by kind, as they are and copied; sizes by kind."""
    by_kind = defaultdict(list)
    for path in files_of(source):
        by_kind[path.suffix[1:].lower()].append(path)
    sizes = {}
    for kind, paths in sorted(by_kind.items()):
        once, many = into / kind / "once", into / kind / "many"
        once.mkdir(parents=True)
        many.mkdir()
        size = sum(path.stat().st_size for path in paths)
        times = max(math.ceil(BYTES / max(size, 1)), math.ceil(FILES / len(paths)))
        times = max(1, min(times, MOST_FILES // len(paths)))
        for path in paths:
            shutil.copyfile(path, once / path.name)
            for number in range(times):
                shutil.copyfile(path, many / f"{number:03}-{path.name}")
        sizes[kind] = {"files": len(paths), "bytes": size, "times": times}
    return sizes


def finished(party: str, task: str, folder: Path, seconds: float) -> tuple[list[Any], dict[str, float]]:
    """Answers of a process, and what it took from start to end."""
    python = sys.executable if party.startswith("symfonic") else str(PEERS_AT)
    start = time.perf_counter()
    with (OUT / f"extraction-{party}.log").open("w", encoding="utf-8") as log:
        command = [python, str(HERE / "worker.py"), party, task, str(folder)]
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)
        except OSError as error:
            raise FailedError(f"{task}: {python} does not start: {error.strerror}") from None
    assert process.stdout is not None
    try:
        said, cpu = waited(process, seconds)
    finally:
        process.stdout.close()
    if process.returncode:
        raise FailedError(f"{task}: its process ended with status {process.returncode}; see {log.name}")
    return [json.loads(line) for line in said.splitlines()], {"wall": time.perf_counter() - start, "cpu": cpu}


def waited(process: subprocess.Popen[str], seconds: float) -> tuple[str, float]:
    """Output and processor time of a process that has so long and no longer."""
    timer = Timer(seconds, process.kill)
    timer.start()
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return said, used.ru_utime + used.ru_stime


def turns(rounds: int) -> Iterator[tuple[int, str, str]]:
    """Who does what, round by round; every second round in the other order."""
    for number in range(rounds):
        names = list(PARTIES) if number % 2 == 0 else list(reversed(PARTIES))
        for task in ("folder", "store", "kinds"):
            for party in names:
                if task != "store" or party.startswith("symfonic"):
                    yield number, party, task


def measured(source: Path, rounds: int, seconds: float) -> dict[str, Any]:
    """All figures of a run."""
    with tempfile.TemporaryDirectory() as place:
        sizes = copies(source, Path(place))
        load = os.getloadavg()[0]
        found: dict[str, dict[str, list[Any]]] = {party: defaultdict(list) for party in PARTIES}
        failed: dict[str, str] = {}
        for number, party, task in turns(rounds):
            if f"{party} {task}" in failed:
                continue
            print(f"  {task}: {party}, round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            try:
                answers, taken = finished(party, task, Path(place) if task == "kinds" else source, seconds)
            except FailedError as error:
                failed[f"{party} {task}"] = str(error)
                continue
            found[party][task].append({answer["kind"]: answer for answer in answers} if task == "kinds" else taken)
        releases = dict(released(seconds))
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load_before_and_after": [load, os.getloadavg()[0]],
        "rounds": rounds,
        "sizes": sizes,
        "releases": releases,
        "failed": failed,
        "results": {party: middle(tasks) for party, tasks in found.items()},
    }


def released(seconds: float) -> Iterator[tuple[str, dict[str, str]]]:
    """Packages and their releases, of every way of reading that works at all."""
    for party in PARTIES:
        with suppress(FailedError):
            yield party, finished(party, "about", ROOT, seconds)[0][0]


def middle(tasks: dict[str, list[Any]]) -> dict[str, Any]:
    """Medians of the rounds of one way of reading."""
    result: dict[str, Any] = {
        task: {clock: statistics.median(taken[clock] for taken in rounds) for clock in ("wall", "cpu")}
        for task, rounds in tasks.items()
        if task != "kinds"
    }
    rounds = tasks.get("kinds", [])
    result["kinds"] = {
        kind: {**last, **{clock: statistics.median(each[kind][clock] for each in rounds) for clock in ("wall", "cpu")}}
        for kind, last in (rounds[-1] if rounds else {}).items()
    }
    return result


def main() -> None:
    """Find the files, set the peers up, measure, print, write."""
    parser = argparse.ArgumentParser(description="Measure extraction beside two frameworks' loaders.")
    parser.add_argument("folder", nargs="?", default="", help="files of many kinds; not searched in depth")
    parser.add_argument("--optional", action="store_true", help="without files say so and end well")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=300, help="for one process, at most")
    options = parser.parse_args()
    source = wanted_folder(options.folder, optional=options.optional)
    set_up = subprocess.run([sys.executable, "scripts/environment.py", "bench-loaders"], cwd=ROOT, check=False)
    if set_up.returncode:
        print("The peers' environment could not be set up, see above: the rows of the peers will be empty.", flush=True)
    OUT.mkdir(parents=True, exist_ok=True)
    run = measured(source, options.rounds, options.seconds)
    (OUT / "extraction.json").write_text(json.dumps(run, indent=2) + "\n", encoding="utf-8")
    (OUT / "extraction.md").write_text(report.markdown(run), encoding="utf-8")
    (OUT / "extraction.svg").write_text(report.picture(run), encoding="utf-8")
    print(report.markdown(run), f"\nTables, JSON and a picture: {OUT}/extraction.*")


if __name__ == "__main__":
    main()
