package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Error;
import io.orrery.router.health.EndpointState;
import io.orrery.router.route.Limits;
import io.orrery.router.route.OriginAccess;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Service;
import io.vertx.core.MultiMap;
import io.vertx.core.http.GoAway;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.HostAndPort;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at one endpoint: a connection, the request on it, an answer or a failure. Its exchange
 * hears of one of these, and of nothing any more once it has dropped the attempt.
 */
final class Attempt implements Pool.Waiter {
  /** How long an endpoint is left to say that it wants the body (RFC 9110 section 10.1.1). */
  private static final Duration CONTINUE = Duration.ofSeconds(1);

  /** Heads with a status of 1xx that are passed on before one answer. */
  private static final int MOST_INTERIMS = 32;

  /** The kinds of attempts. */
  enum Kind {
    REQUEST,
    /** A request that asks for another protocol. */
    UPGRADE,
    /** A request that is under way to another endpoint as well. */
    HEDGE
  }

  private final HttpLoop lane;
  private final Call call;
  private final Upload upload;
  private final Kind kind;
  private final EndpointState endpoint;
  private final int cost;
  private final AttemptListener listener;
  private boolean waits = true;
  private boolean left;
  private boolean faulty;
  private boolean bodyAsked;
  private int interims;
  private long askedAt;
  private @Nullable Link link;
  private @Nullable Pool pool;
  private @Nullable HttpClientRequest upstream;

  /**
   * @param cost what the request adds to the load of the endpoint besides itself
   */
  Attempt(
      HttpLoop lane,
      Call call,
      Upload upload,
      Kind kind,
      EndpointState endpoint,
      int cost,
      AttemptListener listener) {
    this.lane = lane;
    this.call = call;
    this.upload = upload;
    this.kind = kind;
    this.endpoint = endpoint;
    this.listener = listener;
    this.cost = cost;
    this.askedAt = lane.nanos();
  }

  void begin() {
    endpoint.begin(lane.loop().number(), cost);
    Service service = call.target().service();
    Limits limits = service.limits();
    pool = lane.upstreams().pool(endpoint);
    pool.acquire(
        this,
        network(),
        lane.share(limits.connections()),
        kind == Kind.HEDGE ? 0 : lane.share(limits.pending()),
        service.timeouts().connect(),
        askedAt);
  }

  /** Whether an attempt has a connection that others wait for. */
  static boolean isWanted(@Nullable Attempt on) {
    Pool from = on == null || on.link == null ? null : on.pool;
    return from != null && from.crowded();
  }

  EndpointState endpoint() {
    return endpoint;
  }

  /** The endpoint's connection as bytes, where it is not shared; null otherwise. */
  @Nullable Channel channel() {
    return link == null ? null : link.channel();
  }

  /** Since when the endpoint is waited for, nanoseconds. */
  long askedAt() {
    return askedAt;
  }

  /** The whole request is on its way: from now on the endpoint is waited for. */
  void sent(long now) {
    askedAt = now;
  }

  /** Whether it still waits for a connection or an answer. */
  @Override
  public boolean waits() {
    return waits;
  }

  @Override
  public void crowdedOut() {
    waits = false;
    leave();
    listener.crowdedOut();
  }

  private String network() {
    return call.facts().client().network();
  }

  @Override
  public boolean hasFew(int most) {
    return lane.loop().hasFew(network(), call.target(), most);
  }

  @Override
  public void unconnected(Throwable cause) {
    waits = false;
    judge(false);
    listener.unconnected();
  }

  @Override
  public void connected(Link newLink) {
    link = newLink;
    newLink.join(this);
    // One of HTTP/2 that others share may stay and refuse every request; a new one is a sign.
    if (newLink.channel() != null || !newLink.used()) {
      call.target().reached();
    }
    newLink
        .connection()
        .request(new RequestOptions().setMethod(call.method()).setURI(call.uri()))
        .onComplete(made -> {
          if (!waits) {
            return;
          }
          if (made.succeeded()) {
            send(made.result());
          } else {
            // It closed before anything was sent on it.
            drop();
            listener.unanswered(Retries.Cause.CONNECT_FAILURE);
          }
        });
  }

  private void send(HttpClientRequest to) {
    upstream = to;
    askedAt = lane.nanos();
    HttpServerRequest request = call.facts().request();
    boolean http2 = call.target().service().protocol() == Service.Protocol.H2C;
    HeaderRules.request(request, to.headers(), call.authority(), call.facts().peer(), http2);
    call.tellPrefix(to.headers());
    OriginAccess access = call.owner().service().access();
    if (access != null) {
      HeaderRules.guarded(to.headers(), lane.loop().guard().authorization(call.owner(), access));
    }
    if (http2) {
      to.authority(HostAndPort.parseAuthority(call.authority(), -1));
    }
    to.exceptionHandler(failure -> {
      // Told by the response as well, which is where it is handled.
    });
    if (kind == Kind.UPGRADE) {
      to.putHeader(HttpHeaders.CONNECTION, "Upgrade");
      to.putHeader(
          HttpHeaders.UPGRADE, String.join(", ", request.headers().getAll(HttpHeaders.UPGRADE)));
      to.connect().onSuccess(this::answered).onFailure(this::unanswered);
      return;
    }
    to.response().onSuccess(this::answered).onFailure(this::unanswered);
    if (upload.asksFirst()) {
      to.putHeader(HttpHeaders.EXPECT, HttpHeaders.CONTINUE);
      if (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
        to.setChunked(true);
      }
      to.sendHead();
    } else if (kind == Kind.HEDGE) {
      upload.alsoTo(to);
    } else {
      upload.to(to);
    }
  }

