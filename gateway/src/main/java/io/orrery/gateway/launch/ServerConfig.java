package io.orrery.gateway.launch;

import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.config.ConfigReader;
import io.orrery.core.sql.PostgresAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server's configuration.
 *
 * @param host the address that is bound
 * @param port 0 for any free one
 * @param advertiseUrl what trials call back, without a trailing slash; null for the bound address
 * @param store the database of experiments and trials; null for a file in the home
 */
record ServerConfig(
    String host, int port, @Nullable String advertiseUrl, @Nullable PostgresAddress store) {
  static final ConfigKey<String> HOST =
      ConfigKey.text(
          "http.host",
          "127.0.0.1",
          "an address of this machine",
          "The address that API, UI and trial channels listen on.");

  static final ConfigKey<Integer> PORT =
      ConfigKey.integer("http.port", 8080, 0, 65535, "Its port; 0 takes any that is free.");

  static final ConfigKey<String> ADVERTISE_URL =
      ConfigKey.text(
          "http.advertiseUrl",
          null,
          "an http or https URL",
          "What trials on other machines call back; the bound address when it is not set.");

  static final ConfigKey<String> STORE_URL =
      ConfigKey.text(
          "store.url",
          null,
          "a URL: postgresql://user@host:5432/database",
          "The PostgreSQL database of experiments and trials; a file in the home when it is not"
              + " set.");

  static final List<ConfigKey<?>> KEYS = List.of(HOST, PORT, ADVERTISE_URL, STORE_URL);

  /** Reads it; see {@link ConfigReader#read}. */
  static ServerConfig read(
      @Nullable String file, Map<String, String> environment, Map<String, String> flags) {
    Config config = ConfigReader.read(KEYS, file, environment, flags);
    String advertise = config.find(ADVERTISE_URL);
    String store = config.find(STORE_URL);
    return new ServerConfig(
        config.get(HOST),
        config.get(PORT),
        advertise == null ? null : advertise.replaceAll("/+$", ""),
        store == null ? null : PostgresAddress.parse(store, environment));
  }

  /** Whether nobody outside this machine can reach the address. */
  boolean loopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
