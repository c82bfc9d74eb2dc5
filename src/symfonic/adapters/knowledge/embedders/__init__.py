"""Embedders: text to vectors, one module for each way to run a model.

Rules of this folder: an embedder answers for every text, and the same text has the same vector whatever it is embedded
with. It reads no environment and downloads nothing; models and keys are passed in. Nothing is imported here, so that a
missing optional library is noticed by the embedder that needs it and by no other.
"""
