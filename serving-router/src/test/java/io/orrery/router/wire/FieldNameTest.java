package io.orrery.router.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.policy.AmbiguousHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNameTest {
  private static FieldName of(String name) {
    byte[] line = ("\r\n" + name + ": x").getBytes(StandardCharsets.US_ASCII);
    return FieldName.of(line, 2, 2 + name.length());
  }

  private static String word(FieldName name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"OTHER", "TWIN"})
  void aNameIsKnownInAnyCase(FieldName name) {
    assertThat(of(word(name))).isEqualTo(name);
    assertThat(of(word(name).toUpperCase(Locale.ROOT))).isEqualTo(name);
  }

  @Test
  void everyKnownNameWithADashHasTwins() {
    Set<String> dashed =
        Stream.of(FieldName.values())
            .map(FieldNameTest::word)
            .filter(word -> word.contains("-"))
            .collect(Collectors.toSet());
    // Set where a prefix is stripped, and passed as it came elsewhere.
    dashed.add("x-forwarded-prefix");

    assertThat(AmbiguousHeaders.OF).isEqualTo(dashed);
    for (String name : dashed) {
      assertThat(of(name.replaceFirst("-", "_"))).isEqualTo(FieldName.TWIN);
      assertThat(of(name.replace('-', '_').toUpperCase(Locale.ROOT))).isEqualTo(FieldName.TWIN);
      assertThat(AmbiguousHeaders.isOne(name.replace('-', '_'))).isTrue();
      assertThat(AmbiguousHeaders.isOne(name)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "x_y", "x-forwarded+for", "x-forwarded-foo", "x_request_id", "_", ""})
  void allOthersPass(String name) {
    assertThat(of(name)).isEqualTo(FieldName.OTHER);
    assertThat(AmbiguousHeaders.isOne(name)).isFalse();
  }
}
