package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;

/** Operations on buffers that are needed in more than one place. */
final class Bytes {
  /** What is copied rather than written as a piece of its own: one write costs more than that. */
  static final int FEW = 16 * 1024;

  private static final ByteBuf LINE_END = constant("\r\n");
  private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");

  private Bytes() {}

  private static ByteBuf constant(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    ByteBuf direct = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
    return Unpooled.unreleasableBuffer(direct.asReadOnly());
  }

  /** One after the other, copied; both are released. */
  static ByteBuf join(ByteBufAllocator buffers, ByteBuf first, ByteBuf second) {
    ByteBuf both = buffers.directBuffer(first.readableBytes() + second.readableBytes());
    both.writeBytes(first).writeBytes(second);
    first.release();
    second.release();
    return both;
  }

  /** Writes a piece as a chunk, and releases it. */
  static void writeChunk(Channel to, ByteBuf piece) {
    int length = piece.readableBytes();
    if (length == 0) {
      piece.release();
      return;
    }
    byte[] size = (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    if (length <= FEW) {
      ByteBuf chunk = to.alloc().directBuffer(size.length + length + 2);
      chunk.writeBytes(size).writeBytes(piece).writeByte('\r').writeByte('\n');
      piece.release();
      to.write(chunk, to.voidPromise());
    } else {
      to.write(to.alloc().directBuffer(size.length).writeBytes(size), to.voidPromise());
      to.write(piece, to.voidPromise());
      to.write(LINE_END.duplicate(), to.voidPromise());
    }
  }

  /** Writes the end of a chunked body. */
  static void writeLastChunk(Channel to) {
    to.write(LAST_CHUNK.duplicate(), to.voidPromise());
  }

  /**
   * The same with trailers before it.
   *
   * @param trailers each with its line's end; each character is a byte
   */
  static void writeLastChunk(Channel to, String trailers) {
    if (trailers.isEmpty()) {
      writeLastChunk(to);
    } else {
      to.write(trailers(to.alloc(), "0\r\n" + trailers), to.voidPromise());
    }
  }

  /**
   * The end of a chunked body behind its last chunk.
   *
   * @param lines each with its line's end; each character is a byte
   */
  static ByteBuf trailers(ByteBufAllocator buffers, String lines) {
    byte[] end = (lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    return buffers.directBuffer(end.length).writeBytes(end);
  }
}
