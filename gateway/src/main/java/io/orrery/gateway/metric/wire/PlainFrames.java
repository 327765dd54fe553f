package io.orrery.gateway.metric.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.FileDescriptor;
import io.netty.handler.codec.http.websocketx.WebSocket08FrameDecoder;
import io.vertx.core.http.HttpConnection;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a WebSocket that are one frame each, and not long, read from its bytes (RFC 6455,
 * section 5.2): all that come with one read are handed over in one go. Frames that control the
 * connection pass on to Vert.x; at any other one this handler leaves the connection to it for good.
 * Belongs to one event loop.
 */
public final class PlainFrames extends ChannelInboundHandlerAdapter {
  /** The receiver of messages. */
  public interface Taker {
    /**
     * Takes a message.
     *
     * @param bytes hold it between two places until this returns, and then something else
     */
    void take(byte[] bytes, int from, int to);

    /** All that came with one read has been taken. */
    void taken();

    /** A frame comes that controls the connection: a ping, or the close. */
    void control();

    /** There is room again for what is written. */
    void writable();
  }

  /** The state that the connections of one event loop share. */
  public static final class LoopState {
    private final byte[] bytes = new byte[PendingBytes.LONGEST_LOOK];
    private final ByteBuffer sip = ByteBuffer.allocateDirect(SIP);
    private final DeferredReads sweep;

    /**
     * @param sweep reads those that have time
     */
    public LoopState(DeferredReads sweep) {
      this.sweep = sweep;
    }
  }

  /** Bytes that are read in a sweep; who has more is read at once again. */
  private static final int SIP = 4 << 10;

  private static final int TEXT = 0x81;
  private static final int BINARY = 0x82;
  private static final int CONTROL = 0x88;
  private static final int MASKED = 0x80;
  private static final int SIZE = 0x7f;
  private static final int SHORT = 125;
  private static final int TWO_BYTES = 126;
  private static final int KEY = 4;

  /** More has to come. */
  private static final int MORE = -1;

  /** A frame that is not plain. */
  private static final int OTHER = -2;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final LoopState desk;
  private final PipelineAnchor front;
  private final Taker taker;
  private final PendingBytes held = new PendingBytes();
  private @Nullable ChannelHandlerContext here;

  /** Its place in the sweep, in which it is read; null when it is read at once. */
  private DeferredReads.@Nullable Registration seat;

  private boolean paused;
  private boolean going;

  /** Whether Vert.x was given anything since it was last told that a read is over. */
  private boolean passed;

  private PlainFrames(LoopState desk, PipelineAnchor front, Taker taker) {
    this.desk = desk;
    this.front = front;
    this.taker = taker;
  }

  /**
   * Reads what a WebSocket brings; called in the turn in which it has been opened.
   *
   * @param connection that has become it
   * @return null when all of it takes the ordinary way
   */
  public static @Nullable PlainFrames read(HttpConnection connection, LoopState desk, Taker taker) {
    PipelineAnchor front = PipelineAnchor.of(connection, WebSocket08FrameDecoder.class);
    if (front == null) {
      return null;
    }
    PlainFrames frames = new PlainFrames(desk, front, taker);
    front.put(frames);
    return frames;
  }

  /** No more messages, and no more reads, until {@link #resume}. */
  public void pause() {
    paused = true;
    hurry();
    if (here != null) {
      here.channel().config().setAutoRead(false);
    }
  }

  /** Goes on; nothing when it was not paused. */
  public void resume() {
    if (!paused) {
      return;
    }
    paused = false;
    ChannelHandlerContext ctx = here;
    if (ctx != null) {
      ctx.channel().config().setAutoRead(true);
      if (!going && !held.isEmpty()) {
        front.run(() -> go(ctx));
      }
    }
  }

  /**
   * Whether it may take a tenth of a second until a message is read.
   *
   * <p>Only where no handler before this one reads the connection, as TLS does.
   */
  public void atLeisure(boolean hasTime) {
    ChannelHandlerContext ctx = here;
    if (!hasTime) {
      hurry();
    } else if (seat == null && ctx != null && !paused && isFirst(ctx)) {
      seat = desk.sweep.join(ctx.channel(), () -> sip(ctx));
      if (seat != null) {
        ctx.channel().config().setAutoRead(false);
      }
    }
  }

  private boolean isFirst(ChannelHandlerContext ctx) {
    return equals(ctx.pipeline().first());
  }

  private void hurry() {
    DeferredReads.Registration left = seat;
    seat = null;
    if (left != null) {
      left.close();
      if (here != null) {
        here.channel().config().setAutoRead(true);
      }
    }
  }

  /** Reads what has come, in a sweep. */
  private void sip(ChannelHandlerContext ctx) {
    DeferredReads.Registration mine = seat;
    if (mine == null) {
      return;
    }
    int length = read(mine.fd());
    if (length > 0) {
      front.run(() -> taking(ctx, () -> sipped(ctx, length)));
      channelReadComplete(ctx);
    }
    if (length < 0 || length == SIP) {
      // The ordinary way finds its end, or all that there is.
      hurry();
    }
  }

