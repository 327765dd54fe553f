package io.orrery.compute.batch;

import static io.orrery.compute.attempt.Background.await;
import static io.orrery.compute.attempt.Background.patiently;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.ExperimentCode;
import io.orrery.compute.attempt.FollowedJob;
import io.orrery.compute.attempt.FollowedJobs;
import io.orrery.compute.attempt.JobFiles;
import io.orrery.compute.batch.JobApi.JobRef;
import io.orrery.compute.batch.JobApi.Order;
import io.orrery.compute.batch.JobApi.Part;
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
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Attempts as jobs of a batch service. That a job is about to be asked for is kept on the disk
 * before it is, so that a server that comes after this one knows for which names to look; a keeper
 * that finds another one at work runs nothing, so that even a job that came through twice runs
 * once.
 */
public final class BatchService implements TrainingService {
  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private final Surroundings surroundings;
  private final Apis apis;
  private final Keepers keepers;
  private final BatchTimeouts patience;
  private final SplittableRandom random;
  private final Rest rest;
  private final JobFiles files;
  private final Background background;
  private final FollowedJob.Collaborators collaborators;
  private final FollowedJobs<BatchAttempt> attempts;
  private final Map<Object, JobPoller> accounts = new ConcurrentHashMap<>();

  /** Reads how an experiment uses the service. Makes no request. */
  @FunctionalInterface
  public interface Apis {
    /**
     * @param rest for whatever it will ask
     * @throws io.orrery.core.problem.ProblemException Refused when it cannot work
     */
    JobApi of(JobSpec job, Rest rest);
  }

  /**
   * @param platform its name, for threads, messages and the folder of its files
   */
  public BatchService(Surroundings surroundings, String platform, Apis apis) {
    this(surroundings, platform, apis, BatchTimeouts.STANDARD, new SplittableRandom());
  }

