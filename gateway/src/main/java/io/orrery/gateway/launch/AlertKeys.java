package io.orrery.gateway.launch;

import io.orrery.core.config.ConfigKey;
import io.orrery.gateway.http.Network;
import java.net.InetAddress;
import java.util.List;

/** The keys for alerts of pipelines. */
final class AlertKeys {
  static final ConfigKey<List<Network>> NETWORKS =
      new ConfigKey<>(
          "alerts.networks",
          List.of(),
          "IP addresses and networks, such as [10.0.0.7, 192.168.0.0/16]",
          "The networks besides the Internet that alerts of pipelines may be sent to. Without it"
              + " none may: users could reach with them what only the server should.",
          ProxyKeys::networks);

  private AlertKeys() {}

  /** Whether an address lies in one of some networks. */
  static boolean contain(List<Network> networks, InetAddress address) {
    return networks.stream().anyMatch(network -> network.contains(address.getHostAddress()));
  }
}
