"""Playing levels: on a web page (`web_page`), in a terminal (`session`) and in a notebook (`notebooks`)."""
