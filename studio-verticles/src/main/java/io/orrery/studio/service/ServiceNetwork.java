package io.orrery.studio.service;

import io.orrery.core.project.ExternalAddress;
import io.orrery.core.route.PortRange;
import java.util.List;
import java.util.Map;

/**
 * The numbers and addresses under which services are reached besides their hosts.
 *
 * @param ports the numbers that are given
 * @param addresses by cluster, for projects without {@code SERVICE_EXTERNAL_IP}
 */
public record ServiceNetwork(PortRange ports, Map<String, List<ExternalAddress>> addresses) {
  public static final ServiceNetwork STANDARD = new ServiceNetwork(PortRange.STANDARD, Map.of());

  public ServiceNetwork {
    addresses = Map.copyOf(addresses);
  }
}
