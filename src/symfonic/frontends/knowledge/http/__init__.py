"""The HTTP service: questions, prompts, answers and documents as JSON. Importing it needs the extra ``server``.

``create_app(Service(knowledge=...))`` is an ASGI application; :func:`serve` runs it on a port.
"""

from ._service import Service as Service
from .app import create_app as create_app
from .serving import Listening as Listening
from .serving import serve as serve
