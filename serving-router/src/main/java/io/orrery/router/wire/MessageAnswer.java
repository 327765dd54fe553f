package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.policy.DateField;
import org.jspecify.annotations.Nullable;

/**
 * An answer on its way to a client of HTTP/1.1, whose pieces have their framing. The head waits for
 * what comes with it, so that a small answer is one write; a body that ends with the endpoint's
 * connection goes out in chunks; and when the client does not read, the endpoint is not read from.
 */
final class MessageAnswer implements Answer {
  /** Room beside the head for a body whose length is not known yet. */
  private static final int FEW_CHUNKS = 512;

  private final Client client;

  /** Whether the client's connection ends with it. */
  private final boolean last;

  private final boolean wraps;
  private @Nullable ByteBuf head;

  MessageAnswer(Client client, ResponseHead from, boolean bodiless, boolean last, DateField date) {
    this.client = client;
    this.last = last;
    this.wraps = !bodiless && from.length() == ResponseHead.UNTIL_CLOSED;
    boolean chunked = !bodiless && from.length() < 0;
    int room =
        bodiless || from.length() > Bytes.FEW ? 0 : (int) Math.max(FEW_CHUNKS, from.length());
    this.head = HeadWriter.response(client.channel().alloc(), from, chunked, last, room, date);
  }

  @Override
  public void add(ByteBuf piece) {
    ByteBuf before = head;
    if (wraps) {
      writeHead();
      Bytes.writeChunk(client.channel(), piece);
    } else if (before != null && piece.readableBytes() <= before.maxFastWritableBytes()) {
      // A second write costs more than a copy.
      before.writeBytes(piece);
      piece.release();
    } else {
      writeHead();
      client.write(piece);
    }
  }

  private void writeHead() {
    ByteBuf waiting = head;
    if (waiting != null) {
      head = null;
      client.write(waiting);
    }
  }

  /** They are in the framing. */
  @Override
  public void trailers(String lines) {}

  @Override
  public boolean flush() {
    writeHead();
    client.flush();
    return client.channel().isWritable();
  }

  @Override
  public void end() {
    writeHead();
    if (wraps) {
      Bytes.writeLastChunk(client.channel());
    }
    if (last) {
      client.closeAfter();
    } else {
      client.flush();
    }
  }

  @Override
  public void release() {
    if (head != null) {
      head.release();
      head = null;
    }
  }
}
