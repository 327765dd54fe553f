package io.orrery.compute.local;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.Background;
import io.orrery.compute.attempt.LogFile;
import io.orrery.compute.attempt.Ticks;
import io.orrery.compute.gpu.GpuInventory;
import io.orrery.compute.gpu.GpuRequest;
import io.orrery.compute.process.LaunchClaims;
import io.orrery.compute.process.LaunchClaims.Claim;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.ProcessTable.Listing;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.Room;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trials as processes of this machine. Knows the attempts that it follows now, and nothing of those
 * that are over: what is asked about them is answered from their files. All work that may block is
 * done on virtual threads, one for each attempt that runs and one for each question.
 */
final class LocalService implements TrainingService {
  private static final Logger LOG = LoggerFactory.getLogger(LocalService.class);

  private static final Duration LAST_WORDS = Duration.ofMinutes(1);

  private final Surroundings surroundings;
  private final Path home;
  private final Clock clock;
  private final LocalSettings settings;
  private final Launcher launcher;
  private final ProcessMarks marks;
  private final ProcessTable census = new ProcessTable(() -> Processes.all(ProcessMarks.VARIABLE));
  private final OrphanReaper escapes;
  private final GpuLine gpus;
  private final NewAttemptPoller firstLooks;
  private final Watches watches = new Watches();
  private final Map<AttemptRef, LocalAttempt> attempts = new ConcurrentHashMap<>();
  private final Background background;
  private final LocalCheck check;
  private final Ticks ticks;

  LocalService(
      Surroundings surroundings,
      LocalSettings settings,
      Map<String, String> environment,
      GpuInventory inventory) {
    this.surroundings = surroundings;
    this.home = surroundings.home().toAbsolutePath().normalize();
    this.clock = surroundings.clock();
    this.settings = settings;
    this.firstLooks = new NewAttemptPoller(clock);
    this.background = new Background(surroundings.vertx(), "local");
    this.launcher =
        new Launcher(
            home,
            new TrialEnvironment(
                environment, surroundings.sdk(), surroundings.access(), surroundings.sandbox()),
            surroundings.environments(),
            settings.interpreter(),
            settings.spawn());
    this.check =
        new LocalCheck(
            home, SearchPath.of(environment), surroundings.environments(), inventory.probe());
    this.marks = new ProcessMarks(home);
    this.escapes = new OrphanReaper(census, this::isOver);
    this.gpus =
        new GpuLine(
            inventory.queue(), launcher, surroundings.listener(), clock, background, this::follow);
    this.ticks = Ticks.begin(clock, settings.tick(), this::tick);
  }

  @Override
  public Future<List<Item>> check(JobSpec job, int concurrency) {
    return background.run(() -> check.of(job));
  }

  @Override
  public Future<Void> prepare(ExperimentId experiment, JobSpec job) {
    return background.run(() -> {
      Path code = Path.of(job.codeDirectory());
      if (!Workspaces.shows(code) && !Files.isDirectory(code)) {
        throw new Problem.Refused(
                new Finding("/trialCodeDirectory", "there is no directory " + code))
            .toException();
      }
      Files.createDirectories(AttemptLayout.trials(home, experiment));
      return null;
    });
  }

  @Override
  public Future<Void> submit(Submission submission) {
    return background.run(() -> {
      LocalAttempt fresh = attempt(submission.attempt());
      LocalAttempt present = attempts.putIfAbsent(fresh.ref(), fresh);
      if (present != null) {
        return Background.await(present.launched());
      }
      Optional<GpuRequest> wanted = GpuRequest.of(submission.job());
      try {
        if (wanted.isPresent() && fresh.isNew()) {
          launcher.command(submission);
          fresh.launched().complete(null);
          gpus.join(fresh, submission, wanted.get());
          return null;
        }
        fresh.launch(launcher, submission, null);
      } catch (IOException | RuntimeException e) {
        attempts.remove(fresh.ref());
        fresh.launched().completeExceptionally(e);
        fresh.over().complete(null);
        throw e;
      }
      fresh.launched().complete(null);
      background.execute(() -> follow(fresh));
      return null;
    });
  }

  @Override
  public Future<Void> cancel(AttemptRef ref) {
    return background.run(() -> {
      while (true) {
        LocalAttempt present = attempts.get(ref);
        if (present == null) {
          present = isEndedOnDisk(ref) ? null : takeUp(ref);
          if (present == null) {
            return null;
          }
        }
        present.end();
        gpus.leave(present);
        Background.await(present.over());
        if (!present.launched().isCompletedExceptionally() && !present.isWithdrawn()) {
          return null;
        }
      }
    });
  }

  @Override
  public Future<Boolean> withdraw(AttemptRef ref) {
    return background.run(() -> {
      LocalAttempt present = attempts.get(ref);
      if (present == null || !gpus.withdraw(present)) {
        return false;
      }
      attempts.remove(ref);
      present.withdraw();
      return true;
    });
  }

