package io.orrery.metrics.prometheus;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.workload.WorkloadKind;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;

/**
 * The gauges of the replicas of services: how many are wanted, and how many are ready. A service
 * that is gone has none at the next scrape.
 */
final class ServiceCensus {
  private final Bus bus;
  private final MultiGauge replicas;

  ServiceCensus(Bus bus, Meters meters) {
    this.bus = bus;
    this.replicas =
        meters.rows("service.replicas", "Replicas of each service that are wanted, and ready");
  }

  /** Brings the numbers up to date. */
  Future<Void> refresh() {
    return bus.request(Workloads.LIST, new Workloads.ListSome(null))
        .map(listed -> {
          List<Row<?>> rows =
              listed.items().stream()
                  .filter(each -> each.workload().kind() == WorkloadKind.SERVICE)
                  .flatMap(ServiceCensus::rows)
                  .toList();
          replicas.register(rows, true);
          return null;
        });
  }

  private static Stream<Row<?>> rows(Workload workload) {
    long ready = workload.replicas().stream().filter(replica -> replica.phase().isReady()).count();
    String name = workload.workload().name();
    return Stream.of(row(name, "wanted", workload.wanted()), row(name, "ready", ready));
  }

  private static Row<?> row(String service, String state, long number) {
    return Row.of(Tags.of("service", service, "state", state), number);
  }
}
