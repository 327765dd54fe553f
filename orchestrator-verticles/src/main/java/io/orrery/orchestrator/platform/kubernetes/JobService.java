package io.orrery.orchestrator.platform.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.azure.AzureCloud;
import io.orrery.orchestrator.azure.AzureLogin;
import io.orrery.orchestrator.azure.FileShares;
import io.orrery.orchestrator.azure.KeyVault;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.PlatformEvent;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts as jobs of clusters. A job's name is made from the attempt, so a repeated submission
 * finds the first; its Secret and companions are created before it and owned by it, so that nothing
 * stays behind when it goes. A cluster is connected to when the first experiment needs it, and
 * everything that may block does so on virtual threads.
 */
public final class JobService implements TrainingService {
  private static final Logger LOG = LoggerFactory.getLogger(JobService.class);
  private static final long ANSWER_SECONDS = 600;
  private static final long NOTICE_SECONDS = 5;
  private static final int MOST_PUZZLES = 20;
  private static final int FIRST_TRIES = 3;

  private static final Problem CLOSING =
      new Problem.Busy("the platform is closing", Duration.ofSeconds(1));

  private final Surroundings surroundings;
  private final String platform;
  private final Blueprints blueprints;
  private final Keepers keepers;
  private final Clock clock;
  private final Patience patience;
  private final StorageDesk storages;
  private final JobFiles files;
  private final Map<ClusterAddress, CompletableFuture<Site>> sites = new ConcurrentHashMap<>();
  private final Map<AttemptRef, JobAttempt> attempts = new ConcurrentHashMap<>();
  private final Map<String, JobAttempt> named = new ConcurrentHashMap<>();
  private final ExecutorService threads;
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
    this.files = new JobFiles(surroundings.home().toAbsolutePath().normalize());
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(platform + "-", 0).factory());
    this.tick = clock.after(patience.tick(), this::tick);
  }

  @Override
  public Future<List<Item>> check(ExperimentSpec spec) {
    String url = surroundings.access().serverUrl();
    return inBackground(() -> ClusterCheck.of(blueprints, spec, storages, url));
  }

  @Override
  public Future<List<String>> notices(ExperimentSpec spec) {
    return inBackground(() -> blueprints.of(spec, this::versions).notices())
        .timeout(NOTICE_SECONDS, TimeUnit.SECONDS)
        .otherwise(List.of());
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, ExperimentSpec spec) {
    return inBackground(() -> {
      boolean fresh = files.prepared(experiment) == null;
      try {
        patiently(fresh ? FIRST_TRIES : 1, () -> prepared(experiment, spec));
      } catch (ProblemException e) {
        // Who has just written a file learns that its cluster is not there. One that was going on
        // waits for it.
        throw fresh && e.problem() instanceof Problem.Busy busy && !isReached(spec)
            ? new Problem.Broken(busy.detail()).toException()
            : e;
      }
      return null;
    });
  }

  private boolean isReached(ExperimentSpec spec) {
    try (Cluster cluster = Cluster.open(ClusterSettings.of(spec).cluster())) {
      return cluster.isReached();
    }
  }

  private @Nullable Void prepared(ExperimentId experiment, ExperimentSpec spec) throws Exception {
    Blueprint blueprint = blueprints.of(spec, this::versions);
    for (Role role : blueprint.roles()) {
      String directory = role.codeDirectory();
      if (directory == null) {
        continue;
      }
      Path code = Path.of(directory);
      List<Finding> findings = keepers.check("/trialCodeDirectory", code);
      if (!findings.isEmpty()) {
        throw Problem.Refused.of(findings).toException();
      }
      await(keepers.pack(experiment, code));
    }
    Site site = site(blueprint);
    site.jobs(blueprint.kind());
    blueprint.kind().shared(experiment).stream()
        .map(object -> Manifests.shared(platform, experiment, object))
        .forEach(object -> site.cluster().apply(Manifests.type(object), object));
    Storage storage = blueprint.storage();
    Storage.Vaulted share = storage == null ? null : storage.vaulted();
    if (share != null) {
      patiently(
          share.tries(),
          () -> {
            storages.prepare(share, experiment, platform, site.cluster());
            return null;
          });
    }
    files.prepared(experiment, spec);
    return null;
  }

  /** Tries again while the cluster has no time for us or cannot be reached. */
  private static <T extends @Nullable Object> T patiently(int tries, Callable<T> work)
      throws Exception {
    for (int left = tries; ; left--) {
      try {
        return work.call();
      } catch (ProblemException e) {
        if (!(e.problem() instanceof Problem.Busy busy) || left <= 1) {
          throw e;
        }
        LOG.warn("Trying again: {}", busy.detail());
        Thread.sleep(busy.retryAfter());
      }
    }
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return inBackground(() -> {
      AttemptRef ref = submission.attempt();
      JobFiles.End end = files.ended(ref);
      if (end != null) {
        tell(ref, end);
        return null;
      }
      JobAttempt fresh = attempt(ref, submission.spec());
      JobAttempt present = attempts.putIfAbsent(ref, fresh);
      if (present != null) {
        return await(present.launched());
      }
      named.put(fresh.name(), fresh);
      try {
        keepers.follow(ref, fresh);
        launch(fresh, submission);
      } catch (Exception e) {
        keepers.forget(ref);
        leave(fresh);
        fresh.launched().completeExceptionally(e);
        fresh.over().complete(null);
        throw e;
      }
      fresh.launched().complete(null);
      fresh.lookSoon();
      return null;
    });
  }

  /** Secret and companions first: a pod that starts at once finds what it needs. */
  private void launch(JobAttempt attempt, Submission submission) throws Exception {
    AttemptRef ref = attempt.ref();
    Blueprint blueprint = attempt.blueprint();
    JobKind kind = blueprint.kind();
    Cluster cluster = attempt.site().cluster();
    Manifests manifests = new Manifests(platform, ref, attempt.name());
    List<JobKind.RolePods> pods = new ArrayList<>();
    List<ObjectNode> dependents = new ArrayList<>();
    for (Role role : blueprint.roles()) {
      String directory = role.codeDirectory();
      Keepers.Code code =
          directory == null
              ? null
              : await(keepers.pack(ref.trial().experiment(), Path.of(directory)));
      Keepers.Launch launch =
          await(
              keepers.launch(
                  submission,
                  new Keepers.Role(role.name(), reports(blueprint, role), role.command(), code)));
      pods.add(
          new JobKind.RolePods(
              role,
              PodTemplate.of(blueprint, role, launch, ref, attempt.name(), manifests.labels())));
      if (dependents.isEmpty()) {
        dependents.add(manifests.token(launch.token()));
      }
      String registry = role.pullSecret();
      if (registry != null) {
        dependents.add(
            manifests.secret(
                PullSecret.name(attempt.name(), role), PullSecret.of(Path.of(registry))));
      }
    }
    kind.companions(attempt.name()).stream().map(manifests::companion).forEach(dependents::add);
    for (ObjectNode dependent : dependents) {
      cluster.apply(Manifests.type(dependent), dependent);
    }
    JsonNode job;
    try {
      job = ours(cluster.create(kind.resource(), manifests.job(kind, pods)), manifests, attempt);
    } catch (ProblemException e) {
      // A create without an answer may have come through, and its pod needs what is here.
      if (!(e.problem() instanceof Problem.Busy)) {
        for (ObjectNode dependent : dependents) {
          cluster.delete(Manifests.type(dependent), dependent.at("/metadata/name").asText());
        }
      }
      throw e;
    }
    for (ObjectNode dependent : dependents) {
      cluster.own(
          Manifests.type(dependent), dependent.at("/metadata/name").asText(), kind.resource(), job);
    }
  }

  private static JsonNode ours(JsonNode metadata, Manifests manifests, JobAttempt attempt) {
    if (!manifests.isOurs(metadata)) {
      throw new Problem.Conflict(
              "the cluster has a "
                  + attempt.blueprint().kind().resource().kind()
                  + " "
                  + attempt.name()
                  + " that is not of this trial: delete it, or name the experiment otherwise")
          .toException();
    }
    return metadata;
  }

  /** The first role's first pod speaks for the attempt. */
  private static Keepers.Reports reports(Blueprint blueprint, Role role) {
    if (!role.equals(blueprint.roles().getFirst())) {
      return Keepers.Reports.NONE;
    }
    boolean alone = role.pods() == 1 && !blueprint.kind().restarts();
    return alone ? Keepers.Reports.ALL : Keepers.Reports.FIRST;
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return inBackground(() -> {
      JobAttempt present = attempts.get(ref);
      if (present == null) {
        present = files.ended(ref) != null ? null : takeUpToCancel(ref);
        if (present == null) {
          return null;
        }
      }
      try {
        present.launched().get(ANSWER_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        LOG.debug("{} never came to run", ref, e);
        return neverStarts(ref);
      }
      present.cancel();
      return await(present.over());
    });
  }

  /** An attempt that nobody follows; null when it is over, or now will never start. */
  private @Nullable JobAttempt takeUpToCancel(AttemptRef ref) throws Exception {
    Map<String, Keepers.State> states = await(keepers.states(ref));
    boolean over =
        states.values().stream()
            .anyMatch(state -> state.primary() && state instanceof Keepers.State.Ended);
    if (over) {
      return null;
    }
    ExperimentSpec spec = files.prepared(ref.trial().experiment());
    if (spec == null) {
      neverStarts(ref);
      return null;
    }
    JobAttempt found = attempt(ref, spec);
    JsonNode job = found.site().cluster().find(found.blueprint().kind().resource(), found.name());
    boolean there =
        job != null && new Manifests(platform, ref, found.name()).isOurs(job.path("metadata"));
    if (there) {
      return takeUp(found);
    }
    if (states.isEmpty()) {
      neverStarts(ref);
    }
    return null;
  }

  private @Nullable Void neverStarts(AttemptRef ref) throws Exception {
    await(keepers.cancel(ref));
    files.ended(ref, new JobFiles.End(false, null, clock.now(), "canceled before it started"));
    return null;
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return inBackground(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        boolean known = attempts.containsKey(ref) || adopted(ref, submission.spec());
        if (!known) {
          unknown.add(ref);
        }
      }
      return List.copyOf(unknown);
    });
  }

  private boolean adopted(AttemptRef ref, ExperimentSpec spec) throws Exception {
    JobFiles.End end = files.ended(ref);
    if (end != null) {
      tell(ref, end);
      return true;
    }
    JobAttempt fresh = attempt(ref, spec);
    boolean there = !fresh.site().jobs(fresh.blueprint().kind()).of(fresh.name()).isEmpty();
    if (!there && await(keepers.states(ref)).isEmpty()) {
      return false;
    }
    takeUp(fresh);
    return true;
  }

  private JobAttempt takeUp(JobAttempt fresh) {
    JobAttempt present = attempts.putIfAbsent(fresh.ref(), fresh);
    if (present != null) {
      return present;
    }
    named.put(fresh.name(), fresh);
    fresh.wasThere();
    fresh.launched().complete(null);
    keepers.follow(fresh.ref(), fresh);
    fresh.lookSoon();
    return fresh;
  }

  private void tell(AttemptRef ref, JobFiles.End end) {
    if (end.ran()) {
      surroundings
          .listener()
          .happened(new PlatformEvent.Started(ref, end.at(), keepers.storageUrl(ref)));
    }
    surroundings
        .listener()
        .happened(new PlatformEvent.Ended(ref, end.exitCode(), end.at(), end.reason()));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return keepers.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return inBackground(
            () -> {
              ExperimentSpec spec = files.prepared(experiment);
              if (spec == null) {
                return null;
              }
              Blueprint blueprint = blueprints.of(spec, this::versions);
              Map<String, String> ours = Labels.of(platform, experiment);
              Cluster cluster = site(blueprint).cluster();
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
  public Future<Void> close() {
    Clock.Timer timer = tick;
    tick = null;
    if (timer != null) {
      timer.cancel();
    }
    threads.shutdownNow();
    Context context = surroundings.vertx().getOrCreateContext();
    Promise<Void> closed = Promise.promise();
    Thread.ofVirtual()
        .name(platform + "-close")
        .start(() -> {
          try {
            threads.awaitTermination(10, TimeUnit.SECONDS);
            attempts.keySet().forEach(keepers::forget);
            sites.values().stream()
                .filter(site -> site.isDone() && !site.isCompletedExceptionally())
                .forEach(site -> site.join().close());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException e) {
            LOG.warn("The platform {} did not close well: {}", platform, e.toString());
          }
          context.runOnContext(done -> closed.complete());
        });
    return closed.future();
  }

  // ---- what is open --------------------------------------------------------------------------

  private JobAttempt attempt(AttemptRef ref, ExperimentSpec spec) {
    Blueprint blueprint = blueprints.of(spec, this::versions);
    JobAttempt[] self = new JobAttempt[1];
    JobAttempt attempt =
        new JobAttempt(
            ref,
            blueprint,
            site(blueprint),
            keepers,
            files,
            clock,
            patience,
            surroundings.listener(),
            threads,
            () -> leave(self[0]));
    self[0] = attempt;
    return attempt;
  }

  private void leave(JobAttempt attempt) {
    attempts.remove(attempt.ref(), attempt);
    named.remove(attempt.name(), attempt);
  }

  private List<String> versions(ClusterAddress address, Resource type) {
    return site(address).versions(type);
  }

  private Site site(Blueprint blueprint) {
    return site(blueprint.cluster());
  }

  /** Opened once, by whoever comes first; a failure is not kept. */
  private Site site(ClusterAddress address) {
    CompletableFuture<Site> fresh = new CompletableFuture<>();
    CompletableFuture<Site> present = sites.putIfAbsent(address, fresh);
    if (present != null) {
      try {
        return present.join();
      } catch (java.util.concurrent.CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
    }
    try {
      Site site = new Site(Cluster.open(address), platform, this::changed);
      fresh.complete(site);
      return site;
    } catch (RuntimeException e) {
      sites.remove(address, fresh);
      fresh.completeExceptionally(e);
      throw e;
    }
  }

  /** From an informer's thread. */
  private void changed(String job) {
    JobAttempt attempt = named.get(job);
    if (attempt != null) {
      attempt.lookSoon();
    }
  }

  /** On an event loop: only hands over. */
  private void tick() {
    if (tick == null) {
      return;
    }
    try {
      if (!attempts.isEmpty()) {
        threads.execute(this::sweep);
      }
      tick = clock.after(patience.tick(), this::tick);
    } catch (RejectedExecutionException closed) {
      LOG.trace("No tick after the end.");
    }
  }

  private void sweep() {
    Instant now = clock.now();
    attempts.values().stream()
        .filter(attempt -> attempt.isPuzzling(now))
        .limit(MOST_PUZZLES)
        .forEach(this::puzzle);
    attempts.values().forEach(JobAttempt::look);
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

  // ---- threads -------------------------------------------------------------------------------

  private static <T extends @Nullable Object> T await(java.util.concurrent.Future<T> future)
      throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static <T extends @Nullable Object> T await(Future<T> future) throws Exception {
    return future.await(ANSWER_SECONDS, TimeUnit.SECONDS);
  }

  private <T extends @Nullable Object> Future<T> inBackground(Callable<T> work) {
    Context context = surroundings.vertx().getOrCreateContext();
    Promise<T> promise = Promise.promise();
    try {
      threads.execute(() -> {
        try {
          T result = work.call();
          context.runOnContext(done -> promise.complete(result));
        } catch (Throwable e) { // whoever waits must be told of an Error as well
          context.runOnContext(done -> promise.fail(problem(e).toException()));
        }
      });
    } catch (RejectedExecutionException e) {
      promise.fail(CLOSING.toException());
    }
    return promise.future();
  }

  private Problem problem(Throwable e) {
    Problem problem = Problem.of(e);
    if (problem instanceof Problem.Broken) {
      LOG.warn("The platform {} failed", platform, e);
      return threads.isShutdown() ? CLOSING : problem;
    }
    return problem;
  }
}
