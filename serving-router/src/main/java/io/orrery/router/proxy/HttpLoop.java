package io.orrery.router.proxy;

import io.netty.handler.codec.http2.Http2Error;
import io.orrery.core.http.HeadFault;
import io.orrery.core.http.StrictRequests;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.Admitted;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.AttemptBudget;
import io.orrery.router.policy.DateField;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.PassGuard;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.OriginAccess;
import io.orrery.router.route.Picker;
import io.orrery.router.route.UploadRate;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.telemetry.Meters.Refusal;
import io.orrery.router.wire.Mount;
import io.orrery.router.wire.Wire;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state of one event loop: the connections in and out, the exchanges, the shadows' copies. A
 * request is judged, routed and counted here before it becomes an {@link Exchange}.
 */
final class HttpLoop {
  static final int CHUNK_BYTES = 128 * 1024;
  static final int HEADER_BYTES = 64 * 1024;

  /** Bytes of a request line. */
  static final int LINE_BYTES = 16 * 1024;

  private static final int SWEEP_TICKS = 10;

  private final Vertx vertx;
  private final Loop loop;
  private final Wire wire;
  private final Mount mount;
  private final HttpServerOptions options;
  private final Upstreams upstreams;
  private final Upstreams shadowUpstreams;
  private final Mirror mirror;
  private final TrailerWriter trailers;
  private final IdentityHashMap<HttpConnection, Peer> peers = new IdentityHashMap<>();
  private @Nullable Exchange first;
  private int ticks;

  /**
   * @param wire takes plain requests of HTTP/2 first
   * @param options of the server whose connections come here
   */
  HttpLoop(Vertx vertx, Loop loop, Wire wire, Mount mount, HttpServerOptions options) {
    this.vertx = vertx;
    this.loop = loop;
    this.wire = wire;
    this.mount = mount;
    this.options = options;
    this.trailers = new TrailerWriter(mount);
    this.upstreams = new Upstreams(vertx, mount, loop.turns());
    this.shadowUpstreams = new Upstreams(vertx, mount, loop.turns());
    this.mirror = new Mirror(shadowUpstreams, trailers, loop);
    loop.counts(this::requests);
  }

  private int requests(String network, String version) {
    int count = 0;
    for (Exchange each = first; each != null; each = each.after) {
      count += each.call.isOf(network, version) ? 1 : 0;
    }
    return count;
  }

  Future<Void> close() {
    return Future.join(upstreams.close(), shadowUpstreams.close()).mapEmpty();
  }

  /**
   * Time passes.
   *
   * @param newTable whether another table is in force than at the last tick
   */
  void tick(boolean newTable) {
    long now = loop.now();
    for (Exchange exchange = first; exchange != null; ) {
      Exchange following = exchange.after;
      exchange.check(now);
      exchange = following;
    }
    mirror.sweep(now);
    if (newTable) {
      upstreams.keep(loop.table());
      shadowUpstreams.keep(loop.table());
    }
    if (++ticks % SWEEP_TICKS == 0) {
      upstreams.sweep(now);
      shadowUpstreams.sweep(now);
      closeIdle();
    }
  }

  /** Connections whose clients say nothing, or never come to the end of a head. */
  private void closeIdle() {
    for (HttpConnection connection : List.copyOf(peers.keySet())) {
      Peer peer = peer(connection);
      if (peer.tooIdle(loop.now())) {
        peer.close(connection);
      }
    }
  }

  void opened(HttpConnection connection) {
    StrictRequests.watch(connection, options);
    Brake.on(connection, loop.turns());
    meters().connection(1);
    peers.put(connection, Peer.of(connection, mount, wire, loop));
    connection.closeHandler(gone -> {
      meters().connection(-1);
      peers.remove(connection);
    });
  }

  /**
   * Refuses a request of HTTP/1.x that cannot be read, or could be read in two ways. Its connection
   * ends with the answer; nothing behind it is read.
   */
  void unreadable(HttpServerRequest request) {
    refuseUnread(request, HeadFault.of(request.decoderResult().cause(), LINE_BYTES, HEADER_BYTES));
  }

  private void refuseUnread(HttpServerRequest request, HeadFault fault) {
    meters()
        .refused(
            fault.status() == 400 || fault.status() > 501
                ? Refusal.MALFORMED
                : Refusal.UNSUPPORTED);
    refuseLast(
        request,
        new RouterProblem(fault.status(), fault.kind(), fault.title(), fault.detail()),
        Http2Error.PROTOCOL_ERROR);
  }

  /**
   * Ends the connection of HTTP/1.x with the answer, or the stream of HTTP/2.
   *
   * @param why the code of the stream's reset
   */
  void refuseLast(HttpServerRequest request, RouterProblem denial, Http2Error why) {
    if (request.version() != HttpVersion.HTTP_2) {
      StrictRequests.end(request.connection());
    }
    Refusals.writeLast(request, denial, loop.date())
        .onComplete(written -> Refusals.hangUp(request, why));
  }

  private void malformed(HttpServerRequest request, String detail) {
    meters().refused(Refusal.MALFORMED);
    refuseLast(request, RouterProblem.malformed(detail), Http2Error.PROTOCOL_ERROR);
  }

