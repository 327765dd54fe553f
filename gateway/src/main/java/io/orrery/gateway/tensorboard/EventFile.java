package io.orrery.gateway.tensorboard;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.tensorboard.EventFileWriter;
import io.orrery.core.trial.Trial;
import io.vertx.core.Future;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The points of one attempt of a trial as a scalar event file, piece by piece. It may be asked
 * again later: what was reported meanwhile follows what was taken before.
 */
final class EventFile {
  private static final int PAGE = 5_000;

  private final Bus bus;
  private final Trial trial;
  private final Instant started;
  private final EventFileWriter writer;
  private @Nullable AttemptRef seen;
  private @Nullable String next;

  EventFile(Bus bus, Trial trial) {
    this.bus = bus;
    this.trial = trial;
    this.started = trial.startedAt() == null ? trial.createdAt() : trial.startedAt();
    this.writer = new EventFileWriter(started.toEpochMilli());
  }

  /** As TensorBoard wants it: only files whose names begin so are read, in the order of names. */
  String name() {
    return "events.out.tfevents." + started.getEpochSecond() + "." + trial.ref().trial().value();
  }

  /** Which attempt of its trial it is of. */
  int attempt() {
    return trial.attempt();
  }

  /** The next piece; no bytes when there is nothing new, or another attempt began. */
  Future<byte[]> next() {
    return bus.request(Metrics.POINTS, new Metrics.PointsSince(trial.ref(), next, PAGE))
        .map(page -> {
          if (!page.points().isEmpty() && isOf(page.points().getFirst().attempt())) {
            page.points().forEach(point -> Scalars.add(point, writer));
            next = page.next();
          }
          return writer.take();
        });
  }

  /** A retry that begins in between is another file. */
  private boolean isOf(AttemptRef attempt) {
    if (seen == null) {
      seen = attempt;
    }
    return seen.equals(attempt);
  }
}
