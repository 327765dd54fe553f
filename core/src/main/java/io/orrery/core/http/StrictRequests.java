package io.orrery.core.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.orrery.core.json.Json;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A handler between the HTTP/1.1 codec and Vert.x that ends a connection with its first refused
 * request. A head that {@link HeadRules} refuses becomes one that failed to decode, so that Vert.x
 * gives it to the server's invalid-request handler when its turn to be answered has come; nothing
 * that comes behind it is read as a request. When the answer has been sent, the connection closes
 * in steps (RFC 9112 section 9.6): no more is written, and what still comes is thrown away for a
 * short while, so that the client gets to read the answer.
 *
 * <p>While sixteen requests wait for the answer of an earlier one (pipelining, RFC 9112 section
 * 9.3.2), the connection is not read: each would be kept as objects until its turn comes.
 *
 * <p>A body that is not in chunks is answered here, unless an answer has begun: Vert.x would close
 * the connection without an answer. An address in absolute form becomes one in origin form, and its
 * host the Host (RFC 9112 section 3.2.2).
 */
public final class StrictRequests extends ChannelDuplexHandler {
  /** How long, and for how many bytes, a client that was refused may go on sending. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private static final int MOST_DISCARDED = 1 << 20;

  private static final int MOST_WAITING = 16;

  private boolean first = true;
  private boolean refused;

  /** Requests that were read, and those whose answers have been written to their ends. */
  private int read;

  private int answered;

  /** Whether the head of an answer was written, and not yet its end. */
  private boolean answering;

  /** Whether an answer was written here: there is no other after it. */
  private boolean answeredHere;

  /** Whether the connection is not read because many requests wait. */
  private boolean held;

  private boolean lingering;
  private @Nullable ChannelPromise closing;
  private @Nullable Future<?> deadline;

  private StrictRequests() {}

