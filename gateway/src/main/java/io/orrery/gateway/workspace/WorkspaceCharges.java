package io.orrery.gateway.workspace;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charges the files of people to the storage of the project public, to which all belong: what a
 * person has in whole MiB, and each upload that is under way as a part of its own, so that servers
 * which share the files never count too little.
 */
final class WorkspaceCharges {
  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceCharges.class);
  private static final String KIND = "workspace";
  private static final String UPLOAD = "upload-";
  private static final long UNIT = 1L << 20;

  /** How often a person's files are counted while other servers are faster. */
  private static final int COUNTS = 8;

  /** After which the upload of a server that was killed is forgotten. */
  private static final Duration STALE = Duration.ofDays(1);

  private static final Duration BETWEEN_SWEEPS = Duration.ofHours(1);

  private final Bus bus;
  private final Clock clock;
  private final RandomGenerator random;
  private volatile Instant swept = Instant.EPOCH;

  WorkspaceCharges(Bus bus, Clock clock, RandomGenerator random) {
    this.bus = bus;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Charges what a person has now, also beyond a limit. What was counted before a count that
   * another server has begun later, and that is charged, is counted anew: it would take back what
   * has come meanwhile.
   *
   * @param counted the bytes that the person has at the time of the question
   */
  Future<Void> charge(String user, Supplier<Future<Long>> counted) {
    return charge(user, counted, COUNTS);
  }

  private Future<Void> charge(String user, Supplier<Future<Long>> counted, int left) {
    long begun = ChronoUnit.MICROS.between(Instant.EPOCH, clock.now());
    QuotaObject object = new QuotaObject(KIND, user);
    return counted
        .get()
        .compose(bytes -> bus.request(Quotas.FOUND, hold(object, begun, units(bytes))))
        .recover(failure -> withoutLedger(failure, 0))
        .<Void>mapEmpty()
        .recover(failure ->
            left > 1 && Problem.of(failure) instanceof Problem.Conflict
                ? charge(user, counted, left - 1)
                : Future.failedFuture(failure));
  }

  /** Charges what a person has now; told in the log when that fails. */
  Future<Void> recount(WorkspacePath path, Supplier<Future<Long>> counted) {
    return charge(path.user(), counted)
        .onFailure(
            failure -> LOG.warn("could not charge {}: {}", path, Problem.of(failure).detail()))
        .otherwiseEmpty();
  }

  /**
   * Begins an upload, after what the person has was counted.
   *
   * @param announced bytes; 0 when that is not known
   * @param counted the bytes that the person has at the time of the question
   * @return fails with TooLarge when it does not fit
   */
  Future<Upload> begin(WorkspacePath path, long announced, Supplier<Future<Long>> counted) {
    byte[] id = new byte[8];
    random.nextBytes(id);
    String part = UPLOAD + clock.now().toEpochMilli() + "-" + HexFormat.of().formatHex(id);
    Upload upload = new Upload(path, new QuotaObject(KIND, path.user(), part), counted);
    return sweep()
        .compose(clean -> charge(path.user(), counted))
        .compose(charged -> upload.grow(announced))
        .map(upload);
  }

  /** An upload that is under way. */
  final class Upload {
    private final WorkspacePath path;
    private final QuotaObject object;
    private final Supplier<Future<Long>> counted;
    private int held;

    private Upload(WorkspacePath path, QuotaObject object, Supplier<Future<Long>> counted) {
      this.path = path;
      this.object = object;
      this.counted = counted;
    }

    /** Completes when so many bytes are charged in all; fails with TooLarge. */
    Future<Void> grow(long bytes) {
      int wanted = units(bytes);
      if (wanted <= held) {
        return Future.succeededFuture();
      }
      int before = held;
      held = wanted;
      return bus.request(Quotas.HOLD, hold(object, wanted))
          .recover(failure -> withoutLedger(failure, wanted))
          .compose(answer ->
              answer.units() == wanted
                  ? Future.succeededFuture()
                  : refuse(before, wanted - before, bytes));
    }

    /** Asks for what is missing alone, for the words of the ledger without what was given back. */
    private Future<Void> refuse(int before, int missing, long bytes) {
      held = before;
      Hold alone =
          new Hold(
              new QuotaObject(KIND, object.name(), object.part() + "-next"),
              ProjectName.PUBLIC,
              object.name(),
              1,
              Amounts.of(QuotaResource.STORAGE, missing * UNIT),
              1);
      return bus.request(Quotas.HOLD, hold(object, before))
          .compose(back -> bus.request(Quotas.HOLD, alone))
          .compose(asked -> bus.request(Quotas.HOLD, alone.with(0)).map(asked.reason()))
          .compose(reason ->
              Future.failedFuture(
                  new Problem.TooLarge(
                          "%s (%s) does not fit: %s"
                              .formatted(
                                  path,
                                  QuotaResource.STORAGE.words(bytes),
                                  reason == null ? "others were faster" : reason))
                      .toException()));
    }

    /** Charges what there is now in the place of the upload, whether or not it was completed. */
    Future<Void> end() {
      // First what there is: another server must not take the room between the two.
      return charge(path.user(), counted)
          .compose(charged -> drop(object))
          .onFailure(failure ->
              LOG.warn("could not charge the upload of {}: {}", path, Problem.of(failure).detail()))
          .otherwiseEmpty();
    }
  }

  private Future<Void> drop(QuotaObject object) {
    return bus.request(Quotas.HOLD, hold(object, 0))
        .recover(failure -> withoutLedger(failure, 0))
        .mapEmpty();
  }

  /** Forgets uploads of servers that were killed. */
  private Future<Void> sweep() {
    Instant now = clock.now();
    if (swept.plus(BETWEEN_SWEEPS).isAfter(now)) {
      return Future.succeededFuture();
    }
    swept = now;
    return bus.request(Quotas.HELD, new Quotas.HeldBy(KIND))
        .compose(all ->
            AsyncLoop.inTurn(
                all.items().stream()
                    .map(Quotas.HeldUnits::object)
                    .filter(object -> isStale(object.part(), now))
                    .toList(),
                this::drop))
        .recover(failure ->
            Bus.isUnserved(failure) ? Future.succeededFuture() : Future.failedFuture(failure));
  }

  private static boolean isStale(String part, Instant now) {
    if (!part.startsWith(UPLOAD)) {
      return false;
    }
    long begun = Long.parseLong(part.split("-", -1)[1]);
    return Instant.ofEpochMilli(begun).plus(STALE).isBefore(now);
  }

  private static Hold hold(QuotaObject object, int wanted) {
    return hold(object, 1, wanted);
  }

  private static Hold hold(QuotaObject object, long epoch, int wanted) {
    return new Hold(
        object,
        ProjectName.PUBLIC,
        object.name(),
        epoch,
        Amounts.of(QuotaResource.STORAGE, UNIT),
        wanted);
  }

  private static int units(long bytes) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, UNIT)));
  }

  /** A server without a ledger has no quotas. */
  private static Future<HoldAnswer> withoutLedger(Throwable failure, int wanted) {
    return Bus.isUnserved(failure)
        ? Future.succeededFuture(HoldAnswer.all(wanted))
        : Future.failedFuture(failure);
  }
}
