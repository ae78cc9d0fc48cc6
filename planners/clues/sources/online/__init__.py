"""Pages of others, asked only when that was asked for (`clues:online`): a thesaurus, a dictionary, an encyclopedia.

client.py    asks politely: timeouts, retries, a pause between questions, answers kept on disk
pages.py     from the text of an answer to words with scores: no network, so each is tested with pages of our own
services.py  the sources: which address, which question, which page
"""
