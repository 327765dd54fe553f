package io.orrery.compute.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuDevice.GpuProcess;
import io.orrery.compute.gpu.GpuSight.Absent;
import io.orrery.compute.gpu.GpuSight.Failed;
import io.orrery.compute.gpu.GpuSight.Seen;
import io.orrery.compute.service.GpuReport;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests when the GPUs are looked at, and what those who wait are told. Looks are taken when the
 * test says so.
 */
class GpuQueueTest {
  private static final GpuRequest ONE = new GpuRequest(1, List.of(), 1, false);

  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final Queue<Runnable> threads = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private GpuSight sight = new Seen(List.of(device()));
  private int looks;

  private final GpuQueue queue =
      new GpuQueue(
          () -> {
            looks++;
            return sight;
          },
          () -> new GpuCensus(Set.of(4711L), Map.of(), Map.of()),
          clock,
          threads::add);

  @Test
  void gpusAreNotReadWhileNoTrialNeedsThem() {
    queue.release(attempt("a/t1"));
    clock.advance(Duration.ofHours(1));

    assertThat(threads).isEmpty();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void anAttemptIsServedAfterALook() {
    request("t1");
    assertThat(told).isEmpty();

    run();

    assertThat(told).containsExactly("t1 gets 0");
    assertThat(looks).isEqualTo(1);
    assertThat(clock.pending()).as("none waits").isZero();
  }

  @Test
  void aWaitingTrialIsWokenWhenADeviceIsFreed() {
    request("t1");
    request("t2");
    run();
    assertThat(told)
        .containsExactly("t1 gets 0", "t2 waits for 1 GPU: 0 of 1 free (gpu 0: 1 trial)");

    queue.release(attempt("t1"));
    run();

    assertThat(told).last().isEqualTo("t2 gets 0");
  }

  @Test
  void aReleaseDuringALookIsLookedAtAgain() {
    request("t1");
    run();
    request("t2");
    Runnable look = threads.remove();
    sight = new Seen(List.of(device(4711)));
    queue.release(attempt("t1"));
    assertThat(threads).as("one look at a time").isEmpty();
    look.run();
    sight = new Seen(List.of(device()));

    run();

    assertThat(told)
        .as("no reason from a look that was too old")
        .containsExactly("t1 gets 0", "t2 gets 0");
  }

  @Test
  void aStrangersLeavingIsNoticed() {
    sight = new Seen(List.of(device(4711)));
    request("t1");
    run();
    assertThat(told).singleElement().asString().contains("in use by another process (pid 4711, x)");

    sight = new Seen(List.of(device()));
    clock.advance(Duration.ofSeconds(4));
    assertThat(threads).as("no busy loop").isEmpty();
    clock.advance(Duration.ofSeconds(1));
    run();

    assertThat(told).last().isEqualTo("t1 gets 0");
  }

  @Test
  void aFailureIsTheReasonAndIsRetriedMoreAndMoreSlowly() {
    sight = new Failed("nvidia-smi did not answer within 10.0 s");
    request("t1");
    run();
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Instant before = clock.now();
      while (threads.isEmpty()) {
        clock.advance(Duration.ofSeconds(1));
      }
      pauses.add(Duration.between(before, clock.now()).toSeconds());
      run();
    }

    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    assertThat(told)
        .containsOnly(
            "t1 waits for GPUs, but nvidia-smi did not answer within 10.0 s; it is tried again");
  }

  @Test
  void whoComesWhileLooksFailIsToldAtOnceAndDoesNotHurryThem() {
    sight = new Absent();
    request("t1");
    run();

    request("t2");

    assertThat(told)
        .last()
        .isEqualTo(
            "t2 waits for GPUs, but there is no program nvidia-smi on the server's PATH; it is tried again");
    assertThat(threads).isEmpty();
    sight = new Seen(List.of(device()));
    clock.advance(Duration.ofSeconds(1));
    run();
    assertThat(told).contains("t1 gets 0");
  }

  @Test
  void aLookThatBreaksIsAFailureLikeAnyOther() {
    GpuQueue broken =
        new GpuQueue(
            () -> {
              throw new IllegalStateException("broken");
            },
            () -> GpuCensus.NONE,
            clock,
            threads::add);
    broken.request(attempt("t1"), ONE, waiter("t1"));
    run();

    assertThat(told).singleElement().asString().contains("broken");
    assertThat(clock.pending()).isEqualTo(1);
  }

  @Test
  void whoIsWithdrawnIsGrantedNothing() {
    request("t1");
    assertThat(queue.withdraw(attempt("t1"))).isTrue();
    run();

    assertThat(told).isEmpty();
    assertThat(queue.withdraw(attempt("t1"))).isFalse();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void aClosedQueueGrantsNothing() {
    request("t1");
    queue.close();
    run();

    assertThat(told).isEmpty();
    assertThat(clock.pending()).isZero();
  }

  @Test
  void theReportSaysWhoHasWhat() {
    assertThat(queue.report()).isEqualTo(new GpuReport(null, null, List.of(), 0));
    request("t1");
    request("t2");
    run();

    assertThat(queue.report())
        .isEqualTo(
            new GpuReport(
                Instant.EPOCH,
                null,
                List.of(
                    new GpuReport.Gpu(
                        0, "X", 24_576L, List.of(new AttemptRef(TrialRef.parse("a/t1"), 1)), null)),
                1));
  }

  private void request(String trial) {
    queue.request(attempt(trial), ONE, waiter(trial));
  }

  private GpuQueue.Waiter waiter(String trial) {
    return new GpuQueue.Waiter() {
      @Override
      public void waits(String reason) {
        told.add(trial + " " + reason);
      }

      @Override
      public void granted(GpuGrant grant) {
        told.add(trial + " gets " + grant.visible());
      }
    };
  }

  /** Lets the threads do what they have to do. */
  private void run() {
    for (Runnable work = threads.poll(); work != null; work = threads.poll()) {
      work.run();
    }
  }

  private static GpuUser attempt(String trial) {
    return GpuUser.of(
        new AttemptRef(TrialRef.parse(trial.contains("/") ? trial : "a/" + trial), 1));
  }

  private static GpuDevice device(long... pids) {
    List<GpuProcess> processes = new ArrayList<>();
    for (long pid : pids) {
      processes.add(new GpuProcess(pid, "x"));
    }
    return new GpuDevice(0, "X", 24_576L, null, processes);
  }
}
