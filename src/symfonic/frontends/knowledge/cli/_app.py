"""All commands under one name.

Rules of this module: it lists them. What a command does stands beside its kind: filling, extracting, asking, answering,
keeping, copying, evaluating, keys, access, text, agents.
"""

from __future__ import annotations

import typer

from . import (
    _access,
    _agents,
    _answering,
    _asking,
    _copying,
    _evaluating,
    _extracting,
    _filling,
    _keeping,
    _keys,
    _serving,
    _text,
)
from ._reporting import Commands

app = typer.Typer(
    name="symfonic-knowledge",
    help="From a folder of documents to a cited prompt or a checked answer, and to the reason why each passage is or "
    "is not in it.",
    epilog="Exit codes: 0 done, 1 error, 2 wrong use, 3 nothing admitted, 4 an invented source, 130 interrupted, "
    "141 nobody reads its output.",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - the library calls it with the option's value
    if wanted:
        from importlib.metadata import version

        typer.echo(f"symfonic-knowledge {version('symfonic-knowledge')}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", callback=_print_version, is_eager=True
    ),
) -> None:
    """Hold what every command has in common."""


app.command("ingest")(_filling.ingest)
app.command("extract")(_extracting.extract)
app.command("embed")(_filling.embed)
app.command("index")(_filling.index)
app.command("search")(_asking.search)
app.command("prompt")(_asking.prompt)
app.command("explain")(_asking.explain)
app.command("answer")(_answering.answer)
app.command("verify")(_answering.verify)
app.command("serve")(_serving.serve)
app.command("eval")(_evaluating.evaluate)
app.command("copy")(_copying.copy)
app.command("list")(_keeping.list_documents)
app.command("stats")(_keeping.stats)
app.command("check-store")(_keeping.check_store)
app.command("forget")(_keeping.forget)
app.command("vacuum")(_keeping.vacuum)
app.command("export")(_keeping.export)
app.command("check")(_text.check)
app.command("mcp")(_agents.mcp)
app.add_typer(_keys.app, name="key")
app.add_typer(_access.app, name="access")
