"""Bytes to text: one module for each outside library, and the decision which of them a file needs.

Nothing is imported here, so that a missing optional library is noticed by the file that needs it and by no other.
Start at ``detection``: ``detect_kind`` names the format of a file, ``default_extractors`` opens what reads it.
"""
