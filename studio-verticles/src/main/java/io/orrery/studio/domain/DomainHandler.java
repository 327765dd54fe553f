package io.orrery.studio.domain;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.Domains.Domain;
import io.orrery.core.bus.contract.Domains.PutDomain;
import io.orrery.core.bus.contract.Domains.Steer;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.WriteConflict;
import io.orrery.core.text.Nearest;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.domain.DomainTable.DomainRow;
import io.orrery.studio.rollout.DomainState;
import io.orrery.studio.rollout.Rollout;
import io.orrery.studio.rollout.RolloutSteering;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Answers questions about domains, divides their requests, and steers their rollouts. */
public final class DomainHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final DomainTable table;

  public DomainHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.changes = changes;
    this.table = new DomainTable(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Domains.LIST, this::list),
            bus.serve(Domains.GET, asked -> get(asked.host()).map(DomainRow::domain)),
            bus.serve(Domains.PUT, asked -> WriteConflict.retried(() -> put(asked))),
            bus.serve(Domains.STEER, asked -> WriteConflict.retried(() -> steer(asked)))));
  }

  private Future<Domains.DomainList> list(Domains.ListDomains asked) {
    return table
        .all()
        .map(rows ->
            new Domains.DomainList(
                rows.stream()
                    .filter(row -> asked.among() == null || asked.among().contains(row.project()))
                    .map(DomainRow::domain)
                    .toList()));
  }

  private Future<DomainRow> get(String host) {
    return table
        .find(host)
        .map(found ->
            found.orElseThrow(() ->
                new Problem.NotFound(
                        "There is no domain %s: a service is deployed with it as its host first."
                            .formatted(host))
                    .toException()));
  }

  private Future<Domain> put(PutDomain asked) {
    return get(asked.host())
        .compose(row -> {
          check(asked, row);
          RevisionCheck.require("Domain " + row.host(), asked.ifRevision(), row.revision());
          if (row.state().rollout().isActive()) {
            throw new Problem.Conflict(
                    "A rollout is under way at %s (%s): promote or abort it first."
                        .formatted(row.host(), row.state().rollout().reason()))
                .toException();
          }
          List<ServiceShare> shadows =
              asked.shadows() == null ? row.state().shadows() : asked.shadows();
          DomainState next = row.state().divided(asked.backends(), shadows, changes.now());
          return asked.dryRun()
              ? Future.succeededFuture(row.with(next, changes.now()).domain())
              : commit(asked.by(), "split", row, next, DomainState.words(asked.backends()));
        });
  }

  /** Checks shares against the services of the domain. */
  private static void check(PutDomain asked, DomainRow row) {
    List<Finding> findings = new ArrayList<>();
    check("/backends", asked.backends(), row, findings);
    int sum = asked.backends().stream().mapToInt(ServiceShare::percent).sum();
    if (sum != 100) {
      findings.add(
          new Finding("/backends", "the percents are 100 together, not %d".formatted(sum)));
    }
    if (asked.shadows() != null) {
      check("/shadows", asked.shadows(), row, findings);
    }
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
  }

  private static void check(
      String pointer, List<ServiceShare> shares, DomainRow row, List<Finding> findings) {
    Set<ServiceName> seen = new HashSet<>();
    Set<ServiceName> members = row.state().members().keySet();
    List<String> names = members.stream().map(ServiceName::value).sorted().toList();
    for (int i = 0; i < shares.size(); i++) {
      ServiceName service = shares.get(i).service();
      String place = pointer + "/" + i + "/service";
      if (!members.contains(service)) {
        findings.add(
            new Finding(
                place,
                "%s is not deployed with the host %s%s"
                    .formatted(service, row.host(), Nearest.hint(service.value(), names))));
      } else if (!seen.add(service)) {
        findings.add(new Finding(place, service + " is here twice"));
      }
    }
  }

  private Future<Domain> steer(Steer asked) {
    return get(asked.host())
        .compose(row -> {
          Rollout next =
              RolloutSteering.steer(
                  row.state().rollout(), asked.action(), asked.by().name(), changes.now());
          String action = RolloutSteering.verb(asked.action());
          return commit(
              asked.by(), action, row, row.state().with(next), DomainState.words(next.shares()));
        });
  }

  private Future<Domain> commit(
      Actor by, String action, DomainRow row, DomainState next, String detail) {
    DomainRow changed = row.with(next, changes.now());
    return changes
        .commitObject(
            by,
            new What(action, "domain", row.host(), row.project(), detail),
            List.of(DomainTable.put(changed)))
        .onSuccess(committed -> bus.publish(Domains.CHANGED, new Domains.Changed()))
        .map(committed -> changed.domain());
  }
}