  /** Whether an attempt that is not followed is over; one that has not started is by now. */
  private boolean isEndedOnDisk(AttemptRef ref) throws IOException {
    AttemptFiles files = files(ref);
    if (!Files.isDirectory(files.nni()) && lives(ref)) {
      return false;
    }
    Files.createDirectories(files.nni());
    LaunchClaims claims = files.claims();
    while (true) {
      switch (claims.current()) {
        case Free free -> {
          if (claims.cancel(free)) {
            return true;
          }
        }
        case LaunchClaims.Canceled canceled -> {
          return true;
        }
        case LaunchClaims.Unsigned unsigned -> {
          return false;
        }
        case Taken held -> {
          return held.isOfAnotherBoot()
              || (!held.isAlive() && !(ProcessSignals.groupExists(held.pid()) && lives(ref)));
        }
      }
    }
  }

  /** Whether any process of an attempt lives, with its files or without. */
  private boolean lives(AttemptRef ref) throws IOException {
    return !census.take().marked(marks.of(ref)).isEmpty();
  }

  @Override
  public Future<List<AttemptRef>> adopt(List<Submission> submissions) {
    return background.run(() -> {
      Listing listing = census.take();
      List<AttemptRef> unknown = new ArrayList<>();
      for (Submission submission : submissions) {
        AttemptRef ref = submission.attempt();
        if (!attempts.containsKey(ref)) {
          if (isUnknown(ref, listing)) {
            unknown.add(ref);
          } else {
            takeUp(ref).runs(submission, launcher);
          }
        }
      }
      return List.copyOf(unknown);
    });
  }

  /**
   * Whether an attempt has not started; then no wrapper that was launched so far ever will. One
   * that has removed its own directory is only known by its processes.
   */
  private boolean isUnknown(AttemptRef ref, Listing listing) throws IOException {
    AttemptFiles files = files(ref);
    if (!Files.isDirectory(files.nni())) {
      return listing.marked(marks.of(ref)).isEmpty();
    }
    LaunchClaims claims = files.claims();
    Claim claim = claims.current();
    while (claim instanceof Free free) {
      if (claims.revoke(free)) {
        return true;
      }
      claim = claims.current();
    }
    return false;
  }

  private LocalAttempt takeUp(AttemptRef ref) {
    LocalAttempt fresh = attempt(ref);
    LocalAttempt present = attempts.putIfAbsent(ref, fresh);
    if (present != null) {
      return present;
    }
    fresh.launched().complete(null);
    background.execute(() -> follow(fresh));
    return fresh;
  }

  private void follow(LocalAttempt attempt) {
    attempt.follow(
        firstLooks,
        watches,
        () -> {
          attempts.remove(attempt.ref());
          escapes.suspect(attempt.mark());
          gpus.release(attempt.ref());
        });
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return background.run(() ->
        LogFile.read(
            files(attempt).directory(), attempt, stream, offset, limit, !isFollowed(attempt)));
  }

  /** Whether something may still be written. */
  private boolean isFollowed(AttemptRef ref) throws IOException {
    return attempts.containsKey(ref)
        || (files(ref).claims().current() instanceof Taken held && held.isAlive());
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return background.run(() -> {
      // With what algorithms of the user's own have logged there.
      DirectoryTree.delete(AttemptLayout.experiment(home, experiment));
      return null;
    });
  }

  @Override
  public Room room(JobSpec job) {
    Integer free = GpuRequest.of(job).map(gpus::free).orElse(null);
    return free == null ? Room.UNKNOWN : Room.of(free);
  }

  @Override
  public List<MachineState> machines(ExperimentId experiment, JobSpec job) {
    return List.of(
        new MachineState(
            "local",
            "the server's machine",
            null,
            null,
            null,
            List.copyOf(attempts.keySet()),
            room(job).free(),
            gpus.report()));
  }

  @Override
  public GpuReport gpus() {
    gpus.lookOnce();
    return gpus.report();
  }

  @Override
  public Future<Void> close() {
    ticks.close();
    gpus.close();
    firstLooks.close();
    background.refuse();
    return background.atLast(() -> {
      watches.close();
      background.interrupt();
      background.awaitEnd(LAST_WORDS);
      escapes.sweep();
    });
  }

  /** On an event loop: only nudges. */
  private void tick() {
    attempts.values().forEach(LocalAttempt::tick);
    background.execute(this::sweep);
  }

  private void sweep() {
    try {
      escapes.sweep();
    } catch (IOException e) {
      LOG.warn("could not list processes: {}", e.toString());
    }
  }

  /** Whether a process of this mark is a leftover of an attempt of this home. */
  private boolean isOver(String mark) {
    AttemptRef ref = marks.attempt(mark);
    if (ref == null || attempts.containsKey(ref)) {
      return false;
    }
    AttemptFiles files = files(ref);
    try {
      return !Files.isDirectory(files.nni()) || files.state() != null;
    } catch (IOException e) {
      return false;
    }
  }

  private LocalAttempt attempt(AttemptRef ref) {
    return new LocalAttempt(
        ref,
        files(ref),
        marks.of(ref),
        census,
        settings,
        surroundings.sandbox(),
        clock,
        surroundings.listener());
  }

  private AttemptFiles files(AttemptRef ref) {
    return AttemptFiles.of(home, ref);
  }
}
