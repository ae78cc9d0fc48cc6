"""What many tests need and no test owns. `pyproject.toml` puts `tests/` on the path: `from support.data import IPC`.

- `data`: where the test data is that is no part of the project, and the marks of tests that need it
- `clocks`: clocks that are wound by the tests, so that no limit depends on how fast a machine is
- `waiting`: waiting for what another process or thread does, with much more patience than it should take
- `counting`: how much work a call is, in steps of Python, which every machine counts alike
- `asserted_times`: finds tests that ask a clock how long something took
"""
