package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * An answer on its way to a client of HTTP/2, whose pieces have no framing. Head and body of a
 * small one are two frames, the second of which ends the stream: a piece waits for the next one or
 * the end, but not longer than there is something to read.
 */
final class StreamAnswer implements Answer {
  private final StreamRequest to;
  private @Nullable Http2Headers head;
  private @Nullable ByteBuf waiting;
  private @Nullable Http2Headers trailers;

  StreamAnswer(StreamRequest to, Http2Headers head) {
    this.to = to;
    this.head = head;
  }

  @Override
  public void add(ByteBuf piece) {
    pass(false);
    waiting = piece;
  }

  @Override
  public void trailers(String lines) {
    trailers = lines.isEmpty() ? null : StreamHeads.trailers(lines);
  }

  /** Writes the head and the piece that waits, where they do. */
  private void pass(boolean end) {
    ByteBuf piece = waiting;
    Http2Headers first = head;
    if (first != null) {
      head = null;
      to.head(first, end && piece == null);
    }
    if (piece != null) {
      waiting = null;
      to.data(piece, end);
    } else if (end && first == null) {
      to.data(Unpooled.EMPTY_BUFFER, true);
    }
  }

  @Override
  public boolean flush() {
    if (!to.ended()) {
      pass(false);
    }
    to.flush();
    return to.isWritable();
  }

  @Override
  public void end() {
    Http2Headers last = trailers;
    pass(last == null);
    if (last != null) {
      to.head(last, true);
    }
    to.flush();
  }

  @Override
  public void release() {
    ByteBuf piece = waiting;
    if (piece != null) {
      waiting = null;
      piece.release();
    }
  }
}
