"""Playing levels: on a web page, in a terminal and in a notebook.

web_page.py     one page with all of its levels       page_data.py    what the page knows of a level, in few bytes
session.py      play in a terminal                    notebooks.py    what notebooks show of values
"""
