"""The ``nni`` of Orrery: what trial code needs of NNI's Python package, where that package is not installed.

The server puts the folder above first on PYTHONPATH, because installed packages always come after it. So this module
first looks for another ``nni``, installed or beside the user's code, and steps aside for it.
"""

from . import _elsewhere

_other = _elsewhere.find()
if _other is not None:
    _elsewhere.become(_other)
else:
    from . import utils
    from .trial import *

    # The release of NNI whose trial interface this is, with a local version label that tells it from the original.
    __version__ = '3.0+orrery'

    def __getattr__(name):
        raise AttributeError("Orrery's own nni has no %r: it holds what trial code needs, and steps aside "
                             'when the nni package is installed' % name)
