"""What editors need: faults as other programs read them, documents that change, features at a place of a text."""