  void accept(HttpServerRequest request) {
    Peer peer = peer(request);
    if (peer.forwards(request, loop.now())) {
      return;
    }
    Supplier<@Nullable MultiMap> trailers = peer.trailers().of(request);
    HeadFault fault =
        request.version() == HttpVersion.HTTP_2 ? SmugglingCheck.fault(request, LINE_BYTES) : null;
    if (fault != null) {
      refuseUnread(request, fault);
      return;
    }
    if (request.method().equals(HttpMethod.CONNECT)) {
      turnAway(
          request,
          Refusal.UNSUPPORTED,
          new RouterProblem(
              501,
              "unsupported",
              "This is no forward proxy",
              "CONNECT is for proxies that go where their clients say."));
      return;
    }
    String uri = request.uri();
    if (!uri.startsWith("/") && !uri.equals("*")) {
      malformed(request, "a request's address begins with a slash");
      return;
    }
    String forwards = MaxForwards.fault(request);
    if (forwards != null) {
      malformed(request, forwards);
    } else if (MaxForwards.isReached(request)) {
      peer.seen(loop.now());
      MaxForwards.answer(request, authority(request), loop.date());
    } else {
      route(new Facts(request, peer, uri, trailers), authority(request));
    }
  }

  private Peer peer(HttpServerRequest request) {
    return peer(request.connection());
  }

  private Peer peer(HttpConnection connection) {
    Peer peer = peers.get(connection);
    return peer == null ? Peer.of(connection, mount, wire, loop) : peer;
  }

  private static String authority(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      String host = request.getHeader(HttpHeaders.HOST);
      return host == null ? "" : host;
    }
    HostAndPort authority = request.authority(true);
    return authority == null ? "" : authority.toString();
  }

  private void route(Facts facts, String authority) {
    HttpServerRequest request = facts.request();
    facts.peer().seen(loop.now());
    LiveTable table = loop.table();
    ServiceState owner = table.find(authority, facts);
    if (owner == null) {
      turnAway(request, Refusal.UNKNOWN_HOST, RouterProblem.unknownHost());
      return;
    }
    OriginAccess access = owner.service().access();
    if (access != null && !isGranted(facts, access, authority)) {
      return;
    }
    switch (loop.admit(table, owner, facts, facts.peer().memory())) {
      case Admitted(ServiceState target) ->
          new Exchange(this, table, new Call(facts, authority, owner, target)).begin();
      case TurnedAway(Refusal why, RouterProblem denial) -> turnAway(request, why, denial);
    }
  }

  /** Whether a request for a guarded service goes on; it is answered when it does not. */
  private boolean isGranted(Facts facts, OriginAccess access, String authority) {
    HttpServerRequest request = facts.request();
    switch (loop.guard().judge(facts, access, authority)) {
      case PassGuard.Verdict.Granted granted -> {
        return true;
      }
      case PassGuard.Verdict.Exchanged(String location, String cookie) ->
          Refusals.redirect(request.response(), location, cookie, loop.date());
      case PassGuard.Verdict.Refused(RouterProblem denial) -> {
        if (Refusals.wantsPage(request)) {
          meters().refused(Refusal.NO_PASS);
          Refusals.page(request.response(), denial, loop.date());
        } else {
          turnAway(request, Refusal.NO_PASS, denial);
        }
      }
    }
    return false;
  }

  private void turnAway(HttpServerRequest request, Refusal why, RouterProblem denial) {
    meters().refused(why);
    if (Upload.expectsContinue(request) && request.version() != HttpVersion.HTTP_2) {
      // Its client may leave the body out now, and what it says next could be taken for that.
      refuseLast(request, denial, Http2Error.NO_ERROR);
    } else {
      Refusals.write(request.response(), denial, loop.date());
    }
  }

  /** Runs an action after what has already arrived on this loop. */
  void soon(Runnable action) {
    vertx.runOnContext(turn -> action.run());
  }

  /** The timers of this loop. */
  Vertx vertx() {
    return vertx;
  }

  long nanos() {
    return loop.nanos();
  }

  /** The time of the last tick: cheap, and exact to a twentieth of a second. */
  long now() {
    return loop.now();
  }

  /** The table in force. */
  LiveTable table() {
    return loop.table();
  }

  RandomGenerator random() {
    return loop.random();
  }

  Picker picker() {
    return loop.picker();
  }

  Upstreams upstreams() {
    return upstreams;
  }

  Mirror mirror() {
    return mirror;
  }

  TrailerWriter trailers() {
    return trailers;
  }

  Meters meters() {
    return loop.meters();
  }

  /** What the event loop has, whichever way its requests take. */
  Loop loop() {
    return loop;
  }

  boolean leaving() {
    return loop.leaving();
  }

  /** The Date of answers that have none. */
  DateField date() {
    return loop.date();
  }

  /** The slowest that the body of a request may come; null for any. */
  @Nullable UploadRate uploadRate() {
    return loop.uploadRate();
  }

  int share(int limit) {
    return loop.share(limit);
  }

  AttemptBudget budget(ServiceState state) {
    return loop.budget(state);
  }

  void add(Exchange exchange) {
    exchange.after = first;
    if (first != null) {
      first.before = exchange;
    }
    first = exchange;
  }

  void remove(Exchange exchange) {
    if (exchange.before != null) {
      exchange.before.after = exchange.after;
    } else {
      first = exchange.after;
    }
    if (exchange.after != null) {
      exchange.after.before = exchange.before;
    }
  }

  void log(Call call, int status, long took, @Nullable EndpointState endpoint, int attempts) {
    if (loop.logs()) {
      Facts facts = call.facts();
      loop.log(
          facts.client().text(),
          facts.request().method().name(),
          call.authority(),
          facts.path(),
          status,
          took,
          call.owner(),
          call.target().id(),
          endpoint == null ? null : endpoint.address().toString(),
          attempts);
    }
  }
}
