"""Servers for other programs: each answers the requests of one protocol with the help of the workspace.

lsp/       editors, by the language server protocol        mcp/       agents, by the model context protocol
watch.py   files that are checked at every save            studio/    an editor of levels in a browser
"""
