package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.KeeperFacts;
import io.orrery.compute.kubernetes.JobFacts.Deletion;
import io.orrery.compute.kubernetes.JobFacts.Watched;
import io.orrery.compute.kubernetes.JobState.Phase;
import io.orrery.compute.service.Keepers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts of attempts in a cluster, for tests of what follows from them. */
abstract class JobFactsFixture {
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  /** Longer ago than a cluster is waited for in any case. */
  static final Instant LONG_AGO = NOW.minusSeconds(3_600);

  static final Instant JUST_NOW = NOW.minusSeconds(1);

  static final KeeperFacts NONE = new KeeperFacts(null, null, null, false);
  static final KeeperFacts CAME = new KeeperFacts(LONG_AGO, null, null, false);
  static final KeeperFacts CANCELED = new KeeperFacts(null, null, null, true);
  static final KeeperFacts CANCELED_LATE = new KeeperFacts(LONG_AGO, null, null, true);

  static final Watched LIVE = new Watched(true, null);
  static final Watched LOST = new Watched(false, "no route");

  static final PodView PENDING = pod(false, null, null, null, null, false);
  static final PodView UP = pod(false, LONG_AGO, null, null, null, false);
  static final PodView DONE = pod(true, LONG_AGO, 0, null, null, false);
  static final PodView BROKEN = pod(true, LONG_AGO, 3, null, null, false);
  static final PodView HOPELESS = pod(false, null, null, "no such image", null, true);
  static final PodView SILENT = pod(false, LONG_AGO, null, null, LONG_AGO, false);

  static final JobState QUEUED = new JobState(Phase.WAITING, null, null);
  static final JobState RUNS = new JobState(Phase.RUNNING, null, null);
  static final JobState SUCCEEDED = new JobState(Phase.SUCCEEDED, null, JUST_NOW);
  static final JobState FAILED = new JobState(Phase.FAILED, "BackoffLimitExceeded", null);

  /** Facts with those that are usual. */
  record Sight(
      KeeperFacts keeper,
      Watched watch,
      @Nullable JobState job,
      List<PodView> pods,
      Deletion deletion) {
    Sight watch(Watched other) {
      return new Sight(keeper, other, job, pods, deletion);
    }

    Sight deletion(Deletion other) {
      return new Sight(keeper, watch, job, pods, other);
    }

    JobFacts build() {
      return new JobFacts(keeper, watch, job, pods, deletion, null, null);
    }
  }

  static Sight facts(KeeperFacts keeper, @Nullable JobState job, PodView... pods) {
    return new Sight(keeper, LIVE, job, List.of(pods), Deletion.NONE);
  }

  static KeeperFacts ended(int code, Instant at) {
    return new KeeperFacts(null, new Keepers.State.Ended(code, at, true, null), at, false);
  }

  private static PodView pod(
      boolean over,
      @Nullable Instant startedAt,
      @Nullable Integer exitCode,
      @Nullable String trouble,
      @Nullable Instant leavingBy,
      boolean hopeless) {
    return new PodView("worker", over, leavingBy, startedAt, exitCode, trouble, false, hopeless);
  }
}
