package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.Denial;
import io.orrery.router.policy.Loop;
import io.orrery.router.route.Balance;
import io.orrery.router.route.Limits;
import io.orrery.router.route.RequestKey;
import io.orrery.router.route.Retries;
import io.orrery.router.route.Timeouts;
import io.orrery.router.telemetry.Meters.Refusal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer: an endpoint, perhaps another one after a failure, the answer, and the
 * end, which comes exactly once whoever brings it about. What is decided, and when, is as in {@code
 * proxy.Exchange}.
 */
final class Relay implements Upstream.Listener, Pool.Waiter {
  /** How long the rest of a body that nobody wants is read. */
  private static final Duration LEFTOVER = Duration.ofSeconds(5);

  /** Room beside a head for an answer whose length nobody knows yet. */
  private static final int FEW_CHUNKS = 512;

  private static final int CLIENT_GONE = 499;

  private enum Phase {
    /** The body comes in. */
    READING,
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
  private final ServiceState owner;
  private final ServiceState target;
  private final Upload upload;

  /** What is sent: the head, and all of a small body. */
  private final ByteBuf request;

  private final int headBytes;
  private final boolean idempotent;
  private final boolean askedForHead;
  private final boolean closes;
  private final @Nullable String key;
  private final @Nullable Note note;
  private final long began;
  private Phase phase = Phase.READING;
  private long movedAt;
  private long askedAt;
  private int attempts;
  private int status;
  private boolean sent;
  private boolean flowing;
  private boolean dirty;
  private boolean last;
  private boolean wraps;
  private List<Shadows.Copy> copies = List.of();
  private @Nullable EndpointState endpoint;
  private @Nullable EndpointState failed;
  private @Nullable Upstream upstream;

  /** The head of the answer, while what follows it may still join it. */
  private @Nullable ByteBuf answer;

  /** Links of the wire's list of relays. */
  @Nullable Relay before;

  @Nullable Relay after;

  /** What the access log wants to know when the head is forgotten. */
  private record Note(String method, String authority, String path) {}

  /**
   * @param owner whose host was asked for
   * @param target who is to answer; it has been entered
   */
  Relay(
      Wire wire,
      Client client,
      Introduction introduction,
      LiveTable table,
      ServiceState owner,
      ServiceState target,
      RequestHead head) {
    this.wire = wire;
    this.loop = wire.loop();
    this.client = client;
    this.table = table;
    this.owner = owner;
    this.target = target;
    this.upload = new Upload(head.length());
    int body = upload.whole() ? (int) head.length() : 0;
    this.request = HeadWriter.request(client.channel().alloc(), head, introduction, body);
    this.headBytes = request.readableBytes();
    this.idempotent = head.idempotent();
    this.askedForHead = head.asksForHead();
    this.closes = head.closes();
    this.key =
        target.service().balance() instanceof Balance.Hash(RequestKey by) ? by.of(head) : null;
    this.note = loop.logs() ? new Note(head.method(), introduction.authority(), head.path()) : null;
    this.began = loop.nanos();
    this.movedAt = began;
  }

  /** Sets out. */
  void begin() {
    wire.add(this);
    loop.budget(target).deposit();
    if (!upload.whole()) {
      attempt();
    } else if (upload.ended()) {
      ready();
    }
  }

