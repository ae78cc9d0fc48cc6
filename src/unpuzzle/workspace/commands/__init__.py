"""The commands behind all interfaces: each with an input (a record with all files read) and an outcome.

A module has the inputs of a command (`input.Input`) with their call, and the outcome with its `to_dict`. The interface,
such as `unpuzzle.cli`, makes the input from words, and presents the outcome as text.
"""
