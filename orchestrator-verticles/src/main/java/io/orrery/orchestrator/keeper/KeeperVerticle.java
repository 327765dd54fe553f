package io.orrery.orchestrator.keeper;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.TrialKeepers.Appended;
import io.orrery.core.bus.contract.TrialKeepers.Done;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.azure.AzureCloud;
import io.orrery.orchestrator.code.CodeLimits;
import io.orrery.orchestrator.code.CodeStore;
import io.orrery.orchestrator.keeper.KeptFiles.Claim;
import io.orrery.orchestrator.keeper.KeptFiles.End;
import io.orrery.orchestrator.keeper.Presence.Seat;
import io.orrery.orchestrator.keeper.Shelf.Seen;
import io.orrery.orchestrator.platform.FilePiece;
import io.orrery.orchestrator.platform.Keepers;
import io.orrery.orchestrator.platform.TrialAccess;
import io.orrery.orchestrator.storage.Deliveries;
import io.orrery.orchestrator.storage.SharedStorage;
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
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Bus bus;
  private final Clock clock;
  private final CodeStore code;
  private final Shelf shelf;
  private final Followers followers;
  private final Presence presence;
  private final WorkerExecutor packing;
  private final Deliveries deliveries;
  private final PlatformDesk desk;
  private Clock.@Nullable Timer look;

  /** One whose shared storage is that of Azure's own clouds. */
  public KeeperVerticle(
      Vertx vertx, Bus bus, Clock clock, Path home, TrialAccess access, CodeLimits limits) {
    this(
        vertx,
        bus,
        clock,
        home,
        access,
        limits,
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
      SharedStorage storage) {
    Path place = home.toAbsolutePath().normalize();
    this.bus = bus;
    this.clock = clock;
    this.code = new CodeStore(home, limits);
    this.shelf = new Shelf(vertx, place);
    this.followers = new Followers(clock, PATIENCE);
    this.presence = new Presence(step -> context.runOnContext(here -> step.run()), followers);
    this.packing = vertx.createSharedWorkerExecutor("orrery-packing", 2);
    this.deliveries = new Deliveries(place, storage);
    this.desk =
        new PlatformDesk(bus, place, access, code, packing, shelf, presence, storage, deliveries);
  }

  /** For platforms. */
  public Keepers keepers() {
    return desk;
  }

  @Override
  public Future<?> start() {
    look();
    shelf
        .onDisk(() -> {
          deliveries.resume(this::isOver);
          return new Done();
        })
        .onFailure(e -> LOG.warn("What is to go into shared storage cannot be read", e));
    return Future.all(
        List.of(
            bus.serve(TrialKeepers.START, this::start),
            bus.serve(TrialKeepers.PARAMETERS, this::parameters),
            bus.serve(TrialKeepers.BEAT, this::beat),
            bus.serve(TrialKeepers.LOG, this::log),
            bus.serve(TrialKeepers.OUTPUT, this::output),
            bus.serve(TrialKeepers.END, this::end),
            bus.serve(TrialKeepers.WORK, this::work),
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
    deliveries.close();
    return Future.join(shelf.close(), packing.close());
  }

  private boolean isOver(AttemptRef attempt) {
    try {
      return shelf.seen(attempt).values().stream()
          .anyMatch(seen -> seen.claim().primary() && seen.end() != null);
    } catch (IOException e) {
      LOG.warn("What keepers of {} said cannot be read", attempt, e);
      return false;
    }
  }

  private void look() {
    followers.complain();
    look = clock.after(LOOK, this::look);
  }

  private Future<Done> start(TrialKeepers.Start start) {
    Claim claim = new Claim(start.instance(), start.primary(), clock.now());
    Seat seat = new Seat(start.attempt(), KeptFiles.keeper(start.keeper()));
    return shelf
        .onDisk(() -> {
          KeptFiles files = shelf.known(start.attempt());
          return files.claim(seat.keeper(), claim);
        })
        .map(held -> {
          presence.take(seat, held);
          followers.tell(seat.attempt(), seat.keeper(), new Seen(held, null).running());
          return new Done();
        });
  }

  private Future<TrialKeepers.ParameterFile> parameters(TrialKeepers.GetParameters asked) {
    return shelf.onDisk(() ->
        new TrialKeepers.ParameterFile(
            Files.readString(shelf.known(asked.attempt()).parameters())));
  }

  private Future<TrialKeepers.Orders> beat(TrialKeepers.Beat beat) {
    return seat(beat.attempt(), beat.keeper(), beat.instance())
        .compose(claim ->
            shelf.onDisk(() -> new TrialKeepers.Orders(shelf.known(beat.attempt()).isCanceled())));
  }

  private Future<Appended> log(TrialKeepers.AppendLog log) {
    return seat(log.attempt(), log.keeper())
        .compose(claim ->
            shelf.onDisk(() ->
                new Appended(
                    shelf
                        .known(log.attempt())
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
            shelf.onDisk(() ->
                new Appended(
                    shelf
                        .known(output.attempt())
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
    return seat(end.attempt(), end.keeper(), end.instance())
        .compose(claim ->
            shelf
                .onDisk(() -> shelf.known(end.attempt()).end(end.keeper(), told))
                .map(stands -> {
                  presence.leave(seat);
                  followers.tell(end.attempt(), end.keeper(), new Seen(claim, stands).state());
                  return new Done();
                }));
  }

  /** An environment asks whoever has made it what it is to start. */
  private Future<TrialKeepers.Work> work(TrialKeepers.AskWork asked) {
    AttemptRef environment = asked.environment();
    return seat(environment, asked.keeper(), asked.instance())
        .compose(claim -> {
          Keepers.Offers offers = presence.offers(environment);
          return offers == null
              ? Future.failedFuture(
                  new Problem.Busy("its platform has not taken it up yet", PAUSE).toException())
              : offers.take(Set.copyOf(asked.running()), asked.ended());
        })
        .map(offers ->
            new TrialKeepers.Work(
                offers.stream()
                    .map(offer ->
                        new TrialKeepers.Order(
                            offer.key(), offer.launch().environment(), offer.launch().token()))
                    .toList()));
  }

  private Future<Done> line(TrialKeepers.AppendLine line) {
    return shelf.onDisk(() -> {
      shelf.known(line.attempt()).append(line.stream(), line.text());
      return new Done();
    });
  }

  private Future<Done> note(TrialKeepers.Note note) {
    followers.note(note.attempt(), note.text());
    return Future.succeededFuture(new Done());
  }

  private Future<Piece> code(TrialKeepers.ReadCode asked) {
    return shelf.onDisk(
        () -> code.read(asked.experiment(), asked.digest(), asked.offset(), asked.limit()));
  }

  private Future<TrialKeepers.FileList> files(TrialKeepers.ListFiles asked) {
    return shelf.onDisk(() -> shelf.present(asked.trial(), asked.attempt()).list());
  }

  private Future<Piece> file(TrialKeepers.ReadFile asked) {
    return shelf.onDisk(() -> {
      Path file = shelf.present(asked.trial(), asked.attempt()).visible(asked.path());
      FilePiece piece = FilePiece.read(file, asked.offset(), asked.limit());
      return new Piece(piece.bytes(), piece.next(), piece.size());
    });
  }

  /** A keeper's place, for the process that has it; Conflict when another one has. */
  private Future<Claim> seat(AttemptRef attempt, String name, String instance) {
    return seat(attempt, name)
        .compose(claim ->
            claim.instance().equals(instance)
                ? Future.succeededFuture(claim)
                : Future.failedFuture(
                    new Problem.Conflict("Another process runs this attempt.").toException()));
  }

  /** Who has a keeper's place; NotFound when nobody has. */
  private Future<Claim> seat(AttemptRef attempt, String name) {
    Seat seat = new Seat(attempt, KeptFiles.keeper(name));
    Claim known = presence.at(seat);
    if (known != null) {
      followers.heard(attempt, name);
      return Future.succeededFuture(known);
    }
    return shelf
        .onDisk(() -> {
          KeptFiles files = shelf.files(attempt);
          Claim claim = files.claimOf(name);
          if (claim == null) {
            throw new Problem.NotFound("No keeper " + name + " of this attempt has started.")
                .toException();
          }
          return new Seen(claim, files.end(name));
        })
        .map(found -> {
          if (found.end() == null) {
            presence.take(seat, found.claim());
          }
          followers.heard(attempt, name);
          return found.claim();
        });
  }
}
