package io.orrery.compute.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuDevice.GpuProcess;
import io.orrery.compute.gpu.GpuPlan.Granted;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.workload.ReplicaRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The specification of who gets which GPU. */
class GpuPlanTest {
  private static final long STRANGER = 4711;

  private final GpuPlan plan = new GpuPlan();

  @Test
  void anAttemptGetsAsManyAsItAsksFor() {
    look(4);

    assertThat(granted(attempt("a/t1"), gpus(2))).containsExactly(0, 1);
    assertThat(granted(attempt("a/t2"), gpus(1))).containsExactly(2);
  }

  @Test
  void anAttemptMayHaveAllThereAre() {
    look(2);

    assertThat(granted(attempt("a/t1"), gpus(2))).containsExactly(0, 1);
  }

  @Test
  void aDeviceIsFreeAgainWhenItsTrialIsOver() {
    look(1);
    assertThat(granted(attempt("a/t1"), gpus(1))).containsExactly(0);
    assertThat(granted(attempt("a/t2"), gpus(1))).isEmpty();

    plan.release(attempt("a/t1"));

    assertThat(plan.grant()).containsExactly(grant("a/t2", 1, 0));
  }

  @Test
  void onlyTheDevicesOfGpuIndicesAreTaken() {
    look(4);
    GpuRequest request = new GpuRequest(1, List.of(3, 1), 1, false);

    assertThat(granted(attempt("a/t1"), request)).containsExactly(1);
    assertThat(granted(attempt("a/t2"), request)).containsExactly(3);
    assertThat(granted(attempt("a/t3"), request)).isEmpty();
    assertThat(plan.reason(attempt("a/t3")))
        .isEqualTo("waits for 1 GPU: 0 of 2 free (gpu 1, 3: 1 trial)");
  }

  @Test
  void trialsSpreadBeforeTheyShare() {
    look(2);
    GpuRequest request = new GpuRequest(1, List.of(), 2, false);

    assertThat(granted(attempt("a/t1"), request)).containsExactly(0);
    assertThat(granted(attempt("a/t2"), request)).containsExactly(1);
    assertThat(granted(attempt("a/t3"), request)).containsExactly(0);
    assertThat(granted(attempt("a/t4"), request)).containsExactly(1);
    assertThat(granted(attempt("a/t5"), request)).isEmpty();
    assertThat(plan.reason(attempt("a/t5")))
        .isEqualTo("waits for 1 GPU: 0 of 2 free (gpu 0, 1: 2 trials)");
  }

  @Test
  void aTrialThatDoesNotShareIsLeftAlone() {
    look(1);
    assertThat(granted(attempt("a/t1"), gpus(1))).containsExactly(0);

    assertThat(granted(attempt("b/t1"), new GpuRequest(1, List.of(), 3, true))).isEmpty();
    assertThat(plan.reason(attempt("b/t1")))
        .isEqualTo("waits for 1 GPU: 0 of 1 free (gpu 0: 1 trial that will not share it)");
  }

  @Test
  void whatAStrangerUsesIsLeftToHim() {
    plan.seen(List.of(device(0, STRANGER), device(1)), alive(STRANGER));

    assertThat(granted(attempt("a/t1"), gpus(2))).isEmpty();
    assertThat(plan.reason(attempt("a/t1")))
        .isEqualTo(
            "waits for 2 GPUs: 1 of 2 free"
                + " (gpu 0: in use by another process (pid 4711, python3))");
  }

  @Test
  void whatAStrangerUsesMayBeSharedIfAsked() {
    plan.seen(List.of(device(0, STRANGER), device(1)), alive(STRANGER));
    GpuRequest request = new GpuRequest(1, List.of(), 1, true);

    assertThat(granted(attempt("a/t1"), request)).as("the quiet one first").containsExactly(1);
    assertThat(granted(attempt("a/t2"), request)).containsExactly(0);
  }

