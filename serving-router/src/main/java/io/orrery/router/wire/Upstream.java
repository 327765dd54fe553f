package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.orrery.router.policy.BodyDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection to an endpoint. It reads one answer at a time and tells the request: the head, the
 * bytes of the body as they come, the end. Bytes that were not asked for end the connection: behind
 * them no answer could be trusted to belong to its request.
 */
final class Upstream extends ChannelInboundHandlerAdapter {
  /** Heads with a status of 1xx before one answer. */
  private static final int MOST_INTERIMS = 32;

  /** Hears an answer. */
  interface Listener {
    /** Whether the answer has no body whatever its head says. */
    boolean askedForHead();

    /** A head that goes before that of the answer (1xx), good only during the call. */
    void interim(ResponseHead head);

    /** The head, which is good only during the call. */
    void head(ResponseHead head, boolean bodiless);

    /** Where the body is to be counted in, without its framing; asked once, after the head. */
    @Nullable BodyDigest digest();

    /** Whether it wants pieces of a chunked body with their framing. */
    default boolean framed() {
      return true;
    }

    /** A piece of the body; the listener owns it. */
    void piece(ByteBuf piece);

    /**
     * The trailers that may pass of a body whose framing the listener does not want.
     *
     * @param lines each with its line's end; each character is a byte
     */
    default void trailers(String lines) {}

    /** All of it has come; the connection is the listener's, to release. */
    void end();

    /** The answer will not come, or not to its end. */
    void broken();

    /** Nothing more is there to read at the moment. */
    void pause();

    /** The endpoint can take more of the request, or cannot for now. */
    void writable(boolean room);
  }

  private final Wire wire;
  private final Connections home;
  private final Channel channel;
  private @Nullable Listener listener;
  private @Nullable ByteBuf pending;
  private @Nullable Chunks chunks;
  private @Nullable BodyDigest digest;
  private boolean inBody;
  private int interims;
  private long left;
  private boolean used;

  /** Whether it broke, rather than being closed. */
  private boolean reset;

  /** Whether the endpoint has ended its TLS, and nothing was cut off. */
  private boolean ended;

  private boolean reusable = true;
  private boolean closed;

  /** Whose request it carries; null between requests. */
  @Nullable Pool user;

  long idleSince;

  Upstream(Wire wire, Connections home, Channel channel) {
    this.wire = wire;
    this.home = home;
    this.channel = channel;
  }

  /** The next answer is for this one. */
  void serve(Listener asking) {
    listener = asking;
    inBody = false;
    interims = 0;
  }

