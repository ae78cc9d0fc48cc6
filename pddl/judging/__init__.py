"""What is wrong with domains and problems, written as texts or put together in Python; and what they require."""