  /** The body is whole. */
  private void ready() {
    if (owner.service().mirror().isEmpty()) {
      attempt();
      return;
    }
    // The shadows come after the endpoint, which may already be done with when they do.
    ByteBuf whole = request.retain();
    attempt();
    copies = wire.shadows().copy(table, owner, whole, headBytes, askedForHead);
    whole.release();
    if (phase == Phase.OVER) {
      copies.forEach(copy -> copy.primary(status));
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
        upload.gather(in, request);
        if (upload.ended()) {
          ready();
        }
      }
      case WAITING, ANSWERING -> {
        if (flowing) {
          pass(in);
        }
      }
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

  private void pass(ByteBuf in) {
    Upstream to = upstream;
    if (to == null) {
      return;
    }
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
    boolean begun = phase == Phase.ANSWERING;
    drop();
    status = 400;
    if (begun) {
      client.close();
    } else {
      client.deny(Denial.malformed("The body is not in chunks."), askedForHead, true);
    }
    finish();
  }

  /** Sends on what was passed; called when there is no more of it for now. */
  void flushBody() {
    Upstream to = upstream;
    if (dirty && to != null) {
      dirty = false;
      to.flush();
      if (!to.hasRoom() && !sent) {
        client.holdBack(true);
      }
    }
  }

  private void sent() {
    sent = true;
    askedAt = loop.now();
  }

  private void attempt() {
    phase = Phase.WAITING;
    askedAt = loop.nanos();
    attempts++;
    EndpointState chosen =
        loop.picker().pick(target.endpoints(), target.service().balance(), key, failed);
    if (chosen == null) {
      refuse(Refusal.NO_ENDPOINT, Denial.noEndpoint(target.id()));
      return;
    }
    endpoint = chosen;
    chosen.begin();
    Limits limits = target.service().limits();
    wire.pool(chosen)
        .acquire(
            this,
            loop.share(limits.connections()),
            loop.share(limits.pending()),
            target.service().timeouts().connect());
  }

  @Override
  public boolean waits() {
    return phase == Phase.WAITING && upstream == null;
  }

  @Override
  public void crowdedOut() {
    leaveEndpoint();
    refuse(Refusal.OVER_PENDING, Denial.crowded(target.id()));
  }

  @Override
  public void unconnected() {
    judge(false);
    if (!again(Retries.Cause.CONNECT_FAILURE)) {
      refuse(Refusal.CONNECT_FAILED, Denial.unconnected(target.id()));
    }
  }

  @Override
  public void connected(Upstream to) {
    upstream = to;
    to.serve(this);
    to.write(request.retainedDuplicate());
    if (upload.whole()) {
      to.flush();
      sent();
    } else {
      flowing = true;
      dirty = true;
      askedAt = loop.nanos();
      client.more();
      if (!client.taking()) {
        flushBody();
      }
    }
  }

  @Override
  public boolean askedForHead() {
    return askedForHead;
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
    last = closes || loop.leaving();
    wraps = !bodiless && head.length() == ResponseHead.UNTIL_CLOSED;
    boolean chunked = !bodiless && head.length() < 0;
    int joins =
        bodiless || head.length() > Bytes.FEW ? 0 : (int) Math.max(FEW_CHUNKS, head.length());
    answer = HeadWriter.response(client.channel().alloc(), head, chunked, last, joins);
  }

  @Override
  public void piece(ByteBuf piece) {
    movedAt = wire.now();
    ByteBuf head = answer;
    if (wraps) {
      writeAnswer();
      Bytes.writeChunk(client.channel(), piece);
    } else if (head != null && piece.readableBytes() <= head.maxFastWritableBytes()) {
      // One write for a small answer: a second one costs more than a copy.
      head.writeBytes(piece);
      piece.release();
    } else {
      writeAnswer();
      client.write(piece);
    }
  }

  private void writeAnswer() {
    ByteBuf head = answer;
    if (head != null) {
      answer = null;
      client.write(head);
    }
  }

  @Override
  public void pause() {
    if (phase != Phase.ANSWERING) {
      return;
    }
    writeAnswer();
    client.flush();
    if (upstream != null && !client.channel().isWritable()) {
      upstream.reading(false);
    }
  }

  /** The client has taken enough for more, or has too much to take. */
  void clientWritable(boolean room) {
    if (room && phase == Phase.ANSWERING && upstream != null) {
      movedAt = wire.now();
      upstream.reading(true);
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
    writeAnswer();
    if (wraps) {
      Bytes.writeLastChunk(client.channel());
    }
    if (last) {
      client.closeAfter();
    } else {
      client.flush();
    }
    copies.forEach(copy -> copy.primary(status));
    if (sent) {
      Upstream free = upstream;
      upstream = null;
      if (free != null) {
        free.release();
      }
      finish();
      return;
    }
    // Answered early: the endpoint does not want the rest.
    drop();
    leftover();
  }

  @Override
  public void broken() {
    boolean stale = upstream != null && upstream.used();
    if (phase == Phase.WAITING) {
      drop();
      // A connection that has carried requests may just have been too old; that is no fault.
      if (!stale) {
        judge(false);
      }
      if (again(Retries.Cause.RESET)) {
        return;
      }
    }
    judge(false);
    if (phase == Phase.ANSWERING) {
      loop.meters().refused(Refusal.BROKEN);
      cutOff(502);
    } else {
      refuse(Refusal.BROKEN, Denial.broken(target.id()));
    }
  }

  /** Ends an answer that has begun and will not come to its end. */
  private void cutOff(int code) {
    status = code;
    drop();
    writeAnswer();
    client.flush();
    client.close();
    finish();
  }

  /**
   * Tries once more, if that is safe and allowed.
   *
   * @return whether it does
   */
  private boolean again(Retries.Cause cause) {
    Retries retries = target.service().retries();
    if (attempts > retries.attempts()
        || !retries.on().contains(cause)
        || !(cause == Retries.Cause.CONNECT_FAILURE || idempotent)
        || flowing
        || phase != Phase.WAITING) {
      return false;
    }
    if (!loop.budget(target).withdraw(loop.nanos())) {
      loop.meters().retryWithheld();
      return false;
    }
    loop.meters().retried(target.id());
    failed = endpoint;
    drop();
    leaveEndpoint();
    sent = false;
    attempt();
    return true;
  }

  private void judge(boolean good) {
    EndpointState judged = endpoint;
    if (judged != null) {
      target.answered(judged, good, loop.now());
    }
  }

  private void drop() {
    Upstream broken = upstream;
    upstream = null;
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

  private void refuse(Refusal why, Denial denial) {
    loop.meters().refused(why);
    drop();
    status = denial.status();
    client.deny(denial, askedForHead, closes);
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
    Timeouts times = target.service().timeouts();
    if (phase == Phase.LEFTOVER) {
      if (now - movedAt > LEFTOVER.toNanos()) {
        client.close();
        finish();
      }
      return;
    }
    if (now - began > times.total().toNanos()) {
      late("The exchange took longer than " + Denial.words(times.total()) + ".");
      return;
    }
    switch (phase) {
      case READING -> {
        if (now - movedAt > times.idle().toNanos()) {
          clientTooSlow(times);
        }
      }
      case WAITING -> {
        if (flowing && !sent) {
          if (now - Math.max(movedAt, askedAt) > times.idle().toNanos()) {
            clientTooSlow(times);
          }
        } else if (now - askedAt > times.firstByte().toNanos()) {
          late("No answer began within " + Denial.words(times.firstByte()) + ".");
        }
      }
      case ANSWERING -> {
        if (now - movedAt > times.idle().toNanos()) {
          late("Nothing moved for " + Denial.words(times.idle()) + ".");
        }
      }
      case LEFTOVER, OVER -> {}
    }
  }

  private void clientTooSlow(Timeouts times) {
    loop.meters().refused(Refusal.CLIENT_TIMEOUT);
    drop();
    status = 408;
    client.deny(Denial.slowClient(times.idle()), askedForHead, true);
    finish();
  }

  private void late(String detail) {
    judge(false);
    if (phase == Phase.ANSWERING) {
      loop.meters().refused(Refusal.TIMEOUT);
      cutOff(504);
    } else {
      refuse(Refusal.TIMEOUT, Denial.late(detail));
    }
  }

  private void finish() {
    if (phase == Phase.OVER) {
      return;
    }
    phase = Phase.OVER;
    wire.remove(this);
    request.release();
    if (answer != null) {
      answer.release();
      answer = null;
    }
    String endpointName = endpoint == null || note == null ? null : endpoint.address().toString();
    leaveEndpoint();
    target.leave();
    long took = loop.nanos() - began;
    loop.meters().answered(owner.id(), target.id(), status, took);
    if (note != null) {
      loop.log(
          client.address(),
          note.method(),
          note.authority(),
          note.path(),
          status,
          took,
          owner,
          target.id(),
          endpointName,
          attempts);
    }
    client.done();
  }
}
