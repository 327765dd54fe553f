package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way in. A small one of known length is gathered behind its head:
 * then both go out in one write, and can be sent again. Any other flows; a chunked one is framed
 * anew, so that what leaves cannot be read in another way than it was here. Trailers that may pass
 * follow it.
 */
final class Upload {
  /** The largest body that is gathered. */
  static final int WHOLE_BYTES = 64 * 1024;

  private final @Nullable Chunks chunks;
  private final boolean whole;
  private long left;

  /** Bytes of the body that have come. */
  private long came;

  Upload(long length) {
    this.chunks = length == RequestHead.CHUNKED ? new Chunks() : null;
    this.whole = isWhole(length);
    this.left = length;
  }

  /** Whether a body of this length is gathered. */
  static boolean isWhole(long length) {
    return length >= 0 && length <= WHOLE_BYTES;
  }

  /** Whether it is gathered, which takes no time when there is none. */
  boolean whole() {
    return whole;
  }

  /** Whether the client has sent everything. */
  boolean ended() {
    return left == 0;
  }

  /** Bytes that have come, of chunks without their framing. */
  long came() {
    return came;
  }

  /** Gathers what has come. */
  void gather(ByteBuf in, ByteBuf request) {
    int here = (int) Math.min(left, in.readableBytes());
    request.writeBytes(in, here);
    left -= here;
    came += here;
  }

  /**
   * Passes on what has come.
   *
   * @param to null lets it go by
   * @return false when it is no body
   */
  boolean flow(ByteBuf in, @Nullable Upstream to) {
    if (chunks != null) {
      return chunked(chunks, in, to);
    }
    int here = (int) Math.min(left, in.readableBytes());
    left -= here;
    came += here;
    if (to == null) {
      in.skipBytes(here);
    } else if (here > 0) {
      to.write(in.readRetainedSlice(here));
    }
    return true;
  }

  private boolean chunked(Chunks framing, ByteBuf in, @Nullable Upstream to) {
    int data = framing.next(in);
    while (data > 0) {
      came += data;
      if (to == null) {
        in.skipBytes(data);
      } else {
        Bytes.writeChunk(to.channel(), in.readRetainedSlice(data));
      }
      data = framing.next(in);
    }
    if (data == Chunks.END) {
      left = 0;
      if (to != null) {
        Bytes.writeLastChunk(to.channel(), framing.passingTrailers());
      }
    }
    return data != Chunks.FAULT;
  }
}
