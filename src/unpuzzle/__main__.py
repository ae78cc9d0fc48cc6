"""`python -m unpuzzle` is the command line."""

from unpuzzle.cli import run

if __name__ == "__main__":
    run()
