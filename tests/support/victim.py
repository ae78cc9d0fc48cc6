"""What a process of any kind does in tests/processes/test_contract.py: it is deaf, and has started another one.

    python victim.py SAID WHAT        as a program
    python victim.py WALLS            in a sandbox: `request.json` has the words, and WALLS is put up before the act

It imports nothing of ours, and says in the file SAID who it is and whom it has started.
"""

import json
import os
import signal
import subprocess
import sys
import time


def act(said: str, what: str, walls: str = "") -> int:
    """Start another process, say who we are, and do something."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    nothing = subprocess.DEVNULL
    sleeping = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
    child = subprocess.Popen([sys.executable, "-c", sleeping], stdin=nothing, stdout=nothing, stderr=nothing)
    with open(said, "a") as file:
        file.write(f"{os.getpid()} {child.pid}\n")
    if walls:
        names: dict[str, object] = {"__name__": "walls"}
        with open(walls) as text:
            exec(compile(text.read(), walls, "exec"), names)
        names["close"]({"cpu_seconds": 100, "namespaces": False})  # type: ignore[operator]
    print("printed", flush=True)
    eaten = []
    while what == "memory":
        eaten.append(b"x" * (1 << 22))
    while what == "cpu":
        pass
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    while what != "return":
        time.sleep(1000)
    return 42


def act_as_call(report: object, said: str, what: str) -> int:
    """Act for a worker."""
    return act(said, what)


def act_as_job(request: dict[str, str], tell: object) -> dict[str, int]:
    """Act for a pool."""
    return {"value": act(request["said"], request["what"])}


if __name__ == "__main__":
    if len(sys.argv) == 3:
        raise SystemExit(act(*sys.argv[1:]))
    with open("request.json") as request:
        asked = json.load(request)
    raise SystemExit(act(asked["said"], asked["what"], sys.argv[1]))
