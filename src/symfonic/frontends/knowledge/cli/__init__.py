"""The command line, ``symfonic-knowledge``. Importing it needs none of its optional parts."""

from ._start import main as main
