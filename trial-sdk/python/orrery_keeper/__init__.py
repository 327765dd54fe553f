"""The keeper of a trial: stands beside the user's command where the server shares no disk with it.

It fetches the code, starts the command, and brings home what the command reports, prints and leaves, through cuts of the
network and restarts of the server; it ends the command when it is told to, and itself with the command's exit code.
``life.keep`` is the whole story. Python 3.7 and later, standard library only.
"""

VERSION = '1'
