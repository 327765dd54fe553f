package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.Problem;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.run.RecentChecks.Asked;
import io.orrery.orchestrator.run.RecentChecks.Checked;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Asks for the checks of equal and of other training services, with checks that end when told. */
class RecentChecksTest {
  private static final Asked FAST = asked("10ms");
  private static final Asked SLOW = asked("10m");

  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-11-01T00:00:00Z"));
  private final List<Asked> made = new ArrayList<>();
  private final List<Promise<Checked>> ends = new ArrayList<>();
  private final RecentChecks checks = new RecentChecks(clock, this::begin);

  private static Asked asked(String duration) {
    return new Asked("simulated", new Parameters(Map.of("duration", duration)), null, "ann", false);
  }

  private Future<Checked> begin(Asked asked) {
    made.add(asked);
    Promise<Checked> end = Promise.promise();
    ends.add(end);
    return end.future();
  }

  private static Checked right() {
    return new Checked(
        StepSubmission.job(
            RunSpecs.Step.named("train").spec(), "true", new StepDirectories(Path.of("/runs/r"))),
        Set.of());
  }

  @Test
  void stepsThatAskForTheSameShareOneCheckAlsoWhileItIsMade() {
    Future<Checked> first = checks.of(FAST);
    Future<Checked> second = checks.of(asked("10ms"));
    Checked right = right();
    ends.getFirst().complete(right);

    assertThat(first.result()).isSameAs(right);
    assertThat(second.result()).isSameAs(right);
    assertThat(checks.of(FAST).result()).isSameAs(right);
    assertThat(made).containsExactly(FAST);
  }

  @Test
  void anotherServiceAnotherUserAndAStepWithSecretsHaveTheirOwn() {
    Asked ofBob = new Asked(FAST.platform(), FAST.settings(), null, "bob", false);
    Asked withSecrets = new Asked(FAST.platform(), FAST.settings(), null, "ann", true);
    Asked withGpus = new Asked(FAST.platform(), FAST.settings(), 1, "ann", false);
    List<Asked> all = List.of(FAST, SLOW, ofBob, withSecrets, withGpus);

    all.forEach(checks::of);

    assertThat(made).containsExactlyElementsOf(all);
  }

  @Test
  void aCheckIsMadeAgainAfterASecond() {
    checks.of(FAST);
    ends.getFirst().complete(right());
    clock.advance(Duration.ofMillis(999));
    checks.of(FAST);
    assertThat(made).hasSize(1);

    clock.advance(Duration.ofMillis(1));
    checks.of(FAST);

    assertThat(made).containsExactly(FAST, FAST);
  }

  @Test
  void aFailureIsToldToAllWhoWaitAndIsNotKept() {
    Future<Checked> first = checks.of(FAST);
    Future<Checked> second = checks.of(FAST);
    ends.getFirst().fail(new Problem.Refused("the key file is gone", List.of()).toException());

    assertThat(first.cause()).hasMessageContaining("the key file is gone");
    assertThat(second.cause()).hasMessageContaining("the key file is gone");
    checks.of(FAST);
    assertThat(made).hasSize(2);
  }
}
