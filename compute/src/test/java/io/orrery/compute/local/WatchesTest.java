package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchesTest {
  private static final int MANY = 600;

  @TempDir Path directory;

  @Test
  void hundredsMayBeginAndEndAtOnce() throws Exception {
    List<Path> directories = directories();
    try (Watches watches = new Watches()) {
      for (int round = 0; round < 3; round++) {
        CountDownLatch armed = new CountDownLatch(MANY);
        CountDownLatch closed = new CountDownLatch(MANY);
        for (Path each : directories) {
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try (Watches.Watch watch = watches.on(each, () -> {})) {
                  watch.rearm();
                  armed.countDown();
                  armed.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                closed.countDown();
              });
        }
        assertThat(closed.await(20, TimeUnit.SECONDS)).as("all watches have ended").isTrue();
      }
    }
  }

  @Test
  void aChangeNudgesOnceUntilTheNextLook() throws Exception {
    AtomicInteger nudges = new AtomicInteger();
    try (Watches watches = new Watches();
        Watches.Watch watch = watches.on(directory, nudges::incrementAndGet)) {
      watch.rearm();
      Files.createFile(directory.resolve("one"));
      Eventually.until("a nudge", () -> nudges.get() == 1);

      watch.rearm();
      Files.createFile(directory.resolve("two"));
      Eventually.until("a second nudge", () -> nudges.get() == 2);
    }
  }

  @Test
  void changesThatComeWithinTenMillisecondsAreOneNudge() throws Exception {
    AtomicInteger nudges = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    long began = System.nanoTime();
    try (Watches watches = new Watches();
        Watches.Watch watch = watches.on(directory, nudges::incrementAndGet)) {
      watch.rearm();
      for (int change = 0; change < 200; change++) {
        Files.createFile(directory.resolve("f" + change));
        if (nudges.get() > looks.get()) {
          looks.incrementAndGet();
          watch.rearm();
        }
      }
      Eventually.until("a nudge", () -> nudges.get() > 0);
    }
    long tens = (System.nanoTime() - began) / 10_000_000;
    assertThat(nudges).hasValueLessThanOrEqualTo((int) tens + 1);
  }

  @Test
  void aWatchMayEndAfterAll() throws Exception {
    Watches watches = new Watches();
    Watches.Watch watch = watches.on(directory, () -> {});
    watch.rearm();

    watches.close();
    watch.rearm();
    watch.close();

    try (Watches.Watch late = watches.on(directory, () -> {})) {
      late.rearm();
    }
  }

  private List<Path> directories() throws Exception {
    List<Path> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(Files.createDirectory(directory.resolve("d" + i)));
    }
    return all;
  }
}
