package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  @Test
  void theDefaults() {
    assertThat(ServerConfig.read(null, Map.of(), Map.of()))
        .isEqualTo(new ServerConfig("127.0.0.1", 8080, null, Duration.ofMinutes(2)));
  }

  @Test
  void everyKeySet() {
    String file =
        """
        http: {host: 10.0.0.1, port: 9000, advertiseUrl: 'https://tune.example/'}
        tuner: {patience: 600}
        """;

    assertThat(ServerConfig.read(file, Map.of(), Map.of()))
        .isEqualTo(
            new ServerConfig("10.0.0.1", 9000, "https://tune.example", Duration.ofMinutes(10)));
  }

  @Test
  void loopbackIsToldFromTheRest() {
    assertThat(bound("localhost").loopback()).isTrue();
    assertThat(bound("::1").loopback()).isTrue();
    assertThat(bound("0.0.0.0").loopback()).isFalse();
  }

  private static ServerConfig bound(String host) {
    return new ServerConfig(host, 0, null, Duration.ofMinutes(2));
  }
}
