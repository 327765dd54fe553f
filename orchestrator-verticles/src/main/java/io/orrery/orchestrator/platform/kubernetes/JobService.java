package io.orrery.orchestrator.platform.kubernetes;

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
import io.orrery.orchestrator.platform.JobFiles;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
  private final StorageDesk storages;
  private final JobFiles files;
  private final Background background;
  private final Looks looks;
  private final Sites sites;
  private final Preparations preparations;
  private final Attempts attempts;

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
    Clock clock = surroundings.clock();
    this.storages = new StorageDesk(new KeyVault(azure, login), new FileShares(azure, clock::now));
    this.files = new JobFiles(surroundings.home(), "cluster");
    this.background = new Background(surroundings.vertx(), platform);
    this.looks = new Looks(clock, patience.tick(), background);
    this.sites = new Sites(surroundings.vertx(), platform, looks::changed);
    this.preparations = new Preparations(platform, blueprints, keepers, sites, storages, files);
    FollowedJob.Company company =
        new FollowedJob.Company(keepers, files, clock, surroundings.listener(), background);
    this.attempts =
        new Attempts(platform, blueprints, company, patience, sites, preparations, looks);
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
      attempts.forget(experiment);
      preparations.prepare(experiment, spec);
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
          ExperimentSpec spec = forgotten(experiment);
          if (spec != null) {
            new Leftovers(platform, blueprints, sites).remove(experiment, spec);
          }
          return null;
        })
        .compose(gone -> keepers.cleanUp(experiment));
  }

  @Override
  public Future<List<String>> remove(ExperimentId experiment) {
    return background
        .run(() -> {
          ExperimentSpec spec = forgotten(experiment);
          return spec == null
              ? List.<String>of()
              : new Leftovers(platform, blueprints, sites).removeIfPossible(experiment, spec);
        })
        .compose(left -> keepers.cleanUp(experiment).map(left));
  }

  /** Forgets an experiment; returns the specification it was prepared with, or null. */
  private @Nullable ExperimentSpec forgotten(ExperimentId experiment) throws IOException {
    preparations.forget(experiment);
    attempts.forget(experiment);
    return files.prepared(experiment);
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
