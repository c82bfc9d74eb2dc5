"""Change the code in small ways, one at a time, and see whether the tests notice.

Usage: ``mutation.py MODULE [--survivors]`` with a module of ``mutation.toml``, or ``all``. ``--survivors`` tries again
what was alive the last time, for use after a test was added; the module must not have changed since.

cosmic-ray finds the places, together with the operators of ``mutation_operators.py``; annotations and what only type
checkers read are left alone. It all happens in a copy of the tree under ``build/mutation``, in an environment of its
own (``.venv-mutation``). A mutant that no test notices is a survivor. It needs a test, or a row under ``equivalent`` in
``mutation.toml`` that says why no test can tell it from the original; anything else ends the run with an error.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import difflib
import importlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from environment import ROOT, finish, interpreter, pip, prepare, ready_level

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

VENV = ROOT / ".venv-mutation"
FOLDER = ROOT / "build" / "mutation"
TREE = FOLDER / "tree"
PRELOADED = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
_WAITING = 15  # no run takes longer than so many times the processor time it may have
Span = tuple[tuple[int, int], tuple[int, int]]


def main() -> None:
    """Bring the environment up to date, start over inside it, and there run what was asked for."""
    settings = tomllib.loads((ROOT / "scripts" / "mutation.toml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description="Mutation testing.")
    parser.add_argument("module", choices=["all", *settings["tests"]])
    parser.add_argument("--survivors", action="store_true", help="only what was alive the last time")
    chosen = parser.parse_args()
    if Path(sys.prefix) != VENV:
        set_up()
        raise SystemExit(subprocess.run([str(interpreter(VENV)), *sys.argv], check=False).returncode)
    copy_tree()
    load()
    modules = list(settings["tests"]) if chosen.module == "all" else [chosen.module]
    unexplained = [mutate(module, settings, again=chosen.survivors) for module in modules]
    raise SystemExit(1 if any(unexplained) else 0)


def set_up() -> None:
    """Make ``.venv-mutation``: the tests' own needs and cosmic-ray, not the package."""
    version = platform.python_version()
    if ready_level(VENV, version, "mutation") is None:
        print(f"Setting up {VENV.name} with Python {version} ...", file=sys.stderr, flush=True)
        prepare(VENV, sys.executable, version)
        pip(VENV, "--group", "test", "--group", "mutation")
        finish(VENV, "test", version, "mutation")


def load() -> None:
    """Load what every run of tests needs and no mutant changes."""
    for name in ("pytest", "hypothesis", "hypothesis.strategies", "_hypothesis_pytestplugin"):
        importlib.import_module(name)


def copy_tree() -> None:
    """Copy what is mutated and what tests it, so that the tree itself is never changed."""
    shutil.rmtree(TREE, ignore_errors=True)
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, TREE / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", TREE)
    compileall.compile_dir(TREE, quiet=1)


def mutate(module: str, settings: dict[str, Any], *, again: bool) -> int:
    """Try every mutant of a module, print the survivors, and return how many of them nobody explained."""
    from cosmic_ray.work_db import use_db

    tests = [f"tests/capabilities/knowledge/{name}" for name in settings["tests"][module]]
    if not passes(tests, settings["timeout"]):
        raise SystemExit(f"make: the tests of {module} fail without any mutant, so they tell nothing: mend them first.")
    rows = [row for row in settings.get("equivalent", []) if row["module"] == module]
    explained = {(row["was"], now): row["why"] for row in rows for now in row["now"]}
    path = TREE / settings["package"] / f"{module}.py"
    Path(cache_from_source(str(path))).unlink(missing_ok=True)  # a mutant may be as old and as long as the original
    with use_db(str(FOLDER / f"{module}.sqlite")) as session:
        work = plan(session, path, settings["left_out"], again=again)
        tried: list[tuple[str, str]] = []
        for number, item in enumerate(work, start=1):
            progress(f"{module}: {number} of {len(work)}")
            change = survivor(item, session, tests, settings["timeout"], explained if again else ())
            if change is not None:
                tried.append(change)
                show(item.mutations[0], change, explained.get(change))
    alive = [change for change in tried if change not in explained]
    progress("")
    print(f"{module}: {len(work)} mutants, {len(work) - len(tried)} killed, ", end="")
    print(f"{len(tried) - len(alive)} equivalent, {len(alive)} to explain", flush=True)
    for was, now in sorted(set(explained) - set(tried)) if not again else ():
        print(f"  explained, yet not alive: {was}  =>  {now}")
    return len(alive)


def plan(session: Any, path: Path, left_out: list[str], *, again: bool) -> list[Any]:
    """Work to do: every mutant that tells something, or those that were alive the last time."""
    import cosmic_ray.plugins
    from cosmic_ray.commands.init import init
    from mutation_operators import Provider

    cosmic_ray.plugins.OPERATOR_PROVIDERS["house"] = Provider()
    if again:
        alive = {job for job, result in session.results if not result.is_killed}
        return [item for item in session.work_items if item.job_id in alive]
    init([path], session, {})
    text = path.read_text(encoding="utf-8")
    silent = list(type_spans(ast.parse(text)))
    items = [item for item in session.work_items if wanted(item.mutations[0], left_out, silent)]
    return [item for item in items if is_python(item.mutations[0], text)]


