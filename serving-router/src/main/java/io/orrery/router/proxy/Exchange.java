package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.policy.HedgeRule;
import io.orrery.router.policy.HoldPlace;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.policy.Tries;
import io.orrery.router.route.Balance;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Service;
import io.orrery.router.route.Timeouts;
import io.orrery.router.telemetry.Meters.Refusal;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The life of one request: its body comes in, an {@link Attempt} is made, perhaps another one after
 * a failure, the answer goes out, and the end comes exactly once, whatever causes it. The file is
 * longer than 400 lines, because all phases share the request's fields.
 */
final class Exchange implements Upload.Listener, Hedging.Owner, Download.Listener {
  /** How long the rest of an unwanted body is read. */
  private static final Duration LEFTOVER = Duration.ofSeconds(5);

  private static final int CLIENT_GONE = 499;

  private enum Phase {
    /** The body comes in. */
    READING,
    /** For an endpoint. */
    HELD,
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

  private final HttpLoop lane;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final LiveTable table;
  final Call call;
  private final ServiceState target;
  private final Shots shots;
  private final Upload upload;
  private final Backlog backlog;
  private final UploadWatch watch;
  private final Tries tries;
  private final @Nullable HedgeRule hedges;
  private final long began;
  private Phase phase = Phase.READING;
  private long movedAt;
  private int status;
  private boolean upgrade;
  private @Nullable Attempt attempt;
  private @Nullable Hedging hedging;
  private @Nullable BodyDigest digest;

  /** Links of the lane's list of exchanges. */
  @Nullable Exchange before;

  @Nullable Exchange after;

  Exchange(HttpLoop lane, LiveTable table, Call call) {
    this.lane = lane;
    this.table = table;
    this.call = call;
    this.request = call.facts().request();
    this.response = request.response();
    this.target = call.target();
    this.shots = new Shots(lane, call);
    Peer peer = call.facts().peer();
    this.backlog = new Backlog(peer.memory(), () -> peer.cut(request));
    this.upload =
        new Upload(
            request,
            call.facts().trailers(),
            lane.trailers(),
            shots.all(),
            this,
            backlog,
            Valve.alone(request.version(), peer.channel()),
            lane::soon);
    this.watch = new UploadWatch(lane, call, upload, backlog);
    this.tries = new Tries(lane.loop());
    this.hedges = lane.loop().beginHedged(call.owner(), target);
    this.began = lane.nanos();
    this.movedAt = began;
  }

  /** Sets out; the target has been entered. */
  void begin() {
    lane.add(this);
    call.facts().peer().enter();
    response.closeHandler(gone -> clientGone());
    lane.budget(target).deposit();
    upgrade =
        request.version() == HttpVersion.HTTP_1_1
            && target.service().protocol() != Service.Protocol.H2C
            && HeaderRules.upgrades(request.headers());
    if (upgrade) {
      request.pause();
      attempt(null);
      return;
    }
    shots.begin(table);
    upload.begin();
  }

  @Override
  public void ready() {
    if (upload.ended()) {
      shots.release(upload.sentTrailers());
    }
    attempt(null);
  }

  /** Tries an endpoint, but not at once the one that has just failed. */
  private void attempt(@Nullable EndpointState failed) {
    phase = Phase.WAITING;
    Call now = call.present(table, lane.table());
    Balance balance = now.target().service().balance();
    String key = upload.key(balance, call.facts());
    EndpointState chosen = lane.picker().pick(now.target().endpoints(), balance, key, failed);
    if (chosen == null) {
      hold(now.target());
      return;
    }
    tries.begin();
    Attempt.Kind kind = upgrade ? Attempt.Kind.UPGRADE : Attempt.Kind.REQUEST;
    Attempt next = new Attempt(lane, now, upload, kind, chosen, balance.costOf(call.facts()), this);
    attempt = next;
    next.begin();
    if (hedges != null && tries.all() == 1 && !upgrade && upload.isHeld() && next.waits()) {
      hedging =
          Hedging.plan(lane, hedges, () -> call.present(table, lane.table()), upload, next, this);
    }
  }

  @Override
  public void succeededBy(Attempt second) {
    attempt = second;
  }

  /** Whether the attempt at a second endpoint goes on in the place of one that has failed. */
  private boolean leftToHedge(Retries.@Nullable Cause cause) {
    Attempt second = hedging == null ? null : hedging.goOnAlone();
    if (second == null) {
      return false;
    }
    if (cause != null) {
      tries.failed(cause);
    }
    attempt = second;
    return true;
  }

