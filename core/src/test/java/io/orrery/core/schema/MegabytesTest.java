package io.orrery.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts of memory as NNI and its examples write them (D). */
class MegabytesTest {
  @ParameterizedTest
  @CsvSource({
    "4g, 4096",
    "4G, 4096",
    "4gb, 4096",
    "4Gi, 4096",
    "1.5Gi, 1536",
    "1t, 1048576",
    "512m, 512",
    "2048k, 2",
    "1b, 1",
    "64, 64"
  })
  void anAmountHasTheUnitsOfNniAndTheirFirstLetters(String text, long megabytes) {
    assertThat(Megabytes.of(TextNode.valueOf(text))).isEqualTo(megabytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4x", "g", "4 g b", "-4g", "0g", "4gig", ""})
  void anythingElseIsNoAmount(String text) {
    assertThat(Megabytes.of(TextNode.valueOf(text))).isNull();
  }
}
