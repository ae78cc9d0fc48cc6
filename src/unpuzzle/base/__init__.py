"""The basis of the package: errors, limits, values and files. It does not depend on puzzles, PDDL or planners.

errors.py           exceptions, one class a meaning            values.py         Record, the base of all values
outcomes.py         statuses, and exit codes of commands      text.py           words and sentences for people
run.py              the current work, and its limits          limits.py         how much a run may take
files.py            reading and saving files                  found_files.py    finding the files in a folder
platform_facts.py   memory, processors, processes             facilities.py     missing on some systems
extras.py           optional libraries                        entry_points.py   what other distributions add
distances.py        distances in a graph                      defaults.py       default limits and planners
type_hints.py       names for types, quick to load
"""
