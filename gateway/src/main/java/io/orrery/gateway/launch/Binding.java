package io.orrery.gateway.launch;

import io.netty.util.NetUtil;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The address of the edge, and the host names that it accepts. Beyond loopback these are the bound
 * address (all addresses of this machine when all are bound) and the advertised host. Any other
 * name may be one that an attacker points at this server.
 *
 * @param host how this machine itself reaches the port
 */
record Binding(EdgeOptions options, String host, boolean loopback) {
  /**
   * Checks that a port which others can reach asks them for a token.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with what to write, when it does not
   */
  static Binding of(ServerConfig config, Path home) throws SocketException {
    InetAddress address = address(config.host());
    if (!address.isLoopbackAddress() && config.tokens().isEmpty() && !config.users()) {
      throw new Problem.Refused(refusal(config.host(), home), List.of()).toException();
    }
    Set<String> names = new HashSet<>(EdgeOptions.LOOPBACK);
    names.add(literal(config.host()));
    if (address.isAnyLocalAddress()) {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .forEach(own -> names.add(literal(own.getHostAddress())));
    }
    String advertised = config.advertiseUrl();
    String origin = null;
    if (advertised != null) {
      URI url = URI.create(advertised);
      names.add(url.getAuthority().replaceAll(":[0-9]+$", ""));
      origin = url.getScheme() + "://" + url.getAuthority();
    }
    return new Binding(
        EdgeOptions.at(config.host(), config.port(), names)
            .withAdvertisedOrigin(origin)
            .withProxy(config.proxy())
            .withTls(config.tls()),
        address.isAnyLocalAddress() ? "127.0.0.1" : literal(config.host()),
        address.isLoopbackAddress());
  }

  /** Where clients of this machine reach a listening edge, without a trailing slash. */
  String localUrl(EdgeVerticle edge) {
    return "http://" + (options.tls() == null ? host : "127.0.0.1") + ":" + edge.localPort();
  }

  /** Where others do, as far as we know. */
  String publicUrl(EdgeVerticle edge) {
    return (options.tls() == null ? "http" : "https")
        + "://"
        + host
        + ":"
        + edge.actualPort()
        + options.proxy().basePath();
  }

  /** What the owner should know before others come. */
  Optional<String> warning() {
    return loopback || options.tls() != null
        ? Optional.empty()
        : Optional.of(
            "tokens and results cross the network in the clear; set http.tls, or listen at"
                + " 127.0.0.1 behind a proxy that speaks TLS");
  }

  private static String refusal(String host, Path home) {
    return "http.host is "
        + host
        + ": any client that can reach that address could run commands here, so it needs tokens."
        + " 'orrery token create NAME' makes one and prints the lines for "
        + home.resolve("orrery.yml")
        + ", such as\n\n"
        + "  auth:\n"
        + "    tokens:\n"
        + "      - {name: me, role: admin, sha256: <64 hexadecimal digits>}\n\n"
        + "Without tokens, listen at 127.0.0.1.";
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new Problem.Refused(
              new Finding("/http/host", "http.host is " + host + ": this machine has no such name"))
          .toException();
    }
  }

  /** As it stands in an address and in a Host header: IPv6 in its shortest form, in brackets. */
  private static String literal(String host) {
    return host.indexOf(':') < 0
        ? host
        : "[" + NetUtil.toAddressString(InetAddress.ofLiteral(host.replaceAll("%.*", ""))) + "]";
  }
}
