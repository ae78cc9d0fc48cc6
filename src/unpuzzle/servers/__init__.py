"""The doors for other programs: each takes the requests of a protocol, asks the workspace, and sends its answer.

lsp/       editors, by the language server protocol        mcp/       agents, by the model context protocol
watch/     files that are checked at every save          studio/    an editor of levels in a browser
"""
