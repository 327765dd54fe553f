"""``nni.recoverable``: where an algorithm may keep what it wants to find again."""

import os


class Recoverable:
    def load_checkpoint(self):
        """Called before the first suggestion when the experiment is continued."""

    def save_checkpoint(self):
        """Kept for classes that call it themselves."""

    def get_checkpoint_path(self):
        """A folder of this experiment's own, or None outside of one."""
        path = os.environ.get('NNI_CHECKPOINT_DIRECTORY')
        return path if path and os.path.isdir(path) else None
