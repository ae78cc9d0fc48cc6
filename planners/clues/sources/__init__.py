"""Where candidates come from: each source is one small interface, `source.Source`, and most of them a file here.

source.py       the interface                     document.py    what dictionaries say, as plain data
gcide.py        reads Webster's dictionary        wordnet.py     reads WordNet
dictionary.py   asks an index of either           words.py       lists of words and how common they are
forms.py        words made of others              likeness.py    words that look like one of the clue
csv_file.py     clues and answers of one's own    online/        pages of others, only when they are asked for
"""
