package io.orrery.compute.remote.agent;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads the frames of an agent; blocks. For one thread. */
final class AgentFrameReader {
  /** The line before an agent's first frame: a login shell may print something before it. */
  static final String MARK = "\norrery-agent 1\n";

  private static final int MOST_NOISE = 64 << 10;

  private final DataInputStream from;

  AgentFrameReader(InputStream from) {
    // A head is read in pieces of a few bytes, each of which would lock the channel.
    this.from = new DataInputStream(new BufferedInputStream(from));
  }

  /**
   * Reads up to the line that frames follow.
   *
   * @throws IOException when it does not come
   */
  void awaitMark() throws IOException {
    byte[] mark = MARK.getBytes(StandardCharsets.US_ASCII);
    int seen = 0;
    for (int read = 0; seen < mark.length; read++) {
      if (read > MOST_NOISE) {
        throw new BrokenLinkException("its agent does not say that it is one");
      }
      int next = from.read();
      if (next < 0) {
        throw new EOFException("its agent has ended");
      }
      // The mark begins with the only byte by which it could begin once more.
      seen = next == mark[seen] ? seen + 1 : next == mark[0] ? 1 : 0;
    }
  }

  /**
   * Reads a frame.
   *
   * @throws IOException when there is none any more, or what comes is none
   */
  Frame read() throws IOException {
    int length = from.readInt();
    Frame.Kind kind = Frame.Kind.fromAgent(from.readByte());
    int number = from.readInt();
    if (length < 0 || length > Frame.MOST) {
      throw new BrokenLinkException("its agent sent a frame of " + length + " bytes");
    }
    byte[] payload = new byte[length];
    from.readFully(payload);
    return new Frame(kind, number, payload);
  }
}
