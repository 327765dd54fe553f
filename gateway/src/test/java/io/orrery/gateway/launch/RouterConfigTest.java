package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.ProblemException;
import io.orrery.router.route.RouterFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the keys of the serving router of a server. */
class RouterConfigTest {
  /** E1, E2: the limits of the router are those of a router alone, by the same names. */
  @Test
  void theLimitsOfTheRouterAreReadAsARouterAloneReadsThem() {
    String limits = "limits: {memory: 64MB, connections: 10, slow: 5s, uploadRate: off}";
    String prefix = "ORRERY_ROUTER_LIMITS_";
    var variables = Map.of(prefix + "MEMORY_PER_CLIENT", "8MB", prefix + "SLOW", "7s");
    assertThat(ServerConfig.read("router: {" + limits + "}", Map.of(), Map.of()).router().limits())
        .isEqualTo(RouterFile.read("listen: {" + limits + "}", Path.of("/")).listen().limits());
    assertThat(ServerConfig.read("router: {" + limits + "}", variables, Map.of()).router().limits())
        .satisfies(found -> assertThat(found.memoryPerClient()).isEqualTo(8 << 20))
        .satisfies(found -> assertThat(found.slow()).isEqualTo(Duration.ofSeconds(7)))
        .satisfies(found -> assertThat(found.upload()).isNull());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "memory: 1KB;      /router/limits/memory;     from 64KB",
        "connections: 0;   /router/limits/connections; from 1 to",
        "uploadRate: fast; /router/limits/uploadRate;  or off",
        "slow: [1];        /router/limits/slow;        above zero",
        "memry: 1MB;       /router/limits/memry;       did you mean 'router.limits.memory'",
      })
  void aLimitOfTheRouterThatIsNoneIsRefusedWithItsPlace(
      String limit, String pointer, String words) {
    assertThatThrownBy(
            () -> ServerConfig.read("router:\n  limits:\n    " + limit + "\n", Map.of(), Map.of()))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem().toString()).contains(pointer, words, "line=3"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://other.com",
        "example.com",
        "https://example.com/a",
        "ftp://example.com",
        "https://example.com:0"
      })
  void theAddressOfServicesIsInTheDomainOfTheRouter(String url) {
    String file = "router: {domain: example.com, advertiseUrl: '" + url + "'}";

    assertThatThrownBy(() -> ServerConfig.read(file, Map.of(), Map.of()))
        .hasMessageContaining("router.advertiseUrl is '" + url + "'")
        .hasMessageContaining("such as https://example.com");
  }
}