  @Test
  void theProcessesOfATrialAreNoStrangersOnItsOwnDevice() {
    look(2);
    GpuRequest shared = new GpuRequest(1, List.of(0), 2, false);
    granted(attempt("a/t1"), shared);

    plan.seen(
        List.of(device(0, 7), device(1, 7)),
        new GpuCensus(Set.of(7L), Map.of(7L, attempt("a/t1")), Map.of()));

    assertThat(granted(attempt("a/t2"), shared)).containsExactly(0);
    assertThat(granted(attempt("a/t3"), new GpuRequest(1, List.of(1), 1, false))).isEmpty();
    assertThat(plan.reason(attempt("a/t3"))).contains("in use by trial a/t1, which was not given");
  }

  @Test
  void anUnknownProcessBelongsToTheTrialOfItsDevice() {
    look(2);
    GpuRequest shared = new GpuRequest(1, List.of(), 2, false);
    granted(attempt("a/t1"), shared);

    plan.seen(List.of(device(0, 99), device(1, 98)), alive());

    assertThat(granted(attempt("a/t2"), shared)).containsExactly(0);
  }

  @Test
  void aBrokenDeviceIsNotGiven() {
    plan.seen(List.of(device(0), new GpuDevice(1, "X", null, "lost", List.of())), GpuCensus.NONE);

    assertThat(granted(attempt("a/t1"), gpus(2))).isEmpty();
    assertThat(plan.reason(attempt("a/t1")))
        .isEqualTo("waits for 2 GPUs: 1 of 2 free (gpu 1: lost)");
  }

  @Test
  void whoComesFirstGoesFirst() {
    look(1);
    plan.want(attempt("a/t1"), gpus(1));
    plan.want(attempt("a/t2"), gpus(1));

    assertThat(plan.grant()).containsExactly(grant("a/t1", 1, 0));
  }

  @Test
  void theExperimentThatHoldsLeastGoesFirst() {
    look(2);
    for (int i = 1; i <= 9; i++) {
      plan.want(attempt("large/t" + i), gpus(1));
    }
    assertThat(plan.grant()).hasSize(2);
    plan.want(attempt("small/t1"), gpus(1));

    plan.release(attempt("large/t1"));

    assertThat(plan.grant()).containsExactly(grant("small/t1", 1, 0));
  }

  @Test
  void smallTrialsDoNotStarveALargeOne() {
    look(2);
    granted(attempt("a/t1"), gpus(1));
    granted(attempt("a/t2"), gpus(1));
    assertThat(granted(attempt("b/t1"), gpus(2))).isEmpty();
    assertThat(granted(attempt("c/t1"), gpus(1))).isEmpty();

    plan.release(attempt("a/t1"));
    assertThat(plan.grant()).isEmpty();
    assertThat(plan.reason(attempt("c/t1")))
        .isEqualTo(
            "waits for 1 GPU: 1 of 2 free, kept for a program whose turn comes first"
                + " (gpu 1: 1 trial)");
    plan.release(attempt("a/t2"));

    assertThat(plan.grant()).containsExactly(grant("b/t1", 1, 0, 1));
  }

  @Test
  void trialsThatShareDoNotStarveOneThatDoesNot() {
    look(1);
    GpuRequest shared = new GpuRequest(1, List.of(), 2, false);
    granted(attempt("a/t1"), shared);
    assertThat(granted(attempt("b/t1"), gpus(1))).isEmpty();

    assertThat(granted(attempt("c/t1"), shared)).as("it would prolong the wait").isEmpty();
    plan.release(attempt("a/t1"));

    assertThat(plan.grant()).containsExactly(grant("b/t1", 1, 0));
  }

  @Test
  void aTrialThatWaitsForAForeignProcessDelaysNoOther() {
    plan.seen(List.of(device(0, STRANGER), device(1)), alive(STRANGER));
    assertThat(granted(attempt("a/t1"), gpus(2))).isEmpty();

    assertThat(granted(attempt("b/t1"), gpus(1))).containsExactly(1);
  }

