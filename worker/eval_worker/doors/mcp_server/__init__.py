"""The MCP server: assistants judge answers by calling tools, over stdio or streamable HTTP."""
