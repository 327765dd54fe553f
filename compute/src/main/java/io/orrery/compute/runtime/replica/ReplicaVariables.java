package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Makes the environment variables that every runtime gives to a program. */
public final class ReplicaVariables {
  private ReplicaVariables() {}

  /**
   * The variables of the specification, and those that a runtime adds: its ports and its name.
   *
   * @param ports the number on which to listen, by the name of the port; that of the specification
   *     when there is none
   */
  public static Map<String, String> of(
      ReplicaRef replica, WorkloadSpec spec, Map<String, Integer> ports) {
    Map<String, String> all = new HashMap<>(spec.environment());
    for (WorkloadPort port : spec.ports()) {
      all.put(
          "PORT_" + port.name().toUpperCase(Locale.ROOT).replace('-', '_'), number(port, ports));
    }
    if (!spec.ports().isEmpty()) {
      all.put("PORT", number(spec.ports().getFirst(), ports));
    }
    if (!spec.files().isEmpty()) {
      all.put(WorkloadSpec.FILES_VARIABLE, WorkloadSpec.FILES);
    }
    all.put("ORRERY_WORKLOAD", replica.workload().toString());
    all.put("ORRERY_REPLICA", replica.toString());
    return all;
  }

  private static String number(WorkloadPort port, Map<String, Integer> ports) {
    return Integer.toString(ports.getOrDefault(port.name(), port.number()));
  }
}
