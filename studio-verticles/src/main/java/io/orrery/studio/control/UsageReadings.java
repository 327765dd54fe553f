package io.orrery.studio.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Usages;
import io.orrery.core.bus.contract.Usages.AskOne;
import io.orrery.core.bus.contract.Usages.Scrape;
import io.orrery.core.bus.contract.Usages.WorkloadUsage;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.scale.ScaleModel;
import io.orrery.studio.scale.ScalePolicy;
import io.orrery.studio.scale.UsageRates;
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
 * Has it read every few seconds what the replicas of services use and tell, for those that scale by
 * it. A reading that takes long delays nothing but the next one.
 */
final class UsageReadings {
  private static final Logger LOG = LoggerFactory.getLogger(UsageReadings.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Bus bus;
  private final Map<ServiceName, ScaleModel> models;
  private final Map<ServiceName, UsageRates> rates = new HashMap<>();

  /** The faults that were told, by service. */
  private final Map<ServiceName, String> faults = new HashMap<>();

  private Instant nextAt = Instant.MIN;
  private boolean reading;

  /**
   * @param models those that are to be told, which change
   */
  UsageReadings(Bus bus, Map<ServiceName, ScaleModel> models) {
    this.bus = bus;
    this.models = models;
  }

  /** Begins a reading when it is time for one. */
  void read(Instant now) {
    if (reading || now.isBefore(nextAt)) {
      return;
    }
    Map<WorkloadRef, ServiceName> asked = new HashMap<>();
    List<AskOne> all = new ArrayList<>();
    models.forEach((service, model) -> {
      ScalePolicy policy = model.policy();
      ScalePolicy.MetricsEndpoint endpoint = policy.scrape();
      if (policy.isByUse() || endpoint != null) {
        WorkloadRef workload = ServiceStage.PRODUCTION.workload(service);
        asked.put(workload, service);
        all.add(
            new AskOne(
                workload,
                policy.isByUse(),
                endpoint == null
                    ? null
                    : new Scrape(endpoint.port(), endpoint.path(), policy.metrics())));
      }
    });
    rates.keySet().retainAll(asked.values());
    faults.keySet().retainAll(asked.values());
    if (all.isEmpty()) {
      return;
    }
    nextAt = now.plus(PAUSE);
    reading = true;
    bus.request(Usages.READ, new Usages.Ask(all))
        .onSuccess(
            read -> read.workloads().forEach(one -> take(asked.get(one.workload()), one, now)))
        .onFailure(failure ->
            LOG.warn("could not read what services use: {}", Problem.of(failure).detail()))
        .onComplete(done -> reading = false);
  }

  private void take(@Nullable ServiceName service, WorkloadUsage usage, Instant now) {
    if (service == null) {
      return;
    }
    ScaleModel model = models.get(service);
    if (model != null) {
      model.cluster(usage.autoscaled());
      model.read(
          now,
          rates.computeIfAbsent(service, added -> new UsageRates()).add(now, usage.replicas()));
    }
    String fault = usage.fault();
    if (fault == null) {
      faults.remove(service);
    } else if (!fault.equals(faults.put(service, fault))) {
      LOG.warn("could not read by what service {} scales: {}", service, fault);
    }
  }
}
