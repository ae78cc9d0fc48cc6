"""The engine in Python that plays compiled games: boards, rules, turns and states.

`unpuzzle.puzzlescript` lists the modules.
"""