  private int read(FileDescriptor socket) {
    try {
      return socket.read(desk.sip, 0, SIP);
    } catch (IOException e) {
      return -1;
    }
  }

  /** Nearly always whole messages, which need no buffer of their own. */
  private void sipped(ChannelHandlerContext ctx, int length) {
    byte[] bytes = desk.bytes;
    desk.sip.get(0, bytes, 0, length);
    int at = held.isEmpty() ? messages(bytes, length) : 0;
    if (at < length) {
      held.add(ctx, ctx.alloc().buffer(length - at).writeBytes(bytes, at, length - at));
      all(ctx);
    }
  }

  /** Whether a client that does not read should be told later. */
  public boolean isFull() {
    return here != null && !here.channel().isWritable();
  }

  /**
   * Writes a text message of ASCII.
   *
   * @return false when that is Vert.x's to do
   */
  public boolean write(String text) {
    ChannelHandlerContext ctx = here;
    if (ctx == null || text.length() > SHORT) {
      return false;
    }
    ByteBuf frame = ctx.alloc().buffer(2 + text.length());
    frame.writeByte(TEXT).writeByte(text.length());
    ByteBufUtil.writeAscii(frame, text);
    ctx.writeAndFlush(frame, ctx.voidPromise());
    return true;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    here = ctx;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    hurry();
    here = null;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf piece)) {
      passed = true;
      ctx.fireChannelRead(message);
      return;
    }
    held.add(ctx, piece);
    if (!paused && !going) {
      front.run(() -> go(ctx));
    }
  }

  /** A read of plain frames alone is nothing to those behind, and there are thousands of it. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (passed) {
      passed = false;
      ctx.fireChannelReadComplete();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    hurry();
    held.release();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.fireChannelWritabilityChanged();
    if (ctx.channel().isWritable()) {
      front.run(taker::writable);
    }
  }

  private void go(ChannelHandlerContext ctx) {
    taking(ctx, () -> all(ctx));
  }

  /** A pause and a resume meanwhile do not begin it anew. */
  private void taking(ChannelHandlerContext ctx, Runnable what) {
    going = true;
    try {
      what.run();
    } catch (RuntimeException e) {
      ctx.fireExceptionCaught(e);
    } finally {
      going = false;
    }
    taker.taken();
  }

  /** Deals with what is held. */
  private void all(ChannelHandlerContext ctx) {
    boolean more = false;
    while (!held.isEmpty() && !paused && !more) {
      more = !some(ctx);
    }
  }

  /**
   * Deals with as many frames as the desk has room for.
   *
   * @return false when more has to come
   */
  private boolean some(ChannelHandlerContext ctx) {
    byte[] bytes = desk.bytes;
    int length = held.look(bytes);
    int at = messages(bytes, length);
    int end = end(bytes, at, length);
    held.skip(at);
    if (end == OTHER) {
      passed = true;
      ByteBuf rest = held.all(ctx);
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(rest);
    } else if (end >= 0 && !paused) {
      passed = true;
      taker.control();
      ctx.fireChannelRead(held.cut(ctx, end - at));
    } else {
      return at > 0;
    }
    return true;
  }

  /** Takes the messages that come first; where they end. */
  private int messages(byte[] bytes, int length) {
    int at = 0;
    int end = end(bytes, 0, length);
    while (end >= 0 && !paused && !isControl(bytes[at])) {
      take(bytes, at, end);
      at = end;
      end = end(bytes, at, length);
    }
    return at;
  }

  private static boolean isControl(byte first) {
    return (first & CONTROL) == CONTROL;
  }

  /** Where the frame at a place ends, or {@link #MORE}, or {@link #OTHER}. */
  private static int end(byte[] bytes, int at, int length) {
    if (length - at < 2) {
      return MORE;
    }
    int first = bytes[at] & 0xff;
    int second = bytes[at + 1] & 0xff;
    int size = second & SIZE;
    boolean data = first == TEXT || first == BINARY;
    boolean known = data ? size <= TWO_BYTES : isControl(bytes[at]) && size <= SHORT;
    if (!known || (second & MASKED) == 0) {
      return OTHER;
    }
    int head = 2 + KEY;
    if (size == TWO_BYTES) {
      if (length - at < 4) {
        return MORE;
      }
      head += 2;
      size = ((bytes[at + 2] & 0xff) << 8) | (bytes[at + 3] & 0xff);
    }
    int end = at + head + size;
    return end <= length ? end : head + size > PendingBytes.LONGEST_LOOK ? OTHER : MORE;
  }

  private void take(byte[] bytes, int at, int end) {
    int from = at + 2 + KEY + ((bytes[at + 1] & SIZE) == TWO_BYTES ? 2 : 0);
    int key = (int) INTS.get(bytes, from - KEY);
    long twice = ((long) key << 32) | (key & 0xffffffffL);
    int place = from;
    for (; place <= end - Long.BYTES; place += Long.BYTES) {
      LONGS.set(bytes, place, (long) LONGS.get(bytes, place) ^ twice);
    }
    for (int shift = 24; place < end; place++, shift = (shift - 8) & 31) {
      bytes[place] ^= (byte) (key >>> shift);
    }
    taker.take(bytes, from, end);
  }
}
