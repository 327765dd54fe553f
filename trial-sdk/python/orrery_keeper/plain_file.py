"""Files that a command writes, opened without following links."""

import os
import stat


def open_plain(path):
    """Opens a regular file for reading; OSError for a link, a file with several names, a FIFO or a device.

    A command may put a link to any file of its account in the place of its output, and may do so between a look and the
    opening: so what was opened is looked at. O_NONBLOCK, or a FIFO would wait for a writer.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        os.close(descriptor)
        raise OSError('%s is a link or no regular file' % path)
    return os.fdopen(descriptor, 'rb')
