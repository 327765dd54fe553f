package io.orrery.compute.keeper;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.LogFile;
import io.orrery.compute.code.CodeStore;
import io.orrery.compute.keeper.AttemptStore.Seen;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrialAccess;
import io.orrery.compute.storage.Deliveries;
import io.orrery.compute.storage.SharedStorage;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles what platforms ask of keepers, and what keepers are told to do. */
final class PlatformRequestHandler implements Keepers {
  /** Who creates an experiment waits no longer for a mount whose server may be away. */
  private static final int STORAGE_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(PlatformRequestHandler.class);

  private final Bus bus;
  private final Path home;
  private final TrialAccess access;
  private final Launching launching;
  private final CodeStore code;
  private final WorkerExecutor packing;
  private final AttemptStore shelf;
  private final KeeperPresence presence;
  private final SharedStorage storage;
  private final Deliveries deliveries;
  private final OwnedLeases tenures;

  PlatformRequestHandler(
      Bus bus,
      Path home,
      TrialAccess access,
      CodeStore code,
      WorkerExecutor packing,
      AttemptStore shelf,
      KeeperPresence presence,
      SharedStorage storage,
      Deliveries deliveries,
      OwnedLeases tenures) {
    this.bus = bus;
    this.home = home;
    this.access = access;
    this.launching = new Launching(access);
    this.code = code;
    this.packing = packing;
    this.shelf = shelf;
    this.presence = presence;
    this.storage = storage;
    this.deliveries = deliveries;
    this.tenures = tenures;
  }

  @Override
  public List<Finding> check(String pointer, Path directory) {
    return code.check(pointer, directory);
  }

  @Override
  public List<String> notices(Path directory) {
    return code.notices(directory);
  }

  @Override
  public List<Finding> check(SharedStorageSpec shared) {
    try {
      return shelf
          .elsewhere(() -> storage.findings(shared))
          .toCompletionStage()
          .toCompletableFuture()
          .get(STORAGE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      String slow = "the storage does not answer within %d s".formatted(STORAGE_SECONDS);
      return List.of(new Finding("/sharedStorage", slow + ": is its server there?"));
    } catch (ExecutionException e) {
      throw Problem.of(Objects.requireNonNull(e.getCause())).toException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(new Finding("/sharedStorage", "was not looked at: the server is closing"));
    }
  }

  @Override
  public Future<Item> look(SharedStorageSpec shared) {
    return shelf.elsewhere(() -> storage.check(shared));
  }

  @Override
  public Future<Code> pack(ExperimentId experiment, Path directory) {
    return packing.executeBlocking(
        () ->
            experiment.isOfRun()
                ? code.packWhole(experiment, directory)
                : code.pack(experiment, directory),
        false);
  }

  @Override
  public Future<Boolean> place(AttemptRef attempt) {
    return shelf.onDisk(() -> shelf.files(attempt).make());
  }

  @Override
  public Future<Launch> launch(Submission submission, Role role) {
    return access
        .servers()
        .compose(servers ->
            shelf.onDisk(() -> {
              Launch launch = launching.of(submission, role, servers);
              shelf.files(submission.attempt()).write(submission.parameters());
              return launch;
            }))
        .compose(launch -> sharing(launch, submission, role));
  }

  @Override
  public String token(AttemptRef attempt) {
    return access.token(attempt);
  }

  @Override
  public Future<Void> restore(Submission submission) {
    return shelf.onDisk(() -> {
      shelf.files(submission.attempt()).write(submission.parameters());
      return null;
    });
  }

  /** The same, when the storage that it shares is ready for it. */
  private Future<Launch> sharing(Launch launch, Submission submission, Role role) {
    SharedStorageSpec shared = submission.job().sharedStorage();
    return shared == null
        ? Future.succeededFuture(launch)
        : shelf.elsewhere(() -> launch.with(begin(submission.attempt(), shared, role)));
  }

  private Map<String, String> begin(AttemptRef attempt, SharedStorageSpec shared, Role role)
      throws IOException, InterruptedException {
    if (shared instanceof SharedStorageSpec.Blob blob) {
      deliveries.expect(attempt, blob);
    }
    Code packed = role.code();
    return storage.begin(
        attempt,
        shared,
        packed == null
            ? null
            : new SharedStorage.Packed(packed.digest(), code.file(packed.digest())));
  }

  /** What is told from now on comes after the listener, so that what is missed lies on the disk. */
  @Override
  public void follow(AttemptRef attempt, Listener listener) {
    followNew(attempt, listener);
    shelf
        .onDisk(() -> shelf.seen(attempt))
        .onSuccess(all ->
            all.forEach((keeper, seen) -> presence.confined(() -> tell(attempt, keeper, seen))))
        .onFailure(
            e -> LOG.warn("could not read the keeper state of {}: {}", attempt, e.toString()));
  }

  @Override
  public void followNew(AttemptRef attempt, Listener listener) {
    presence.confined(() -> presence.followers().add(attempt, listener));
  }

  private void tell(AttemptRef attempt, String keeper, AttemptStore.Seen seen) {
    presence.followers().tell(attempt, keeper, seen.running());
    if (seen.end() != null) {
      presence.followers().tell(attempt, keeper, seen.state());
    }
  }

  @Override
  public void forget(AttemptRef attempt) {
    presence.forget(attempt);
  }

  @Override
  public void over(AttemptRef attempt) {
    forget(attempt);
    deliveries.ended(attempt);
  }

  @Override
  public boolean mayAct(ExperimentId experiment) {
    return tenures.mayAct(experiment);
  }

  @Override
  public void offer(AttemptRef environment, Offers offers) {
    presence.offer(environment, offers);
  }

  @Override
  public void offered(AttemptRef environment) {
    bus.publish(TrialKeepers.OFFERED, new TrialKeepers.Offered(environment));
  }

  @Override
  public Future<Map<String, State>> states(AttemptRef attempt) {
    return shelf.onDisk(() -> {
      Map<String, State> states = new HashMap<>();
      shelf.seen(attempt).forEach((keeper, seen) -> states.put(keeper, seen.state()));
      return Map.copyOf(states);
    });
  }

  @Override
  public Future<Void> cancel(AttemptRef attempt) {
    return shelf
        .onDisk(() -> {
          shelf.files(attempt).register().cancel();
          return attempt;
        })
        .onSuccess(
            canceled -> bus.publish(TrialKeepers.CANCELED, new TrialKeepers.Canceled(canceled)))
        .mapEmpty();
  }

  @Override
  public Future<Boolean> isCanceled(AttemptRef attempt) {
    return shelf.onDisk(() -> shelf.files(attempt).register().isCanceled());
  }

  @Override
  public Future<LogPiece> readLog(AttemptRef attempt, Stream stream, long offset, int limit) {
    return shelf.onDisk(() -> {
      KeptFiles files = shelf.files(attempt);
      boolean over = files.register().isCanceled();
      for (Seen seen : shelf.seen(attempt).values()) {
        over = seen.claim().primary() ? seen.end() != null : over;
      }
      return LogFile.read(files.directory(), attempt, stream, offset, limit, over);
    });
  }

  @Override
  public Future<Void> cleanUp(ExperimentId experiment) {
    return shelf.onDisk(() -> {
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
}
