package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Timeouts;
import io.orrery.router.telemetry.Meters.Refusal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer: the phases, the deadlines, what the client is told, and the end, which
 * comes exactly once, whatever causes it. {@link RequestSide} takes the request to an endpoint,
 * perhaps to another one after a failure; the answer comes back here. What is decided, and when, is
 * as in {@code proxy.Exchange}.
 *
 * <p>The file is longer than 400 lines, because every event of either side is read by the phase.
 */
final class Relay implements Upstream.Listener {
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
  private final Requester client;
  private final LiveTable table;
  private final LocalService origin;
  final LocalService destination;
  private final RequestSide sending;
  private final long began;
  private Phase phase = Phase.READING;
  private long movedAt;
  private int status;

  private List<Shadows.Copy> copies = List.of();
  private @Nullable Answer answer;
  private @Nullable BodyDigest digest;

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
      Requester client,
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
    Request request =
        Request.of(wire, client, introduction, origin.state(), destination.state(), head);
    this.sending = new RequestSide(wire, client, table, destination, this, request, head.length());
    this.began = loop.nanos();
    this.movedAt = began;
  }

  /** Sets out. */
  void begin() {
    wire.add(this);
    destination.budget().deposit();
    if (!sending.whole()) {
      sending.attempt(null);
    } else if (sending.ended()) {
      ready();
    }
  }

  /** The body is whole. */
  private void ready() {
    if (!origin.state().mirrored()) {
      sending.attempt(null);
      return;
    }
    // The shadows come after the endpoint, which may already be done with when they do.
    Request request = sending.request;
    ByteBuf whole = request.bytes().retain();
    sending.attempt(null);
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
    if (sending.ended()) {
      return;
    }
    switch (phase) {
      case READING -> {
        movedAt = wire.now();
        if (sending.gather(in)) {
          ready();
        }
      }
      case WAITING, ANSWERING -> {
        if (sending.flows()) {
          movedAt = wire.now();
          if (!sending.pass(in)) {
            malformed();
          }
        }
      }
      case HELD -> {}
      case LEFTOVER -> {
        if (!sending.skip(in)) {
          client.close();
        } else if (sending.ended()) {
          finish();
        }
      }
      case OVER -> {}
    }
  }

  /** A body that is none: nothing after it can be trusted. */
  private void malformed() {
    loop.meters().refused(Refusal.MALFORMED);
    sending.drop();
    status = 400;
    if (phase == Phase.ANSWERING) {
      client.close();
    } else {
      RouterProblem denial = RouterProblem.malformed("the body is not in chunks");
      client.deny(denial, sending.request.askedForHead(), true);
    }
    finish();
  }

  /** Sends on what was passed; called when there is no more of it for now. */
  void flushBody() {
    sending.flush();
  }

  /** Bytes that are kept of the request. */
  long kept() {
    return phase == Phase.OVER ? 0 : sending.kept();
  }

  /** The network that the client asks from. */
  String network() {
    return client.address().network();
  }

  /** An endpoint is asked; called by the request's side. */
  void awaits() {
    phase = Phase.WAITING;
  }

  /** The request waits for an endpoint; called by its side. */
  void isHeld() {
    phase = Phase.HELD;
  }

  @Override
  public boolean askedForHead() {
    return sending.request.askedForHead();
  }

  /** Goes to the client (RFC 9110 section 15.2), unless that one does not even read its answers. */
  @Override
  public void interim(ResponseHead head) {
    if (phase == Phase.WAITING && client.isWritable()) {
      client.interim(head);
    }
  }

  @Override
  public void head(ResponseHead head, boolean bodiless) {
    status = head.status();
    sending.judge(status < 500);
    if (status == 503 && sending.again(Retries.Cause.UNAVAILABLE)) {
      return;
    }
    phase = Phase.ANSWERING;
    movedAt = wire.now();
    answer = client.answer(head, bodiless, sending.request.closes() || loop.leaving());
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
  public boolean framed() {
    return client.takesChunks();
  }

  @Override
  public void trailers(String lines) {
    if (answer != null) {
      answer.trailers(lines);
    }
  }

  @Override
  public void pause() {
    Upstream from = sending.upstream();
    if (phase == Phase.ANSWERING && answer != null) {
      boolean room = answer.flush() && client.hasRoom();
      if (!room && from != null) {
        from.reading(false);
      }
    }
  }

  /** The client has taken enough for more, or has too much to take. */
  void clientWritable(boolean room) {
    Upstream from = sending.upstream();
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
    if (sending.release()) {
      finish();
    } else {
      // Answered early: the endpoint does not want the rest.
      sending.drop();
      leftover();
    }
  }

  @Override
  public void broken() {
    Upstream from = sending.upstream();
    // A connection that has carried requests may just have been too old; that is no fault.
    boolean stale = phase == Phase.WAITING && from != null && from.used();
    if (!stale) {
      sending.judge(false);
    }
    if (phase == Phase.ANSWERING) {
      cutOff(Refusal.BROKEN, 502);
    } else if (!sending.again(Retries.Cause.RESET)) {
      refuse(Refusal.BROKEN, RouterProblem.broken(destination.id()));
    }
  }

  /** Ends an answer that has begun and will not come to its end. */
  private void cutOff(Refusal why, int code) {
    loop.meters().refused(why);
    status = code;
    sending.drop();
    if (answer != null) {
      answer.flush();
    }
    client.close();
    finish();
  }

  /** Ends a request that has no answer yet with one of the router. */
  void refuse(Refusal why, RouterProblem denial) {
    loop.meters().refused(why);
    sending.endHold();
    sending.drop();
    status = denial.status();
    client.deny(denial, sending.request.askedForHead(), sending.request.closes());
    if (sending.ended()) {
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

  /** The client's connection is closed. */
  void clientGone() {
    if (phase == Phase.LEFTOVER) {
      finish();
    } else if (phase != Phase.OVER) {
      loop.meters().abandoned();
      status = CLIENT_GONE;
      sending.drop();
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
      case HELD -> sending.checkHold(now);
      case WAITING -> {
        if (sending.isUnderWay()) {
          checkUpload(now, Math.max(movedAt, sending.askedAt()), times);
        } else if (now - sending.askedAt() > times.firstByte().toNanos()) {
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
    RouterProblem denial = sending.fault(now, since, times);
    if (denial != null) {
      clientTooSlow(denial);
    }
  }

  private void clientTooSlow(RouterProblem denial) {
    loop.meters().refused(Refusal.CLIENT_TIMEOUT);
    sending.drop();
    status = 408;
    client.deny(denial, sending.request.askedForHead(), true);
    finish();
  }

  /** The endpoint is to blame only if it was the one that was waited for. */
  private void late(String detail) {
    if (sending.ended() && client.isWritable()) {
      sending.judge(false);
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
    if (answer != null) {
      answer.release();
    }
    sending.over();
    destination.state().leave(loop.number());
    long took = loop.nanos() - began;
    origin.served(destination).answered(status, took);
    log(took);
    client.done();
  }

  private void log(long took) {
    Request.Note note = sending.request.note();
    if (note != null) {
      EndpointState endpoint = sending.endpoint();
      loop.log(
          client.address().text(),
          note.method(),
          note.authority(),
          note.path(),
          status,
          took,
          origin.state(),
          destination.id(),
          endpoint == null ? null : endpoint.address().toString(),
          sending.attempts());
    }
  }
}
