"""One answer from a model on this machine, offline: do the parts work together, from a folder to a checked answer?

Usage: ``local_answer.py FOLDER``; the store, the ledger and the answer are kept there. The commands are those a person
types. What the model says is not judged, for it is far too small to be right; that the answer arrives, that no layer
tag is in it, and that its report adds up and is found again by ``verify`` in another process is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "How many days of leave can be carried over?"
LAYERS = ("[semantic]", "[episodic]", "[procedural]", "[working]", "[prospective]")


def run(*words: str, codes: tuple[int, ...] = (0,)) -> str:
    """Run one command of ours, show it, and return what it wrote."""
    shown = " ".join(f'"{word}"' if " " in word else word for word in words)
    print(f"$ symfonic-knowledge {shown}", flush=True)
    program = "from symfonic.frontends.knowledge.cli import main; main()"
    # A busy machine may take minutes to read the prompt.
    environ = {**os.environ, "SYMFONIC_KNOWLEDGE_MODEL_TIMEOUT": "1200"}
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True, env=environ)
    if done.returncode not in codes:
        sys.exit(f"that command ended with {done.returncode}\n{done.stdout}")
    print(done.stdout, flush=True)
    return done.stdout


def check(what: str, *, holds: bool) -> None:
    """Say what was looked at, and stop where it does not hold."""
    print(f"{'ok' if holds else 'NOT'}  {what}")
    if not holds:
        sys.exit(1)


def checked(view: dict[str, Any], ledger: dict[str, Any], verified: dict[str, Any]) -> None:
    """Look at the structure of an answer, never at what it says."""
    report, text = view["report"], view["answer"]
    labels = {entry["label"] for entry in ledger["entries"]}
    named = {item["label"] for item in report["cited"]} | set(report["uncited"])
    check("the model said something, and how it ended", holds=bool(text) and view["finish"] in {"stop", "length"})
    check("tokens were counted", holds=view["usage"]["prompt_tokens"] > 0 < view["usage"]["answer_tokens"])
    check("no layer tag is in the answer", holds=not any(layer in text.lower() for layer in LAYERS))
    check("every source of the ledger is cited or unused, and no other", holds=named == labels)
    offsets = [at for kind in ("cited", "unknown", "ambiguous") for item in report[kind] for at in item["offsets"]]
    check("every place in the report is a place in the answer", holds=all(at < len(text) for at in offsets))
    check("verify finds the same sources cited", holds=verified["report"]["cited"] == report["cited"])


def main() -> None:
    """Ingest, answer, verify."""
    folder = Path(sys.argv[1])
    store, kept, said = folder / "local.db", folder / "ledger.json", folder / "answer.txt"
    where = ("--store", str(store))
    run("ingest", str(ROOT / "examples" / "handbook"), *where)
    started = time.monotonic()
    words = ("answer", QUESTION, "--model", "local", "--limit", "3", "--save-ledger", str(kept), *where)
    view = json.loads(run(*words, "--json"))
    print(f"Answered in {time.monotonic() - started:.1f} s, the loading of the model included.\n")
    said.write_text(view["answer"], encoding="utf-8")
    verified = json.loads(run("verify", "--ledger", str(kept), str(said), "--json", codes=(0, 4)))
    checked(view, json.loads(kept.read_text(encoding="utf-8")), verified)


if __name__ == "__main__":
    main()
