package io.orrery.benchmarks.router.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A connection: messages with a length come in one after the other, and are answered. */
abstract class Conversation {
  private static final int LARGEST_READ = 1 << 18;

  /** Shared: there is one thread. */
  private static final ByteBuffer SCRATCH = ByteBuffer.allocateDirect(LARGEST_READ);

  private static final byte[] HEAD = new byte[LARGEST_READ];

  private byte[] start = new byte[0];
  private long left = -1;
  private long length;
  private boolean good;
  private @Nullable ByteBuffer unsaid;

  /**
   * A message is complete.
   *
   * @param good whether it is a request, or an answer with a status of 2xx
   * @param length of its body
   */
  abstract void heard(SelectionKey key, boolean good, long length) throws IOException;

  /** The connection ended, from whichever side. */
  abstract void broken() throws IOException;

  final void say(SelectionKey key, ByteBuffer message) throws IOException {
    ByteBuffer view = message.duplicate();
    ((SocketChannel) key.channel()).write(view);
    if (view.hasRemaining()) {
      unsaid = view;
      key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }
  }

  final void sayMore(SelectionKey key) throws IOException {
    ByteBuffer rest = unsaid;
    if (rest != null) {
      ((SocketChannel) key.channel()).write(rest);
    }
    if (rest == null || !rest.hasRemaining()) {
      unsaid = null;
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  final void hear(SelectionKey key) throws IOException {
    SCRATCH.clear();
    int read = ((SocketChannel) key.channel()).read(SCRATCH);
    if (read < 0) {
      throw new IOException("closed");
    }
    SCRATCH.flip();
    while (SCRATCH.hasRemaining()) {
      if (left < 0 && !readHead()) {
        return;
      }
      int skip = (int) Math.min(left, SCRATCH.remaining());
      SCRATCH.position(SCRATCH.position() + skip);
      left -= skip;
      if (left == 0) {
        left = -1;
        heard(key, good, length);
        if (!key.isValid()) {
          return;
        }
      }
    }
  }

  /** Whether the head is complete; then what is left to read is its body. */
  private boolean readHead() {
    int kept = start.length;
    System.arraycopy(start, 0, HEAD, 0, kept);
    int more = Math.min(SCRATCH.remaining(), HEAD.length - kept);
    SCRATCH.get(SCRATCH.position(), HEAD, kept, more);
    int end = endOfHead(kept + more);
    if (end < 0) {
      start = Arrays.copyOf(HEAD, kept + more);
      SCRATCH.position(SCRATCH.limit());
      return false;
    }
    start = new byte[0];
    SCRATCH.position(SCRATCH.position() + end - kept);
    good = HEAD[0] != 'H' || HEAD[9] == '2';
    length = contentLength(end);
    left = length;
    return true;
  }

  private static int endOfHead(int length) {
    for (int i = 3; i < length; i++) {
      if (HEAD[i] == '\n' && HEAD[i - 1] == '\r' && HEAD[i - 2] == '\n') {
        return i + 1;
      }
    }
    return -1;
  }

  private static long contentLength(int end) {
    for (int i = 0; i + 16 < end; i++) {
      if (HEAD[i] == '\n'
          && (HEAD[i + 1] | 32) == 'c'
          && (HEAD[i + 9] | 32) == 'l'
          && HEAD[i + 15] == ':') {
        long length = 0;
        int at = HEAD[i + 16] == ' ' ? i + 17 : i + 16;
        for (; HEAD[at] >= '0' && HEAD[at] <= '9'; at++) {
          length = length * 10 + HEAD[at] - '0';
        }
        return length;
      }
    }
    return 0;
  }
}
