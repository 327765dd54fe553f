package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.Runtime;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Usages;
import io.orrery.core.bus.contract.Usages.Ask;
import io.orrery.core.bus.contract.Usages.AskOne;
import io.orrery.core.bus.contract.Usages.Read;
import io.orrery.core.bus.contract.Usages.ReplicaUsage;
import io.orrery.core.bus.contract.Usages.Scrape;
import io.orrery.core.bus.contract.Usages.WorkloadUsage;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.Readings;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what replicas use, at their runtime, and what they have to do, at their own endpoint for
 * Prometheus.
 */
final class WorkloadUsages {
  private static final int OK = 200;

  private final WorkloadCalls calls;
  private final Function<WorkloadRef, @Nullable OwnedWorkload> workloads;
  private final WorkloadPlacement placement;

  WorkloadUsages(
      WorkloadCalls calls,
      Function<WorkloadRef, @Nullable OwnedWorkload> workloads,
      WorkloadPlacement placement) {
    this.calls = calls;
    this.workloads = workloads;
    this.placement = placement;
  }

  Future<?> serve(Bus bus) {
    return bus.serve(Usages.READ, this::read);
  }

  private Future<Read> read(Ask asked) {
    List<Future<WorkloadUsage>> all = new ArrayList<>();
    for (AskOne one : asked.of()) {
      OwnedWorkload workload = workloads.apply(one.workload());
      if (workload != null) {
        all.add(read(one, workload));
      }
    }
    return Future.join(all).map(done -> new Read(all.stream().map(Future::result).toList()));
  }

  /** A part that was read, or the sentence that says why not. */
  private record Part(
      Map<ReplicaRef, Readings> readings, @Nullable Integer autoscaled, @Nullable String fault) {
    Part(Map<ReplicaRef, Readings> readings, @Nullable String fault) {
      this(readings, null, fault);
    }

    static Part failed(String fault) {
      return new Part(Map.of(), fault);
    }
  }

  private Future<WorkloadUsage> read(AskOne asked, OwnedWorkload workload) {
    List<Replica> ready =
        workload.view().replicas().stream().filter(each -> each.phase().isReady()).toList();
    Future<Part> used =
        asked.used() ? used(workload) : Future.succeededFuture(new Part(Map.of(), null));
    Future<Part> told =
        asked.scrape() == null
            ? Future.succeededFuture(new Part(Map.of(), null))
            : told(workload, ready, asked.scrape());
    return used.compose(use ->
        told.map(tale -> {
          Map<ReplicaRef, Readings> both = new TreeMap<>(use.readings());
          tale.readings().forEach((ref, readings) -> both.merge(ref, readings, Readings::with));
          List<ReplicaUsage> replicas = new ArrayList<>();
          both.forEach((ref, readings) -> replicas.add(new ReplicaUsage(ref, readings)));
          return new WorkloadUsage(
              asked.workload(),
              replicas,
              use.autoscaled(),
              use.fault() == null ? tale.fault() : use.fault());
        }));
  }

  private Future<Part> used(OwnedWorkload workload) {
    String cluster = workload.want().runtime();
    Runtime runtime = placement.find(cluster);
    return runtime == null
        ? Future.succeededFuture(Part.failed(placement.unknown(cluster)))
        : runtime
            .autoscaled(workload.want().workload())
            // Where its number cannot be asked for, our own readings decide.
            .otherwise(failure -> OptionalInt.empty())
            .compose(number ->
                number.isPresent()
                    ? Future.succeededFuture(new Part(Map.of(), number.getAsInt(), null))
                    : runtime
                        .used(workload.want().workload())
                        .map(readings -> new Part(readings, null)))
            .otherwise(failure -> Part.failed(Problem.of(failure).detail()));
  }

  private Future<Part> told(OwnedWorkload workload, List<Replica> ready, Scrape scrape) {
    List<Future<Part>> all = ready.stream().map(each -> told(workload, each, scrape)).toList();
    return Future.join(all)
        .map(done -> {
          Map<ReplicaRef, Readings> readings = new TreeMap<>();
          String fault = null;
          for (Future<Part> each : all) {
            readings.putAll(each.result().readings());
            fault = fault == null ? each.result().fault() : fault;
          }
          return new Part(readings, fault);
        });
  }

  private Future<Part> told(OwnedWorkload workload, Replica replica, Scrape scrape) {
    String endpoint = replica.endpoints().get(scrape.port());
    if (endpoint == null) {
      return Future.succeededFuture(
          Part.failed("%s does not listen at its port of metrics".formatted(replica.ref())));
    }
    return calls
        .get(workload, endpoint, scrape.path(), Usages.MOST_TOLD)
        .map(answer -> {
          if (answer.status() != OK) {
            return Part.failed(
                "%s answers GET %s with %d"
                    .formatted(replica.ref(), scrape.path(), answer.status()));
          }
          Readings readings = MetricText.read(answer.body(), scrape.metrics());
          List<String> missing =
              scrape.metrics().stream()
                  .filter(name ->
                      !readings.levels().containsKey(name) && !readings.totals().containsKey(name))
                  .toList();
          return new Part(
              Map.of(replica.ref(), readings),
              missing.isEmpty()
                  ? null
                  : "%s tells no metric %s at %s"
                      .formatted(replica.ref(), String.join(", ", missing), scrape.path()));
        })
        .otherwise(failure ->
            Part.failed(Objects.requireNonNullElse(failure.getMessage(), failure.toString())));
  }
}
