package io.orrery.compute.kubernetes;

import static io.orrery.compute.attempt.Background.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.FollowedJobs;
import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.service.ImageLogins;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Submission;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.kubernetes.WatchedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lives of attempts as jobs of clusters: how they begin, are taken up by a server that comes
 * later, and end before their time. A job's name is made from the attempt, so a repeated submission
 * finds the first; what it needs is owned by it, so that nothing stays behind when it goes.
 * Submitting, canceling and adopting block.
 */
final class JobAttempts {
  private final String platform;
  private final FollowedJob.Collaborators collaborators;
  private final Keepers keepers;
  private final JobFiles files;
  private final ClusterTimeouts patience;
  private final WatchedClusters sites;
  private final Preparations preparations;
  private final KnownBlueprints known;
  private final Launches launches;
  private final FollowedJobs<JobAttempt> followed;

  /**
   * @param preparations waited for before an attempt begins
   * @param looks told who is followed
   * @param logins with which images are pulled
   */
  JobAttempts(
      String platform,
      Blueprints blueprints,
      FollowedJob.Collaborators collaborators,
      ClusterTimeouts patience,
      WatchedClusters sites,
      Preparations preparations,
      ReconcileQueue looks,
      ImageLogins logins) {
    this.platform = platform;
    this.collaborators = collaborators;
    this.keepers = collaborators.keepers();
    this.files = collaborators.files();
    this.patience = patience;
    this.sites = sites;
    this.preparations = preparations;
    this.known = new KnownBlueprints(blueprints, sites);
    this.launches = new Launches(platform, keepers, logins);
    this.followed = new FollowedJobs<>(collaborators, looks::add, looks::remove);
  }

  /** Has the job of an attempt asked for; tells its end instead when it is over. */
  void submit(Submission submission) throws Exception {
    AttemptRef ref = submission.attempt();
    keepers.mustAct(ref.trial().experiment());
    boolean isNew = await(keepers.place(ref));
    JobFiles.End end = isNew ? null : files.ended(ref);
    if (end != null) {
      tell(ref, submission.job(), end);
      return;
    }
    if (ref.trial().experiment().isOfRun()) {
      files.prepared(ref, submission.job());
    } else {
      preparations.await(ref.trial().experiment());
    }
    JobAttempt fresh = attempt(ref, submission.job());
    followed.begin(
        fresh,
        isNew,
        () -> {
          launches.launch(fresh, submission);
          begun(fresh);
        });
  }

  /** Cancels an attempt; does nothing when it is over. */
  void cancel(AttemptRef ref) throws Exception {
    followed.cancel(ref, this::takeUpToCancel, followed::neverStarts);
  }

  /** Takes up an attempt that is not followed; null when it is over, or now will never start. */
  private @Nullable JobAttempt takeUpToCancel(AttemptRef ref) throws Exception {
    Map<String, Keepers.State> states = await(keepers.states(ref));
    JobSpec job = files.prepared(ref);
    if (job == null) {
      if (Keepers.State.end(states).isEmpty()) {
        followed.neverStarts(ref);
      }
      return null;
    }
    JobAttempt found = attempt(ref, job);
    if (Keepers.State.end(states).filter(found::counts).isPresent()) {
      return null;
    }
    JsonNode object =
        found.site().cluster().find(found.blueprint().kind().resource(), found.name());
    if (object == null && !states.isEmpty()) {
      return takeUp(found);
    }
    if (object == null
        || !new Manifests(platform, ref, found.name()).isOurs(object.path("metadata"))) {
      if (states.isEmpty()) {
        followed.neverStarts(ref);
      }
      return null;
    }
    JobState state = found.blueprint().kind().state(object.path(WatchedObject.STATUS));
    boolean over =
        state.isFinal() && found.site().podsNow(found.name()).stream().allMatch(PodView::over);
    if (!over) {
      return takeUp(found);
    }
    if (state.phase() != JobState.Phase.SUCCEEDED) {
      // Its end has not been told yet, or it would be written down; and it was not canceled. Of a
      // good end nothing is: the cluster has it, for the server that adopts the attempt.
      await(takeUp(found).over());
    }
    return null;
  }

  /**
   * Follows again those that an earlier server has begun; the end of one that is over is told.
   *
   * @return those that have not begun, as far as is known
   */
  List<AttemptRef> adopt(List<Submission> submissions) throws Exception {
    List<AttemptRef> unknown = new ArrayList<>();
    Map<ExperimentId, Set<String>> sealed = new HashMap<>();
    for (Submission submission : submissions) {
      AttemptRef ref = submission.attempt();
      boolean known =
          followed.has(ref)
              || Background.patiently(Integer.MAX_VALUE, () -> adopted(submission, sealed));
      if (!known) {
        unknown.add(ref);
      }
    }
    return List.copyOf(unknown);
  }

  /**
   * @param sealed the jobs that have their tokens, by experiment; filled where it is needed
   */
  private boolean adopted(Submission submission, Map<ExperimentId, Set<String>> sealed)
      throws Exception {
    AttemptRef ref = submission.attempt();
    JobSpec job = submission.job();
    keepers.mustAct(ref.trial().experiment());
    JobFiles.End end = files.ended(ref);
    if (end != null) {
      tell(ref, job, end);
      return true;
    }
    JobAttempt fresh = attempt(ref, job);
    boolean there = !fresh.site().jobs(fresh.blueprint().kind()).of(fresh.name()).isEmpty();
    if (!there && await(keepers.states(ref)).isEmpty()) {
      return false;
    }
    await(keepers.restore(submission));
    if (there && !fresh.hasBegun()) {
      ExperimentId experiment = ref.trial().experiment();
      Set<String> having = sealed.get(experiment);
      if (having == null) {
        having = launches.tokens().present(fresh.site().cluster(), experiment);
        sealed.put(experiment, having);
      }
      if (!having.contains(fresh.name())) {
        launches.complete(fresh);
      }
    }
    takeUp(fresh);
    return true;
  }

  private JobAttempt takeUp(JobAttempt fresh) throws Exception {
    return followed.takeUp(
        fresh,
        () -> {
          fresh.wasThere();
          begun(fresh);
        });
  }

  private static void begun(JobAttempt attempt) {
    attempt.launched().complete(null);
    attempt.lookSoon();
  }

  private void tell(AttemptRef ref, JobSpec job, JobFiles.End end) {
    Storage storage = Storage.of(ClusterSettings.of(job).section("storage"));
    end.tell(
        collaborators.listener(),
        ref,
        storage == null ? keepers.storageUrl(ref) : storage.url(ref));
  }

  /** Fails with Conflict when another server owns its experiment. */
  private JobAttempt attempt(AttemptRef ref, JobSpec job) {
    keepers.mustAct(ref.trial().experiment());
    Blueprint blueprint = known.of(ref.trial().experiment(), job);
    return new JobAttempt(ref, blueprint, sites.of(blueprint), collaborators, patience, followed);
  }

  /** Drops the cached template of an experiment's jobs: it is read anew for the next attempt. */
  void forget(ExperimentId experiment) {
    launches.forget(experiment);
    known.forget(experiment);
  }

  /**
   * Ends the following of an experiment that another server owns now: its jobs go on, and nothing
   * is told of them here.
   */
  void abandon(ExperimentId experiment) {
    forget(experiment);
    followed.abandon(experiment);
  }

  /** Their keepers are not heard any more. */
  void close() {
    followed.forget();
  }
}
