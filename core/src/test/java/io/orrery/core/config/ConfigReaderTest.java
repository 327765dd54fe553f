package io.orrery.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ConfigReaderTest {
  private static final ConfigKey<String> HOST =
      ConfigKey.text("http.host", "127.0.0.1", "an address", "Where to listen.");
  private static final ConfigKey<Integer> PORT =
      ConfigKey.integer("http.port", 8080, 0, 65535, "The port.");
  private static final ConfigKey<String> URL =
      ConfigKey.text("http.advertiseUrl", null, "a URL", "What trials call back.");
  private static final List<ConfigKey<?>> KEYS = List.of(HOST, PORT, URL);

  @Test
  void aKeyThatIsNotSetHasItsDefault() {
    Config config = ConfigReader.read(KEYS, null, Map.of(), Map.of());

    assertThat(config.get(HOST)).isEqualTo("127.0.0.1");
    assertThat(config.get(PORT)).isEqualTo(8080);
    assertThat(config.find(URL)).isNull();
  }

  @Test
  void aFlagBeatsTheEnvironmentAndTheEnvironmentBeatsTheFile() {
    String file = "http: {host: a.example, port: 1, advertiseUrl: file}";
    Map<String, String> environment =
        Map.of("ORRERY_HTTP_PORT", "2", "ORRERY_HTTP_ADVERTISE_URL", "environment");

    Config config = ConfigReader.read(KEYS, file, environment, Map.of("http.port", "3"));

    assertThat(config.get(HOST)).isEqualTo("a.example");
    assertThat(config.get(PORT)).isEqualTo(3);
    assertThat(config.find(URL)).isEqualTo("environment");
  }

  @Test
  void anUnknownKeyIsRefusedWithItsLineAndTheNearest() {
    String file = "http:\n  host: 127.0.0.1\n  prot: 1\n";

    assertThatThrownBy(() -> ConfigReader.read(KEYS, file, Map.of(), Map.of()))
        .hasMessageContaining("line 3")
        .hasMessageContaining("http.prot")
        .hasMessageContaining("http.port");
  }

  @Test
  void everyFaultIsSaidAtOnce() {
    String file = "http: {port: 70000, colour: red}\nhtpt: 1\n";

    assertThatThrownBy(
            () -> ConfigReader.read(KEYS, file, Map.of("ORRERY_HTTP_PORT", "x"), Map.of()))
        .asInstanceOf(InstanceOfAssertFactories.type(ProblemException.class))
        .extracting(ProblemException::problem)
        .asInstanceOf(InstanceOfAssertFactories.type(Problem.Refused.class))
        .extracting(Problem.Refused::findings)
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(4);
  }

  @Test
  void aSectionThatIsNoObjectIsRefused() {
    assertThatThrownBy(() -> ConfigReader.read(KEYS, "http: 8080", Map.of(), Map.of()))
        .hasMessageContaining("http is an object of keys");
  }

  @Test
  void anEmptyFileIsNoFault() {
    assertThat(ConfigReader.read(KEYS, "\n", Map.of(), Map.of()).get(PORT)).isEqualTo(8080);
  }
}
