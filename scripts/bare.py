"""Prove that the boundary runs with nothing installed.

Usage: ``python -I -S scripts/bare.py SRC``. Isolated mode and no ``site``: nothing but the standard library and the
folder given can be imported. Every module of the capabilities is imported, then two rows travel through selection.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main() -> None:
    """Import every ring 1 module and run one selection."""
    source = Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(source))
    modules = sorted(
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for path in (source / "symfonic" / "capabilities").rglob("*.py")
    )
    for name in modules:
        importlib.import_module(name)
    outside = sorted(
        name for name in sys.modules if "site-packages" in (getattr(sys.modules[name], "__file__", "") or "")
    )
    if outside:
        raise SystemExit(f"Imported from outside the standard library: {', '.join(outside)}")

    from symfonic.capabilities.knowledge import RetrievalPolicy, RetrievedFragment, render_fragments, select_fragments

    rows = [RetrievedFragment("Kept\nwhole.", "Handbook", 0.9), RetrievedFragment("", "Handbook", 0.5)]
    selection = select_fragments(rows, RetrievalPolicy())
    if render_fragments(selection) != "SOURCE [Handbook]: Kept whole.":
        raise SystemExit("The selection did not render as it must.")
    print(f"{len(modules)} modules of the capabilities run with nothing installed.")


if __name__ == "__main__":
    main()
