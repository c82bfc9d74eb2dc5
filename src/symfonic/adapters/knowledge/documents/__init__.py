"""Stores of whole documents, known by name: ``folder`` reads files as they stand, ``sqlite`` keeps texts by scope.

Nothing is imported here; both need the standard library only. What a store answers is untrusted like any document: the
bridge of documents decides what of it is shown.
"""
