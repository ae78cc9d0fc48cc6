"""`python -m unpuzzle` and the console script are the command line.

Its first act: until `cli.run` listens to signals, Ctrl-C ends the process as SIGTERM does, without a traceback. (The
module `signal` itself would first load others, in which a Ctrl-C may fall.)
"""

from _signal import SIG_DFL, SIG_IGN, SIGINT, getsignal, signal  # type: ignore[import-not-found,unused-ignore]

if getsignal(SIGINT) != SIG_IGN:  # as `nohup` and shells leave it for work in the background
    signal(SIGINT, SIG_DFL)

from unpuzzle.cli import run

if __name__ == "__main__":
    run()
