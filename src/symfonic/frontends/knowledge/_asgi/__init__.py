"""What every face that listens on a port has around it: who may ask, how much, how fast, and what an error shows.

Rules of this package: ASGI and the standard library, no framework. It knows access keys and errors of composition and
no route: what lies behind it is any ASGI application.
"""

from .edge import Edge as Edge
from .edge import SignIn as SignIn
from .edge import unreadable_request as unreadable_request
from .headers import loopback_hosts as loopback_hosts
from .limits import EdgeLimits as EdgeLimits
from .problems import PROBLEM_TYPE as PROBLEM_TYPE
from .problems import Problem as Problem
from .problems import problem as problem
from .problems import problem_of as problem_of
from .problems import status_of as status_of
from .protocol import PROBLEM as PROBLEM
from .protocol import access_of as access_of
from .protocol import request_id_of as request_id_of
