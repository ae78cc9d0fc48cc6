"""Tools for agents: the commands over the Model Context Protocol, as served by `unpuzzle mcp`.

    from unpuzzle.servers.mcp.server import make_server
    make_server(Bounds(root="levels")).run("stdio")

inputs.py     the limits of a call; its texts as files in a separate folder
answers.py    the results of the tools: typed, with faults, corrections and the next step
server.py     the tools, and the server that offers them

A tool runs the command of the same name and passes on what it prints as JSON, so that an agent and a person get the
same answers. Each call has its own process and folder, which end with the call, and with the server however that
ends. Agents send texts; files are read only below a folder that was named when the server was started.
"""
