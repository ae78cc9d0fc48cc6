"""The sources of candidate words; each implements the small interface `source.WordSource`.

source.py       the interface                     installed.py   reads dictionaries and lists of words of this machine
dictionary.py   an index of a dictionary          spelling.py    words made of others, words that look like one
csv_file.py     your own clues and answers        network.py     pages on the network, only on request
"""
