package io.orrery.metrics.store;

import static io.orrery.metrics.store.Points.ATTEMPT;
import static io.orrery.metrics.store.Points.TRIAL;
import static io.orrery.metrics.store.Points.series;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests a log whose disk is full, or whose last segment is torn or damaged. */
class SegmentRecoveryTest extends SegmentLogFixture {
  /** No file of this process may grow past so many bytes; one that tries gets an error. */
  private static void limitFiles(String bytes) throws Exception {
    long pid = ProcessHandle.current().pid();
    int done =
        new ProcessBuilder("prlimit", "--pid", "" + pid, "--fsize=" + bytes + ":")
            .start()
            .waitFor();
    assertThat(done).isZero();
  }

  @Test
  void aDiskThatTookHalfAFrameIsForgivenWhenThereIsRoomAgain() throws Exception {
    log.append(series(ATTEMPT, 0, 3)).await(5, SECONDS);
    announced.clear();
    limitFiles(String.valueOf(Files.size(onlySegment()) + 10));
    try {
      for (int i = 0; i < 2; i++) {
        assertThat(settled(log.append(series(ATTEMPT, 3, 6))).cause())
            .hasMessageContaining("the metric log cannot be written")
            .hasMessageContaining("it is tried again");
      }
      assertThat(settled(log.probe()).failed()).isTrue();
      assertThat(settled(log.lastFinal(ATTEMPT)).failed()).isTrue();
      assertThat(announced).isEmpty();
    } finally {
      limitFiles("unlimited");
    }

    log.probe().await(5, SECONDS);
    MetricLog.Appended again = log.append(series(ATTEMPT, 3, 9)).await(5, SECONDS);

    assertThat(again.duplicates()).isEqualTo(3);
    assertThat(again.fresh()).hasSize(3);
    assertThat(announced).isEqualTo(series(ATTEMPT, 3, 9));
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, 9));
    reopen(LogLimits.DEFAULT);
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, 9));
  }

  @Test
  void aTornTailIsCutOffWhereverItWasTorn() throws Exception {
    log.append(series(ATTEMPT, 0, 3)).await(5, SECONDS);
    Path file = onlySegment();
    int whole = (int) Files.size(file);
    byte[] mark = markOfNow();
    log.append(series(ATTEMPT, 3, 6)).await(5, SECONDS);
    log.close().await(5, SECONDS);
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes.length).isGreaterThan(whole + Frames.HEADER);
    for (int length = whole; length < bytes.length; length++) {
      Files.write(directory.resolve("mark"), mark);
      Files.write(file, Arrays.copyOf(bytes, length));
      recoversTo(3);
      byte[] zeroed = Arrays.copyOf(bytes, bytes.length);
      Arrays.fill(zeroed, length, zeroed.length, (byte) 0);
      if (!Arrays.equals(zeroed, bytes)) {
        Files.write(directory.resolve("mark"), mark);
        Files.write(file, zeroed);
        recoversTo(3);
      }
    }
    Files.write(file, bytes);
    recoversTo(6);
    log = open(LogLimits.DEFAULT);
  }

  /** The mark as a power cut leaves it, which loses what comes later. */
  private byte[] markOfNow() throws Exception {
    reopen(LogLimits.DEFAULT);
    return Files.readAllBytes(directory.resolve("mark"));
  }

  private void recoversTo(int points) throws Exception {
    log = open(LogLimits.DEFAULT);
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, points));
    log.close().await(5, SECONDS);
  }

  @Test
  void aLogWithACutTailGoesOn() throws Exception {
    log.append(series(ATTEMPT, 0, 3)).await(5, SECONDS);
    byte[] mark = markOfNow();
    log.append(series(ATTEMPT, 3, 6)).await(5, SECONDS);
    log.close().await(5, SECONDS);
    Path file = onlySegment();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    Files.write(directory.resolve("mark"), mark);
    log = open(LogLimits.DEFAULT);
    log.append(series(ATTEMPT, 2, 9)).await(5, SECONDS);
    recoversAfterClosing(9);
  }

  private void recoversAfterClosing(int points) throws Exception {
    reopen(LogLimits.DEFAULT);
    assertThat(log.lastAttempt(TRIAL).await(5, SECONDS)).isEqualTo(series(ATTEMPT, 0, points));
  }

  @Test
  void damageToAcknowledgedPointsIsAnErrorThatNamesFileAndOffset() throws Exception {
    log.append(series(ATTEMPT, 0, 3)).await(5, SECONDS);
    int second = (int) Files.size(onlySegment());
    log.append(series(ATTEMPT, 3, 6)).await(5, SECONDS);
    log.append(series(ATTEMPT, 6, 9)).await(5, SECONDS);
    log.close().await(5, SECONDS);
    byte[] bytes = Files.readAllBytes(onlySegment());
    int third = second + (bytes.length - second) / 2;
    for (int at = second; at < third; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x10;
      Files.write(onlySegment(), damaged);
      AsyncResult<SegmentLog> opened =
          SegmentLog.open(
                  vertx,
                  new LogPlace.Files(directory),
                  LogLimits.DEFAULT,
                  announced::addAll,
                  LogWatch.NONE,
                  clock)
              .transform(Future::succeededFuture)
              .await();
      assertThat(opened.cause())
          .hasMessageContaining(onlySegment().toString())
          .hasMessageContaining("byte " + second);
    }
    Files.write(onlySegment(), bytes);
    log = open(LogLimits.DEFAULT);
  }
}
