package io.orrery.studio.quota;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.KeyedTurns;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.HoldAnswer;
import io.orrery.core.bus.contract.Quotas.MemberUsage;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.quota.QuotaTable.Holding;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Charges objects to the quotas of their projects. Servers that share a store may do so at once:
 * each decision is committed only if nothing of its project has changed since it was read, and is
 * made again otherwise. In one process, decisions on a project are made one after the other.
 */
public final class QuotaHandler {
  /** A decision is made again so often when other servers were faster. */
  private static final int TRIES = 50;

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final QuotaTable table;
  private final Map<QuotaResource, Long> limits;
  private final KeyedTurns<String> turns = new KeyedTurns<>();

  /**
   * @param limits of all projects together; what is missing has none. Servers that share a store
   *     have the same
   */
  public QuotaHandler(Bus bus, Store store, Clock clock, Map<QuotaResource, Long> limits) {
    this.limits = Map.copyOf(limits);
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.table = new QuotaTable(store);
  }

  /** Brings the tables up to date. */
  public static Future<Void> migrate(Store store) {
    return QuotaTable.MIGRATIONS.apply(store);
  }

  /** The statement that belongs to each change of a project's quota. */
  public static Statement changed(ProjectName project) {
    return QuotaTable.moved(project);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Quotas.HOLD, this::hold),
            bus.serve(Quotas.FOUND, this::found),
            bus.serve(Quotas.RELEASE, this::release),
            bus.serve(Quotas.HELD, asked -> table.ofKind(asked.kind()).map(Quotas.AllHeld::new)),
            bus.serve(
                Quotas.CHECK,
                asked ->
                    table
                        .ledger(asked.project())
                        .map(ledger ->
                            new Quotas.Checked(
                                QuotaDecision.neverFits(
                                    asked.project(),
                                    ledger.limits(),
                                    limits,
                                    asked.what(),
                                    asked.unit())))),
            bus.serve(Quotas.USAGE, this::usage),
            bus.serve(Quotas.SHARES, asked -> shares())));
  }

  /** Charges an object, after what was asked before for its project. */
  public Future<HoldAnswer> hold(Hold hold) {
    return inTurn(hold, () -> hold(hold, false, 1));
  }

  /** Charges an object for what is there already. */
  public Future<HoldAnswer> found(Hold hold) {
    return inTurn(hold, () -> hold(hold, true, 1));
  }

  private Future<HoldAnswer> inTurn(Hold hold, Supplier<Future<HoldAnswer>> what) {
    if (hold.wanted() < 0) {
      throw new IllegalArgumentException(hold.toString());
    }
    String key = limits.isEmpty() ? hold.project().value() : QuotaTable.ALL;
    return turns.run(key, what);
  }

  /**
   * The statements that charge an object which is made now and cannot wait, for the commit that
   * makes it. That commit is a Conflict when another charge of the project was faster.
   *
   * @param what it is, for the reason
   * @return fails with TooLarge when it does not fit
   */
  public Future<List<Statement>> charge(Hold hold, String what) {
    return Future.all(table.ledger(hold.project()), revisionOfAll())
        .compose(read -> {
          QuotaTable.Ledger ledger = read.resultAt(0);
          return requireRoom(hold, ledger, what)
              .map(fits -> taking(hold, ledger, read.<Long>resultAt(1)));
        });
  }

  /**
   * The statements that change the bytes of storage that an object is charged, for the commit that
   * adds files to it or drops some. That commit is a Conflict when another charge of the project
   * was faster.
   *
   * @param by reads the bytes, less than 0 for those that are given back, which needs no room; it
   *     is asked after the state of the ledger, so that what another commit changes meanwhile is a
   *     Conflict and not an old difference
   * @param what it is, for the reason
   * @return fails with TooLarge when it does not fit
   */
  public Future<List<Statement>> growStorage(
      QuotaObject object,
      ProjectName project,
      String user,
      Supplier<Future<Long>> by,
      String what) {
    // Asked for what is added alone: the reason counts what the object has as in use.
    QuotaObject next = new QuotaObject(object.kind(), object.name(), "next");
    return Future.all(table.ledger(project), revisionOfAll())
        .compose(read -> {
          QuotaTable.Ledger ledger = read.resultAt(0);
          return by.get()
              .compose(bytes ->
                  requireRoom(storage(next, project, user, bytes), ledger, what)
                      .compose(fits -> table.storage(object))
                      .map(before ->
                          taking(
                              storage(object, project, user, before + bytes),
                              ledger,
                              read.<Long>resultAt(1))));
        });
  }

  private static Hold storage(QuotaObject object, ProjectName project, String user, long bytes) {
    long charged = Math.max(0, bytes);
    return new Hold(
        object, project, user, 1, Amounts.of(QuotaResource.STORAGE, charged), charged == 0 ? 0 : 1);
  }

  /** Completes when all that is wanted fits; fails with TooLarge. */
  private Future<Void> requireRoom(Hold hold, QuotaTable.Ledger ledger, String what) {
    if (hold.wanted() == 0) {
      return Future.succeededFuture();
    }
    return Future.all(table.used(hold.project(), hold.object()), everywhere(hold))
        .map(used -> {
          QuotaDecision decision =
              QuotaDecision.of(
                  ledger.limits(), used.resultAt(0), limits, used.resultAt(1), hold, 0);
          if (decision.units() < hold.wanted()) {
            throw new Problem.TooLarge("%s does not fit: %s".formatted(what, decision.reason()))
                .toException();
          }
          return null;
        });
  }

  private List<Statement> taking(Hold hold, QuotaTable.Ledger ledger, long ofAll) {
    List<Statement> statements = new ArrayList<>();
    if (!limits.isEmpty()) {
      statements.addAll(QuotaTable.nextOfAll(ofAll));
    }
    statements.addAll(QuotaTable.hold(hold, hold.wanted(), ledger.revision(), clock.now()));
    return statements;
  }

  /** The statements that give back what an object holds, for the commit that ends it. */
  public static List<Statement> giveBack(ProjectName project, String kind, String name) {
    List<Statement> statements = new ArrayList<>(List.of(QuotaTable.moved(project)));
    statements.addAll(
        QuotaTable.release(new Quotas.Release(kind, name, Long.MAX_VALUE, List.of())));
    return statements;
  }

  /**
   * The same for several objects.
   *
   * @param names a query of their names, with one mark
   */
  public static List<Statement> giveBackAll(
      ProjectName project, String kind, String names, String value) {
    return List.of(
        QuotaTable.moved(project),
        Statement.of(
            "delete from quota_holdings where kind = ? and name in (" + names + ")", kind, value));
  }

  /** The statement that forgets all that is held in a project that is deleted. */
  public static Statement forget(ProjectName project) {
    return Statement.of("delete from quota_holdings where project = ?", project.value());
  }

  /** Of no meaning when there are no limits. */
  private Future<Long> revisionOfAll() {
    return limits.isEmpty() ? Future.succeededFuture(0L) : table.revisionOfAll();
  }

  private Future<Quotas.Shares> shares() {
    return (limits.isEmpty()
            ? Future.succeededFuture(List.<Quotas.ProjectUsage>of())
            : table.byProject(null))
        .map(projects -> new Quotas.Shares(limits, projects));
  }

  private Future<Amounts> everywhere(Hold hold) {
    return limits.isEmpty()
        ? Future.succeededFuture(Amounts.NONE)
        : table
            .byProject(hold.object())
            .map(all ->
                all.stream().map(Quotas.ProjectUsage::used).reduce(Amounts.NONE, Amounts::plus));
  }

  private Future<HoldAnswer> hold(Hold hold, boolean found, int attempt) {
    return Future.all(table.ledger(hold.project()), revisionOfAll())
        .compose(read -> {
          QuotaTable.Ledger ledger = read.resultAt(0);
          long ofAll = read.<Long>resultAt(1);
          return table
              .holding(hold.object())
              .map(holding -> holding.orElse(new Holding(0, 0)))
              .compose(now -> decide(hold, found, ledger, ofAll, now));
        })
        .recover(failure ->
            attempt < TRIES && failure instanceof OtherServerFirst
                ? hold(hold, found, attempt + 1)
                : Future.failedFuture(failure));
  }

  private Future<HoldAnswer> decide(
      Hold hold, boolean found, QuotaTable.Ledger ledger, long ofAll, Holding now) {
    if (now.epoch() > hold.epoch()) {
      throw new Problem.Conflict(
              "%s is held under the epoch %d now.".formatted(hold.object(), now.epoch()))
          .toException();
    }
    // What is given back needs no room, and what is there has it.
    if (found || hold.wanted() <= now.units()) {
      return take(hold, HoldAnswer.all(hold.wanted()), ledger, ofAll, now);
    }
    return Future.all(table.used(hold.project(), hold.object()), everywhere(hold))
        .compose(used -> {
          QuotaDecision decision =
              QuotaDecision.of(
                  ledger.limits(), used.resultAt(0), limits, used.resultAt(1), hold, now.units());
          HoldAnswer held = new HoldAnswer(decision.units(), decision.reason(), decision.scope());
          return take(hold, held, ledger, ofAll, now);
        });
  }

  private Future<HoldAnswer> take(
      Hold hold, HoldAnswer held, QuotaTable.Ledger ledger, long ofAll, Holding now) {
    boolean same = held.units() == now.units() && (now.epoch() == hold.epoch() || now.units() == 0);
    return same ? Future.succeededFuture(held) : commit(hold, held, now, ledger.revision(), ofAll);
  }

  /** Says that what a decision was made upon has changed. */
  private static final class OtherServerFirst extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherServerFirst(Throwable cause) {
      super(cause);
    }
  }

  private Future<HoldAnswer> commit(
      Hold hold, HoldAnswer held, Holding before, long revision, long ofAll) {
    List<Statement> statements = new ArrayList<>();
    if (!limits.isEmpty() && held.units() > before.units()) {
      statements.addAll(QuotaTable.nextOfAll(ofAll));
    }
    statements.addAll(QuotaTable.hold(hold, held.units(), revision, clock.now()));
    return store
        .write(statements)
        .map(held)
        .recover(failure ->
            Future.failedFuture(
                Problem.of(failure) instanceof Problem.Conflict
                    ? new OtherServerFirst(failure)
                    : failure))
        .onSuccess(written -> {
          if (held.units() < before.units()) {
            bus.publish(Quotas.FREED, new Quotas.Freed(hold.project()));
          }
        });
  }

  private Future<Done> release(Quotas.Release asked) {
    return table
        .projects(asked.kind(), asked.name())
        .compose(projects -> {
          if (projects.isEmpty()) {
            return Future.succeededFuture(new Done());
          }
          List<Statement> statements = new ArrayList<>();
          projects.forEach(project -> statements.add(QuotaTable.moved(project)));
          statements.addAll(QuotaTable.release(asked));
          return store
              .write(statements)
              .onSuccess(written ->
                  projects.forEach(project -> bus.publish(Quotas.FREED, new Quotas.Freed(project))))
              .map(new Done());
        });
  }

  private Future<Quotas.Usage> usage(Quotas.AskUsage asked) {
    return table
        .ledger(asked.project())
        .compose(ledger ->
            table
                .used(asked.project(), null)
                .compose(used ->
                    table
                        .objects(asked.project())
                        .map(objects -> {
                          Amounts sum = Amounts.NONE;
                          List<MemberUsage> members = new ArrayList<>();
                          for (Map.Entry<String, Amounts> each : used.entrySet()) {
                            sum = sum.plus(each.getValue());
                            if (!each.getValue().isNone()) {
                              members.add(new MemberUsage(each.getKey(), each.getValue()));
                            }
                          }
                          return new Quotas.Usage(ledger.limits(), sum, members, objects);
                        })));
  }
}
