"""Where the command line meets the system: streams, signals, timers, folders, and faults of unpuzzle itself."""
