package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.HoldPlace;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.policy.Tries;
import io.orrery.router.policy.UploadPace;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Timeouts;
import io.orrery.router.route.UploadRate;
import io.orrery.router.telemetry.Meters.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The request's side of a {@link Relay}: the bytes of the client, and the attempts to hand them to
 * an endpoint. It writes nothing to the client. The relay is told when no endpoint takes the
 * request; from {@link #connected} on it hears from the connection itself.
 */
final class RequestSide implements Attempt.Listener {
  private final Wire wire;
  private final Loop loop;
  private final Requester client;
  private final LiveTable table;
  private final LocalService destination;
  private final Relay relay;
  private final Upload upload;
  private final Tries tries;
  final Request request;
  private long askedAt;

  /** Whether all of the request is on its way to the endpoint. */
  private boolean sent;

  /** Whether a body that is not whole has begun to flow: it cannot be sent again. */
  private boolean flowing;

  /** Whether something of it was written and not flushed. */
  private boolean dirty;

  private @Nullable Attempt attempt;

  /** Only of a body that takes longer than a tick. */
  private @Nullable UploadPace pace;

  /**
   * @param destination the service that is to answer; it has been entered
   * @param length of the body, as the request's head announces it
   */
  RequestSide(
      Wire wire,
      Requester client,
      LiveTable table,
      LocalService destination,
      Relay relay,
      Request request,
      long length) {
    this.wire = wire;
    this.loop = wire.loop();
    this.client = client;
    this.table = table;
    this.destination = destination;
    this.relay = relay;
    this.request = request;
    this.upload = new Upload(length);
    this.tries = new Tries(loop);
  }

  // ---- what the client sends

  /** Whether the client has sent everything. */
  boolean ended() {
    return upload.ended();
  }

  /** Whether the body is gathered before an endpoint is asked. */
  boolean whole() {
    return upload.whole();
  }

  /** Gathers what has come; returns whether that is everything. */
  boolean gather(ByteBuf in) {
    upload.gather(in, request.bytes());
    return upload.ended();
  }

  /** Whether what comes goes on to an endpoint at once. */
  boolean flows() {
    return flowing && upstream() != null;
  }

  /** Passes on what has come; returns false when it is no body. */
  boolean pass(ByteBuf in) {
    if (!upload.flow(in, upstream())) {
      return false;
    }
    dirty = true;
    if (upload.ended()) {
      sent();
    }
    return true;
  }

  /** Reads what has come and drops it; returns false when it is no body. */
  boolean skip(ByteBuf in) {
    return upload.flow(in, null);
  }

  /** Sends on what was passed; called when there is no more of it for now. */
  void flush() {
    Upstream to = upstream();
    if (dirty && to != null) {
      dirty = false;
      to.flush();
      if (!to.hasRoom() && !sent) {
        client.holdBack(true);
      }
    }
  }

  /** Bytes that are kept: as they may be sent again, and on their way to the endpoint. */
  long kept() {
    Upstream to = upstream();
    return request.bytes().capacity() + (to == null ? 0 : to.pending());
  }

  private void sent() {
    sent = true;
    askedAt = loop.now();
  }

  /** Whether a body flows of which not everything has been sent. */
  boolean isUnderWay() {
    return flowing && !sent;
  }

  /** Why the client is given up, which sends nothing or too little; null when it is not. */
  @Nullable RouterProblem fault(long now, long since, Timeouts times) {
    if (now - since > times.idle().toNanos()) {
      return RouterProblem.slowClient(times.idle());
    }
    UploadPace own = pace;
    if (own == null) {
      own = new UploadPace(loop.uploadRate());
      pace = own;
    }
    boolean reads = client.isRead();
    UploadRate missed = own.missed(now, upload.came(), reads, () -> Attempt.isWanted(attempt));
    return missed == null ? null : RouterProblem.slowUpload(missed);
  }

  // ---- the attempts

  /** The endpoint's connection, for as long as there is one. */
  @Nullable Upstream upstream() {
    return attempt == null ? null : attempt.upstream();
  }

  /** The endpoint that was asked last; null before the first. */
  @Nullable EndpointState endpoint() {
    return attempt == null ? null : attempt.endpoint();
  }

  /** How many attempts there were. */
  int attempts() {
    return tries.all();
  }

  /** Since when an answer is waited for, or the body is flowing. */
  long askedAt() {
    return askedAt;
  }

  /**
   * Asks an endpoint.
   *
   * @param failed the endpoint that has just failed, and is not asked again at once
   */
  void attempt(@Nullable EndpointState failed) {
    relay.awaits();
    askedAt = loop.nanos();
    LocalService to = destination.present(table);
    ServiceState target = to.state();
    EndpointState chosen =
        loop.picker()
            .pick(target.endpoints(), target.balance(), request.key(target.balance()), failed);
    if (chosen == null) {
      hold(target);
      return;
    }
    tries.begin();
    Attempt next = new Attempt(wire, to, chosen, request.cost(), this);
    attempt = next;
    next.begin();
  }

  /** Waits for an endpoint, where and as long as that is allowed. */
  private void hold(ServiceState at) {
    if (tries.hold(at, loop.nanos())) {
      relay.isHeld();
    } else {
      TurnedAway refused = HoldPlace.refusal(at);
      relay.refuse(refused.why(), refused.denial());
    }
  }

  /** Tries again when it is this request's turn; refuses it when it has waited for too long. */
  void checkHold(long now) {
    ServiceState at = destination.present(table).state();
    if (tries.isOver(at, now)) {
      relay.refuse(Refusal.NO_ENDPOINT, RouterProblem.noEndpoint(destination.id()));
    } else if (tries.takeTurn(at, now)) {
      attempt(null);
    }
  }

  /** Waits for no endpoint any more. */
  void endHold() {
    tries.endHold();
  }

  /** Tries once more, at once or later, if that is safe and allowed; false when it is not. */
  boolean again(Retries.Cause cause) {
    Attempt failed = attempt;
    if (failed == null || flowing) {
      return false;
    }
    tries.failed(cause);
    boolean now = failed.mayRepeat(cause, tries.counted(), request.idempotent());
    if (!now && !tries.holdAfter(cause, destination.present(table).state(), loop.nanos())) {
      return false;
    }
    attempt = null;
    sent = false;
    failed.drop();
    failed.leave();
    if (now) {
      attempt(failed.endpoint());
    } else {
      loop.meters().retried(destination.id());
      relay.isHeld();
    }
    return true;
  }

  @Override
  public String network() {
    return client.address().network();
  }

  @Override
  public void crowdedOut() {
    relay.refuse(Refusal.OVER_PENDING, RouterProblem.crowded(destination.id()));
  }

  @Override
  public void unconnected() {
    if (!again(Retries.Cause.CONNECT_FAILURE)) {
      relay.refuse(Refusal.CONNECT_FAILED, RouterProblem.unconnected(destination.id()));
    }
  }

  @Override
  public void connected(Upstream to) {
    to.serve(relay);
    to.write(request.bytes().retainedDuplicate());
    if (upload.whole()) {
      to.flush();
      sent();
      return;
    }
    flowing = true;
    dirty = true;
    askedAt = loop.nanos();
    client.more();
    if (!client.taking()) {
      flush();
    }
  }

  /** Tells whether the endpoint did well. */
  void judge(boolean good) {
    if (attempt != null) {
      attempt.judge(good);
    }
  }

  /** Wants nothing more from the endpoint. */
  void drop() {
    if (attempt != null) {
      attempt.drop();
    }
  }

  /** Leaves the connection to another request, if all of this one was sent; false if it was not. */
  boolean release() {
    if (sent && attempt != null) {
      attempt.release();
      return true;
    }
    return false;
  }

  /** Gives back what it holds, at the end. */
  void over() {
    request.bytes().release();
    if (attempt != null) {
      attempt.leave();
    }
    tries.endHold();
  }
}
