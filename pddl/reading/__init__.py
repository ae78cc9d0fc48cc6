"""From texts to tasks: `lexer` makes forms, the other modules turn them into nodes, and `reader` joins it all."""
