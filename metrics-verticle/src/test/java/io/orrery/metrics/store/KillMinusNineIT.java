package io.orrery.metrics.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.sql.PostgresAddress;
import io.orrery.core.sql.PostgresServer;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.StoreOwner;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that appends points at random moments, and compares the log with what it
 * acknowledged.
 */
@ExtendWith(VertxExtension.class)
class KillMinusNineIT {
  /** {@code -Dorrery.kill.rounds=50} is the slow proof. */
  private static final int KILLS = Integer.getInteger("orrery.kill.rounds", 8);

  private static final int TRIALS = 5;

  /** Segments of a few hundred points, so that kills fall into moves as well. */
  private static final LogLimits LIMITS = new LogLimits(10_000, 1 << 20, 20_000, 4, 2, 4);

  @TempDir Path directory;

  @Test
  @Timeout(1_800)
  void everythingAcknowledgedIsThereExactlyOnceInFiles(Vertx vertx) throws Exception {
    everythingAcknowledgedIsThereExactlyOnce(vertx, directory.toString(), KILLS);
  }

  @Test
  @Timeout(1_800)
  void everythingAcknowledgedIsThereExactlyOnceInADatabase(Vertx vertx) throws Exception {
    everythingAcknowledgedIsThereExactlyOnce(
        vertx, PostgresServer.newDatabase(), Math.max(3, KILLS / 2));
  }

  private void everythingAcknowledgedIsThereExactlyOnce(Vertx vertx, String place, int kills)
      throws Exception {
    Random random = new Random(42);
    long[] acknowledged = new long[TRIALS];
    for (int kill = 0; kill < kills; kill++) {
      runAndKill(place, acknowledged, 1 + random.nextInt(600));
      Opened opened = Opened.of(vertx, place);
      SegmentLog log = opened.log();
      for (int trial = 0; trial < TRIALS; trial++) {
        List<Long> found =
            log.lastAttempt(attempt(trial).trial()).await(20, SECONDS).stream()
                .map(MetricPoint::ordinal)
                .toList();
        assertThat((long) found.size()).isGreaterThanOrEqualTo(acknowledged[trial]);
        assertThat(found).isEqualTo(LongStream.range(0, found.size()).boxed().toList());
        // The sender does not know of the unacknowledged ones and will send them again.
        for (int from = 0; from < found.size(); from += 1_000) {
          int to = Math.min(from + 1_000, found.size());
          assertThat(log.append(Points.series(attempt(trial), from, to)).await(20, SECONDS).fresh())
              .isEmpty();
        }
      }
      opened.close();
    }
    assertThat(LongStream.of(acknowledged).sum()).isGreaterThan(kills);
  }

  /**
   * A log of a place, and what it is kept in.
   *
   * @param store null when the log has its own
   */
  private record Opened(SegmentLog log, @Nullable Store store) {
    /**
     * @param place a folder, or the URL of a database
     */
    static Opened of(Vertx vertx, String place) throws Exception {
      Store store =
          place.startsWith("postgresql:")
              ? PostgresStore.open(
                  vertx,
                  PostgresAddress.parse(place, Map.of()),
                  new StoreOwner("appender", "a process that is killed"))
              : null;
      LogPlace where =
          store == null ? new LogPlace.Files(Path.of(place)) : new LogPlace.Tables(store);
      return new Opened(
          SegmentLog.open(vertx, where, LIMITS, points -> {}, LogWatch.NONE, new SystemClock(vertx))
              .await(20, SECONDS),
          store);
    }

    void close() throws Exception {
      log.close()
          .eventually(() -> store == null ? Future.succeededFuture() : store.close())
          .await(20, SECONDS);
    }
  }

  private void runAndKill(String place, long[] acknowledged, int linesToRead) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Appender.class.getName(), place));
    for (long from : acknowledged) {
      command.add(Long.toString(from));
    }
    Process child = new ProcessBuilder(command).redirectErrorStream(false).start();
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i < linesToRead; i++) {
        note(lines.readLine(), acknowledged);
      }
      // By its handle: Process.destroyForcibly would close the pipe with lines still in it.
      child.toHandle().destroyForcibly();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        note(line, acknowledged);
      }
    }
    assertThat(child.waitFor(20, SECONDS)).isTrue();
  }

  /** A line is {@code <trial> <ordinals acknowledged>;}; one without its end was torn itself. */
  private static void note(String line, long[] acknowledged) {
    assertThat(line).as("the child ended by itself").isNotNull();
    if (line.endsWith(";")) {
      String[] parts = line.substring(0, line.length() - 1).split(" ", -1);
      acknowledged[Integer.parseInt(parts[0])] = Long.parseLong(parts[1]);
    }
  }

  static AttemptRef attempt(int trial) {
    return new AttemptRef(Points.trial("t" + trial), 1);
  }

  /** The process that is killed: senders that each have one batch on its way. */
  static final class Appender {
    private final SegmentLog log;
    private final Random random = new Random(1);

    private Appender(SegmentLog log) {
      this.log = log;
    }

    public static void main(String[] args) throws Exception {
      Vertx vertx = Vertx.vertx();
      Appender appender = new Appender(Opened.of(vertx, args[0]).log());
      vertx.runOnContext(go -> {
        for (int trial = 0; trial < TRIALS; trial++) {
          appender.send(trial, Long.parseLong(args[1 + trial]));
        }
      });
    }

    private void send(int trial, long from) {
      long to = from + 1 + random.nextInt(40);
      log.append(Points.series(attempt(trial), from, to))
          .onSuccess(done -> {
            System.out.println(trial + " " + to + ";");
            send(trial, to);
          })
          .onFailure(busy -> Vertx.currentContext().owner().setTimer(5, t -> send(trial, from)));
    }
  }
}
