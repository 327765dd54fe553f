package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadSpec;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Makes the environment variables that every runtime gives to a program. */
public final class ReplicaVariables {
  /** The address on which programs listen that share the network of the machine. */
  public static final String LOOPBACK = "127.0.0.1";

  /** The address on which programs listen that have a network of their own. */
  public static final String ALL_ADDRESSES = "0.0.0.0";

  private ReplicaVariables() {}

  /**
   * The variables of the specification, and those that a runtime adds: where to listen, and its
   * name.
   *
   * @param ports the number on which to listen, by the name of the port; that of the specification
   *     when there is none
   * @param listen the address on which to listen
   */
  public static Map<String, String> of(
      ReplicaRef replica, WorkloadSpec spec, Map<String, Integer> ports, String listen) {
    Map<String, String> all = new HashMap<>(spec.environment());
    for (WorkloadPort port : spec.ports()) {
      all.put(
          "PORT_" + port.name().toUpperCase(Locale.ROOT).replace('-', '_'), number(port, ports));
    }
    if (!spec.ports().isEmpty()) {
      all.put("PORT", number(spec.ports().getFirst(), ports));
      all.put("ORRERY_LISTEN", listen);
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
