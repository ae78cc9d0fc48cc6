"""The entry point of `python -m unpuzzle` and of the console script: both start the command line.

Until `cli.run` handles signals, Ctrl-C ends the process as SIGTERM does, without a traceback. (The module `signal`
itself would first load others, and Ctrl-C could come meanwhile.)
"""

from _signal import SIG_DFL, SIG_IGN, SIGINT, getsignal, signal  # type: ignore[import-not-found,unused-ignore]

if getsignal(SIGINT) != SIG_IGN:  # `nohup`, and shells for background work, set SIG_IGN
    signal(SIGINT, SIG_DFL)

from unpuzzle.cli import run

if __name__ == "__main__":
    run()
