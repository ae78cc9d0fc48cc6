"""What everything else stands on: it knows no puzzle, no PDDL and no planner.

errors.py           what goes wrong, one class a meaning      values.py         Record, the base of all values
outcomes.py         statuses, and exit codes of commands      text.py           words and sentences for people
run.py              the work that goes on now, and limits     limits.py         how much a run may take
files.py            reading and saving files                  found_files.py    where the files of others stand
platform_facts.py   memory, processors, processes             facilities.py     what some systems lack
extras.py           optional libraries                        entry_points.py   what other distributions add
distances.py        distances in a graph                      defaults.py       default limits and planners
type_hints.py       names for types, quick to load
"""
