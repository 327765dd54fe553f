package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.series;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.file.MarkFile;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a log names every loss of acknowledged points after a close or a kill (F1). */
@ExtendWith(VertxExtension.class)
class DurableEndTest {
  /** A hundred points fill a segment, and nothing is moved while the test looks. */
  private static final LogLimits SMALL = new LogLimits(200_000, 32 << 20, 1_000, 4, 1_000, 100_000);

  @TempDir Path temp;
  private Path directory;
  private Path other;
  private Vertx vertx;

  @BeforeEach
  void twoLogs(Vertx injected) throws Exception {
    vertx = injected;
    directory = filled("mine", 0);
    other = filled("other", 100);
  }

  private Path filled(String name, int from) throws Exception {
    Path made = temp.resolve(name);
    SegmentLog log = open(made, LogLimits.DEFAULT).result();
    log.append(series(ATTEMPT, from, from + 3)).await(5, SECONDS);
    log.append(series(ATTEMPT, from + 3, from + 6)).await(5, SECONDS);
    log.close().await(20, SECONDS);
    return made;
  }

  private AsyncResult<SegmentLog> open(Path directory, LogLimits limits) {
    return SegmentLog.open(
            vertx,
            new LogPlace.Files(directory),
            limits,
            points -> {},
            LogWatch.NONE,
            new TestClock())
        .transform(Future::succeededFuture)
        .await();
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] damaged = bytes.clone();
    damaged[at] ^= 0x10;
    return damaged;
  }

  private void refuses(Path changed, byte[] content) throws Exception {
    refuses(directory, changed, content);
  }

  /** Puts the right content back. */
  private void refuses(Path log, Path changed, byte[] content) throws Exception {
    byte[] right = Files.readAllBytes(changed);
    Files.write(changed, content);
    assertThat(open(log, LogLimits.DEFAULT).cause())
        .as("%d of %d bytes", content.length, right.length)
        .hasMessageContaining(changed.toString());
    Files.write(changed, right);
  }

  private void hasAll() throws Exception {
    hasAll(directory, 6);
  }

  private void hasAll(Path log, int points) throws Exception {
    AsyncResult<SegmentLog> opening = open(log, LogLimits.DEFAULT);
    assertThat(opening.cause()).isNull();
    SegmentLog opened = opening.result();
    assertThat(opened.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, points));
    opened.close().await(20, SECONDS);
  }

  @Test
  void theLastFrameOfAClosedLogIsNoTornTail() throws Exception {
    Path segment = segments(directory).getFirst();
    byte[] bytes = Files.readAllBytes(segment);
    for (int at = bytes.length / 2; at < bytes.length; at += 5) {
      refuses(segment, flipped(bytes, at));
    }
    for (int length : new int[] {bytes.length - 1, bytes.length / 2, 10, 0}) {
      refuses(segment, Arrays.copyOf(bytes, length));
    }
    refuses(segment, Files.readAllBytes(segments(other).getFirst()));
    Files.delete(segment);
    assertThat(open(directory, LogLimits.DEFAULT).cause())
        .hasMessageContaining(segment + " is missing");
    Files.write(segment, bytes);

    hasAll();
  }

  @Test
  void chunksThatAreNotWhatTheyWereAreNamed() throws Exception {
    Path chunks = directory.resolve("chunks.db");
    byte[] bytes = Files.readAllBytes(chunks);
    refuses(chunks, flipped(bytes, bytes.length / 2));
    refuses(chunks, Arrays.copyOf(bytes, bytes.length / 2));
    refuses(chunks, new byte[0]);
    refuses(chunks, Files.readAllBytes(other.resolve("chunks.db")));
    Files.delete(chunks);
    assertThat(open(directory, LogLimits.DEFAULT).cause())
        .hasMessageContaining(chunks + " is missing");
    Files.write(chunks, bytes);

    hasAll();
  }

  @Test
  void withoutItsMarkALogHasAllThatItHad() throws Exception {
    Path mark = directory.resolve("mark");
    byte[] bytes = Files.readAllBytes(mark);
    for (byte[] damaged :
        List.of(
            flipped(bytes, 100),
            flipped(bytes, bytes.length - 100),
            Arrays.copyOf(bytes, 100),
            new byte[0])) {
      Files.write(mark, damaged);
      hasAll();
    }
    Files.delete(mark);
    hasAll();
    assertThat(mark).as("a new one is made").isNotEmptyFile();
  }

  /** As kill -9 leaves it: the mark has caught up, and nothing was closed. */
  @Test
  void ofAKilledLogAcknowledgedPointsAreNoTornTailAndATornTailIsNoDamage() throws Exception {
    SegmentLog log = open(directory, LogLimits.DEFAULT).result();
    Path segment = segments(directory).getFirst();
    log.append(series(ATTEMPT, 6, 9)).await(5, SECONDS);
    await().until(() -> marked() == Files.size(segment));
    Path killed = copy("killed");
    log.close().await(20, SECONDS);

    Path its = killed.resolve(segment.getFileName());
    byte[] bytes = Files.readAllBytes(its);
    refuses(killed, its, flipped(bytes, bytes.length - 1));
    refuses(killed, its, Arrays.copyOf(bytes, bytes.length - 1));
    Files.write(its, Arrays.copyOf(bytes, bytes.length + 7));
    hasAll(killed, 9);
  }

  @Test
  void aSegmentThatIsMissingOrShorterInTheMiddleIsNamed() throws Exception {
    Path before = copy("before");
    SegmentLog log = open(directory, SMALL).result();
    for (int i = 6; i < 306; i += 20) {
      log.append(series(ATTEMPT, i, i + 20)).await(5, SECONDS);
    }
    log.close().await(20, SECONDS);
    // As if nothing had been moved into chunks yet.
    for (String file : List.of("chunks.db", "chunks.db.mark")) {
      Files.copy(before.resolve(file), directory.resolve(file), REPLACE_EXISTING);
    }
    Files.deleteIfExists(directory.resolve("chunks.db-wal"));
    List<Path> segments = segments(directory);
    assertThat(segments).hasSizeGreaterThan(3);
    for (Path segment : segments.subList(0, segments.size() - 1)) {
      byte[] bytes = Files.readAllBytes(segment);
      refuses(segment, Arrays.copyOf(bytes, frame(bytes)));
      refuses(segment, new byte[0]);
      Files.delete(segment);
      AsyncResult<SegmentLog> opened = open(directory, LogLimits.DEFAULT);
      assertThat(opened.cause()).hasMessageContaining("metric log is damaged");
      Files.write(segment, bytes);
    }

    hasAll(directory, 306);
  }

  @Test
  void anEmptyLastSegmentIsNoDamageHoweverOftenALogIsOpened() throws Exception {
    Path before = copy("before");
    SegmentLog log = open(directory, SMALL).result();
    int points = 6;
    // A segment that is full is closed, and one that is empty begun.
    while (segments(directory).size() < 3 || Files.size(segments(directory).getLast()) > 0) {
      log.append(series(ATTEMPT, points, points + 1)).await(5, SECONDS);
      points++;
    }
    log.close().await(20, SECONDS);
    for (int time = 0; time < 3; time++) {
      // As if nothing had been moved into chunks yet.
      for (String file : List.of("chunks.db", "chunks.db.mark")) {
        Files.copy(before.resolve(file), directory.resolve(file), REPLACE_EXISTING);
      }
      Files.deleteIfExists(directory.resolve("chunks.db-wal"));
      hasAll(directory, points);
    }
  }

  /** The offset of the second frame. */
  private static int frame(byte[] segment) {
    return Frames.HEADER + ByteBuffer.wrap(segment).getInt(4);
  }

  private long marked() throws IOException {
    return MarkFile.read(directory.resolve("mark")) instanceof MarkFile.Found.Known(var record)
        ? record.path("durable").asLong()
        : -1;
  }

  private Path copy(String name) throws IOException {
    Path copy = Files.createDirectories(temp.resolve(name));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  private static List<Path> segments(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }
}
