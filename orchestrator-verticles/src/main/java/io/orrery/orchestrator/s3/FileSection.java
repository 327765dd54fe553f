package io.orrery.orchestrator.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends after a number of bytes. */
final class FileSection extends FilterInputStream {
  private long left;

  FileSection(InputStream from, long bytes) {
    super(from);
    this.left = bytes;
  }

  @Override
  public int read() throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = super.read();
    left -= read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0) {
      return length == 0 ? 0 : -1;
    }
    int read = super.read(into, offset, (int) Math.min(left, length));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(left, count));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(left, super.available());
  }
}
