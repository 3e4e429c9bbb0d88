"""Commands for those who write models: watch.py checks again on each save, mcp.py serves tools to assistants."""
