package io.orrery.router.proxy;

import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.route.Limits;
import io.orrery.router.route.Picker;
import io.orrery.router.route.RequestKey;
import io.orrery.router.route.Service;
import io.orrery.router.route.Split;
import io.orrery.router.telemetry.AccessLog;
import io.orrery.router.telemetry.Meters;
import io.orrery.router.telemetry.Meters.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All that lives on one event loop: the connections in and out, the exchanges, the shadows' copies.
 * A request is judged, routed and counted here before it becomes an {@link Exchange}.
 */
final class Lane {
  static final int CHUNK_BYTES = 128 * 1024;
  static final int HEADER_BYTES = 64 * 1024;
  private static final long TICK_MILLIS = 50;
  private static final int SWEEP_TICKS = 10;

  private final Vertx vertx;
  private final Surroundings surroundings;
  private final int lanes;
  private final RandomGenerator random;
  private final Picker picker;
  private final Upstreams upstreams;
  private final Upstreams shadowUpstreams;
  private final Mirror mirror;
  private final IdentityHashMap<HttpConnection, Peer> peers = new IdentityHashMap<>();
  private final Map<String, RetryBudget> budgets = new HashMap<>();
  private LiveTable seen;
  private @Nullable Exchange first;
  private long now;
  private long timer;
  private int ticks;
  private boolean leaving;

  /**
   * @param lanes how many there are
   */
  Lane(Vertx vertx, Surroundings surroundings, int lanes, RandomGenerator random) {
    this.vertx = vertx;
    this.surroundings = surroundings;
    this.lanes = lanes;
    this.random = random;
    this.picker = new Picker(random);
    this.upstreams = new Upstreams(vertx);
    this.shadowUpstreams = new Upstreams(vertx);
    this.mirror = new Mirror(shadowUpstreams, picker, surroundings.meters(), surroundings.nanos());
    this.seen = surroundings.tables().current();
    this.now = surroundings.nanos().getAsLong();
  }

  void start() {
    timer = vertx.setPeriodic(TICK_MILLIS, id -> tick());
  }

