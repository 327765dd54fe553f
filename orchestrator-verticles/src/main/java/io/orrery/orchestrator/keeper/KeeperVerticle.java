package io.orrery.orchestrator.keeper;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Appended;
import io.orrery.core.bus.contract.TrialKeepers.Done;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.TrialRef;
import io.orrery.orchestrator.code.CodeLimits;
import io.orrery.orchestrator.code.CodeStore;
import io.orrery.orchestrator.keeper.KeptFiles.Claim;
import io.orrery.orchestrator.keeper.KeptFiles.End;
import io.orrery.orchestrator.platform.AttemptLayout;
import io.orrery.orchestrator.platform.DirectoryTree;
import io.orrery.orchestrator.platform.FilePiece;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.LogFile;
import io.orrery.orchestrator.platform.Submission;
import io.orrery.orchestrator.platform.TrialAccess;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers keepers, and tells platforms of them. Everything that a keeper says is on the disk before
 * it is answered, so a restart forgets nothing but who was heard when.
 *
 * <p>To be deployed before the first platform is opened.
 */
public final class KeeperVerticle extends VerticleBase implements Keepers {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperVerticle.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** Disks are quick, and packing a large directory must not hold up everybody's logs. */
  private static final int THREADS = 8;

  private record Seat(AttemptRef attempt, String keeper) {}

  /** What the disk says of a keeper. */
  private record Seen(Claim claim, @Nullable End end) {
    State.Running running() {
      return new State.Running(claim.at(), claim.primary());
    }

    State state() {
      return end == null
          ? running()
          : new State.Ended(end.exitCode(), end.at(), claim.primary(), end.reason());
    }
  }

  private final Vertx server;
  private final Bus bus;
  private final Clock clock;
  private final Path home;
  private final TrialAccess access;
  private final Launching launching;
  private final CodeStore code;
  private final Followers followers;
  private final WorkerExecutor disk;
  private final WorkerExecutor packing;

  /** Keepers that run, as far as they were heard since the start. */
  private final Map<Seat, Claim> seats = new HashMap<>();

  private Clock.@Nullable Timer look;

  public KeeperVerticle(
      Vertx vertx, Bus bus, Clock clock, Path home, TrialAccess access, CodeLimits limits) {
    this.server = vertx;
    this.bus = bus;
    this.clock = clock;
    this.home = home.toAbsolutePath().normalize();
    this.access = access;
    this.launching = new Launching(access);
    this.code = new CodeStore(home, limits);
    this.followers = new Followers(clock, PATIENCE);
    this.disk = vertx.createSharedWorkerExecutor("orrery-keepers", THREADS);
    this.packing = vertx.createSharedWorkerExecutor("orrery-packing", 2);
  }

  @Override
  public Future<?> start() {
    look();
    return Future.all(
        List.of(
            bus.serve(TrialKeepers.START, this::start),
            bus.serve(TrialKeepers.PARAMETERS, this::parameters),
            bus.serve(TrialKeepers.BEAT, this::beat),
            bus.serve(TrialKeepers.LOG, this::log),
            bus.serve(TrialKeepers.OUTPUT, this::output),
            bus.serve(TrialKeepers.END, this::end),
            bus.serve(TrialKeepers.LINE, this::line),
            bus.serve(TrialKeepers.NOTE, this::note),
            bus.serve(TrialKeepers.CODE, this::code),
            bus.serve(TrialKeepers.FILES, this::files),
            bus.serve(TrialKeepers.FILE, this::file)));
  }

  @Override
  public Future<?> stop() {
    if (look != null) {
      look.cancel();
    }
    return Future.join(disk.close(), packing.close());
  }

  private void look() {
    followers.complain();
    look = clock.after(LOOK, this::look);
  }

  // What keepers ask.

  private Future<Done> start(TrialKeepers.Start start) {
    Claim claim = new Claim(start.instance(), start.primary(), clock.now());
    Seat seat = new Seat(start.attempt(), KeptFiles.keeper(start.keeper()));
    return onDisk(
            () -> {
              KeptFiles files = known(start.attempt());
              return files.claim(seat.keeper(), claim);
            })
        .map(held -> {
          seats.put(seat, held);
          followers.tell(seat.attempt(), seat.keeper(), new Seen(held, null).running());
          return new Done();
        });
  }

