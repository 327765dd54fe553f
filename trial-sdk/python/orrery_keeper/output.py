"""What the command prints: shown here as well, searched for reports, and put where it waits for the server."""

import array
import fcntl
import os
import select
import termios
import threading


class Output:
    """One stream of the command. The command never waits for the server because of what it prints."""

    _PIECE = 1 << 16

    def __init__(self, name, shown, spool, lines, copy=None):
        """``shown``: descriptor of this process that it is printed on. ``lines``: takes what is printed. ``copy``: a file
        for everything, or None."""
        self.name = name
        self.dropped = 0
        self._shown = shown
        self._spool = spool
        self._lines = lines
        self._copy = open(copy, 'ab', 0) if copy else None
        self._gap = 0
        # Held while something is taken in, so that the thread that has it knows that nothing is
        # half read.
        self._taking = threading.Lock()
        self._taken = 0
        self._over = False
        self._source, self.target = os.pipe()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self):
        """To be called when the command has its end of the pipe."""
        os.close(self.target)
        self._thread.start()

    def finish(self, seconds):
        """Waits until everything was read that was printed. Who still holds the pipe after that time is not heard."""
        self._thread.join(seconds)

    def printed(self):
        """How many bytes were printed until now."""
        with self._taking:
            if self._over:
                return self._taken
            waiting = array.array('i', [0])
            fcntl.ioctl(self._source, termios.FIONREAD, waiting)
            return self._taken + waiting[0]

    def has_read(self, count):
        """Whether so many bytes have been taken in, reports and all."""
        with self._taking:
            return self._taken >= count

    def _run(self):
        while not self._over:
            select.select([self._source], [], [])
            with self._taking:
                self._take()

    def _take(self):
        data = os.read(self._source, self._PIECE)
        if data:
            self._show(data)
            self._keep(data)
            self._lines.feed(data)
            self._taken += len(data)
            return
        self._over = True
        self._lines.end()
        if self._copy:
            self._copy.close()
        os.close(self._source)

    def _show(self, data):
        try:
            while data:
                data = data[os.write(self._shown, data):]
        except OSError:
            # No reader is there.
            pass

    def _keep(self, data):
        if self._copy:
            try:
                self._copy.write(data)
            except OSError:
                self._copy = None
        notice = b''
        if self._gap:
            notice = b'\norrery: %d bytes are missing here: the server was away for too long\n' % self._gap
        if self._spool.append(notice + data):
            self._gap = 0
        else:
            self._gap += len(data)
            self.dropped += len(data)
