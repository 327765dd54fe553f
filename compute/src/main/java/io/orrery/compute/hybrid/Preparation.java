package io.orrery.compute.hybrid;

import io.orrery.compute.attempt.FirstReady;
import io.orrery.compute.service.SiblingPlatforms;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an experiment ready on all of its platforms. One is enough to begin with; those that are
 * not ready get no attempts, and are tried again until they are.
 */
final class Preparation {
  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);
  private static final Duration RETRY = Duration.ofSeconds(10);

  private final ExperimentId experiment;
  private final JobSpec job;
  private final @Nullable SearchSpec search;
  private final PlatformStats fleet;
  private final SiblingPlatforms neighbours;
  private final Clock clock;
  private final Duration gathering;
  private final BooleanSupplier goesOn;
  private final Runnable oneMore;
  private final FirstReady<Problem> answers = new FirstReady<>();

  /**
   * @param search of an experiment; null for a run
   * @param gathering how long the others are waited for when one is ready
   * @param goesOn whether those that are not ready are still to be tried
   * @param oneMore run when one is ready that was not
   */
  Preparation(
      ExperimentId experiment,
      JobSpec job,
      @Nullable SearchSpec search,
      PlatformStats fleet,
      SiblingPlatforms neighbours,
      Clock clock,
      Duration gathering,
      BooleanSupplier goesOn,
      Runnable oneMore) {
    this.experiment = experiment;
    this.job = job;
    this.search = search;
    this.fleet = fleet;
    this.neighbours = neighbours;
    this.clock = clock;
    this.gathering = gathering;
    this.goesOn = goesOn;
    this.oneMore = oneMore;
  }

  /** Blocks until one is ready, and the others are or have had their time; Refused when none is. */
  void begin() throws InterruptedException {
    List<MemberPlatform> members = fleet.members();
    for (int i = 0; i < members.size(); i++) {
      int number = i;
      fleet.setAside(members.get(i).name(), "is being prepared");
      prepare(members.get(i))
          .onComplete((ready, failure) -> {
            Problem why = failure == null ? null : Problem.of(failure);
            settle(members.get(number), why);
            answers.answered(number, why);
          });
    }
    List<Problem> refusals = answers.await(members.size(), gathering);
    if (!refusals.isEmpty()) {
      throw refusal(refusals).toException();
    }
  }

  /** What none of them could begin with; passing, when one of them may come by itself. */
  private static Problem refusal(List<Problem> reasons) {
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < reasons.size(); i++) {
      if (!(reasons.get(i) instanceof Problem.Refused refused)) {
        return reasons.get(i);
      }
      String service = "/trainingService/services/" + i;
      for (Finding finding : refused.findings()) {
        String pointer = finding.pointer().replaceFirst("^/trainingService(?=/|$)", service);
        findings.add(new Finding(pointer, finding.message()));
      }
    }
    return Problem.Refused.of(findings.stream().distinct().toList());
  }

  private Future<Void> prepare(MemberPlatform member) {
    return neighbours
        .service(member.platform())
        .compose(service ->
            search == null
                ? service.prepare(experiment, member.alone(job))
                : service.prepare(experiment, member.alone(job), search));
  }

  private void settle(MemberPlatform member, @Nullable Problem why) {
    if (why == null) {
      fleet.takeBack(member.name());
      oneMore.run();
      return;
    }
    LOG.warn("experiment {}: {} is left out: {}", experiment, member.name(), why.detail());
    fleet.setAside(member.name(), "is not ready: " + why.detail());
    clock.after(
        RETRY,
        () -> {
          if (goesOn.getAsBoolean()) {
            prepare(member)
                .onComplete((ready, failure) ->
                    settle(member, failure == null ? null : Problem.of(failure)));
          }
        });
  }
}
