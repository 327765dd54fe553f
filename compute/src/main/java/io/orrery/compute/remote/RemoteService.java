package io.orrery.compute.remote;

import static io.orrery.compute.attempt.Background.await;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.ExperimentCode;
import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.remote.RemoteFiles.Place;
import io.orrery.compute.reuse.ReuseSettings;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Keepers.Reports;
import io.orrery.compute.service.Keepers.Role;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Room;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Attempts on machines that are reached by SSH. Machines are shared by all experiments that name
 * them alike, and connected to when the first one is prepared. Questions about an attempt are
 * answered here, from its files when it is not followed.
 */
final class RemoteService implements TrainingService {
  /** What keepers of trials are called. */
  static final String ROLE = "main";

  /** How long an environment without a trial waits for servers that are away. */
  private static final Duration DESERTED = Duration.ofMinutes(10);

  private final Surroundings surroundings;
  private final Keepers keepers;
  private final Background background;
  private final RemoteFiles files;
  private final FollowedAttempts attempts;
  private final Machines machines;

  /**
   * @param variables the server's environment
   * @param random how long each machine waits before it is tried again
   */
  RemoteService(
      Surroundings surroundings,
      MachineTimeouts patience,
      Map<String, String> variables,
      RandomGenerator random) {
    this.surroundings = surroundings;
    this.keepers = surroundings.keepers();
    this.background = new Background(surroundings.vertx(), "remote");
    this.files = new RemoteFiles(surroundings.home(), surroundings.own());
    RemoteAttempt.Collaborators collaborators =
        new RemoteAttempt.Collaborators(
            keepers,
            files,
            new MachineChoice(),
            surroundings.clock(),
            patience,
            surroundings.listener());
    this.attempts = new FollowedAttempts(collaborators, background);
    this.machines =
        new Machines(surroundings, files, patience, variables, random, background, attempts);
  }

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    return machines.check(
        RemoteSettings.of(job),
        job.sharedStorage() instanceof SharedStorageSpec.Nfs nfs ? nfs.remote() : null);
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return background.run(() -> {
      boolean again = files.prepared(experiment) != null;
      ExperimentCode.pack(keepers, experiment, job);
      ready(job, again);
      if (!experiment.isOfRun()) {
        files.prepared(experiment, job);
      }
      return null;
    });
  }

  /** One that was going on waits for its machines, however long they are away. */
  private void ready(JobSpec job, boolean again) throws Exception {
    List<MachineChoice.Candidate> candidates = machines.candidates(RemoteSettings.of(job));
    candidates.forEach(candidate -> candidate.machine().hurry());
    if (again) {
      candidates.forEach(candidate -> background.execute(candidate.machine()::announce));
    } else {
      machines.awaitAny(candidates);
    }
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return background.run(() -> {
      AttemptRef ref = submission.attempt();
      if (attempts.has(ref)) {
        return null;
      }
      Place place = files.place(ref);
      if (place != null && place.end() != null) {
        tell(ref, place.end());
        return null;
      }
      if (ref.trial().experiment().isOfRun()) {
        files.prepared(ref, submission.job());
      }
      begin(submission, place);
      return null;
    });
  }

  private void begin(Submission submission, @Nullable Place place) throws Exception {
    AttemptRef ref = submission.attempt();
    boolean ran = !await(keepers.states(ref)).isEmpty();
    Order order = ran ? null : order(submission);
    RemoteSettings settings = RemoteSettings.of(submission.job());
    follow(ref, settings, place, order);
  }

  private Order order(Submission submission) throws Exception {
    JobSpec job = submission.job();
    Keepers.Code code =
        await(
            keepers.pack(submission.attempt().trial().experiment(), Path.of(job.codeDirectory())));
    boolean environment = ReuseSettings.isEnvironment(job);
    String command = environment ? ReuseSettings.ENVIRONMENT : job.command();
    Keepers.Launch launch =
        await(keepers.launch(submission, new Role(ROLE, Reports.ALL, command, code)));
    return new Order(environment ? launch.with(environment(job)) : launch, code, job.gpuNumber());
  }

  /** What makes a keeper an environment. It ends by itself only when no server has seen to that. */
  private static Map<String, String> environment(JobSpec job) {
    Duration idle = ReuseSettings.idle(job).plus(DESERTED);
    return Map.of(
        "ORRERY_KEEPER_MODE",
        ReuseSettings.ENVIRONMENT,
        "ORRERY_KEEPER_IDLE",
        Long.toString(idle.toSeconds()));
  }

  /** From now on this attempt lives here, unless it does already. */
  private RemoteAttempt follow(
      AttemptRef ref, RemoteSettings settings, @Nullable Place place, @Nullable Order order) {
    keepers.mustAct(ref.trial().experiment());
    return attempts.follow(ref, machines.candidates(settings), settings.awayLimit(), place, order);
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      keepers.mustAct(ref.trial().experiment());
      RemoteAttempt present = attempts.get(ref);
      if (present == null) {
        present = takeUpToCancel(ref);
      } else {
        await(keepers.cancel(ref));
      }
      if (present != null) {
        present.cancel();
        await(present.over());
      }
      return null;
    });
  }

  /** Takes up an attempt that is not followed; null when it is over, or now will never start. */
  private @Nullable RemoteAttempt takeUpToCancel(AttemptRef ref) throws Exception {
    Place place = files.place(ref);
    if (place != null && place.end() != null) {
      return null;
    }
    await(keepers.cancel(ref));
    JobSpec job = files.prepared(ref);
    if (place == null || job == null) {
      files.place(
          ref,
          new Place(
              "",
              null,
              new End(null, null, surroundings.clock().now(), "canceled before it started")));
      return null;
    }
    return follow(ref, RemoteSettings.of(job), place, null);
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef attempt) {
    return background.run(() -> {
      RemoteAttempt present = attempts.get(attempt);
      if (present == null || !present.withdraw()) {
        return false;
      }
      await(present.over());
      return true;
    });
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        if (attempts.has(ref)) {
          continue;
        }
        Place place = files.place(ref);
        if (place == null) {
          unknown.add(ref);
        } else if (place.end() != null) {
          tell(ref, place.end());
        } else {
          await(keepers.restore(submission));
          begin(submission, place);
        }
      }
      return List.copyOf(unknown);
    });
  }

  private void tell(AttemptRef ref, End end) {
    if (end.startedAt() != null) {
      surroundings
          .listener()
          .happened(new PlatformEvent.Started(ref, end.startedAt(), keepers.storageUrl(ref)));
    }
    surroundings
        .listener()
        .happened(new PlatformEvent.Ended(ref, end.exitCode(), end.at(), end.reason()));
  }

  @Override
  public List<MachineState> machines(ExperimentId experiment, JobSpec job) {
    return machines.states(RemoteSettings.of(job));
  }

  @Override
  public Room room(JobSpec job) {
    return machines.room(RemoteSettings.of(job));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return keepers.readLog(attempt, stream, offset, limit);
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background
        .run(() -> {
          Set<TrainingServiceSpec> seen = new HashSet<>();
          for (JobSpec job : files.allPrepared(experiment)) {
            if (seen.add(job.trainingService())) {
              for (MachineChoice.Candidate candidate :
                  machines.candidates(RemoteSettings.of(job))) {
                candidate.machine().clean(experiment.value());
              }
            }
          }
          return null;
        })
        .compose(gone -> keepers.cleanUp(experiment));
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    attempts.abandon(experiment);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    background.interrupt();
    attempts.forget();
    return machines.close();
  }
}
