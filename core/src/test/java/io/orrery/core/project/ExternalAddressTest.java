package io.orrery.core.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExternalAddressTest {
  private static List<ExternalAddress> addresses(String text) {
    Parsed<List<ExternalAddress>> read = ExternalAddress.read(text);
    assertThat(read.findings()).as(text).isEmpty();
    return read.value();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "'' > ''",
        "10.0.0.7 > 10.0.0.7",
        "127.0.0.1 > 127.0.0.1",
        "' 10.0.0.7 | GPU.Example.com , ' > 10.0.0.7|gpu.example.com",
        "10.0.0.7|10.0.0.7 > 10.0.0.7",
        "10.0.0.7|203.0.113.9,10.0.0.8 > 10.0.0.7|203.0.113.9,10.0.0.8",
        "2001:DB8:0:0:0:0:0:7 > 2001:db8::7",
        "2001:db8::1.2.3.4|gpu-1 > 2001:db8::102:304|gpu-1",
        "10.0.0.7|2001:db8:0:1:1:1:1:1 > 10.0.0.7|2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1 > 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1 > 2001:db8::1:0:0:1",
        "::1 > ::1",
        "2001:: > 2001::",
      })
  void anAddressHasOneCanonicalForm(String text, String canonical) {
    assertThat(ExternalAddress.text(addresses(text))).isEqualTo(canonical);
    assertThat(addresses(canonical)).isEqualTo(addresses(text));
  }

  @Test
  void theInnerAddressIsShownWhenThereIsNoOuter() {
    assertThat(addresses("10.0.0.7,10.0.0.8|gpu.example.com"))
        .containsExactly(
            new ExternalAddress("10.0.0.7", "10.0.0.7"),
            new ExternalAddress("10.0.0.8", "gpu.example.com"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "gpu.example.com > 0 > host name stands behind '|' only",
        "10.0.0.7, 10.0.0.256 > 10 > not an IP address",
        "10.0.0 > 0 > not an IP address",
        "10.0.0.07 > 0 > not an IP address",
        "10.0.0.7:80 > 0 > without port",
        "[2001:db8::7] > 0 > without port and brackets",
        "fe80::1%eth0 > 0 > not an IP address",
        "2001:db8:::7 > 0 > not an IP address",
        "1:2:3:4:5:6:7 > 0 > not an IP address",
        "0.0.0.0 > 0 > cannot be the address of a service",
        ":: > 0 > cannot be the address of a service",
        "224.0.0.1 > 0 > cannot be the address of a service",
        "169.254.0.1 > 0 > cannot be the address of a service",
        "fe80::1 > 0 > cannot be the address of a service",
        "::ffff:10.0.0.7 > 0 > write 10.0.0.7",
        "|10.0.0.7 > 0 > address before '|' is missing",
        "10.0.0.7| > 9 > address behind '|' is missing",
        "10.0.0.7|a|b > 0 > more than one '|'",
        "10.0.0.7|http://a > 9 > without scheme, port and path",
        "10.0.0.7|a:80 > 9 > without scheme, port and path",
        "10.0.0.7|1.2.3.999 > 9 > neither an IP address nor a host name",
        "10.0.0.7|a_b > 9 > neither an IP address nor a host name",
        "10.0.0.7;10.0.0.8 > 0 > not an IP address",
        "10.0.0.7|a,10.0.0.7|b > 11 > another outer address",
        "10.0.0.7｜a > 0 > write '|'",
      })
  void aFaultIsNamedAtItsPlaceWithTheRemedy(String text, int offset, String words) {
    assertThat(ExternalAddress.read(text).findings())
        .as(text)
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.message()).contains(words);
          assertThat(finding.offset()).isEqualTo(offset);
        });
  }

  @Test
  void aRepeatedAddressIsDroppedAndNoticed() {
    Parsed<List<ExternalAddress>> read = ExternalAddress.read("::1,10.0.0.7,0:0::1");
    assertThat(ExternalAddress.text(read.value())).isEqualTo("::1,10.0.0.7");
    assertThat(read.notices()).extracting(TextFinding::offset).containsExactly(13);
  }

  @Test
  void aTextBeyondTheLimitsIsRefusedOnce() {
    String many =
        IntStream.range(0, 40).mapToObj(i -> "10.0.0." + i).collect(Collectors.joining(","));
    assertThat(ExternalAddress.read(many).findings())
        .extracting(TextFinding::offset)
        .containsExactly(many.indexOf("10.0.0.32"));
    assertThat(ExternalAddress.read("x".repeat(4_001)).findings()).hasSize(1);
    String name =
        IntStream.range(0, 7).mapToObj(i -> "a".repeat(63)).collect(Collectors.joining("."));
    assertThat(addresses("10.0.0.7|" + name.substring(0, 253))).hasSize(1);
    assertThat(ExternalAddress.read("10.0.0.7|" + name.substring(0, 255)).findings()).hasSize(1);
    assertThat(ExternalAddress.read("10.0.0.7|" + "a".repeat(64)).findings()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"::0:1, a", "a, a", "10.0.0.7, A", "10.0.0.7, ''", "0.0.0.0, a"})
  void anAddressThatCouldNotBeReadBackCannotBeMade(String inner, String outer) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ExternalAddress(inner, outer));
  }

  @Test
  void anyTextIsReadAndEveryPlaceLiesInIt() {
    RandomText random = new RandomText(10_3);
    int right = 0;
    for (int i = 0; i < 5_000; i++) {
      String text =
          random.below(2) == 0
              ? random.garbage()
              : random.slip("10.0.0.7|gpu.example.com,2001:db8::7,10.0.0.8|203.0.113.9");
      Parsed<List<ExternalAddress>> read = ExternalAddress.read(text);
      RandomText.assertPlaced(read, text);
      assertThat(addresses(ExternalAddress.text(read.value()))).isEqualTo(read.value());
      right += read.findings().isEmpty() ? 1 : 0;
    }
    assertThat(right).isBetween(100, 4_000);
  }
}
