package io.orrery.compute.keeper;

import io.orrery.compute.attempt.FilePiece;
import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.code.CodeStore;
import io.orrery.compute.service.Keepers;
import io.orrery.compute.service.TrialAccess;
import io.orrery.compute.storage.Deliveries;
import io.orrery.compute.storage.SharedStorage;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Done;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers keepers, and tells platforms of them. Everything that a keeper says is on the disk before
 * it is answered, so a restart forgets nothing but who was heard when.
 *
 * <p>To be deployed before the first platform is opened.
 */
public final class KeeperVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperVerticle.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** The most files and directories of a page. */
  private static final int MOST_ENTRIES = 10_000;

  private final Bus bus;
  private final Clock clock;
  private final CodeStore code;
  private final AttemptStore shelf;
  private final Followers followers;
  private final KeeperPresence presence;
  private final WorkerExecutor packing;
  private final Deliveries deliveries;
  private final PlatformRequestHandler desk;
  private final OwnedLeases tenures = new OwnedLeases();
  private final OwnerClient owners;
  private final boolean shared;
  private final TrialAccess access;
  private Clock.@Nullable Timer look;

  /** The URLs of the servers that take keepers' calls, as they were seen last. */
  private volatile List<String> servers = List.of();

  /** One whose shared storage is that of Azure's own clouds. */
  public KeeperVerticle(
      Vertx vertx,
      Bus bus,
      Clock clock,
      Path home,
      TrialAccess access,
      CodeLimits limits,
      KeptLimits most) {
    this(
        vertx,
        bus,
        clock,
        home,
        access,
        limits,
        most,
        new SharedStorage(
            home.toAbsolutePath().normalize(),
            System.getenv(),
            AzureCloud.of(System.getenv()),
            clock::now));
  }

  public KeeperVerticle(
      Vertx vertx,
      Bus bus,
      Clock clock,
      Path home,
      TrialAccess access,
      CodeLimits limits,
      KeptLimits most,
      SharedStorage storage) {
    Path place = home.toAbsolutePath().normalize();
    this.bus = bus;
    this.clock = clock;
    this.access = access;
    this.code = new CodeStore(home, limits);
    this.shelf = new AttemptStore(vertx, place, most);
    this.followers = new Followers(clock, PATIENCE);
    this.presence = new KeeperPresence(step -> context.runOnContext(here -> step.run()), followers);
    this.packing = vertx.createSharedWorkerExecutor("orrery-packing", 2);
    this.deliveries = new Deliveries(place, storage);
    this.desk =
        new PlatformRequestHandler(
            bus, place, access, code, packing, shelf, presence, storage, deliveries, tenures);
    this.shared = vertx.isClustered();
    this.owners =
        new OwnerClient(
            bus,
            presence::confined,
            tenures,
            shared,
            new KeeperCallHandler(shelf, presence, clock, () -> servers)::take);
  }

  /** For platforms. */
  public Keepers keepers() {
    return desk;
  }

  /** The leases in which each owner of an experiment registers it. */
  public OwnedLeases tenures() {
    return tenures;
  }

  @Override
  public Future<?> start() {
    look();
    deliver(() -> deliveries.resume(this::isOver));
    tenures.tell(
        new OwnedLeases.Listener() {
          @Override
          public void begun(ExperimentId experiment, Lease lease) {
            if (shared) {
              shelf.countAgain(experiment);
            }
            owners.begun(experiment, lease);
            if (shared) {
              // The owner before may have left something undone.
              deliver(() -> deliveries.resume(experiment, KeeperVerticle.this::isOver));
            }
          }

          @Override
          public void over(ExperimentId experiment, Lease lease) {
            owners.over(experiment, lease);
          }
        });
    return Future.all(
        List.of(
            owners.serve(TrialKeepers.START),
            owners.serve(TrialKeepers.BEAT),
            owners.serve(TrialKeepers.LOG),
            owners.serve(TrialKeepers.OUTPUT),
            owners.serve(TrialKeepers.END),
            owners.serve(TrialKeepers.WORK),
            owners.serve(TrialKeepers.LINE),
            owners.serve(TrialKeepers.NOTE),
            bus.serve(TrialKeepers.PARAMETERS, this::parameters),
            bus.serve(TrialKeepers.CODE, this::code),
            bus.serve(TrialKeepers.FILES, this::files),
            bus.serve(TrialKeepers.FOLDER, this::folder),
            bus.serve(TrialKeepers.FILE, this::file)));
  }

  @Override
  public Future<?> stop() {
    if (look != null) {
      look.cancel();
    }
    deliveries.close();
    return Future.join(shelf.close(), packing.close());
  }

  private interface Look {
    void look() throws IOException;
  }

  private void deliver(Look look) {
    shelf
        .onDisk(() -> {
          look.look();
          return new Done();
        })
        .onFailure(e -> LOG.warn("could not read the pending uploads to shared storage", e));
  }

  private boolean isOver(AttemptRef attempt) {
    try {
      return shelf.seen(attempt).values().stream()
          .anyMatch(seen -> seen.claim().primary() && seen.end() != null);
    } catch (IOException e) {
      LOG.warn("could not read the keeper state of {}", attempt, e);
      return false;
    }
  }

  private void look() {
    followers.complain();
    if (shared) {
      access
          .servers()
          .onSuccess(all -> {
            if (!Set.copyOf(all).equals(Set.copyOf(servers))) {
              // One that is gone may have left undone what belongs to experiments that are over.
              deliver(() -> deliveries.resume(this::isOver));
            }
            servers = all;
          })
          .onFailure(e -> LOG.warn("could not read the list of servers: {}", e.getMessage()));
    }
    look = clock.after(LOOK, this::look);
  }

  private Future<TrialKeepers.ParameterFile> parameters(TrialKeepers.GetParameters asked) {
    return shelf.onDisk(() ->
        new TrialKeepers.ParameterFile(
            Files.readString(shelf.known(asked.attempt()).parameters())));
  }

  private Future<Piece> code(TrialKeepers.ReadCode asked) {
    return shelf.onDisk(
        () -> code.read(asked.experiment(), asked.digest(), asked.offset(), asked.limit()));
  }

  private Future<TrialKeepers.FileList> files(TrialKeepers.ListFiles asked) {
    return shelf.onDisk(() -> shelf.present(asked.trial(), asked.attempt()).list());
  }

  private Future<TrialKeepers.Folder> folder(TrialKeepers.ListFolder asked) {
    return shelf.onDisk(() ->
        shelf
            .present(asked.trial(), asked.attempt())
            .folder(asked.path(), asked.after(), Math.clamp(asked.limit(), 1, MOST_ENTRIES)));
  }

  private Future<Piece> file(TrialKeepers.ReadFile asked) {
    return shelf.onDisk(() -> {
      FilePiece piece =
          shelf
              .present(asked.trial(), asked.attempt())
              .read(asked.path(), asked.offset(), asked.limit());
      return new Piece(piece.bytes(), piece.next(), piece.size());
    });
  }
}
