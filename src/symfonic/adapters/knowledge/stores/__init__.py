"""Stores: one module each, imported by its own name (``stores.sqlite``), so that none pulls in another's library.

Rules of this folder: a store knows the ports and the capability's values, and one outside part. It never imports
another adapter.
"""
