"""The commands below all doors: what each is asked, as a value that is read already, and how it is answered.

A module has the inputs of a command (`input.Input`) with their call, and the outcome with its `to_dict`. Words and
texts belong to the door, such as `unpuzzle.cli`: it makes the input, and presents the outcome.
"""
