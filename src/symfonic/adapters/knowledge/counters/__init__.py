"""Counters: how many tokens a text has, one module for each tokenizer's library.

Rules of this folder: a counter is a callable from text to a plain int, for the field ``count`` of a policy or of the
settings. It answers for every text that has a UTF-8 form, names of special tokens included, and reaches no network.
Nothing is imported here, so that none pulls in another's library.
"""
