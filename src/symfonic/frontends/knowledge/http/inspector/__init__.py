"""The inspector: a question, every passage that was found for it, and the prompt that came of it, in a browser.

Rules of this package: pages made on the server that work without a script; scripts and styles are files of its own, and
nothing comes from elsewhere. Whose request it is, where it came from and how large it may be was judged by the edge
before it gets here. What pages show is decided in ``_inspection_view``; templates write it down, escaped.
"""

from .pages import PUBLIC_PATHS as PUBLIC_PATHS
from .pages import UPLOAD_PATHS as UPLOAD_PATHS
from .pages import inspector_router as inspector_router
from .sessions import SIGN_IN_PATH as SIGN_IN_PATH
from .sessions import Sessions as Sessions
