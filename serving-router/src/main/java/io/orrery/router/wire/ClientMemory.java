package io.orrery.router.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.orrery.router.policy.MemoryBudget;

/** The account of what a client has the router keep: of its requests, and of what waits for it. */
final class ClientMemory {
  /** Bytes of a request that are not worth counting: a connection takes about as much itself. */
  private static final int FEW = 8 * 1024;

  private final MemoryBudget.Connection connection;
  private final MemoryBudget.Stream stream;
  private final Channel channel;

  /** Bytes that were written since it was last looked at how many wait. */
  private long written;

  ClientMemory(MemoryBudget.Connection connection, MemoryBudget.Owner owner, Channel channel) {
    this.connection = connection;
    this.stream = connection.stream(owner);
    this.channel = channel;
  }

  MemoryBudget.Connection connection() {
    return connection;
  }

  /** Counts what is kept of a request, unless it is so little as nearly all requests are. */
  void keep(long bytes) {
    long kept = bytes < FEW ? 0 : bytes;
    if (kept != stream.kept()) {
      stream.keep(kept - stream.kept());
    }
  }

  /** Whether there is memory to read more for it. */
  boolean hasRoom() {
    return stream.hasRoom();
  }

  /** Bytes were written for it. */
  void wrote(int bytes) {
    written += bytes;
  }

  /** Whether bytes waited for it when that was last looked at. */
  boolean waits() {
    return stream.waiting() > 0;
  }

  /**
   * Looks how many bytes wait for the client, to the byte: of a piece that is on its way what has
   * gone counts as taken.
   *
   * @return whether some do
   */
  boolean account() {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    long pending =
        out == null ? 0 : Math.max(0, out.totalPendingWriteBytes() - out.currentProgress());
    long before = stream.waiting();
    if (pending > 0 || before > 0) {
      long added = Math.max(written, pending - before);
      stream.hold(added);
      stream.taken(before + added - pending);
    }
    written = 0;
    return pending > 0;
  }

  /** Counts nothing any more: the connection is closed, or is Vert.x's. */
  void forget() {
    stream.taken(stream.waiting());
    stream.keep(-stream.kept());
  }
}