  /** From now on every answer over HTTP/1.1 ends its connection. */
  void leave() {
    leaving = true;
  }

  Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.join(upstreams.close(), shadowUpstreams.close()).mapEmpty();
  }

  private void tick() {
    now = surroundings.nanos().getAsLong();
    for (Exchange exchange = first; exchange != null; ) {
      Exchange following = exchange.after;
      exchange.check(now);
      exchange = following;
    }
    mirror.sweep(now);
    LiveTable table = surroundings.tables().current();
    if (table != seen) {
      seen = table;
      upstreams.keep(table);
      shadowUpstreams.keep(table);
      budgets.keySet().retainAll(table.ids());
    }
    if (++ticks % SWEEP_TICKS == 0) {
      upstreams.sweep(now);
      shadowUpstreams.sweep(now);
      closeIdle();
    }
  }

  /** Connections whose clients say nothing, or never come to the end of a head. */
  private void closeIdle() {
    List<HttpConnection> idle = new ArrayList<>(0);
    peers.forEach((connection, peer) -> {
      if (peer.tooIdle(now)) {
        idle.add(connection);
      }
    });
    idle.forEach(HttpConnection::close);
  }

  void opened(HttpConnection connection) {
    surroundings.meters().connection(1);
    peers.put(connection, Peer.of(connection, now));
    connection.closeHandler(gone -> {
      surroundings.meters().connection(-1);
      peers.remove(connection);
    });
  }

  /**
   * What cannot be read as a request, or could be read in two ways: nothing after it can be
   * trusted.
   */
  void malformed(HttpServerRequest request, String detail) {
    surroundings.meters().refused(Refusal.MALFORMED);
    HttpServerResponse response = request.response();
    HttpConnection connection = request.connection();
    if (response.headWritten()) {
      connection.close();
      return;
    }
    response.endHandler(written -> connection.close());
    Refusals.write(response, 400, "malformed", "The request cannot be read", detail);
  }

  void accept(HttpServerRequest request) {
    String fault = Hygiene.fault(request);
    if (fault != null) {
      malformed(request, fault);
      return;
    }
    if (request.method().equals(HttpMethod.CONNECT)) {
      turnAway(
          request,
          Refusal.UNSUPPORTED,
          501,
          "unsupported",
          "This is no forward proxy",
          "CONNECT is for proxies that go where their clients say.");
      return;
    }
    String uri = request.uri();
    String authority = authority(request);
    int path = pathStart(uri);
    if (path > 0) {
      authority = uri.substring(uri.indexOf("//") + 2, path);
      uri = path == uri.length() ? "/" : uri.substring(path);
    }
    if (!uri.startsWith("/") && !uri.equals("*")) {
      malformed(request, "a request's address begins with a slash");
      return;
    }
    route(new Facts(request, peer(request), uri), authority);
  }

  private Peer peer(HttpServerRequest request) {
    HttpConnection connection = request.connection();
    Peer peer = peers.get(connection);
    return peer == null ? Peer.of(connection, now) : peer;
  }

  private static String authority(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      String host = request.getHeader(HttpHeaders.HOST);
      return host == null ? "" : host;
    }
    HostAndPort authority = request.authority(true);
    return authority == null ? "" : authority.toString();
  }

  /** Where the path begins in an address of absolute form; 0 in one of origin form. */
  private static int pathStart(String uri) {
    if (!uri.regionMatches(true, 0, "http://", 0, 7)
        && !uri.regionMatches(true, 0, "https://", 0, 8)) {
      return 0;
    }
    int host = uri.indexOf("//") + 2;
    for (int i = host; i < uri.length(); i++) {
      if (uri.charAt(i) == '/' || uri.charAt(i) == '?') {
        return i;
      }
    }
    return uri.length();
  }

  private void route(Facts facts, String authority) {
    HttpServerRequest request = facts.request();
    facts.peer().seen(now);
    LiveTable table = surroundings.tables().current();
    ServiceState owner = table.find(authority, facts);
    if (owner == null) {
      turnAway(
          request,
          Refusal.UNKNOWN_HOST,
          404,
          "unknown-host",
          "Nobody serves this",
          "No service has this host, or none of them takes this path.");
      return;
    }
    Limits.Rate rate = owner.service().limits().rate();
    if (rate != null) {
      long wait =
          surroundings
              .rates()
              .take(owner.service().id(), facts.client(), rate, surroundings.nanos().getAsLong());
      if (wait > 0) {
        meters().refused(Refusal.OVER_RATE);
        Refusals.write(
            request.response(),
            429,
            "rate",
            "Too many requests",
            "A client may make " + rate.count() + " requests in " + rate.per().toSeconds() + " s.",
            Long.toString(1 + wait / 1_000_000_000L));
        return;
      }
    }
    ServiceState target = table.states().get(target(owner, facts));
    if (!target.enter()) {
      turnAway(
          request,
          Refusal.OVER_REQUESTS,
          503,
          "overloaded",
          "Too many requests at once",
          target.service().id() + " works on as many requests as it may.");
      return;
    }
    new Exchange(this, table, new Call(facts, authority, owner, target)).begin();
  }

  private int target(ServiceState owner, Facts facts) {
    Split split = owner.split();
    if (!split.divided()) {
      return owner.service().place();
    }
    RequestKey sticky = owner.service().sticky();
    String key = sticky == null ? null : sticky.of(facts);
    return key == null ? split.pick(random.nextDouble()) : split.pick(key);
  }

  private void turnAway(
      HttpServerRequest request,
      Refusal why,
      int status,
      String kind,
      String title,
      String detail) {
    meters().refused(why);
    Refusals.write(request.response(), status, kind, title, detail);
  }

  /** Runs an action after what has already arrived on this loop. */
  void soon(Runnable action) {
    vertx.runOnContext(turn -> action.run());
  }

  long nanos() {
    return surroundings.nanos().getAsLong();
  }

  /** The time of the last tick: cheap, and exact to a twentieth of a second. */
  long now() {
    return now;
  }

  RandomGenerator random() {
    return random;
  }

  Picker picker() {
    return picker;
  }

  Upstreams upstreams() {
    return upstreams;
  }

  Mirror mirror() {
    return mirror;
  }

  Meters meters() {
    return surroundings.meters();
  }

  boolean leaving() {
    return leaving;
  }

  /** The part of a limit that is this lane's, at least one. */
  int share(int limit) {
    return limit == 0 ? 0 : Math.max(1, limit / lanes);
  }

  RetryBudget budget(ServiceState state) {
    Service service = state.service();
    RetryBudget budget = budgets.get(service.id());
    if (budget == null) {
      budget = new RetryBudget(now);
      budgets.put(service.id(), budget);
    }
    return budget;
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
    AccessLog log = surroundings.accessLog();
    if (log == null || !log.samples(random)) {
      return;
    }
    Facts facts = call.facts();
    log.add(
        new AccessLog.Entry(
            surroundings.clock().now().minusNanos(took).toString(),
            facts.client(),
            facts.request().method().name(),
            call.authority(),
            facts.path(),
            status,
            took / 1e9,
            call.owner().service().id(),
            call.target().service().id(),
            endpoint == null ? null : endpoint.address().toString(),
            attempts));
  }
}