  BatchService(
      Surroundings surroundings,
      String platform,
      Apis apis,
      BatchTimeouts patience,
      SplittableRandom random) {
    this.surroundings = surroundings;
    this.apis = apis;
    this.keepers = surroundings.keepers();
    this.patience = patience;
    this.random = random;
    this.rest = new Rest(surroundings.vertx());
    this.files = new JobFiles(surroundings.home(), platform);
    this.background = new Background(surroundings.vertx(), platform);
    this.collaborators =
        new FollowedJob.Collaborators(
            keepers, files, surroundings.clock(), surroundings.listener(), background);
    this.attempts =
        new FollowedJobs<>(
            collaborators,
            attempt -> rounds(attempt.api()).add(attempt),
            attempt -> rounds(attempt.api()).remove(attempt));
  }

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    return background.run(() -> apis.of(job, rest).check(concurrency));
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return background.run(() -> {
      JobApi api = apis.of(job, rest);
      ExperimentCode.pack(keepers, experiment, job);
      keepers.mustAct(experiment);
      // A service that is away or refuses now is asked again by the caller, which says so
      // meanwhile.
      api.prepare();
      if (!experiment.isOfRun()) {
        files.prepared(experiment, job);
      }
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
        tell(ref, end);
        return null;
      }
      if (ref.trial().experiment().isOfRun()) {
        files.prepared(ref, submission.job());
      }
      BatchAttempt fresh = attempt(ref, submission.job());
      attempts.begin(fresh, isNew, () -> fresh.launched(launch(fresh, submission)));
      return null;
    });
  }

  /**
   * The job of an attempt, made unless it is there.
   *
   * @return the service's own name of it
   */
  private @Nullable String launch(BatchAttempt attempt, Submission submission) throws Exception {
    AttemptRef ref = attempt.ref();
    JobApi api = attempt.api();
    JobFiles.Order before = files.ordered(ref);
    if (before != null) {
      JobView there = find(attempt, before);
      if (there != null || !await(keepers.states(ref)).isEmpty()) {
        return there == null ? before.id() : there.id();
      }
    }
    Keepers.Code code =
        await(keepers.pack(ref.trial().experiment(), Path.of(submission.job().codeDirectory())));
    Map<String, Keepers.Launch> launches = new HashMap<>();
    for (Part part : api.parts()) {
      Keepers.Role role = part.role();
      launches.put(
          part.name(),
          await(
              keepers.launch(
                  submission,
                  new Keepers.Role(role.name(), role.reports(), role.command(), code))));
    }
    // A server that stood still until now finds here that another one has gone on.
    attempt.mustBeOurs();
    files.ordered(ref, new JobFiles.Order(null));
    String id;
    try {
      id = api.submit(Order.of(submission, attempt.name(), launches));
    } catch (ProblemException e) {
      if (e.problem() instanceof Problem.Conflict && before != null) {
        return null;
      }
      // A request without an answer may have come through.
      boolean taken = e.problem() instanceof Problem.Busy && !Refusal.isOfRightsOrPlace(e);
      // Nor is what another server has ordered by now to be forgotten.
      if (!taken && attempt.isOurs()) {
        files.forget(ref);
      }
      throw e.problem() instanceof Problem.Conflict ? taken(attempt) : e;
    }
    // A job that comes too late is found by its name; which one was ordered stands.
    attempt.mustBeOurs();
    files.ordered(ref, new JobFiles.Order(id));
    return id;
  }

  private static ProblemException taken(BatchAttempt attempt) {
    return new Problem.Conflict(
            attempt.api().service()
                + " has a job "
                + attempt.name()
                + " that is not of this trial: delete it, or name the experiment otherwise")
        .toException();
  }

  private static @Nullable JobView find(BatchAttempt attempt, JobFiles.Order order) {
    attempt.mustBeOurs();
    JobRef job = new JobRef(attempt.name(), order.id());
    return JobView.speaker(
        attempt.api().look(List.of(job)).getOrDefault(job.name(), List.of()), job.id());
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      attempts.cancel(ref, this::takeUpToCancel, this::takeUpToCancel);
      return null;
    });
  }

  /** Takes up an attempt that is not followed; null when it is over, or now will never start. */
  private @Nullable BatchAttempt takeUpToCancel(AttemptRef ref) throws Exception {
    Map<String, Keepers.State> states = await(keepers.states(ref));
    if (Keepers.State.end(states).isPresent()) {
      return null;
    }
    JobSpec job = files.prepared(ref);
    JobFiles.Order order = files.ordered(ref);
    if (job == null || order == null) {
      return attempts.neverStarts(ref);
    }
    BatchAttempt found = attempt(ref, job);
    boolean there = !states.isEmpty() || order.id() != null || mayBeThere(found, order);
    return there ? takeUp(found, order.id()) : attempts.neverStarts(ref);
  }

  /**
   * Whether the service has the job of an attempt. Where it refuses to say so the job counts as not
   * there: its keeper would find that its attempt was canceled, and run nothing.
   */
  private boolean mayBeThere(BatchAttempt attempt, JobFiles.Order order) throws Exception {
    try {
      return patiently(
          Integer.MAX_VALUE,
          () -> {
            try {
              return find(attempt, order) != null;
            } catch (ProblemException e) {
              throw Refusal.isOfRightsOrPlace(e) ? new Refused(e) : e;
            }
          });
    } catch (Refused e) {
      attempt.leaveBehind();
      return false;
    }
  }

  /** A refusal that is not to be waited out. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(ProblemException cause) {
      super(cause);
    }
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> {
      List<AttemptRef> unknown = new ArrayList<>();
      Map<Object, List<BatchAttempt>> doubtful = new HashMap<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        keepers.mustAct(ref.trial().experiment());
        JobFiles.End end = files.ended(ref);
        JobFiles.Order order = files.ordered(ref);
        if (attempts.has(ref)) {
          continue;
        }
        if (end != null) {
          tell(ref, end);
        } else if (order == null) {
          unknown.add(ref);
        } else {
          BatchAttempt fresh = attempt(ref, submission.job());
          await(keepers.restore(submission));
          if (order.id() != null || !await(keepers.states(ref)).isEmpty()) {
            takeUp(fresh, order.id());
          } else {
            doubtful
                .computeIfAbsent(fresh.api().account(), account -> new ArrayList<>())
                .add(fresh);
          }
        }
      }
      for (List<BatchAttempt> each : doubtful.values()) {
        unknown.addAll(resolved(each));
      }
      return List.copyOf(unknown);
    });
  }

  /**
   * Takes up those that one account has; gives the others.
   *
   * @param doubtful attempts whose jobs were asked for, while it is unknown whether the service has
   *     them
   */
  private List<AttemptRef> resolved(List<BatchAttempt> doubtful) throws Exception {
    JobApi api = doubtful.getFirst().api();
    List<JobRef> jobs = doubtful.stream().map(BatchAttempt::job).toList();
    Map<String, List<JobView>> there =
        patiently(
            Integer.MAX_VALUE,
            () -> {
              doubtful.forEach(BatchAttempt::mustBeOurs);
              return api.look(jobs);
            });
    List<AttemptRef> unknown = new ArrayList<>();
    for (BatchAttempt each : doubtful) {
      JobView view = JobView.speaker(there.getOrDefault(each.name(), List.of()), null);
      if (view == null) {
        unknown.add(each.ref());
      } else {
        takeUp(each, view.id());
      }
    }
    return unknown;
  }

  private BatchAttempt takeUp(BatchAttempt fresh, @Nullable String id) throws Exception {
    return attempts.takeUp(fresh, () -> fresh.launched(id));
  }

  private void tell(AttemptRef ref, JobFiles.End end) {
    end.tell(surroundings.listener(), ref, keepers.storageUrl(ref));
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return keepers.readLog(attempt, stream, offset, limit);
  }

  /** Jobs that are over stay in the service's history, as those of its other users do. */
  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return keepers.cleanUp(experiment);
  }

  /** Tries once more to stop the jobs that may go on; those of a service that refuses are named. */
  @Override
  public Future<List<String>> remove(ExperimentId experiment) {
    return background
        .run(() -> new LeftJobs(files, job -> apis.of(job, rest)).stopIfPossible(experiment))
        .compose(left -> keepers.cleanUp(experiment).map(left));
  }

  @Override
  public Future<Void> leave(ExperimentId experiment) {
    return background.run(() -> {
      attempts.abandon(experiment);
      return null;
    });
  }

  @Override
  public Future<Void> close() {
    accounts.values().forEach(JobPoller::close);
    background.interrupt();
    return background.atLast(() -> {
      background.awaitEnd(LAST_WORDS);
      attempts.forget();
      rest.close();
    });
  }

  // ---- what is open --------------------------------------------------------------------------

  /** Fails with Conflict when another server owns its experiment. */
  private BatchAttempt attempt(AttemptRef ref, JobSpec job) {
    keepers.mustAct(ref.trial().experiment());
    JobApi api = apis.of(job, rest);
    return new BatchAttempt(ref, api, collaborators, patience, rounds(api), attempts);
  }

  private JobPoller rounds(JobApi api) {
    return accounts.computeIfAbsent(
        api.account(),
        account ->
            new JobPoller(
                api,
                new PollBackoff(patience.quick(), patience.slow(), chance()),
                patience.quick(),
                surroundings.clock(),
                background));
  }

  private RandomGenerator chance() {
    synchronized (random) {
      return random.split();
    }
  }
}
