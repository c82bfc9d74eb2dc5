"""Search for inputs on which a filter and its plain machine differ, guided by which code an input reaches.

Usage: ``run.py SECONDS [TARGET ...]``; the time is shared by the targets. A target is a module beside this one with

* ``check(data: bytes) -> None``, which raises where something is wrong with what the bytes stand for,
* ``INSTRUMENTED``, the modules whose branches guide the search, and
* ``TOKENS``, byte strings worth inserting,

and a folder ``corpus/TARGET`` of inputs to begin with. What the search finds worth keeping lies under
``build/fuzz/TARGET`` and is taken up again by the next run; an input that fails is written there too, and ends the run
with its error.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOUND = HERE.parent / "build" / "fuzz"
LONGEST = 600  # bytes of one input: more than the most a filter ever holds


def targets() -> list[str]:
    """Every target there is."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem != "run")


def search(name: str, seconds: int) -> None:
    """Run one target; libFuzzer ends the process."""
    import atheris

    sys.path.insert(0, str(HERE.parent / "tests" / "machines"))
    listed = importlib.import_module(name)  # once for its lists; the second import is the instrumented one
    include = list(listed.INSTRUMENTED)
    for module in [module for module in sys.modules if module.startswith("symfonic.") or module == name]:
        del sys.modules[module]
    with atheris.instrument_imports(include=include):
        target = importlib.import_module(name)
    folder = FOUND / name
    folder.mkdir(parents=True, exist_ok=True)
    words = folder.with_suffix(".dict")
    escaped = ("".join(f"\\x{byte:02x}" for byte in token) for token in target.TOKENS)
    words.write_text("".join(f'"{token}"\n' for token in escaped))
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-dict={words}",
        f"-artifact_prefix={folder}/failed-",
    ]
    atheris.Setup(
        [sys.argv[0], *options, "-print_final_stats=1", str(folder), str(HERE / "corpus" / name)], target.check
    )
    atheris.Fuzz()


def main() -> None:
    """Run the targets named, or all, one after the other, each in a process of its own."""
    seconds, names = int(sys.argv[1]), sys.argv[2:] or targets()
    if names[0] == "--here":
        search(names[1], seconds)
        return
    for name in names:
        print(f"{name}: {seconds // len(names)} seconds", flush=True)
        command = [sys.executable, __file__, str(seconds // len(names)), "--here", name]
        if subprocess.run(command, check=False).returncode != 0:
            raise SystemExit(f"make: {name} failed; the input lies under {FOUND / name}.")


if __name__ == "__main__":
    main()
