package io.orrery.cli.files;

import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A line that tells how much of a file has been moved, for who watches. */
final class TransferProgress {
  private static final long PAUSE_NANOS = 100_000_000;
  private static final int PERCENT = 100;

  private final Terminal terminal;
  private final String name;
  private final long total;
  private long moved;
  private long drawnAt;
  private boolean drawn;

  TransferProgress(Terminal terminal, String name, long total) {
    this.terminal = terminal;
    this.name = name;
    this.total = total;
  }

  /** Counts what is read. */
  InputStream counting(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int next = super.read();
        add(next < 0 ? 0 : 1);
        return next;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        add(Math.max(0, read));
        return read;
      }
    };
  }

  /** Counts what is written. */
  OutputStream counting(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(int next) throws IOException {
        out.write(next);
        add(1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        add(length);
      }
    };
  }

  private synchronized void add(int bytes) {
    moved += bytes;
    long now = System.nanoTime();
    if (terminal.interactive() && (now - drawnAt > PAUSE_NANOS || moved == total)) {
      drawnAt = now;
      drawn = true;
      terminal.err().print("\r" + Words.cut(line(), terminal.columns() - 1) + "\u001b[K");
      terminal.err().flush();
    }
  }

  private String line() {
    return "%s  %s of %s  %d %%"
        .formatted(
            name,
            Words.bytes(moved),
            Words.bytes(total),
            total == 0 ? PERCENT : moved * PERCENT / total);
  }

  /** Leaves an empty line to what comes next. */
  synchronized void end() {
    if (drawn) {
      terminal.err().print("\r\u001b[K");
      terminal.err().flush();
    }
  }
}
