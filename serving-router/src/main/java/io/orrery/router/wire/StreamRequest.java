package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.orrery.router.policy.MemoryBudget;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.ClientAddress;
import io.orrery.router.route.ClientLimits;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A stream of HTTP/2 with one plain request. What is written for it waits in the codec until the
 * client has room, and is counted until then; while there is too much of it the endpoint waits.
 */
final class StreamRequest implements Requester, MemoryBudget.Owner {
  /** Bytes of a request that are not worth counting. */
  private static final int FEW = 8 * 1024;

  private final Streams streams;
  private final HttpServerRequest request;
  private final int id;
  private final MemoryBudget.Stream memory;

  /** Bytes of the body that have not come. */
  private long left;

  /** The piece with which the body is whole, until the stream says so as well. */
  private @Nullable ByteBuf last;

  private @Nullable Relay relay;

  /** Bytes that wait for the client. */
  private long waiting;

  private boolean full;

  /** Whether the answer is written to its end. */
  private boolean ended;

  /** Whether the relay has cut it off, and is not to hear of it. */
  private boolean closing;

  private boolean gone;

  /**
   * @param length of the body
   */
  StreamRequest(Streams streams, HttpServerRequest request, long length) {
    this.streams = streams;
    this.request = request;
    this.id = request.streamId();
    this.left = length;
    this.memory = streams.memory().stream(this);
  }

  /** Sets out. */
  void begin(Relay with) {
    relay = with;
    streams.listener().begun();
    request.response().closeHandler(closed -> gone());
    if (left > 0) {
      request.handler(piece -> take(Unpooled.wrappedBuffer(piece.getBytes())));
      request.endHandler(end -> whole());
    }
    with.begin();
    keep(relay == null ? 0 : with.kept());
  }

  private void take(ByteBuf piece) {
    if (!piece.isReadable()) {
      // A frame may be empty, and often the last one is: the end of the stream tells the rest.
      return;
    }
    left -= piece.readableBytes();
    if (left <= 0) {
      last = piece;
    } else {
      pass(piece);
    }
  }

  private void whole() {
    ByteBuf piece = last;
    if (piece != null) {
      last = null;
      pass(piece);
    }
  }

  private void pass(ByteBuf piece) {
    Relay taking = relay;
    if (taking != null) {
      taking.take(piece);
      keep(taking.kept());
    }
  }

  private void keep(long bytes) {
    long kept = bytes < FEW ? 0 : bytes;
    if (kept != memory.kept()) {
      memory.keep(kept - memory.kept());
    }
  }

  /** The stream is closed, after its answer or without one. */
  private void gone() {
    gone = true;
    Relay running = relay;
    if (running != null && !closing) {
      running.clientGone();
    }
  }

  // ---- what is written

  /** Writes a head or trailers. */
  void head(Http2Headers head, boolean end) {
    ended = end;
    if (gone) {
      return;
    }
    ChannelHandlerContext codec = streams.codec();
    ChannelPromise written = codec.newPromise();
    streams.http2().encoder().writeHeaders(codec, id, head, 0, end, written);
    written.addListener(done -> {
      if (!done.isSuccess()) {
        // One that is longer than the client takes.
        reset(Http2Error.INTERNAL_ERROR);
      }
    });
  }

  /** Writes a piece of the body, and releases it. */
  void data(ByteBuf piece, boolean end) {
    ended = end;
    if (gone) {
      piece.release();
      return;
    }
    int bytes = piece.readableBytes();
    ChannelHandlerContext codec = streams.codec();
    ChannelPromise written = codec.newPromise();
    streams.http2().encoder().writeData(codec, id, piece, 0, end, written);
    if (bytes > 0 && !written.isDone()) {
      waiting += bytes;
      memory.hold(bytes);
      full = waiting >= ClientLimits.STREAM;
      written.addListener(done -> taken(bytes));
    }
  }

  private void taken(int bytes) {
    waiting -= bytes;
    memory.taken(bytes);
    if (full && isWritable()) {
      full = false;
      resume();
    }
  }

  void flush() {
    streams.http2().flush(streams.codec());
  }

  /** Whether the answer is written to its end. */
  boolean ended() {
    return ended;
  }

  private void reset(Http2Error why) {
    Http2ConnectionHandler http2 = streams.http2();
    // One that the client has reset is not reset in return (RFC 9113 section 5.4.2).
    if (!gone && http2.connection().stream(id) != null) {
      ChannelHandlerContext codec = streams.codec();
      http2.resetStream(codec, id, why.code(), codec.newPromise());
      http2.flush(codec);
    }
  }

  // ---- what the memory's budget asks

  /** There is room again. */
  @Override
  public void resume() {
    Relay running = relay;
    if (running != null) {
      running.clientWritable(isWritable());
    }
  }

  @Override
  public void cut() {
    reset(Http2Error.ENHANCE_YOUR_CALM);
  }

  // ---- what the relay asks

  @Override
  public ClientAddress address() {
    return streams.address();
  }

  @Override
  public ByteBufAllocator alloc() {
    return streams.codec().alloc();
  }

  @Override
  public boolean isWritable() {
    return waiting < ClientLimits.STREAM;
  }

  @Override
  public boolean isRead() {
    return streams.codec().channel().config().isAutoRead();
  }

  @Override
  public boolean hasRoom() {
    return memory.hasRoom();
  }

  @Override
  public boolean taking() {
    return false;
  }

  /** What has come has been used. */
  @Override
  public void more() {}

  /** A body that is gathered has somewhere to go. */
  @Override
  public void holdBack(boolean hold) {}

  @Override
  public boolean takesChunks() {
    return false;
  }

  @Override
  public void interim(ResponseHead head) {
    head(StreamHeads.of(head, null), false);
    flush();
  }

  /** The last of a connection is told by its GOAWAY. */
  @Override
  public Answer answer(ResponseHead head, boolean bodiless, boolean isLast) {
    return new StreamAnswer(this, StreamHeads.of(head, streams.wire().loop().date()));
  }

  @Override
  public void deny(RouterProblem denial, boolean silent, boolean isLast) {
    byte[] body = denial.json().getBytes(StandardCharsets.UTF_8);
    head(StreamHeads.denial(denial, body.length, streams.wire().loop().date()), silent);
    if (!silent) {
      data(Unpooled.wrappedBuffer(body), true);
    }
    flush();
    if (isLast && (left > 0 || last != null)) {
      // The answer has been written, and the client is asked to send no more (RFC 9113 8.1).
      close();
    }
  }

  @Override
  public void close() {
    closing = true;
    reset(ended ? Http2Error.NO_ERROR : Http2Error.INTERNAL_ERROR);
  }

  @Override
  public void done() {
    relay = null;
    keep(0);
    streams.listener().over();
  }
}
