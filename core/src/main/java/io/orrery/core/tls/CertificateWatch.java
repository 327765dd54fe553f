package io.orrery.core.tls;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads certificates again every few seconds, so that renewed ones are used without a restart, and
 * warns once a day of one that ends soon.
 */
public final class CertificateWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);
  private static final Duration PACE = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofDays(30);
  private static final Duration BETWEEN_WARNINGS = Duration.ofDays(1);

  private final Vertx vertx;
  private final Clock clock;
  private final TlsMaterial material;
  private final Runnable changed;
  private Clock.@Nullable Timer timer;
  private @Nullable Instant warned;
  private boolean failed;
  private boolean closed;

  private CertificateWatch(Vertx vertx, Clock clock, TlsMaterial material, Runnable changed) {
    this.vertx = vertx;
    this.clock = clock;
    this.material = material;
    this.changed = changed;
  }

  /**
   * Begins to watch; call it on the event loop that closes it.
   *
   * @param changed run on that event loop after other certificates were read
   */
  public static CertificateWatch start(
      Vertx vertx, Clock clock, TlsMaterial material, Runnable changed) {
    CertificateWatch watch = new CertificateWatch(vertx, clock, material, changed);
    watch.warn();
    watch.again();
    return watch;
  }

  private void again() {
    timer = closed ? null : clock.after(PACE, this::look);
  }

  private void look() {
    vertx
        .executeBlocking(material::refresh)
        .onSuccess(other -> {
          failed = false;
          if (other) {
            LOG.info(
                "read the certificate of {} again; it ends at {}",
                material.files().pointer(),
                material.end());
            warned = null;
            changed.run();
          }
          warn();
        })
        .onFailure(failure -> {
          if (!failed) {
            failed = true;
            LOG.warn(
                "could not read the certificate of {}, using the one before: {}",
                material.files().pointer(),
                Problem.of(failure).detail());
          }
        })
        .onComplete(looked -> again());
  }

  private void warn() {
    Instant end = material.end();
    Instant now = clock.now();
    if (end == null
        || end.isAfter(now.plus(SOON))
        || (warned != null && warned.plus(BETWEEN_WARNINGS).isAfter(now))) {
      return;
    }
    warned = now;
    LOG.warn(
        "the certificate {} ends at {}, in {} days: renew it",
        material.files().certificate(),
        end,
        Math.max(0, ChronoUnit.DAYS.between(now, end)));
  }

  @Override
  public void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