def wanted(mutation: Any, left_out: list[str], silent: list[Span]) -> bool:
    """Whether a mutant could tell something."""
    start = tuple(mutation.start_pos)
    if any(begin <= start < end for begin, end in silent):
        return False
    return not any(re.fullmatch(pattern, mutation.operator_name) for pattern in left_out)


def is_python(mutation: Any, text: str) -> bool:
    """Whether a mutant can be compiled: any test would fail on one that cannot, and tell nothing.

    cosmic-ray makes some of them, out of the bare ``*`` of a signature; an operator of ours may not.
    """
    from cosmic_ray.mutating import mutate_code

    after = mutate_code(text, operator_of(mutation), mutation.occurrence)
    try:
        compile(after, str(mutation.module_path), "exec", dont_inherit=True)
    except SyntaxError as error:
        if mutation.operator_name.startswith("house/"):
            raise SystemExit(f"make: {mutation.operator_name} makes what is no Python ({error}): mend it.") from error
        return False
    return True


def operator_of(mutation: Any) -> Any:
    """The operator that makes a mutant."""
    from cosmic_ray.plugins import get_operator

    return get_operator(mutation.operator_name)(**mutation.operator_args)


def type_spans(tree: ast.Module) -> Iterator[Span]:
    """Where only type checkers read: annotations, type variables and unions, and what ``TYPE_CHECKING`` guards."""
    for node in ast.walk(tree):
        for part in types_in(node):
            if part is not None:
                yield (part.lineno, part.col_offset), (part.end_lineno or 0, part.end_col_offset or 0)


def types_in(node: ast.AST) -> list[ast.expr | ast.stmt | None]:
    """Parts of one node that only type checkers read."""
    match node:
        case ast.AnnAssign() | ast.arg():
            return [node.annotation]
        case ast.FunctionDef():
            return [node.returns]
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar")) | ast.BinOp(op=ast.BitOr()) as value):
            return [value]
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return [node]
        case ast.Call(func=ast.Name(id="cast")):
            return [node.args[0]]
        case _:
            return []


def survivor(
    item: Any, session: Any, tests: list[str], seconds: float, known: Container[tuple[str, str]]
) -> tuple[str, str] | None:
    """Make one mutant, run the tests, note the result; what it changed where it stayed alive, else ``None``.

    ``known`` are changes that need no run: they are explained, and they were alive the last time.
    """
    from cosmic_ray.mutating import use_mutation
    from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

    mutation = item.mutations[0]
    with use_mutation(mutation.module_path, operator_of(mutation), mutation.occurrence) as (before, after):
        alive = changed(before, after) in known or passes(tests, seconds)
    outcome = TestOutcome.SURVIVED if alive else TestOutcome.KILLED
    session.set_result(item.job_id, WorkResult(WorkerOutcome.NORMAL, test_outcome=outcome))
    return changed(before, after) if alive else None


def passes(tests: list[str], seconds: float) -> bool:
    """Whether the tests pass within the time.

    They run in a fork of this process, which has pytest loaded and nothing of ours: that is three times as fast as an
    interpreter of their own.
    """
    child = os.fork()
    if child == 0:
        run_tests(tests, seconds)
    return os.waitpid(child, 0)[1] == 0


def run_tests(tests: list[str], seconds: float) -> NoReturn:
    """Run pytest on the copied tree, silently, and end the process with its verdict; a timer ends it if need be.

    What counts is processor time: on a busy machine the tests themselves would run out of any other.
    """
    code = 70
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, _WAITING * seconds)
        os.chdir(TREE)
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(TREE / "src"))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        options = ["-x", "-q", "--assert=plain", "-m", "not slow", "-p", "no:cacheprovider", "-W", PRELOADED]
        code = int(sys.modules["pytest"].main([*options, *tests]))
    finally:
        os._exit(code)


def changed(before: str, after: str) -> tuple[str, str]:
    """Lines a mutant took away and lines it put in their place, white space apart."""
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))[2:]
    was, now = (" ".join(" ".join(line[1:] for line in lines if line.startswith(sign)).split()) for sign in "-+")
    return was, now


def progress(message: str) -> None:
    """Write over the last line of a terminal; elsewhere nobody needs it."""
    if sys.stderr.isatty():
        print(f"\r{message:40}\r", end="", file=sys.stderr, flush=True)


def show(mutation: Any, change: tuple[str, str], why: str | None) -> None:
    """Print a survivor."""
    line, operator = mutation.start_pos[0], mutation.operator_name
    progress("")
    print(f"{'equivalent' if why else 'ALIVE'} {mutation.module_path.name}:{line} {operator}")
    print(f"  - {change[0]}\n  + {change[1]}" + (f"\n  {why}" if why else ""), flush=True)


if __name__ == "__main__":
    main()
