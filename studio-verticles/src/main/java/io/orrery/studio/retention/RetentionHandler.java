package io.orrery.studio.retention;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.Preview;
import io.orrery.core.bus.contract.Retentions.PutRule;
import io.orrery.core.bus.contract.Retentions.Rule;
import io.orrery.core.bus.contract.Retentions.Rules;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers questions about the retention of old objects. */
public final class RetentionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionHandler.class);

  private final Bus bus;
  private final AuditedChanges changes;
  private final RetentionTable table;
  private final RetentionPass pass;
  private Future<Void> running = Future.succeededFuture();

  public RetentionHandler(
      Bus bus, Store store, Clock clock, AuditedChanges changes, Map<Kind, OldObjects> kinds) {
    this.bus = bus;
    this.changes = changes;
    this.table = new RetentionTable(store);
    this.pass = new RetentionPass(kinds, table, clock);
  }

  /** Brings the tables of rules and passes up to date. */
  public static Future<Void> migrate(Store store) {
    return RetentionTable.MIGRATIONS.apply(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        bus.serve(Retentions.LIST, asked -> table.all().map(Rules::new)),
        bus.serve(Retentions.PUT, this::put),
        bus.serve(Retentions.PREVIEW, this::preview),
        bus.serve(Retentions.CHECK_PUT, this::checkPut),
        bus.serve(Retentions.RUN, this::run),
        bus.serve(Retentions.CHECK_RUN, asked -> startable().map(Rules::new)));
  }

  private static void check(PutRule wanted) {
    Kind kind = wanted.kind();
    Integer days = wanted.keepDays();
    if (days != null && (days < kind.leastDays() || days > Retentions.MOST_DAYS)) {
      throw refused(kind);
    }
  }

  private Future<Rule> checkPut(PutRule wanted) {
    check(wanted);
    return table
        .all()
        .map(rules -> {
          Rule rule = of(wanted.kind(), rules);
          return new Rule(
              rule.kind(), wanted.keepDays(), rule.changedBy(), rule.changedAt(), rule.last());
        });
  }

  private Future<Rule> put(PutRule wanted) {
    check(wanted);
    Kind kind = wanted.kind();
    Integer days = wanted.keepDays();
    return changes
        .commitObject(
            wanted.by(),
            new What(
                "change",
                "retention",
                kind.word(),
                null,
                days == null ? "kept for ever" : "kept for %d days".formatted(days)),
            List.of(RetentionTable.put(kind, days, wanted.by().name(), changes.now())))
        .compose(stored -> table.all())
        .map(rules -> of(kind, rules));
  }

  private static RuntimeException refused(Kind kind) {
    return new Problem.Refused(
            new Finding(
                "/keepDays",
                "%s are kept for %d to %d days, or null for ever"
                    .formatted(kind.word(), kind.leastDays(), Retentions.MOST_DAYS)))
        .toException();
  }

  private static Rule of(Kind kind, List<Rule> rules) {
    return rules.stream().filter(rule -> rule.kind() == kind).findFirst().orElseThrow();
  }

  private Future<Preview> preview(Retentions.AskPreview asked) {
    Kind kind = asked.kind();
    Integer days = asked.keepDays();
    return table
        .all()
        .map(rules -> kind == null ? rules : List.of(of(kind, rules)))
        .compose(rules -> pass.preview(rules.stream().map(rule -> with(rule, days)).toList()));
  }

  private static Rule with(Rule rule, @Nullable Integer days) {
    return days == null
        ? rule
        : new Rule(rule.kind(), days, rule.changedBy(), rule.changedAt(), rule.last());
  }

  /** The rules of a pass that may begin now. */
  private Future<List<Rule>> startable() {
    return table
        .all()
        .map(rules -> {
          if (!running.isComplete()) {
            throw new Problem.Conflict("Old objects are being removed already.").toException();
          }
          return rules;
        });
  }

  /** Begins a pass, after the one that runs on this server; it may take long. */
  private Future<Rules> run(Retentions.RunNow asked) {
    return startable()
        .map(rules -> {
          running =
              pass.run(
                  asked.by(),
                  rules.stream().filter(rule -> asked.kinds().contains(rule.kind())).toList());
          running.onFailure(failure ->
              LOG.warn("could not note what was removed: {}", Problem.of(failure).detail()));
          return new Rules(rules);
        });
  }
}
