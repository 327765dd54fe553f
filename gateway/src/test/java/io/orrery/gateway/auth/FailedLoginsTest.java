package io.orrery.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.VirtualClock;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final FailedLogins failures = new FailedLogins(clock);

  @Test
  void theEleventhTryOfAnAddressWaitsForItsTurn() {
    fail(address("192.0.2.1"), 10);

    assertThatThrownBy(() -> failures.check(address("192.0.2.1")))
        .isInstanceOfSatisfying(
            ProblemException.class,
            busy ->
                assertThat(busy.problem())
                    .isEqualTo(
                        new Problem.Busy(
                            "Too many unknown tokens came from this address.",
                            Duration.ofSeconds(6))));
    clock.advance(Duration.ofSeconds(6));
    failures.check(address("192.0.2.1"));
    failures.failed(address("192.0.2.1"));
    assertThatThrownBy(() -> failures.check(address("192.0.2.1")))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void otherAddressesAreNotConcerned() {
    fail(address("192.0.2.1"), 10);

    assertThatCode(() -> failures.check(address("192.0.2.2"))).doesNotThrowAnyException();
  }

  @Test
  void allAddressesOfAnIpv6NetworkAreOne() {
    for (int i = 0; i < 10; i++) {
      failures.failed(address("2001:db8::" + i));
    }

    assertThatThrownBy(() -> failures.check(address("2001:db8::ffff")))
        .isInstanceOf(ProblemException.class);
    failures.check(address("2001:db8:0:1::1"));
  }

  @Test
  void theTableStaysSmallForAnyNumberOfClients() {
    for (int i = 0; i < 20_000; i++) {
      failures.failed(address("10.0." + i / 256 + "." + i % 256));
    }

    assertThat(failures.size()).isEqualTo(4_096);
  }

  private void fail(SocketAddress from, int times) {
    for (int i = 0; i < times; i++) {
      failures.check(from);
      failures.failed(from);
    }
  }

  private static SocketAddress address(String literal) {
    return SocketAddress.inetSocketAddress(4711, literal);
  }
}
