package io.orrery.router.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.orrery.router.policy.WorkTurns;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A handler before the codec of HTTP/2 that gives it what was read in slices, as long as there is
 * time in this turn of the event loop, and keeps the rest for the next ones; meanwhile the
 * connection is not read. Slices become smaller while they take long, as those full of requests do,
 * and larger while they do not, as bodies do.
 */
final class PacedFrames extends ChannelDuplexHandler implements WorkTurns.Work {
  private static final int FEWEST_BYTES = 64;
  private static final int MOST_BYTES = 32 * 1024;
  private static final int FIRST_BYTES = 1024;

  /** A slice that takes longer is followed by a smaller one. */
  private static final long LONG_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final WorkTurns turns;
  private final String client;
  private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>(1);
  private @Nullable ChannelHandlerContext context;
  private int size = FIRST_BYTES;
  private boolean over;

  /**
   * @param client whose turn it is together with that of its other connections
   */
  PacedFrames(WorkTurns turns, String client) {
    this.turns = turns;
    this.client = client;
  }

  @Override
  public String client() {
    return client;
  }

  /** Whether something that was read waits for its turn. */
  @Override
  public boolean waits() {
    return !kept.isEmpty();
  }

  /** Throws away what waits and what still comes. */
  void end() {
    over = true;
    kept.forEach(ByteBuf::release);
    kept.clear();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    end();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    end();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    if (waits()) {
      kept.addLast(bytes);
      return;
    }
    while (bytes.isReadable() && turns.hasTime() && !over) {
      turns.spend(() -> slice(ctx, bytes));
    }
    if (bytes.isReadable() && !over) {
      kept.addLast(bytes);
      ctx.channel().config().setAutoRead(false);
      turns.queue(this, ctx.channel().eventLoop());
    } else {
      bytes.release();
    }
  }

  /**
   * Reads nothing more while something waits: the codec asks for the next read after each slice
   * where the connection is not read by itself.
   */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (!waits()) {
      ctx.read();
    }
  }

  /** Handles one slice of what waits. */
  @Override
  public boolean goOn() {
    ChannelHandlerContext ctx = Objects.requireNonNull(context);
    ByteBuf bytes = kept.getFirst();
    slice(ctx, bytes);
    if (!bytes.isReadable() && !over) {
      kept.removeFirst().release();
    }
    boolean done = kept.isEmpty();
    ctx.fireChannelReadComplete();
    if (done && !over) {
      ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    }
    return kept.isEmpty();
  }

  private void slice(ChannelHandlerContext ctx, ByteBuf bytes) {
    long began = turns.now();
    ctx.fireChannelRead(bytes.readRetainedSlice(Math.min(size, bytes.readableBytes())));
    long took = turns.now() - began;
    size = took > LONG_NANOS ? Math.max(size / 2, FEWEST_BYTES) : Math.min(size * 2, MOST_BYTES);
  }
}
