package io.orrery.cli.print;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The standard output of this process, which knows why something could not be written to it. */
final class StandardOutput extends PrintStream {
  private final Watched watched;

  StandardOutput() {
    this(new Watched(new FileOutputStream(FileDescriptor.out)));
  }

  private StandardOutput(Watched watched) {
    super(watched, false, StandardCharsets.UTF_8);
    this.watched = watched;
  }

  /** Why the first write that failed did; null when none has. */
  @Nullable IOException failure() {
    return watched.failure;
  }

  private static final class Watched extends OutputStream {
    private final OutputStream to;
    private volatile @Nullable IOException failure;

    Watched(OutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        to.write(bytes, from, length);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        }
        throw e;
      }
    }
  }
}
