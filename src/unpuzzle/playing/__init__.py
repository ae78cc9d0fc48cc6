"""Playing levels: on a page in a browser (`page/`), in a terminal (`session`, `keys`), in a notebook (`notebooks`)."""
