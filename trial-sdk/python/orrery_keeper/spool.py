"""Bytes that wait on the disk until the server has them."""

import os
import threading

_PIECE = 1 << 20

# What a full disk does not take: enough for many reports, and little beside what a trial needs.
_MOST_IN_MEMORY = 1 << 20


class Spool:
    """A bounded queue of bytes in a file. Any thread appends; one takes from it.

    While the disk is full the last bytes are in memory instead, so that what the server could have at once is not lost.
    """

    def __init__(self, path, limit):
        self._limit = limit
        self._lock = threading.Lock()
        self._room = threading.Condition(self._lock)
        self._news = threading.Condition(self._lock)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        self._begin = 0
        self._end = 0
        # What follows the bytes in the file.
        self._rest = b''

    def append(self, data, wait=False):
        """Whether the bytes were taken, all of them: not when there is no room. ``wait`` waits for it instead."""
        with self._lock:
            while not self._take(data):
                if not wait or len(data) > self._limit:
                    return False
                # Also now and then: a full disk does not tell when it has room again.
                self._room.wait(1.0)
            self._news.notify_all()
            return True

    def _take(self, data):
        if self._length() + len(data) > self._limit:
            return False
        # Nothing overtakes what is in memory.
        if not self._rest and self._write(data):
            return True
        if len(self._rest) + len(data) > _MOST_IN_MEMORY:
            return False
        self._rest += data
        return True

    def _write(self, data):
        view = memoryview(data)
        at = self._end
        while view:
            try:
                count = os.pwrite(self._file, view, at)
            except OSError:
                return False
            at += count
            view = view[count:]
        self._end = at
        return True

    def await_data(self, seconds):
        """Returns as soon as there is something, after a nudge, or when the time is over."""
        with self._lock:
            if not self._length():
                self._news.wait(seconds)

    def nudge(self):
        """Wakes who waits for data."""
        with self._lock:
            self._news.notify_all()

    def peek(self, most):
        """The first bytes, at most that many."""
        with self._lock:
            first = os.pread(self._file, min(most, self._end - self._begin), self._begin)
            return first + self._rest[:most - len(first)] if self._begin + len(first) == self._end else first

    def drop(self, count):
        """The first bytes have arrived."""
        with self._lock:
            in_file = min(count, self._end - self._begin)
            self._rest = self._rest[count - in_file:]
            self._begin += in_file
            if self._begin == self._end:
                self._begin = self._end = 0
                os.ftruncate(self._file, 0)
            elif self._begin > self._limit:
                self._move_up()
            self._room.notify_all()

    def _move_up(self):
        length = self._end - self._begin
        for at in range(0, length, _PIECE):
            os.pwrite(self._file, os.pread(self._file, min(_PIECE, length - at), self._begin + at), at)
        os.ftruncate(self._file, length)
        self._begin, self._end = 0, length

    def _length(self):
        return self._end - self._begin + len(self._rest)

    def __len__(self):
        with self._lock:
            return self._length()
