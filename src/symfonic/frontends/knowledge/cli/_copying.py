"""``copy``: a knowledge base from one store into another.

Rules of this module: show progress on standard error, name what did not arrive, sum up. A document that did not arrive
is a failure of the command.
"""

from __future__ import annotations

import os
from shlex import quote

from symfonic.composition.knowledge import copy_knowledge, key_path, showable, store_place
from symfonic.frontends.knowledge._views import View, copy_view, counted, scope_view

from . import _options as options
from ._output import console, say, write_json
from ._progress import copy_progress
from ._session import changed, loaded, scope_of


def copy(
    *,
    source: str = options.FROM,
    target: str = options.TO,
    embedder: str | None = options.EMBEDDER,
    scope: list[str] | None = options.ANY_SCOPE,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Copy a knowledge base into another store, and verify that it arrived. Stopped, it goes on where it was."""
    whose = scope_of(scope)
    chosen = changed(loaded(settings), embedder=embedder)
    with copy_progress() as on_progress:
        report = copy_knowledge(
            source, target, settings=chosen, scope=whose, environ=os.environ, on_progress=on_progress
        )
    leaving, entering = store_place(source), store_place(target)
    keys = [str(chosen.key_file or key_path(place)) for place in (leaving, entering)]
    view = copy_view(
        report,
        str(leaving),
        str(entering),
        scope_path=None if whose is None else str(whose),
        keys=(keys[0], keys[1]),
    )
    if as_json:
        write_json(view)
    else:
        _print(view)
    return 0 if report.ok else 1


def _print(view: View) -> None:
    for failure in view["failures"]:
        whose = f" of {' '.join(scope_view(failure['scope_path']))}" if failure["scope_path"] else ""
        say(f"failed: {failure['file']}{whose} ({failure['reason']})")
    if view["moved"]:
        say(
            "Note: the source changed while it was read. What was read arrived, or is named above; copy again for what "
            "came later."
        )
    if view["key"]["outcome"] == "other":
        say(
            f"Note: {view['to']} keeps its own key, at {view['key']['to']}: tags of labels and delimiters are not "
            f"those of prompts made from {view['from']}. To carry that key over: `symfonic-knowledge key import "
            f"{quote(view['key']['from'])} --store {quote(view['to'])}`, or name one file as key_file in the settings "
            "of both."
        )
    extra = f"; {counted(view['extra'], 'other document')} stood there before" if view["extra"] else ""
    whose = f", {' '.join(view['scope'])} and what is below it" if view["scope"] else ""
    console().print(
        f"{counted(view['copied'], 'document')} copied, {view['unchanged']:,} unchanged, "
        f"{counted(len(view['failures']), 'failure')}: {counted(view['passages'], 'passage')} from {view['from']} in "
        f"{view['to']}{whose}{extra}",
        soft_wrap=True,
    )
    told = "read again and the same" if not view["failures"] else "of what was read"
    console().print(f"digest {showable(view['digest'])}, {told}", soft_wrap=True)
