package io.orrery.gateway.launch;

import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.PortRange;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.route.LimitKeys;
import io.orrery.router.route.TcpListen;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the serving router of a server.
 *
 * @param port 0 for any free one
 * @param domain what every host ends with
 * @param file the table to begin with; null for the last one that was put
 * @param limits of what clients can make it hold
 * @param tcp where it listens for services that are reached by a port
 * @param advertiseUrl where clients reach services; null for this router
 */
record RouterConfig(
    String host,
    int port,
    String domain,
    @Nullable Path file,
    ClientLimits limits,
    TcpListen tcp,
    @Nullable URI advertiseUrl) {
  private static final String LIMITS = "router.limits";
  private static final Pattern ADVERTISED =
      Pattern.compile("(?<origin>https?://(?<host>[^/:?#@]+)(:[1-9][0-9]{0,4})?)/?");

  static final ConfigKey<String> ADVERTISE_URL =
      ConfigKey.text(
          "router.advertiseUrl",
          null,
          "an http or https URL whose host is router.domain, without a path",
          "Where clients reach services, when that is not this router: routers that follow, or what"
              + " stands before them. Addresses of services have its scheme and port.");

  private static final ConfigKey<String> TCP_HOST =
      ConfigKey.text(
          "router.tcp.host",
          "127.0.0.1",
          "an address of this machine",
          "The address at which the serving router takes connections for services that are reached"
              + " by a port.");

  private static final ConfigKey<PortRange> TCP_PORTS =
      new ConfigKey<>(
          "router.tcp.ports",
          PortRange.STANDARD,
          PortRange.FORM,
          "The ports that services may have; with expose in its document a service is given some.",
          value -> PortRange.parse(value.asText("")));

  private static final List<ConfigKey<?>> LIMIT_KEYS =
      LimitKeys.ALL.stream()
          .map(key -> key.within(LIMITS))
          .collect(Collectors.toUnmodifiableList());

  /** The keys that other routers have as well, as they nest in the file. */
  static final List<ConfigKey<?>> KEYS =
      Stream.concat(LIMIT_KEYS.stream(), Stream.of(TCP_HOST, TCP_PORTS))
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
        limits(config),
        new TcpListen(config.get(TCP_HOST), config.get(TCP_PORTS)),
        advertised(config.find(ADVERTISE_URL), domain));
  }

  private static @Nullable URI advertised(@Nullable String url, String domain) {
    if (url == null) {
      return null;
    }
    Matcher parts = ADVERTISED.matcher(url);
    if (!parts.matches() || !parts.group("host").equals(domain)) {
      throw new Problem.Refused(
              new Finding(
                  "/router/advertiseUrl",
                  "%s is '%s': it must be %s, such as https://%s"
                      .formatted(ADVERTISE_URL.name(), url, ADVERTISE_URL.bounds(), domain)))
          .toException();
    }
    return URI.create(parts.group("origin"));
  }

  /** The same with another table. */
  RouterConfig withFile(Path table) {
    return new RouterConfig(host, port, domain, table, limits, tcp, advertiseUrl);
  }

  private record Within(Config config) {
    <T> @Nullable T find(ConfigKey<T> key) {
      return config.find(key.within(LIMITS));
    }
  }
}
