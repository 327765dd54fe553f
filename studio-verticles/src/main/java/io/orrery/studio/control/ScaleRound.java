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
import io.orrery.core.route.GenerationRouteName;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.deployment.Deployment;
import io.orrery.studio.scale.ScaleModel;
import io.orrery.studio.scale.ScaleModel.Decision;
import io.orrery.studio.scale.ScaleModel.Sample;
import io.orrery.studio.scale.ScalePolicy;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
    return workloads(services)
        .compose(workloads ->
            bus.request(
                    Routes.TRAFFIC, new AskTraffic(List.of(), entries(services, workloads), false))
                .map(counted -> {
                  Map<String, ServiceTraffic> traffic =
                      counted.services().stream()
                          .collect(Collectors.toMap(ServiceTraffic::service, each -> each));
                  services.forEach(
                      service -> sample(service, workloads.get(workload(service)), traffic, now));
                  return null;
                }));
  }

  /** The services in the route table, and the generations of them that get a share. */
  private static List<String> entries(
      List<ServiceName> services, Map<WorkloadRef, Workload> workloads) {
    List<String> entries = new ArrayList<>(services.stream().map(ServiceName::value).toList());
    for (ServiceName service : services) {
      Workload workload = workloads.get(workload(service));
      if (workload != null && isUpgraded(workload)) {
        entries.add(GenerationRouteName.of(service.value(), workload.generation()));
      }
    }
    return entries;
  }

  private static WorkloadRef workload(ServiceName service) {
    return ServiceStage.PRODUCTION.workload(service);
  }

  private static boolean isUpgraded(Workload workload) {
    Upgrade upgrade = workload.upgrade();
    return upgrade != null && upgrade.percent() != null;
  }

  private Future<Map<WorkloadRef, Workload>> workloads(List<ServiceName> services) {
    return bus.request(
            Workloads.LIST,
            new Workloads.ListSome(services.stream().map(ScaleRound::workload).toList()))
        .map(Workloads.Listed::byRef);
  }

  /** While a generation takes over, the requests are those of both, and none rests. */
  private void sample(
      ServiceName service,
      @Nullable Workload workload,
      Map<String, ServiceTraffic> traffic,
      Instant now) {
    ScaleModel model = models.get(service);
    ServiceTraffic own = traffic.get(service.value());
    if (model == null || workload == null || own == null) {
      return;
    }
    ServiceTraffic candidate =
        traffic.getOrDefault(
            GenerationRouteName.of(service.value(), workload.generation()),
            ServiceTraffic.none(service.value()));
    model.add(
        new Sample(
            now,
            own.inFlight() + candidate.inFlight(),
            own.held() + candidate.held(),
            own.answers() + candidate.answers()));
    boolean upgraded = isUpgraded(workload);
    int ready =
        Math.toIntExact(
            workload.replicas().stream()
                .filter(replica -> replica.phase().isReady())
                .filter(replica -> !upgraded || replica.ref().generation() == workload.generation())
                .count());
    model
        .decide(workload.wanted(), ready)
        .filter(decision -> !upgraded || decision.replicas() > 0)
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
              Workload workload = workloads.get(workload(service));
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