  /** Waits for an endpoint, where and as long as that is allowed. */
  private void hold(ServiceState at) {
    if (tries.hold(at, lane.nanos())) {
      phase = Phase.HELD;
    } else {
      TurnedAway refused = HoldPlace.refusal(at);
      refuse(refused.why(), refused.denial());
    }
  }

  /** Tries once more, at once or later, if that is safe and allowed; false when it is not. */
  private boolean again(Retries.Cause cause) {
    Attempt failed = attempt;
    if (failed == null || !upload.repeatable()) {
      return false;
    }
    tries.failed(cause);
    boolean now = failed.mayRepeat(cause, tries.counted());
    ServiceState present = call.present(table, lane.table()).target();
    if (!now && !tries.holdAfter(cause, present, lane.nanos())) {
      return false;
    }
    attempt = null;
    failed.drop();
    failed.leave();
    Hedging.end(hedging, false);
    lane.meters().retried(target.id());
    if (now) {
      attempt(failed.endpoint());
    } else {
      phase = Phase.HELD;
    }
    return true;
  }

  @Override
  public void crowdedOut() {
    if (!leftToHedge(null)) {
      refuse(Refusal.OVER_PENDING, RouterProblem.crowded(target.id()));
    }
  }

  @Override
  public void unconnected() {
    if (!leftToHedge(Retries.Cause.CONNECT_FAILURE) && !again(Retries.Cause.CONNECT_FAILURE)) {
      refuse(Refusal.CONNECT_FAILED, RouterProblem.unconnected(target.id()));
    }
  }

  @Override
  public void unanswered(Retries.Cause cause) {
    if (leftToHedge(cause) || again(cause)) {
      return;
    }
    if (cause == Retries.Cause.CONNECT_FAILURE
        && request.version() == HttpVersion.HTTP_2
        && !response.headWritten()) {
      // Its client may send it again, though the router has not kept it (RFC 9113 section 8.7).
      lane.meters().refused(Refusal.BROKEN);
      status = 502;
      over();
      response.reset(Http2Error.REFUSED_STREAM.code());
    } else {
      brokenOff();
    }
  }

  @Override
  public void moved() {
    movedAt = lane.now();
  }

  @Override
  public void sent() {
    if (attempt != null) {
      attempt.sent(lane.now());
    }
    if (phase == Phase.WAITING || phase == Phase.ANSWERING) {
      // What was read whole has been released when it was; what flowed is whole only now.
      if (!upload.repeatable()) {
        shots.release(upload.sentTrailers());
      }
    }
    if (phase == Phase.LEFTOVER) {
      finish();
    }
  }

  @Override
  public void answered(HttpClientResponse from) {
    status = from.statusCode();
    if (status == 101) {
      phase = Phase.TUNNEL;
      Channel endpoint = attempt == null ? null : attempt.channel();
      new Tunnel(this::moved, this::released, backlog, lane::soon)
          .open(request, call.facts().peer().channel(), from, endpoint);
      return;
    }
    if (Hedging.isGatewayFailure(from) && leftToHedge(Retries.Cause.UNAVAILABLE)) {
      return;
    }
    if (status == 503 && again(Retries.Cause.UNAVAILABLE)) {
      return;
    }
    Hedging.end(hedging, true);
    phase = Phase.ANSWERING;
    movedAt = lane.nanos();
    // What the client still sends after this answer could not be told from its next request.
    digest = !shots.isEmpty() && call.owner().service().comparesBodies() ? new BodyDigest() : null;
    Channel endpoint = attempt == null ? null : attempt.channel();
    new Download(request, from, digest, this, backlog, endpoint, lane::soon)
        .begin(lane.leaving() || upgrade || HeaderRules.closes(request.headers()), lane.date());
  }

  @Override
  public void unreadable() {
    if (!leftToHedge(Retries.Cause.RESET)) {
      brokenOff();
    }
  }

  @Override
  public void delivered() {
    shots.primary(status, digest, lane.nanos() - began);
    if (upload.sent() || upgrade) {
      released();
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
      judgeBad();
      brokenOff();
    }
  }

  /** The endpoint's answer will not come, or not to its end. */
  private void brokenOff() {
    if (response.headWritten()) {
      cutOff(Refusal.BROKEN, 502);
      return;
    }
    refuse(Refusal.BROKEN, RouterProblem.broken(target.id()));
  }

  /** What the client has of the answer cannot be completed, and it must not take it for whole. */
  private void cutOff(Refusal why, int code) {
    lane.meters().refused(why);
    status = code;
    boolean waits = response.writeQueueFull();
    over();
    if (waits) {
      call.facts().peer().cut(request);
    } else {
      response.reset(Http2Error.INTERNAL_ERROR.code());
    }
  }