  private Future<TrialKeepers.ParameterFile> parameters(TrialKeepers.GetParameters asked) {
    return onDisk(() ->
        new TrialKeepers.ParameterFile(Files.readString(known(asked.attempt()).parameters())));
  }

  private Future<TrialKeepers.Orders> beat(TrialKeepers.Beat beat) {
    return seat(beat.attempt(), beat.keeper())
        .compose(claim -> {
          if (!claim.instance().equals(beat.instance())) {
            return Future.failedFuture(
                new Problem.Conflict("Another process runs this attempt.").toException());
          }
          return onDisk(() -> new TrialKeepers.Orders(known(beat.attempt()).isCanceled()));
        });
  }

  private Future<Appended> log(TrialKeepers.AppendLog log) {
    return seat(log.attempt(), log.keeper())
        .compose(claim ->
            onDisk(() ->
                new Appended(
                    known(log.attempt())
                        .append(
                            log.keeper(),
                            claim.primary(),
                            log.stream(),
                            log.offset(),
                            log.bytes()))));
  }

  private Future<Appended> output(TrialKeepers.AppendOutput output) {
    return seat(output.attempt(), output.keeper())
        .compose(claim ->
            onDisk(() ->
                new Appended(
                    known(output.attempt())
                        .append(
                            output.keeper(),
                            claim.primary(),
                            output.path(),
                            output.offset(),
                            output.size(),
                            output.bytes()))));
  }

  private Future<Done> end(TrialKeepers.End end) {
    Seat seat = new Seat(end.attempt(), KeptFiles.keeper(end.keeper()));
    End told = new End(end.instance(), end.exitCode(), end.reason(), clock.now());
    return seat(end.attempt(), end.keeper())
        .compose(claim -> {
          if (!claim.instance().equals(end.instance())) {
            return Future.failedFuture(
                new Problem.Conflict("Another process runs this attempt.").toException());
          }
          return onDisk(() -> known(end.attempt()).end(end.keeper(), told))
              .map(stands -> {
                seats.remove(seat);
                followers.tell(end.attempt(), end.keeper(), new Seen(claim, stands).state());
                return new Done();
              });
        });
  }

  private Future<Done> line(TrialKeepers.AppendLine line) {
    return onDisk(() -> {
      known(line.attempt()).append(line.stream(), line.text());
      return new Done();
    });
  }

  private Future<Done> note(TrialKeepers.Note note) {
    followers.note(note.attempt(), note.text());
    return Future.succeededFuture(new Done());
  }

  private Future<Piece> code(TrialKeepers.ReadCode asked) {
    return onDisk(
        () -> code.read(asked.experiment(), asked.digest(), asked.offset(), asked.limit()));
  }

  private Future<TrialKeepers.FileList> files(TrialKeepers.ListFiles asked) {
    return onDisk(() -> present(asked.trial(), asked.attempt()).list());
  }

  private Future<Piece> file(TrialKeepers.ReadFile asked) {
    return onDisk(() -> {
      Path file = present(asked.trial(), asked.attempt()).visible(asked.path());
      FilePiece piece = FilePiece.read(file, asked.offset(), asked.limit());
      return new Piece(piece.bytes(), piece.next(), piece.size());
    });
  }

  /** Who has a keeper's place; NotFound when nobody has. */
  private Future<Claim> seat(AttemptRef attempt, String name) {
    Seat seat = new Seat(attempt, KeptFiles.keeper(name));
    Claim known = seats.get(seat);
    if (known != null) {
      followers.heard(attempt, name);
      return Future.succeededFuture(known);
    }
    return onDisk(
            () -> {
              KeptFiles files = files(attempt);
              Claim claim = files.claimOf(name);
              if (claim == null) {
                throw new Problem.NotFound("No keeper " + name + " of this attempt has started.")
                    .toException();
              }
              return new Seen(claim, files.end(name));
            })
        .map(found -> {
          if (found.end() == null) {
            seats.put(seat, found.claim());
          }
          followers.heard(attempt, name);
          return found.claim();
        });
  }

  // What platforms ask.

  @Override
  public List<Finding> check(String pointer, Path directory) {
    return code.check(pointer, directory);
  }

