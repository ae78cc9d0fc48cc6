"""Compiled games in play: boards, rules applied to them, turns, and engines that compute the successors of a state.

`unpuzzle.puzzlescript` lists the modules.
"""
