"""Work in other processes: on this machine, or on a cluster.

crews.py           crew(): independent jobs here, in processes, on a Dask cluster; results in order
apart.py           Apart: one call of a function after the other, each in a process of its own with limits that hold
apart_server.py    what starts those processes: a small process that is a copy away from having loaded everything
apart_child.py     one of those processes: how it starts, what it does, how it ends
calls.py           what the two tell each other
many.py            each(): the same function for many things, apart, by several at a time
"""
