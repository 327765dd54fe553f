package io.orrery.studio.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Routes.AskTraffic;
import io.orrery.core.bus.contract.Routes.ServiceTraffic;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.AutoScale;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.deployment.Deployment;
import io.orrery.studio.scale.ScaleModel;
import io.orrery.studio.scale.ScaleModel.Decision;
import io.orrery.studio.scale.ScaleModel.Sample;
import io.orrery.studio.scale.ScalePolicy;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Samples the traffic of services, decides how many replicas each is to have, and says so. */
final class ScaleRound {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleRound.class);

  private final Bus bus;
  private final ZoneId zone;
  private final Map<ServiceName, ScaleModel> models = new HashMap<>();
  private final UsageReadings usages;

  /** The services that are scaled at this moment. */
  private final Set<ServiceName> scaling = new HashSet<>();

  /**
   * @param zone of timetables
   */
  ScaleRound(Bus bus, ZoneId zone) {
    this.bus = bus;
    this.zone = zone;
    this.usages = new UsageReadings(bus, models);
  }

  /** Runs a round; each service's failure is its own. */
  Future<Void> run(List<Deployment> deployments, Instant now) {
    Map<ServiceName, ScalePolicy> policies = new HashMap<>();
    deployments.forEach(deployment -> {
      ScalePolicy policy = deployment.scaling();
      if (policy != null) {
        policies.put(deployment.service(), policy);
      }
    });
    models.keySet().retainAll(policies.keySet());
    policies.forEach((service, policy) -> {
      ScaleModel known = models.get(service);
      if (known == null || !known.policy().equals(policy)) {
        models.put(service, new ScaleModel(policy, zone));
      }
    });
    if (models.isEmpty()) {
      return Future.succeededFuture();
    }
    usages.read(now);
    List<ServiceName> services = models.keySet().stream().sorted().toList();
    Future<Routes.Traffic> traffic =
        bus.request(
            Routes.TRAFFIC,
            new AskTraffic(List.of(), services.stream().map(ServiceName::value).toList(), false));
    return traffic.compose(counted ->
        workloads(services)
            .map(workloads -> {
              counted.services().forEach(service -> sample(service, workloads, now));
              return null;
            }));
  }

  private Future<Map<WorkloadRef, Workload>> workloads(List<ServiceName> services) {
    return bus.request(
            Workloads.LIST,
            new Workloads.ListSome(
                services.stream().map(ServiceStage.PRODUCTION::workload).toList()))
        .map(Workloads.Listed::byRef);
  }

  private void sample(ServiceTraffic traffic, Map<WorkloadRef, Workload> workloads, Instant now) {
    ServiceName service = new ServiceName(traffic.service());
    ScaleModel model = models.get(service);
    Workload workload = workloads.get(ServiceStage.PRODUCTION.workload(service));
    if (model == null || workload == null) {
      return;
    }
    model.add(new Sample(now, traffic.inFlight(), traffic.held(), traffic.answers()));
    int ready =
        Math.toIntExact(
            workload.replicas().stream().filter(replica -> replica.phase().isReady()).count());
    model
        .decide(workload.wanted(), ready)
        .ifPresent(decision -> scale(service, workload.wanted(), decision));
  }

  /**
   * Requests wait for an endpoint of some services: one that rests gets a replica now, and does not
   * wait for the next round.
   */
  void held(List<String> ids) {
    List<ServiceName> resting =
        ids.stream()
            .filter(ServiceName::valid)
            .map(ServiceName::new)
            .filter(models::containsKey)
            .filter(service -> !scaling.contains(service))
            .toList();
    if (resting.isEmpty()) {
      return;
    }
    workloads(resting)
        .onSuccess(workloads ->
            resting.forEach(service -> {
              Workload workload = workloads.get(ServiceStage.PRODUCTION.workload(service));
              if (workload != null && workload.wanted() == 0) {
                scale(service, 0, new Decision(1, "a request waits for it"));
              }
            }))
        .onFailure(failure ->
            LOG.warn(
                "could not look at services that requests wait for: {}", failure.getMessage()));
  }

  private void scale(ServiceName service, int before, Decision decision) {
    if (!scaling.add(service)) {
      return;
    }
    bus.request(
            Services.AUTOSCALE,
            new AutoScale(service, before, decision.replicas(), decision.reason()))
        .onFailure(
            failure -> LOG.debug("could not scale {}: {}", service, Problem.of(failure).detail()))
        .onComplete(done -> scaling.remove(service));
  }
}
