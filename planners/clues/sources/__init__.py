"""Where candidates come from: each source is one small interface, `source.WordSource`, and most of them a file here.

source.py       the interface                     words.py       lists of words and how common they are
gcide.py        reads Webster's dictionary        wordnet.py     reads WordNet
dictionary.py   asks an index of either           likeness.py    words that look like one of the clue
forms.py        words made of others              csv_file.py    clues and answers of one's own
services.py     pages of others, only when they are asked for    client.py    asks for them politely
"""
