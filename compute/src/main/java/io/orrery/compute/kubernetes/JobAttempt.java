package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.FollowedJobs;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.id.AttemptRef;
import io.orrery.kubernetes.Watch;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is followed. Whenever something may have changed it has {@link JobLife} look at
 * all there is now: the job, its pods, what its keepers said. It does once what that concludes.
 */
final class JobAttempt extends FollowedJob {
  private final AttemptRef ref;
  private final Blueprint blueprint;
  private final WatchedCluster site;
  private final String name;
  private final Keepers keepers;
  private final Removal removal;
  private final FirstLoss losses = new FirstLoss();
  private final JobLife life;

  private JobProgress state = JobProgress.NEW;
  private @Nullable String warning;

  /** Whether that it runs has been told; for callers that must not wait. */
  private volatile boolean begun;

  JobAttempt(
      AttemptRef ref,
      Blueprint blueprint,
      WatchedCluster site,
      Collaborators collaborators,
      ClusterTimeouts timeouts,
      FollowedJobs<JobAttempt> followed) {
    super(ref, collaborators, timeouts.farewell(), followed);
    this.ref = ref;
    this.blueprint = blueprint;
    this.site = site;
    this.name = blueprint.kind().name(ref);
    this.keepers = collaborators.keepers();
    this.removal = new Removal(site, blueprint.kind().resource(), name);
    String server = site.cluster().server().toString();
    this.life = new JobLife(ref, JobTraits.of(name, blueprint, server), timeouts, now());
  }

  /** The name of its job. */
  String name() {
    return name;
  }

  Blueprint blueprint() {
    return blueprint;
  }

  WatchedCluster site() {
    return site;
  }

  /** Its job is known to have been there, so that its absence means that it was deleted. */
  synchronized void wasThere() {
    state = state.sawJob(true);
  }

  /**
   * Whether what the watches have just shown may lead to something. One that runs goes on until its
   * job is over or gone, or one of its pods is in trouble; other changes are found by the look
   * every few seconds. Costs little, and never waits.
   */
  boolean isNews() {
    Watch<JobState> jobs = site.watchedJobs(blueprint.kind());
    JobState job = jobs == null ? null : jobs.of(name).get(name);
    Map<String, PodView> pods = site.pods().of(name);
    // Here, because the next change of a pod may come before it is looked at.
    observe(job, pods);
    // One that is not launched will be looked at when it is.
    return launched().isDone()
        && (!begun
            || job == null
            || job.isFinal()
            || pods.values().stream().anyMatch(pod -> pod.hopeless() || pod.leaving()));
  }

  /** Notes the loss of a pod, unless its controller moves pods as a matter of course. */
  private void observe(@Nullable JobState job, Map<String, PodView> pods) {
    if (!removal.isBegun() && !blueprint.kind().restarts()) {
      losses.observe(pods, job == null || job.endsPods());
    }
  }

  /** Whether any pod of it has come to run, and so had all that it needs. */
  boolean hasBegun() {
    return site.pods().of(name).values().stream().anyMatch(PodView::hasBegun);
  }

  /** The operators' warnings about a job that has no pods yet. */
  synchronized void warned(String words) {
    warning = words;
  }

  /** Whether it waits for its first pod, and why is not known. */
  synchronized boolean isPuzzling(Instant now) {
    return life.isPuzzling(state, now)
        && !isCanceled()
        && launched().isDone()
        && site.pods().of(name).isEmpty();
  }

  /**
   * Whether an end is the attempt's: that of a pod that was ended for another one is not. It does
   * not matter whether the attempt is canceled, for the next server must judge the same.
   */
  @Override
  protected boolean counts(Keepers.State.Ended end) {
    return !blueprint.kind().restarts() || end.exitCode() != Keepers.State.Ended.TERMINATED;
  }

  /** Deletes its job; of one that is canceled a refusal is no failure, and is tried again. */
  @Override
  protected void stop() {
    mustBeOurs();
    if (isCanceled()) {
      removal.tryDelete(now());
    } else {
      removal.delete(now());
    }
  }

  // ---- what it means -------------------------------------------------------------------------

  @Override
  protected void conclude(Instant now) throws IOException, TimeoutException {
    perform(life.conclude(state, facts(), now), now);
  }

  private JobFacts facts() {
    JobState job = site.jobs(blueprint.kind()).of(name).get(name);
    Map<String, PodView> pods = site.pods().of(name);
    observe(job, pods);
    boolean live = site.isLive();
    return new JobFacts(
        keeper(),
        new JobFacts.Watched(live, live ? null : site.trouble()),
        job,
        List.copyOf(pods.values()),
        removal.facts(),
        warning,
        losses.taken());
  }

  private void perform(JobLife.Next next, Instant now) throws IOException, TimeoutException {
    state = next.state();
    for (JobLife.Action action : next.actions()) {
      switch (action) {
        case JobLife.TellStarted(Instant at) -> {
          tellStarted(at);
          begun = true;
        }
        case JobLife.Tell(PlatformEvent event) -> tell(event);
        case JobLife.Delete _ -> stop();
        case JobLife.DeletePods _ -> removal.deletePods();
        case JobLife.DeleteAgain _ -> {
          removal.tryDelete(now);
          perform(life.askedAgain(state, facts(), now), now);
        }
        case JobLife.Search _ -> {
          boolean found = site.cluster().find(blueprint.kind().resource(), name) != null;
          perform(life.searched(state, found), now);
        }
        case JobLife.ListPods _ -> perform(life.listed(state, facts(), site.podsNow(name)), now);
        case JobLife.CheckRemoval _ ->
            perform(life.checked(state, facts(), removal.isDone(), now), now);
        case JobLife.Finish(JobFacts facts) -> {
          hearLastWord();
          perform(life.end(state, facts.heard(keeper()), now), now);
        }
        case JobLife.End(PlatformEvent.Ended ended, boolean kept) -> end(ended, kept);
      }
    }
  }

  @Override
  protected String directory() {
    Storage storage = blueprint.storage();
    return storage == null ? keepers.storageUrl(ref) : storage.url(ref);
  }
}
