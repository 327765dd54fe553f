"""The agent of a server on a machine: one process for all attempts that the server starts there.

It speaks with the server over its input and output, in frames (``frames``). It starts the attempts, each in processes of
its own that go on without it (``attempts``), and carries the calls of their keepers (``call_server``). ``loop`` is the whole
of it. Linux alone: elsewhere a process cannot show an environment that it was not started with, and the server goes
on with scripts.
"""
