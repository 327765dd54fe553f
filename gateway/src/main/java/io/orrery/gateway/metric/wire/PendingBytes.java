package io.orrery.gateway.metric.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/** The bytes of a connection that have come and are not consumed yet. Belongs to one event loop. */
final class PendingBytes {
  /** Bytes that are looked at in one go, and so the most that a request or a frame may have. */
  static final int LONGEST_LOOK = 64 << 10;

  private @Nullable ByteBuf bytes;

  boolean isEmpty() {
    return bytes == null;
  }

  /** Takes over what has come. */
  void add(ChannelHandlerContext ctx, ByteBuf piece) {
    bytes =
        bytes == null
            ? piece
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), bytes, piece);
    if (!bytes.isReadable()) {
      release();
    }
  }

  /**
   * Copies the first bytes, which stay.
   *
   * @param into has room for {@link #LONGEST_LOOK}
   * @return how many they are
   */
  int look(byte[] into) {
    if (bytes == null) {
      return 0;
    }
    int length = Math.min(bytes.readableBytes(), into.length);
    bytes.getBytes(bytes.readerIndex(), into, 0, length);
    return length;
  }

  /** Hands over the first bytes, as many as asked for or as there are. */
  ByteBuf cut(ChannelHandlerContext ctx, int most) {
    ByteBuf all = bytes;
    if (all == null) {
      return ctx.alloc().buffer(0);
    }
    if (most < all.readableBytes()) {
      return all.readRetainedSlice(most);
    }
    bytes = null;
    return all;
  }

  /** Hands over everything. */
  ByteBuf all(ChannelHandlerContext ctx) {
    return cut(ctx, Integer.MAX_VALUE);
  }

  /** Forgets the first bytes, which have been dealt with. */
  void skip(int length) {
    if (bytes != null) {
      bytes.skipBytes(length);
      if (!bytes.isReadable()) {
        release();
      }
    }
  }

  /** Forgets everything. */
  void release() {
    ByteBuf rest = bytes;
    bytes = null;
    if (rest != null) {
      rest.release();
    }
  }
}
