"""Telemetry: where spans and measurements of questions and answers go, one module for each library.

Rules of this folder: an adapter passes on what it is told, under the names it is told, and adds nothing to it.
Nothing is imported here, so that none pulls in another's library.
"""
