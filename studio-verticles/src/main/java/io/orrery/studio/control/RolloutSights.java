package io.orrery.studio.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Routes.AskTraffic;
import io.orrery.core.bus.contract.Routes.ServiceTraffic;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.studio.rollout.Rollout;
import io.orrery.studio.rollout.RolloutModel.Sight;
import io.orrery.studio.rollout.Window;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the candidates of rollouts: whether they can answer, and what they and those before them
 * have answered since the present step began.
 */
final class RolloutSights {
  /** The sight of a rollout that is decided by time alone. */
  static final Sight UNSEEN = new Sight(true, null, Window.EMPTY, Window.EMPTY);

  private final Bus bus;
  private final Map<String, Baseline> baselines = new HashMap<>();

  RolloutSights(Bus bus) {
    this.bus = bus;
  }

  /**
   * The answers of each version at the beginning of a step.
   *
   * @param since when the step began
   */
  private record Baseline(Instant since, int step, Map<String, Window> windows) {}

  /**
   * Looks at a candidate.
   *
   * @param key of the rollout
   * @param workload of the candidate; null when it has not been started
   * @param entries of the route table whose requests the candidate takes over
   * @param candidate whether a version of these is the candidate
   * @param before whether it is one of those that are replaced
   */
  Future<Sight> of(
      String key,
      Rollout rollout,
      @Nullable Workload workload,
      List<String> entries,
      Predicate<String> candidate,
      Predicate<String> before) {
    return bus.request(Routes.TRAFFIC, new AskTraffic(List.of(), entries, true))
        .map(counted -> {
          Map<String, Window> windows =
              counted.services().stream()
                  .map(ServiceTraffic::versions)
                  .flatMap(List::stream)
                  .collect(
                      Collectors.toMap(Routes.VersionAnswers::version, Window::of, Window::plus));
          Baseline baseline = baselines.get(key);
          if (baseline == null
              || baseline.step() != rollout.step()
              || !baseline.since().equals(rollout.since())) {
            baseline = new Baseline(rollout.since(), rollout.step(), windows);
            baselines.put(key, baseline);
          }
          return new Sight(
              workload != null && canAnswer(workload, rollout.step()),
              workload == null ? "it has not been started yet" : workload.reason(),
              window(windows, baseline, candidate),
              window(windows, baseline, before));
        });
  }

  /** Forgets the rollouts that are no more. */
  void keep(Set<String> keys) {
    baselines.keySet().retainAll(keys);
  }

  private static Window window(
      Map<String, Window> windows, Baseline baseline, Predicate<String> of) {
    Window sum = Window.EMPTY;
    for (Map.Entry<String, Window> each : windows.entrySet()) {
      if (of.test(each.getKey())) {
        Window before = baseline.windows().getOrDefault(each.getKey(), Window.EMPTY);
        sum = sum.plus(each.getValue().since(before));
      }
    }
    return sum;
  }

  /** Before its first step, all of a candidate are ready; one that gets another replica goes on. */
  static boolean canAnswer(Workload workload, int step) {
    return switch (workload.status()) {
      // One that rests is begun by the first request.
      case READY, STOPPED -> true;
      case STARTING -> step > 0 && hasReadyReplica(workload);
      case DEGRADED -> hasReadyReplica(workload);
      case STOPPING, FAILED -> false;
    };
  }

  private static boolean hasReadyReplica(Workload workload) {
    return workload.replicas().stream()
        .anyMatch(replica ->
            replica.phase().isReady() && replica.ref().generation() == workload.generation());
  }
}
