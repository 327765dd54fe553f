package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.compute.kubernetes.Verdict.Evidence;
import io.orrery.compute.service.Keepers;
import io.orrery.core.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which of the keeper, the pods and the controller is believed (K4 and K7). */
class VerdictTest {
  private static final String RUNNING =
      """
      {"phase":"Running","containerStatuses":[{"name":"main","state":{"running":
          {"startedAt":"2026-01-01T00:00:00Z"}}}]}
      """;

  private static final String FAILED_BY_ITSELF =
      """
      {"phase":"Failed","containerStatuses":[{"name":"main","state":{"terminated":
          {"exitCode":3,"reason":"Error","startedAt":"2026-01-01T00:00:00Z"}}}]}
      """;

  private final FirstLoss losses = new FirstLoss();

  @Test
  void theControllersGoodEndCountsMoreThanThatOfARoleThatItEnded() {
    assertThat(judge(job(Phase.SUCCEEDED), 143, null)).isEqualTo(new Verdict(0, null));
  }

  @Test
  void aGoodEndStaysOneWhateverBecomesOfTheJob() {
    assertThat(judge(null, 0, "its pod was deleted").exitCode()).isZero();
    assertThat(judge(job(Phase.FAILED), 0, "its pod was deleted").exitCode()).isZero();
  }

  @Test
  void whatTheClusterToldToEndIsLost() {
    assertThat(judge(null, 143, null).reason()).contains("was deleted from the cluster");
    assertThat(judge(job(Phase.FAILED), 143, "its pod x was deleted"))
        .isEqualTo(new Verdict(null, "its pod x was deleted"));
    assertThat(judge(job(Phase.LOST), 143, null).exitCode()).isNull();
  }

  @Test
  void whatFailedByItselfHasFailed() {
    assertThat(judge(job(Phase.FAILED), 3, null)).isEqualTo(new Verdict(3, null));
    assertThat(judge(job(Phase.FAILED), 143, null).exitCode()).isEqualTo(143);
    assertThat(judge(null, 3, null).exitCode()).isEqualTo(3);
  }

  @Test
  void aPodThatIsDeletedWhileItsJobGoesOnIsTaken() {
    losses.observe(Map.of("a", pod(null, RUNNING)), false);
    assertThat(losses.taken()).isNull();

    losses.observe(Map.of("a", pod(Instant.EPOCH, RUNNING)), false);

    assertThat(losses.taken()).contains("its pod a was deleted");
  }

  @Test
  void aPodThatVanishesWhileItsJobGoesOnIsTaken() {
    losses.observe(Map.of("a", pod(null, RUNNING)), false);

    losses.observe(Map.of(), false);

    assertThat(losses.taken()).contains("its pod a was deleted");
  }

  @Test
  void whatAControllerDeletesAfterAFailureWasNotTaken() {
    losses.observe(Map.of("a", pod(null, RUNNING), "b", pod(null, FAILED_BY_ITSELF)), false);
    losses.observe(Map.of("a", pod(Instant.EPOCH, RUNNING)), false);

    assertThat(losses.taken()).isNull();
  }

  @Test
  void whatAControllerDeletesAtTheEndWasNotTaken() {
    losses.observe(Map.of("a", pod(null, RUNNING)), false);
    losses.observe(Map.of("a", pod(Instant.EPOCH, RUNNING)), true);
    losses.observe(Map.of(), true);

    assertThat(losses.taken()).isNull();
  }

  private static PodView pod(@Nullable Instant leavingBy, String status) {
    return PodView.of("main", "main", leavingBy, Json.parse(status));
  }

  private static JobState job(Phase phase) {
    return new JobState(phase, null, null);
  }

  private static Verdict judge(@Nullable JobState job, int told, @Nullable String taken) {
    Keepers.State.Ended end = new Keepers.State.Ended(told, Instant.EPOCH, true, null);
    return Verdict.of(new Evidence("job", "main", job, List.of(), end, taken));
  }
}