  private void judgeBad() {
    if (attempt != null) {
      attempt.judge(false);
    }
  }

  private void drop() {
    if (attempt != null) {
      attempt.drop();
    }
    Hedging.end(hedging, false);
  }

  private void refuse(Refusal why, RouterProblem denial) {
    lane.meters().refused(why);
    tries.endHold();
    drop();
    status = denial.status();
    boolean unread = !upload.ended() && !upgrade;
    Refusals.write(response, denial, lane.date());
    if (unread) {
      phase = Phase.LEFTOVER;
      movedAt = lane.now();
      upload.discard();
      request.end().onComplete(end -> finish());
    } else {
      finish();
    }
  }

  private void released() {
    if (attempt != null) {
      attempt.release();
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
    over();
  }

  /** Finished first: that its answer breaks off now is no fault of the endpoint. */
  private void over() {
    finish();
    drop();
  }

  /** Looks whether something has taken too long; called often. */
  void check(long now) {
    Timeouts times = target.service().timeouts();
    if (call.owner().isRevokedBy(lane.table())) {
      lane.meters().refused(Refusal.NO_PASS);
      if (phase != Phase.TUNNEL) {
        over();
      }
      call.facts().peer().cut(request);
      return;
    }
    if (phase == Phase.LEFTOVER) {
      if (now - movedAt > LEFTOVER.toNanos()) {
        // The answer has been written, and the client is asked to send no more (RFC 9113 8.1).
        finish();
        Refusals.hangUp(request, Http2Error.NO_ERROR);
      }
      return;
    }
    if (phase != Phase.TUNNEL && now - began > times.total().toNanos()) {
      late("The exchange took longer than " + RouterProblem.words(times.total()) + ".");
      return;
    }
    switch (phase) {
      case READING -> checkUpload(now, movedAt, times);
      case HELD -> {
        ServiceState at = call.present(table, lane.table()).target();
        if (tries.isOver(at, now)) {
          refuse(Refusal.NO_ENDPOINT, RouterProblem.noEndpoint(target.id()));
        } else if (tries.takeTurn(at, now)) {
          attempt(null);
        }
      }
      case WAITING -> {
        if (attempt != null) {
          waiting(attempt, times, now);
        }
      }
      case ANSWERING -> {
        if (now - movedAt > times.idle().toNanos()) {
          late("Nothing moved for " + RouterProblem.words(times.idle()) + ".");
        }
      }
      case TUNNEL, LEFTOVER, OVER -> {}
    }
  }

  private void waiting(Attempt on, Timeouts times, long now) {
    if (on.bodyFlows()) {
      checkUpload(now, Math.max(movedAt, on.askedAt()), times);
    } else if (now - on.askedAt() > times.firstByte().toNanos()) {
      late("No answer began within " + RouterProblem.words(times.firstByte()) + ".");
    } else {
      on.check(now);
    }
  }

  private void checkUpload(long now, long since, Timeouts times) {
    RouterProblem denial = watch.fault(now, since, times, attempt);
    if (denial != null) {
      clientTooSlow(denial);
    }
  }

  private void clientTooSlow(RouterProblem denial) {
    lane.meters().refused(Refusal.CLIENT_TIMEOUT);
    drop();
    status = denial.status();
    upload.discard();
    lane.refuseLast(request, denial, Http2Error.NO_ERROR);
    finish();
  }

  /** The endpoint is to blame only if it was the one that was waited for. */
  private void late(String detail) {
    if ((upgrade || upload.ended()) && !response.writeQueueFull()) {
      judgeBad();
    }
    if (response.headWritten()) {
      cutOff(Refusal.TIMEOUT, 504);
      return;
    }
    refuse(Refusal.TIMEOUT, RouterProblem.late(detail));
  }

  private void finish() {
    if (phase == Phase.OVER) {
      return;
    }
    phase = Phase.OVER;
    lane.remove(this);
    backlog.over();
    call.facts().peer().leave(lane.now());
    shots.over();
    EndpointState endpoint = attempt == null ? null : attempt.endpoint();
    if (attempt != null) {
      attempt.leave();
    }
    Hedging.end(hedging, false);
    tries.endHold();
    target.leave(lane.loop().number());
    long took = lane.nanos() - began;
    lane.meters().answered(call.owner().id(), target.id(), status, took);
    lane.log(
        call, status, took, endpoint, tries.all() + (hedging != null && hedging.sent() ? 1 : 0));
  }
}
