package io.orrery.compute.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.process.ProcessTable.Listing;
import io.orrery.compute.process.Processes.Found;
import io.orrery.compute.service.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
  private static final Found PROCESS = new Found(7, 100, 7, 5, 5, 3, "mark");

  private final AtomicInteger listings = new AtomicInteger();

  @Test
  void aThousandWhoAskDuringOneListingShareTheNext() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    ProcessTable census =
        new ProcessTable(() -> {
          listings.incrementAndGet();
          await(go);
          return List.of(PROCESS);
        });
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Listing> first = threads.submit(census::take);
      Eventually.until("the first listing is under way", () -> listings.get() == 1);
      AtomicInteger asking = new AtomicInteger();
      List<Future<Listing>> others = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        Callable<Listing> question =
            () -> {
              asking.incrementAndGet();
              return census.take();
            };
        others.add(threads.submit(question));
      }
      Eventually.until("all ask", () -> asking.get() == 1_000);
      go.countDown();

      assertThat(first.get(20, TimeUnit.SECONDS).marked("mark")).containsExactly(PROCESS);
      for (Future<Listing> other : others) {
        assertThat(other.get(20, TimeUnit.SECONDS).marked("mark")).containsExactly(PROCESS);
      }
      // A caller between its mark and its question when the listings began asks once more.
      assertThat(listings.get()).isBetween(2, 4);
    }
  }

  @Test
  void anAnswerIsNeverOlderThanItsQuestion() throws Exception {
    ProcessTable census =
        new ProcessTable(() -> List.of(new Found(listings.incrementAndGet(), 1, 1, 1, 0, 1, null)));

    assertThat(census.take().all()).extracting(Found::pid).containsExactly(1L);
    assertThat(census.take().all()).extracting(Found::pid).containsExactly(2L);
  }

  @Test
  void aRecentAnswerIsSharedUntilItIsTooOldOrTheClockIsSetBack() throws Exception {
    ProcessTable census =
        new ProcessTable(() -> List.of(new Found(listings.incrementAndGet(), 1, 1, 1, 0, 1, null)));
    Instant start = Instant.EPOCH.plusSeconds(100);
    Duration age = Duration.ofSeconds(1);

    Listing first = census.recent(start, age);
    assertThat(census.recent(start.plusMillis(999), age)).isSameAs(first);
    assertThat(census.take()).as("one that must not be old").isNotSameAs(first);
    Listing second = census.recent(start.plusMillis(1_000), age);
    assertThat(second).isNotSameAs(first);
    assertThat(census.recent(start, age)).isNotSameAs(second);
  }

  @Test
  void processesAreFoundByMarkAndBySession() throws Exception {
    Found plain = new Found(8, 101, 8, 5, 7, 1, null);
    Listing listing = new ProcessTable(() -> List.of(PROCESS, plain)).take();

    assertThat(listing.marked("mark")).containsExactly(PROCESS);
    assertThat(listing.marked("other")).isEmpty();
    assertThat(listing.session(5)).containsExactly(PROCESS, plain);
    assertThat(listing.session(7)).isEmpty();
  }

  @Test
  void aListingThatFailsIsTakenAgain() throws Exception {
    ProcessTable census =
        new ProcessTable(() -> {
          if (listings.incrementAndGet() == 1) {
            throw new IOException("no /proc");
          }
          return List.of(PROCESS);
        });

    assertThatThrownBy(census::take).hasMessage("no /proc");
    assertThat(census.take().all()).containsExactly(PROCESS);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