  @Override
  public Future<Code> pack(ExperimentId experiment, Path directory) {
    return packing.executeBlocking(() -> code.pack(experiment, directory), false);
  }

  @Override
  public Future<Launch> launch(Submission submission, Role role) {
    return onDisk(() -> {
      Launch launch = launching.of(submission, role);
      files(submission.attempt())
          .writeParameters(ParameterRecord.of(submission.parameters()).toString());
      return launch;
    });
  }

  @Override
  public void follow(AttemptRef attempt, Listener listener) {
    context.runOnContext(here -> {
      followers.add(attempt, listener);
      onDisk(() -> seen(attempt))
          .onSuccess(all ->
              all.forEach((keeper, seen) -> {
                followers.tell(attempt, keeper, seen.running());
                if (seen.end() != null) {
                  followers.tell(attempt, keeper, seen.state());
                }
              }))
          .onFailure(
              e -> LOG.warn("What keepers of {} said cannot be read: {}", attempt, e.toString()));
    });
  }

  @Override
  public void forget(AttemptRef attempt) {
    context.runOnContext(here -> {
      followers.remove(attempt);
      seats.keySet().removeIf(seat -> seat.attempt().equals(attempt));
    });
  }

  @Override
  public Future<Map<String, State>> states(AttemptRef attempt) {
    return onDisk(() -> {
      Map<String, State> states = new HashMap<>();
      seen(attempt).forEach((keeper, seen) -> states.put(keeper, seen.state()));
      return Map.copyOf(states);
    });
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    return onDisk(
            () -> {
              files(attempt).cancel();
              return attempt;
            })
        .onSuccess(
            canceled -> bus.publish(TrialKeepers.CANCELED, new TrialKeepers.Canceled(canceled)))
        .mapEmpty();
  }

  @Override
  public Future<Boolean> isCanceled(AttemptRef attempt) {
    return onDisk(() -> files(attempt).isCanceled());
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return onDisk(() -> {
      KeptFiles files = files(attempt);
      boolean over = files.isCanceled();
      for (Seen seen : seen(attempt).values()) {
        over = seen.claim().primary() ? seen.end() != null : over;
      }
      return LogFile.read(files.directory(), attempt, stream, offset, limit, over);
    });
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return onDisk(() -> {
      code.release(experiment);
      DirectoryTree.delete(AttemptLayout.experiment(home, experiment));
      return null;
    });
  }

  @Override
  public String storageUrl(AttemptRef attempt) {
    TrialRef trial = attempt.trial();
    return access.serverUrl()
        + "/api/v1/experiments/"
        + trial.experiment()
        + "/trials/"
        + trial.trial()
        + "/files"
        + (attempt.number() == 1 ? "" : "?attempt=" + attempt.number());
  }

  private Map<String, Seen> seen(AttemptRef attempt) throws IOException {
    KeptFiles files = files(attempt);
    Map<String, Seen> all = new HashMap<>();
    for (Map.Entry<String, Claim> each : files.claims().entrySet()) {
      all.put(each.getKey(), new Seen(each.getValue(), files.end(each.getKey())));
    }
    return all;
  }

  private KeptFiles files(AttemptRef attempt) {
    return KeptFiles.of(home, attempt);
  }

  /** Of an attempt that a platform has launched, and whose experiment is still there. */
  private KeptFiles known(AttemptRef attempt) {
    KeptFiles files = files(attempt);
    if (!Files.exists(files.parameters())) {
      throw new Problem.NotFound("No attempt " + attempt + " is under way here.").toException();
    }
    return files;
  }

  private KeptFiles present(TrialRef trial, @Nullable Integer attempt) throws IOException {
    KeptFiles files = KeptFiles.of(home, trial, attempt);
    if (!files.exists()) {
      throw new Problem.NotFound("There are no files of trial " + trial + ".").toException();
    }
    return files;
  }

  /** Completes on the caller's context, or on one of its own when there is none. */
  private <T extends @Nullable Object> Future<T> onDisk(Callable<T> work) {
    Context caller = server.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    disk.executeBlocking(work, false)
        .onComplete((result, failure) ->
            caller.runOnContext(back -> {
              if (failure == null) {
                promise.complete(result);
              } else {
                promise.fail(failure);
              }
            }));
    return promise.future();
  }
}
