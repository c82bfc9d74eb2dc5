"""The MCP server. Importing it needs the extra ``mcp``."""
