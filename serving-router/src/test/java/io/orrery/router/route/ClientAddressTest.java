package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
  private static final ClientAddress ONE = ClientAddress.of("2001:db8:1:2:3:4:5:6");

  @ParameterizedTest
  @ValueSource(
      strings = {"2001:db8:1:2::", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::1%3"})
  void whoHasOneAddressOfAnIpv6NetworkHasAllOfThem(String neighbour) {
    assertThat(ClientAddress.of(neighbour).network()).isEqualTo(ONE.network());
    assertThat(ClientAddress.of(neighbour).text()).isEqualTo(neighbour);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2001:db8:1:3::", "2001:db8::1:2:3:4", "::1"})
  void anotherNetworkIsAnotherClient(String stranger) {
    assertThat(ClientAddress.of(stranger).network()).isNotEqualTo(ONE.network());
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "::ffff:192.0.2.1, 192.0.2.1",
    "0:0:0:0:0:ffff:c000:201, 192.0.2.1"
  })
  void anIpv4AddressIsAClientHoweverItIsWritten(String literal, String network) {
    assertThat(ClientAddress.of(literal).network()).isEqualTo(network);
  }

  @Test
  void unknownClientsAreOneClient() {
    assertThat(ClientAddress.of(null)).isEqualTo(new ClientAddress("unknown", "unknown"));
  }
}
