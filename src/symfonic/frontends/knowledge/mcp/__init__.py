"""The MCP face: an agent reaches the knowledge base through tools and resources.

Rules of this package: it needs the extra ``mcp``, whose import takes a second, so a command imports this package when
it runs and nobody before. Names, descriptions and schemas are constants: nothing that was stored ever stands in them.
"""

from .server import knowledge_server as knowledge_server