  /** Watches a connection; called when it opens. Nothing happens to one of HTTP/2. */
  public static void watch(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      watch(base.channel().pipeline());
    }
  }

  /**
   * The same with later minor versions read as HTTP/1.1, whatever the request says of its body.
   *
   * @param options of the server that accepted the connection
   */
  public static void watch(HttpConnection connection, HttpServerOptions options) {
    if (connection instanceof ConnectionBase base) {
      watch(base.channel().pipeline(), options);
    }
  }

  /** The same for the connection of a pipeline; whether the pipeline speaks HTTP/1.1. */
  public static boolean watch(ChannelPipeline pipeline, HttpServerOptions options) {
    boolean watched = pipeline.get(StrictRequests.class) != null;
    boolean speaks = watch(pipeline);
    if (speaks && !watched) {
      LaterMinorVersions.into(pipeline, options);
    }
    return speaks;
  }

  /**
   * Watches the connection of a pipeline, unless it is watched already.
   *
   * @return whether the pipeline speaks HTTP/1.1
   */
  public static boolean watch(ChannelPipeline pipeline) {
    ChannelHandlerContext encoder = pipeline.context(HttpResponseEncoder.class);
    if (encoder == null) {
      return false;
    }
    if (pipeline.get(StrictRequests.class) == null) {
      pipeline.addAfter(encoder.name(), null, new StrictRequests());
    }
    return true;
  }

  /**
   * Reads nothing any more of a connection of HTTP/1.1 whose request is about to be refused; called
   * on its event loop. The connection is the caller's to close.
   */
  public static void end(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelPipeline pipeline = base.channel().pipeline();
      StrictRequests watching = pipeline.get(StrictRequests.class);
      if (watching != null) {
        watching.stop(pipeline);
      }
    }
  }

  /** How many requests were read whose answers are not written to their ends. */
  public int waiting() {
    return read - answered;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      judge(ctx, request);
      first = false;
      read++;
      // Again for each: others let the connection be read for reasons of theirs.
      if (waiting() > MOST_WAITING) {
        held = true;
        ctx.channel().config().setAutoRead(false);
      }
    } else if (message instanceof HttpContent body && body.decoderResult().isFailure()) {
      stop(ctx.pipeline());
      if (!answering && answered == read - 1) {
        answeredHere = true;
        // Vert.x closes the connection when it hears of it.
        ctx.writeAndFlush(answer(HeadFault.malformed("the body is not in chunks")))
            .addListener(written -> ctx.fireChannelRead(message));
        return;
      }
    }
    ctx.fireChannelRead(message);
  }

  private void judge(ChannelHandlerContext ctx, HttpRequest request) {
    if (request.decoderResult().isSuccess()) {
      HeadFault fault = HeadRules.fault(request);
      if (fault == null) {
        if (request.protocolVersion().minorVersion() > 1) {
          // What is newer is read as the newest that is known (RFC 9110 section 2.5).
          request.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        AbsoluteForm.toOrigin(request);
        H2cUpgrade.ignoreUnlessUsable(request, first);
        return;
      }
      request.setDecoderResult(DecoderResult.failure(new RefusedHeadException(fault)));
    }
    H2cUpgrade.ignore(request.headers());
    // The answer is of our version, whatever was said (RFC 9110 section 2.5).
    request.setProtocolVersion(HttpVersion.HTTP_1_1);
    stop(ctx.pipeline());
  }

  private void stop(ChannelPipeline pipeline) {
    if (!refused) {
      refused = true;
      if (pipeline.get(SslHandler.class) == null) {
        pipeline.addFirst(new Discard());
      }
    }
  }

  private static FullHttpResponse answer(HeadFault fault) {
    String body =
        Json.MAPPER
            .createObjectNode()
            .put("type", "/problems/" + fault.kind())
            .put("title", fault.title())
            .put("status", fault.status())
            .put("detail", fault.detail())
            .toString();
    FullHttpResponse answer =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(fault.status()),
            Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
    answer
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "application/problem+json")
        .set(HttpHeaderNames.CONTENT_LENGTH, answer.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    return answer;
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (answeredHere) {
      ReferenceCountUtil.release(message);
      promise.trySuccess();
      return;
    }
    if (!isInterim(message)) {
      answering |= message instanceof HttpResponse;
      if (message instanceof LastHttpContent) {
        answering = false;
        answered++;
        if (held && waiting() <= MOST_WAITING / 2) {
          readOn(ctx);
        }
      }
    }
    ctx.write(message, promise);
    if (message instanceof HttpResponse response
        && response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      // From here on it is another protocol.
      ctx.pipeline().remove(this);
    }
  }

  private void readOn(ChannelHandlerContext ctx) {
    held = false;
    ctx.channel().config().setAutoRead(true);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (held) {
      readOn(ctx);
    }
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (refused
        && !lingering
        && ctx.channel().isActive()
        && ctx.channel() instanceof DuplexChannel socket
        && ctx.pipeline().get(SslHandler.class) == null) {
      lingering = true;
      closing = promise;
      socket.shutdownOutput();
      socket.config().setAutoRead(true);
      deadline = ctx.executor().schedule(() -> ctx.close(promise), LINGER.toMillis(), MILLISECONDS);
    } else if (lingering && ctx.channel().isActive()) {
      ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
    } else {
      ctx.close(promise);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    Future<?> waiting = deadline;
    ChannelPromise promise = closing;
    if (waiting != null && promise != null && waiting.cancel(false)) {
      ctx.close(promise);
    }
    ctx.fireChannelInactive();
  }

  /** Throws away what comes behind a refused request before anything decodes it. */
  private static final class Discard extends ChannelInboundHandlerAdapter {
    private int left = MOST_DISCARDED;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof ByteBuf bytes) {
        left -= bytes.readableBytes();
      }
      ReferenceCountUtil.release(message);
      if (left < 0) {
        ctx.close();
      }
    }
  }
}