  @Test
  void aTrialThatWaitsForOtherDevicesDelaysNoOther() {
    look(3);
    granted(attempt("a/t1"), new GpuRequest(1, List.of(0), 1, false));
    assertThat(granted(attempt("b/t1"), new GpuRequest(2, List.of(0, 1), 1, false))).isEmpty();

    assertThat(granted(attempt("c/t1"), gpus(1))).as("gpu 1 is kept").containsExactly(2);
  }

  @Test
  void aTrialThatWaitsForAServiceDelaysNoOther() {
    look(4);
    granted(replica("service/hello/1-0"), gpus(3));
    assertThat(granted(replica("service/hello/2-0"), gpus(3))).isEmpty();

    assertThat(granted(attempt("a/t1"), gpus(1))).containsExactly(3);
  }

  @Test
  void whatTrialsLeaveIsKeptBeforeWhatAServiceMayKeep() {
    look(3);
    granted(replica("notebook/ann/1-0"), gpus(1));
    granted(attempt("a/t1"), gpus(1));
    granted(attempt("a/t2"), gpus(1));
    assertThat(granted(replica("service/hello/1-0"), gpus(2))).isEmpty();
    assertThat(granted(attempt("b/t1"), gpus(1))).isEmpty();
    plan.release(attempt("a/t1"));
    assertThat(plan.grant()).as("gpu 1 is kept for the service").isEmpty();
    plan.release(attempt("a/t2"));

    assertThat(plan.grant()).extracting(it -> it.grant().visible()).containsExactly("1,2");
  }

  @Test
  void whatCanNeverBeIsSaid() {
    look(2);
    plan.want(attempt("a/t1"), gpus(3));
    plan.want(attempt("a/t2"), new GpuRequest(2, List.of(1, 7), 1, false));

    assertThat(plan.grant()).isEmpty();
    assertThat(plan.reason(attempt("a/t1")))
        .isEqualTo("waits for 3 GPUs, but this machine has only gpu 0, 1");
    assertThat(plan.reason(attempt("a/t2")))
        .isEqualTo("waits for 2 GPUs, but gpuIndices names gpu 7, and this machine has gpu 0, 1");
    look(0);
    assertThat(plan.reason(attempt("a/t1")))
        .isEqualTo("waits for 3 GPUs, but this machine has none");
  }

  @Test
  void whatCanNeverBeIsFoundBeforeAnyTrial() {
    GpuSight two = new GpuSight.Seen(List.of(device(0), device(1)));

    assertThat(gpus(2).check(two)).isEmpty();
    assertThat(gpus(3).check(two))
        .containsExactly(
            new Finding(
                "/trialGpuNumber", "a trial needs 3 GPUs, but this machine has only gpu 0, 1"));
    assertThat(new GpuRequest(1, List.of(1, 7), 1, false).check(two))
        .containsExactly(
            new Finding(
                "/trainingService/gpuIndices",
                "gpuIndices names gpu 7, and this machine has gpu 0, 1"));
    assertThat(gpus(1).check(new GpuSight.Seen(List.of())))
        .extracting(Finding::message)
        .containsExactly("a trial needs 1 GPU, but this machine has none");
    assertThat(gpus(1).check(new GpuSight.Absent())).hasSize(1);
    assertThat(gpus(1).check(new GpuSight.Failed("it hangs"))).as("not known").isEmpty();
  }

  @Test
  void whoIsWithdrawnGetsNothing() {
    plan.want(attempt("a/t1"), gpus(1));
    assertThat(plan.withdraw(attempt("a/t1"))).isTrue();
    assertThat(plan.withdraw(attempt("a/t1"))).isFalse();
    look(1);

    assertThat(plan.grant()).isEmpty();
  }

  @Test
  void whatAnEarlierServerGaveAwayIsHeldAsLongAsItsTrialLives() {
    GpuUser before = attempt("a/t1");
    GpuGrant grant = new GpuGrant(List.of(0), 1);
    plan.seen(
        List.of(device(0), device(1)),
        new GpuCensus(Set.of(5L), Map.of(5L, before), Map.of(before, grant)));

    assertThat(granted(attempt("a/t2"), gpus(2))).isEmpty();
    assertThat(plan.reason(attempt("a/t2")))
        .isEqualTo("waits for 2 GPUs: 1 of 2 free (gpu 0: 1 trial)");
    look(2);
    assertThat(plan.grant()).containsExactly(grant("a/t2", 1, 0, 1));
  }