  void write(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  void flush() {
    channel.flush();
  }

  Channel channel() {
    return channel;
  }

  /** Bytes that wait for the endpoint. */
  long pending() {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    return out == null ? 0 : out.totalPendingWriteBytes();
  }

  boolean hasRoom() {
    return channel.isWritable();
  }

  /** Reads on, or lets the endpoint wait. */
  void reading(boolean on) {
    channel.config().setAutoRead(on);
  }

  /** Whether it has carried a request before: then its end may just be its age. */
  boolean used() {
    return used;
  }

  boolean closed() {
    return closed;
  }

  /** The exchange on it is over, and it may carry another. */
  void release() {
    used = true;
    if (!channel.config().isAutoRead()) {
      reading(true);
    }
    Pool using = user;
    if (reusable && !closed && using != null) {
      using.put(this);
    } else {
      discard();
    }
  }

  /** The exchange on it broke off; HTTP/1.1 has no way to go on after that. */
  void discard() {
    listener = null;
    home.forget(this);
    closed = true;
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (pending != null) {
      in = Bytes.join(ctx.alloc(), pending, in);
      pending = null;
    }
    Listener asking = listener;
    if (asking == null) {
      in.release();
      discard();
      return;
    }
    try {
      while (listener != null && in.isReadable() && (inBody ? body(in) : head(in))) {
        // Goes on for as long as there is something to make of what is there.
      }
      if (listener != null && in.isReadable()) {
        pending = in.retain();
      }
    } finally {
      in.release();
    }
    asking.pause();
  }

  /** Whether there was one. */
  private boolean head(ByteBuf in) {
    ResponseHead head = wire.responseHead();
    int end = wire.read(head, in);
    if (end < 0) {
      if (end == MessageHead.ODD || in.readableBytes() >= MessageHead.MOST_BYTES) {
        fail();
      }
      return false;
    }
    in.skipBytes(end);
    int status = head.status();
    if (status < 200) {
      // The router asked for no upgrade, and no answer needs that many.
      if (status == 101 || ++interims > MOST_INTERIMS) {
        fail();
      } else {
        asking().interim(head);
      }
      return true;
    }
    Listener asking = asking();
    boolean bodiless = asking.askedForHead() || status == 204 || status == 304;
    reusable = !head.closes();
    inBody = true;
    left = bodiless ? 0 : head.length();
    chunks = left == ResponseHead.CHUNKED ? new Chunks() : null;
    if (left == ResponseHead.UNTIL_CLOSED) {
      reusable = false;
    }
    asking.head(head, bodiless);
    digest = asking.digest();
    if (left == 0 && listener != null) {
      finish(in);
    }
    return true;
  }

  private boolean body(ByteBuf in) {
    Listener asking = asking();
    if (chunks != null) {
      return asking.framed() ? chunked(chunks, in, asking) : unframed(chunks, in, asking);
    }
    if (left == ResponseHead.UNTIL_CLOSED) {
      count(in, in.readableBytes());
      asking.piece(in.readRetainedSlice(in.readableBytes()));
      return true;
    }
    int here = (int) Math.min(left, in.readableBytes());
    left -= here;
    count(in, here);
    asking.piece(in.readRetainedSlice(here));
    if (left == 0 && listener != null) {
      finish(in);
    }
    return true;
  }

  /** Passes chunks as they are, when they are such, and those of the trailers that may pass. */
  private boolean chunked(Chunks framing, ByteBuf in, Listener asking) {
    int from = in.readerIndex();
    boolean inTrailers = framing.inTrailers();
    int data = framing.next(in);
    while (data > 0) {
      count(in, data);
      in.skipBytes(data);
      data = framing.next(in);
    }
    if (data == Chunks.FAULT) {
      fail();
      return false;
    }
    boolean ends = data == Chunks.END;
    if (ends && !inTrailers && !framing.hasTrailers()) {
      asking.piece(in.retainedSlice(from, in.readerIndex() - from));
    } else {
      int trailers =
          inTrailers ? from : framing.inTrailers() ? framing.trailersFrom() : in.readerIndex();
      asking.piece(in.retainedSlice(from, trailers - from));
      if (ends) {
        asking.piece(Bytes.trailers(channel.alloc(), framing.passingTrailers()));
      }
    }
    if (ends && listener != null) {
      finish(in);
    }
    return true;
  }

  /** Passes what is in the chunks, and those of the trailers that may pass. */
  private boolean unframed(Chunks framing, ByteBuf in, Listener asking) {
    int data = framing.next(in);
    while (data > 0 && listener != null) {
      count(in, data);
      asking.piece(in.readRetainedSlice(data));
      data = framing.next(in);
    }
    if (listener == null) {
      return false;
    }
    if (data == Chunks.FAULT) {
      fail();
      return false;
    }
    if (data == Chunks.END) {
      if (framing.hasTrailers()) {
        asking.trailers(framing.passingTrailers());
      }
      finish(in);
    }
    return true;
  }

  private void count(ByteBuf in, int bytes) {
    BodyDigest counted = digest;
    if (counted != null) {
      counted.add(in.nioBuffer(in.readerIndex(), bytes));
    }
  }

  private Listener asking() {
    return Objects.requireNonNull(listener);
  }

  private void finish(ByteBuf in) {
    if (in.isReadable()) {
      reusable = false;
    }
    Listener asking = asking();
    listener = null;
    inBody = false;
    asking.end();
  }

  private void fail() {
    Listener asking = listener;
    if (asking != null) {
      listener = null;
      reusable = false;
      asking.broken();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closed = true;
    home.forget(this);
    if (pending != null) {
      pending.release();
      pending = null;
    }
    if (listener != null && inBody && left == ResponseHead.UNTIL_CLOSED && isWhole()) {
      Listener asking = asking();
      listener = null;
      asking.end();
      asking.pause();
    } else {
      fail();
    }
  }

  /** Whether its end is the endpoint's, not that of a connection (RFC 9112 section 9.8). */
  private boolean isWhole() {
    return ended || (!reset && channel.pipeline().get(SslHandler.class) == null);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent end) {
      ended = end.isSuccess();
      if (listener == null) {
        // It would get a request that cannot be answered.
        discard();
      } else {
        ctx.close();
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (listener != null) {
      listener.writable(channel.isWritable());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // What follows is that it is closed, which is where that is handled; but nothing ends so.
    reset = true;
    ctx.close();
  }
}
