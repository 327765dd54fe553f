package io.orrery.compute.local;

import io.orrery.compute.process.Spawn;
import io.orrery.core.bus.contract.Trials.Stream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that differ between a server and a test.
 *
 * @param grace how long a process may take to end after SIGTERM before it is killed
 * @param tick how often everything is looked at that no notification told of
 * @param logQuota most bytes that an attempt may write to stdout and stderr together before it is
 *     ended; looked at once a tick, so a fast writer passes it by a few seconds' worth
 * @param interpreter what runs the wrapper script
 * @param spawn how programs are started
 */
record LocalSettings(
    Duration grace, Duration tick, long logQuota, List<String> interpreter, Spawn spawn) {
  static final LocalSettings DEFAULT =
      new LocalSettings(
          Duration.ofSeconds(5), Duration.ofSeconds(1), 1L << 30, List.of("/bin/sh"), Spawn.best());

  LocalSettings {
    interpreter = List.copyOf(interpreter);
  }

  /** The reason to end an attempt that has written more than it may; null when it has not. */
  @Nullable String excessLog(AttemptFiles files) {
    long written =
        AttemptFiles.size(files.log(Stream.STDOUT)) + AttemptFiles.size(files.log(Stream.STDERR));
    return written <= logQuota
        ? null
        : "it was ended because its output of %,d bytes passed the limit of %,d"
            .formatted(written, logQuota);
  }
}
