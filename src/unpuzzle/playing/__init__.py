"""Playing levels: on a web page (`page/`), in a terminal (`session`, `keys`) and in a notebook (`notebooks`)."""
