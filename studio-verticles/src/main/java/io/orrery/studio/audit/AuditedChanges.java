package io.orrery.studio.audit;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Audits.Entry;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits changes with their audit entry in one transaction.
 *
 * <p>A change of accounts or projects moves the access revision as well, which every server
 * follows. It is moved first: its row is locked until the commit, so that two servers do not decide
 * upon the same state.
 */
public final class AuditedChanges {
  private static final Statement NEXT =
      Statement.of("update access_revision set revision = revision + 1 where id = 1");

  private final Store store;
  private final Bus bus;
  private final Clock clock;
  private final AuditTable audit;

  public AuditedChanges(Store store, Bus bus, Clock clock, AuditTable audit) {
    this.store = store;
    this.bus = bus;
    this.clock = clock;
    this.audit = audit;
  }

  /**
   * The object and verb of an audit entry.
   *
   * @param project of the object; null when it belongs to none
   * @param detail what changed, in words; empty when the action says it
   */
  public record What(
      String action, String kind, String name, @Nullable ProjectName project, String detail) {
    /** A change of something that belongs to no project. */
    public What(String action, String kind, String name) {
      this(action, kind, name, null, "");
    }
  }

  public Instant now() {
    return clock.now();
  }

  /**
   * Commits a change of accounts or projects; completes when it is durable and announced to all who
   * decide upon access.
   */
  public Future<Void> commit(Actor by, What what, Statement... statements) {
    return commit(by, what, List.of(statements));
  }

  /** The same for a list. */
  public Future<Void> commit(Actor by, What what, List<Statement> statements) {
    List<Statement> all = new ArrayList<>();
    all.add(NEXT);
    all.addAll(statements);
    return commitObject(by, what, all)
        .compose(written -> revision())
        .onSuccess(now -> bus.publish(People.CHANGED, now))
        .mapEmpty();
  }

  /**
   * Commits a change that access does not depend on; its statements themselves fail when another
   * change came first.
   */
  public Future<Void> commitObject(Actor by, What what, List<Statement> statements) {
    List<Statement> all = new ArrayList<>(statements);
    all.add(entry(by, what, "done", what.detail()));
    return store.write(all);
  }

  /** Adds an entry of a change that was noted before it began, and then failed. */
  public Future<Void> noteFailure(Actor by, What what, Problem problem) {
    return store.write(List.of(entry(by, what, type(problem), problem.detail())));
  }

  private Statement entry(Actor by, What what, String result, String detail) {
    return audit.insert(
        new Entry(
            clock.now(),
            by.name(),
            by.from(),
            what.action(),
            what.kind(),
            what.name(),
            what.project(),
            result,
            detail));
  }

  private static String type(Problem problem) {
    return switch (problem) {
      case Problem.Refused refused -> "refused";
      case Problem.NotFound missing -> "not-found";
      case Problem.Conflict conflict -> "conflict";
      case Problem.Unauthorized unknown -> "unauthorized";
      case Problem.Forbidden forbidden -> "forbidden";
      case Problem.TooLarge large -> "too-large";
      case Problem.Busy busy -> "busy";
      case Problem.Unavailable away -> "unavailable";
      case Problem.Broken broken -> "broken";
    };
  }

  /** The number of the last change. */
  public Future<People.Revision> revision() {
    return store
        .read(
            Statement.of("select revision from access_revision where id = 1"),
            row -> new People.Revision(row.integer("revision")))
        .map(List::getFirst);
  }
}
