"""A web page for writing puzzles, served privately on this machine by `unpuzzle studio`.

server.py      the server: where it listens, which requests it answers, when it ends
requests.py    the page's requests, and the answers           events.py    messages that the server sends to pages
folder.py      the files of the folder, and nothing outside
windows.py     the work for a window, done by a `processes.pool.Pool`
page/          the page

In the processes, which alone read games and run their rules:

texts.py       the kind of a text: its game, its levels, their lines, and its faults
judging.py     one level: drawn, solved, explored
playing.py     moves by the rules, and which rules fire           making.py    further levels, pages and sheets, plans
"""
