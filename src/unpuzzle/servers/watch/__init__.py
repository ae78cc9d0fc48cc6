"""Watch files: check the files whenever they are saved, and report what has changed since the last check.

    subjects.py   which files belong together, and which commands a look runs
    looks.py      a look: faults and results, from commands in child processes; the changes since the last look
    saves.py      waits for saves, in a thread

Child processes load edited code anew, keep limits, and cannot hurt the one that watches.
"""
