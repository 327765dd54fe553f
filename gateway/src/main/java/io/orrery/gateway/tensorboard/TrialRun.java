package io.orrery.gateway.tensorboard;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Trial;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The directory that TensorBoard is shown of one trial: an event file of all that the trial has
 * reported, and an {@link OutputCopy} of the event files that its script has written itself. Lives
 * on one event loop; the disk is written elsewhere.
 */
final class TrialRun {
  private static final String OUTPUT = "output";

  private final Bus bus;
  private final TrialRef trial;
  private final Path directory;
  private EventFile file;
  private @Nullable OutputCopy copy;

  /**
   * @param board the directory that holds one for each trial
   */
  TrialRun(Bus bus, Trial trial, Path board) {
    this.bus = bus;
    this.trial = trial.ref();
    this.directory = board.resolve(trial.sequenceId() + "-" + trial.ref().trial());
    this.file = new EventFile(bus, trial);
  }

  TrialRef trial() {
    return trial;
  }

  Path directory() {
    return directory;
  }

  /** Writes down what was reported since the last time; of a trial that is gone, nothing. */
  Future<Void> extend(Context context) {
    return bus.request(Trials.GET, new Trials.Get(trial))
        .compose(now -> {
          if (now.attempt() != file.attempt()) {
            file = new EventFile(bus, now);
          }
          OutputCopy own = copyOf(now.directory());
          Future<?> copied =
              own == null ? Future.succeededFuture() : context.executeBlocking(own::extend, false);
          return copied.compose(done -> append(context, file));
        })
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture()
                : Future.failedFuture(failure));
  }

  private Future<Void> append(Context context, EventFile from) {
    return AsyncLoop.repeat(() ->
        from.next()
            .compose(piece ->
                piece.length == 0
                    ? Future.succeededFuture(false)
                    : context.executeBlocking(() -> append(from.name(), piece), false).map(true)));
  }

  private Path append(String name, byte[] piece) throws IOException {
    Files.createDirectories(directory);
    return Files.write(
        directory.resolve(name), piece, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** A trial that has not begun has no files, and the files of some are on another machine. */
  private @Nullable OutputCopy copyOf(@Nullable String output) {
    if (output == null) {
      return null;
    }
    try {
      Path source = Path.of(output);
      if (source.isAbsolute() && (copy == null || !copy.isOf(source))) {
        copy = new OutputCopy(source, directory.resolve(OUTPUT));
      }
      return copy;
    } catch (InvalidPathException elsewhere) {
      return null;
    }
  }
}
