package io.orrery.gateway.launch;

import io.orrery.core.config.ConfigKey;
import io.orrery.gateway.http.Network;
import java.util.List;

/** The key for the places that models are downloaded from. */
final class ModelKeys {
  static final ConfigKey<List<Network>> NETWORKS =
      new ConfigKey<>(
          "models.networks",
          List.of(),
          "IP addresses and networks, such as [127.0.0.1, 10.0.0.0/8]",
          "The networks besides the Internet that models are downloaded from. Without it none: users"
              + " name addresses of models, and could reach with them what only the server should.",
          ProxyKeys::networks);

  private ModelKeys() {}
}
