package io.orrery.core.workload;

import io.orrery.core.project.ExternalAddress;
import java.util.List;

/**
 * The ports of a workload that are reached by an address and a number.
 *
 * @param addresses of the project or the cluster; empty for the address of the router
 */
public record Exposure(List<ExposedPort> ports, List<ExternalAddress> addresses) {
  /** No port. */
  public static final Exposure NONE = new Exposure(List.of(), List.of());

  public Exposure {
    ports = List.copyOf(ports);
    addresses = List.copyOf(addresses);
  }

  public boolean isNone() {
    return ports.isEmpty();
  }
}
