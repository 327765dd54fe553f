package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTlsTest {
  private static Service read(String keys) {
    return RouteReader.read("services: [{name: a, " + keys + "}]", "example.com")
        .services()
        .getFirst();
  }

  @Test
  void endpointsHaveNoTlsUnlessTheirProtocolSaysSo() {
    assertThat(read("protocol: http1").tls()).isNull();
    assertThat(read("protocol: h2c").tls()).isNull();
  }

  @Test
  void certificatesAreCheckedUnlessTheTableSaysOtherwise() {
    assertThat(read("protocol: https").tls()).isEqualTo(new EndpointTls(null, null, true));
    assertThat(read("protocol: https, tls: {serverName: m.example.com}").tls())
        .isEqualTo(new EndpointTls(null, "m.example.com", true));
    assertThat(read("protocol: https, tls: {verify: false}").tls())
        .isEqualTo(new EndpointTls(null, null, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tls: {verify: true} | /services/0/tls | protocol: https",
        "protocol: h2c, tls: {} | /services/0/tls | protocol: https",
        "protocol: https, tls: {authority: ca.pem} | /services/0/tls/authority | not the name of",
        "protocol: https, tls: {authority: \"-----BEGIN PKCS7-----\\nMAA=\\n-----END PKCS7-----\"}"
            + " | /services/0/tls/authority | BEGIN CERTIFICATE",
        "protocol: https, tls: {authority: ''} | /services/0/tls/authority | PEM",
        "protocol: https, tls: {serverName: 'a:443'} | /services/0/tls/serverName | without port",
        "protocol: https, tls: {certificate: x} | /services/0/tls/certificate | ",
      })
  void aFaultIsRefusedWithItsPlace(String keys, String pointer, String words) {
    ProblemException refused = catchThrowableOfType(ProblemException.class, () -> read(keys));

    Finding finding = ((Problem.Refused) refused.problem()).findings().getFirst();
    assertThat(finding.pointer()).isEqualTo(pointer);
    assertThat(finding.message()).contains(words == null ? "" : words);
  }
}
