package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.gateway.http.BehindProxy;
import io.orrery.gateway.http.Network;
import java.util.ArrayList;
import java.util.List;

/** The keys for a server that a reverse proxy serves below a path. */
final class ProxyKeys {
  private static final int MOST_PROXIES = 100;

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

  private ProxyKeys() {}

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
  private static List<Network> networks(JsonNode value) {
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
