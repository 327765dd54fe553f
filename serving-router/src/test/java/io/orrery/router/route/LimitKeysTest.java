package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test of the limits of what clients can make the router hold, as a file has them. */
class LimitKeysTest {
  /** E1, E2. */
  @Test
  void theLimitsOfClientsAreRead() {
    RouterFile.Listen listen =
        file(
            "{memory: 256MB, memoryPerClient: 64MB, memoryPerConnection: 512KB, connections: 20000,"
                + " connectionsPerClient: 100, slow: 30s, uploadRate: 2KB, uploadWindow: 10s}");

    assertThat(listen.limits())
        .isEqualTo(
            new ClientLimits(
                256 << 20,
                64 << 20,
                512 << 10,
                20_000,
                100,
                Duration.ofSeconds(30),
                new UploadRate(2048, Duration.ofSeconds(10))));
    assertThat(file("{uploadRate: off}").limits().upload()).isNull();
    assertThat(file("{}").limits()).isEqualTo(ClientLimits.standard());
    assertThat(file("{memory: 64MB, connections: 10}").limits())
        .isEqualTo(ClientLimits.of(64 << 20, 10));
  }

  /** E1, E2. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memory: 1KB | memory | from 64KB",
        "memory: lots | memory | 64MB",
        "memoryPerClient: -1MB | memoryPerClient | 64MB",
        "memoryPerConnection: 5 | memoryPerConnection | from 64KB",
        "connections: 0 | connections | from 1",
        "connectionsPerClient: 1.5 | connectionsPerClient | whole number",
        "slow: 0s | slow | above zero",
        "memory: [1MB] | memory | from 64KB",
        "memory: 999999999999GB | memory | from 64KB",
        "uploadRate: fast | uploadRate | or off",
        "uploadWindow: 2d | uploadWindow | up to a day",
        "memry: 1MB | memry | did you mean 'memory'",
      })
  void aLimitThatIsNoneIsRefused(String text, String key, String words) {
    ProblemException e = catchThrowableOfType(ProblemException.class, () -> file("{" + text + "}"));
    Finding finding = ((Problem.Refused) e.problem()).findings().getFirst();

    assertThat(finding.pointer()).isEqualTo("/listen/limits/" + key);
    assertThat(finding.message()).contains(words);
  }

  private static RouterFile.Listen file(String limits) {
    return RouterFile.read("listen: {limits: " + limits + "}\n", Path.of("/")).listen();
  }
}
