"""Retrievers of other frameworks in front of the boundary, and the boundary as a retriever of theirs.

Nothing is imported here: each module stands on one framework, and imports it only where ours becomes theirs.
"""
