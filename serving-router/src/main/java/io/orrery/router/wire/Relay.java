package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Admission.TurnedAway;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.policy.HoldPlace;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.policy.Tries;
import io.orrery.router.policy.UploadPace;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Timeouts;
import io.orrery.router.route.UploadRate;
import io.orrery.router.telemetry.Meters.Refusal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer: an endpoint, perhaps another one after a failure, the answer, and the
 * end, which comes exactly once, whatever causes it. What is decided, and when, is as in {@code
 * proxy.Exchange}.
 */
final class Relay implements Attempt.Listener, Upstream.Listener {
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
    /** Answered while the body still comes in. */
    LEFTOVER,
    OVER
  }

  private final Wire wire;
  private final Loop loop;
  private final Client client;
  private final LiveTable table;
  private final LocalService origin;
  final LocalService destination;
  private final Upload upload;
  private final Request request;
  private final Tries tries;
  private final long began;
  private Phase phase = Phase.READING;
  private long movedAt;
  private long askedAt;
  private int status;

  /** Whether all of the request is on its way to the endpoint. */
  private boolean sent;

  /** Whether a body that is not whole has begun to flow: it cannot be sent again. */
  private boolean flowing;

  /** Whether something of it was written and not flushed. */
  private boolean dirty;

  private List<Shadows.Copy> copies = List.of();
  private @Nullable Attempt attempt;
  private @Nullable Answer answer;
  private @Nullable BodyDigest digest;

  /** Only of a body that takes longer than a tick. */
  private @Nullable UploadPace pace;

  /** Links of the wire's list of relays. */
  @Nullable Relay before;

  @Nullable Relay after;

  /**
   * @param origin whose host was asked for
   * @param destination who is to answer; it has been entered
   * @param head good only during the call
   */
  Relay(
      Wire wire,
      Client client,
      ForwardedHeaders introduction,
      LiveTable table,
      LocalService origin,
      LocalService destination,
      RequestHead head) {
    this.wire = wire;
    this.loop = wire.loop();
    this.client = client;
    this.table = table;
    this.origin = origin;
    this.destination = destination;
    this.upload = new Upload(head.length());
    this.request =
        Request.of(wire, client, introduction, origin.state(), destination.state(), head);
    this.tries = new Tries(loop);
    this.began = loop.nanos();
    this.movedAt = began;
  }

  /** Sets out. */
  void begin() {
    wire.add(this);
    destination.budget().deposit();
    if (!upload.whole()) {
      attempt(null);
    } else if (upload.ended()) {
      ready();
    }
  }

  /** The body is whole. */
  private void ready() {
    if (!origin.state().mirrored()) {
      attempt(null);
      return;
    }
    // The shadows come after the endpoint, which may already be done with when they do.
    ByteBuf whole = request.bytes().retain();
    attempt(null);
    copies =
        wire.shadows().copy(table, origin.state(), whole, request.head(), request.askedForHead());
    whole.release();
    if (phase == Phase.OVER) {
      told();
    }
  }

  /** The client has its answer, which those of the shadows are compared with. */
  private void told() {
    if (!copies.isEmpty()) {
      long took = loop.nanos() - began;
      copies.forEach(copy -> copy.primary(status, digest, took));
    }
  }

  /** Uses what it can of what the client has sent. */
  void take(ByteBuf in) {
    if (upload.ended()) {
      return;
    }
    switch (phase) {
      case READING -> {
        movedAt = wire.now();
        upload.gather(in, request.bytes());
        if (upload.ended()) {
          ready();
        }
      }
      case WAITING, ANSWERING -> {
        Upstream to = upstream();
        if (flowing && to != null) {
          pass(in, to);
        }
      }
      case HELD -> {}
      case LEFTOVER -> {
        if (!upload.flow(in, null)) {
          client.close();
        } else if (upload.ended()) {
          finish();
        }
      }
      case OVER -> {}
    }
  }

  private void pass(ByteBuf in, Upstream to) {
    movedAt = wire.now();
    if (!upload.flow(in, to)) {
      malformed();
      return;
    }
    dirty = true;
    if (upload.ended()) {
      sent();
    }
  }

  /** A body that is none: nothing after it can be trusted. */
  private void malformed() {
    loop.meters().refused(Refusal.MALFORMED);
    drop();
    status = 400;
    if (phase == Phase.ANSWERING) {
      client.close();
    } else {
      RouterProblem denial = RouterProblem.malformed("the body is not in chunks");
      client.deny(denial, request.askedForHead(), true);
    }
    finish();
  }

  /** Sends on what was passed; called when there is no more of it for now. */
  void flushBody() {
    Upstream to = upstream();
    if (dirty && to != null) {
      dirty = false;
      to.flush();
      if (!to.hasRoom() && !sent) {
        client.holdBack(true);
      }
    }
  }

  /**
   * Bytes that are kept of the request: as it may be sent again, and on its way to the endpoint.
   */
  long kept() {
    if (phase == Phase.OVER) {
      return 0;
    }
    Upstream to = upstream();
    return request.bytes().capacity() + (to == null ? 0 : to.pending());
  }

  private void sent() {
    sent = true;
    askedAt = loop.now();
  }

  private @Nullable Upstream upstream() {
    return attempt == null ? null : attempt.upstream();
  }

  /** Tries; {@code failed} is who has just been tried in vain, and is not asked again at once. */
  private void attempt(@Nullable EndpointState failed) {
    phase = Phase.WAITING;
    askedAt = loop.nanos();
    LocalService to = destination.present(table);
    ServiceState target = to.state();
    EndpointState chosen =
        loop.picker().pick(target.endpoints(), target.balance(), request.key(), failed);
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
      phase = Phase.HELD;
    } else {
      TurnedAway refused = HoldPlace.refusal(at);
      refuse(refused.why(), refused.denial());
    }
  }

  /** Tries once more, at once or later, if that is safe and allowed; false when it is not. */
  private boolean again(Retries.Cause cause) {
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
      phase = Phase.HELD;
    }
    return true;
  }

  @Override
  public String network() {
    return client.address().network();
  }

  @Override
  public void crowdedOut() {
    refuse(Refusal.OVER_PENDING, RouterProblem.crowded(destination.id()));
  }

  @Override
  public void unconnected() {
    if (!again(Retries.Cause.CONNECT_FAILURE)) {
      refuse(Refusal.CONNECT_FAILED, RouterProblem.unconnected(destination.id()));
    }
  }

  @Override
  public void connected(Upstream to) {
    to.serve(this);
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
      flushBody();
    }
  }

  @Override
  public boolean askedForHead() {
    return request.askedForHead();
  }

  /** Goes to the client (RFC 9110 section 15.2), unless that one does not even read its answers. */
  @Override
  public void interim(ResponseHead head) {
    if (phase == Phase.WAITING && client.channel().isWritable()) {
      client.write(
          HeadWriter.response(client.channel().alloc(), head, false, false, 0, loop.date()));
      client.flush();
    }
  }

  @Override
  public void head(ResponseHead head, boolean bodiless) {
    status = head.status();
    judge(status < 500);
    if (status == 503 && again(Retries.Cause.UNAVAILABLE)) {
      return;
    }
    phase = Phase.ANSWERING;
    movedAt = wire.now();
    answer = new Answer(client, head, bodiless, request.closes() || loop.leaving(), loop.date());
    digest = origin.state().comparesBodies() ? new BodyDigest() : null;
  }

  @Override
  public @Nullable BodyDigest digest() {
    return digest;
  }

  @Override
  public void piece(ByteBuf piece) {
    movedAt = wire.now();
    if (answer == null) {
      piece.release();
    } else {
      answer.add(piece);
    }
  }

  @Override
  public void pause() {
    Upstream from = upstream();
    if (phase == Phase.ANSWERING && answer != null) {
      boolean room = answer.flush() && client.hasRoom();
      if (!room && from != null) {
        from.reading(false);
      }
    }
  }

  /** The client has taken enough for more, or has too much to take. */
  void clientWritable(boolean room) {
    Upstream from = upstream();
    if (room && phase == Phase.ANSWERING && from != null && client.hasRoom()) {
      movedAt = wire.now();
      from.reading(true);
    }
  }

  @Override
  public void writable(boolean room) {
    if (room) {
      movedAt = wire.now();
      client.holdBack(false);
      client.more();
    }
  }

  @Override
  public void end() {
    if (answer != null) {
      answer.end();
    }
    told();
    if (sent && attempt != null) {
      attempt.release();
      finish();
    } else {
      // Answered early: the endpoint does not want the rest.
      drop();
      leftover();
    }
  }

  @Override
  public void broken() {
    Upstream from = upstream();
    // A connection that has carried requests may just have been too old; that is no fault.
    boolean stale = phase == Phase.WAITING && from != null && from.used();
    if (!stale) {
      judge(false);
    }
    if (phase == Phase.ANSWERING) {
      cutOff(Refusal.BROKEN, 502);
    } else if (!again(Retries.Cause.RESET)) {
      refuse(Refusal.BROKEN, RouterProblem.broken(destination.id()));
    }
  }

  /** Ends an answer that has begun and will not come to its end. */
  private void cutOff(Refusal why, int code) {
    loop.meters().refused(why);
    status = code;
    drop();
    if (answer != null) {
      answer.flush();
    }
    client.close();
    finish();
  }

  private void refuse(Refusal why, RouterProblem denial) {
    loop.meters().refused(why);
    tries.endHold();
    drop();
    status = denial.status();
    client.deny(denial, request.askedForHead(), request.closes());
    if (upload.ended()) {
      finish();
    } else {
      leftover();
    }
  }

  private void leftover() {
    phase = Phase.LEFTOVER;
    movedAt = loop.now();
    client.holdBack(false);
    client.more();
  }

  private void judge(boolean good) {
    if (attempt != null) {
      attempt.judge(good);
    }
  }

  private void drop() {
    if (attempt != null) {
      attempt.drop();
    }
  }

  /** The client's connection is closed. */
  void clientGone() {
    if (phase == Phase.LEFTOVER) {
      finish();
    } else if (phase != Phase.OVER) {
      loop.meters().abandoned();
      status = CLIENT_GONE;
      drop();
      finish();
    }
  }

  /** Looks whether something has taken too long; called often. */
  void check(long now) {
    Timeouts times = destination.state().service().timeouts();
    if (origin.state().isRevokedBy(loop.table())) {
      cutOff(Refusal.NO_PASS, 401);
      return;
    }
    if (phase != Phase.LEFTOVER && now - began > times.total().toNanos()) {
      late("The exchange took longer than " + RouterProblem.words(times.total()) + ".");
      return;
    }
    switch (phase) {
      case READING -> checkUpload(now, movedAt, times);
      case HELD -> {
        ServiceState at = destination.present(table).state();
        if (tries.isOver(at, now)) {
          refuse(Refusal.NO_ENDPOINT, RouterProblem.noEndpoint(destination.id()));
        } else if (tries.takeTurn(at, now)) {
          attempt(null);
        }
      }
      case WAITING -> {
        if (flowing && !sent) {
          checkUpload(now, Math.max(movedAt, askedAt), times);
        } else if (now - askedAt > times.firstByte().toNanos()) {
          late("No answer began within " + RouterProblem.words(times.firstByte()) + ".");
        }
      }
      case ANSWERING -> {
        if (now - movedAt > times.idle().toNanos()) {
          late("Nothing moved for " + RouterProblem.words(times.idle()) + ".");
        }
      }
      case LEFTOVER -> {
        if (now - movedAt > LEFTOVER.toNanos()) {
          client.close();
          finish();
        }
      }
      case OVER -> {}
    }
  }

  private void checkUpload(long now, long since, Timeouts times) {
    if (now - since > times.idle().toNanos()) {
      clientTooSlow(RouterProblem.slowClient(times.idle()));
      return;
    }
    UploadPace own = pace;
    if (own == null) {
      own = new UploadPace(loop.uploadRate());
      pace = own;
    }
    boolean reads = client.channel().config().isAutoRead();
    UploadRate missed = own.missed(now, upload.came(), reads, () -> Attempt.isWanted(attempt));
    if (missed != null) {
      clientTooSlow(RouterProblem.slowUpload(missed));
    }
  }

  private void clientTooSlow(RouterProblem denial) {
    loop.meters().refused(Refusal.CLIENT_TIMEOUT);
    drop();
    status = 408;
    client.deny(denial, request.askedForHead(), true);
    finish();
  }

  /** The endpoint is to blame only if it was the one that was waited for. */
  private void late(String detail) {
    if (upload.ended() && client.channel().isWritable()) {
      judge(false);
    }
    if (phase == Phase.ANSWERING) {
      cutOff(Refusal.TIMEOUT, 504);
    } else {
      refuse(Refusal.TIMEOUT, RouterProblem.late(detail));
    }
  }

  private void finish() {
    if (phase == Phase.OVER) {
      return;
    }
    phase = Phase.OVER;
    wire.remove(this);
    request.bytes().release();
    if (answer != null) {
      answer.release();
    }
    if (attempt != null) {
      attempt.leave();
    }
    tries.endHold();
    destination.state().leave(loop.number());
    long took = loop.nanos() - began;
    origin.served(destination).answered(status, took);
    log(took);
    client.done();
  }

  private void log(long took) {
    Request.Note note = request.note();
    if (note != null) {
      loop.log(
          client.address().text(),
          note.method(),
          note.authority(),
          note.path(),
          status,
          took,
          origin.state(),
          destination.id(),
          attempt == null ? null : attempt.endpoint().address().toString(),
          tries.all());
    }
  }
}
