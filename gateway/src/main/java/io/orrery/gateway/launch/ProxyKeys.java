package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.auth.ProxyHeader;
import io.orrery.gateway.http.BehindProxy;
import io.orrery.gateway.http.Network;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys for a server that a reverse proxy serves below a path. */
final class ProxyKeys {
  private static final int MOST_PROXIES = 100;
  private static final Set<String> RESERVED =
      Set.of("authorization", "cookie", "host", "origin", "content-length", "transfer-encoding");

  static final ConfigKey<String> BASE_PATH =
      new ConfigKey<>(
          "http.basePath",
          null,
          "a path such as /tune, of at most " + BehindProxy.MOST_CHARACTERS + " characters",
          "The path below which a reverse proxy serves the server; requests may carry it or not.",
          ProxyKeys::path);

  static final ConfigKey<List<Network>> TRUSTED =
      new ConfigKey<>(
          "http.trustedProxies",
          List.of(),
          "IP addresses and networks, such as [127.0.0.1, 10.0.0.0/8]",
          "The proxies whose X-Forwarded-Prefix is believed; none when it is not set.",
          ProxyKeys::networks);

  static final ConfigKey<String> USER_HEADER =
      new ConfigKey<>(
          "auth.trustedProxy.header",
          null,
          "the name of a header, such as X-Forwarded-User",
          "The header in which a proxy before the server names the user whom it has authenticated;"
              + " the proxy must take it out of what clients send.",
          ProxyKeys::header);

  static final ConfigKey<List<Network>> USER_FROM =
      new ConfigKey<>(
          "auth.trustedProxy.from",
          List.of(),
          "IP addresses and networks, such as [10.0.0.7, fd00::/64]",
          "The addresses from which that header is believed. Programs that people run on this"
              + " machine have its addresses: these are believed only where they are listed one by"
              + " one.",
          ProxyKeys::networks);

  private ProxyKeys() {}

  /** The header of a proxy that signs people in; null when there is none. */
  static @Nullable ProxyHeader user(Config config) {
    String header = config.find(USER_HEADER);
    List<Network> from = config.get(USER_FROM);
    if (header == null && from.isEmpty()) {
      return null;
    }
    if (header == null || from.isEmpty()) {
      throw new Problem.Refused(
              new Finding("/auth/trustedProxy", "auth.trustedProxy needs both: header and from"))
          .toException();
    }
    return new ProxyHeader(header, from, ProxyKeys::isOwn);
  }

  /** One that cannot be looked up is held for our own, which is believed less. */
  private static boolean isOwn(String address) {
    try {
      return NetworkInterface.getByInetAddress(InetAddress.ofLiteral(address)) != null;
    } catch (IllegalArgumentException | SocketException e) {
      return true;
    }
  }

  /** One that means nothing to the server otherwise. */
  private static String header(JsonNode value) {
    String name = value.asText("").strip();
    if (!value.isTextual()
        || !name.matches("[A-Za-z0-9-]{1,100}")
        || RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException();
    }
    return name;
  }

  static BehindProxy read(Config config) {
    String path = config.find(BASE_PATH);
    return new BehindProxy(path == null ? "" : path, config.get(TRUSTED));
  }

  private static String path(JsonNode value) {
    String path = value.asText("").strip().replaceAll("/+$", "");
    if (!value.isTextual() || !(path.isEmpty() || BehindProxy.isPath(path))) {
      throw new IllegalArgumentException();
    }
    return path;
  }

  /** A list, or a text with commas between. */
  static List<Network> networks(JsonNode value) {
    List<String> words = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(word -> words.add(word.asText("")));
    } else if (value.isTextual()) {
      words.addAll(List.of(value.textValue().replaceAll("[\\[\\]]", "").split(",")));
    }
    if (words.isEmpty() || words.size() > MOST_PROXIES) {
      throw new IllegalArgumentException();
    }
    return words.stream().map(word -> Network.parse(word.strip())).toList();
  }
}
