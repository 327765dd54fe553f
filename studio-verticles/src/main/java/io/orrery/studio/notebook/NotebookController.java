package io.orrery.studio.notebook;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Called;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.notebook.NotebookIde;
import io.orrery.core.notebook.NotebookStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.notebook.IdleModel.Step;
import io.orrery.studio.notebook.NotebookTable.NotebookRow;
import io.orrery.studio.notebook.NotebookWork.Work;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that watches notebooks, on one server at a time: it makes up for orders that were
 * missed, notes changes of state, asks programs for their use, warns of those that are not used,
 * and stops them. One is stopped only after its program has said that it is not in use, and none of
 * its processes works.
 */
public final class NotebookController extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(NotebookController.class);
  private static final Duration ROUND = Duration.ofSeconds(1);

  /** The longest pause between two questions to a program. */
  private static final Duration ASK = Duration.ofSeconds(30);

  /** The parts of a limit, of which one is the pause for short limits. */
  private static final int PARTS = 12;

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final NotebookTable table;
  private final NotebookOrders orders;
  private final NotebookWork work;
  private final Map<WorkloadRef, Instant> asked = new HashMap<>();
  private Clock.@Nullable Timer tick;
  private @Nullable Subscription accounts;
  private Future<?> endingPasses = Future.succeededFuture();
  private boolean accountsChanged;
  private boolean closed;

  /**
   * @param store which fails writes when another server watches the notebooks
   */
  public NotebookController(Bus bus, Store store, Clock clock) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.table = new NotebookTable(store);
    this.orders = new NotebookOrders(bus, table);
    this.work = new NotebookWork(bus);
  }

  @Override
  public Future<?> start() {
    accounts = bus.listen(People.CHANGED, changed -> endPasses());
    return NotebookTable.MIGRATIONS.apply(store).onSuccess(applied -> round());
  }

  /**
   * Ends the passes of accounts that were disabled. It does not wait for a round, in which programs
   * are asked that may not answer.
   */
  private void endPasses() {
    accountsChanged = true;
    if (!endingPasses.isComplete()) {
      return;
    }
    accountsChanged = false;
    endingPasses =
        table
            .all()
            .compose(orders::endPasses)
            .onFailure(
                failure -> LOG.warn("could not end passes yet: {}", Problem.of(failure).detail()))
            .onComplete(done -> {
              if (accountsChanged && !closed) {
                vertx.runOnContext(again -> endPasses());
              }
            });
  }

  private void round() {
    orders
        .known()
        .compose(known -> table.all().compose(rows -> round(known, rows)))
        .onFailure(
            failure -> LOG.warn("could not watch the notebooks: {}", Problem.of(failure).detail()))
        .onComplete(done -> {
          if (!closed) {
            tick = clock.after(ROUND, this::round);
          }
        });
  }

  private Future<?> round(Map<WorkloadRef, Workload> known, List<NotebookRow> rows) {
    asked.keySet().retainAll(known.keySet());
    work.retain(known.keySet());
    return orders
        .repair(known, rows)
        .compose(done -> Future.join(rows.stream().map(row -> look(row, known)).toList()));
  }

  /** Looks at a notebook; what is wrong with one holds up no other. */
  private Future<Void> look(NotebookRow row, Map<WorkloadRef, Workload> known) {
    return Future.<Void>succeededFuture()
        .compose(begun -> {
          NotebookDocument document =
              NotebookDocumentReader.read(row.name(), row.owner(), row.document()).document();
          return look(row, document, known);
        })
        .recover(failure -> {
          LOG.warn("could not watch notebook {}: {}", row.name(), Problem.of(failure).detail());
          return Future.succeededFuture();
        });
  }

  private Future<Void> look(
      NotebookRow row, NotebookDocument document, Map<WorkloadRef, Workload> known) {
    WorkloadRef ref = NotebookFreezer.workload(row.name());
    IdleModel model = new IdleModel(document.idle());
    Instant now = clock.now();
    NotebookState state =
        NotebookState.of(row.wanted(), row.generation(), known.get(ref), row.usedAt(), model, now);
    return note(row, state, now)
        .compose(noted -> {
          boolean answers =
              state.status() == NotebookStatus.RUNNING || state.status() == NotebookStatus.IDLE;
          if (!answers) {
            asked.remove(ref);
            return Future.succeededFuture();
          }
          Instant last = asked.get(ref);
          if (last != null && now.isBefore(last.plus(pause(model)))) {
            return Future.succeededFuture();
          }
          asked.put(ref, now);
          return ask(document.ide(), ref)
              .map(activity -> activity.with(known.get(ref)))
              .compose(activity ->
                  work.look(row.name(), document.ide(), now)
                      .compose(working -> judge(row, activity, working, model)));
        });
  }

  private static Duration pause(IdleModel model) {
    Duration part = model.limit().dividedBy(PARTS);
    return part.compareTo(ASK) < 0 ? part : ASK;
  }

  /** Notes each step of the life between the status that was seen last and the present one. */
  private Future<Void> note(NotebookRow row, NotebookState state, Instant now) {
    if (state.status() == row.seen()) {
      return Future.succeededFuture();
    }
    List<Statement> statements = new ArrayList<>();
    List<NotebookStatus> way = NotebookLife.way(row.seen(), state.status());
    for (NotebookStatus step : way) {
      statements.addAll(
          NotebookTable.event(
              row.name(), now, step.name(), step == state.status() ? state.reason() : null));
    }
    statements.add(NotebookTable.see(row, state.status(), now));
    return table.write(statements);
  }

  // ---- use -----------------------------------------------------------------------------------

  private Future<NotebookActivity> ask(NotebookIde ide, WorkloadRef ref) {
    List<String> answers = new ArrayList<>();
    Future<Void> all = Future.succeededFuture();
    for (String path : NotebookActivity.paths(ide)) {
      all =
          all.compose(before -> bus.request(Workloads.CALL, new Workloads.Call(ref, path)))
              .map((Called called) -> {
                // A Jupyter without terminals has no such path.
                answers.add(called.status() == 200 ? called.body() : "");
                if (called.status() != 200 && answers.size() == 1) {
                  throw new IllegalStateException(path + " answered " + called.status());
                }
                return null;
              });
    }
    return all.map(done -> NotebookActivity.read(ide, answers));
  }

  private Future<Void> judge(
      NotebookRow row, NotebookActivity activity, Work working, IdleModel model) {
    Instant now = clock.now();
    boolean inUse = activity.inUse() || working == Work.SOME;
    Instant told = inUse ? now : activity.last().orElse(row.usedAt());
    Instant used = told.isAfter(row.usedAt()) && !told.isAfter(now) ? told : row.usedAt();
    NotebookRow current = row.used(used, row.warnedAt());
    // The next look knows its work; a server that was away for long must not stop it before.
    Step step = working == Work.NOT_YET_KNOWN ? Step.KEEP : model.step(used, row.warnedAt(), now);
    return switch (step) {
      case KEEP ->
          used.equals(row.usedAt())
              ? Future.succeededFuture()
              : table.write(List.of(NotebookTable.use(current)));
      case WARN -> {
        List<Statement> statements = new ArrayList<>();
        // It is renewed meanwhile: then there is no warning.
        statements.add(NotebookTable.use(row.used(used, now)).expecting(1));
        statements.addAll(
            NotebookTable.event(
                row.name(),
                now,
                "WARNED",
                "it has not been used since %s: it will be stopped at %s unless it is used or renewed"
                    .formatted(used, model.expiresAt(used))));
        yield table.write(statements);
      }
      case STOP -> {
        NotebookRow stopped = row.stopped();
        List<Statement> statements = new ArrayList<>();
        statements.add(NotebookTable.unused(row));
        statements.add(NotebookTable.update(stopped, row));
        statements.addAll(
            NotebookTable.event(row.name(), now, "EXPIRED", "it has not been used since " + used));
        yield table.write(statements).compose(stored -> orders.tell(stopped));
      }
    };
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (tick != null) {
      tick.cancel();
    }
    return accounts == null ? Future.succeededFuture() : accounts.cancel();
  }
}
