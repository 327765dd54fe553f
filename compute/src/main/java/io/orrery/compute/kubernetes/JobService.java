package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.DeliveredOutputs;
import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.azure.AzureLogin;
import io.orrery.compute.azure.FileShares;
import io.orrery.compute.azure.KeyVault;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Experiments on clusters, whose attempts are jobs there. A cluster is connected to when the first
 * experiment needs it, and everything that may block does so on virtual threads.
 */
public final class JobService implements TrainingService {
  private static final long NOTICE_SECONDS = 5;
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final Surroundings surroundings;
  private final String platform;
  private final Blueprints blueprints;
  private final Keepers keepers;
  private final StorageProvisioner storages;
  private final JobFiles files;
  private final Background background;
  private final ReconcileQueue looks;
  private final WatchedClusters sites;
  private final Preparations preparations;
  private final JobAttempts attempts;

  public JobService(Surroundings surroundings, String platform, Blueprints blueprints) {
    this(
        surroundings,
        platform,
        blueprints,
        ClusterTimeouts.STANDARD,
        AzureCloud.of(System.getenv()),
        AzureLogin.of(System.getenv()));
  }

  JobService(
      Surroundings surroundings,
      String platform,
      Blueprints blueprints,
      ClusterTimeouts patience,
      AzureCloud azure,
      @Nullable AzureLogin login) {
    this.surroundings = surroundings;
    this.platform = platform;
    this.blueprints = blueprints;
    this.keepers = surroundings.keepers();
    Clock clock = surroundings.clock();
    this.storages =
        new StorageProvisioner(new KeyVault(azure, login), new FileShares(azure, clock::now));
    this.files = new JobFiles(surroundings.home(), "cluster");
    this.background = new Background(surroundings.vertx(), platform);
    this.looks = new ReconcileQueue(clock, patience.tick(), background);
    this.sites = new WatchedClusters(surroundings.vertx(), platform, looks::changed);
    this.preparations = new Preparations(platform, blueprints, keepers, sites, storages, files);
    FollowedJob.Collaborators collaborators =
        new FollowedJob.Collaborators(keepers, files, clock, surroundings.listener(), background);
    this.attempts =
        new JobAttempts(
            platform,
            blueprints,
            collaborators,
            patience,
            sites,
            preparations,
            looks,
            surroundings.logins());
  }

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    String url = surroundings.access().serverUrl();
    return background.run(
        () -> ClusterCheck.of(blueprints, job, concurrency, surroundings.vertx(), storages, url));
  }

  @Override
  public Future<List<String>> notices(JobSpec job) {
    return background
        .run(() -> blueprints.of(job, sites).notices())
        .timeout(NOTICE_SECONDS, TimeUnit.SECONDS)
        .otherwise(List.of());
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    if (experiment.isOfRun()) {
      // Each of its attempts has a job of its own, and is made ready by itself.
      return Future.succeededFuture();
    }
    return background.run(() -> {
      // The code may be another than it was when this server packed it.
      attempts.forget(experiment);
      preparations.prepare(experiment, job);
      return null;
    });
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return background.run(() -> {
      attempts.submit(submission);
      return null;
    });
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      attempts.cancel(ref);
      return null;
    });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> attempts.adopt(submissions));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return keepers.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background
        .run(() -> {
          for (JobSpec job : forgotten(experiment)) {
            new Leftovers(platform, blueprints, sites).remove(experiment, job);
          }
          return null;
        })
        .compose(gone -> keepers.cleanUp(experiment));
  }

  @Override
  public Future<List<String>> remove(ExperimentId experiment) {
    return background
        .run(() -> {
          Set<String> left = new LinkedHashSet<>();
          for (JobSpec job : forgotten(experiment)) {
            left.addAll(
                new Leftovers(platform, blueprints, sites).removeIfPossible(experiment, job));
          }
          return List.copyOf(left);
        })
        .compose(left -> keepers.cleanUp(experiment).map(left));
  }

  /**
   * Forgets an experiment.
   *
   * @return jobs it was prepared with, one for each cluster and kind of job
   */
  private Collection<JobSpec> forgotten(ExperimentId experiment) throws IOException {
    preparations.forget(experiment);
    attempts.forget(experiment);
    Map<List<Object>, JobSpec> different = new LinkedHashMap<>();
    for (JobSpec job : files.allPrepared(experiment)) {
      // As if the cluster served whatever is asked for: it need not be there.
      Blueprint blueprint = blueprints.of(job, (cluster, type) -> List.of(type.version()));
      different.put(List.of(blueprint.cluster(), blueprint.kind().resource()), job);
    }
    return different.values();
  }

  @Override
  public Future<Void> bring(AttemptRef attempt, Path outputs) {
    return background.run(() -> {
      DeliveredOutputs.unpack(AttemptLayout.attempt(surroundings.home(), attempt), outputs);
      return null;
    });
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    return background.run(() -> {
      preparations.forget(experiment);
      attempts.abandon(experiment);
      return null;
    });
  }

  @Override
  public Future<Void> close() {
    looks.close();
    background.interrupt();
    return background.atLast(() -> {
      background.awaitEnd(LAST_WORDS);
      attempts.close();
      sites.close();
    });
  }
}
