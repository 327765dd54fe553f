package io.orrery.orchestrator.platform.kubernetes;

import static io.orrery.orchestrator.platform.Background.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.azure.AzureCloud;
import io.orrery.orchestrator.azure.AzureLogin;
import io.orrery.orchestrator.azure.FileShares;
import io.orrery.orchestrator.azure.KeyVault;
import io.orrery.orchestrator.platform.Background;
import io.orrery.orchestrator.platform.FollowedJob;
import io.orrery.orchestrator.platform.FollowedJobs;
import io.orrery.orchestrator.platform.JobFiles;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts as jobs of clusters. A job's name is made from the attempt, so a repeated submission
 * finds the first; what it needs is owned by it, so that nothing stays behind when it goes. A
 * cluster is connected to when the first experiment needs it, and everything that may block does so
 * on virtual threads.
 */
public final class JobService implements TrainingService {
  private static final Logger LOG = LoggerFactory.getLogger(JobService.class);
  private static final long NOTICE_SECONDS = 5;
  private static final int MOST_PUZZLES = 20;

  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final Surroundings surroundings;
  private final String platform;
  private final Blueprints blueprints;
  private final KnownBlueprints known;
  private final Keepers keepers;
  private final Clock clock;
  private final Patience patience;
  private final StorageDesk storages;
  private final Preparations preparations;
  private final Launches launches;
  private final JobFiles files;
  private final Sites sites;
  private final FollowedJobs<JobAttempt> attempts;
  private final Map<String, JobAttempt> named = new ConcurrentHashMap<>();
  private final Background background;
  private final FollowedJob.Company company;
  private volatile Clock.@Nullable Timer tick;

  /** Reads what the jobs of an experiment are made from; asks the cluster where it must. */
  @FunctionalInterface
  public interface Blueprints {
    /**
     * @param served what the cluster serves
     * @throws io.orrery.core.problem.ProblemException when it cannot work
     */
    Blueprint of(ExperimentSpec spec, Served served);
  }

  /** What a cluster serves. */
  @FunctionalInterface
  public interface Served {
    /** The versions of a type of object; empty when the cluster does not know it. Blocks. */
    List<String> versions(ClusterAddress cluster, Resource type);
  }

  public JobService(Surroundings surroundings, String platform, Blueprints blueprints) {
    this(surroundings, platform, blueprints, Patience.STANDARD, System.getenv());
  }

  private JobService(
      Surroundings surroundings,
      String platform,
      Blueprints blueprints,
      Patience patience,
      Map<String, String> environment) {
    this(
        surroundings,
        platform,
        blueprints,
        patience,
        AzureCloud.of(environment),
        AzureLogin.of(environment));
  }

  JobService(
      Surroundings surroundings,
      String platform,
      Blueprints blueprints,
      Patience patience,
      AzureCloud azure,
      @Nullable AzureLogin login) {
    this.surroundings = surroundings;
    this.platform = platform;
    this.blueprints = blueprints;
    this.keepers = surroundings.keepers();
    this.clock = surroundings.clock();
    this.patience = patience;
    this.storages = new StorageDesk(new KeyVault(azure, login), new FileShares(azure, clock::now));
    this.sites = new Sites(surroundings.vertx(), platform, this::changed);
    this.known = new KnownBlueprints(blueprints, sites);
    this.files = new JobFiles(surroundings.home(), "cluster");
    this.background = new Background(surroundings.vertx(), platform);
    this.company =
        new FollowedJob.Company(keepers, files, clock, surroundings.listener(), background);
    this.attempts =
        new FollowedJobs<>(
            company,
            attempt -> named.put(attempt.name(), attempt),
            attempt -> named.remove(attempt.name(), attempt));
    this.preparations = new Preparations(platform, blueprints, keepers, sites, storages, files);
    this.launches = new Launches(platform, keepers);
    this.tick = clock.after(patience.tick(), this::tick);
  }

  @Override
  public Future<List<Item>> check(ExperimentSpec spec) {
    String url = surroundings.access().serverUrl();
    return background.run(
        () -> ClusterCheck.of(blueprints, spec, surroundings.vertx(), storages, url));
  }

