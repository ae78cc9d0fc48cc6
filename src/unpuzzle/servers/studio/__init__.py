"""A web page for writing puzzles, served privately on this machine by `unpuzzle studio`.

server.py      the HTTP server: where it listens, what it refuses, and when it ends
requests.py    the page's requests, and the answers
folder.py      the files of the folder, and nothing outside
windows.py     the work for each window, done by a `processes.pool.Pool`, and the events that it is sent
page/          the page

In the processes, which alone read games and run their rules:

texts.py       the kind of a text: its game, its levels, their lines, and its faults
levels.py      one level: drawn, solved, explored, played
making.py      further levels, pages and sheets, plans
"""
