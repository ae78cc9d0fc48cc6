"""The owner of one process of a kind: a script for tests/processes/test_contract.py, which prints how it ended.

python process_owner.py KIND SAID WHAT LIMITS        LIMITS: the arguments of `Limits` in JSON
"""

import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from unpuzzle.base.errors import LimitReached, UnpuzzleError, WorkersFailed
from unpuzzle.base.run import Limits, Run
from unpuzzle.processes import program
from unpuzzle.processes.parallel import each
from unpuzzle.processes.pool import Pool, PoolJob
from unpuzzle.processes.private_directory import PrivateDirectory
from unpuzzle.processes.program import ProgramEnd
from unpuzzle.processes.worker import Call, CallOutcome, Worker
from unpuzzle.untrusted.sandbox import run_script

VICTIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "victim.py")


def when_said(said: str, what: str, cancel: Callable[[], object]) -> None:
    """Cancel as soon as the victim has said who it is, if that is what it is about."""

    def wait() -> None:
        while not (os.path.exists(said) and os.path.getsize(said)):
            time.sleep(0.01)
        cancel()

    if what == "cancel":
        threading.Thread(target=wait, daemon=True).start()


def by_program(said: str, what: str, limits: Limits) -> str:
    when_said(said, what, limits.cancel)
    with Run(limits), PrivateDirectory({"file": "text"}, planner="test") as directory:
        return _of_program(program.run_program([sys.executable, VICTIM, said, what], directory))


def by_sandbox(said: str, what: str, limits: Limits) -> str:
    when_said(said, what, limits.cancel)
    with Run(limits):
        return _of_program(run_script(VICTIM, {"said": said, "what": what}, user="test", isolated=False)[0])


def _of_program(end: ProgramEnd) -> str:
    return end.limit or ("broken" if end.signal else str(end.exit_code))


def by_worker(said: str, what: str, limits: Limits) -> str:
    with Worker() as worker:
        when_said(said, what, worker.stop)
        arguments = pickle.dumps((said, what))
        try:
            return _of_call(
                worker.call(Call("victim", "act_as_call", arguments, limits.time, limits.cpu, limits.memory))
            )
        except WorkersFailed:
            return "cancelled"


def by_parallel(said: str, what: str, limits: Limits) -> str:
    import victim  # type: ignore[import-not-found]  # as the other processes find it

    when_said(said, what, limits.cancel)
    outcomes = list(each(victim.act, [(said, what)], limits, workers=2))
    return _of_call(outcomes[0])


def _of_call(outcome: CallOutcome) -> str:
    try:
        return str(outcome.value())
    except LimitReached as reached:
        return reached.status
    except WorkersFailed:
        return "broken"


def by_pool(said: str, what: str, limits: Limits) -> str:
    answers: SimpleQueue[dict[str, Any]] = SimpleQueue()
    most = {"seconds": limits.time or 1e6, "memory": limits.memory or 1 << 40}
    with Pool(slow=1, preload=["victim"]) as pool:
        request = {"said": said, "what": what}
        job = PoolJob("victim", "act_as_job", request, lambda data, last: answers.put(data), **most)
        when_said(said, what, lambda: pool.cancel(job))
        pool.submit(job)
        answer = answers.get()
    status = answer.get("status") or str(answer.get("error")).partition(":")[0]
    return str(answer.get("value") or {"error": "broken"}.get(status, status))


KINDS = {"program": by_program, "sandbox": by_sandbox, "worker": by_worker, "parallel": by_parallel, "pool": by_pool}

if __name__ == "__main__":
    kind, said, what, limits = sys.argv[1:]
    try:
        print(KINDS[kind](said, what, Limits(**json.loads(limits))))
    except (UnpuzzleError, OSError, KeyboardInterrupt) as error:
        print(type(error).__name__)