  @Override
  public Future<List<String>> notices(ExperimentSpec spec) {
    return background
        .run(() -> blueprints.of(spec, sites).notices())
        .timeout(NOTICE_SECONDS, TimeUnit.SECONDS)
        .otherwise(List.of());
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, ExperimentSpec spec) {
    return background.run(() -> {
      // The code may be another than it was when this server packed it.
      launches.forget(experiment);
      known.forget(experiment);
      preparations.prepare(experiment, spec);
      return null;
    });
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return background.run(() -> {
      AttemptRef ref = submission.attempt();
      keepers.mustAct(ref.trial().experiment());
      boolean isNew = await(keepers.place(ref));
      JobFiles.End end = isNew ? null : files.ended(ref);
      if (end != null) {
        tell(ref, submission.spec(), end);
        return null;
      }
      preparations.await(ref.trial().experiment());
      JobAttempt fresh = attempt(ref, submission.spec());
      attempts.begin(
          fresh,
          isNew,
          () -> {
            launches.launch(fresh, submission);
            begun(fresh);
          });
      return null;
    });
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      attempts.cancel(ref, this::takeUpToCancel, attempts::neverStarts);
      return null;
    });
  }

  /** An attempt that nobody follows; null when it is over, or now will never start. */
  private @Nullable JobAttempt takeUpToCancel(AttemptRef ref) throws Exception {
    Map<String, Keepers.State> states = await(keepers.states(ref));
    ExperimentSpec spec = files.prepared(ref.trial().experiment());
    if (spec == null) {
      if (Keepers.State.end(states).isEmpty()) {
        attempts.neverStarts(ref);
      }
      return null;
    }
    JobAttempt found = attempt(ref, spec);
    if (Keepers.State.end(states).filter(found::counts).isPresent()) {
      return null;
    }
    JsonNode job = found.site().cluster().find(found.blueprint().kind().resource(), found.name());
    if (job == null && !states.isEmpty()) {
      return takeUp(found);
    }
    if (job == null || !new Manifests(platform, ref, found.name()).isOurs(job.path("metadata"))) {
      if (states.isEmpty()) {
        attempts.neverStarts(ref);
      }
      return null;
    }
    JobState state = found.blueprint().kind().state(job.path(Sighting.STATUS));
    boolean over =
        state.isFinal() && found.site().podsNow(found.name()).stream().allMatch(PodView::over);
    if (!over) {
      return takeUp(found);
    }
    if (state.phase() != JobState.Phase.SUCCEEDED) {
      // Nobody has told how yet, or it would be written down; and it was not canceled. Of a good
      // end nothing is: the cluster has it, for whoever adopts the attempt.
      await(takeUp(found).over());
    }
    return null;
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      Map<ExperimentId, Set<String>> sealed = new HashMap<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        boolean known =
            attempts.has(ref)
                || Background.patiently(Integer.MAX_VALUE, () -> adopted(submission, sealed));
        if (!known) {
          unknown.add(ref);
        }
      }
      return List.copyOf(unknown);
    });
  }

  /**
   * @param sealed the jobs that have their tokens, by experiment; filled where it is needed
   */
  private boolean adopted(Submission submission, Map<ExperimentId, Set<String>> sealed)
      throws Exception {
    AttemptRef ref = submission.attempt();
    ExperimentSpec spec = submission.spec();
    keepers.mustAct(ref.trial().experiment());
    JobFiles.End end = files.ended(ref);
    if (end != null) {
      tell(ref, spec, end);
      return true;
    }
    JobAttempt fresh = attempt(ref, spec);
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
    return attempts.takeUp(
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

  private void tell(AttemptRef ref, ExperimentSpec spec, JobFiles.End end) {
    Storage storage = Storage.of(ClusterSettings.of(spec).section("storage"));
    end.tell(
        surroundings.listener(), ref, storage == null ? keepers.storageUrl(ref) : storage.url(ref));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return keepers.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background
        .run(() -> {
          preparations.forget(experiment);
          launches.forget(experiment);
          known.forget(experiment);
          ExperimentSpec spec = files.prepared(experiment);
          if (spec == null) {
            return null;
          }
          Blueprint blueprint = blueprints.of(spec, sites);
          Map<String, String> ours = Labels.of(platform, experiment);
          Cluster cluster = sites.of(blueprint).cluster();
          cluster.deleteAll(blueprint.kind().resource(), ours);
          for (Resource type : blueprint.kind().companionTypes()) {
            cluster.deleteAll(type, ours);
          }
          cluster.deleteAll(Resource.SECRET, ours);
          cluster.deleteAll(Resource.POD, ours);
          return null;
        })
        .compose(gone -> keepers.cleanUp(experiment));
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    return background.run(() -> {
      preparations.forget(experiment);
      launches.forget(experiment);
      known.forget(experiment);
      attempts.abandon(experiment);
      return null;
    });
  }

  @Override
  public Future<Void> close() {
    Clock.Timer timer = tick;
    tick = null;
    if (timer != null) {
      timer.cancel();
    }
    background.interrupt();
    return background.atLast(() -> {
      background.awaitEnd(LAST_WORDS);
      attempts.forget();
      sites.close();
    });
  }

  // ---- what is open --------------------------------------------------------------------------

  /** Fails with Conflict when another server looks after its experiment. */
  private JobAttempt attempt(AttemptRef ref, ExperimentSpec spec) {
    keepers.mustAct(ref.trial().experiment());
    Blueprint blueprint = known.of(ref.trial().experiment(), spec);
    return new JobAttempt(ref, blueprint, sites.of(blueprint), company, patience, attempts);
  }

  /** From the thread of a watch. */
  private void changed(String job) {
    JobAttempt attempt = named.get(job);
    if (attempt != null && attempt.isNews()) {
      attempt.lookSoon();
    }
  }

  /** On an event loop: only hands over. */
  private void tick() {
    if (tick == null) {
      return;
    }
    try {
      if (!attempts.all().isEmpty()) {
        background.execute(this::sweep);
      }
      tick = clock.after(patience.tick(), this::tick);
    } catch (RejectedExecutionException closed) {
      LOG.trace("No tick after the end.");
    }
  }

  private void sweep() {
    Instant now = clock.now();
    attempts.all().stream()
        .filter(attempt -> attempt.isPuzzling(now))
        .limit(MOST_PUZZLES)
        .forEach(this::puzzle);
    attempts.all().forEach(JobAttempt::look);
  }

  private void puzzle(JobAttempt attempt) {
    try {
      String words = attempt.site().cluster().warning(attempt.name());
      if (words != null) {
        attempt.warned(words);
      }
    } catch (RuntimeException e) {
      LOG.debug("No warnings of {} to be had: {}", attempt.ref(), e.toString());
    }
  }
}
