"""Processes that unpuzzle starts, limits and ends. This package does not depend on puzzles, tasks or planners.

    worker     `worker.py`      our function, once, in a process of its own        `worker_server.py` starts it
    pool       `pool.py`        our functions, in processes that are kept warm: lanes, homes, urgency
    program    `program.py`     a foreign program, or our function as one          `guardian.py` is between
    parallel   `parallel.py`    many workers at a time, here or on a Dask cluster
    sandbox    foreign code behind walls (`walls.py`): a script of ours as a program; see `untrusted/sandbox.py`

`private_directory.py` and `process_tree.py` belong to programs. The kinds differ:

                 worker, parallel            pool                       program, sandbox
    it is        a copy of a server that     a Python that has loaded   another program, below a
                 has loaded its module, or   `preload`, for many jobs   guardian
                 `fresh`: a new Python
    environment  ours without PYTHON*        ours without PYTHON*       the same; a sandbox: none
    directory    ours, or one of its own     ours                       its own, also for temporary files
    input        none                        none                       none
    session      its server's; own group     its own                    its own
    time         it looks itself; 0.1 s      it looks itself; 3 s       at the limit it is ended
                 later it is ended           later it is ended
    memory       sampled, 2 to 50 ms         sampled, 50 ms; 256 MB     by the kernel, per process; all
                 (2% more is allowed)        more are allowed           together sampled, 30 to 100 ms
    processor    by the kernel; sampled      no limit                   by the kernel; sampled
    cancelled    `stop`, or the end of the   `cancel`: it looks; 1 s    `Limits.cancel`: it is ended
                 block: it is ended          later it is ended
    ended by     SIGTERM; 0.1 s later        SIGKILL                    SIGTERM; 0.3 s later SIGKILL
                 (1.5 s if cancelled)
                 SIGKILL

Who ends it, and all that it has started, when

    it returns   its server: its group       the end of the pool: its   the guardian: all descendants,
                                             session                    whatever they do
    it dies      the same                    the same, and a new one    the same
                                             starts
    limit or     its server                  its owner                  its owner asks the guardian
    cancelled
    Ctrl-C       its owner alone gets it, and leaves its block, which ends all
    owner dies   its server, whose input     itself, as its input ends  the guardian, whose input ends;
    (SIGTERM,    ends                                                   it removes the directory, too
    SIGHUP,
    SIGKILL)
    server or    the kernel; its owner ends  there is none              the kernel; its owner finds the
    guardian     the session, and makes the                             others by a mark, by their
    is killed    call once more                                         parents or by their group
    full disk    what it prints is lost;     no file is needed          PlannerFailed: no directory
                 else as usual
    what is left nothing: files have no name nothing                    nothing; a directory whose
                                                                        guardian was killed, too, is
                                                                        removed by the next program

What leaves the group of a call or the session of a pool, on its own, is not followed; what leaves a program is. A
program escapes only if its guardian and its owner are killed, and so do processes of a call if its server and its
owner are. On macOS and Windows there are no copies and no death signals: a call is a new Python each time, and where a
server is killed it runs to its end; on Windows there is no guardian either. `tests/processes/test_contract.py` is
this table.
"""
