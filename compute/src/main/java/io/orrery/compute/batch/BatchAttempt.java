package io.orrery.compute.batch;

import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.FollowedJobs;
import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.batch.BatchLife.Conclusion;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt that is followed. Whatever its keeper says or its service shows, it has {@link
 * BatchLife} look at all that is known now, and does once what that concludes.
 */
final class BatchAttempt extends FollowedJob {
  private static final Logger LOG = LoggerFactory.getLogger(BatchAttempt.class);

  private final AttemptRef ref;
  private final JobApi api;
  private final Keepers keepers;
  private final JobFiles files;
  private final JobPoller rounds;
  private final String name;
  private final BatchLife life;

  private BatchFacts.Jobs jobs;
  private BatchState state = BatchState.NEW;

  BatchAttempt(
      AttemptRef ref,
      JobApi api,
      Collaborators collaborators,
      BatchTimeouts patience,
      JobPoller rounds,
      FollowedJobs<BatchAttempt> followed) {
    super(ref, collaborators, patience.farewell(), followed);
    this.ref = ref;
    this.api = api;
    this.keepers = collaborators.keepers();
    this.files = collaborators.files();
    this.rounds = rounds;
    this.name = api.name(ref);
    this.life = new BatchLife(ref, new JobWords(api.service(), name, api::page), patience);
    this.jobs = BatchFacts.Jobs.unseen(name);
  }

  /** The name of its job. */
  String name() {
    return name;
  }

  JobApi api() {
    return api;
  }

  synchronized JobRef job() {
    return jobs.ref();
  }

  /** The service has its job. */
  void launched(@Nullable String knownId) {
    synchronized (this) {
      jobs = jobs.launched(knownId);
    }
    launched().complete(null);
    rounds.hurry();
  }

  // ---- what is heard -------------------------------------------------------------------------

  @Override
  protected void keeperHasEnded() {
    rounds.hurry();
  }

  /**
   * The service was asked.
   *
   * @param all how its jobs are; none when the service does not have it
   * @return whether that is new
   */
  boolean seen(List<JobView> all) {
    boolean news;
    synchronized (this) {
      JobView before = jobs.view();
      jobs = jobs.seen(all, now());
      JobView job = jobs.view();
      news = job == null ? before != null : before == null || before.phase() != job.phase();
    }
    look();
    return news;
  }

  /** The service was asked, and its jobs could not be seen. */
  void unseen(ProblemException why) {
    synchronized (this) {
      jobs = jobs.unseen(why.problem().detail(), Refusal.isOfRightsOrPlace(why), now());
    }
    look();
  }

  // ---- what it means -------------------------------------------------------------------------

  @Override
  protected void conclude(Instant now) throws IOException, TimeoutException {
    try {
      perform(life.conclude(state, facts(), now), now);
    } catch (IOException | TimeoutException | RuntimeException e) {
      rounds.hurry();
      throw e;
    }
  }

  @Override
  protected synchronized void stop() {
    state = BatchLife.stopped(state, now());
    stop(jobs.unfinished());
  }

  private BatchFacts facts() {
    return new BatchFacts(keeper(), jobs);
  }

  private void perform(Conclusion conclusion, Instant now) throws IOException, TimeoutException {
    state = conclusion.state();
    for (BatchLife.Action action : conclusion.actions()) {
      switch (action) {
        case BatchLife.TellStarted(Instant at) -> tellStarted(at);
        case BatchLife.Tell(PlatformEvent event) -> tell(event);
        case BatchLife.Stop(List<JobRef> wanted) -> stop(wanted);
        case BatchLife.StopSpare(List<JobRef> spare) -> {
          LOG.info("{} came twice, and the job of it that still waits is stopped", name);
          stop(spare);
        }
        case BatchLife.LeaveBehind _ -> leaveBehind();
        case BatchLife.Finish _ -> {
          hearLastWord();
          perform(life.end(state, facts(), now), now);
        }
        case BatchLife.End(PlatformEvent.Ended ended, boolean kept) -> end(ended, kept);
      }
    }
  }

  private void stop(List<JobRef> wanted) {
    for (JobRef job : wanted) {
      mustBeOurs();
      try {
        api.stop(job);
      } catch (ProblemException e) {
        LOG.info("could not stop the job {}: {}", name, e.problem().detail());
      }
    }
    rounds.hurry();
  }

  /** Records that its job may go on although the attempt ends here. */
  void leaveBehind() throws IOException {
    JobRef job = job();
    files.left(ref, new JobFiles.Left(job.name(), job.id()));
  }

  @Override
  protected String directory() {
    String outputs = api.outputs(ref);
    return outputs == null ? keepers.storageUrl(ref) : outputs;
  }
}
