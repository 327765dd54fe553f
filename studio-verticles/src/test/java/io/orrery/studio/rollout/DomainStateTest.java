package io.orrery.studio.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.studio.rollout.DomainState.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Takes deployments of a host in. */
class DomainStateTest {
  private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");
  private static final ServiceName A = new ServiceName("aa");
  private static final ServiceName B = new ServiceName("bb");
  private static final ServiceName C = new ServiceName("cc");
  private static final RolloutPolicy POLICY =
      new RolloutPolicy(
          List.of(20, 100), Duration.ofMinutes(1), null, null, null, 0, Duration.ofMinutes(1));

  private static Member at(ServiceName service, long generation, long second) {
    return new Member(service, generation, BEGIN.plusSeconds(second), POLICY);
  }

  private static DomainState of(DomainState state, Member... present) {
    return state.deployed(List.of(present), BEGIN);
  }

  @Test
  void theFirstServiceHasAllRequestsAndAnotherOneTakesOverByARollout() {
    DomainState first = of(DomainState.empty(BEGIN), at(A, 1, 0));
    assertThat(first.backends()).containsExactly(new ServiceShare(A, 100));
    assertThat(first.rollout().state()).isEqualTo(RolloutState.IDLE);
    assertThat(of(first, at(A, 1, 0))).isSameAs(first);
    assertThat(of(first, at(A, 2, 5)).rollout().state()).isEqualTo(RolloutState.IDLE);

    DomainState second = of(first, at(A, 1, 0), at(B, 1, 9));
    assertThat(second.backends()).containsExactly(new ServiceShare(A, 100));
    assertThat(second.rollout().candidate()).isEqualTo(B);
    assertThat(second.superseded()).containsExactly(B);
  }

  @Test
  void aThirdServiceTakesThePlaceOfTheSecondOfARollout() {
    DomainState second = of(of(DomainState.empty(BEGIN), at(A, 1, 0)), at(A, 1, 0), at(B, 1, 9));
    DomainState running = second.with(second.rollout().to(RolloutState.STEP, 1, null, BEGIN));
    assertThat(running.backends())
        .containsExactly(new ServiceShare(A, 80), new ServiceShare(B, 20));

    DomainState third = of(running, at(A, 1, 0), at(B, 1, 9), at(C, 1, 20));

    assertThat(third.rollout().candidate()).isEqualTo(C);
    assertThat(third.backends()).containsExactly(new ServiceShare(A, 100));
  }

  @Test
  void oneThatWasRolledBackTriesAgainWhenItIsDeployedAgain() {
    DomainState second = of(of(DomainState.empty(BEGIN), at(A, 1, 0)), at(A, 1, 0), at(B, 1, 9));
    DomainState back =
        second.with(second.rollout().to(RolloutState.ROLLED_BACK, 1, "errors", BEGIN));

    assertThat(of(back, at(A, 1, 0), at(B, 1, 9))).isSameAs(back);
    assertThat(of(back, at(A, 1, 0), at(B, 2, 30)).rollout().state()).isEqualTo(RolloutState.STEP);
  }

  @Test
  void aClearedServiceLosesItsShareToTheOthers() {
    DomainState divided =
        of(of(DomainState.empty(BEGIN), at(A, 1, 0)), at(A, 1, 0), at(B, 1, 9))
            .divided(List.of(new ServiceShare(A, 70), new ServiceShare(B, 30)), List.of(), BEGIN);

    assertThat(of(divided, at(B, 1, 9)).backends()).containsExactly(new ServiceShare(B, 100));
    assertThat(of(divided).backends()).isEmpty();
  }

  @Test
  void aCandidateThatIsClearedEndsItsRollout() {
    DomainState second = of(of(DomainState.empty(BEGIN), at(A, 1, 0)), at(A, 1, 0), at(B, 1, 9));
    DomainState running = second.with(second.rollout().to(RolloutState.STEP, 1, null, BEGIN));

    DomainState left = of(running, at(A, 1, 0));

    assertThat(left.rollout().state()).isEqualTo(RolloutState.ROLLED_BACK);
    assertThat(left.rollout().reason()).isEqualTo("bb was cleared");
    assertThat(left.backends()).containsExactly(new ServiceShare(A, 100));
  }

  @Test
  void itIsStoredAndReadAgainAsItIs() {
    DomainState state = of(of(DomainState.empty(BEGIN), at(A, 1, 0)), at(A, 1, 0), at(B, 1, 9));

    assertThat(Json.read(Json.write(state), DomainState.class)).isEqualTo(state);
  }

  /** Whatever is deployed and cleared: the shares are whole, and of services that are there. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void sharesAreWholeAndOfServicesThatAreThere(long seed) {
    Random random = new Random(seed);
    List<ServiceName> names = List.of(A, B, C);
    for (int round = 0; round < 200; round++) {
      DomainState state = DomainState.empty(BEGIN);
      for (int i = 0; i < 15; i++) {
        List<Member> present = new ArrayList<>();
        for (ServiceName name : names) {
          if (random.nextBoolean()) {
            present.add(at(name, random.nextInt(3), i));
          }
        }
        state = state.deployed(present, BEGIN);
        if (state.rollout().isActive() && random.nextBoolean()) {
          state = state.with(state.rollout().to(RolloutState.STEP, 1, null, BEGIN));
        }
        List<ServiceName> there = present.stream().map(Member::service).toList();
        assertThat(state.backends()).allMatch(share -> there.contains(share.service()));
        int sum = state.backends().stream().mapToInt(ServiceShare::percent).sum();
        assertThat(sum).isIn(0, 100);
        if (sum == 0) {
          assertThat(state.backends()).isEmpty();
        }
      }
    }
  }
}
