"""The inspector: a question, every passage that was found for it, and the prompt that came of it, in a browser.

Rules of this package: pages made on the server that work without a script; scripts and styles are files of its own, and
nothing comes from elsewhere. Whose request it is, where it came from and how large it may be was judged by the edge
before it gets here. What pages show is decided in ``_inspection_view``; templates write it down, escaped.
"""