  @Test
  void whatHasJustBeenGivenIsHeldBeforeAnyProcessIsSeen() {
    look(1);
    granted(attempt("a/t1"), gpus(1));
    look(1);

    assertThat(granted(attempt("a/t2"), gpus(1))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noTrialIsForgottenAndNoDeviceIsOverfull(long seed) {
    Random random = new Random(seed);
    look(4);
    // Services have none to three of the devices, and do not end.
    int left = 4 - (int) (seed % 4);
    GpuUser service = replica("service/hello/1-0");
    assertThat(left == 4 ? List.of() : granted(service, gpus(4 - left))).hasSize(4 - left);
    Map<GpuUser, GpuRequest> running = new HashMap<>();
    Map<GpuUser, GpuRequest> wanted = new HashMap<>();
    int served = 0;
    for (int step = 0; step < 400; step++) {
      if (step < 200) {
        GpuUser attempt = attempt("e" + random.nextInt(3) + "/t" + step);
        GpuRequest request =
            new GpuRequest(1 + random.nextInt(4), List.of(), 1 + random.nextInt(3), false);
        wanted.put(attempt, request);
        plan.want(attempt, request);
      } else if (running.isEmpty()) {
        break;
      }
      if (!running.isEmpty() && (step >= 200 || random.nextBoolean())) {
        GpuUser over = new ArrayList<>(running.keySet()).get(random.nextInt(running.size()));
        running.remove(over);
        plan.release(over);
      }
      for (Granted granted : plan.grant()) {
        GpuRequest request = wanted.remove(granted.user());
        assertThat(granted.grant().devices()).hasSize(request.count()).doesNotHaveDuplicates();
        running.put(granted.user(), request);
        served++;
      }
      for (GpuDevice device : plan.devices()) {
        List<GpuUser> holders = plan.holders(device);
        assertThat(holders)
            .allSatisfy(holder ->
                assertThat(holders)
                    .hasSizeLessThanOrEqualTo(
                        holder.equals(service) ? 1 : running.get(holder).trialsPerGpu()));
      }
      boolean fits = wanted.values().stream().anyMatch(request -> request.count() <= left);
      assertThat(running.isEmpty() && fits).as("a trial always runs").isFalse();
    }
    assertThat(wanted.values()).allMatch(request -> request.count() > left);
    assertThat(served).isEqualTo(200 - wanted.size());
  }

  private void look(int devices) {
    plan.seen(IntStream.range(0, devices).mapToObj(GpuPlanTest::device).toList(), GpuCensus.NONE);
  }

  /** The devices that it is given at once; none when it waits. */
  private List<Integer> granted(GpuUser attempt, GpuRequest request) {
    plan.want(attempt, request);
    return plan.grant().stream()
        .filter(granted -> granted.user().equals(attempt))
        .flatMap(granted -> granted.grant().devices().stream())
        .toList();
  }

  private static GpuRequest gpus(int count) {
    return new GpuRequest(count, List.of(), 1, false);
  }

  private static Granted grant(String trial, int perGpu, Integer... devices) {
    return new Granted(attempt(trial), new GpuGrant(List.of(devices), perGpu));
  }

  private static GpuUser attempt(String trial) {
    return GpuUser.of(new AttemptRef(TrialRef.parse(trial), 1));
  }

  private static GpuUser replica(String name) {
    return GpuUser.of(ReplicaRef.parse(name));
  }

  private static GpuDevice device(int index, long... pids) {
    List<GpuProcess> processes = new ArrayList<>();
    for (long pid : pids) {
      processes.add(new GpuProcess(pid, "python3"));
    }
    return new GpuDevice(index, "X", 40_960L, null, processes);
  }

  private static GpuCensus alive(Long... pids) {
    return new GpuCensus(Set.of(pids), Map.of(), Map.of());
  }
}
