"""Watching: files looked at whenever they are saved, and what is new since the last look.

    subjects.py   which files belong together, and which commands a look runs
    looks.py      a look: faults and results, from those commands, each in a child process; what the one before had not
    saves.py      waits for saves, in a thread

Child processes load edited code anew, keep limits, and cannot hurt the one that watches.
"""
