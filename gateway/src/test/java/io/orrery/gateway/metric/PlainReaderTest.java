package io.orrery.gateway.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick reader against the thorough one. */
class PlainReaderTest {
  private static final long NOW = 1_769_860_800_000L;
  private static final int ROUNDS = 200_000;

  private final PlainReader plain = new PlainReader();

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private MetricLine plain(String line) {
    byte[] bytes = latin("xx" + line + "\n{}");
    return plain.read(bytes, 2, bytes.length, false, 3, NOW);
  }

  private static MetricLine thorough(String line) {
    byte[] bytes = latin(line);
    return LineReader.read(bytes, 0, bytes.length, 3, NOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-0.0",
        "1",
        "0.93",
        "-12.5",
        "1e5",
        "1E-7",
        "0.9731993299832495",
        "1e400",
        "-2.5e-400",
        "123456789012345678",
        "9007199254740993",
        "99999999999999999999",
        "4.9e-324",
        "0.1234567890123456789",
        "1.7976931348623157e308",
        "0.00000000000000000000001"
      })
  void aPlainLineIsReadAsTheThoroughReaderDoes(String number) {
    String line =
        "{\"trial\":\"exp/abcde\",\"kind\":\"final\",\"sequence\":7,\"value\":" + number + "}";

    assertThat(plain(line)).isNotNull().isEqualTo(thorough(line));
  }

  @Test
  void everyFieldMayBeInAnyPlaceWithBlanksBetween() {
    String line =
        " { \"time\" : 5 ,\t\"ordinal\":9,\"value\" :0.5, \"source\":\"pod-a\",\"attempt\":2,"
            + "\"sequence\":0,\"kind\":\"intermediate\",\"trial\":\"exp/abcde\" } \r";
    // A blank before the brace is left to the other reader.
    assertThat(plain(line.strip())).isNotNull().isEqualTo(thorough(line.strip()));
  }

  @Test
  void aLineEndsWhereTheNextOneBegins() {
    String line = "{\"trial\":\"e/t\",\"kind\":\"final\",\"sequence\":0,\"value\":1}";
    byte[] bytes = latin(line + "\r\n" + line);

    assertThat(plain.read(bytes, 0, bytes.length, false, 1, NOW)).isNotNull();
    assertThat(plain.end()).isEqualTo(line.length() + 2);
    assertThat(plain.read(bytes, plain.end(), bytes.length, false, 2, NOW)).isNull();
    assertThat(plain.read(bytes, line.length() + 2, bytes.length, true, 2, NOW)).isNotNull();
    assertThat(plain.end()).isEqualTo(bytes.length);
  }

  @Test
  void whatItTakesTheThoroughReaderTakesAsTheSame() {
    Random random = new Random(7);
    int taken = 0;
    for (int i = 0; i < ROUNDS; i++) {
      String line = line(random);
      MetricLine quick = plain(line);
      if (quick != null) {
        taken++;
        assertThat(quick).as(line).isEqualTo(thoroughOrNull(line));
      }
    }
    assertThat(taken).isBetween(ROUNDS / 50, ROUNDS - 1);
  }

  /** So the second and the third are read from the template of the first two. */
  @Test
  void linesThatDifferInTheirNumbersOnlyAreReadAsIfEachWereTheFirst() {
    Random random = new Random(9);
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      String form =
          one(
              random,
              "{\"trial\":\"exp/abcde\",\"kind\":\"final\",\"sequence\":%s,\"value\":%s}",
              "{\"value\":%2$s, \"time\":%1$s,\"sequence\":5,\"kind\":\"final\",\"trial\":\"e/t\"}",
              "{\"trial\":\"e/t\",\"source\":\"s 1\",\"kind\":\"intermediate\",\"sequence\":1,"
                  + "\"ordinal\":%s,\"attempt\":1 ,\"value\":%s} ");
      PlainReader reader = new PlainReader();
      for (int line = 0; line < 4; line++) {
        String first = line < 2 ? "1" : number(random);
        String text = form.formatted(first, line < 2 ? "0.5" : number(random));
        if (line > 1 && random.nextInt(10) == 0) {
          int cut = random.nextInt(text.length());
          text = text.substring(0, cut) + one(random, "", "x", "\"", "9") + text.substring(cut);
        }
        byte[] bytes = latin(text + "\n");
        MetricLine quick = reader.read(bytes, 0, bytes.length, false, 3, NOW);
        if (quick != null) {
          taken++;
          assertThat(quick).as(text).isEqualTo(thoroughOrNull(text));
        } else {
          assertThat(new PlainReader().read(bytes, 0, bytes.length, false, 3, NOW))
              .as(text)
              .isNull();
        }
      }
    }
    assertThat(taken).isBetween(40_000, 79_000);
  }

  private static MetricLine thoroughOrNull(String line) {
    try {
      return thorough(line);
    } catch (ProblemException refused) {
      return null;
    }
  }

  /** A line that is right, nearly right or wrong. */
  private static String line(Random random) {
    List<String> fields =
        new ArrayList<>(
            List.of(
                "\"trial\":\""
                    + one(random, "exp/abcde", "a/b", "e/t-1", "exp", "e/\u00e4", "e/t\\n")
                    + "\"",
                "\"kind\":" + one(random, "\"final\"", "\"intermediate\"", "\"last\"", "1"),
                "\"sequence\":" + one(random, "0", "7", "123456", "01", "-1", "1.5"),
                "\"value\":" + number(random)));
    for (String more :
        List.of(
            "\"source\":\"" + one(random, "", "main", "a b", "\u0001", "x\\u0041") + "\"",
            "\"attempt\":" + number(random),
            "\"ordinal\":" + number(random),
            "\"time\":" + number(random),
            "\"later\":{}",
            "\"value\":" + number(random))) {
      if (random.nextInt(8) == 0) {
        fields.add(more);
      }
    }
    Collections.shuffle(fields, random);
    StringBuilder line = new StringBuilder("{" + String.join(one(random, ",", ", "), fields) + "}");
    if (random.nextInt(4) == 0) {
      line.setCharAt(random.nextInt(line.length()), (char) (1 + random.nextInt(255)));
    }
    return line.toString().replace('\n', ' ');
  }

  private static String number(Random random) {
    return one(
        random,
        "0",
        "1",
        "7",
        "12",
        "0.5",
        "-1",
        "-0.25e3",
        "01",
        "1.",
        ".5",
        "1e",
        "+1",
        "NaN",
        "\"NaN\"",
        "null",
        "2147483648",
        "99999999999999999999",
        Double.toString(random.nextGaussian()),
        Long.toString(random.nextLong()));
  }

  private static String one(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
