"""Prove that what a wheel installed is whole and works: a short proof, where the tests themselves run elsewhere.

Usage: ``python -I scripts/installed.py SRC``, with the Python of an environment that holds the wheel with its extras
and nothing of the source tree. Every file below SRC is installed with the same bytes, every module is imported, every
name of every façade is there, the command starts, and one question is asked of a document that was just ingested.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import distribution
from pathlib import Path

DISTRIBUTION = "symfonic-knowledge"
SCRIPT = Path(sysconfig.get_path("scripts")) / DISTRIBUTION
#: Packages of hundreds of megabytes that the extra `all` leaves out: a module that needs one says so when imported.
LEFT_OUT = {"chromadb", "lancedb", "pyarrow"}


def files(source: Path) -> list[str]:
    """Paths of every file of ours below the source folder, caches left out."""
    found = (path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(source).as_posix() for path in found)


def different(source: Path) -> list[str]:
    """Files that are not installed as they are in the source folder, and files that are installed beside them."""
    owned = {str(path): path.locate() for path in distribution(DISTRIBUTION).files or ()}
    ours = {name for name in owned if name.startswith("symfonic/") and "__pycache__" not in name}
    wanted = files(source)
    same = [
        name for name in wanted if name in ours and Path(str(owned[name])).read_bytes() == (source / name).read_bytes()
    ]
    return sorted((set(wanted) | ours) - set(same))


def imported(source: Path) -> int:
    """Import every module from where it is installed, with every public name, and count all modules."""
    names = [name.removesuffix(".py").replace("/", ".") for name in files(source) if name.endswith(".py")]
    for name in names:
        try:
            module = importlib.import_module(name.removesuffix(".__init__"))
        except ModuleNotFoundError as error:
            if error.name not in LEFT_OUT:
                raise
            continue
        if Path(str(module.__file__)).is_relative_to(source):
            raise SystemExit(f"{name} was imported from the source tree, so nothing is proven about the wheel.")
        for public in getattr(module, "__all__", ()):
            getattr(module, public)
    return len(names)


def command(*words: str) -> str:
    """What the installed command prints."""
    done = subprocess.run([str(SCRIPT), *words], check=True, capture_output=True, text=True, encoding="utf-8")
    if done.stderr:
        raise SystemExit(f"symfonic-knowledge {words[0]} complained: {done.stderr}")
    return done.stdout


def answered(folder: Path) -> bool:
    """Whether a document that is ingested answers a question, through the command and through the library."""
    document, store = folder / "handbook.md", str(folder / "knowledge.db")
    document.write_text("# Leave\n\nEmployees have thirty days of leave.\n", encoding="utf-8")
    command("ingest", str(document), "--store", store)
    prompt = command("prompt", "How many days of leave?", "--store", store)
    explained = json.loads(command("explain", "How many days of leave?", "--store", store, "--json"))

    from symfonic.composition.knowledge import KnowledgeBase

    with KnowledgeBase.open(store) as knowledge:
        asked = knowledge.ask("How many days of leave?").prompt.text
    return asked == prompt and "SOURCE [handbook.md" in prompt and len(explained["admitted"]) == 1


def main() -> None:
    """Look at the files, import them, and use what they make."""
    source = Path(sys.argv[1]).resolve()
    if wrong := different(source):
        raise SystemExit(f"Not installed as in the source tree: {', '.join(wrong)}")
    modules = imported(source)
    if not command("--help").strip():
        raise SystemExit("symfonic-knowledge --help printed nothing.")
    with tempfile.TemporaryDirectory() as folder:
        if not answered(Path(folder)):
            raise SystemExit("What was ingested did not come back as it must.")
    print(f"The wheel is whole: {modules} modules, the command, a document ingested and found.")


if __name__ == "__main__":
    main()