  private void answered(HttpClientResponse from) {
    if (waits) {
      waits = false;
      if (link != null) {
        link.heard(from);
      }
      boolean readable = HeaderRules.isUnderstood(from, kind == Kind.UPGRADE);
      judge(readable && from.statusCode() < 500);
      if (readable) {
        listener.answered(from);
      } else {
        from.exceptionHandler(ended -> {
          // Nothing of it is read, its end neither.
        });
        listener.unreadable();
      }
    }
  }

  private void unanswered(Throwable cause) {
    if (!waits) {
      return;
    }
    boolean unprocessed = isUnprocessed(cause);
    boolean stale = link != null && link.used();
    drop();
    // A connection that has carried requests may just have been too old; that is no fault.
    if (!stale) {
      judge(false);
    }
    listener.unanswered(unprocessed ? Retries.Cause.CONNECT_FAILURE : Retries.Cause.RESET);
  }

  /**
   * Whether an endpoint of HTTP/2 has said that it has done nothing of the request: it refused its
   * stream, or goes away with an earlier one as its last (RFC 9113 section 8.7).
   */
  private boolean isUnprocessed(Throwable cause) {
    HttpClientRequest sent = upstream;
    return switch (cause) {
      case StreamResetException reset -> reset.getCode() == Http2Error.REFUSED_STREAM.code();
      case HttpClosedException closed -> {
        GoAway last = closed.goAway();
        yield last != null && sent != null && sent.streamId() > last.getLastStreamId();
      }
      default -> false;
    };
  }

  /** Whether a stream of HTTP/2 carries it. */
  boolean isOf(int stream) {
    return upstream != null && upstream.streamId() == stream;
  }

  /**
   * A head came before the answer. It goes to the client (RFC 9110 section 15.2), unless that one
   * does not even read its answers.
   */
  void interim(int status, MultiMap fields) {
    if (status == HttpResponseStatus.CONTINUE.code() && upload.asksFirst()) {
      takeBody();
      return;
    }
    HttpServerRequest request = call.facts().request();
    HttpServerResponse to = request.response();
    boolean takes =
        request.version() != HttpVersion.HTTP_1_0 && !to.headWritten() && !to.writeQueueFull();
    if (waits && takes && kind != Kind.HEDGE && ++interims <= MOST_INTERIMS) {
      MultiMap passing = MultiMap.caseInsensitiveMultiMap();
      HeaderRules.response(fields, passing);
      passing.remove(HttpHeaders.CONTENT_LENGTH);
      call.facts().peer().interim(request, status, passing);
    }
  }

  /** Asks the client for the body if the endpoint has been silent about it for long enough. */
  void check(long now) {
    if (upload.asksFirst() && now - askedAt > CONTINUE.toNanos()) {
      takeBody();
    }
  }

  private void takeBody() {
    HttpClientRequest to = upstream;
    if (!bodyAsked && waits && to != null) {
      bodyAsked = true;
      call.facts().request().response().writeContinue();
      upload.to(to);
    }
  }

  /** Whether the client sends and the endpoint takes a body just now. */
  boolean bodyFlows() {
    return upstream != null && !upload.sent() && !upload.repeatable();
  }

  /**
   * Whether another attempt may follow, because that is safe and allowed; takes it out of the
   * budget.
   *
   * @param attempts how many there have been
   */
  boolean mayRepeat(Retries.Cause cause, int attempts) {
    Retries retries = call.target().service().retries();
    boolean safe = cause == Retries.Cause.CONNECT_FAILURE || call.isIdempotent();
    if (attempts > retries.attempts() || !retries.on().contains(cause) || !safe) {
      return false;
    }
    if (!lane.budget(call.target()).withdraw(lane.nanos())) {
      lane.meters().retryWithheld();
      return false;
    }
    return true;
  }

  /** The endpoint did well, or did not; of one attempt, one fault counts. */
  void judge(boolean good) {
    if (!faulty) {
      faulty = !good;
      call.target().answered(endpoint, good, lane.now());
    }
  }

  /** All has been said: the connection may carry another request, if it still speaks HTTP. */
  void release() {
    waits = false;
    Link free = link;
    link = null;
    if (free == null) {
      return;
    }
    free.part(this);
    if (kind == Kind.UPGRADE) {
      free.discard();
    } else {
      free.release();
    }
  }

  /** Nothing more is wanted of it. */
  void drop() {
    drop(Http2Error.NO_ERROR);
  }

  /** Another endpoint has answered; this one did neither well nor badly. */
  void cancel() {
    drop(Http2Error.CANCEL);
    leave();
  }

  private void drop(Http2Error why) {
    waits = false;
    HttpClientRequest running = upstream;
    upstream = null;
    Link broken = link;
    link = null;
    if (running != null) {
      running.reset(why.code());
    }
    if (broken != null) {
      broken.part(this);
      broken.discard();
    }
  }

  /** The endpoint has this one less to do. */
  void leave() {
    if (!left) {
      left = true;
      endpoint.end(lane.loop().number(), cost);
    }
  }
}
