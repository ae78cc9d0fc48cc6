"""Where the command line meets the system: streams, signals, timers."""
