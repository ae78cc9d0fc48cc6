"""From texts to tasks: `lexer` makes forms, the other modules make nodes of them, and `reader` joins it all."""
