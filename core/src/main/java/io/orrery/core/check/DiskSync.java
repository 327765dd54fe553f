package io.orrery.core.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;

/**
 * A measurement of a directory's disk: how long a sync takes, and what time it is there.
 *
 * @param median of some syncs
 * @param apart how far its clock is from that of this machine
 */
public record DiskSync(Duration median, Duration apart) {
  private static final Duration SLOW = Duration.ofMillis(50);
  private static final Duration BAD = Duration.ofMillis(500);
  private static final int SYNCS = 9;
  private static final int BYTES = 4096;
  private static final double NANOS_OF_MILLISECOND = 1e6;

  /**
   * Measures; blocks.
   *
   * @param probe a file that is not there, and is not afterwards
   * @param time of this machine
   * @throws IOException when nothing can be written
   */
  public static DiskSync measure(Path probe, InstantSource time) throws IOException {
    try (FileChannel channel =
        FileChannel.open(probe, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long[] took = new long[SYNCS];
      for (int i = 0; i < SYNCS; i++) {
        channel.write(ByteBuffer.wrap(new byte[BYTES]));
        long began = System.nanoTime();
        channel.force(false);
        took[i] = System.nanoTime() - began;
      }
      Arrays.sort(took);
      Instant ours = time.instant();
      Duration apart = Duration.between(Files.getLastModifiedTime(probe).toInstant(), ours).abs();
      return new DiskSync(Duration.ofNanos(took[SYNCS / 2]), apart);
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  /** Whether a server that waits for each sync would be quick. */
  public CheckResult check(String name) {
    String found =
        "%.1f ms for one (median of %d)".formatted(median.toNanos() / NANOS_OF_MILLISECOND, SYNCS);
    String advice = "every acknowledgement waits for one: put the home on a local SSD";
    if (median.compareTo(BAD) > 0) {
      return CheckResult.failed(name, found, advice);
    }
    return median.compareTo(SLOW) > 0
        ? CheckResult.warning(name, found, advice)
        : CheckResult.ok(name, found);
  }
}
