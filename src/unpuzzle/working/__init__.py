"""Work in other processes: on this machine, or on a cluster.

crews.py           crew(): independent jobs here, in processes, on a Dask cluster; results in order
apart.py           Apart: one call of a function after the other, each in a process of its own with limits that hold
apart_server.py    what starts those processes: a small process that is a copy away from having loaded everything
apart_child.py     one of those processes: how it starts, what it does, how it ends
calls.py           what the two tell each other
many.py            each(): the same function for many things, apart, by several at a time

What a process gets from us, whatever we have got from whoever started us:

             a program                            a call apart                      a worker of a crew
             (`planners.external.process`)
signals      none ignored, none blocked           SIGINT ignored, none blocked      SIGINT ignored, none blocked
limits       ours; and its own, of processor      ours; and its own, of processor   ours
             time and of address space            time
descriptors  0 empty, 1 and 2 read by us          0 empty, 1 and 2 read by us       ours of 0, 1 and 2
directory    a private one, also for its          ours                              ours
             temporary files, removed afterwards
environment  ours, without PYTHON*                ours, without PYTHON*             ours
session      its own                              its server's                      ours

Nothing else is open, and SIGPIPE and SIGXFSZ are ignored where Python does so itself. A call reaches its server, and
answers it, by descriptors that no program it starts inherits.
"""
