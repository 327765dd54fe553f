package io.orrery.gateway.launch;

import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.route.LimitKeys;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the serving router of a server.
 *
 * @param port 0 for any free one
 * @param domain what every host ends with
 * @param file the table to begin with; null for the last one that was put
 * @param limits of what clients can make it hold
 */
record RouterConfig(
    String host, int port, String domain, @Nullable Path file, ClientLimits limits) {
  private static final String LIMITS = "router.limits";

  /** The keys of the limits, as they nest in the file. */
  static final List<ConfigKey<?>> LIMIT_KEYS =
      LimitKeys.ALL.stream()
          .map(key -> key.within(LIMITS))
          .collect(Collectors.toUnmodifiableList());

  /** The limits of a configuration. */
  private static ClientLimits limits(Config config) {
    return LimitKeys.read(new Within(config)::find);
  }

  /**
   * Reads it.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when the domain is none
   */
  static RouterConfig of(Config config) {
    String domain = config.get(ServerConfig.ROUTER_DOMAIN);
    if (!domain.matches("[a-z0-9_][-a-z0-9_]*(\\.[a-z0-9_][-a-z0-9_]*)*")) {
      throw new Problem.Refused(
              new Finding(
                  "/router/domain",
                  "%s is '%s': it must be %s"
                      .formatted(
                          ServerConfig.ROUTER_DOMAIN.name(),
                          domain,
                          ServerConfig.ROUTER_DOMAIN.bounds())))
          .toException();
    }
    String file = config.find(ServerConfig.ROUTER_CONFIG);
    return new RouterConfig(
        config.get(ServerConfig.ROUTER_HOST),
        config.get(ServerConfig.ROUTER_PORT),
        domain,
        file == null ? null : Path.of(file),
        limits(config));
  }

  /** The same with another table. */
  RouterConfig withFile(Path table) {
    return new RouterConfig(host, port, domain, table, limits);
  }

  private record Within(Config config) {
    <T> @Nullable T find(ConfigKey<T> key) {
      return config.find(key.within(LIMITS));
    }
  }
}
