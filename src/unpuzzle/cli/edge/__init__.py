"""The edge of the process: streams, signals, files, and faults of unpuzzle itself."""
