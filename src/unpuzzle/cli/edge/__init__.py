"""The command line's interface to the system: streams, signals, timers."""
