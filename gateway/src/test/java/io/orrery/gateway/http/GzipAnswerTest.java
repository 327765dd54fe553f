package io.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which clients accept gzip (G7), as RFC 9110, 12.5.3 says. */
class GzipAnswerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, deflate, br, zstd | true",
        "GZIP | true",
        "x-gzip | true",
        "br;q=1.0, gzip;q=0.8, *;q=0.1 | true",
        "* | true",
        "gzip ; q=0.5 | true",
        "gzip;q=0 | false",
        "gzip;q=0, * | false",
        "*;q=0 | false",
        "identity | false",
        "br, deflate | false",
        "gzip;q=much | false",
        "gzipped | false",
      })
  void theWeightOfACodingDecides(String header, boolean accepted) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Accept-Encoding", header);

    assertThat(GzipAnswer.accepted(headers)).isEqualTo(accepted);
  }

  @Test
  void severalLinesAreOneListAndNoneAcceptsNothing() {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    assertThat(GzipAnswer.accepted(headers)).isFalse();

    headers.add("Accept-Encoding", "br").add("Accept-Encoding", "gzip");
    assertThat(GzipAnswer.accepted(headers)).isTrue();
  }
}
