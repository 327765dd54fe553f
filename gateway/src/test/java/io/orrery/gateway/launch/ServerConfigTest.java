package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerConfigTest {
  @Test
  void theDefaults() {
    assertThat(ServerConfig.read(null, Map.of(), Map.of()))
        .isEqualTo(new ServerConfig("127.0.0.1", 8080, null, null));
  }

  @Test
  void everyKeySet() {
    String file = "http: {host: 10.0.0.1, port: 9000, advertiseUrl: 'https://tune.example/'}";

    assertThat(ServerConfig.read(file, Map.of(), Map.of()))
        .isEqualTo(new ServerConfig("10.0.0.1", 9000, "https://tune.example", null));
  }

  @Test
  void theStoreIsADatabaseWhosePasswordIsNotShown() {
    ServerConfig config =
        ServerConfig.read(
            "store: {url: 'postgresql://me:secret@db:5433/trials'}", Map.of(), Map.of());

    assertThat(config.store()).hasToString("postgresql://me@db:5433/trials");
    assertThat(config.toString()).doesNotContain("secret");
  }

  @Test
  void aStoreThatIsNoneIsRefusedWithoutItsPassword() {
    assertThatThrownBy(() ->
            ServerConfig.read(
                null, Map.of("ORRERY_STORE_URL", "mysql://me:secret@db/trials"), Map.of()))
        .hasMessageContaining("store.url")
        .hasMessageNotContaining("secret");
  }

  @Test
  void loopbackIsToldFromTheRest() {
    assertThat(new ServerConfig("localhost", 0, null, null).loopback()).isTrue();
    assertThat(new ServerConfig("::1", 0, null, null).loopback()).isTrue();
    assertThat(new ServerConfig("0.0.0.0", 0, null, null).loopback()).isFalse();
  }
}
