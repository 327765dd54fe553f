package io.orrery.router.proxy;

import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.route.Balance;
import io.orrery.router.route.Limits;
import io.orrery.router.route.RequestKey;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Service;
import io.orrery.router.route.Share;
import io.orrery.router.route.Timeouts;
import io.orrery.router.telemetry.Meters.Refusal;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer: who it is for, an endpoint, perhaps another one after a failure, the
 * answer, and the end, which comes exactly once whoever brings it about.
 */
final class Exchange implements Upload.Listener, Download.Listener, Pool.Waiter {
  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.OPTIONS,
          HttpMethod.PUT,
          HttpMethod.DELETE,
          HttpMethod.TRACE);

  /** How long an endpoint is left to say that it wants the body (RFC 9110 section 10.1.1). */
  private static final Duration CONTINUE = Duration.ofSeconds(1);

  /** How long the rest of a body that nobody wants is read. */
  private static final Duration LEFTOVER = Duration.ofSeconds(5);

  private static final int CLIENT_GONE = 499;

  private enum Phase {
    /** The body comes in. */
    READING,
    /** For a connection, or for the answer. */
    WAITING,
    /** The answer goes out. */
    ANSWERING,
    /** Bytes of another protocol go both ways. */
    TUNNEL,
    /** Answered while the body still comes in. */
    LEFTOVER,
    OVER
  }

  private final Lane lane;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final LiveTable table;
  private final Facts facts;
  private final String authority;
  private final ServiceState owner;
  private final ServiceState target;
  private final List<Mirror.Shot> shots = new ArrayList<>(0);
  private final Upload upload;
  private final long began;
  private Phase phase = Phase.READING;
  private long movedAt;
  private long askedAt;
  private int attempts;
  private int status;
  private boolean upgrade;
  private boolean bodyAsked;
  private boolean released;
  private @Nullable EndpointState endpoint;
  private @Nullable EndpointState failed;
  private @Nullable Link link;
  private @Nullable HttpClientRequest upstream;

  /** Links of the lane's list of exchanges. */
  @Nullable Exchange before;

  @Nullable Exchange after;

  /**
   * @param owner whose host was asked for
   * @param target who is to answer
   */
  Exchange(
      Lane lane,
      LiveTable table,
      Facts facts,
      String authority,
      ServiceState owner,
      ServiceState target) {
    this.lane = lane;
    this.table = table;
    this.facts = facts;
    this.request = facts.request();
    this.response = request.response();
    this.authority = authority;
    this.owner = owner;
    this.target = target;
    this.upload = new Upload(request, shots, this, lane::soon);
    this.began = lane.nanos();
    this.movedAt = began;
  }

  /** Sets out; the target has been entered. */
  void begin() {
    lane.add(this);
    facts.peer().enter();
    response.closeHandler(gone -> clientGone());
    lane.budget(target).deposit();
    upgrade =
        request.version() == HttpVersion.HTTP_1_1
            && target.service().protocol() == Service.Protocol.HTTP1
            && HeaderRules.upgrades(request.headers());
    if (upgrade) {
      request.pause();
      attempt();
      return;
    }
    shoot();
    upload.begin();
  }

  private void shoot() {
    List<Share> shares = owner.service().mirror();
    if (shares.isEmpty()) {
      return;
    }
    int[] places = table.table().mirrors(owner.service());
    for (int i = 0; i < places.length; i++) {
      double percent = shares.get(i).percent();
      if (percent >= 100 || lane.random().nextDouble() * 100 < percent) {
        Mirror.Shot shot = lane.mirror().begin(owner.service().id(), table.states().get(places[i]));
        if (shot != null) {
          shots.add(shot);
        }
      }
    }
  }

  @Override
  public void ready() {
    if (upload.ended()) {
      release();
    }
    attempt();
  }

  /** The copies know their whole body. */
  private void release() {
    released = true;
    if (!shots.isEmpty()) {
      MultiMap headers = MultiMap.caseInsensitiveMultiMap();
      HeaderRules.request(
          request.headers(), headers, request.version(), authority, facts.peer(), false);
      shots.forEach(shot -> shot.send(request.method(), facts.uri(), headers));
    }
  }

  private void attempt() {
    phase = Phase.WAITING;
    askedAt = lane.nanos();
    attempts++;
    Balance balance = target.service().balance();
    String key = balance instanceof Balance.Hash(RequestKey by) ? by.of(facts) : null;
    EndpointState chosen = lane.picker().pick(target.endpoints(), balance, key, failed);
    if (chosen == null) {
      refuse(
          Refusal.NO_ENDPOINT,
          503,
          "no-endpoint",
          "Nobody is there to answer",
          "No endpoint of " + target.service().id() + " is well.");
      return;
    }
    endpoint = chosen;
    chosen.begin();
    Limits limits = target.service().limits();
    lane.upstreams()
        .pool(chosen)
        .acquire(
            this,
            lane.share(limits.connections()),
            lane.share(limits.pending()),
            target.service().timeouts().connect(),
            askedAt);
  }

  @Override
  public boolean waits() {
    return phase == Phase.WAITING;
  }

  @Override
  public void crowdedOut() {
    leaveEndpoint();
    refuse(
        Refusal.OVER_PENDING,
        503,
        "overloaded",
        "Too many requests wait",
        "As many requests as may do so wait for a connection to " + target.service().id() + ".");
  }

  @Override
  public void unconnected(Throwable cause) {
    judge(false);
    if (again(Retries.Cause.CONNECT_FAILURE)) {
      return;
    }
    refuse(
        Refusal.CONNECT_FAILED,
        503,
        "no-connection",
        "The service cannot be reached",
        "No connection to an endpoint of " + target.service().id() + " could be made.");
  }

  @Override
  public void connected(Link newLink) {
    link = newLink;
    newLink
        .connection()
        .request(new RequestOptions().setMethod(request.method()).setURI(facts.uri()))
        .onComplete(made -> {
          if (phase != Phase.WAITING) {
            return;
          }
          if (made.succeeded()) {
            send(made.result());
          } else {
            // It closed before anything was sent on it.
            drop();
            if (!again(Retries.Cause.CONNECT_FAILURE)) {
              broken(502);
            }
          }
        });
  }

  private void send(HttpClientRequest to) {
    upstream = to;
    askedAt = lane.nanos();
    boolean http2 = target.service().protocol() == Service.Protocol.H2C;
    HeaderRules.request(
        request.headers(), to.headers(), request.version(), authority, facts.peer(), http2);
    if (http2) {
      to.authority(HostAndPort.parseAuthority(authority, -1));
    }
    to.exceptionHandler(failure -> {
      // Told by the response as well, which is where it is handled.
    });
    if (upgrade) {
      to.putHeader(HttpHeaders.CONNECTION, "Upgrade");
      to.putHeader(HttpHeaders.UPGRADE, request.getHeader(HttpHeaders.UPGRADE));
      to.connect().onSuccess(this::answered).onFailure(this::unanswered);
      return;
    }
    to.response().onSuccess(this::answered).onFailure(this::unanswered);
    if (upload.asksFirst()) {
      to.putHeader(HttpHeaders.EXPECT, HttpHeaders.CONTINUE);
      if (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
        to.setChunked(true);
      }
      to.continueHandler(go -> takeBody());
      to.sendHead();
    } else {
      upload.to(to);
    }
  }

  /** The endpoint wants the body, or has been silent about it for long enough. */
  private void takeBody() {
    if (!bodyAsked && phase == Phase.WAITING && upstream != null) {
      bodyAsked = true;
      response.writeContinue();
      upload.to(upstream);
    }
  }

  @Override
  public void moved() {
    movedAt = lane.now();
  }

  @Override
  public void sent() {
    askedAt = lane.now();
    if (phase == Phase.WAITING || phase == Phase.ANSWERING) {
      // What was read whole has been released when it was; what flowed is whole only now.
      if (!upload.repeatable()) {
        release();
      }
    }
    if (phase == Phase.LEFTOVER) {
      finish();
    }
  }

  private void unanswered(Throwable cause) {
    if (phase != Phase.WAITING) {
      return;
    }
    boolean stale = link != null && link.used();
    drop();
    // A connection that has carried requests may just have been too old; that is no fault.
    if (!stale) {
      judge(false);
    }
    if (again(Retries.Cause.RESET)) {
      return;
    }
    broken(502);
  }

  private void answered(HttpClientResponse from) {
    if (phase != Phase.WAITING) {
      return;
    }
    status = from.statusCode();
    judge(status < 500);
    if (status == 101 && upgrade) {
      phase = Phase.TUNNEL;
      new Tunnel(this::moved, this::tunnelClosed).open(request, from);
      return;
    }
    if (status == 503 && again(Retries.Cause.UNAVAILABLE)) {
      return;
    }
    phase = Phase.ANSWERING;
    movedAt = lane.nanos();
    // What the client still sends after this answer could not be told from its next request.
    new Download(request, from, this)
        .begin(lane.leaving() || upgrade || HeaderRules.closes(request.headers()));
  }

  /**
   * Tries once more, if that is safe and allowed.
   *
   * @return whether it does
   */
  private boolean again(Retries.Cause cause) {
    Retries retries = target.service().retries();
    boolean safe = cause == Retries.Cause.CONNECT_FAILURE || IDEMPOTENT.contains(request.method());
    if (attempts > retries.attempts()
        || !retries.on().contains(cause)
        || !safe
        || !upload.repeatable()
        || bodyAsked
        || response.headWritten()) {
      return false;
    }
    if (!lane.budget(target).withdraw(lane.nanos())) {
      lane.meters().retryWithheld();
      return false;
    }
    lane.meters().retried(target.service().id());
    failed = endpoint;
    drop();
    leaveEndpoint();
    attempt();
    return true;
  }

  /** The answer of the endpoint was good or bad; another attempt is judged anew. */
  private void judge(boolean good) {
    EndpointState judged = endpoint;
    if (judged != null) {
      target.answered(judged, good, lane.now());
    }
  }

  private void drop() {
    HttpClientRequest running = upstream;
    upstream = null;
    Link broken = link;
    link = null;
    if (running != null) {
      running.reset();
    }
    if (broken != null) {
      broken.discard();
    }
  }

  private void leaveEndpoint() {
    if (endpoint != null) {
      endpoint.end();
      endpoint = null;
    }
  }

  @Override
  public void delivered() {
    for (Mirror.Shot shot : shots) {
      shot.primary(status);
    }
    if (upload.sent() || upgrade) {
      Link free = link;
      link = null;
      if (free != null) {
        if (upgrade) {
          free.discard();
        } else {
          free.release();
        }
      }
      finish();
      return;
    }
    // Answered early: the endpoint does not want the rest.
    phase = Phase.LEFTOVER;
    movedAt = lane.now();
    drop();
    upload.discard();
    request.end().onComplete(end -> finish());
  }

  @Override
  public void broken() {
    if (phase == Phase.ANSWERING) {
      broken(502);
    }
  }

  /** The endpoint's answer will not come, or not to its end. */
  private void broken(int code) {
    judge(false);
    if (response.headWritten()) {
      lane.meters().refused(Refusal.BROKEN);
      status = code;
      drop();
      finish();
      response.reset();
      return;
    }
    refuse(
        Refusal.BROKEN,
        code,
        "broken",
        "The service broke off",
        "An endpoint of " + target.service().id() + " closed the connection without an answer.");
  }

  private void refuse(Refusal why, int code, String kind, String title, String detail) {
    lane.meters().refused(why);
    drop();
    status = code;
    boolean unread = !upload.ended() && !upgrade;
    if (!response.headWritten() && !response.closed()) {
      Refusals.write(response, code, kind, title, detail);
    }
    if (unread && request.version() != HttpVersion.HTTP_2) {
      phase = Phase.LEFTOVER;
      movedAt = lane.now();
      upload.discard();
      request.end().onComplete(end -> finish());
    } else {
      finish();
    }
  }

  private void tunnelClosed() {
    Link used = link;
    link = null;
    if (used != null) {
      used.discard();
    }
    finish();
  }

  private void clientGone() {
    if (phase == Phase.OVER || phase == Phase.TUNNEL || response.ended()) {
      if (phase == Phase.LEFTOVER) {
        finish();
      }
      return;
    }
    lane.meters().abandoned();
    status = CLIENT_GONE;
    drop();
    finish();
  }

  /** Looks whether something has taken too long; called often. */
  void check(long now) {
    Timeouts times = target.service().timeouts();
    if (phase == Phase.LEFTOVER) {
      if (now - movedAt > LEFTOVER.toNanos()) {
        finish();
        request.connection().close();
      }
      return;
    }
    if (phase != Phase.TUNNEL && now - began > times.total().toNanos()) {
      late("The exchange took longer than " + words(times.total()) + ".");
      return;
    }
    switch (phase) {
      case READING -> {
        if (now - movedAt > times.idle().toNanos()) {
          clientTooSlow(times);
        }
      }
      case WAITING -> {
        if (upload.asksFirst() && !bodyAsked && now - askedAt > CONTINUE.toNanos()) {
          takeBody();
        } else if (!upload.sent() && bodyMoves()) {
          if (now - Math.max(movedAt, askedAt) > times.idle().toNanos()) {
            clientTooSlow(times);
          }
        } else if (now - askedAt > times.firstByte().toNanos()) {
          late("No answer began within " + words(times.firstByte()) + ".");
        }
      }
      case ANSWERING -> {
        if (now - movedAt > times.idle().toNanos()) {
          late("Nothing moved for " + words(times.idle()) + ".");
        }
      }
      case TUNNEL, LEFTOVER, OVER -> {}
    }
  }

  private boolean bodyMoves() {
    return upstream != null && !upload.repeatable();
  }

  private void clientTooSlow(Timeouts times) {
    refuse(
        Refusal.CLIENT_TIMEOUT,
        408,
        "timeout",
        "The request took too long",
        "The rest of the request did not come within " + words(times.idle()) + ".");
    request.connection().close();
  }

  private void late(String detail) {
    judge(false);
    if (response.headWritten()) {
      lane.meters().refused(Refusal.TIMEOUT);
      status = 504;
      drop();
      finish();
      response.reset();
      return;
    }
    refuse(Refusal.TIMEOUT, 504, "timeout", "The service took too long", detail);
  }

  private static String words(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  private void finish() {
    if (phase == Phase.OVER) {
      return;
    }
    phase = Phase.OVER;
    lane.remove(this);
    facts.peer().leave(lane.now());
    if (!released) {
      shots.forEach(Mirror.Shot::abandon);
    }
    String version = target.service().id();
    String endpointName = endpoint == null ? null : endpoint.address().toString();
    leaveEndpoint();
    target.leave();
    long took = lane.nanos() - began;
    lane.meters().answered(owner.service().id(), version, status, took);
    lane.log(facts, authority, status, took, owner, version, endpointName, attempts);
  }
}
