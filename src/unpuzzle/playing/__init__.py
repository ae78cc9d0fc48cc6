"""Playing a level: on a page in a browser (`page/`), and in a terminal (`session`, `keys`)."""
