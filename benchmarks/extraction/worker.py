"""One way of reading files, in a process of its own; answers are JSON lines on standard output.

Usage: ``worker.py PARTY about|kinds|folder|store FOLDER``. ``kinds`` expects a folder for each kind, with the files as
they are in ``once`` and copies of them in ``many``: it reads the former, which warms everything and tells outcomes,
and times the latter. ``folder`` reads every file once, ``store`` puts them into a store; those are timed from outside.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

#: Module and arguments of each way of reading.
PARTIES: dict[str, tuple[str, dict[str, Any]]] = {
    "symfonic-1": ("party_symfonic", {"workers": 1}),
    "symfonic-2": ("party_symfonic", {"workers": 2}),
    "langchain": ("party_langchain", {}),
    "langchain-pdfium": ("party_langchain", {"pdfium": True}),
    "llamaindex": ("party_llamaindex", {}),
}


def files_of(folder: Path) -> list[Path]:
    """Files of a folder that have an ending, in one order everywhere."""
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix)


def spent() -> float:
    """Seconds of processor time of this process and of those it has waited for."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def kind_of(party: Any, folder: Path) -> dict[str, Any]:
    """Outcomes of the files of one kind, and the time their copies took."""
    once, many = files_of(folder / "once"), files_of(folder / "many")
    tried = party.try_each(once)
    cpu, wall = spent(), time.perf_counter()
    party.read(many)
    taken = {"wall": time.perf_counter() - wall, "cpu": spent() - cpu}
    failed = {}
    for path, (reason, texts) in zip(once, tried, strict=True):
        if reason or not "".join(texts).strip():
            failed[path.name] = reason.replace(path.name, "FILE").replace(str(path.parent), "FOLDER") or "no text"
    return {
        **taken,
        "kind": folder.name,
        "characters": sum(len(text) for _, texts in tried for text in texts),
        "visible": sum(len("".join(text.split())) for _, texts in tried for text in texts),
        "failed": failed,
    }


def main() -> None:
    """Do one thing and end; what a library prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    name, task, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    module, arguments = PARTIES[name]
    loaded = import_module(module)
    party = loaded.Party(**arguments)
    if task == "about":
        found: Any = {package: version(package) for package in loaded.PACKAGES}
        answers.write(json.dumps(found) + "\n")
    elif task == "kinds":
        kinds = sorted(path for path in folder.iterdir() if path.is_dir())
        for kind in kinds:
            if name != "langchain-pdfium" or kind.name == "pdf":
                answers.write(json.dumps(kind_of(party, kind)) + "\n")
                answers.flush()
    else:
        result = party.store(folder) if task == "store" else party.read(files_of(folder))
        answers.write(json.dumps(result) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
