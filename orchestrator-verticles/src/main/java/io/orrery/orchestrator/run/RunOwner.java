package io.orrery.orchestrator.run;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.keeper.OwnedLeases;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.OutputPiece;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.PipelineRuns.RunPage;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.RunChecks;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.lease.Lease;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepWork;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.bundle.CodeUses;
import io.orrery.orchestrator.git.GitCheckouts;
import io.orrery.orchestrator.run.RunEvent.Command;
import io.orrery.orchestrator.run.RunTable.Attempts;
import io.orrery.orchestrator.run.RunTable.Stored;
import io.orrery.orchestrator.status.Statuses;
import io.orrery.orchestrator.submission.Submissions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that owns all runs, one server at a time by a lease. Runs that are not over are in
 * memory; all others are rows.
 */
public final class RunOwner extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(RunOwner.class);

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final Platforms platforms;
  private final BundleFolder bundles;
  private final Path home;
  private final Map<String, String> variables;
  private final Lease lease;
  private final OwnedLeases tenures;
  private final StepServices services;
  private final RunTable table;
  private final RunArtifacts artifacts;
  private final CodeOfRuns code;
  private final Map<RunId, Future<Open>> open = new HashMap<>();
  private StepRunner.@Nullable Surroundings surroundings;
  private @Nullable RunSweep sweep;

  /** A run in memory, and its addresses on the bus. */
  private record Open(OwnedRun run, List<Subscription> addresses) {}

  /**
   * @param store which fails writes when another server owns the runs
   * @param bundles the code that steps start in a copy of
   * @param home in which artifacts and the directories of steps lie
   * @param variables that each step gets
   * @param lease by which this server owns the runs
   * @param tenures told of the runs that are under way here
   * @param checkouts fetches the code of new runs
   */
  public RunOwner(
      Bus bus,
      Store store,
      Clock clock,
      Platforms platforms,
      BundleFolder bundles,
      Path home,
      Map<String, String> variables,
      Lease lease,
      OwnedLeases tenures,
      StepServices services,
      ArtifactSettings artifacts,
      GitCheckouts checkouts) {
    this.code = new CodeOfRuns(checkouts, bus);
    this.lease = lease;
    this.tenures = tenures;
    this.services = services;
    this.bus = bus;
    this.bundles = bundles;
    this.store = store;
    this.clock = clock;
    this.platforms = platforms;
    this.home = home;
    this.variables = Map.copyOf(variables);
    this.table = new RunTable(store);
    this.artifacts = RunArtifacts.of(artifacts, home, clock);
  }

  @Override
  public Future<?> start() {
    surroundings =
        new StepRunner.Surroundings(
            vertx,
            bus,
            clock,
            platforms,
            bundles,
            table,
            artifacts,
            home,
            variables,
            lease::held,
            lease.epoch(),
            services,
            new ArtifactCharges(bus, table, lease.epoch()));
    return RunTable.MIGRATIONS
        .apply(store)
        .compose(current -> CodeUses.MIGRATIONS.apply(store))
        .compose(current -> AlertRows.MIGRATIONS.apply(store))
        .compose(current -> serve())
        .compose(served -> table.moving())
        .onSuccess(moving -> {
          moving.forEach(this::takeUp);
          Set<RunId> taken = Set.copyOf(moving);
          RunQuota.sweep(bus, id -> taken.contains(id) || open.containsKey(id));
          sweep = new RunSweep(vertx, clock, table, artifacts, home, open::containsKey);
          sweep.start();
          Objects.requireNonNull(surroundings).charges().count();
        });
  }

  private void takeUp(RunId id) {
    opened(id)
        .onFailure(
            failure -> LOG.warn("could not take up run {}: {}", id, Problem.of(failure).detail()));
  }

  private Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(PipelineRuns.CREATE, this::create),
            bus.serve(PipelineRuns.DELETE, this::delete),
            bus.serve(PipelineRuns.LIST, this::list),
            bus.serve(PipelineRuns.GET, asked -> view(asked.id())),
            RunReads.serve(bus, table),
            bus.serve(PipelineRuns.COMMAND, asked -> told(asked.id(), Command.of(asked))),
            bus.serve(RunChecks.COMMAND, asked -> checked(asked.id(), Command.of(asked))),
            bus.serve(PipelineRuns.DECIDE, asked -> told(asked.id(), Command.of(asked))),
            bus.serve(RunChecks.DECIDE, asked -> checked(asked.id(), Command.of(asked))),
            bus.serve(RunChecks.CREATE, this::checkCreation),
            bus.serve(OwnedLeases.FIND_RUN, this::tenure),
            bus.serve(PipelineRuns.READ_LOG, this::readLog),
            bus.serve(PipelineRuns.READ_OUTPUT, this::readOutput),
            services.serve(bus),
            bus.serve(
                PipelineRuns.PLATFORMS,
                asked ->
                    Future.succeededFuture(
                        new PipelineRuns.Platforms(
                            platforms.thatRunSteps(),
                            platforms.stepClusters(),
                            platforms.mountable())))));
  }

  // ---- runs in memory ------------------------------------------------------------------------

  /** The run in memory, read from its rows when it is not there yet. */
  private Future<Open> opened(RunId id) {
    Future<Open> present = open.get(id);
    if (present != null) {
      return present;
    }
    Future<Open> opening = table.load(id).compose(this::open);
    open.put(id, opening);
    return opening.onFailure(failure -> open.remove(id, opening));
  }

  private Future<Open> open(Stored stored) {
    RunId id = stored.spec().id();
    StepRunner.Surroundings with = Objects.requireNonNull(surroundings);
    OwnedRun run =
        new OwnedRun(
            stored,
            with,
            () -> bus.publish(PipelineRuns.CHANGED, new PipelineRuns.Changed(id)),
            () -> letGo(id));
    ExperimentId owner = id.owner();
    return Future.all(
            run.runner().quota.open(),
            bus.serve(
                Statuses.CHANGED.of(owner),
                news -> {
                  run.hear(news.event());
                  return Future.succeededFuture(new Statuses.Noted());
                }),
            bus.serve(
                Submissions.RETURNED.of(owner),
                returned -> {
                  run.runner().returned(returned);
                  return Future.succeededFuture(new Submissions.Done());
                }),
            bus.serve(
                Submissions.REFUSED.of(owner),
                refused -> {
                  AttemptRef attempt = refused.attempt();
                  run.tell(
                      new RunEvent.Refused(
                          StepSubmission.step(attempt), attempt.number(), refused.reason()));
                  return Future.succeededFuture(new Submissions.Done());
                }))
        .map(served -> {
          tenures.begin(owner, lease);
          if (!stored.state().status().isOver()) {
            run.takeOver();
            run.tell(new RunEvent.Opened());
          }
          return new Open(run, served.list());
        });
  }

  private void letGo(RunId id) {
    Future<Open> gone = open.remove(id);
    if (gone != null) {
      gone.onSuccess(each -> {
        each.run().close();
        tenures.end(id.owner(), lease);
        each.addresses().forEach(Subscription::cancel);
      });
    }
  }

  /** Of a run that is over nothing is taken any more. */
  private Future<OwnedLeases.Found> tenure(OwnedLeases.Find asked) {
    RunId id = RunId.ofOwner(asked.experiment());
    return table
        .load(id)
        .compose(stored -> {
          if (stored.state().status().isOver()) {
            throw new Problem.NotFound("Run %s is over.".formatted(id)).toException();
          }
          return opened(id);
        })
        .map(found -> new OwnedLeases.Found(lease.epoch()));
  }

  // ---- requests ------------------------------------------------------------------------------

  private Future<Done> create(PipelineRuns.Create asked) {
    RunSpec spec = asked.spec();
    RunCreation.check(spec);
    return table
        .find(spec.id())
        .compose(found ->
            found.isPresent()
                ? Future.succeededFuture()
                : code.fetched(asked)
                    .compose(whole -> new RunCreation(table).store(whole, clock.now()))
                    .onSuccess(stored -> {
                      bus.publish(PipelineRuns.CHANGED, new PipelineRuns.Changed(spec.id()));
                      takeUp(spec.id());
                    }))
        .map(new Done());
  }

  private Future<Done> checkCreation(PipelineRuns.Create asked) {
    RunCreation.check(asked.spec());
    return new RunCreation(table).states(asked, clock.now()).map(new Done());
  }

  private Future<Done> delete(PipelineRuns.Delete asked) {
    return new RunDeletion(Objects.requireNonNull(surroundings))
        .delete(asked.id())
        .onSuccess(gone -> letGo(asked.id()))
        .map(new Done());
  }

  private Future<RunPage> list(PipelineRuns.ListRuns asked) {
    return table
        .page(asked)
        .map(rows -> {
          boolean more = rows.size() > asked.limit();
          List<Run> items = more ? rows.subList(0, asked.limit()) : rows;
          return new RunPage(items, more ? RunCursor.of(items.getLast()).toString() : null);
        });
  }

  private Future<RunView> view(RunId id) {
    return table
        .get(id)
        .compose(run ->
            table
                .steps(id)
                .compose(steps ->
                    AlertRows.of(store, id.value()).map(told -> new RunView(run, steps, told))));
  }

  private Future<RunView> checked(RunId id, Command command) {
    return opened(id)
        .compose(known -> known.run().check(command))
        .onComplete(checked -> letGoWhenOver(id))
        .compose(checked -> view(id));
  }

  private Future<RunView> told(RunId id, Command command) {
    return opened(id)
        .compose(known -> known.run().command(command).onFailure(refused -> letGoWhenOver(id)))
        .compose(stored -> view(id));
  }

  /** A run that was read for a command that it could not take, or for a check. */
  private void letGoWhenOver(RunId id) {
    Future<Open> known = open.get(id);
    if (known != null) {
      known.onSuccess(each -> {
        if (each.run().isOver()) {
          letGo(id);
        }
      });
    }
  }

  private Future<LogPiece> readLog(PipelineRuns.ReadLog asked) {
    return table
        .attempts(asked.id(), asked.step())
        .compose(found -> {
          Attempts step = found.orElseThrow(() -> missing(asked.id(), asked.step()));
          Integer wanted = asked.attempt();
          int attempt = wanted == null ? step.last() : wanted;
          if (attempt < 1 || attempt > step.last()) {
            throw new Problem.NotFound(
                    step.last() == 0
                        ? "Step %s of run %s has not started.".formatted(asked.step(), asked.id())
                        : "Step %s of run %s has the attempts 1 to %d."
                            .formatted(asked.step(), asked.id(), step.last()))
                .toException();
          }
          if (List.of(StepWork.SERVER, StepWork.PEOPLE).contains(step.platform())) {
            throw new Problem.NotFound(
                    "Step %s of run %s is done by the %s and has no log."
                        .formatted(asked.step(), asked.id(), step.platform()))
                .toException();
          }
          return platforms
              .service(step.platform())
              .compose(service ->
                  service.readLog(
                      StepSubmission.ref(asked.id(), step.number(), attempt),
                      asked.stream(),
                      asked.offset(),
                      asked.limit()));
        });
  }

  private static RuntimeException missing(RunId run, String step) {
    return new Problem.NotFound("Run %s has no step %s.".formatted(run, step)).toException();
  }

  private Future<OutputPiece> readOutput(PipelineRuns.ReadOutput asked) {
    int limit = Math.clamp(asked.limit(), 1, PipelineRuns.MOST_PIECE);
    long offset = Math.max(0, asked.offset());
    return table
        .output(asked.id(), asked.step(), asked.name())
        .compose(found -> {
          StepOutput output =
              found.orElseThrow(() ->
                  new Problem.NotFound(
                          "Run %s has no output %s of a step %s."
                              .formatted(asked.id(), asked.name(), asked.step()))
                      .toException());
          return vertx
              .executeBlocking(() -> artifacts.read(output, offset, limit), false)
              .map(bytes -> new OutputPiece(output, bytes));
        });
  }

  @Override
  public Future<?> stop() {
    if (sweep != null) {
      sweep.close();
    }
    List.copyOf(open.keySet()).forEach(this::letGo);
    artifacts.close();
    return Future.succeededFuture();
  }
}
