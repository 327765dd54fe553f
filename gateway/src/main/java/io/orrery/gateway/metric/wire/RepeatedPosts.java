package io.orrery.gateway.metric.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a connection that repeat one that was served before: their heads are the same,
 * byte for byte, but for the digits of the Content-Length. Such a request would be admitted as that
 * one was; so its body is handed over at once and its answer written as bytes.
 *
 * <p>All others take the ordinary way: the first one, whose head is kept; one that cannot be
 * answered well, with its {@link #failure}, as the ordinary way has the words for it; one that
 * comes in many pieces, or while another is on that way. At a head that is not plain, or of no POST
 * to the path, this handler leaves the connection to Vert.x for good. Belongs to one event loop.
 */
public final class RepeatedPosts extends ChannelDuplexHandler {
  /** The receiver of bodies. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes a body.
     *
     * @param bytes hold it between two places until this returns, and then something else
     * @return the JSON text of the answer, on the event loop
     */
    Future<Buffer> take(byte[] bytes, int from, int to);
  }

  /** The state that the connections of one event loop share. */
  public static final class LoopState {
    private final byte[] requestLine;
    private final byte[] answer;
    private final byte[] bytes = new byte[PendingBytes.LONGEST_LOOK];

    /** Bytes of requests that are with their takers. */
    private long taken;

    /**
     * @param path whose POSTs may be repeated
     * @param fields the lines that every answer has, each with its CRLF
     */
    public LoopState(String path, String fields) {
      requestLine = ascii("POST " + path + " HTTP/1.1\r\n");
      answer =
          ascii(
              "HTTP/1.1 200 OK\r\n"
                  + fields
                  + "content-type: application/json\r\ncontent-length: ");
    }
  }

  private static final int LONGEST_HEAD = 4 << 10;

  /**
   * Bytes of a request whose rest is waited for here; of a longer one the ordinary way counts them.
   */
  private static final int LONGEST_WAIT = 8 << 10;

  /** Bytes with takers at once; with more, requests take the ordinary way, which refuses them. */
  private static final int MOST_TAKEN = 32 << 20;

  private static final byte[] EMPTY_LINE = ascii("\r\n\r\n");

  private final LoopState desk;
  private final PipelineAnchor front;
  private final Runnable used;
  private final PendingBytes held = new PendingBytes();

  /** The last one that was not repeated. */
  private @Nullable PostHead head;

  /** Takes what repeats it; null until that has been admitted. */
  private @Nullable Taker taker;

  /** Bytes of a body that are still to come and take the ordinary way. */
  private int passing;

  /** Requests that took the ordinary way and have no answer yet. */
  private int ordinary;

  /** Whether more was waited for once. */
  private boolean waited;

  /** Whether a request is with its taker. */
  private boolean busy;

  private boolean going;
  private @Nullable Throwable failure;
  private @Nullable ChannelPromise closing;

  private RepeatedPosts(LoopState desk, PipelineAnchor front, Runnable used) {
    this.desk = desk;
    this.front = front;
    this.used = used;
  }

  /**
   * Watches a connection from its opening on.
   *
   * @param used is told whenever a request has been served here
   */
  public static void watch(HttpConnection connection, LoopState desk, Runnable used) {
    PipelineAnchor front = PipelineAnchor.of(connection, HttpRequestDecoder.class);
    if (front != null) {
      front.put(new RepeatedPosts(desk, front, used));
    }
  }

  /** Those of a connection; null when all that it carries takes the ordinary way. */
  public static @Nullable RepeatedPosts of(HttpConnection connection) {
    return PipelineAnchor.find(connection, RepeatedPosts.class);
  }

  /**
   * Says that a request has been admitted that took the ordinary way.
   *
   * @param repeats takes the bodies of those that repeat it
   */
  public void admitted(HttpServerRequest request, Taker repeats) {
    if (ordinary == 0) {
      // It came before this handler did.
      return;
    }
    if (ordinary == 1 && taker == null) {
      taker = repeats;
    }
    request.response().bodyEndHandler(written -> ordinary--);
  }

  /** Why the request that takes the ordinary way could not be answered here; null when it could. */
  public @Nullable Throwable failure() {
    Throwable known = failure;
    failure = null;
    return known;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf piece)) {
      ctx.fireChannelRead(message);
      return;
    }
    held.add(ctx, piece);
    if (busy) {
      ctx.channel().config().setAutoRead(false);
    } else if (passing > 0) {
      front.run(() -> go(ctx));
    }
  }

  /** What there was has been read, however small the pieces were in which it was. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!held.isEmpty() && !busy) {
      front.run(() -> go(ctx));
    }
    ctx.fireChannelReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    held.release();
    ctx.fireChannelInactive();
  }

  /** An answer that is on its way goes out first. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (!busy) {
      ctx.close(promise);
    } else if (closing == null) {
      closing = promise;
    } else {
      closing.addListener(closed -> promise.trySuccess());
    }
  }

  private void go(ChannelHandlerContext ctx) {
    going = true;
    try {
      boolean more = false;
      while (!held.isEmpty() && !busy && !more) {
        more = !step(ctx);
      }
    } catch (RuntimeException e) {
      ctx.fireExceptionCaught(e);
    } finally {
      going = false;
    }
  }

  /**
   * Deals with what is first of what has come.
   *
   * @return false when more has to come
   */
  private boolean step(ChannelHandlerContext ctx) {
    if (passing > 0) {
      ByteBuf some = held.cut(ctx, passing);
      passing -= some.readableBytes();
      ctx.fireChannelRead(some);
      return true;
    }
    byte[] bytes = desk.bytes;
    int length = held.look(bytes);
    PostHead known = head;
    int body = known == null ? PostHead.NONE : known.repeated(bytes, length);
    if (known == null || body == PostHead.NONE) {
      return learn(ctx, length);
    }
    int end = body + known.bodyLength(bytes, body);
    Taker willing = taker;
    // Vert.x keeps what it cannot write yet, and would be overtaken.
    boolean ordered = ordinary == 0 && ctx.channel().isWritable();
    boolean late = end > length && (waited || end > LONGEST_WAIT);
    if (willing == null
        || !ordered
        || late
        || end > bytes.length
        || desk.taken + end > MOST_TAKEN) {
      pass(end);
      return true;
    }
    if (end > length) {
      waited = true;
      return false;
    }
    take(ctx, willing, held.cut(ctx, end), body, end);
    return true;
  }

  /** A head that repeats none: takes the ordinary way, and may be repeated. */
  private boolean learn(ChannelHandlerContext ctx, int length) {
    byte[] bytes = desk.bytes;
    byte[] line = desk.requestLine;
    int begun = Math.min(length, line.length);
    boolean post = Arrays.equals(bytes, 0, begun, line, 0, begun);
    int end = PostHead.end(bytes, Math.min(length, LONGEST_HEAD));
    if (post && end == PostHead.NONE && length < LONGEST_HEAD && !waited) {
      waited = true;
      return false;
    }
    PostHead read = post && end != PostHead.NONE ? PostHead.read(bytes, line.length, end) : null;
    if (read == null) {
      ByteBuf rest = held.all(ctx);
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(rest);
      return true;
    }
    head = read;
    taker = null;
    pass(end + read.bodyLength());
    return true;
  }

  /** The next request takes the ordinary way. */
  private void pass(int length) {
    waited = false;
    failure = null;
    passing = length;
    ordinary++;
  }

  private void take(ChannelHandlerContext ctx, Taker willing, ByteBuf request, int body, int end) {
    waited = false;
    busy = true;
    desk.taken += end;
    Future<Buffer> answer;
    try {
      answer = willing.take(desk.bytes, body, end);
    } catch (RuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer.onComplete((text, failed) -> {
      desk.taken -= end;
      answered(ctx, request, text, failed);
    });
  }

  private void answered(
      ChannelHandlerContext ctx,
      ByteBuf request,
      @Nullable Buffer text,
      @Nullable Throwable failed) {
    busy = false;
    if (text != null) {
      request.release();
      used.run();
      ctx.writeAndFlush(written(ctx, text), ctx.voidPromise());
    } else {
      failure = failed;
      ordinary++;
      ctx.fireChannelRead(request);
      ctx.fireChannelReadComplete();
    }
    if (closing != null) {
      ctx.close(closing);
    } else if (!going && !held.isEmpty()) {
      ctx.channel().config().setAutoRead(true);
      front.run(() -> go(ctx));
      ctx.fireChannelReadComplete();
    }
  }

  private ByteBuf written(ChannelHandlerContext ctx, Buffer text) {
    byte[] length = ascii(Integer.toString(text.length()));
    return ctx.alloc()
        .buffer(desk.answer.length + length.length + EMPTY_LINE.length + text.length())
        .writeBytes(desk.answer)
        .writeBytes(length)
        .writeBytes(EMPTY_LINE)
        .writeBytes(text.getBytes());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
