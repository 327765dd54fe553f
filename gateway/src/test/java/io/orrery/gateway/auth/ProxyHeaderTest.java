package io.orrery.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.gateway.http.Network;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeaderTest {
  private static final Set<String> OWN = Set.of("10.0.0.5", "fd00:0:0:0:0:0:0:5");

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.0.0.7, true",
    "10.0.0.0/8, 11.0.0.7, false",
    "10.0.0.0/8, 10.0.0.5, false",
    "10.0.0.5, 10.0.0.5, true",
    "127.0.0.0/8, 127.0.0.1, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "fd00::/64, fd00:0:0:0:0:0:0:7, true",
    "fd00::/64, fd00:0:0:0:0:0:0:5, false",
  })
  void anAddressOfThisMachineIsBelievedOnlyWhereItIsListedByItself(
      String network, String address, boolean believed) {
    ProxyHeader header = new ProxyHeader("X-User", List.of(Network.parse(network)), OWN::contains);

    assertThat(header.isBelieved(address)).isEqualTo(believed);
  }
}
