"""A page to write puzzles on, from a private server on this machine: `unpuzzle studio`.

server.py      the server: where it listens, which requests it answers, when it ends
requests.py    what the page asks for, and the answers; what the server reports to pages by itself
folder.py      the files of the folder, and nothing outside
windows.py     what is looked at and solved for a window, by a `processes.pool.Pool`
page/          the page

In the processes, which alone read games and run their rules:

texts.py       what a text is: its game, its levels, their lines, and what is wrong with it
judging.py     one level: drawn, solved, explored
playing.py     moves by the rules, and which rules fire           making.py    further levels, pages and sheets, plans
"""
