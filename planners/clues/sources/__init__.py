"""The sources of candidates: each implements the small interface `source.WordSource`, most of them in a file here.

source.py       the interface                     words.py       lists of words and how common they are
gcide.py        reads Webster's dictionary        wordnet.py     reads WordNet
dictionary.py   asks an index of either           likeness.py    words that look like one of the clue
forms.py        words made of others              csv_file.py    your own clues and answers
services.py     pages on the network, only on request            client.py    fetches them politely
"""
