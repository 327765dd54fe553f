package io.orrery.studio.usage;

import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A verticle that adds up what projects hold, on one server of those that share a store. What is
 * held at a look counts for the time since the look before, so an object that lives shorter than
 * the pause may be missed. While nothing is held, nothing is written.
 */
public final class UsageRecorder extends VerticleBase {
  /** The usual time between two looks. */
  public static final Duration PAUSE = Duration.ofMinutes(1);

  /** The longest time that one look counts for: what ran on without a server is not known. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Duration SWEEP = Duration.ofHours(1);
  private static final Logger LOG = LoggerFactory.getLogger(UsageRecorder.class);

  private final Clock clock;
  private final Duration pause;
  private final UsageTable table;
  private @Nullable Instant idleAt;
  private Instant sweptAt = Instant.EPOCH;
  private Clock.@Nullable Timer timer;
  private boolean closed;

  /** The look that is under way, or the last one. */
  private Future<?> looking = Future.succeededFuture();

  /**
   * @param store which fails writes when another server records
   */
  public UsageRecorder(Store store, Clock clock, Duration pause) {
    this.clock = clock;
    this.pause = pause;
    this.table = new UsageTable(store);
  }

  @Override
  public Future<?> start() {
    turn();
    return Future.succeededFuture();
  }

  private void turn() {
    looking =
        look()
            .onFailure(
                failure -> LOG.warn("could not record what projects use: {}", failure.getMessage()))
            .otherwiseEmpty();
    looking.onComplete(done -> {
      if (!closed) {
        timer = clock.after(pause, this::turn);
      }
    });
  }

  private Future<Void> look() {
    Instant now = clock.now().truncatedTo(ChronoUnit.SECONDS);
    return table
        .isAnythingHeld()
        .compose(held -> {
          if (!held) {
            idleAt = now;
            return Future.succeededFuture();
          }
          return table.until().compose(until -> table.add(seconds(until.orElse(now), now), now));
        })
        .compose(recorded -> sweep(now));
  }

  /** The seconds that a look counts for; none the first time, and when the clock was set back. */
  private long seconds(Instant until, Instant now) {
    Instant since = idleAt == null || idleAt.isBefore(until) ? until : idleAt;
    long passed = Duration.between(since, now).toSeconds();
    return Math.clamp(passed, 0, LONGEST.toSeconds());
  }

  private Future<Void> sweep(Instant now) {
    if (Duration.between(sweptAt, now).compareTo(SWEEP) < 0) {
      return Future.succeededFuture();
    }
    sweptAt = now;
    return table.sweep(now);
  }

  /** Completes when nothing more is written. */
  @Override
  public Future<?> stop() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    return looking;
  }
}
