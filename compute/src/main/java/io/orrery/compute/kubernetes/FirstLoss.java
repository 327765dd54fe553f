package io.orrery.compute.kubernetes;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record of what went wrong first with the pods of an attempt: one failed by itself, or the
 * cluster took one away. Only the first counts: a controller deletes what still runs after a
 * failure, and that was not taken away. Safe for use by several threads.
 */
final class FirstLoss {
  private final Set<String> living = new HashSet<>();
  private boolean failed;
  private @Nullable String taken;

  /**
   * Looks at the pods as a watch has just shown them, while their job has not been deleted from
   * here.
   *
   * @param pods by name
   * @param over whether the job is decided or gone, so that pods go because of that
   */
  synchronized void observe(Map<String, PodView> pods, boolean over) {
    if (failed || taken != null) {
      return;
    }
    for (Map.Entry<String, PodView> each : pods.entrySet()) {
      PodView pod = each.getValue();
      Integer code = pod.exitCode();
      if (pod.lost()) {
        taken = pod.trouble();
      } else if (pod.leaving() && !pod.over() && !over) {
        taken = deleted(each.getKey());
      } else if (pod.over() && !pod.leaving() && code != null && code != 0) {
        failed = true;
      }
      if (failed || taken != null) {
        return;
      }
    }
    for (String name : living) {
      if (!pods.containsKey(name) && !over) {
        taken = deleted(name);
        return;
      }
    }
    living.clear();
    pods.forEach((name, pod) -> {
      if (!pod.over()) {
        living.add(name);
      }
    });
  }

  private static String deleted(String pod) {
    return "its pod " + pod + " was deleted from the cluster, not by this server";
  }

  /** Why a pod is gone that the cluster took away; null when none was, or another failed before. */
  synchronized @Nullable String taken() {
    return taken;
  }
}
