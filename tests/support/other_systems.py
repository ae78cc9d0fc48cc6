"""Systems that lack what Linux has: this one, with names taken away before anything of ours is imported.

What the standard library asks about the system, it has asked before that, so it goes on working.
"""

import json
import os
import subprocess
import sys
from typing import Any

LACKING = {
    "win32": {
        "os": "fork forkpty killpg setsid getpgid wait4 geteuid getuid uname sysconf fchown fchmod"
        " sched_getaffinity set_blocking",
        "signal": "SIGKILL SIGHUP SIGALRM SIGPROF SIGXCPU SIGCHLD setitimer pthread_sigmask",
        "_signal": "SIGKILL SIGHUP SIGALRM SIGPROF SIGXCPU SIGCHLD setitimer pthread_sigmask",
        "faulthandler": "register",
    },
    "darwin": {"os": "sched_getaffinity", "signal": "", "_signal": "", "faulthandler": ""},
}
"""By the name of a system: what some modules lack there."""
MODULES = {"win32": ("resource", "fcntl", "termios", "tty", "pty", "pwd", "grp"), "darwin": ()}
"""By the name of a system: the modules that it has not."""

PREAMBLE = """
import asyncio
import concurrent.futures.process, faulthandler, importlib, json, multiprocessing.context, multiprocessing.spawn
import multiprocessing.popen_spawn_posix, multiprocessing.resource_tracker, os, psutil, shutil, signal, subprocess
import sys, sysconfig, tempfile, _signal
sysconfig.get_config_vars()
system, lacking, modules, words = json.loads(sys.argv[1])
for module, names in lacking.items():
    for name in names.split():
        if hasattr(sys.modules[module], name):
            delattr(sys.modules[module], name)
multiprocessing.resource_tracker._HAVE_SIGMASK = False  # it was asked when that was imported
for name in modules:
    sys.modules[name] = None
sys.platform = system
import unpuzzle.base.platform_facts
unpuzzle.base.platform_facts.PROC = "/nowhere"
unpuzzle.base.platform_facts.MEMORY_OF_GROUP = ()
"""


def run_as(system: str, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python code, with `words`, in a process that takes this system for another one."""
    about = json.dumps([system, LACKING[system], MODULES[system], words])
    command = [sys.executable, "-c", PREAMBLE + code, about]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8", env=os.environ)


def command_as(system: str, *words: str) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of a command line on another system."""
    code = 'sys.argv = ["unpuzzle", *words]\nfrom unpuzzle.__main__ import run\nrun()'
    done = run_as(system, code, *words)
    return done.returncode, done.stdout, done.stderr


def json_as(system: str, *words: str) -> tuple[int, dict[str, Any], str]:
    """Return exit code, the JSON object and standard error of a command line on another system."""
    code, output, errors = command_as(system, *words, "--json")
    return code, json.loads(output or "{}"), errors
