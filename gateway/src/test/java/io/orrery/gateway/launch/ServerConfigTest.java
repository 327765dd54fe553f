package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  @Test
  void theDefaults() {
    assertThat(ServerConfig.read(null, Map.of(), Map.of()))
        .isEqualTo(new ServerConfig("127.0.0.1", 8080, null));
  }

  @Test
  void everyKeySet() {
    String file = "http: {host: 10.0.0.1, port: 9000, advertiseUrl: 'https://tune.example/'}";

    assertThat(ServerConfig.read(file, Map.of(), Map.of()))
        .isEqualTo(new ServerConfig("10.0.0.1", 9000, "https://tune.example"));
  }

  @Test
  void loopbackIsToldFromTheRest() {
    assertThat(new ServerConfig("localhost", 0, null).loopback()).isTrue();
    assertThat(new ServerConfig("::1", 0, null).loopback()).isTrue();
    assertThat(new ServerConfig("0.0.0.0", 0, null).loopback()).isFalse();
  }
}
